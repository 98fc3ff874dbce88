/*
 * Series of shared memory: one PRAM program. Any of its keys but the program may be a list: then the series has a
 * point for each entry, and lists of one series are equally long and go together. Run r of a point has the
 * experiment's seed + r: `netpram pram` repeats it with that seed. The runs of a point go side by side.
 */
#include <omp.h>
#include <string.h>

#include "base/memory.h"
#include "base/parse.h"
#include "netpram/program.h"
#include "report/csv.h"
#include "report/experiment.h"

typedef struct pram_series {
    const char *program;
    bool ruled;                /* a rule was given: not the program's own */
    const char *list;          /* the first key that is a list; NULL: there is one point */
    np_pram_options *pram;     /* [points] */
    np_program_options *input; /* [points] */
} pram_series;

/* What is measured of one run. */
typedef struct sample {
    np_pram_report report;
    np_pram_memory memory;
    uint64_t size;
    double per_n;             /* network steps of a PRAM step, as a multiple of n */
    double per_request;       /* and for each request of a row of the butterfly, of a processor elsewhere */
    double slack, queue_size; /* as asked for */
} sample;

typedef enum value_type { WHOLE, WHOLE32, REAL } value_type;

/* Names as in docs/json.md. */
typedef struct pram_measure {
    const char *name;
    value_type type;
    size_t offset; /* in a sample */
} pram_measure;

static const pram_measure measures[] = {
    {"steps_per_request", REAL, offsetof(sample, per_request)},
    {"pram_steps", WHOLE, offsetof(sample, report.steps)},
    {"work", WHOLE, offsetof(sample, report.work)},
    {"network_steps.total", WHOLE, offsetof(sample, report.network_steps)},
    {"network_steps.mean", REAL, offsetof(sample, report.per_step.mean)},
    {"network_steps.p99", REAL, offsetof(sample, report.per_step.p99)},
    {"network_steps.max", REAL, offsetof(sample, report.per_step.max)},
    {"network_steps.per_n", REAL, offsetof(sample, per_n)},
    {"network_steps.initialisation", WHOLE, offsetof(sample, report.initialisation_steps)},
    {"network_steps.rehash", WHOLE, offsetof(sample, report.rehash_steps)},
    {"requests", WHOLE, offsetof(sample, report.requests)},
    {"combined", WHOLE, offsetof(sample, report.combined)},
    {"ghosts", WHOLE, offsetof(sample, report.ghosts)},
    {"replies", WHOLE, offsetof(sample, report.replies)},
    {"queue_max", WHOLE32, offsetof(sample, report.queue_max)},
    {"module_load_max", WHOLE, offsetof(sample, report.module_load_max)},
    {"rehashes", WHOLE32, offsetof(sample, report.rehashes)},
    {"row_cells_max", WHOLE, offsetof(sample, report.row_cells_max)},
    {"row_cells_mean", WHOLE, offsetof(sample, report.row_cells_mean)},
    {"violation_count", WHOLE, offsetof(sample, report.violations)},
    {"memory.preliminary.row_max", WHOLE, offsetof(sample, memory.preliminary.row_max)},
    {"memory.improved.row_max", WHOLE, offsetof(sample, memory.improved.row_max)},
    {"memory.improved.row_mean", REAL, offsetof(sample, memory.improved.row_mean)},
    {"memory.theorem4.c", REAL, offsetof(sample, memory.theorem4)},
};

enum { MEASURES = sizeof measures / sizeof *measures };

static const np_experiment_axis axes[] = {
    {"slack", "slack: requests of a processor in a batch"},
    {"queue_size", "messages that a queue holds"},
    {"size", "size of the program's input"},
    {"processors", "processors"},
    {"machine_n", "n of the machine"},
    {NULL, NULL},
};

/* Where each axis is in a sample. */
static const pram_measure axis_values[] = {
    {"slack", REAL, offsetof(sample, slack)},
    {"queue_size", REAL, offsetof(sample, queue_size)},
    {"size", WHOLE, offsetof(sample, size)},
    {"processors", WHOLE32, offsetof(sample, report.processors)},
    {"machine_n", WHOLE32, offsetof(sample, report.n)},
};

enum { AXES = sizeof axis_values / sizeof *axis_values };

_Static_assert(sizeof axes / sizeof *axes == AXES + 1 && (int)AXES <= (int)NP_EXPERIMENT_AXES, "a value for each axis");

static const pram_series *of(const np_series *series) { return series->own; }

static double value_of(const pram_measure *measure, const sample *s)
{
    const void *at = (const char *)s + measure->offset;
    switch (measure->type) {
    case WHOLE:
        return (double)*(const uint64_t *)at;
    case WHOLE32:
        return *(const uint32_t *)at;
    default:
        return *(const double *)at;
    }
}

/* ---- Reading ---- */

static const char *key_name(size_t i)
{
    size_t count = 0;
    if (!i)
        return "program";
    while (np_pram_option_name(count))
        count++;
    return i <= count ? np_pram_option_name(i - 1) : np_program_option_name(i - 1 - count);
}

/* All lists are equally long. */
static np_status count_points(const np_experiment_place *at, json_t *object, np_series *series, pram_series *pram)
{
    series->points = 1;
    for (size_t i = 1; key_name(i); i++) {
        const json_t *list = json_object_get(object, key_name(i));
        char why[120];
        if (!json_is_array(list))
            continue;
        if (!json_array_size(list))
            return np_experiment_refuse(at, key_name(i), "must not be empty");
        if (pram->list && json_array_size(list) != series->points) {
            snprintf(why, sizeof why, "a list beside that of '%s' must be as long: the points go along both",
                     pram->list);
            return np_experiment_refuse(at, key_name(i), why);
        }
        if (!pram->list)
            pram->list = key_name(i);
        series->points = json_array_size(list);
    }
    return NP_OK;
}

/* Text as it stands, for those options that keep it; the JSON owns it. */
static bool keeps_text(const char *key) { return !strcmp(key, "machine") || !strcmp(key, "input"); }

static np_status set_option(const np_experiment_place *at, const char *key, const char *entry, json_t *value,
                            np_pram_options *pram, np_program_options *input)
{
    np_experiment_word word;
    const char *text = word.text;
    np_status st;
    if (keeps_text(key) && !json_is_string(value))
        return np_experiment_refuse_type(at, entry, "a string", value);
    if (keeps_text(key) && !json_string_length(value))
        return np_experiment_refuse(at, entry, "must not be empty");
    if ((st = np_experiment_word_of(at, entry, value, &word)))
        return st;
    if (keeps_text(key))
        text = json_string_value(value);
    for (size_t i = 0; np_pram_option_name(i); i++)
        if (!strcmp(np_pram_option_name(i), key)) {
            st = np_pram_options_set(pram, key, text);
            return st ? np_experiment_prefix(st, at, entry) : NP_OK;
        }
    st = np_program_options_set(input, key, text);
    return st ? np_experiment_prefix(st, at, entry) : NP_OK;
}

static np_status parse_point(const np_experiment_place *at, json_t *object, pram_series *series, size_t point)
{
    np_status st = NP_OK;
    np_pram_options_init(&series->pram[point]);
    np_program_options_init(&series->input[point]);
    for (size_t i = 1; key_name(i) && !st; i++) {
        const char *key = key_name(i);
        json_t *value = json_object_get(object, key);
        char entry[48];
        snprintf(entry, sizeof entry, json_is_array(value) ? "%s[%zu]" : "%s", key, point);
        if (value)
            st = set_option(at, key, entry, json_is_array(value) ? json_array_get(value, point) : value,
                            &series->pram[point], &series->input[point]);
    }
    return st;
}

static np_status parse(const np_experiment_place *at, json_t *object, np_series *series)
{
    static const char *const what = "an experiment";
    pram_series *pram;
    np_status st = np_memory_zeroed(&pram, 1, sizeof *pram, what);
    series->own = pram;
    if (st || (st = np_experiment_text(at, object, "program", true, &pram->program)) ||
        (st = count_points(at, object, series, pram)) ||
        (st = np_memory_zeroed(&pram->pram, series->points, sizeof *pram->pram, what)) ||
        (st = np_memory_zeroed(&pram->input, series->points, sizeof *pram->input, what)))
        return st;
    pram->ruled = json_object_get(object, "rule") != NULL;
    for (size_t i = 0; i < series->points && !st; i++)
        st = parse_point(at, object, pram, i);
    return st;
}

static void destroy(void *own)
{
    pram_series *pram = own;
    if (!pram)
        return;
    np_memory_free(pram->pram);
    np_memory_free(pram->input);
    np_memory_free(pram);
}

static np_status check_measure(const char *y)
{
    const char *names[MEASURES];
    for (size_t i = 0; i < MEASURES; i++) {
        names[i] = measures[i].name;
        if (!strcmp(y, names[i]))
            return NP_OK;
    }
    return NP_RAISE(NP_ERROR_INPUT, "no measure '%.40s' of a program: did you mean '%s'?", y,
                    np_parse_nearest(y, names, MEASURES));
}

/* ---- Checking ---- */

static const char *spec(const np_series *series, size_t number) { return of(series)->pram[number].machine; }

/* The place of a point in the file, before the message of what is wrong with it: of its entry in a list, if there is
 * one. */
static np_status at_point(const np_experiment_job *job, const np_point *point, np_status st)
{
    const char *list = of(&job->experiment->serie[point->series])->list, *source = job->experiment->source;
    if (!list)
        return np_status_prefix(st, "%s: series[%zu]: ", source, point->series);
    return np_status_prefix(st, "%s: series[%zu], with %s[%zu]: ", source, point->series, list, point->number);
}

/* The options of a point; its program exists. */
static np_pram_options options_of(const np_experiment_job *job, const np_point *point)
{
    const pram_series *series = of(&job->experiment->serie[point->series]);
    np_pram_options options = series->pram[point->number];
    const np_program_info *info;
    if (!series->ruled && !np_program_find(series->program, &info))
        options.rule = info->rule;
    options.seed = job->experiment->seed;
    return options;
}

static np_status check(const np_experiment_job *job, np_point *point)
{
    const pram_series *series = of(&job->experiment->serie[point->series]);
    const np_pram_options options = options_of(job, point);
    const np_program_info *info;
    uint64_t size;
    if (np_program_find(series->program, &info))
        return np_status_prefix(NP_ERROR_INPUT, "%s: series[%zu].program: ", job->experiment->source, point->series);
    np_status st = np_program_check(series->program, &options, &series->input[point->number], &size);
    point->work = (double)size + 1;
    return st ? at_point(job, point, st) : NP_OK;
}

/* ---- Running ---- */

/* The runs of one point. */
typedef struct runs {
    const np_experiment_job *job;
    const pram_series *series;
    np_pram_options options;
    const np_program_options *input;
    uint32_t count, done;
    double *value;     /* [measure][run] */
    double axis[AXES]; /* of run 0 */
    np_status status;  /* the first failure in the order of runs */
    uint32_t failed;
    char message[512];
} runs;

static np_status take_sample(const runs *r, const np_program_result *result, sample *out)
{
    const np_pram_report *report = &result->report;
    *out =
        (sample){.report = *report, .size = result->n, .slack = r->options.slack, .queue_size = r->options.queue_size};
    np_status st = np_pram_memory_of(result->pram, &out->memory);
    if (st)
        return st;
    uint64_t rows = out->memory.rows ? out->memory.rows : report->modules;
    if (report->n)
        out->per_n = report->per_step.mean / report->n;
    if (report->requests)
        out->per_request =
            report->per_step.mean * (double)report->per_step.count * (double)rows / (double)report->requests;
    return NP_OK;
}

static void keep_sample(runs *r, uint32_t run, const sample *s)
{
    for (size_t i = 0; i < MEASURES; i++)
        r->value[i * r->count + run] = value_of(&measures[i], s);
    for (size_t i = 0; i < AXES && !run; i++)
        r->axis[i] = value_of(&axis_values[i], s);
}

/* Figures of a run that came to nothing are not worth a place in a plot. */
static np_status run_once(runs *r, uint32_t run)
{
    np_pram_options options = r->options;
    np_program_result *result;
    sample s;
    options.seed += run;
    np_status st = np_program_run(r->series->program, &options, r->input, &result);
    if (st)
        return st;
    if (!result->correct)
        st = NP_RAISE(NP_ERROR_APPLY, "seed %llu: the answer is wrong (under rule %s): %s",
                      (unsigned long long)options.seed, np_access_rule_name(options.rule), result->wrong);
    else if (!(st = take_sample(r, result, &s)))
        keep_sample(r, run, &s);
    np_program_result_free(result);
    return st;
}

/* After a run: counts it, or keeps the first failure. */
static void settle(runs *r, uint32_t run, np_status st)
{
    if (!st) {
        r->done++;
        if (!r->status && r->job->on_run(r->job->context, r->done))
            st = NP_RAISE(NP_ERROR_CANCELLED, "cancelled after %u runs", r->done);
    }
    if (st && (!r->status || run < r->failed)) {
        r->status = st;
        r->failed = run;
        strncpy(r->message, np_last_error(), sizeof r->message - 1);
    }
}

/* Runs first, first + stride, ...: on one thread. */
static void run_some(runs *r, unsigned first, unsigned stride)
{
    for (uint32_t run = first; run < r->count; run += stride) {
        bool stop;
        np_status st = run_once(r, run);
#pragma omp critical(np_experiment_pram)
        {
            settle(r, run, st);
            stop = r->status != NP_OK;
        }
        if (stop)
            break;
    }
}

static void run_all(runs *r)
{
    unsigned threads = r->job->threads ? r->job->threads : (unsigned)omp_get_num_procs();
    if (threads > r->count)
        threads = r->count;
    if (threads == 1) {
        run_some(r, 0, 1);
        return;
    }
#pragma omp parallel num_threads((int)threads)
    run_some(r, (unsigned)omp_get_thread_num(), (unsigned)omp_get_num_threads());
}

static np_status keep(np_point *point, const runs *r)
{
    np_status st = np_memory_zeroed(&point->row, MEASURES, sizeof *point->row, "an experiment's results");
    for (size_t i = 0; i < MEASURES && !st; i++) {
        np_experiment_row *row = &point->row[i];
        row->measure = measures[i].name;
        memcpy(row->x, r->axis, sizeof r->axis);
        st = np_summary_of(r->count, r->value + i * r->count, &row->summary);
    }
    point->rows = st ? 0 : MEASURES;
    return st;
}

static np_status run(const np_experiment_job *job, np_point *point)
{
    const pram_series *series = of(&job->experiment->serie[point->series]);
    runs r = {.job = job,
              .series = series,
              .options = options_of(job, point),
              .input = &series->input[point->number],
              .count = job->runs};
    np_status st = np_memory_zeroed(&r.value, (size_t)job->runs * MEASURES, sizeof *r.value, "the runs of a program");
    if (st)
        return st;
    run_all(&r);
    st = r.status ? at_point(job, point, NP_RAISE(r.status, "%s", r.message)) : keep(point, &r);
    np_memory_free(r.value);
    return st;
}

static void csv(const np_series *series, const np_point *point, const np_experiment_row *row, FILE *stream)
{
    np_csv_text(of(series)->program, stream);
    np_csv_text(spec(series, point->number), stream);
    for (size_t i = 0; i < AXES; i++)
        fprintf(stream, "%.15g,", row->x[i]);
}

const np_series_kind np_experiment_pram = {
    .key = "program",
    .columns = "program,machine,slack,queue_size,size,processors,machine_n",
    .axes = axes,
    .key_name = key_name,
    .parse = parse,
    .free = destroy,
    .check_measure = check_measure,
    .spec = spec,
    .check = check,
    .run = run,
    .csv = csv,
};
