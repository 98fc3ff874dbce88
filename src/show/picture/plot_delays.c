/* The delay histogram of a route: the share of the packets with each delay, a curve for each phase, logarithmic. */
#include <stdio.h>

#include "base/memory.h"
#include "base/plural.h"
#include "show/picture/plot.h"

enum { LABEL_MAX = 32, PHASES_MAX = 64 };

/* The packets with each delay that occurs, as shares: fills curve->x, y. */
static np_status fill_curve(const np_phase_result *phase, np_plot_curve *curve, char *label)
{
    double *x, *y, all = 0;
    np_status st;
    if ((st = np_memory_array(&x, phase->delays, sizeof *x, "a plot")))
        return st;
    curve->x = x;
    if ((st = np_memory_array(&y, phase->delays, sizeof *y, "a plot")))
        return st;
    curve->y = y;
    snprintf(label, LABEL_MAX, "phase %s", phase->name);
    curve->label = label;
    for (size_t i = 0; i < phase->delays; i++)
        all += (double)phase->delay_histogram[i];
    for (size_t i = 0; i < phase->delays; i++) {
        if (!phase->delay_histogram[i])
            continue;
        x[curve->points] = (double)i;
        y[curve->points++] = (double)phase->delay_histogram[i] / all;
    }
    return NP_OK;
}

static np_status plot_curves(const np_route_result *result, np_plot_curve *curves, const char *image,
                             const np_report_plotter *plotter, bool *drawn)
{
    char labels[PHASES_MAX][LABEL_MAX], title[512];
    np_status st = NP_OK;
    size_t phases = result->phases < PHASES_MAX ? result->phases : PHASES_MAX;
    for (size_t i = 0; i < phases && !st; i++)
        st = fill_curve(&result->phase[i], &curves[i], labels[i]);
    if (st)
        return st;
    snprintf(title, sizeof title, "%.150s, %.100s, %.150s: delays over %u run%s", result->network, result->scheme,
             result->traffic, result->runs, np_plural(result->runs));
    np_plot plot = {.title = title,
                    .x_label = "delay (steps waiting)",
                    .y_label = "share of the packets",
                    .log_y = true,
                    .bars = true,
                    .curves = phases,
                    .curve = curves};
    return np_plot_image(&plot, image, plotter, drawn);
}

np_status np_report_plot_delays(const np_route_result *result, const char *image, const np_report_plotter *plotter,
                                bool *drawn)
{
    np_plot_curve curves[PHASES_MAX] = {{0}};
    np_status st;
    *drawn = false;
    if ((st = np_report_plot_check(image)))
        return st;
    if (!result->packets)
        return NP_RAISE(NP_ERROR_INPUT, "cannot plot into '%s': there are no packets", image);
    st = plot_curves(result, curves, image, plotter, drawn);
    for (size_t i = 0; i < PHASES_MAX; i++) {
        NP_MEMORY_FREE((void *)curves[i].x, (void *)curves[i].y);
    }
    return st;
}
