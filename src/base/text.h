/*
 * Text files of numbers: lines of fields separated by spaces and tabs.
 * Blank lines are skipped, '#' or '%' begins a comment that ends with the
 * line, lines end in LF or CRLF, a byte order mark at the start is skipped.
 * Every message begins with "name:line: ".
 */
#ifndef NP_BASE_TEXT_H
#define NP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/export.h"
#include "base/status.h"

enum { NP_TEXT_FIELDS = 6 }; /* fields kept of a line: one more than any format here has */

typedef struct np_text_field {
    const char *at; /* not terminated */
    size_t length;
} np_text_field;

typedef struct np_text {
    const char *name;     /* for messages; of a long name, its end */
    const char *at, *end; /* what is left to read */
    uint64_t line;        /* the present line, from 1; 0 before the first */
    size_t fields;        /* on the present line: may exceed NP_TEXT_FIELDS */
    np_text_field field[NP_TEXT_FIELDS];
} np_text;

/*
 * Reads a whole file; the caller frees *out with np_memory_free. NP_ERROR_IO
 * (missing, unreadable, a directory), NP_ERROR_LIMIT (endless), NP_ERROR_MEMORY.
 */
NP_FOR_REPORT np_status np_text_read(const char *path, char **out, size_t *length) NP_CHECKED;

/*
 * Begins at data[0..length), which is borrowed, as is the name.
 * NP_ERROR_INPUT if it holds a zero byte: then it is no text.
 */
np_status np_text_open(np_text *text, const char *name, const char *data, size_t length) NP_CHECKED;

/* Moves to the next line that has fields. False at the end; `line` is then the last line. */
bool np_text_next(np_text *text);

/* field[0] becomes the next field of the present line, for lines of any number of fields. False: there is none. */
bool np_text_walk(np_text *text);

/* If the first line begins with the word: moves to this line, even if it is a comment, and splits it. */
bool np_text_begins(np_text *text, const char *word);

/* The field is this word, in any case of letters. */
bool np_text_is(const np_text *text, size_t field, const char *word);

/*
 * *out = the field, a whole number in low..high, called `what` in the message.
 * field < fields. Numbers of more than 64 bits count as 2^64 - 1, so `high` must be less.
 */
np_status np_text_number(const np_text *text, size_t field, const char *what, uint64_t low, uint64_t high,
                         uint64_t *out) NP_CHECKED;

/* The line has low..high fields: else the message shows the format it should have. */
np_status np_text_count(const np_text *text, size_t low, size_t high, const char *format) NP_CHECKED;

/* A copy of a field that is fit to print: at most 40 characters, other bytes than printable ones as '?'. */
typedef struct np_text_shown {
    char text[48];
} np_text_shown;
np_text_shown np_text_show(const np_text *text, size_t field);

/* An error about the present line. */
np_status np_text_raise(const np_text *text, np_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
