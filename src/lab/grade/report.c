/* What came of a class: a table with a line for each program (of one program its runs too), JSON and CSV. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/written.h"
#include "lab/grade/parts.h"
#include "show/table/json.h"
#include "show/table/table.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static json_int_t whole_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* How many runs were right; how many there were to be. */
static size_t count_right(const json_t *program)
{
    const json_t *runs = json_object_get(program, "runs");
    size_t right = 0;
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const char *outcome = text_of(json_array_get(runs, i), "outcome");
        right += !strcmp(outcome, "right") || !strcmp(outcome, "passed");
    }
    return right;
}

/* ---- Table ---- */

/* As it is shown, escapes and all; freed with np_memory_free. NULL: no memory. */
static char *shown_of(const char *text)
{
    const size_t room = 6 * strlen(text) + 1; /* a byte becomes six at most, \u001b */
    char *shown;
    return np_memory_array(&shown, room, 1, "a name") ? NULL : np_written_copy(text, shown, room);
}

static int shown_width(const char *text)
{
    char *shown = shown_of(text);
    const int width = shown ? (int)np_table_width(shown, strlen(shown)) : 0;
    np_memory_free(shown);
    return width;
}

static void put(const char *text, int width, FILE *stream)
{
    const int own = shown_width(text);
    np_written(NP_MEDIUM_TERMINAL, text, stream);
    fprintf(stream, "%*s", width > own ? width - own : 0, "");
}

static void put_program(const json_t *program, size_t cases, int width, FILE *stream)
{
    char right[32];
    snprintf(right, sizeof right, "%zu/%zu", count_right(program), cases);
    put(text_of(program, "program"), width + 2, stream);
    put(text_of(program, "verdict"), 10, stream);
    put(right, 8, stream);
    np_written(NP_MEDIUM_TERMINAL, text_of(program, "message"), stream);
    fputc('\n', stream);
}

static void put_violations(const json_t *run, FILE *stream)
{
    const json_t *lines = json_object_get(run, "violated_lines");
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);
        const char *where = text_of(line, "where");
        fprintf(stream,
                "    line %" JSON_INTEGER_FORMAT ", %" JSON_INTEGER_FORMAT " violations: ", whole_of(line, "line"),
                whole_of(line, "violations"));
        np_written(NP_MEDIUM_TERMINAL, text_of(line, "text"), stream);
        fprintf(stream, "\n      %s%s", text_of(line, "cell"), *where ? ": " : "");
        np_written(NP_MEDIUM_TERMINAL, where, stream);
        fputc('\n', stream);
    }
}

static void put_bounds(const json_t *run, FILE *stream)
{
    const json_t *bounds = json_object_get(run, "bounds");
    for (size_t i = 0; i < json_array_size(bounds); i++) {
        const json_t *bound = json_array_get(bounds, i);
        fprintf(stream, "%s  ", json_is_true(json_object_get(bound, "holds")) ? "" : " !");
        fprintf(stream, "%" JSON_INTEGER_FORMAT "/%s", whole_of(bound, "value"), text_of(bound, "at_most"));
    }
}

/* Its runs: T, W and processors, and each bound as value/most. */
static void put_runs(const np_grade_task *task, const json_t *program, FILE *stream)
{
    const json_t *runs = json_object_get(program, "runs");
    fprintf(stream, "\n  %-20s %8s  %-9s %8s %10s %10s", "input", "n", "outcome", "T", "W", "processors");
    for (size_t i = 0; i < task->bounds; i++)
        fprintf(stream, "  %s", task->bound[i].text);
    fputc('\n', stream);
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *run = json_array_get(runs, i);
        fputs("  ", stream);
        put(text_of(run, "input"), 21, stream);
        if (json_object_get(run, "n"))
            fprintf(stream, "%8" JSON_INTEGER_FORMAT "  ", whole_of(run, "n"));
        else
            fprintf(stream, "%8s  ", "-");
        put(text_of(run, "outcome"), 9, stream);
        if (json_object_get(run, "steps")) {
            fprintf(stream, " %8" JSON_INTEGER_FORMAT " %10" JSON_INTEGER_FORMAT " %10" JSON_INTEGER_FORMAT,
                    whole_of(run, "steps"), whole_of(run, "work"), whole_of(run, "processors"));
            put_bounds(run, stream);
        }
        fputc('\n', stream);
        if (*text_of(run, "message")) {
            fputs("    ", stream);
            np_written(NP_MEDIUM_TERMINAL, text_of(run, "message"), stream);
            fputc('\n', stream);
        }
        put_violations(run, stream);
    }
}

static void put_table(const np_grade_task *task, const json_t *programs, FILE *stream)
{
    int width = 7;
    size_t right = 0;
    for (size_t i = 0; i < json_array_size(programs); i++) {
        const json_t *program = json_array_get(programs, i);
        const int own = shown_width(text_of(program, "program"));
        width = own > width ? own : width;
        right += !strcmp(text_of(program, "verdict"), "right");
    }
    np_written(NP_MEDIUM_TERMINAL, task->title, stream);
    fprintf(stream, ", rule %s: %zu of %zu right\n\n", np_access_rule_name(task->rule), right,
            json_array_size(programs));
    fprintf(stream, "%-*s%-10s%-8s%s\n", width + 2, "program", "verdict", "right", "first problem");
    for (size_t i = 0; i < json_array_size(programs); i++)
        put_program(json_array_get(programs, i), task->cases, width, stream);
    if (json_array_size(programs) == 1)
        put_runs(task, json_array_get(programs, 0), stream);
}

/* ---- CSV and JSON ---- */

static size_t count_over(const json_t *program)
{
    const json_t *runs = json_object_get(program, "runs");
    size_t over = 0;
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *bounds = json_object_get(json_array_get(runs, i), "bounds");
        for (size_t k = 0; k < json_array_size(bounds); k++)
            over += json_is_false(json_object_get(json_array_get(bounds, k), "holds"));
    }
    return over;
}

static json_int_t count_violations(const json_t *program)
{
    const json_t *runs = json_object_get(program, "runs");
    json_int_t all = 0;
    for (size_t i = 0; i < json_array_size(runs); i++)
        all += whole_of(json_array_get(runs, i), "violations");
    return all;
}

static void put_csv(const np_grade_task *task, const json_t *programs, FILE *stream)
{
    fputs("program,verdict,right,inputs,violations,bounds_over,message\n", stream);
    for (size_t i = 0; i < json_array_size(programs); i++) {
        const json_t *program = json_array_get(programs, i);
        np_written(NP_MEDIUM_CSV, text_of(program, "program"), stream);
        fprintf(stream, ",%s,%zu,%zu,%" JSON_INTEGER_FORMAT ",%zu,", text_of(program, "verdict"), count_right(program),
                task->cases, count_violations(program), count_over(program));
        np_written(NP_MEDIUM_CSV, text_of(program, "message"), stream);
        fputc('\n', stream);
    }
}

static np_status put_json(const np_grade_task *task, json_t *programs, const char *command, FILE *stream)
{
    json_t *root = np_json_head(command);
    np_json_set(&root, "task", np_json_text(task->title));
    np_json_set(&root, "rule", json_string(np_access_rule_name(task->rule)));
    np_json_set(&root, "inputs", json_integer((json_int_t)task->cases));
    np_json_set(&root, "programs", json_incref(programs));
    return np_json_print(root, 2, stream);
}

np_status np_grade_report(const np_grade_task *task, json_t *programs, const np_report_options *options, FILE *stream)
{
    if (options->format == NP_REPORT_JSON)
        return put_json(task, programs, options->command, stream);
    if (options->format == NP_REPORT_CSV)
        put_csv(task, programs, stream);
    else
        put_table(task, programs, stream);
    return ferror(stream) ? NP_RAISE(NP_ERROR_IO, "cannot write the report") : NP_OK;
}
