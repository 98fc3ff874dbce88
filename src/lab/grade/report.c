/* What came of a class: a table with a line for each program (of one program its runs too), JSON and CSV. */
#include <string.h>

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

static np_status put_programs(const np_grade_task *task, const json_t *programs, FILE *stream)
{
    static const char *const titles[] = {"program", "verdict", "right", "first problem"};
    np_table table;
    np_table_begin(&table, "llll", titles);
    for (size_t i = 0; i < json_array_size(programs); i++) {
        const json_t *program = json_array_get(programs, i);
        np_table_add(&table, "%s", text_of(program, "program"));
        np_table_add(&table, "%s", text_of(program, "verdict"));
        np_table_add(&table, "%zu/%zu", count_right(program), task->cases);
        np_table_add(&table, "%s", text_of(program, "message"));
    }
    return np_table_end(&table, stream);
}

/* A whole number of a run. `none`: that of a run that does not have it. */
static void add_whole(np_table *table, const json_t *run, const char *key, const char *none)
{
    if (json_object_get(run, key))
        np_table_add(table, "%" JSON_INTEGER_FORMAT, whole_of(run, key));
    else
        np_table_add(table, "%s", none);
}

static void add_run(const np_grade_task *task, const json_t *run, np_table *table)
{
    np_table_add(table, "  %s", text_of(run, "input"));
    add_whole(table, run, "n", "-");
    np_table_add(table, "%s", text_of(run, "outcome"));
    add_whole(table, run, "steps", "");
    add_whole(table, run, "work", "");
    add_whole(table, run, "processors", "");
    for (size_t i = 0; i < task->bounds; i++) {
        const json_t *bound = json_array_get(json_object_get(run, "bounds"), i);
        const char *over = json_is_false(json_object_get(bound, "holds")) ? " !" : "";
        if (bound)
            np_table_add(table, "%" JSON_INTEGER_FORMAT "/%s%s", whole_of(bound, "value"), text_of(bound, "at_most"),
                         over);
        else
            np_table_add(table, "%s", "");
    }
}

/* Its runs: T, W and processors, and each bound as value/most. */
static np_status put_runs(const np_grade_task *task, const json_t *runs, FILE *stream)
{
    static const char *const titles[] = {"  input", "n", "outcome", "T", "W", "processors"};
    enum { OWN = sizeof titles / sizeof *titles };
    char align[OWN + NP_GRADE_BOUNDS + 1] = "lrlrrr";
    np_table table;
    memset(align + OWN, 'l', task->bounds);
    np_table_init(&table, align);
    for (size_t i = 0; i < table.columns; i++)
        np_table_add(&table, "%s", i < OWN ? titles[i] : task->bound[i - OWN].text);
    for (size_t i = 0; i < json_array_size(runs); i++)
        add_run(task, json_array_get(runs, i), &table);
    return np_table_end(&table, stream);
}

/* Why it is not right: its message, and the lines that violate the rule. */
static void put_problem(const json_t *run, FILE *stream)
{
    const json_t *lines = json_object_get(run, "violated_lines");
    if (*text_of(run, "message")) {
        fputs("  ", stream);
        np_written(NP_MEDIUM_TERMINAL, text_of(run, "input"), stream);
        fprintf(stream, ", n = %" JSON_INTEGER_FORMAT ": ", whole_of(run, "n"));
        np_written(NP_MEDIUM_TERMINAL, text_of(run, "message"), stream);
        fputc('\n', stream);
    }
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

static np_status put_table(const np_grade_task *task, const json_t *programs, FILE *stream)
{
    size_t right = 0;
    for (size_t i = 0; i < json_array_size(programs); i++)
        right += !strcmp(text_of(json_array_get(programs, i), "verdict"), "right");
    np_written(NP_MEDIUM_TERMINAL, task->title, stream);
    fprintf(stream, ", rule %s: %zu of %zu right\n\n", np_access_rule_name(task->rule), right,
            json_array_size(programs));
    np_status st = put_programs(task, programs, stream);
    const json_t *runs = json_object_get(json_array_get(programs, 0), "runs");
    if (st || json_array_size(programs) != 1 || !json_array_size(runs))
        return st;
    fputc('\n', stream);
    st = put_runs(task, runs, stream);
    if (strcmp(text_of(json_array_get(programs, 0), "verdict"), "right") != 0)
        fputc('\n', stream);
    for (size_t i = 0; i < json_array_size(runs); i++)
        put_problem(json_array_get(runs, i), stream);
    return st;
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
    const np_status st = options->format == NP_REPORT_TABLE ? put_table(task, programs, stream) : NP_OK;
    if (st)
        return st;
    return ferror(stream) ? NP_RAISE(NP_ERROR_IO, "cannot write the report") : NP_OK;
}
