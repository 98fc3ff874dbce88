/* Text in aligned columns. */
#ifndef NP_REPORT_TABLE_H
#define NP_REPORT_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

enum { NP_TABLE_COLUMNS_MAX = 12 };

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

/* A number for people: a whole number as it is, others with two decimals, small ones with two significant digits. */
void np_table_number(np_table *table, double value);

/* Prints all rows, columns two spaces apart, and returns the first failure. No trailing spaces. */
np_status np_table_print(const np_table *table, FILE *stream) NP_CHECKED;

void np_table_clear(np_table *table);

/* Prints and clears. */
np_status np_table_end(np_table *table, FILE *stream) NP_CHECKED;

#endif
