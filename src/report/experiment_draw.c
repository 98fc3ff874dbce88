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

/* The place of the chart's phase among the point's; their number if it lacks it, or the measure, or what x is. */
static size_t find(const np_chart *chart, const np_point *point)
{
    for (size_t i = 0; i < point->phases; i++) {
        const np_phase_result *phase = &point->phase[i];
        if (strlen(phase->name) != chart->phase_length || strncmp(phase->name, chart->phase, chart->phase_length))
            continue;
        bool there = np_measure_of(chart->measure, phase)->count && np_measure_speaks(chart->measure, phase) &&
                     (chart->x != NP_CHART_BOUND || point->bound[i] > 0);
        return there ? i : point->phases;
    }
    return point->phases;
}

static double place(const np_chart *chart, const np_point *point, size_t phase)
{
    switch (chart->x) {
    case NP_CHART_LOG2_NODES: return log2((double)point->nodes);
    case NP_CHART_LOG2_TERMINALS: return log2((double)point->terminals);
    case NP_CHART_BOUND: return point->bound[phase];
    default: return (double)point->nodes;
    }
}

/* Appends the points of one series that have the chart's phase; none: no curve. */
static size_t add_curve(const np_chart *chart, const char *label, size_t series, size_t points,
                        const np_point *point, curves *c, double *room)
{
    size_t count = 0;
    double *x = room, *y = room + points, *error = room + 2 * points;
    for (size_t i = 0; i < points; i++) {
        size_t phase = point[i].series == series ? find(chart, &point[i]) : point[i].phases;
        if (phase == point[i].phases)
            continue;
        const np_summary *summary = np_measure_of(chart->measure, &point[i].phase[phase]);
        x[count] = place(chart, &point[i], phase);
        y[count] = summary->mean;
        error[count++] = summary->ci95;
    }
    if (count)
        c->curve[c->count++] = (np_plot_curve){label, count, x, y, error};
    return count;
}

static np_status make_curves(const np_experiment *e, const np_chart *chart, size_t points, const np_point *point,
                             curves *c)
{
    np_status st;
    *c = (curves){0};
    if ((st = np_memory_zeroed(&c->curve, chart->series, sizeof *c->curve, "a plot")) ||
        (st = np_memory_zeroed(&c->values, chart->series * points, 3 * sizeof *c->values, "a plot")))
        return st;
    for (size_t i = 0; i < chart->series; i++) {
        size_t series = chart->shown[i];
        add_curve(chart, e->serie[series].label, series, points, point, c, c->values + 3 * points * i);
    }
    return NP_OK;
}

static np_status draw_images(const char *stem, bool *drawn)
{
    np_status st = np_plot_draw(stem, "svg", drawn);
    return st || !*drawn ? st : np_plot_draw(stem, "png", drawn);
}

static np_status draw_chart(const np_chart *chart, const char *directory, const curves *c,
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
    size_t size = strlen(directory) + strlen(chart->file) + 2;
    char *stem;
    bool drawn = true;
    np_status st = np_memory_array(&stem, size, 1, "a file name");
    if (st)
        return st;
    snprintf(stem, size, "%s/%s", directory, chart->file);
    if (!(st = np_plot_write(&plot, stem))) {
        outcome->plots++;
        if (outcome->drawn)
            st = draw_images(stem, &drawn);
        outcome->drawn = outcome->drawn && drawn;
    }
    np_memory_free(stem);
    return st;
}

/* With --only a chart may lack all its series: then it is not drawn. Else no curve means a wrong phase. */
static np_status chart_without_curves(const np_experiment *e, const np_experiment_options *options, size_t i)
{
    if (options->only)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "%s: plots[%zu].y: no series has '%s' (the CSV, now written, names all)",
                    e->source, i, e->chart[i].phase);
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
            st = draw_chart(chart, options->directory, &c, outcome);
        np_memory_free(c.curve);
        np_memory_free(c.values);
    }
    return st;
}
