/* Theorems 3 and 4 of Valiant & Brebner 1981. The paper's dimension m is coordinate k - m of a mesh, as in
 * src/verdict/bound/bound.c. */
#include "show/bound/bound.h"

#include <string.h>

#include "base/real.h"
#include "model/network/network.h"

typedef struct grid {
    uint32_t dimensions, side[NP_MAX_DIMENSIONS], relation;
    double packets;
} grid;

static grid grid_of(const np_network *network, uint32_t relation, np_packet packets)
{
    grid g = {.dimensions = network->dimensions, .relation = relation, .packets = packets};
    for (uint32_t m = 1; m <= g.dimensions; m++)
        g.side[m - 1] = network->side[g.dimensions - m];
    return g;
}

static np_bound_timed timed(const grid *of, double g)
{
    return np_bound_theorem4_timed(of->dimensions, of->side, of->relation, of->packets, g);
}

bool np_report_bound_timed_applies(const np_network *network, const np_route_result *result)
{
    return !strcmp(result->scheme, "grid") && np_network_is(network, NP_KIND_OPEN_GRIDS) && !result->overlap &&
           !strcmp(result->queue, "moved-first") && !strcmp(result->paths, "dimension-order");
}

static double share_late(const grid *of, const np_route_result *result, double g)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < result->runs; r++) {
        bool late = false;
        for (uint32_t i = 0; i < result->phases; i++) {
            np_bound_grid_phase phase = np_bound_grid_phase_at(of->dimensions, of->side, of->relation, of->packets, i);
            late |= result->phase[i].run[r].steps > np_bound_grid_time(&phase, g);
        }
        count += late;
    }
    return (double)count / result->runs;
}

static double at_slack(const void *of, double g) { return timed(of, g).failure; }

/* For a ladder of slacks, the share of the runs in which phases that ended by themselves took longer. */
static void add_ladder(const grid *of, const np_route_result *result, np_report_bound *out)
{
    enum { RUNGS = 6 };
    double before = -1;
    for (size_t i = 0; i < RUNGS; i++) {
        double g = np_report_bound_rung(&(np_report_curve){at_slack, of}, i, &before);
        np_bound_timed at = timed(of, g);
        if (g >= 0)
            out->row[out->rows++] = (np_report_bound_row){.value = at.steps,
                                                          .bound = np_exp(at.failure),
                                                          .log2 = at.failure / NP_LN2,
                                                          .measured = share_late(of, result, g)};
    }
}

/* The phases were given their time: each has a slack of at least this time less the longest side. */
static void add_given(const grid *of, const np_route_result *result, np_report_bound *out)
{
    uint32_t longest = 0;
    for (uint32_t m = 0; m < of->dimensions; m++)
        longest = of->side[m] > longest ? of->side[m] : longest;
    double failure = result->phase_time < longest ? 0 : timed(of, result->phase_time - longest).failure;
    out->row[out->rows++] = (np_report_bound_row){.value = (double)result->phase_time * (2 * of->dimensions - 1),
                                                  .bound = np_exp(failure < 0 ? failure : 0),
                                                  .log2 = (failure < 0 ? failure : 0) / NP_LN2,
                                                  .measured = (double)result->fallback_runs / result->runs};
}

void np_report_bound_timed(const np_network *network, const np_route_result *result, uint32_t relation,
                           np_packet packets, np_report_bound *out)
{
    grid of = grid_of(network, relation, packets);
    *out =
        (np_report_bound){.phase = "total",
                          .theorem = of.dimensions <= 2 ? "Theorem 3" : "Theorem 4",
                          .source = "Valiant & Brebner 1981, section 8",
                          .formula = "P[some phase is not done in its n + g steps] <= sum over the phases of T max_s "
                                     "B(s+g, ...); steps: (2k-1)(n + g), where a first phase without delay has n",
                          .relation = relation,
                          .packets = packets,
                          .measure = "steps"};
    if (result->phase_time)
        add_given(&of, result, out);
    else
        add_ladder(&of, result, out);
}
