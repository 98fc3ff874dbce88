/* Text in aligned columns. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

enum { NP_TABLE_COLUMNS_MAX = 72 };

/* A table under construction: init, then row by row, print, clear. */
typedef struct np_table {
    size_t columns, cells, capacity;
    const char *align; /* [columns] 'l' or 'r' */
    char **cell;       /* [cells] */
    np_status status;  /* the first failure; later cells are dropped */
} np_table;

/* align "lrr" makes three columns, the first flush left. */
void np_table_init(np_table *table, const char *align);

/* The same with a first row. titles: [columns], or NULL for none. */
void np_table_begin(np_table *table, const char *align, const char *const *titles);

/* Adds the next cell, row by row. A failure is remembered. */
void np_table_add(np_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Prints all rows, columns two spaces apart, and returns the first failure. No trailing spaces. On a terminal that is
 * narrower than the table, the table folds: words of long texts go into further lines; if this does not suffice,
 * columns that do not fit come below the others, again with the first column. Elsewhere every row is one line.
 */
np_status np_table_print(const np_table *table, FILE *stream) NP_CHECKED;

/* The same for a width of `limit` columns; 0: no limit. */
np_status np_table_print_within(const np_table *table, size_t limit, FILE *stream) NP_CHECKED;

/* Columns that the first `bytes` bytes of a text take: those that continue a letter take none. */
size_t np_table_width(const char *text, size_t bytes);

/* The width of the terminal; 0: it is none, or it does not know. */
size_t np_terminal_columns(FILE *stream);

void np_table_clear(np_table *table);

/* Prints and clears. */
np_status np_table_end(np_table *table, FILE *stream) NP_CHECKED;
