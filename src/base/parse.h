/* Reading numbers and names exactly: no sign, no space, no leading zero, no overflow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

enum { NP_PARSE_WHOLE = 1000000000 }; /* 1, in the units of np_parse_decimal */

/*
 * Reads a decimal number at *text, moves *text past it. False if there is no
 * digit, a leading zero (other than "0"), or more than 64 bits.
 */
NP_FOR_REPORT bool np_parse_u64(const char **text, uint64_t *out);

/* The whole text is one number in low..high. */
NP_FOR_REPORT bool np_parse_whole(const char *text, uint64_t low, uint64_t high, uint64_t *out);

/*
 * The whole text is a number with at most nine decimals, which is given in units of 1e-9, so that every machine
 * computes the same of it.
 */
bool np_parse_decimal(const char *text, uint64_t *out);

/*
 * "4x5x6" -> {4, 5, 6}: 1..limit numbers joined by 'x'. Returns how many, 0
 * if malformed.
 */
size_t np_parse_sides(const char *text, size_t limit, uint64_t *out);

/* The length of the first entry of a list such as "a,{b,c},d": commas within braces do not part. */
NP_FOR_REPORT size_t np_parse_entry(const char *list);

/* What to say of an unknown word: the name that is near to it, or else what names there are. */
typedef struct np_parse_hint {
    const char *word, *nearest; /* nearest NULL: no name is near */
    size_t distance, names;
    char text[160]; /* "did you mean 'x'?", "choose from 'a', 'b', 'c'" */
} np_parse_hint;

/* Makes the hint for a word without any names: its text is "there is none". */
NP_FOR_REPORT void np_parse_hint_init(np_parse_hint *hint, const char *word);

/* Adds a name, which must last as long as the hint. Of names that are equally near the first counts. */
NP_FOR_REPORT void np_parse_hint_add(np_parse_hint *hint, const char *name);

/* The hint of all names of an array. */
NP_FOR_REPORT np_parse_hint np_parse_hint_of(const char *word, const char *const *names, size_t count);
