/*
 * Writing files of NumPy, version 1 of its format (numpy.lib.format, NEP 1): magic bytes, a header that is padded so that the
 * items begin at a multiple of 64 bytes, and the items. Nothing follows them.
 */
#ifndef NP_BASE_NPY_H
#define NP_BASE_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

#endif
