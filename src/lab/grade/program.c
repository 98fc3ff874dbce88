/*
 * Grades one program: it runs on each case, by the task's rule and limits, and its outputs are held to what is right.
 * All runs are made, whatever came of those before; each is written as it ends, so that it is known if a later one ends
 * the process.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/decimal.h"
#include "lab/grade/parts.h"
#include "machine/script/script.h"
#include "show/table/json.h"

enum { SHOWN = 3, LISTED = 200 }; /* violated lines of a run; bytes of a list of inputs (ours) */

/* A run of a program on a case. */
typedef struct trial {
    const np_grade_task *task;
    const np_grade_case *item;
    const np_script *script;
    np_script_result *result;
    uint64_t steps, shared_steps; /* T_p */
    uint64_t widest;              /* most processors that were active at once */
    const char *outcome;
    char message[NP_GRADE_MESSAGE];
    json_t *json;
} trial;

static void say(trial *t, const char *outcome, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(trial *t, const char *outcome, const char *format, ...)
{
    va_list arguments;
    t->outcome = outcome;
    va_start(arguments, format);
    vsnprintf(t->message, sizeof t->message, format, arguments);
    va_end(arguments);
}

static int on_step(void *context, const np_pram_seen *seen)
{
    trial *t = context;
    const np_pram_step *step = seen->access;
    uint64_t active = 0;
    for (size_t i = 0; i < step->count; i++)
        active += !step->active || step->active[i];
    t->shared_steps += (active + t->item->p - 1) / t->item->p;
    t->widest = active > t->widest ? active : t->widest;
    return ++t->steps > t->task->steps;
}

/* ---- Is it right? ---- */

static bool is_near(const np_grade_task *task, double got, double want)
{
    if (isnan(got) || isnan(want) || isinf(got) || isinf(want))
        return (isnan(got) && isnan(want)) || got == want;
    return fabs(got - want) <= task->tolerance * fmax(1, fabs(want));
}

static double as_real(const char *type, np_word word) { return *type == 'r' ? np_real_of_word(word) : (double)word; }

static bool is_same(const np_grade_task *task, const char *type, np_word got, const char *other, np_word want)
{
    if (*type != 'r' && *other != 'r')
        return got == want;
    return is_near(task, as_real(type, got), as_real(other, want));
}

static void say_cell(trial *t, const np_script_output *output, size_t at, const char *want)
{
    char cell[NP_SCRIPT_CELL], got[32];
    np_script_output_cell(output, at, cell);
    np_script_word(output->type, output->word[at], got);
    say(t, "wrong", "%.120s is %s, and not %.40s", cell, got, want);
}

/* Against the outputs of the oracle, one after the other. */
static void compare_outputs(trial *t)
{
    const np_script_result *got = t->result, *want = t->item->expected;
    if (got->outputs != want->outputs) {
        say(t, "wrong", "it has %zu output%s, and the task wants %zu", got->outputs, got->outputs == 1 ? "" : "s",
            want->outputs);
        return;
    }
    for (size_t i = 0; i < got->outputs; i++) {
        const np_script_output *a = &got->output[i], *b = &want->output[i];
        char word[32];
        if ((*a->type == 'b') != (*b->type == 'b')) {
            say(t, "wrong", "%.60s is of type %s, and not %s", a->name, a->type, b->type);
            return;
        }
        if (a->count != b->count) {
            say(t, "wrong", "%.60s has %zu cell%s, and not %zu", a->name, a->count, a->count == 1 ? "" : "s", b->count);
            return;
        }
        for (size_t k = 0; k < a->count; k++)
            if (!is_same(t->task, a->type, a->word[k], b->type, b->word[k])) {
                np_script_word(b->type, b->word[k], word);
                say_cell(t, a, k, word);
                return;
            }
    }
}

/* A whole number without a point or an exponent. */
static bool is_digits(const char *word)
{
    word += *word == '-';
    return *word && !word[strspn(word, "0123456789")];
}

/* A word that a command has written: 66, 66.0 and 6.6e1 are one number. Whole ones are compared digit by digit. */
static bool is_word(const np_grade_task *task, const np_script_output *output, np_word got, const char *want)
{
    char text[32];
    double number;
    np_script_word(output->type, got, text);
    if (!strcmp(text, want))
        return true;
    const bool truth = !strcmp(want, "true") || !strcmp(want, "false");
    if (!np_grade_number(want, &number) || (truth && *output->type != 'b'))
        return false;
    if (*output->type == 'b')
        return (double)got == number;
    if (*output->type == 'i' && is_digits(want)) {
        const bool minus = *want == '-';
        const char *digits = want + minus + strspn(want + minus, "0");
        return *digits ? (*text == '-') == minus && !strcmp(text + minus, digits) : !got;
    }
    return is_near(task, as_real(output->type, got), number);
}

static void compare_words(trial *t)
{
    const np_script_result *got = t->result;
    size_t at = 0, all = 0;
    for (size_t i = 0; i < got->outputs; i++)
        all += got->output[i].count;
    if (all != t->item->words) {
        say(t, "wrong", "its outputs have %zu cell%s, and the task wants %zu", all, all == 1 ? "" : "s",
            t->item->words);
        return;
    }
    for (size_t i = 0; i < got->outputs; i++)
        for (size_t k = 0; k < got->output[i].count; k++, at++)
            if (!is_word(t->task, &got->output[i], got->output[i].word[k], t->item->word[at])) {
                say_cell(t, &got->output[i], k, t->item->word[at]);
                return;
            }
}

static void judge(trial *t)
{
    if (t->task->oracle == NP_GRADE_COMMAND)
        compare_words(t);
    else if (t->task->oracle != NP_GRADE_JUDGE)
        compare_outputs(t);
    else if (!t->result->correct)
        say(t, "wrong", "%.300s", t->result->wrong);
}

/* ---- Violations and bounds ---- */

/* The first violation that a line has made; NULL: it is not kept. */
static const np_violation *violation_of(const np_pram_report *report, const char *label)
{
    for (size_t i = 0; i < report->kept; i++)
        if (!strncmp(report->violation[i].label, label, strlen(label)))
            return &report->violation[i];
    return NULL;
}

static json_t *violated_line(const trial *t, const np_script_line_cost *cost)
{
    uint32_t local;
    char label[128], cell[160] = "";
    const char *file = np_script_file_get(t->script, cost->line, &local), *where = "";
    json_t *json = json_object();
    snprintf(label, sizeof label, "%.60s%s%u: ", file, *file ? ":" : "", local);
    const np_violation *v = violation_of(&t->result->report, label);
    if (v) {
        snprintf(cell, sizeof cell, "%.100s[%llu]", v->array, (unsigned long long)v->offset);
        where = v->where;
    }
    np_json_set(&json, "file", np_json_text(file));
    np_json_set(&json, "line", json_integer(local));
    np_json_set(&json, "text", np_json_text(cost->source));
    np_json_set(&json, "violations", json_integer((json_int_t)cost->violations));
    np_json_set(&json, "cell", np_json_text(cell));
    np_json_set(&json, "where", np_json_text(where));
    return json;
}

static void keep_violations(trial *t)
{
    const np_script_result *result = t->result;
    json_t *lines = json_array();
    const char *first = NULL;
    uint32_t line = 0;
    for (size_t i = 0; i < result->lines; i++) {
        if (!result->line[i].violations)
            continue;
        if (!first)
            first = np_script_file_get(t->script, result->line[i].line, &line);
        if (json_array_size(lines) < SHOWN)
            np_json_append(&lines, violated_line(t, &result->line[i]));
    }
    if (first && !strcmp(t->outcome, "right"))
        say(t, "violates", "line %u%s%.60s violates %s", line, *first ? " of " : "", first,
            np_access_rule_name(t->task->rule));
    np_json_set(&t->json, "violations", json_integer((json_int_t)result->report.violations));
    np_json_set(&t->json, "violated_lines", lines);
}

static uint64_t measure(const trial *t, np_grade_measure measure)
{
    const uint64_t value[] = {[NP_GRADE_T] = t->result->report.steps,
                              [NP_GRADE_W] = t->result->report.work,
                              [NP_GRADE_T_P] = t->shared_steps,
                              [NP_GRADE_PROCESSORS] = t->widest};
    return value[measure];
}

static void keep_bounds(trial *t)
{
    json_t *bounds = json_array();
    for (size_t i = 0; i < t->task->bounds; i++) {
        const np_grade_bound *bound = &t->task->bound[i];
        const uint64_t value = measure(t, bound->measure);
        const double most = floor(t->item->most[i]);
        const bool holds = (double)value <= most;
        char text[32];
        np_decimal_write(most, text);
        if (!holds && !strcmp(t->outcome, "right"))
            say(t, "over", "%s = %llu, and %.200s allows %s", np_grade_measure_names[bound->measure],
                (unsigned long long)value, bound->text, text);
        json_t *json = json_object();
        np_json_set(&json, "bound", np_json_text(bound->text));
        np_json_set(&json, "value", json_integer((json_int_t)value));
        np_json_set(&json, "most", isfinite(most) ? json_real(t->item->most[i]) : json_null());
        np_json_set(&json, "at_most", json_string(text));
        np_json_set(&json, "holds", json_boolean(holds));
        np_json_append(&bounds, json);
    }
    np_json_set(&t->json, "bounds", bounds);
}

static void keep_measures(trial *t)
{
    const np_pram_report *report = &t->result->report;
    np_json_set(&t->json, "steps", json_integer((json_int_t)report->steps));
    np_json_set(&t->json, "work", json_integer((json_int_t)report->work));
    np_json_set(&t->json, "processors", json_integer((json_int_t)t->widest));
    if (t->task->share) {
        np_json_set(&t->json, "p", json_integer((json_int_t)t->item->p));
        np_json_set(&t->json, "steps_by_p", json_integer((json_int_t)t->shared_steps));
    }
}

/* ---- A run ---- */

static void run_program(trial *t, np_script_data *data)
{
    np_pram_options pram;
    np_script_options options;
    np_script_problem problem = {0};
    np_grade_options(t->task, t->item, &pram, &options);
    pram.on_step = on_step;
    pram.on_step_context = t;
    pram.violations_max = 64;
    options.data = data;
    options.program.memory_limit = t->task->memory;
    options.solves = t->task->oracle == NP_GRADE_JUDGE ? t->task->answer : NULL;
    const np_status st = np_script_run(t->script, &pram, &options, &problem, &t->result);
    if (st == NP_ERROR_CANCELLED)
        say(t, "stopped", "more than %llu PRAM steps", (unsigned long long)t->task->steps);
    else if (st)
        say(t, st == NP_ERROR_LIMIT || st == NP_ERROR_MEMORY ? "stopped" : "fails", "%.300s", np_last_error());
    if (st)
        np_json_set(&t->json, "line", json_integer(problem.line));
}

static json_t *run_case(const np_grade_task *task, const np_grade_case *item, const np_script *script)
{
    trial t = {.task = task, .item = item, .script = script, .outcome = "right", .json = json_object()};
    np_script_data data[NP_GRADE_INPUTS];
    for (size_t i = 0; i < item->inputs; i++) {
        data[i] = item->data[i];
        data[i].input = np_script_input_get(script, i).name;
    }
    np_json_set(&t.json, "case", json_integer(item - task->item));
    np_json_set(&t.json, "input", np_json_text(item->name));
    np_json_set(&t.json, "hidden", json_integer(item->hidden));
    np_json_set(&t.json, "n", json_integer((json_int_t)item->n));
    np_json_set(&t.json, "seed", item->drawn ? json_integer((json_int_t)item->seed) : json_null());
    run_program(&t, data);
    if (t.result) {
        judge(&t);
        keep_measures(&t);
        keep_violations(&t);
        keep_bounds(&t);
    }
    np_json_set(&t.json, "outcome", json_string(t.outcome));
    np_json_set(&t.json, "message", np_json_text(t.message));
    np_script_result_free(t.result);
    return t.json;
}

/* ---- A program ---- */

/* "input x : array of int; input G : graph of int"; of many inputs the first, and then "; ...". */
static const char *inputs_of(const np_script *takes, char text[LISTED])
{
    static const char more[] = "; ...";
    const size_t count = np_script_inputs(takes);
    size_t length = 0;
    *text = '\0';
    for (size_t i = 0; i < count; i++) {
        const np_script_input input = np_script_input_get(takes, i);
        const size_t end = length + (size_t)snprintf(text + length, LISTED - length, "%sinput %s : %s of %s",
                                                     i ? "; " : "", input.name, input.kind, input.type);
        if (end + (i + 1 < count ? sizeof more : 1) > LISTED) {
            snprintf(text + length, LISTED - length, "%s", i ? more : more + 2);
            break;
        }
        length = end;
    }
    return text;
}

bool np_grade_reads_other(const np_grade_task *task, const np_script *script, char message[NP_GRADE_MESSAGE])
{
    const size_t count = np_script_inputs(script), wanted = np_script_inputs(task->takes);
    char words[LISTED];
    if (count != wanted) {
        snprintf(message, NP_GRADE_MESSAGE, "it has %zu input%s, and the task has %zu: %s", count,
                 count == 1 ? "" : "s", wanted, inputs_of(task->takes, words));
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        const np_script_input got = np_script_input_get(script, i), want = np_script_input_get(task->takes, i);
        const bool truths = !strcmp(want.type, "bool") && !strcmp(got.type, "int"); /* 0 and 1 */
        if (!strcmp(got.kind, want.kind) && (truths || !strcmp(got.type, want.type)))
            continue;
        snprintf(message, NP_GRADE_MESSAGE, "its input %.60s is %s of %s, and the task has %s of %s", got.name,
                 got.kind, got.type, want.kind, want.type);
        return true;
    }
    return false;
}

/* A line. */
static void put(json_t *json, FILE *stream)
{
    if (json) {
        np_json_dump(json, JSON_COMPACT, stream);
        fputc('\n', stream);
        fflush(stream);
    }
    json_decref(json);
}

static void refuse(const char *message, FILE *stream)
{
    json_t *json = json_object();
    np_json_set(&json, "refused", np_json_text(message));
    put(json, stream);
}

void np_grade_program(const np_grade_task *task, const char *path, FILE *stream)
{
    np_script *script;
    char message[NP_GRADE_MESSAGE];
    struct stat about;
    if (!strcmp(path, "-") || (!stat(path, &about) && !S_ISREG(about.st_mode))) { /* a pipe or a device may never end */
        refuse("a program to grade is a plain file", stream);
        return;
    }
    if (np_script_read_from(path, &task->imports, NULL, &script)) {
        refuse(np_last_error(), stream);
        return;
    }
    if (np_grade_reads_other(task, script, message))
        refuse(message, stream);
    else
        for (size_t i = 0; i < task->cases; i++)
            put(run_case(task, np_grade_turn(task, i), script), stream);
    np_script_free(script);
}
