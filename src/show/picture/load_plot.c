/* Latency against load: a curve for each path rule, and the theorems on its mean as thin lines. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "show/picture/plot.h"

typedef struct drawing {
    np_plot_curve *curve; /* [curves] so far */
    size_t curves;
    double *value; /* the next free place of the points' numbers */
} drawing;

/* y_of: of the k-th point; NAN: it is left out. */
static np_plot_curve *add(drawing *d, const char *label, const np_load_curve *c, const double *y)
{
    np_plot_curve *curve = &d->curve[d->curves++];
    double *x = d->value, *values = x + c->count;
    size_t points = 0;
    d->value += 3 * c->count;
    for (size_t k = 0; k < c->count; k++) {
        double here = y ? y[k] : c->points[k].saturated ? NAN : c->points[k].latency.mean;
        if (isnan(here))
            continue;
        x[points] = c->points[k].window ? c->points[k].accepted : c->points[k].offered;
        values[points] = here;
        values[c->count + points++] = y || isnan(c->points[k].latency.ci95) ? 0 : c->points[k].latency.ci95;
    }
    *curve = (np_plot_curve){.label = label, .points = points, .x = x, .y = values, .fit = y != NULL};
    if (!y)
        curve->error = values + c->count;
    return curve;
}

static void add_curve(drawing *d, const np_load_curve *c)
{
    add(d, c->paths, c, NULL);
    for (size_t i = 0; i < c->theorems; i++)
        if (c->theorem[i].applies && !strncmp(c->theorem[i].says, "mean", 4))
            add(d, c->theorem[i].name, c, c->theorem[i].value);
}

np_status np_report_plot_load(const np_load_result *result, const char *image, const np_report_plotter *plotter,
                              bool *drawn)
{
    drawing d = {.curve = NULL};
    double *values = NULL;
    size_t curves = 0, numbers = 0;
    char title[256];
    np_status st = np_report_plot_check(image);
    *drawn = false;
    for (size_t i = 0; i < result->curves; i++) {
        curves += 1 + result->curve[i].theorems;
        numbers += 3 * (1 + result->curve[i].theorems) * result->curve[i].count;
    }
    if (!st && !(st = np_memory_array(&d.curve, curves, sizeof *d.curve, "a plot")) &&
        !(st = np_memory_array(&values, numbers, sizeof *values, "a plot"))) {
        d.value = values;
        for (size_t i = 0; i < result->curves; i++)
            add_curve(&d, &result->curve[i]);
        snprintf(title, sizeof title, "%.100s, %.80s, model %.20s", np_network_spec(result->network), result->traffic,
                 result->options.model);
        np_plot plot = {.title = title,
                        .x_label = result->options.window ? "round trips (a terminal and cycle)"
                                                          : "offered load (flits a terminal and cycle)",
                        .y_label = result->options.window ? "mean round trip (cycles)" : "mean latency (cycles)",
                        .curves = d.curves,
                        .curve = d.curve};
        st = np_plot_image(&plot, image, plotter, drawn);
    }
    np_memory_free(d.curve);
    np_memory_free(values);
    return st;
}
