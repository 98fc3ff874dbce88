/* The charts of an experiment: means over the runs, bars of the 95% confidence interval, a curve for each series. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "report/experiment.h"
#include "report/plot.h"

/* A chart's curves and the arrays under them: one place to free. */
typedef struct curves {
    size_t count;
    np_plot_curve *curve; /* [series shown] */
    double *values;       /* x, y and error of all points */
} curves;

/* Is the row's measure the chart's? "A.steps", or "steps" where there are no phases. */
static bool shows(const np_chart *chart, const np_experiment_row *row)
{
    size_t phase = strlen(row->phase);
    if (!phase)
        return !strcmp(chart->y, row->measure);
    return !strncmp(chart->y, row->phase, phase) && chart->y[phase] == '.' &&
           !strcmp(chart->y + phase + 1, row->measure);
}

/* The row's x on the chart's axis; NAN if it has none. */
static double place(const np_chart *chart, const np_series_kind *kind, const np_experiment_row *row)
{
    for (size_t i = 0; kind->axes[i].name; i++)
        if (!strcmp(kind->axes[i].name, chart->x))
            return row->x[i];
    return (double)NAN;
}

/* The point's row for the chart; NULL if there is none, or no x for it. */
static const np_experiment_row *find(const np_chart *chart, const np_series_kind *kind, const np_point *point)
{
    for (size_t i = 0; i < point->rows; i++)
        if (shows(chart, &point->row[i]))
            return isnan(place(chart, kind, &point->row[i])) ? NULL : &point->row[i];
    return NULL;
}

/* Appends the points of one series that have the chart's measure. Without such points there is no curve. */
static void add_curve(const np_experiment *e, const np_chart *chart, size_t series, size_t points,
                      const np_point *point, curves *c, double *room)
{
    const np_series_kind *kind = e->serie[series].kind;
    size_t count = 0;
    double *x = room, *y = room + points, *error = room + 2 * points;
    for (size_t i = 0; i < points; i++) {
        const np_experiment_row *row = point[i].series == series ? find(chart, kind, &point[i]) : NULL;
        if (!row)
            continue;
        x[count] = place(chart, kind, row);
        y[count] = row->summary.mean;
        error[count++] = row->summary.ci95;
    }
    if (count)
        c->curve[c->count++] = (np_plot_curve){e->serie[series].label, count, x, y, error, NULL, NULL};
}

static np_status make_curves(const np_experiment *e, const np_chart *chart, size_t points, const np_point *point,
                             curves *c)
{
    np_status st;
    *c = (curves){0};
    if ((st = np_memory_zeroed(&c->curve, chart->series, sizeof *c->curve, "a plot")) ||
        (st = np_memory_zeroed(&c->values, chart->series * points, 3 * sizeof *c->values, "a plot")))
        return st;
    for (size_t i = 0; i < chart->series; i++)
        add_curve(e, chart, chart->shown[i], points, point, c, c->values + 3 * points * i);
    return NP_OK;
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
    size_t size = strlen(options->directory) + strlen(chart->file) + 2;
    char *stem;
    bool drawn = true;
    np_status st = np_memory_array(&stem, size, 1, "a file name");
    if (st)
        return st;
    snprintf(stem, size, "%s/%s", options->directory, chart->file);
    if (!(st = np_plot_write(&plot, stem))) {
        outcome->plots++;
        if (outcome->drawn)
            st = draw_images(stem, options->plotter, &drawn);
        outcome->drawn = outcome->drawn && drawn;
    }
    np_memory_free(stem);
    return st;
}

/* With --only a chart may lack all its series: it is not drawn. Otherwise no curve means a wrong phase or measure. */
static np_status chart_without_curves(const np_experiment *e, const np_experiment_options *options, size_t i)
{
    if (options->only)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "%s: plots[%zu].y: no series has '%s' (the CSV, now written, names all)", e->source,
                    i, e->chart[i].y);
}

np_status np_experiment_draw(const np_experiment *experiment, const np_experiment_options *options, size_t points,
                             const np_point *point, np_experiment_outcome *outcome)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < experiment->charts && !st; i++) {
        const np_chart *chart = &experiment->chart[i];
        curves c;
        st = make_curves(experiment, chart, points, point, &c);
        if (!st && !c.count)
            st = chart_without_curves(experiment, options, i);
        else if (!st)
            st = draw_chart(chart, options, &c, outcome);
        np_memory_free(c.curve);
        np_memory_free(c.values);
    }
    return st;
}
