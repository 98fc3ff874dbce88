/* Functions on settings that the files of reconfigure/ share. */
#ifndef NP_RECONFIGURE_SETTINGS_H
#define NP_RECONFIGURE_SETTINGS_H

#include "netpram/reconfigure.h"

/* np_switch_settings_read from a text; `name` is the file's name in errors. */
np_status np_switch_settings_parse(const char *name, const char *text, size_t length,
                                   np_switch_settings *out) NP_CHECKED;

/* Checks the size of a grid. NP_ERROR_INPUT, NP_ERROR_LIMIT. */
np_status np_switch_grid_check(uint64_t rows, uint64_t columns) NP_CHECKED;

#endif
