/* What all flows together send over time, and what each of several jobs sends, one upon the other. */
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

static np_status draw(const char *title, const char *link_rate, size_t curves, const np_plot_curve *curve,
                      const char *image, const np_report_plotter *plotter, bool *drawn)
{
    const np_plot plot = {.title = title,
                          .x_label = link_rate ? "time (seconds)" : "time (steps)",
                          .y_label = link_rate ? "bytes a second" : "packets a step",
                          .curves = curves,
                          .curve = curve};
    return np_plot_image(&plot, image, plotter, drawn);
}

static np_status check(const char *image, size_t rates)
{
    np_status st = np_report_plot_check(image);
    if (st || rates)
        return st;
    return NP_RAISE(NP_ERROR_INPUT, "cannot plot into '%s': nothing is sent over a link, or no rates are recorded",
                    image);
}

np_status np_report_plot_flows(const np_flows_result *result, const char *image, const np_report_plotter *plotter,
                               bool *drawn)
{
    double *room[4] = {NULL};
    char title[512];
    np_plot_curve curve;
    np_status st = check(image, result->rate_count);
    *drawn = false;
    if (st)
        return st;
    if (!(st = fill(result, &curve, room))) {
        snprintf(title, sizeof title, "%.150s, %.150s: %zu flow%s", np_network_spec(result->network), result->traffic,
                 result->flows, np_plural(result->flows));
        st = draw(title, result->link_rate, 1, &curve, image, plotter, drawn);
    }
    for (size_t k = 0; k < 4; k++)
        np_memory_free(room[k]);
    return st;
}

/* ---- Jobs ---- */

/* Boxes of all jobs: those of a job stand upon those of the jobs before it. room: [4][count * rate_count] */
static void stack(const np_jobs_result *r, np_plot_curve *curve, double *room[4])
{
    size_t n = r->rate_count;
    for (size_t j = 0; j < r->count; j++) {
        for (size_t i = 0; i < n; i++) {
            double end = r->rate_start + (double)(i + 1) * r->rate_step;
            room[0][j * n + i] = r->rate_start + (double)i * r->rate_step;
            room[1][j * n + i] = j ? room[3][(j - 1) * n + i] : 0;
            room[2][j * n + i] = end < r->makespan ? end : r->makespan;
            room[3][j * n + i] = room[1][j * n + i] + r->rate[j * n + i];
        }
        curve[j] = (np_plot_curve){.label = r->job[j].name,
                                   .points = n,
                                   .x = room[0] + j * n,
                                   .y = room[1] + j * n,
                                   .x_end = room[2] + j * n,
                                   .y_end = room[3] + j * n};
    }
}

np_status np_report_plot_jobs(const np_jobs_result *result, const char *image, const np_report_plotter *plotter,
                              bool *drawn)
{
    double *room[4] = {NULL};
    char title[256];
    np_plot_curve *curve = NULL;
    np_status st = check(image, result->rate_count);
    *drawn = false;
    if (st)
        return st;
    st = np_memory_zeroed(&curve, result->count, sizeof *curve, "a plot");
    for (size_t k = 0; k < 4 && !st; k++)
        st = np_memory_zeroed(&room[k], result->count * result->rate_count, sizeof *room[k], "a plot");
    if (!st) {
        stack(result, curve, room);
        snprintf(title, sizeof title, "%.200s: %zu job%s", np_network_spec(result->network), result->count,
                 np_plural(result->count));
        st = draw(title, result->link_rate, result->count, curve, image, plotter, drawn);
    }
    for (size_t k = 0; k < 4; k++)
        np_memory_free(room[k]);
    np_memory_free(curve);
    return st;
}
