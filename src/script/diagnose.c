/* Messages about the text of a program. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "script/diagnose.h"

const char *np_script_whole_line(const np_syntax *syntax, uint32_t line, size_t *length)
{
    const char *at = syntax->text, *end = syntax->text + syntax->length;
    for (uint32_t i = 1; i < line && at < end; i++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
    }
    const char *feed = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    *length = (size_t)((feed ? feed : end) - at);
    return at;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

const char *np_script_line(const np_syntax *syntax, uint32_t line, size_t *length)
{
    const char *at = np_script_whole_line(syntax, line, length);
    for (; *length && is_blank(*at); at++)
        --*length;
    while (*length && is_blank(at[*length - 1]))
        --*length;
    return at;
}

/* Copies the line, tabs as blanks and other bytes that are not printed as '?'. */
static void note(const np_syntax *syntax, np_place place, const char *what)
{
    np_script_problem *problem = syntax->problem;
    size_t length, room = sizeof problem->source - 1;
    const char *at = np_script_whole_line(syntax, place.line, &length);
    if (length > room)
        length = room;
    *problem = (np_script_problem){.line = place.line, .column = place.column};
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)at[i];
        problem->source[i] = c == '\t' || c == '\r' ? ' ' : c < ' ' || c == 127 ? '?' : (char)c;
    }
    snprintf(problem->message, sizeof problem->message, "%s", what);
}

np_status np_script_raise(const np_syntax *syntax, np_place place, np_status status, const char *format, ...)
{
    char what[NP_SCRIPT_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (syntax->problem)
        note(syntax, place, what);
    return NP_RAISE(status, "%.200s:%" PRIu32 ":%" PRIu32 ": %s", syntax->path, place.line, place.column, what);
}
