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

/* Is the sample the chart's measure? "A.steps", or "steps" where there are no phases. */
static bool shows(const np_chart *chart, const np_sample *sample)
{
    size_t phase = strlen(sample->phase);
    if (sample->axis)
        return false;
    if (!phase)
        return !strcmp(chart->y, sample->measure);
    return !strncmp(chart->y, sample->phase, phase) && chart->y[phase] == '.' &&
           !strcmp(chart->y + phase + 1, sample->measure);
}

/* The row's x on the chart's axis; NAN if it has none. */
static double place(const np_chart *chart, const np_series_kind *kind, const np_experiment_row *row)
{
    for (size_t i = 0; kind->axes[i].name; i++)
        if (!strcmp(kind->axes[i].name, chart->x))
            return row->x[i];
    return (double)NAN;
}

/* Reads the chart's measure of a point; *found: there is one, and it has an x. */
static np_status find(const np_experiment_results *results, const np_chart *chart, const np_point *point,
                      np_experiment_row *row, bool *found)
{
    const np_series_kind *kind = results->experiment->serie[point->series].kind;
    const char *dot = strstr(kind->columns, "phase") ? strchr(chart->y, '.') : NULL;
    np_samples samples;
    np_status st = np_archive_read(results->archive, point->id, dot ? dot + 1 : chart->y, point->runs, &samples);
    *found = false;
    for (size_t i = 0; i < samples.count && !st && !*found; i++)
        if (shows(chart, &samples.sample[i])) {
            st = np_experiment_row_make(kind, &samples, &samples.sample[i], row);
            *found = !st && !isnan(place(chart, kind, row));
        }
    np_samples_clear(&samples);
    return st;
}

/* Appends the points of one series that have the chart's measure. Without such points there is no curve. */
static np_status add_curve(const np_experiment_results *results, const np_chart *chart, size_t series, curves *c,
                           double *room)
{
    const np_series *of = &results->experiment->serie[series];
    size_t count = 0, points = results->points;
    double *x = room, *y = room + points, *error = room + 2 * points;
    np_status st = NP_OK;
    for (size_t i = 0; i < points && !st; i++) {
        np_experiment_row row;
        bool found = false;
        if (results->point[i].series == series)
            st = find(results, chart, &results->point[i], &row, &found);
        if (!found)
            continue;
        x[count] = place(chart, of->kind, &row);
        y[count] = row.summary.mean;
        error[count++] = row.summary.ci95;
    }
    if (count)
        c->curve[c->count++] = (np_plot_curve){of->label, count, x, y, error, NULL, NULL};
    return st;
}

static np_status make_curves(const np_experiment_results *results, const np_chart *chart, curves *c)
{
    size_t points = results->points;
    np_status st;
    *c = (curves){0};
    if ((st = np_memory_zeroed(&c->curve, chart->series, sizeof *c->curve, "a plot")) ||
        (st = np_memory_zeroed(&c->values, chart->series * points, 3 * sizeof *c->values, "a plot")))
        return st;
    for (size_t i = 0; i < chart->series && !st; i++)
        st = add_curve(results, chart, chart->shown[i], c, c->values + 3 * points * i);
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

/* With --only a chart may lack all its series: it is not drawn. Otherwise no curve means a wrong phase or measure. */
static np_status chart_without_curves(const np_experiment *e, const np_experiment_options *options, size_t i)
{
    if (options->only)
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
            st = chart_without_curves(experiment, options, i);
        else if (!st)
            st = draw_chart(chart, options, &c, outcome);
        np_memory_free(c.curve);
        np_memory_free(c.values);
    }
    return st;
}
