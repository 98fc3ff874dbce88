/*
 * Series of shared memory: one PRAM program. Run r of a point has the experiment's seed + r: `netpram pram` repeats it
 * with that seed. The runs of a point go side by side.
 */
#include <omp.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"
#include "netpram/pram.h"
#include "report/experiment.h"

/* A point. */
typedef struct pram_point {
    const char *program;
    uint32_t runs;
    np_program_options input;
    np_pram_options pram;
} pram_point;

static const np_field keys[] = {
    {"program", NP_FIELD_TEXT, offsetof(pram_point, program), .placeholder = "NAME", .list = "programs"},
    {"runs", NP_FIELD_U32, offsetof(pram_point, runs), .low = 1, .preset = "1", .placeholder = "N"},
    {NULL, NP_FIELD_INSET, offsetof(pram_point, pram), .fields = &np_pram_options_fields},
    {NULL, NP_FIELD_INSET, offsetof(pram_point, input), .fields = &np_program_options_fields},
};

static const np_fields fields = NP_FIELDS("pram_point", "a program", pram_point, keys);

/* What is measured of one run. */
typedef struct sample {
    np_pram_report report;
    np_pram_memory memory;
    uint64_t size;
    double per_n;             /* network steps of a PRAM step, as a multiple of n */
    double per_request;       /* per_n for each request of a butterfly row; on other machines, of a processor */
    double slack, queue_size; /* as asked for */
} sample;

#define AT(member) offsetof(sample, member)

/* Names as in docs/json.md. */
static const np_field measures[] = {
    {"steps_per_request", NP_FIELD_REAL, .at = AT(per_request)},
    {"pram_steps", NP_FIELD_U64, .at = AT(report.steps)},
    {"work", NP_FIELD_U64, .at = AT(report.work)},
    {"network_steps.total", NP_FIELD_U64, .at = AT(report.network_steps)},
    {"network_steps.mean", NP_FIELD_REAL, .at = AT(report.per_step.mean)},
    {"network_steps.p99", NP_FIELD_REAL, .at = AT(report.per_step.p99)},
    {"network_steps.max", NP_FIELD_REAL, .at = AT(report.per_step.max)},
    {"network_steps.per_n", NP_FIELD_REAL, .at = AT(per_n)},
    {"network_steps.initialisation", NP_FIELD_U64, .at = AT(report.initialisation_steps)},
    {"network_steps.rehash", NP_FIELD_U64, .at = AT(report.rehash_steps)},
    {"requests", NP_FIELD_U64, .at = AT(report.requests)},
    {"combined", NP_FIELD_U64, .at = AT(report.combined)},
    {"ghosts", NP_FIELD_U64, .at = AT(report.ghosts)},
    {"replies", NP_FIELD_U64, .at = AT(report.replies)},
    {"queue_max", NP_FIELD_U32, .at = AT(report.queue_max)},
    {"module_load_max", NP_FIELD_U64, .at = AT(report.module_load_max)},
    {"rehashes", NP_FIELD_U32, .at = AT(report.rehashes)},
    {"row_cells_max", NP_FIELD_U64, .at = AT(report.row_cells_max)},
    {"row_cells_mean", NP_FIELD_U64, .at = AT(report.row_cells_mean)},
    {"violation_count", NP_FIELD_U64, .at = AT(report.violations)},
    {"memory.preliminary.row_max", NP_FIELD_U64, .at = AT(memory.preliminary.row_max)},
    {"memory.improved.row_max", NP_FIELD_U64, .at = AT(memory.improved.row_max)},
    {"memory.improved.row_mean", NP_FIELD_REAL, .at = AT(memory.improved.row_mean)},
    {"memory.theorem4.c", NP_FIELD_REAL, .at = AT(memory.theorem4)},
};

enum { MEASURES = sizeof measures / sizeof *measures };

static const np_fields measured = NP_FIELDS("sample", "a program", sample, measures);

static const np_experiment_axis axes[] = {
    {"slack", "slack: requests of a processor in a batch"},
    {"queue_size", "messages that a queue holds"},
    {"size", "size of the program's input"},
    {"processors", "processors"},
    {"machine_n", "n of the machine"},
    {NULL, NULL},
};

/* Where each axis is in a sample. */
static const np_field axis_values[] = {
    {"slack", NP_FIELD_REAL, .at = AT(slack)},       {"queue_size", NP_FIELD_REAL, .at = AT(queue_size)},
    {"size", NP_FIELD_U64, .at = AT(size)},          {"processors", NP_FIELD_U32, .at = AT(report.processors)},
    {"machine_n", NP_FIELD_U32, .at = AT(report.n)},
};

enum { AXES = sizeof axis_values / sizeof *axis_values };

_Static_assert(sizeof axes / sizeof *axes == AXES + 1 && (int)AXES <= (int)NP_EXPERIMENT_AXES, "a value for each axis");

static double value_of(const np_field *measure, const sample *s)
{
    np_value value;
    np_field_get(measure, s, &value);
    return np_value_number(&value);
}

static np_status check_measure(const char *y) { return np_experiment_check_measure(&measured, measured.of, y); }

/* ---- Checking ---- */

static const pram_point *point_of(const np_experiment_job *job, const np_point *point)
{
    return np_series_options(&job->experiment->serie[point->series], point->number);
}

/* The options of a point; its program exists. */
static np_pram_options options_of(const np_experiment_job *job, const np_point *point)
{
    const pram_point *p = point_of(job, point);
    np_pram_options options = p->pram;
    const np_program_info *info;
    char room[NP_EXPERIMENT_NUMBER];
    const np_series *series = &job->experiment->serie[point->series];
    if (!*np_series_text(series, point->number, "rule", sizeof room, room) && !np_program_find(p->program, &info))
        options.rule = info->rule;
    return options;
}

static np_status check(const np_experiment_job *job, np_point *point)
{
    const pram_point *p = point_of(job, point);
    const np_pram_options options = options_of(job, point);
    const np_program_info *info;
    uint64_t size;
    if (np_program_find(p->program, &info))
        return np_experiment_at_key(job, point, "program", NP_ERROR_INPUT);
    np_status st = np_program_check(p->program, &options, &p->input, &size);
    point->work = (double)size + 1;
    return np_experiment_at_point(job, point, st);
}

/* ---- Running ---- */

/* The runs of one point. */
typedef struct runs {
    const np_experiment_job *job;
    const pram_point *point;
    np_pram_options options;
    np_samples *samples;
    uint32_t done;
    double *value[MEASURES]; /* [runs] each, in the samples */
    np_status status;        /* the first failure in the order of runs */
    uint32_t failed;
    char message[512];
} runs;

static np_status take_sample(const runs *r, const np_program_result *result, sample *out)
{
    const np_pram_report *report = &result->report;
    *out =
        (sample){.report = *report, .size = result->n, .slack = r->options.slack, .queue_size = r->options.queue_size};
    np_status st = np_pram_memory_compute(result->pram, &out->memory);
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
        r->value[i][run] = value_of(&measures[i], s);
    for (size_t i = 0; i < AXES && !run; i++)
        r->samples->sample[i].value[0] = value_of(&axis_values[i], s);
}

/* Runs one run. A run with a wrong result or without a result is an error: its figures must not enter a plot. */
static np_status run_once(runs *r, uint32_t run)
{
    np_pram_options options = r->options;
    np_program_result *result;
    sample s;
    options.seed += r->samples->first + run;
    np_status st = np_program_run(r->point->program, &options, &r->point->input, &result);
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
        if (!r->status)
            st = np_watch_check(&r->job->watch, (np_progress){.unit = "runs", .done = r->done});
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
    for (uint32_t run = first; run < r->samples->runs; run += stride) {
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
    if (threads > r->samples->runs)
        threads = r->samples->runs;
    if (threads == 1) {
        run_some(r, 0, 1);
        return;
    }
#pragma omp parallel num_threads((int)threads)
    run_some(r, (unsigned)omp_get_thread_num(), (unsigned)omp_get_num_threads());
}

static np_status make_room(runs *r)
{
    np_status st = np_samples_init(r->samples, AXES + MEASURES, r->samples->first, r->samples->runs);
    for (size_t i = 0; i < AXES && !st; i++)
        np_samples_add_axis(r->samples, axes[i].name, 0);
    for (size_t i = 0; i < MEASURES && !st; i++)
        r->value[i] = np_samples_add(r->samples, "", measures[i].name);
    return st;
}

static np_status run(const np_experiment_job *job, const np_point *point, np_samples *samples)
{
    runs r = {.job = job, .point = point_of(job, point), .options = options_of(job, point), .samples = samples};
    np_status st = make_room(&r);
    if (st)
        return st;
    run_all(&r);
    return r.status ? np_experiment_at_point(job, point, NP_RAISE(r.status, "%s", r.message)) : NP_OK;
}

const np_series_kind np_experiment_pram = {
    .key = "program",
    .columns = "program,machine,slack,queue_size,size,processors,machine_n",
    .fields = &fields,
    .hides = "violations",
    .own = "rule",
    .draws = "program, n, edges, steps, input, seed",
    .spec = offsetof(pram_point, pram.machine),
    .axes = axes,
    .check_measure = check_measure,
    .check = check,
    .run = run,
};
