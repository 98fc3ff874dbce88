/*
 * Running an experiment: all points are checked before the first is run, so
 * that a mistake at the end of the file does not cost an hour. Points run one
 * after the other; the kind of its series runs each.
 */
#include "report/experiment.h"

#include <string.h>

#include "base/memory.h"
#include "netpram/base.h"
#include "netpram/route.h"
#include "report/csv.h"

/* What the loops over the points share. */
typedef struct job {
    const np_experiment *experiment;
    const np_experiment_options *options;
    size_t points, present;
    np_point *point;   /* [points] */
    double done, work; /* work of the points before the present one; work of all points */
} job;

#define AT(member) offsetof(np_experiment_options, member)

static const np_field rows[] = {
    {"out", NP_FIELD_TEXT, AT(directory), .help = "Where the CSV and the plots go, made if missing", .preset = ".",
     .placeholder = "DIR"},
    {"only", NP_FIELD_TEXT, AT(only), .help = "Run one series only", .placeholder = "LABEL"},
    {"runs", NP_FIELD_U32, AT(runs), .help = "Runs a point (default: as the file says)", .low = 1, .placeholder = "N"},
    {"threads", NP_FIELD_U32, AT(threads), .help = "Threads; changes no result (default: 0, one a processor)",
     .high = NP_THREADS_MAX, .placeholder = "N"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

const np_fields np_experiment_options_fields = {"experiment_options", "an experiment", sizeof(np_experiment_options),
                                                sizeof rows / sizeof *rows, rows};

void np_experiment_options_init(np_experiment_options *options)
{
    np_fields_init(&np_experiment_options_fields, options);
}

static uint32_t runs_of(const job *j) { return j->options->runs ? j->options->runs : j->experiment->runs; }

static bool wanted(const job *j, const np_series *series)
{
    return !j->options->only || !strcmp(j->options->only, series->label);
}

/* Raises the error for an unknown label; it names the labels that there are. */
static np_status refuse_label(const job *j)
{
    char labels[256] = "";
    size_t length = 0;
    for (size_t i = 0; i < j->experiment->series && length < sizeof labels; i++)
        length += (size_t)snprintf(labels + length, sizeof labels - length, "%s%s", i ? ", " : "",
                                   j->experiment->serie[i].label);
    return NP_RAISE(NP_ERROR_INPUT, "%s: no series '%s': there are %s", j->experiment->source, j->options->only,
                    labels);
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
    if (st)
        return st;
    for (size_t i = 0; i < e->series; i++)
        for (size_t k = 0; k < e->serie[i].points && wanted(j, &e->serie[i]); k++)
            j->point[j->points++] = (np_point){.series = i, .number = k};
    return NP_OK;
}

static void free_points(job *j)
{
    for (size_t i = 0; i < j->points; i++)
        np_memory_free(j->point[i].row);
    np_memory_free(j->point);
}

static const np_series *series_of(const job *j, const np_point *point) { return &j->experiment->serie[point->series]; }

static int on_run(void *context, uint32_t done)
{
    const job *j = context;
    const np_point *point = &j->point[j->present];
    const np_series *series = series_of(j, point);
    np_experiment_progress progress = {
        .point = j->present,
        .points = j->points,
        .run = done,
        .runs = runs_of(j),
        .share = (j->done + point->work * done / runs_of(j)) / j->work,
        .label = series->label,
        .network = np_series_spec(series, point->number),
    };
    return j->options->on_progress ? j->options->on_progress(j->options->context, &progress) : 0;
}

static np_experiment_job job_of(job *j)
{
    return (np_experiment_job){.experiment = j->experiment,
                               .runs = runs_of(j),
                               .threads = j->options->threads,
                               .memory_limit = j->options->memory_limit,
                               .on_run = on_run,
                               .context = j};
}

static np_status check_points(job *j)
{
    const np_experiment_job each = job_of(j);
    for (size_t i = 0; i < j->points; i++) {
        np_status st = series_of(j, &j->point[i])->kind->check(&each, &j->point[i]);
        if (st)
            return st;
        j->work += j->point[i].work;
    }
    return NP_OK;
}

/* Is some series of this kind? */
static bool has_kind(const np_experiment *e, const np_series_kind *kind)
{
    bool has = false;
    for (size_t i = 0; i < e->series; i++)
        has = has || e->serie[i].kind == kind;
    return has;
}

/* The columns of all kinds that the experiment has. */
static void csv_head(const np_experiment *e, FILE *stream)
{
    fputs("label,", stream);
    for (const np_series_kind *const *kind = np_series_kinds; *kind; kind++)
        if (has_kind(e, *kind))
            fprintf(stream, "%s,", (*kind)->columns);
    fputs("measure," NP_CSV_SUMMARY "\n", stream);
}

/* A column: an axis, the network or phase of the row, or a key of the series. */
static void csv_column(const np_series *series, const np_point *point, const np_experiment_row *row, const char *name,
                       FILE *stream)
{
    const np_experiment_axis *axes = series->kind->axes;
    np_value value;
    for (size_t i = 0; axes[i].name; i++)
        if (!strcmp(axes[i].name, name)) {
            fprintf(stream, "%.15g,", row->x[i]);
            return;
        }
    if (!strcmp(name, "network"))
        np_csv_text(np_series_spec(series, point->number), stream);
    else if (!strcmp(name, "phase"))
        np_csv_text(row->phase, stream);
    else if (np_fields_get(series->kind->fields, np_series_options(series, point->number), name, &value))
        np_csv_text(value.kind == NP_VALUE_TEXT ? value.text : "", stream);
}

/* The columns of a kind; a row leaves those of other kinds empty. */
static void csv_columns(const np_series *series, const np_series_kind *kind, const np_point *point,
                        const np_experiment_row *row, FILE *stream)
{
    char names[128], *rest = names, *name;
    snprintf(names, sizeof names, "%s", kind->columns);
    while ((name = strsep(&rest, ",")))
        if (kind == series->kind)
            csv_column(series, point, row, name, stream);
        else
            fputc(',', stream);
}

static void csv_row(const np_experiment *e, const np_point *point, const np_experiment_row *row, FILE *stream)
{
    const np_series *series = &e->serie[point->series];
    np_csv_text(series->label, stream);
    for (const np_series_kind *const *kind = np_series_kinds; *kind; kind++)
        if (has_kind(e, *kind))
            csv_columns(series, *kind, point, row, stream);
    np_csv_text(row->measure, stream);
    np_csv_summary(&row->summary, stream);
    fputc('\n', stream);
}

static np_status run_points(job *j, FILE *stream)
{
    const np_experiment_job each = job_of(j);
    csv_head(j->experiment, stream);
    for (size_t i = 0; i < j->points; i++) {
        np_point *point = &j->point[i];
        j->present = i;
        np_status st = series_of(j, point)->kind->run(&each, point);
        if (st)
            return st;
        j->done += point->work;
        for (size_t k = 0; k < point->rows; k++)
            csv_row(j->experiment, point, &point->row[k], stream);
        if (ferror(stream))
            return NP_OK; /* np_output_commit will report the cause */
    }
    return NP_OK;
}

/* The CSV is in place before the plots are drawn: it holds everything that took long to compute. */
static np_status write_csv(job *j)
{
    np_output *output;
    char *path;
    size_t size = strlen(j->options->directory) + strlen(j->experiment->name) + sizeof "/.csv";
    np_status st;
    if ((st = np_memory_array(&path, size, 1, "a file name")))
        return st;
    snprintf(path, size, "%s/%s.csv", j->options->directory, j->experiment->name);
    st = np_output_open(path, &output);
    np_memory_free(path);
    if (st)
        return st;
    if ((st = run_points(j, np_output_stream(output)))) {
        np_output_discard(output);
        return st;
    }
    return np_output_commit(output);
}

np_status np_experiment_check(const np_experiment *experiment, const np_experiment_options *options)
{
    job j = {.experiment = experiment, .options = options};
    np_status st = make_points(&j);
    if (!st)
        st = check_points(&j);
    free_points(&j);
    return st;
}

np_status np_experiment_run(const np_experiment *experiment, const np_experiment_options *options,
                            np_experiment_outcome *outcome)
{
    job j = {.experiment = experiment, .options = options};
    np_status st;
    *outcome = (np_experiment_outcome){.drawn = true};
    if (!(st = make_points(&j)) && !(st = check_points(&j)) && !(st = np_output_directory(options->directory)) &&
        !(st = write_csv(&j))) {
        outcome->points = j.points;
        st = np_experiment_draw(experiment, options, j.points, j.point, outcome);
    }
    free_points(&j);
    return st;
}
