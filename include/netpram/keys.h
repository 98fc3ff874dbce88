/*
 * Keys to sort: read from a file or made, as words that compare as they do.
 * Integers and floating-point numbers are mapped to unsigned words in their order;
 * lines of text are numbered in the order of their bytes, equal lines alike.
 */
#ifndef NETPRAM_KEYS_H
#define NETPRAM_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "netpram/output.h"
#include "netpram/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum np_key_kind {
    NP_KEYS_AUTO,     /**< integers if all lines are, else numbers if all are, else text */
    NP_KEYS_INTEGERS, /**< -2^63 .. 2^64-1; all of them in the range of int64 or all in that of uint64 */
    NP_KEYS_FLOATS,   /**< decimal, as strtod reads them in the C locale; NaN is refused, -0 is below 0 */
    NP_KEYS_TEXT      /**< lines, compared byte by byte */
} np_key_kind;

typedef struct np_keys np_keys;

/** The words of np_key_kind. */
extern const char *const np_keys_kind_words[];

/** "auto", "integers", "floats", "text"; NULL for other values. */
const char *np_keys_kind_name(np_key_kind kind);

/**
 * Reads a key a line; empty lines are keys of text and skipped elsewhere; the last line needs no end. Lines end
 * in LF or CRLF, neither a part of the key; spaces around a number are skipped, as is a byte order mark at
 * the beginning. Whole numbers that fit no word are refused, also where the kind is found out: as floats they would be
 * rounded.
 * @return NP_ERROR_IO; NP_ERROR_INPUT with the line that is not a key, if there is none, or for a zero byte;
 *         NP_ERROR_LIMIT (endless); NP_ERROR_MEMORY
 */
np_status np_keys_read(const char *path, np_key_kind kind, np_keys **out) NP_CHECKED;

/**
 * Makes keys: `order` is a name from NP_LIST_ORDERS. A function of its arguments alone.
 * @param count  up to 2^31; 0 only checks the name
 * @param key    [count], unchanged on error; may be NULL if count is 0
 * @return NP_ERROR_INPUT with the nearest name
 */
np_status np_keys_make(const char *order, size_t count, uint64_t seed, uint32_t run, uint64_t *key) NP_CHECKED;

size_t np_keys_count(const np_keys *keys);
np_key_kind np_keys_kind(const np_keys *keys);
const uint64_t *np_keys_words(const np_keys *keys); /**< [count] */

/** Writes the lines as they were read, line order[0] first. The file appears when it is whole. NP_ERROR_IO. */
np_status np_keys_write(const np_keys *keys, const uint32_t *order, const char *path) NP_CHECKED;

/** The same for keys that were made: key[order[0]] first, in decimal, a line each. NP_ERROR_IO. */
np_status np_keys_write_words(size_t count, const uint64_t *key, const uint32_t *order, const char *path) NP_CHECKED;

/** NULL is allowed. */
void np_keys_free(np_keys *keys);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
