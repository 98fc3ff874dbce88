/* Messages about the text of a program. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "machine/script/diagnose.h"

np_status np_script_find_lines(np_syntax *syntax, np_pool *pool)
{
    const char *at = syntax->text, *end = syntax->text + syntax->length;
    syntax->lines = 1;
    for (const char *p = at; p < end; p++)
        syntax->lines += *p == '\n';
    np_status st = np_pool_take(pool, &syntax->line, (syntax->lines + 1) * sizeof *syntax->line);
    if (st)
        return st;
    for (uint32_t i = 0; i < syntax->lines; i++) {
        syntax->line[i] = at;
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = (feed ? feed : end) + 1;
    }
    syntax->line[syntax->lines] = at;
    return NP_OK;
}

const char *np_script_whole_line(const np_syntax *syntax, uint32_t line, size_t *length)
{
    if (!line || line > syntax->lines) {
        *length = 0;
        return "";
    }
    *length = (size_t)(syntax->line[line] - syntax->line[line - 1]) - 1;
    return syntax->line[line - 1];
}

const char *np_script_between(const np_syntax *syntax, np_place from, np_place end, size_t *length)
{
    const char *at = np_script_whole_line(syntax, from.line, length) + from.column - 1;
    *length -= from.column - 1;
    if (end.line == from.line && end.column - from.column < *length)
        *length = end.column - from.column;
    return at;
}

const char *np_script_line(const np_syntax *syntax, uint32_t line, size_t *length)
{
    const char *at = np_script_whole_line(syntax, line, length);
    for (; *length && np_text_is_blank(*at); at++)
        --*length;
    while (*length && np_text_is_blank(at[*length - 1]))
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
