/*
 * Files of NumPy (numpy.lib.format, NEP 1): magic bytes, the version, the length of the header, the header, the items.
 *
 *   \x93NUMPY 1 0 HH {'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }
 */
#pragma once

#include <stdio.h>

#include "base/text.h"

/* ---- Writing: version 1, items from a multiple of 64 bytes on, and nothing behind them ---- */

/* Does the name ask for such a file? It ends in ".npy". */
bool np_npy_is(const char *path);

/*
 * The head of an array with so many dimensions, 1..NP_NPY_RANK_MAX; type: "<i8", "<u8", "<f8" or "|b1". A failed write
 * shows in the stream's error flag.
 */
enum { NP_NPY_RANK_MAX = 8 };
void np_npy_head(const char *type, const uint64_t *extent, size_t rank, FILE *stream);

/* An item: 64 bits, low bytes first. */
void np_npy_item(uint64_t bits, FILE *stream);

/* ---- Reading: versions 1 to 3, one or two dimensions, in either order of bytes and of dimensions ---- */

typedef struct np_npy {
    uint64_t rows, columns;
    unsigned rank; /* dimensions; of one there are rows of one column */
    char kind;     /* 'b', 'i', 'u' or 'f': booleans, whole numbers, reals of IEEE 754 */
    size_t size;   /* of an item: 1, 2, 4 or 8 bytes */
    bool big;      /* the most significant byte comes first */
    bool columns_first;
    const unsigned char *item;
} np_npy;

/* Does the data begin as such a file does? */
bool np_npy_begins(const char *data, size_t length);

/*
 * Opens data[0 .. length), which is borrowed. NP_ERROR_INPUT: it is no such array; `text` has the name for the message.
 */
np_status np_npy_open(np_npy *npy, const np_text *text, const char *data, size_t length) NP_CHECKED;

/* The bits of an item; of a negative whole number, as one of 64 bits. */
uint64_t np_npy_bits(const np_npy *npy, uint64_t row, uint64_t column);

/* The item as a real. */
double np_npy_real(const np_npy *npy, uint64_t row, uint64_t column);
