/* A page for one student: the verdict, and T and W beside the bounds for each input that is not hidden. No script. */
#include <string.h>

#include "base/written.h"
#include "lab/grade/parts.h"

static void put(const char *text, FILE *stream) { np_written(NP_MEDIUM_XML, text ? text : "", stream); }

static void put_between(const char *before, const json_t *object, const char *key, const char *after, FILE *stream)
{
    fputs(before, stream);
    put(json_string_value(json_object_get(object, key)), stream);
    fputs(after, stream);
}

static void put_whole(const json_t *object, const char *key, FILE *stream)
{
    const json_t *value = json_object_get(object, key);
    if (value)
        fprintf(stream, "<td>%" JSON_INTEGER_FORMAT "</td>", json_integer_value(value));
    else
        fputs("<td>-</td>", stream);
}

static void put_head(const np_grade_task *task, const json_t *program, FILE *stream)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", stream);
    put(task->title, stream);
    fputs("</title>\n<style>body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
          "table{border-collapse:collapse}td,th{padding:.2em .8em;border:1px solid;text-align:right}"
          "td:first-child,th:first-child,.words{text-align:left}</style></head>\n<body><h1>",
          stream);
    put(task->title, stream);
    put_between("</h1>\n<p>", program, "program", ": <strong>", stream);
    put_between("", program, "verdict", "</strong></p>\n<p>", stream);
    put_between("", program, "message", "</p>\n", stream);
}

static void put_titles(const np_grade_task *task, FILE *stream)
{
    fputs("<table><tr><th>input</th><th>n</th><th class=\"words\">outcome</th><th>T</th><th>W</th><th>processors</th>",
          stream);
    for (size_t i = 0; i < task->bounds; i++) {
        fputs("<th>", stream);
        put(task->bound[i].text, stream);
        fputs("</th>", stream);
    }
    fputs("</tr>\n", stream);
}

static void put_bounds(const np_grade_task *task, const json_t *run, FILE *stream)
{
    for (size_t i = 0; i < task->bounds; i++) {
        const json_t *bound = json_array_get(json_object_get(run, "bounds"), i);
        if (!bound) {
            fputs("<td>-</td>", stream);
            continue;
        }
        const bool holds = json_is_true(json_object_get(bound, "holds"));
        fprintf(stream, "<td>%s%" JSON_INTEGER_FORMAT " of %s%s</td>", holds ? "" : "<strong>",
                json_integer_value(json_object_get(bound, "value")),
                json_string_value(json_object_get(bound, "at_most")), holds ? "" : "</strong>");
    }
}

static void put_violations(const json_t *run, FILE *stream)
{
    const json_t *lines = json_object_get(run, "violated_lines");
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);
        fprintf(stream, "<li>line %" JSON_INTEGER_FORMAT ", %" JSON_INTEGER_FORMAT " violations: <code>",
                json_integer_value(json_object_get(line, "line")),
                json_integer_value(json_object_get(line, "violations")));
        put_between("", line, "text", "</code>, ", stream);
        put_between("", line, "cell", " ", stream);
        put_between("", line, "where", "</li>\n", stream);
    }
}

static void put_run(const np_grade_task *task, const json_t *run, FILE *stream)
{
    put_between("<tr><td>", run, "input", "</td>", stream);
    put_whole(run, "n", stream);
    put_between("<td class=\"words\">", run, "outcome", "</td>", stream);
    put_whole(run, "steps", stream);
    put_whole(run, "work", stream);
    put_whole(run, "processors", stream);
    put_bounds(task, run, stream);
    fputs("</tr>\n", stream);
}

void np_grade_page(const np_grade_task *task, const json_t *program, FILE *stream)
{
    const json_t *runs = json_object_get(program, "runs");
    put_head(task, program, stream);
    if (json_array_size(runs)) {
        put_titles(task, stream);
        for (size_t i = 0; i < json_array_size(runs); i++)
            put_run(task, json_array_get(runs, i), stream);
        fputs("</table>\n<ul>\n", stream);
        for (size_t i = 0; i < json_array_size(runs); i++)
            put_violations(json_array_get(runs, i), stream);
        fputs("</ul>\n", stream);
    }
    fputs("</body></html>\n", stream);
}
