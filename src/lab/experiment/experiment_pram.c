/*
 * Series of shared memory: one PRAM program. Run r of a point has the experiment's seed + r: `netpram pram` repeats it
 * with that seed. The runs of a point go side by side.
 */

#include "base/runs.h"
#include "base/threads.h"
#include "machine/pram/fields.h"
#include "lab/experiment/experiment.h"

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

/* ---- What is measured of one run ---- */

typedef struct sample {
    const np_program_result *result;
    const np_pram_report *report; /* of the result */
    np_pram_memory memory;
    const np_pram_options *options; /* asked for */
    uint64_t stalled;
} sample;

static void get_n(const void *object, np_value *value) { value->whole = ((const sample *)object)->report->n; }

/* Network steps of a PRAM step, for each request of a butterfly row; on other machines, of a processor. */
static void get_per_request(const void *object, np_value *value)
{
    const sample *s = object;
    const np_pram_report *report = s->report;
    uint64_t rows = s->memory.rows ? s->memory.rows : report->modules;
    if (report->requests)
        value->real = report->per_step.mean * (double)report->per_step.count * (double)rows / (double)report->requests;
}

static void get_slack(const void *object, np_value *value)
{
    value->whole = np_pram_slack(((const sample *)object)->result->pram);
}

/* Rounds of a PRAM step. */
static void get_rounds(const void *object, np_value *value)
{
    const np_pram_report *report = ((const sample *)object)->report;
    value->real = report->steps ? (double)report->rounds / (double)report->steps : 0;
}

/* Physical steps of a PRAM step, with a share of the initialisation. */
static void get_physical(const void *object, np_value *value)
{
    const np_pram_report *report = ((const sample *)object)->report;
    value->real = report->steps ? (double)report->physical_steps / (double)report->steps : 0;
}

/* What a report of a program says, the options, and what the two do not have. */
static const np_field measured_rows[] = {
    {"steps_per_request", NP_FIELD_REAL, .get = get_per_request},
    {"machine_n", NP_FIELD_U32, .get = get_n},
    {"slack", NP_FIELD_U32, .get = get_slack},
    {"rounds.mean", NP_FIELD_REAL, .get = get_rounds},
    {"physical_per_step", NP_FIELD_REAL, .get = get_physical},
    {"stalled", NP_FIELD_U64, offsetof(sample, stalled), .help = "rounds in which no module answered"},
    {NULL, NP_FIELD_INSET, offsetof(sample, result), .flags = NP_FIELD_BEHIND, .fields = &np_program_result_fields},
    {NULL, NP_FIELD_INSET, offsetof(sample, report), .flags = NP_FIELD_BEHIND, .fields = &np_pram_violations_fields},
    {"memory", NP_FIELD_OBJECT, offsetof(sample, memory), .fields = &np_pram_memory_fields},
    {NULL, NP_FIELD_INSET, offsetof(sample, options), .flags = NP_FIELD_BEHIND, .fields = &np_pram_options_fields},
};

static const np_fields measured = NP_FIELDS("sample", "a program", sample, measured_rows);

static const np_experiment_axis axes[] = {
    {"slack", "slack: requests of a processor in a batch"},
    {"queue_size", "messages that a queue holds"},
    {"size", "size of the program's input"},
    {"processors", "processors"},
    {"machine_n", "n of the machine"},
    {NULL, NULL},
};

/* ---- Checking ---- */

/* The options of a point; its program exists. */
static np_pram_options options_of(const np_experiment_job *job, const np_experiment_point *point)
{
    const pram_point *p = np_experiment_options_of(job, point);
    np_pram_options options = p->pram;
    const np_program_info *info;
    char room[NP_EXPERIMENT_NUMBER];
    const np_series *series = &job->experiment->serie[point->series];
    if (!*np_series_text(series, point->number, "rule", sizeof room, room) && !np_program_find(p->program, &info))
        options.rule = info->rule;
    return options;
}

static np_status check(const np_experiment_job *job, np_experiment_point *point)
{
    const pram_point *p = np_experiment_options_of(job, point);
    const np_pram_options options = options_of(job, point);
    const np_program_info *info;
    uint64_t size;
    if (np_program_find(p->program, &info))
        return np_experiment_at_key(job, point, "program", NP_ERROR_INPUT);
    np_status st = np_experiment_heeds(job, point, NULL, np_pram_machine_heeds, options.machine);
    if (st)
        return st;
    st = np_program_check(p->program, &options, &p->input, &size);
    point->work = (double)size + 1;
    return np_experiment_at_point(job, point, st);
}

/* ---- Running ---- */

/* The runs of one point. */
typedef struct runs {
    const np_experiment_job *job;
    const pram_point *point;
    np_pram_options options;
    np_program_options input;
    np_samples *samples;
    np_runs shared; /* by threads */
} runs;

static np_status keep(const runs *r, const np_program_result *result, uint32_t run)
{
    sample s = {.result = result, .report = &result->report, .options = &r->options};
    np_status st = np_pram_memory_compute(result->pram, &s.memory);
    s.stalled = np_pram_stalled(result->pram);
    if (!st)
        np_experiment_measures_keep(&np_experiment_pram, &s, run, r->samples);
    return st;
}

/* Runs one run. A run with a wrong result or without a result is an error: its figures must not enter a plot. */
static np_status run_once(runs *r, uint32_t run)
{
    np_pram_options options = r->options;
    np_program_result *result;
    options.seed += r->samples->first + run;
    np_status st = np_program_run(r->point->program, &options, &r->input, &result);
    if (st)
        return st;
    if (!result->correct)
        st = NP_RAISE(NP_ERROR_APPLY, "seed %llu: the answer is wrong (under rule %s): %s",
                      (unsigned long long)options.seed, np_access_rule_name(options.rule), result->wrong);
    else
        st = keep(r, result, run);
    np_program_result_free(result);
    return st;
}

/* The next run. */
static void run_next(void *context, unsigned thread, uint32_t item)
{
    runs *r = context;
    uint32_t run;
    (void)thread, (void)item;
    if (np_runs_next(&r->shared, &run))
        np_runs_settle(&r->shared, run, run_once(r, run));
}

static np_status run_all(runs *r)
{
    unsigned threads, most = r->samples->runs;
    np_status st = np_threads_choose(r->job->threads < most ? r->job->threads : most, most, &threads);
    if (st)
        return st;
    if (!np_pram_machine_heeds(r->options.machine, "threads"))
        r->options.threads = threads > 1 ? 1 : r->job->threads; /* of a run */
    r->input = r->point->input;
    np_threads_each(threads, most, run_next, r);
    return np_runs_outcome(&r->shared);
}

static np_status run(const np_experiment_job *job, const np_experiment_point *point, np_samples *samples)
{
    runs r = {.job = job,
              .point = np_experiment_options_of(job, point),
              .options = options_of(job, point),
              .samples = samples,
              .shared = {.watch = &job->watch, .of = samples->runs}};
    np_status st = np_experiment_measures_init(&np_experiment_pram, NULL, samples);
    if (st)
        return st;
    st = run_all(&r);
    return st ? np_experiment_at_point(job, point, st) : NP_OK;
}

const np_series_kind np_experiment_pram = {
    .key = "program",
    .columns = "program,machine,slack,queue_size,size,processors,machine_n",
    .fields = &fields,
    .hides = "threads, violations, memory",
    .own = "rule",
    .draws = "program, n, edges, steps, input, seed",
    .spec = offsetof(pram_point, pram.machine),
    .axes = axes,
    .measured = &measured,
    .measures = NP_NAMES("steps_per_request", "pram_steps", "work", "network_steps.total", "network_steps.mean",
                         "network_steps.p99", "network_steps.max", "network_steps.per_n",
                         "network_steps.initialisation", "network_steps.rehash", "physical_steps", "physical_per_step",
                         "requests", "combined", "ghosts", "replies", "queue_max", "module_load_max", "rehashes",
                         "rounds.total", "rounds.max", "rounds.mean", "refused", "stalled", "row_cells_max",
                         "row_cells_mean", "violation_count", "memory.preliminary.row_max", "memory.improved.row_max",
                         "memory.improved.row_mean", "memory.theorem4.c"),
    .check = check,
    .run = run,
};
