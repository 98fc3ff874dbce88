/*
 * Running an experiment. Its points are looked up in the archive by their keys. What is missing there is checked before
 * any of it is run, so that a mistake at the end of the file does not cost an hour. Then it is run, one point after the
 * other, and kept as it is done: who runs the same experiment again goes on from there. Processes share the work: a
 * point that another one has claimed is left to it, and looked at again in the end. When all points are done, the CSV
 * and the charts are made of what is in the archive.
 */
#include "lab/experiment/experiment.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/watch.h"

/* What the loops over the points share. */
typedef struct job {
    const np_experiment *experiment;
    np_experiment_options options;
    np_archive *archive;
    size_t points, present;
    np_experiment_point *point; /* [points] */
    uint32_t before;            /* runs of the present point that were there before those being run */
    uint32_t runs;              /* of the present point that are done */
    double run;                 /* the same with the share of the present run */
    double done, work;          /* work of the points that were missing and are done by now; of all that were missing */
    np_experiment_files files;
} job;

#define AT(member) offsetof(np_experiment_options, member)

static const np_field rows[] = {
    {"output", NP_FIELD_TEXT, AT(directory), .help = "Where the CSV and the plots go, made if missing", .preset = ".",
     .placeholder = "DIR"},
    {"only", NP_FIELD_TEXT, AT(only), .help = "Run one series only", .placeholder = "LABEL"},
    {"runs", NP_FIELD_U32, AT(runs), .help = "Runs a point (default: as the file says)", .low = 1, .placeholder = "N"},
    {"threads", NP_FIELD_U32, AT(threads), .help = "Threads; changes no result (default: 0, one a processor)",
     .high = NP_THREADS_MAX, .placeholder = "N"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
    {"repair", NP_FIELD_BOOL, AT(repair), .help = "Run points again of which what is kept is damaged"},
};

const np_fields np_experiment_options_fields =
    NP_OPTIONS("experiment_options", "an experiment", np_experiment_options, rows, NULL);

/* ---- Points ---- */

static bool wanted(const job *j, const np_series *series)
{
    const char *only = j->options.only;
    return !only || !strcmp(only, series->label) || !strcmp(only, series->base);
}

/* Raises the error for an unknown label; it names the labels that there are. */
static np_status refuse_label(const job *j)
{
    char labels[256] = "";
    size_t length = 0;
    for (size_t i = 0; i < j->experiment->series && length < sizeof labels; i++)
        length += (size_t)snprintf(labels + length, sizeof labels - length, "%s%s", i ? ", " : "",
                                   j->experiment->serie[i].label);
    return NP_RAISE(NP_ERROR_INPUT, "%s: no series '%s': there are %s", j->experiment->source, j->options.only, labels);
}

static const np_series *series_of(const job *j, const np_experiment_point *point)
{
    return &j->experiment->serie[point->series];
}

static uint32_t runs_of(const job *j, const np_series *series, size_t number)
{
    np_value runs;
    if (j->options.runs)
        return j->options.runs;
    np_fields_get(series->kind->fields, np_series_options(series, number), "runs", &runs);
    return (uint32_t)runs.whole;
}

static np_status make_points(job *j)
{
    const np_experiment *e = j->experiment;
    size_t count = 0;
    for (size_t i = 0; i < e->series; i++)
        count += wanted(j, &e->serie[i]) ? e->serie[i].points : 0;
    if (!count)
        return refuse_label(j);
    np_status st = np_memory_zeroed(&j->point, count, sizeof *j->point, "the points of an experiment");
    for (size_t i = 0; i < e->series && !st; i++)
        for (size_t k = 0; k < e->serie[i].points && wanted(j, &e->serie[i]); k++)
            j->point[j->points++] =
                (np_experiment_point){.series = i, .number = k, .runs = runs_of(j, &e->serie[i], k)};
    return st;
}

static void clear(job *j)
{
    for (size_t i = 0; i < j->points; i++)
        np_memory_free(j->point[i].key);
    np_memory_free(j->point);
    np_experiment_files_clear(&j->files);
    np_archive_close(j->archive);
}

static bool is_done(const np_experiment_point *point) { return point->stored >= point->runs; }

static size_t count_done(const job *j)
{
    size_t done = 0;
    for (size_t i = 0; i < j->points; i++)
        done += is_done(&j->point[i]);
    return done;
}

/* ---- Checking ---- */

/* Tells the share of all points. What a run does before it knows its own share, as finding paths, adds nothing. */
static int on_run(void *context, const np_progress *runs)
{
    job *j = context;
    if (!strcmp(runs->unit, "runs"))
        j->run = j->runs = j->before + (uint32_t)runs->done;
    else if (!runs->stage)
        j->run = j->before + runs->share * (j->point[j->present].runs - j->before);
    const np_experiment_point *point = &j->point[j->present];
    const np_series *series = series_of(j, point);
    char stage[128];
    double share = j->work > 0 ? (j->done + point->work * j->run / point->runs) / j->work : 1;
    snprintf(stage, sizeof stage, "point %zu of %zu (%.32s on %.32s)", j->present + 1, j->points, series->label,
             np_series_spec(series, point->number));
    return np_watch_tell(&j->options.watch, (np_progress){stage, "runs", j->runs, point->runs, share});
}

static np_experiment_job job_of(job *j)
{
    return (np_experiment_job){.experiment = j->experiment,
                               .threads = j->options.threads,
                               .memory_limit = j->options.memory_limit,
                               .watch = {on_run, j},
                               .files = &j->files};
}

static np_status check_points(job *j)
{
    const np_experiment_job each = job_of(j);
    np_status st = NP_OK;
    j->files = (np_experiment_files){.on_note = j->options.on_note, .context = j->options.context};
    for (size_t i = 0; i < j->points && !st; i++)
        if (!is_done(&j->point[i])) {
            st = series_of(j, &j->point[i])->kind->check(&each, &j->point[i]);
            j->work += j->point[i].work;
        }
    return st;
}

/* ---- The archive ---- */

static np_status make_keys(job *j)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < j->points && !st; i++)
        st = np_series_key(series_of(j, &j->point[i]), j->point[i].number, &j->point[i].key);
    return st;
}

/* Reads how many runs of a point are there. */
static np_status look_up(job *j, np_experiment_point *point)
{
    return np_archive_find(j->archive, point->key, &point->id, &point->stored);
}

static np_status look_up_all(job *j)
{
    np_status st = np_archive_begin(j->archive);
    if (st)
        return st;
    for (size_t i = 0; i < j->points && !st; i++)
        st = look_up(j, &j->point[i]);
    return np_archive_end(j->archive, st);
}

/* Opens the archive and looks the points up; `made`: also if it is not there yet. */
static np_status open_archive(job *j, bool made)
{
    char *path;
    np_status st = np_experiment_path(j->options.directory, j->experiment->name, ".sqlite", &path);
    if (st)
        return st;
    bool open = made || !access(path, F_OK);
    if (open && !(st = np_output_directory(j->options.directory)) &&
        !(st = np_archive_open(path, j->options.repair, &j->archive)))
        st = look_up_all(j);
    np_memory_free(path);
    return st;
}

/* Renames a database that is damaged as a whole. */
static np_status set_aside(const job *j)
{
    char *path, line[400];
    np_status st = np_experiment_path(j->options.directory, j->experiment->name, ".sqlite", &path);
    if (st)
        return st;
    if (!(st = np_archive_set_aside(path)) && j->options.on_note) {
        snprintf(line, sizeof line, "%.150s was damaged: it is %.150s.damaged now, and all points are run again", path,
                 path);
        j->options.on_note(j->options.context, line);
    }
    np_memory_free(path);
    return st;
}

/* What is kept need not be checked again; and where nothing is kept, nothing is made before all is checked. */
static np_status prepare(job *j)
{
    np_status st;
    if ((st = np_experiment_check_outputs(j->experiment, j->options.directory)) || (st = make_points(j)) ||
        (st = make_keys(j)) || (st = open_archive(j, false)) || (st = check_points(j)))
        return st;
    return j->archive ? NP_OK : open_archive(j, true);
}

/* ---- Running ---- */

/* Runs `runs` more runs of a point and keeps them. */
static np_status run_some(job *j, np_experiment_point *point, uint32_t runs)
{
    const np_experiment_job each = job_of(j);
    np_samples samples = {.first = point->stored, .runs = runs};
    j->run = j->runs = j->before = point->stored;
    np_status st = series_of(j, point)->kind->run(&each, point, &samples);
    if (!st)
        st = np_archive_add(j->archive, point->id, &samples);
    if (!st)
        point->stored += runs;
    np_samples_clear(&samples);
    return st;
}

/* Runs of a point that are kept together: at first a few for each thread, then as many as take KEEP_SECONDS. */
static uint32_t portion(const job *j, double seconds, uint32_t last, uint32_t missing)
{
    enum { FIRST = 4, KEEP_SECONDS = 20 }; /* ours */
    unsigned threads = j->options.threads ? j->options.threads : np_threads_processors();
    double runs = last ? KEEP_SECONDS * last / (seconds + 1e-9) : FIRST * (double)threads;
    runs = runs < threads ? threads : runs;
    return runs < missing ? (uint32_t)runs : missing;
}

/* Runs what is missing of a point that is claimed. Another process may have run it before. */
static np_status run_point(job *j, np_experiment_point *point)
{
    double seconds = 0;
    uint32_t last = 0;
    np_status st = look_up(j, point);
    while (!st && !is_done(point)) {
        double begin = np_clock_seconds();
        last = portion(j, seconds, last, point->runs - point->stored);
        st = run_some(j, point, last);
        seconds = np_clock_seconds() - begin;
    }
    return st;
}

/* *left: another process works on the point. */
static np_status try_point(job *j, size_t i, bool *left)
{
    np_experiment_point *point = &j->point[i];
    bool claimed;
    np_status st;
    j->present = i;
    if ((st = np_archive_claim(j->archive, point->id, &claimed)))
        return st;
    *left = !claimed;
    if (claimed) {
        st = run_point(j, point);
        np_archive_release(j->archive, point->id);
        j->done += point->work;
    }
    return st;
}

/* Waits for other processes; the caller's callback may cancel. */
static np_status wait_for_others(job *j)
{
    struct timespec pause = {.tv_nsec = 100000000}; /* ours: rare enough to cost nothing */
    j->run = j->runs = j->before = 0;
    if (on_run(j, &(np_progress){.unit = "runs"}))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled while another process works on the last points");
    nanosleep(&pause, NULL);
    return NP_OK;
}

static np_status run_points(job *j)
{
    size_t left;
    np_status st = NP_OK;
    do {
        left = 0;
        for (size_t i = 0; i < j->points && !st; i++)
            if (!is_done(&j->point[i])) {
                bool busy = false;
                st = try_point(j, i, &busy);
                left += busy;
            }
        if (left && !st)
            st = wait_for_others(j);
    } while (left && !st);
    return st;
}

/* ---- The whole ---- */

np_status np_experiment_check(const np_experiment *experiment, const np_experiment_options *options)
{
    job j = {.experiment = experiment};
    np_status st = np_options_take(&np_experiment_options_fields, options, &j.options);
    NP_ACCOUNT(j.options.memory_limit, NULL);
    if (!st && !(st = make_points(&j)))
        st = check_points(&j);
    clear(&j);
    return st;
}

static np_status write_results(const job *j, np_experiment_outcome *outcome)
{
    np_experiment_results results = {
        .experiment = j->experiment, .archive = j->archive, .points = j->points, .point = j->point};
    np_status st;
    if (!(st = np_experiment_fits(&results)) && !(st = np_experiment_write(&results, j->options.directory)) &&
        !(st = np_experiment_draw(&results, &j->options, outcome)) && j->options.on_finding)
        st = np_experiment_tell(&results, &j->options);
    np_memory_free(results.fit);
    return st;
}

static np_status run_all(job *j, np_experiment_outcome *outcome)
{
    np_status st;
    *outcome = (np_experiment_outcome){.drawn = true};
    if (!(st = prepare(j))) {
        outcome->before = count_done(j);
        st = run_points(j);
    }
    if (!st && !j->options.points_only)
        st = write_results(j, outcome);
    outcome->points = j->archive ? count_done(j) : 0;
    outcome->points_all = j->points;
    return st;
}

np_status np_experiment_run(const np_experiment *experiment, const np_experiment_options *options,
                            np_experiment_outcome *outcome)
{
    job j = {.experiment = experiment};
    np_status st = np_options_take(&np_experiment_options_fields, options, &j.options);
    *outcome = (np_experiment_outcome){.drawn = true};
    if (st)
        return st;
    NP_ACCOUNT(j.options.memory_limit, NULL);
    st = run_all(&j, outcome);
    bool again = st && j.options.repair && np_archive_is_broken(j.archive) && !set_aside(&j);
    clear(&j);
    if (!again)
        return st;
    j = (job){.experiment = experiment, .options = j.options};
    st = run_all(&j, outcome);
    clear(&j);
    return st;
}
