/*
 * The CSV of an experiment, out of the archive: a line for each point, phase and measure. First come the columns of the
 * kinds, then the measure and its summary, then all other keys of the series, so that no two lines of different points
 * are alike.
 */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "show/table/csv.h"
#include "lab/experiment/experiment.h"

enum { KEYS_MAX = 4 * NP_EXPERIMENT_KEYS };

/* The columns of a CSV. */
typedef struct columns {
    const np_experiment *experiment;
    char list[512];            /* the columns of the kinds, each once: "throughput,network,nodes,worst" */
    const char *key[KEYS_MAX]; /* [keys] the keys that are no columns of a kind */
    size_t keys;
    bool fits, compares; /* some series asks for it */
} columns;

np_status np_experiment_path(const char *directory, const char *name, const char *ending, char **out)
{
    size_t size = strlen(directory) + strlen(name) + strlen(ending) + sizeof "/";
    np_status st = np_memory_array(out, size, 1, "a file name");
    if (!st)
        snprintf(*out, size, "%s/%s%s", directory, name, ending);
    return st;
}

/* ---- Rows ---- */

/* ---- Columns ---- */

/* Has the list, with commas, the name? */
static bool is_column(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, length) && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* The next name of a list of columns; "": there is no more. */
static const char *next_column(const char **list, char name[NP_CSV_NAME])
{
    size_t length = strcspn(*list, ",");
    snprintf(name, NP_CSV_NAME, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return name;
}

/* Columns that several kinds have are one. */
static void add_columns(columns *c, const np_series_kind *kind)
{
    const char *rest = kind->columns;
    for (char name[NP_CSV_NAME]; *next_column(&rest, name);) {
        size_t length = strlen(c->list);
        if (!is_column(c->list, name) && length + strlen(name) + 1 < sizeof c->list)
            snprintf(c->list + length, sizeof c->list - length, "%s%s", length ? "," : "", name);
    }
}

/* Adds the keys of a kind that are no columns; "networks" is the column "network". */
static void add_keys(columns *c, const np_series_kind *kind)
{
    const char *keys[NP_EXPERIMENT_KEYS];
    size_t count = np_series_keys(kind, keys, 0, NP_EXPERIMENT_KEYS);
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < c->keys && strcmp(c->key[k], keys[i]) != 0)
            k++;
        if (k == c->keys && k < KEYS_MAX && strcmp(keys[i], "networks") != 0 && !is_column(c->list, keys[i]) &&
            !np_field_listed(kind->adds, keys[i]))
            c->key[c->keys++] = keys[i];
    }
}

static bool has_kind(const np_experiment *e, const np_series_kind *kind)
{
    bool has = false;
    for (size_t i = 0; i < e->series; i++)
        has = has || e->serie[i].kind == kind;
    return has;
}

static void find_columns(columns *c)
{
    for (size_t i = 0; i < c->experiment->series; i++) {
        c->fits = c->fits || c->experiment->serie[i].fit;
        c->compares = c->compares || c->experiment->serie[i].against != i;
    }
    for (size_t k = 0; np_series_kinds[k]; k++)
        if (has_kind(c->experiment, np_series_kinds[k]))
            add_columns(c, np_series_kinds[k]);
    for (size_t k = 0; np_series_kinds[k]; k++)
        if (has_kind(c->experiment, np_series_kinds[k]))
            add_keys(c, np_series_kinds[k]);
}

/* Fits and comparisons have ten digits: the last ones depend on the C library's logarithms and powers. */
#define FIT_COLUMNS "fit,a,a_ci95,b,b_ci95,explained"
#define PAIR_COLUMNS "against,difference,difference_ci95,p_value"

static void write_head(const columns *c, FILE *stream)
{
    fprintf(stream, "label,%s,measure," NP_CSV_SUMMARY, c->list);
    for (size_t i = 0; i < c->keys; i++)
        fprintf(stream, ",%s", c->key[i]);
    fprintf(stream, "%s%s\n", c->fits ? "," FIT_COLUMNS : "", c->compares ? "," PAIR_COLUMNS : "");
}

/* A column of the kind: an axis, the network or phase of the row, or a key of the series. */
static void write_column(const np_series *series, const np_experiment_point *point, const np_experiment_row *row,
                         const char *name, FILE *stream)
{
    const np_experiment_axis *axes = series->kind->axes;
    np_value value;
    for (size_t i = 0; axes[i].name; i++)
        if (!strcmp(axes[i].name, name)) {
            fprintf(stream, "%s,", isnan(row->x[i]) ? "" : NP_REAL(row->x[i], 15));
            return;
        }
    if (!strcmp(name, "network"))
        np_csv_text(np_series_spec(series, point->number), stream);
    else if (!strcmp(name, "phase"))
        np_csv_text(row->phase, stream);
    else if (np_fields_get(series->kind->fields, np_series_options(series, point->number), name, &value))
        np_csv_text(value.kind == NP_VALUE_TEXT ? value.text : "", stream);
}

/* The columns of the kinds. What is a column of another kind may be a plain key of this one; else it is empty. */
static void write_columns(const columns *c, const np_series *series, const np_experiment_point *point,
                          const np_experiment_row *row, FILE *stream)
{
    const char *rest = c->list;
    for (char name[NP_CSV_NAME]; *next_column(&rest, name);) {
        char room[NP_EXPERIMENT_NUMBER];
        const char *text = np_series_text(series, point->number, name, sizeof room, room);
        if (is_column(series->kind->columns, name))
            write_column(series, point, row, name, stream);
        else
            np_csv_text(text ? text : "", stream);
    }
}

static void write_keys(const columns *c, const np_series *series, const np_experiment_point *point, size_t runs,
                       FILE *stream)
{
    for (size_t i = 0; i < c->keys; i++) {
        char room[NP_EXPERIMENT_NUMBER];
        const char *text = np_series_text(series, point->number, c->key[i], sizeof room, room);
        fputc(',', stream);
        if (!strcmp(c->key[i], "runs"))
            fprintf(stream, "%zu", runs);
        else if (text)
            np_csv_field(text, stream);
    }
}

/* The fit of the row's measure along its curve, the same in all rows of the curve. */
static void write_fit(const np_experiment_results *results, const np_experiment_point *point, const np_sample *sample,
                      FILE *stream)
{
    const np_experiment_fit *fit = results->fit;
    while (fit < results->fit + results->fits &&
           (!fit->found || fit->series != point->series || !np_experiment_shows(sample, fit->y)))
        fit++;
    if (fit == results->fit + results->fits) {
        fputs(",,,,,,", stream);
        return;
    }
    const np_growth *g = &fit->growth;
    fprintf(stream, ",%s,%s,%s,%s,%s,%s", np_growth_law_name(g->law), NP_REAL(g->a, 10), NP_REAL(g->a_error, 10),
            NP_REAL(g->b, 10), NP_REAL(g->b_error, 10), NP_REAL(g->explained, 10));
}

static np_status write_pair(const np_series *other, const np_sample *sample, const np_samples *partner, FILE *stream)
{
    np_paired pair;
    bool found;
    np_status st = np_experiment_compare(sample, partner, &pair, &found);
    if (!found) {
        fputs(",,,,", stream);
        return st;
    }
    fputc(',', stream);
    np_csv_field(other->label, stream);
    fprintf(stream, ",%s,", NP_REAL(pair.difference, 10));
    fputs(isnan(pair.difference_error) ? "" : NP_REAL(pair.difference_error, 10), stream);
    fprintf(stream, ",%s", NP_REAL(pair.p, 10));
    return NP_OK;
}

/* Where the rows of a point go. */
typedef struct writing {
    const columns *columns;
    const np_experiment_results *results;
    const np_experiment_point *point;
    np_samples samples, partner; /* partner: of the point with which it is compared, if there is one */
    FILE *stream;
} writing;

static np_status write_row(const writing *w, const np_sample *sample)
{
    const columns *c = w->columns;
    const np_series *series = &c->experiment->serie[w->point->series];
    np_experiment_row row;
    np_status st = np_experiment_row_make(series->kind, &w->samples, sample, &row);
    if (st)
        return st;
    np_csv_text(series->label, w->stream);
    write_columns(c, series, w->point, &row, w->stream);
    np_csv_text(row.measure, w->stream);
    np_csv_summary(&row.summary, w->stream);
    write_keys(c, series, w->point, row.summary.count, w->stream);
    if (c->fits)
        write_fit(w->results, w->point, sample, w->stream);
    if (c->compares)
        st = write_pair(&c->experiment->serie[series->against], sample, &w->partner, w->stream);
    fputc('\n', w->stream);
    return st;
}

static np_status write_point(const columns *c, const np_experiment_results *results, const np_experiment_point *point,
                             FILE *stream)
{
    writing w = {.columns = c, .results = results, .point = point, .stream = stream};
    np_status st = np_archive_read(results->archive, point->id, NULL, point->runs, &w.samples);
    if (!st && c->compares)
        st = np_experiment_partner(results, point, &w.partner);
    for (size_t i = 0; i < w.samples.count && !st; i++)
        if (!w.samples.sample[i].axis)
            st = write_row(&w, &w.samples.sample[i]);
    np_samples_clear(&w.samples);
    np_samples_clear(&w.partner);
    return st;
}

static np_status write_all(const np_experiment_results *results, FILE *stream)
{
    columns c = {.experiment = results->experiment};
    np_status st = NP_OK;
    find_columns(&c);
    write_head(&c, stream);
    for (size_t i = 0; i < results->points && !st && !ferror(stream); i++) /* np_output_commit reports a cause */
        st = write_point(&c, results, &results->point[i], stream);
    return st;
}

np_status np_experiment_write(const np_experiment_results *results, const char *directory)
{
    np_output *output;
    char *path;
    np_status st = np_experiment_path(directory, results->experiment->name, ".csv", &path);
    if (st)
        return st;
    st = np_output_open(path, &output);
    np_memory_free(path);
    if (st)
        return st;
    if (!(st = write_all(results, np_output_stream(output))))
        return np_output_commit(output);
    np_output_discard(output);
    return st;
}
