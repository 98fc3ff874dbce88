/*
 * Latency against load: a curve for each path rule, and what theory says of it as thin lines: of its mean along the
 * curve, of loads upright. A line for a load far above all that were measured would squeeze the curves and is left out.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "show/picture/plot.h"

#define NEAR 1.25 /* times the largest load: ours */

typedef struct drawing {
    np_plot_curve *curve; /* [curves] so far */
    size_t curves;
    double *value;      /* the next free place of the points' numbers */
    double top, widest; /* the largest latency that is drawn, and the largest load */
    char *label;        /* the next free place of labels */
} drawing;

enum { LABEL = 80 };

/* Points are drawn up to saturation; of a curve that is saturated from the first one on, that one. */
static size_t shown_of(const np_load_curve *c)
{
    size_t shown = 0;
    while (shown < c->count && !c->points[shown].saturated)
        shown++;
    return shown ? shown : c->count > 0;
}

/* y_of: of the k-th point; NAN: it is left out. */
static np_plot_curve *add(drawing *d, const char *label, const np_load_curve *c, const double *y)
{
    np_plot_curve *curve = &d->curve[d->curves++];
    double *x = d->value, *values = x + c->count;
    size_t points = 0, shown = y ? c->count : shown_of(c);
    d->value += 3 * c->count;
    for (size_t k = 0; k < shown; k++) {
        double here = y ? y[k] : c->points[k].latency.mean;
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

/* "links: accepted at most": whose they are the colour says. */
static const char *label_of(drawing *d, const np_load_theorem *t)
{
    char *label = d->label;
    d->label += LABEL;
    snprintf(label, LABEL, "%.40s: %.30s", t->name, t->says);
    return label;
}

/* From the axis to the largest latency. */
static void add_upright(drawing *d, const char *label, double load)
{
    double *x = d->value, *y = x + 2;
    d->value += 4;
    x[0] = x[1] = load;
    y[0] = 0;
    y[1] = d->top;
    d->curve[d->curves++] = (np_plot_curve){.label = label, .points = 2, .x = x, .y = y, .fit = true};
}

static void add_theorem(drawing *d, const np_load_curve *c, const np_load_theorem *t)
{
    if (!t->applies || !t->count)
        return;
    if (!strncmp(t->says, "mean", 4))
        add(d, label_of(d, t), c, t->value);
    else if (t->value[0] <= NEAR * d->widest)
        add_upright(d, label_of(d, t), t->value[0]);
}

static void add_curve(drawing *d, const np_load_curve *c)
{
    add(d, c->paths, c, NULL);
    for (size_t i = 0; i < c->theorems; i++)
        add_theorem(d, c, &c->theorem[i]);
}

static void find_extent(drawing *d, const np_load_result *result)
{
    for (size_t i = 0; i < result->curves; i++)
        for (size_t k = 0, shown = shown_of(&result->curve[i]); k < result->curve[i].count; k++) {
            const np_load_point *p = &result->curve[i].points[k];
            d->widest = p->offered > d->widest ? p->offered : d->widest;
            d->top = k < shown && p->latency.mean > d->top ? p->latency.mean : d->top;
        }
}

/* Room for all curves, their numbers and the labels of theorems. */
static np_status make_room(drawing *d, const np_load_result *result)
{
    size_t curves = 0, numbers = 0;
    np_status st;
    for (size_t i = 0; i < result->curves; i++) {
        size_t lines = 1 + result->curve[i].theorems, points = result->curve[i].count;
        curves += lines;
        numbers += lines * (3 * points + 4);
    }
    if ((st = np_memory_array(&d->curve, curves, sizeof *d->curve, "a plot")) ||
        (st = np_memory_array(&d->value, numbers, sizeof *d->value, "a plot")))
        return st;
    return np_memory_array(&d->label, curves, LABEL, "a plot");
}

np_status np_report_plot_load(const np_load_result *result, const char *image, const np_report_plotter *plotter,
                              bool *drawn)
{
    drawing d = {.curve = NULL};
    char title[256];
    np_status st = np_report_plot_check(image);
    *drawn = false;
    if (!st)
        st = make_room(&d, result);
    double *values = d.value;
    char *labels = d.label;
    if (!st) {
        find_extent(&d, result);
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
    NP_MEMORY_FREE(d.curve, values, labels);
    return st;
}
