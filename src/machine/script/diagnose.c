/* Messages about the text of a program. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "machine/script/diagnose.h"

static np_status find_lines(np_source *file, np_pool *pool)
{
    const char *at = file->text, *end = file->text + file->length;
    file->lines = 1;
    for (const char *p = at; p < end; p++)
        file->lines += *p == '\n';
    np_status st = np_pool_take(pool, &file->line, (file->lines + 1) * sizeof *file->line);
    if (st)
        return st;
    for (uint32_t i = 0; i < file->lines; i++) {
        file->line[i] = at;
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = (feed ? feed : end) + 1;
    }
    file->line[file->lines] = at;
    return NP_OK;
}

np_status np_script_add_file(np_syntax *syntax, np_pool *pool, const np_source *source)
{
    np_status st = np_pool_room(pool, &syntax->file, syntax->files, sizeof *syntax->file);
    if (st)
        return st;
    np_source *file = &syntax->file[syntax->files];
    *file = *source;
    const size_t mark = np_text_mark(file->text, file->length);
    file->text += mark;
    file->length -= mark;
    file->before = syntax->lines;
    if ((st = find_lines(file, pool)))
        return st;
    syntax->files++;
    syntax->lines += file->lines;
    return NP_OK;
}

const np_source *np_script_file_of(const np_syntax *syntax, uint32_t line)
{
    const np_source *file = &syntax->file[syntax->files - 1];
    while (file > syntax->file && line <= file->before)
        file--;
    return file;
}

np_line_name np_script_line_name(const np_syntax *syntax, uint32_t line)
{
    const np_source *file = np_script_file_of(syntax, line);
    np_line_name name;
    snprintf(name.text, sizeof name.text, "line %" PRIu32 "%s%.60s", line - file->before, *file->name ? " of " : "",
             file->name);
    return name;
}

const char *np_script_whole_line(const np_syntax *syntax, uint32_t line, size_t *length)
{
    if (!line || line > syntax->lines) {
        *length = 0;
        return "";
    }
    const np_source *file = np_script_file_of(syntax, line);
    line -= file->before;
    *length = (size_t)(file->line[line] - file->line[line - 1]) - 1;
    return file->line[line - 1];
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
    const np_source *file = np_script_file_of(syntax, place.line);
    *problem = (np_script_problem){.line = place.line - file->before, .column = place.column};
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)at[i];
        problem->source[i] = c == '\t' || c == '\r' ? ' ' : c < ' ' || c == 127 ? '?' : (char)c;
    }
    snprintf(problem->message, sizeof problem->message, "%.60s%s%.250s", file->name, *file->name ? ": " : "", what);
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
    const np_source *file = np_script_file_of(syntax, place.line);
    return NP_RAISE(status, "%.200s:%" PRIu32 ":%" PRIu32 ": %s", file->path, place.line - file->before, place.column,
                    what);
}
