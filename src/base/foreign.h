/* Files that are no text, known by their first bytes: so a reader of text can say what it was given. */
#ifndef NP_BASE_FOREIGN_H
#define NP_BASE_FOREIGN_H

#include <stddef.h>

/* What a file is, and what its owner can do. */
typedef struct np_foreign {
    const char *name;   /* "a gzip file" */
    const char *advice; /* "unpack it first (gunzip)" */
} np_foreign;

/* What the bytes are; NULL: no kind that is known, which may well be text. */
const np_foreign *np_foreign_of(const char *data, size_t length);

/*
 * The first byte that no text of lines has: a control character other than tabs and line breaks, or one that begins no
 * character of UTF-8. NULL: there is none.
 */
const char *np_foreign_byte(const char *data, size_t length);

#endif
