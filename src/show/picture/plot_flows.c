/* What all flows together send over time, and what each of several jobs sends, one upon the other. */
#include <stdio.h>

#include "base/memory.h"
#include "base/plural.h"
#include "show/picture/plot.h"

/* Rates over time; the last step may end before its time. */
typedef struct rates {
    size_t count;
    double start, step, end;
} rates;

/* A box a step, which stands upon those of `below`, if there are any. room: [4][count] of the curve. */
static np_plot_curve boxes_of(const char *label, const rates *r, const double *rate, const np_plot_curve *below,
                              double *const room[4], size_t at)
{
    double *x = room[0] + at, *y = room[1] + at, *x_end = room[2] + at, *y_end = room[3] + at;
    for (size_t i = 0; i < r->count; i++) {
        double end = r->start + (double)(i + 1) * r->step;
        x[i] = r->start + (double)i * r->step;
        y[i] = below ? below->y_end[i] : 0;
        x_end[i] = end < r->end ? end : r->end;
        y_end[i] = y[i] + rate[i];
    }
    return (np_plot_curve){.label = label, .points = r->count, .x = x, .y = y, .x_end = x_end, .y_end = y_end};
}

static np_status make_room(double *room[4], size_t boxes)
{
    np_status st = NP_OK;
    for (size_t k = 0; k < 4 && !st; k++)
        st = np_memory_zeroed(&room[k], boxes, sizeof *room[k], "a plot");
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

static np_status check(const char *image, size_t count)
{
    np_status st = np_report_plot_check(image);
    if (st || count)
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
    if (!(st = make_room(room, result->rate_count))) {
        const rates r = {result->rate_count, result->rate_start, result->rate_step, result->makespan};
        curve = boxes_of("all flows", &r, result->rate, NULL, room, 0);
        snprintf(title, sizeof title, "%.150s, %.150s: %zu flow%s", np_network_spec(result->network), result->traffic,
                 result->flows, np_plural(result->flows));
        st = draw(title, result->link_rate, 1, &curve, image, plotter, drawn);
    }
    NP_MEMORY_FREE(room[0], room[1], room[2], room[3]);
    return st;
}

/* ---- Jobs ---- */

/* Boxes of all jobs: those of a job stand upon those of the jobs before it. room: [4][count * rate_count] */
static void stack(const np_jobs_result *result, np_plot_curve *curve, double *const room[4])
{
    const rates r = {result->rate_count, result->rate_start, result->rate_step, result->makespan};
    for (size_t j = 0; j < result->count; j++)
        curve[j] =
            boxes_of(result->job[j].name, &r, result->rate + j * r.count, j ? &curve[j - 1] : NULL, room, j * r.count);
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
    if (!st && !(st = make_room(room, result->count * result->rate_count))) {
        stack(result, curve, room);
        snprintf(title, sizeof title, "%.200s: %zu job%s", np_network_spec(result->network), result->count,
                 np_plural(result->count));
        st = draw(title, result->link_rate, result->count, curve, image, plotter, drawn);
    }
    NP_MEMORY_FREE(room[0], room[1], room[2], room[3]);
    np_memory_free(curve);
    return st;
}
