/* The costs of the algorithms for an operation over l, one curve for each algorithm. */
#include <math.h>
#include <stdio.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/real.h"
#include "show/table/collective.h"
#include "show/picture/plot.h"

enum { PER_DECADE = 8 };

/* x: [points], y: [points] for each model; filled here. */
static np_status plot_curves(const np_network *network, const char *operation, const np_report_collective_options *more,
                             size_t points, double *x, double *y, const char *image, const np_report_plotter *plotter,
                             bool *drawn)
{
    np_plot_curve curves[NP_COLLECTIVE_MODELS] = {{0}};
    np_collective_options with = *more->collective;
    char title[512];
    for (size_t i = 0; i < points; i++)
        x[i] = floor(np_power(10, (double)i / PER_DECADE) + 0.5);
    for (size_t i = 0; i < more->models; i++) {
        curves[i] = (np_plot_curve){.label = more->model[i].algorithm, .points = points, .x = x, .y = y + i * points};
        for (size_t j = 0; j < points; j++) {
            with.data = x[j];
            y[i * points + j] = np_collective_price(&more->model[i], &with).cost;
        }
    }
    snprintf(title, sizeof title, "%s on %.150s: c_v = %s, c_a = %s", operation, np_network_spec(network),
             NP_REAL(with.cv, 15), NP_REAL(with.ca, 15));
    np_plot plot = {.title = title,
                    .x_label = "l (data)",
                    .y_label = "cost",
                    .log_x = true,
                    .log_y = true,
                    .curves = more->models,
                    .curve = curves};
    return np_plot_image(&plot, image, plotter, drawn);
}

np_status np_report_plot_collective(const np_network *network, const char *operation,
                                    const np_report_collective_options *more, const char *image,
                                    const np_report_plotter *plotter, bool *drawn)
{
    np_report_collective_options full;
    double *x = NULL, *y = NULL;
    np_status st;
    *drawn = false;
    if ((st = np_options_take(&np_report_collective_options_fields, more, &full)))
        return st;
    if (!full.collective || !full.models)
        return NP_RAISE(NP_ERROR_INPUT, "a plot of algorithms needs their models and the options of the collective");
    more = &full;
    size_t points = (size_t)(PER_DECADE * np_log10(np_collective_largest(more->collective)) + 0.5) + 1;
    if (!(st = np_report_plot_check(image)) && !(st = np_memory_array(&x, points, sizeof *x, "a plot")) &&
        !(st = np_memory_array(&y, points * more->models, sizeof *y, "a plot")))
        st = plot_curves(network, operation, more, points, x, y, image, plotter, drawn);
    NP_MEMORY_FREE(x, y);
    return st;
}
