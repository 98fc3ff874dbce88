/*
 * Text files of fields: lines of fields separated by spaces and tabs, or by
 * one character such as ','. Blank lines are skipped, '#' or '%' begins a
 * comment that ends with the line, but not inside a field: r2#east is one.
 * Lines end in LF or CR LF, or all in CR. A byte order mark at the start is
 * skipped. Every message begins with "name:line: ".
 *
 * With a separator, fields may be empty and may hold spaces, and a comment is
 * a whole line that begins with '#'. A field may stand in double quotes, in
 * which two of them stand for one (np_text_unquote), or in parentheses, as
 * (0, 1): then it may hold spaces and separators.
 */
#pragma once

#include <stdbool.h>

#include "base/memory.h"
#include <stddef.h>
#include <string.h>

enum { NP_TEXT_FIELDS = 16 }; /* fields kept of a line; np_text_field_next has all */

#define NP_TEXT_NO_LINE UINT64_MAX /* as the line of an np_text: messages name no line */

typedef struct np_text_field {
    const char *at; /* not terminated */
    size_t length;
} np_text_field;

typedef struct np_text {
    const char *name;     /* for messages; of a long name, its end */
    const char *at, *end; /* what is left to read */
    uint64_t line;        /* the present line, from 1; 0 before the first */
    char newline;         /* that ends lines: LF, or CR where there is no LF */
    char separator;       /* of fields; 0: spaces and tabs. Set it before the first line is taken */
    char stop;            /* a character that ends the fields of a line, such as '{'; 0: none */
    np_text_field rest;   /* what follows on the present line from `stop` on; empty: nothing */
    np_text_field whole;  /* the present line, comments included */
    size_t fields;        /* on the present line: may exceed NP_TEXT_FIELDS */
    np_text_field field[NP_TEXT_FIELDS];
} np_text;

/*
 * Reads a whole file; the caller frees *out with np_memory_free. NP_ERROR_IO
 * (missing, unreadable, a directory), NP_ERROR_LIMIT (endless), NP_ERROR_MEMORY.
 */
NP_FOR_REPORT np_status np_text_read(const char *path, char **out, size_t *length) NP_CHECKED;

typedef struct np_text_file {
    np_status status; /* of np_text_read: look at it first */
    char *data;
    size_t length;
} np_text_file;

static inline np_text_file np_text_file_read(const char *path)
{
    np_text_file file;
    file.status = np_text_read(path, &file.data, &file.length);
    return file;
}

static inline void np_text_file_clear(const np_text_file *file) { np_memory_free(file->data); }

/* A whole file, until the end of the block. */
#define NP_TEXT_FILE(file, path)                                                                                       \
    __attribute__((cleanup(np_text_file_clear))) const np_text_file file = np_text_file_read(path)

/* The bytes of the mark of UTF-8 with which some editors begin a text: 3 or 0. */
static inline size_t np_text_mark(const char *data, size_t length)
{
    return length >= 3 && !memcmp(data, "\xef\xbb\xbf", 3) ? 3 : 0;
}

/*
 * Begins at data[0..length), which is borrowed, as is the name.
 * NP_ERROR_INPUT if it holds a zero byte: then it is no text.
 */
np_status np_text_open(np_text *text, const char *name, const char *data, size_t length) NP_CHECKED;

/*
 * The same, for texts whose kind is to be found out: NP_ERROR_INPUT says what a file is that is no text of lines, such
 * as gzip or UTF-16 (foreign.h), or which control character it has.
 */
NP_FOR_REPORT np_status np_text_open_strict(np_text *text, const char *name, const char *data,
                                            size_t length) NP_CHECKED;

/* Is it a character between fields, or the CR before an LF? */
static inline bool np_text_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Moves to the next line that has fields. False at the end; `line` is then the last line. */
bool np_text_next(np_text *text);

/* The same, and stops at lines without fields, too. */
bool np_text_line(np_text *text);

/*
 * The fields of the present line one by one, as many as there are: *at is NULL for the first.
 * False after the last one.
 */
bool np_text_field_next(const np_text *text, const char **at, np_text_field *field);

/*
 * *out = the field with one quote for every two in it, if it is a field of the present line that stands in quotes; else
 * the field itself. It is valid until *room, which the caller frees with np_memory_free, also after an error.
 */
np_status np_text_unquote(const np_text *text, np_text_field field, np_text_field *out, char **room) NP_CHECKED;

/*
 * How much of the line is before the first of the characters, quotes and parentheses aside; its length: there is none.
 */
size_t np_text_span(np_text_field line, const char *characters);

/* If the first line begins with the word: moves to this line, even if it is a comment, and splits it. */
bool np_text_begins(np_text *text, const char *word);

/* The field is this word, in any case of letters. */
bool np_text_is(const np_text *text, size_t field, const char *word);

/* The same of a field that need not be of the present line. */
bool np_text_field_is(np_text_field field, const char *word);

/*
 * *out = the field, a whole number in low..high, called `what` in the message.
 * field < fields. Numbers of more than 64 bits count as 2^64 - 1, so `high` must be less.
 */
np_status np_text_number(const np_text *text, size_t field, const char *what, uint64_t low, uint64_t high,
                         uint64_t *out) NP_CHECKED;

/* The same of a field that need not be of the present line. */
np_status np_text_number_of(const np_text *text, np_text_field field, const char *what, uint64_t low, uint64_t high,
                            uint64_t *out) NP_CHECKED;

/* The line has low..high fields: else the message shows the format it should have. */
np_status np_text_count(const np_text *text, size_t low, size_t high, const char *format) NP_CHECKED;

/* Is the field a whole number? *out: its value, 2^64 - 1 if it has more than 64 bits. Leading zeros are allowed. */
bool np_text_whole(np_text_field field, uint64_t *out);

/* A copy of a field that is fit to print (np_written_copy): at most 40 bytes. */
typedef struct np_text_shown {
    char text[48];
} np_text_shown;
np_text_shown np_text_show(const np_text *text, size_t field);
NP_FOR_REPORT np_text_shown np_text_show_field(np_text_field field);

/* An error about the present line. */
NP_FOR_REPORT np_status np_text_raise(const np_text *text, np_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Does the name end with the ending, in any case of letters? */
bool np_text_ends(const char *name, const char *ending);

/* The first line, without blanks around it and attributes ({...}) at its end. Empty: there is none. */
np_text_field np_text_first_line(np_text text);

/* What separates the fields of a file that is known to be a list: ',' or ';' or a tab by its first line; 0: blanks. */
char np_text_separator(np_text text, const char *name);

/* ---- foreign.c: files that are no text, known by their first bytes ---- */

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
