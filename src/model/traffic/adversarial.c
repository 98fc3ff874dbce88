/*
 * The traffic that shortest paths of a family serve worst, by the book. Draws have the purpose NP_RANDOM_TRAFFIC; item
 * = terminal.
 *
 *   dragonfly      a random node of the next group: all packets of a group share its cable to the next one (Kim, Dally,
 *                  Scott & Abts 2008, section 4.2)
 *   HyperX         a random host of the next switch of the row, in dimension 0: all hosts of a switch share one cable
 *                  (Ahn, Binkert, Davis, McLaren & Schreiber 2009)
 *   torus, ring    tornado: half of the links of each ring are idle (Singh, Dally, Towles & Gupta 2002)
 */
#include "model/traffic/traffic.h"

extern const np_traffic_generator np_traffic_tornado;

static np_status plan_adversarial(np_traffic_plan *plan)
{
    plan->random = np_network_is(plan->network, NP_KIND_DRAGONFLY) || np_traffic_group(plan->network) > 1;
    if (np_network_is(plan->network, NP_KIND_DRAGONFLY) ||
        np_network_is(np_traffic_grid(plan), NP_KIND_HYPERX | NP_KIND_CLOSED_GRIDS))
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY,
                    "traffic 'adversarial' is for dragonflies, HyperX and tori, and %s is none: try near-worst, which "
                    "searches for what a path rule serves badly",
                    np_network_spec(plan->network));
}

/* The group or switch to which that one sends. */
static np_node next_of(const np_traffic_plan *plan, np_node from)
{
    const np_network *grid = np_traffic_grid(plan);
    if (np_network_is(plan->network, NP_KIND_DRAGONFLY))
        return (from + 1) % plan->network->side[3];
    np_node x = np_network_coordinate(grid, from, 0);
    return from + (x + 1 < grid->side[0] ? 1 : 1 - grid->side[0]) * grid->stride[0];
}

static np_status make_part(const np_traffic_plan *plan, const np_draws *draws, np_packet first, np_packet count,
                           np_node *source, np_node *destination)
{
    np_node of = np_traffic_group(plan->network);
    bool ring = np_network_is(np_traffic_grid(plan), NP_KIND_CLOSED_GRIDS);
    for (np_packet i = 0; i < count; i++) {
        source[i] = first + i;
        destination[i] = ring ? np_traffic_tornado.image(plan, first + i)
                              : next_of(plan, (first + i) / of) * of + np_random_below(draws, first + i, 0, of);
    }
    return NP_OK;
}

const np_traffic_generator np_traffic_adversarial = {
    .info = {"adversarial",
             "what shortest paths serve badly on a dragonfly, HyperX or torus: next group, next switch, tornado",
             "Kim, Dally, Scott & Abts 2008, section 4.2", .parameters = ""},
    .plan = plan_adversarial,
    .part = make_part,
    .anew = true,
};
