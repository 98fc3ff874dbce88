/*
 * What is made of several points of an experiment: how a measure of a curve grows with the size, and how each point of
 * a curve compares with that of another on the same draws. All of it comes out of the archive.
 */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "lab/experiment/experiment.h"

/* The value of a sample on an axis: the same in all runs, or the mean. NAN: there is none. */
static double axis_value(const np_sample *sample, uint32_t runs)
{
    double sum = 0;
    if (sample->constant)
        return sample->value[0];
    for (uint32_t r = 0; r < runs; r++)
        sum += sample->value[r];
    return sum > 0 ? sum / runs : (double)NAN;
}

/* The row's place on an axis: the axis is of its phase, or of all phases. */
static double place(const np_samples *samples, const char *phase, const char *axis)
{
    for (size_t i = 0; i < samples->count; i++) {
        const np_sample *s = &samples->sample[i];
        if (s->axis && !strcmp(s->measure, axis) && (!*s->phase || !strcmp(s->phase, phase)))
            return axis_value(s, samples->runs);
    }
    return (double)NAN;
}

np_status np_experiment_row_make(const np_series_kind *kind, const np_samples *samples, const np_sample *sample,
                                 np_experiment_row *row)
{
    *row = (np_experiment_row){.phase = sample->phase, .measure = sample->measure};
    for (size_t i = 0; kind->axes[i].name; i++)
        row->x[i] = place(samples, sample->phase, kind->axes[i].name);
    return np_summary_compute(samples->runs, sample->value, &row->summary);
}

/* ---- Points ---- */

bool np_experiment_shows(const np_sample *sample, const char *y)
{
    size_t phase = strlen(sample->phase);
    if (sample->axis)
        return false;
    if (!phase)
        return !strcmp(y, sample->measure);
    return !strncmp(y, sample->phase, phase) && y[phase] == '.' && !strcmp(y + phase + 1, sample->measure);
}

np_status np_experiment_find(const np_experiment_results *results, const np_experiment_point *point, const char *y,
                             np_experiment_row *row, bool *found)
{
    const np_series_kind *kind = results->experiment->serie[point->series].kind;
    const char *dot = strstr(kind->columns, "phase") ? strchr(y, '.') : NULL;
    np_samples samples;
    np_status st = np_archive_read(results->archive, point->id, dot ? dot + 1 : y, point->runs, &samples);
    *found = false;
    for (size_t i = 0; i < samples.count && !st && !*found; i++)
        if (np_experiment_shows(&samples.sample[i], y)) {
            st = np_experiment_row_make(kind, &samples, &samples.sample[i], row);
            *found = !st;
        }
    np_samples_clear(&samples);
    return st;
}

double np_experiment_x(const np_series_kind *kind, const np_experiment_row *row, const char *axis)
{
    for (size_t i = 0; kind->axes[i].name; i++)
        if (!strcmp(kind->axes[i].name, axis))
            return row->x[i];
    return (double)NAN;
}

/* ---- Growth ---- */

/* The sizes and values of the curve's points that have both. */
static np_status collect(const np_experiment_results *results, np_experiment_fit *fit, double *size, double *value,
                         size_t *count)
{
    const np_series *s = &results->experiment->serie[fit->series];
    np_status st = NP_OK;
    *count = 0;
    for (size_t i = 0; i < results->points && !st; i++) {
        np_experiment_row row;
        bool found = false;
        if (results->point[i].series == fit->series)
            st = np_experiment_find(results, &results->point[i], fit->y, &row, &found);
        fit->measured = fit->measured || found;
        fit->absent = fit->absent || (!st && found && !row.summary.count);
        if (st || !found || isnan(np_experiment_x(s->kind, &row, s->fit_x)) || !row.summary.count)
            continue;
        size[*count] = np_experiment_x(s->kind, &row, s->fit_x);
        value[(*count)++] = row.summary.mean;
    }
    return st;
}

static np_status fit(np_experiment_results *results, size_t series, const char *y, double *room)
{
    double *size = room, *value = room + results->points;
    np_experiment_fit found = {.series = series, .y = y};
    size_t count;
    np_status st = collect(results, &found, size, value, &count);
    if (st)
        return st;
    found.found = !np_growth_fit(count, size, value, &found.growth);
    results->fit[results->fits++] = found;
    return NP_OK;
}

/* Was the series run? */
static bool has_points(const np_experiment_results *results, size_t series)
{
    bool has = false;
    for (size_t i = 0; i < results->points; i++)
        has = has || results->point[i].series == series;
    return has;
}

static size_t count_fits(const np_experiment *e)
{
    size_t count = 0;
    for (size_t i = 0; i < e->series; i++)
        count += json_array_size(e->serie[i].fit);
    return count;
}

np_status np_experiment_fits(np_experiment_results *results)
{
    const np_experiment *e = results->experiment;
    size_t most = count_fits(e);
    double *room = NULL;
    np_status st;
    if (!most)
        return NP_OK;
    if ((st = np_memory_zeroed(&results->fit, most, sizeof *results->fit, "the fits")) ||
        (st = np_memory_array(&room, results->points, 2 * sizeof *room, "a fit")))
        return st;
    for (size_t i = 0; i < e->series && !st; i++)
        for (size_t k = 0; has_points(results, i) && k < json_array_size(e->serie[i].fit) && !st; k++)
            st = fit(results, i, json_string_value(json_array_get(e->serie[i].fit, k)), room);
    np_memory_free(room);
    return st;
}

const np_experiment_fit *np_experiment_fit_get(const np_experiment_results *results, size_t series, const char *y)
{
    for (size_t i = 0; i < results->fits; i++) {
        const np_experiment_fit *f = &results->fit[i];
        if (f->found && f->series == series && !strcmp(f->y, y))
            return f;
    }
    return NULL;
}

void np_experiment_fit_text(const np_growth *growth, const char *size, size_t room, char *out)
{
    if (growth->law == NP_GROWTH_POWER)
        snprintf(out, room, "%s %s^%s", NP_REAL(growth->a, 4), size, NP_REAL(growth->b, 4));
    else if (growth->law == NP_GROWTH_LOG)
        snprintf(out, room, "%s + %s log2 %s", NP_REAL(growth->a, 4), NP_REAL(growth->b, 4), size);
    else
        snprintf(out, room, "%s + %s %s", NP_REAL(growth->a, 4), NP_REAL(growth->b, 4), size);
}

/* ---- Pairs ---- */

/* The point of the curve that a point's curve is compared with; NULL: there is none, or it is not in the results. */
static const np_experiment_point *partner_of(const np_experiment_results *results, const np_experiment_point *point)
{
    size_t against = results->experiment->serie[point->series].against;
    for (const np_experiment_point *p = results->point; p < results->point + results->points; p++)
        if (p->series == against && p->number == point->number && against != point->series)
            return p;
    return NULL;
}

np_status np_experiment_partner(const np_experiment_results *results, const np_experiment_point *point, np_samples *out)
{
    const np_experiment_point *partner = partner_of(results, point);
    *out = (np_samples){0};
    if (!partner)
        return NP_OK;
    uint32_t runs = partner->runs < point->runs ? partner->runs : point->runs;
    return np_archive_read(results->archive, partner->id, NULL, runs, out);
}

np_status np_experiment_compare(const np_sample *sample, const np_samples *partner, np_paired *out, bool *found)
{
    *found = false;
    for (size_t i = 0; i < partner->count; i++) {
        const np_sample *s = &partner->sample[i];
        if (s->axis || strcmp(s->phase, sample->phase) != 0 || strcmp(s->measure, sample->measure) != 0)
            continue;
        np_status st = np_paired_compare(partner->runs, sample->value, s->value, out);
        *found = !st;
        return st == NP_ERROR_APPLY ? NP_OK : st; /* it needs two runs that have both */
    }
    return NP_OK;
}

/* ---- Words ---- */

static void tell_fit(const np_experiment_results *results, const np_experiment_fit *fit,
                     const np_experiment_options *options)
{
    const np_series *series = &results->experiment->serie[fit->series];
    const np_growth *g = &fit->growth;
    char line[640], law[96];
    if (!fit->found) {
        const char *why = !fit->measured ? "no point has this phase and measure"
                          : fit->absent  ? "it needs three points that have the phase, of more than one size"
                                         : "it needs three points, of more than one size";
        snprintf(line, sizeof line, "%.300s: %.60s: no fit: %s", series->label, fit->y, why);
        options->on_finding(options->context, line);
        return;
    }
    np_experiment_fit_text(g, series->fit_x, sizeof law, law);
    snprintf(line, sizeof line, "%.300s: %.60s = %s, a +- %s, b +- %s, explains %s%%", series->label, fit->y, law,
             NP_REAL(g->a_error, 3), NP_REAL(g->b_error, 3), NP_REAL(100 * g->explained, 4));
    options->on_finding(options->context, line);
}

/* Is the sample one that the series fits, or that a chart draws? */
static bool is_asked(const np_experiment *e, const np_series *series, const np_sample *sample)
{
    bool asked = false;
    for (size_t i = 0; i < json_array_size(series->fit); i++)
        asked = asked || np_experiment_shows(sample, json_string_value(json_array_get(series->fit, i)));
    for (size_t i = 0; i < e->charts; i++)
        asked = asked || np_experiment_shows(sample, e->chart[i].y);
    return asked;
}

static void tell_pair(const np_experiment_results *results, const np_experiment_point *point, const np_sample *sample,
                      const np_paired *pair, const np_experiment_options *options)
{
    const np_series *series = &results->experiment->serie[point->series];
    char line[1000];
    snprintf(line, sizeof line, "%.300s against %.300s on %.100s: %s%s%s %s%s %s%s, p = %s", series->label,
             results->experiment->serie[series->against].label, np_series_spec(series, point->number), sample->phase,
             *sample->phase ? "." : "", sample->measure, signbit(pair->difference) ? "" : "+",
             NP_REAL(pair->difference, 4), isnan(pair->difference_error) ? "in all runs" : "+- ",
             isnan(pair->difference_error) ? "" : NP_REAL(pair->difference_error, 3), NP_REAL(pair->p, 3));
    options->on_finding(options->context, line);
}

/* *told: some measure was compared; *absent: some could not be, because too few runs had its phase. */
static np_status tell_point(const np_experiment_results *results, const np_experiment_point *point,
                            const np_experiment_options *options, bool *told, bool *absent)
{
    const np_experiment *e = results->experiment;
    np_samples samples, partner;
    np_status st = np_archive_read(results->archive, point->id, NULL, point->runs, &samples);
    if (st) {
        np_samples_clear(&samples);
        return st;
    }
    st = np_experiment_partner(results, point, &partner);
    for (size_t i = 0; i < samples.count && !st; i++) {
        const np_sample *s = &samples.sample[i];
        np_paired pair;
        bool found;
        if (s->axis || !is_asked(e, &e->serie[point->series], s) ||
            (st = np_experiment_compare(s, &partner, &pair, &found)))
            continue;
        *absent = *absent || (!found && partner.count && point->runs > 1);
        if (!found)
            continue;
        tell_pair(results, point, s, &pair, options);
        *told = true;
    }
    np_samples_clear(&samples);
    np_samples_clear(&partner);
    return st;
}

/* Says why nothing is said of a comparison that was asked for. */
static void tell_why_not(const np_experiment_results *results, size_t series, bool absent,
                         const np_experiment_options *options)
{
    const np_series *s = &results->experiment->serie[series];
    const char *why = "in the CSV; here stand the comparisons of measures that are fitted or drawn";
    char line[1000];
    if (absent)
        why = "no comparison: it needs two runs that have the phase in both";
    for (const np_experiment_point *p = results->point; p < results->point + results->points; p++)
        if (p->series == series && p->runs < 2)
            why = "no comparison: it needs two runs of each point";
    if (!has_points(results, s->against))
        why = "no comparison: the other curve was not run";
    snprintf(line, sizeof line, "%.300s against %.300s: %s", s->label, results->experiment->serie[s->against].label,
             why);
    options->on_finding(options->context, line);
}

static np_status tell_pairs(const np_experiment_results *results, size_t series, const np_experiment_options *options)
{
    bool told = false, absent = false;
    np_status st = NP_OK;
    for (size_t i = 0; i < results->points && !st; i++)
        if (results->point[i].series == series)
            st = tell_point(results, &results->point[i], options, &told, &absent);
    if (!st && !told && has_points(results, series))
        tell_why_not(results, series, absent, options);
    return st;
}

np_status np_experiment_tell(const np_experiment_results *results, const np_experiment_options *options)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < results->fits; i++)
        tell_fit(results, &results->fit[i], options);
    for (size_t i = 0; i < results->experiment->series && !st; i++)
        if (results->experiment->serie[i].against != i)
            st = tell_pairs(results, i, options);
    return st;
}
