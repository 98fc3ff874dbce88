/*
 * Which algorithm wins where, as a plane: l across, c_a upwards, both logarithmic, and a colour for each winner. c_v is
 * as given; only the ratio c_a / c_v matters. The winner is found in each cell of a grid; cells above one another with
 * the same winner become one box.
 */
#include <math.h>
#include <stdio.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/real.h"
#include "show/table/collective.h"
#include "show/picture/plot.h"

enum { PER_DECADE = 24 };

/* The boxes of all winners; the boxes of model i are in the order in which they were found. */
typedef struct regions {
    const np_report_collective_options *more;
    size_t across, upwards; /* cells */
    double lowest;          /* c_a of the lowest cell */
    size_t count[NP_COLLECTIVE_MODELS];
    double *box[NP_COLLECTIVE_MODELS]; /* x, y, x_end, y_end, each [across * upwards] */
} regions;

static double grid(double lowest, size_t i) { return lowest * np_power(10, (double)i / PER_DECADE); }

/* The model that wins in the middle of a cell. */
static size_t winner(const regions *r, size_t x, size_t y)
{
    const double half = np_power(10, 0.5 / PER_DECADE);
    np_collective_options with = *r->more->collective;
    size_t best = 0;
    double least = 0;
    with.data = grid(1, x) * half;
    with.ca = grid(r->lowest, y) * half;
    for (size_t i = 0; i < r->more->models; i++) {
        double cost = np_collective_price(&r->more->model[i], &with).cost;
        if (i && cost >= least)
            continue;
        best = i;
        least = cost;
    }
    return best;
}

static void add_box(regions *r, size_t model, size_t x, size_t y, size_t y_end)
{
    size_t i = r->count[model]++, room = r->across * r->upwards;
    double *box = r->box[model];
    box[i] = grid(1, x);
    box[room + i] = grid(r->lowest, y);
    box[2 * room + i] = grid(1, x + 1);
    box[3 * room + i] = grid(r->lowest, y_end);
}

static void find_boxes(regions *r)
{
    for (size_t x = 0; x < r->across; x++)
        for (size_t y = 0, end; y < r->upwards; y = end) {
            size_t model = winner(r, x, y);
            for (end = y + 1; end < r->upwards && winner(r, x, end) == model;)
                end++;
            add_box(r, model, x, y, end);
        }
}

static np_status draw(const regions *r, const np_network *network, const char *operation, const char *image,
                      const np_report_plotter *plotter, bool *drawn)
{
    const np_collective_options *o = r->more->collective;
    np_plot_curve curves[NP_COLLECTIVE_MODELS + 1] = {{0}};
    size_t count = 0, room = r->across * r->upwards;
    char title[512];
    for (size_t i = 0; i < r->more->models; i++)
        if (r->count[i])
            curves[count++] = (np_plot_curve){.label = r->more->model[i].algorithm,
                                              .points = r->count[i],
                                              .x = r->box[i],
                                              .y = r->box[i] + room,
                                              .x_end = r->box[i] + 2 * room,
                                              .y_end = r->box[i] + 3 * room};
    if (o->ca > 0)
        curves[count++] = (np_plot_curve){.label = "as asked", .points = 1, .x = &o->data, .y = &o->ca};
    snprintf(title, sizeof title, "The cheapest %s on %.150s: c_v = %s", operation, np_network_spec(network),
             NP_REAL(o->cv, 15));
    np_plot plot = {.title = title,
                    .x_label = "l (data)",
                    .y_label = "c_a (for each round)",
                    .log_x = true,
                    .log_y = true,
                    .curves = count,
                    .curve = curves};
    return np_plot_image(&plot, image, plotter, drawn);
}

/* c_a from a hundredth of c_v to a million times c_v, and to ten times the given c_a; c_v counts as at least 1e-9. */
static void choose_range(regions *r)
{
    const np_collective_options *o = r->more->collective;
    double cv = o->cv > 0 ? fmax(o->cv, 1e-9) : 1, highest = o->ca > 1e5 * cv ? 10 * o->ca : 1e6 * cv;
    r->lowest = cv / 100;
    r->across = (size_t)(PER_DECADE * np_log10(np_collective_largest(o)) + 0.5);
    r->upwards = (size_t)ceil(PER_DECADE * np_log10(highest / r->lowest) - 1e-9);
}

np_status np_report_plot_collective_regions(const np_network *network, const char *operation,
                                            const np_report_collective_options *more, const char *image,
                                            const np_report_plotter *plotter, bool *drawn)
{
    np_report_collective_options full;
    regions r = {.more = &full};
    np_status st;
    *drawn = false;
    if ((st = np_options_take(&np_report_collective_options_fields, more, &full)) || (st = np_report_plot_check(image)))
        return st;
    if (!full.collective || !full.models)
        return NP_RAISE(NP_ERROR_INPUT, "a plot of algorithms needs their models and the options of the collective");
    choose_range(&r);
    for (size_t i = 0; i < full.models && !st; i++)
        st = np_memory_array(&r.box[i], 4 * r.across * r.upwards, sizeof *r.box[i], "a plot");
    if (!st) {
        find_boxes(&r);
        st = draw(&r, network, operation, image, plotter, drawn);
    }
    for (size_t i = 0; i < full.models; i++)
        np_memory_free(r.box[i]);
    return st;
}
