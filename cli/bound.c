/*
 * For a ladder of delays: the bound on the probability that a run exceeds it,
 * and the share of the runs that did. A theorem is for one path rule and
 * perhaps one discipline, and for phases that wait for one another: nothing is
 * printed for a run that it does not speak of.
 */
#include "bound.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"

enum { LADDER = 8, SOURCE_MAX = 512 };

static bool speaks_of(const np_bound *bound, const np_route_result *result)
{
    return bound->applies && !result->overlap && (!bound->paths || !strcmp(bound->paths, result->paths)) &&
           (!bound->queue || !strcmp(bound->queue, result->queue));
}

/* The share of the runs in which the theorem's measure reached x. */
static double measured(const np_bound *bound, const np_phase_result *phase, uint32_t runs, double x)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < runs; i++)
        count += bound->measure == NP_BOUND_DELAY ? phase->run[i].delay_max >= x
                                                  : phase->run[i].steps > bound->base + x;
    return (double)count / runs;
}

static bool fill(const np_bound *bound, const np_phase_result *phase, uint32_t runs, np_report_bound *out)
{
    double x[LADDER];
    size_t rows = np_bound_ladder(bound, bound->measure, LADDER, x);
    np_report_bound_row *row = malloc((rows + 1) * sizeof *row);
    char *source = malloc(SOURCE_MAX);
    out->phase = phase->name;
    out->source = source;
    out->row = row;
    if (!row || !source)
        return false;
    snprintf(source, SOURCE_MAX, "%s, %s: %s", bound->source, bound->theorem, bound->formula);
    out->rows = rows;
    out->measure = bound->measure == NP_BOUND_DELAY ? "delay" : "steps";
    for (size_t i = 0; i < rows; i++)
        row[i] = (np_report_bound_row){bound->measure == NP_BOUND_DELAY ? x[i] : bound->base + x[i],
                                       np_bound_at(bound, bound->measure, x[i]).probability,
                                       measured(bound, phase, runs, x[i])};
    return true;
}

int cli_report_bound(const np_network *network, const np_route_result *result, np_report_bound **bounds,
                     size_t *count)
{
    *count = 0;
    *bounds = calloc(result->phases + 1, sizeof **bounds);
    if (!*bounds)
        return cli_fail("no memory for the bounds");
    for (size_t i = 0; i < result->phases; i++) {
        const np_phase_result *phase = &result->phase[i];
        np_bound bound;
        np_bound_for(result->scheme, network, result->relation, result->packets, phase->name, &bound);
        if (!speaks_of(&bound, result))
            continue;
        if (!fill(&bound, phase, result->runs, &(*bounds)[(*count)++])) {
            cli_bound_free(*bounds, *count);
            return cli_fail("no memory for the bounds");
        }
    }
    return 0;
}

void cli_bound_free(np_report_bound *bounds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free((void *)bounds[i].source);
        free((void *)bounds[i].row);
    }
    free(bounds);
}
