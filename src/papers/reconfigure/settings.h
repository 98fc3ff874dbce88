/* The settings of all switches of a grid. */
#pragma once

#include "netpram/reconfigure.h"

typedef struct np_switch_settings {
    uint32_t rows, columns;
    np_switch_setting *setting; /* [rows * columns], row 0 first */
} np_switch_settings;

/*
 * Reads settings: a line for each row, the top row first, names separated by spaces; '#' begins a comment. Clear them.
 * NP_ERROR_IO; NP_ERROR_INPUT with the line: an unknown name, rows that are not equally long, no row; NP_ERROR_LIMIT.
 */
np_status np_switch_settings_read(const char *path, np_switch_settings *out) NP_CHECKED;

/* Gives all of rows x columns switches the same setting. */
np_status np_switch_settings_fill(uint64_t rows, uint64_t columns, np_switch_setting setting,
                                  np_switch_settings *out) NP_CHECKED;
void np_switch_settings_clear(np_switch_settings *settings);

/* np_switch_settings_read from a text; `name` is the file's name in errors. */
np_status np_switch_settings_parse(const char *name, const char *text, size_t length,
                                   np_switch_settings *out) NP_CHECKED;

/* Checks the size of a grid. NP_ERROR_INPUT, NP_ERROR_LIMIT. */
np_status np_switch_grid_check(uint64_t rows, uint64_t columns) NP_CHECKED;
