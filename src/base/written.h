/*
 * How a text from outside is written: the name of a node or a file, a word of the command line. One place decides for
 * each kind of output, so that no name changes the form of a file or the state of a terminal.
 *
 *   terminal  tables and messages: bytes that are no UTF-8, controls, and what turns the direction of writing become
 *             \xe9 and \u202e. All other characters stay
 *   JSON      a string with its quotes. Controls are escaped as JSON does it; a byte that is no UTF-8 becomes the text
 *             \xe9
 *   CSV       a field of RFC 4180: in quotes if it holds separators or quotes. What a spreadsheet would run as a
 *             formula (it begins with = + - @, a tab or CR, and is no number, nor signs alone) gets an apostrophe
 *             before it. Its bytes stay, unless the stream is a terminal
 *   XML       contents of an element, or an attribute in double quotes, in SVG or HTML; else as on a terminal
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/export.h"

typedef enum np_medium {
    NP_MEDIUM_TERMINAL,
    NP_MEDIUM_JSON,
    NP_MEDIUM_CSV,
    NP_MEDIUM_CSV_SHOWN, /* CSV on a terminal, whatever the stream is */
    NP_MEDIUM_XML
} np_medium;

/* A failed write shows in the stream's error flag. */
NP_FOR_REPORT void np_written(np_medium medium, const char *text, FILE *stream);

/* For a terminal, into out[room], cut before the character that no longer fits; room > 0. Returns out. */
NP_FOR_REPORT char *np_written_copy(const char *text, char *out, size_t room);

/*
 * The bytes of the character of UTF-8 at `text`, which ends with a zero byte, and its number; 0: it is none. *plain: it
 * may be written to a terminal as it is.
 */
NP_FOR_REPORT size_t np_written_next(const char *text, uint32_t *code, bool *plain);

/* May all of it be written to a terminal as it is? */
bool np_written_plain(const char *text);

/*
 * The text with each of the characters replaced by what `with` says; other bytes as they are. The last has no `with`.
 */
typedef struct np_escape {
    char character;
    const char *with;
} np_escape;
void np_put_escaped(FILE *stream, const char *text, const np_escape *escapes);
void np_put_quoted(FILE *stream, const char *text, const np_escape *escapes); /* in double quotes */
