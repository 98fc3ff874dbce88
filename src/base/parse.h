/* Reading numbers and names exactly: no sign, no space, no leading zero, no overflow. */
#ifndef NP_BASE_PARSE_H
#define NP_BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

/*
 * Reads a decimal number at *text, moves *text past it. False if there is no
 * digit, a leading zero (other than "0"), or more than 64 bits.
 */
NP_FOR_REPORT bool np_parse_u64(const char **text, uint64_t *out);

/* The whole text is one number in low..high. */
bool np_parse_whole(const char *text, uint64_t low, uint64_t high, uint64_t *out);

/*
 * "4x5x6" -> {4, 5, 6}: 1..limit numbers joined by 'x'. Returns how many, 0
 * if malformed.
 */
size_t np_parse_sides(const char *text, size_t limit, uint64_t *out);

/*
 * The entry of names[0..count) nearest to word by edit distance, for "did you
 * mean"; never NULL when count > 0.
 */
NP_FOR_REPORT const char *np_parse_nearest(const char *word, const char *const *names, size_t count);

/* Of two names the one nearer to the word: the first if they are equally near, the second if the first is NULL. */
const char *np_parse_nearer(const char *word, const char *first, const char *second);

#endif
