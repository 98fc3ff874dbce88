/*
 * Files of numbers, for arrays and tables:
 *
 *   text  numbers between blanks, commas, semicolons and ends of lines; what np_text skips is skipped
 *   CSV   the same, when the name ends in ".csv": a first line without any number has the names of the columns
 *   npy   NumPy's format (npy.h)
 */
#pragma once

#include "base/npy.h"

typedef struct np_values {
    const char *path;
    bool real;            /* the words are the bits of doubles, else whole numbers */
    size_t count;         /* of all numbers */
    size_t rows, columns; /* of a table; 0 columns: its lines have different numbers of them */
    uint64_t ragged;      /* then the first line that differs */

    const char *data; /* [length] borrowed */
    size_t length;
    np_text text; /* at its first line of numbers */
    np_npy npy;   /* its items are NULL: it is text */
} np_values;

/*
 * Begins at data[0 .. length) of the file `path`, both borrowed, and counts its numbers.
 *
 * @param real  read reals, else whole numbers
 * @return NP_ERROR_INPUT with "path:line: ..." or "path: ..."
 */
np_status np_values_open(np_values *values, const char *path, const char *data, size_t length, bool real) NP_CHECKED;

/* One number of a line: the bits of a real, or a whole number. NP_ERROR_INPUT with the line. */
np_status np_values_field(const np_text *line, np_text_field field, bool real, int64_t *out) NP_CHECKED;

/* Fills word[count], row by row. NP_ERROR_INPUT: something is no number, or not one of 64 bits with a sign. */
np_status np_values_take(np_values *values, int64_t *word) NP_CHECKED;
