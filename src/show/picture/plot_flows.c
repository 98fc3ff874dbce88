/* What all flows together send over time. */
#include <stdio.h>

#include "base/memory.h"
#include "base/plural.h"
#include "show/picture/plot.h"

/* A box a step, from 0 to the rate. */
static np_status fill(const np_flows_result *r, np_plot_curve *c, double *room[4])
{
    np_status st = NP_OK;
    for (size_t k = 0; k < 4 && !st; k++)
        st = np_memory_zeroed(&room[k], r->rate_count, sizeof *room[k], "a plot");
    for (size_t i = 0; i < r->rate_count && !st; i++) {
        double end = r->rate_start + (double)(i + 1) * r->rate_step;
        room[0][i] = r->rate_start + (double)i * r->rate_step;
        room[2][i] = end < r->makespan ? end : r->makespan;
        room[3][i] = r->rate[i];
    }
    *c = (np_plot_curve){
        .label = "all flows", .points = r->rate_count, .x = room[0], .y = room[1], .x_end = room[2], .y_end = room[3]};
    return st;
}

np_status np_report_plot_flows(const np_flows_result *result, const char *image, const np_report_plotter *plotter,
                               bool *drawn)
{
    double *room[4] = {NULL};
    char title[512];
    np_plot_curve curve;
    np_status st = np_report_plot_check(image);
    *drawn = false;
    if (!st && !result->rate_count)
        return NP_RAISE(NP_ERROR_INPUT, "cannot plot into '%s': nothing is sent over a link, or no rates are recorded",
                        image);
    if (st)
        return st;
    if (!(st = fill(result, &curve, room))) {
        snprintf(title, sizeof title, "%.150s, %.150s: %zu flow%s", np_network_spec(result->network), result->traffic,
                 result->flows, np_plural(result->flows));
        const np_plot plot = {.title = title,
                              .x_label = result->link_rate ? "time (seconds)" : "time (steps)",
                              .y_label = result->link_rate ? "bytes a second" : "packets a step",
                              .curves = 1,
                              .curve = &curve};
        st = np_plot_image(&plot, image, plotter, drawn);
    }
    for (size_t k = 0; k < 4; k++)
        np_memory_free(room[k]);
    return st;
}
