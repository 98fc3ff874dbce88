/*
 * What came of a program, from the lines that its process has written: the worst of its runs. And the same without what
 * would tell of hidden inputs: there a hidden run has passed or not, and all else is worked out from that alone, so
 * that neither the kind of a failure nor the order of two tells of the values. Hidden runs come last for the same
 * reason: one that ends the process takes no shown run with it.
 */
#include <stdio.h>
#include <string.h>

#include "lab/grade/parts.h"
#include "show/table/json.h"

enum { MESSAGE = 400 };

const np_grade_case *np_grade_turn(const np_grade_task *task, size_t turn)
{
    for (int hidden = 0; hidden < 2; hidden++)
        for (size_t i = 0; i < task->cases; i++)
            if ((task->item[i].hidden > 0) == hidden && !turn--)
                return &task->item[i];
    return NULL;
}

/* ---- The worst run ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* The worst comes first. A hidden run counts only where all shown ones are right. */
static size_t rank_of(const char *outcome)
{
    static const char *const outcomes[] = {"stopped", "fails", "wrong", "violates", "over", "not passed"};
    size_t i = 0;
    while (i < sizeof outcomes / sizeof *outcomes && strcmp(outcomes[i], outcome) != 0)
        i++;
    return i;
}

static void describe(const json_t *run, char message[MESSAGE])
{
    if (!strcmp(text_of(run, "outcome"), "not passed"))
        snprintf(message, MESSAGE, "on a hidden input");
    else
        snprintf(message, MESSAGE, "%.300s (%.60s: n = %llu)", text_of(run, "message"), text_of(run, "input"),
                 (unsigned long long)json_integer_value(json_object_get(run, "n")));
}

static json_t *end(json_t *json, const char *verdict, const char *message, json_t *runs)
{
    np_json_set(&json, "verdict", json_string(verdict));
    np_json_set(&json, "message", np_json_text(message));
    np_json_set(&json, "runs", runs);
    return json;
}

static json_t *begin(const char *path)
{
    json_t *json = json_object();
    np_json_set(&json, "program", np_json_text(path));
    return json;
}

static json_t *conclude(const char *path, json_t *runs)
{
    const char *worst = "right";
    char message[MESSAGE] = "";
    json_t *json = begin(path);
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *run = json_array_get(runs, i);
        const char *outcome = text_of(run, "outcome");
        if (rank_of(outcome) >= rank_of(worst))
            continue;
        worst = outcome;
        describe(run, message);
        np_json_set(&json, "first", json_integer((json_int_t)i));
    }
    return end(json, strcmp(worst, "not passed") != 0 ? worst : "wrong", message, runs);
}

/* ---- What the process has written ---- */

/* Puts the run of a line into its place. false: the line is none. */
static bool take_line(json_t *made, const char *line, size_t length, json_t **refused)
{
    json_error_t error;
    json_t *said = np_json_load(line, length, 0, &error), *at = json_object_get(said, "case");
    const json_int_t i = json_integer_value(at);
    *refused = json_incref(json_object_get(said, "refused"));
    if (*refused || !at || i < 0 || json_array_set(made, (size_t)i, said)) {
        json_decref(said);
        return *refused;
    }
    json_object_del(said, "case");
    json_decref(said);
    return true;
}

/* The run that ended the process. */
static json_t *stopped_run(const np_grade_case *item, const char *why)
{
    json_t *run = json_object();
    np_json_set(&run, "input", np_json_text(item->name));
    np_json_set(&run, "hidden", json_integer(item->hidden));
    np_json_set(&run, "n", json_integer((json_int_t)item->n));
    np_json_set(&run, "seed", item->drawn ? json_integer((json_int_t)item->seed) : json_null());
    np_json_set(&run, "outcome", json_string("stopped"));
    np_json_set(&run, "message", np_json_text(why));
    return run;
}

/* The runs that were made, as they are or for students. */
static json_t *runs_of(const np_grade_task *task, const json_t *made, bool redact)
{
    json_t *runs = json_array();
    for (size_t i = 0; i < task->cases; i++) {
        json_t *run = json_array_get(made, i);
        if (!task->item[i].hidden || !redact) {
            if (!json_is_null(run))
                np_json_append(&runs, json_incref(run));
            continue;
        }
        const bool passed = !strcmp(text_of(run, "outcome"), "right");
        json_t *told = json_object();
        np_json_set(&told, "input", json_string("hidden"));
        np_json_set(&told, "hidden", json_integer(task->item[i].hidden));
        np_json_set(&told, "outcome", json_string(passed ? "passed" : "not passed"));
        np_json_append(&runs, told);
    }
    return runs;
}

np_status np_grade_collect(const np_grade_task *task, const np_grade_said *said, json_t **all, json_t **redacted)
{
    json_t *made = json_array(), *refused = NULL;
    size_t lines = 0;
    const char *at = said->text, *last;
    *all = *redacted = NULL;
    for (size_t i = 0; i < task->cases; i++)
        np_json_append(&made, json_null());
    for (; !refused && (last = memchr(at, '\n', said->length - (size_t)(at - said->text))); at = last + 1)
        lines += take_line(made, at, (size_t)(last - at), &refused);
    const np_grade_case *next = np_grade_turn(task, lines);
    if (said->why && next && !refused)
        json_array_set_new(made, (size_t)(next - task->item), stopped_run(next, said->why));
    for (int redact = 0; redact < 2; redact++)
        *(redact ? redacted : all) = refused
                                         ? end(begin(said->path), "refused", json_string_value(refused), json_array())
                                         : conclude(said->path, runs_of(task, made, redact));
    json_decref(made);
    const bool whole = refused || said->why || !next;
    json_decref(refused);
    if (!whole)
        return NP_RAISE(NP_ERROR_INTERNAL, "%.100s: runs are missing", said->path);
    return *all && *redacted ? NP_OK : NP_RAISE(NP_ERROR_MEMORY, "no memory for a class");
}
