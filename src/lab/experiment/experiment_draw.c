/* The charts of an experiment: means over the runs, bars of the 95% confidence interval, a curve for each series. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "lab/experiment/experiment.h"
#include "show/picture/plot.h"

/* A chart's curves and the arrays under them: one place to free. */
typedef struct curves {
    size_t count;
    np_plot_curve *curve; /* [2 * series shown] */
    double *values;       /* x, y, error and fit of all points */
    char (*labels)[96];   /* [2 * series shown] of fits */
    bool absent;          /* no run of some point had the phase */
} curves;

/* The points of one series that have the chart's measure, and what its fit says of them. */
typedef struct strand {
    size_t count;
    double *x, *y, *error, *fitted;
    bool absent; /* some point has the measure, of a phase that none of its runs had */
} strand;

static np_status add_point(const np_experiment_results *results, const np_chart *chart,
                           const np_experiment_point *point, strand *s)
{
    const np_series *series = &results->experiment->serie[point->series];
    const np_experiment_fit *fit = np_experiment_fit_get(results, point->series, chart->y);
    np_experiment_row row;
    bool found;
    np_status st = np_experiment_find(results, point, chart->y, &row, &found);
    s->absent = s->absent || (!st && found && !row.summary.count);
    double x = st || !found || !row.summary.count ? (double)NAN : np_experiment_x(series->kind, &row, chart->x);
    if (isnan(x))
        return st;
    s->x[s->count] = x;
    s->y[s->count] = row.summary.mean;
    s->error[s->count] = isnan(row.summary.ci95) ? 0 : row.summary.ci95;
    s->fitted[s->count++] =
        fit ? np_growth_at(&fit->growth, np_experiment_x(series->kind, &row, series->fit_x)) : (double)NAN;
    return st;
}

/* The curve of the fit, through the points' places, in the colour of the curve before it. */
static void add_fit(const np_experiment_results *results, const np_chart *chart, size_t series, const strand *s,
                    curves *c)
{
    const np_experiment_fit *fit = np_experiment_fit_get(results, series, chart->y);
    char *label = c->labels[c->count];
    if (!fit)
        return;
    np_experiment_fit_text(&fit->growth, results->experiment->serie[series].fit_x, sizeof c->labels[0], label);
    c->curve[c->count] = (np_plot_curve){label, s->count, s->x, s->fitted, NULL, NULL, NULL, true};
    c->count++;
}

/* Appends the points of one series that have the chart's measure. Without such points there is no curve. */
static np_status add_curve(const np_experiment_results *results, const np_chart *chart, size_t series, curves *c,
                           double *room)
{
    size_t points = results->points;
    strand s = {0, room, room + points, room + 2 * points, room + 3 * points, false};
    np_status st = NP_OK;
    for (size_t i = 0; i < points && !st; i++)
        if (results->point[i].series == series)
            st = add_point(results, chart, &results->point[i], &s);
    c->absent = c->absent || s.absent;
    if (!s.count || st)
        return st;
    c->curve[c->count++] =
        (np_plot_curve){results->experiment->serie[series].label, s.count, s.x, s.y, s.error, NULL, NULL, false};
    add_fit(results, chart, series, &s, c);
    return st;
}

static np_status make_curves(const np_experiment_results *results, const np_chart *chart, curves *c)
{
    size_t points = results->points;
    np_status st;
    *c = (curves){0};
    if ((st = np_memory_zeroed(&c->curve, 2 * chart->series, sizeof *c->curve, "a plot")) ||
        (st = np_memory_zeroed(&c->labels, 2 * chart->series, sizeof *c->labels, "a plot")) ||
        (st = np_memory_zeroed(&c->values, chart->series * points, 4 * sizeof *c->values, "a plot")))
        return st;
    for (size_t i = 0; i < chart->series && !st; i++)
        st = add_curve(results, chart, chart->shown[i], c, c->values + 4 * points * i);
    return st;
}

static np_status draw_images(const char *stem, const np_report_plotter *plotter, bool *drawn)
{
    np_status st = np_plot_draw(stem, "svg", plotter, drawn);
    return st || !*drawn ? st : np_plot_draw(stem, "png", plotter, drawn);
}

static np_status draw_chart(const np_chart *chart, const np_experiment_options *options, const curves *c,
                            np_experiment_outcome *outcome)
{
    np_plot plot = {.title = chart->title,
                    .x_label = chart->x_label,
                    .y_label = chart->y_label,
                    .log_x = chart->log_x,
                    .log_y = chart->log_y,
                    .y_min = chart->y_min,
                    .curves = c->count,
                    .curve = c->curve};
    char *stem;
    bool drawn = true;
    np_status st = np_experiment_path(options->directory, chart->file, "", &stem);
    if (st)
        return st;
    if (!(st = np_plot_write(&plot, stem))) {
        outcome->plots++;
        if (outcome->drawn)
            st = draw_images(stem, options->plotter, &drawn);
        outcome->drawn = outcome->drawn && drawn;
    }
    np_memory_free(stem);
    return st;
}

/*
 * With --only a chart may lack all its series, and no run may have had its phase: it is not drawn. Otherwise no curve
 * means a wrong phase or measure.
 */
static np_status chart_without_curves(const np_experiment *e, const np_experiment_options *options, const curves *c,
                                      size_t i)
{
    char line[200];
    if (c->absent && options->on_finding) {
        snprintf(line, sizeof line, "%.80s: no plot: no run had this phase", e->chart[i].y);
        options->on_finding(options->context, line);
    }
    if (options->only || c->absent)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "%s: plots[%zu].y: no series has '%s' (the CSV, now written, names all)", e->source,
                    i, e->chart[i].y);
}

np_status np_experiment_draw(const np_experiment_results *results, const np_experiment_options *options,
                             np_experiment_outcome *outcome)
{
    const np_experiment *experiment = results->experiment;
    np_status st = NP_OK;
    for (size_t i = 0; i < experiment->charts && !st; i++) {
        const np_chart *chart = &experiment->chart[i];
        curves c;
        st = make_curves(results, chart, &c);
        if (!st && !c.count)
            st = chart_without_curves(experiment, options, &c, i);
        else if (!st)
            st = draw_chart(chart, options, &c, outcome);
        NP_MEMORY_FREE(c.curve, c.values, c.labels);
    }
    return st;
}
