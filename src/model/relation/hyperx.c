/*
 * Dimension order on HyperX: at (x_0, .., x_(k-1)), destination (y_0, .., y_(k-1)), next hop to y_i in the first
 * dimension i where x_i and y_i differ, by one of the parallel cables of the dimension, drawn. One class: a channel of
 * a dimension is followed by one of a later dimension.
 */
#include "model/relation/rule.h"

static np_status prepare(np_relation *r, const char *parameter)
{
    const uint32_t *width = np_network_own(r->routers);
    for (uint32_t i = 0; i < r->routers->dimensions; i++)
        if (width[i] >= NP_CANDIDATES)
            return NP_RAISE(NP_ERROR_LIMIT, "paths '%s' choose among at most %d parallel cables: %s has %u",
                            r->rule->info.name, NP_CANDIDATES - 1, np_network_spec(r->network), width[i]);
    return *parameter ? np_relation_refuse_parameter(r, parameter) : NP_OK;
}

static unsigned ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    const np_network *network = r->routers;
    const uint32_t *width = np_network_own(network);
    np_port first = 0;
    (void)course;
    for (uint32_t i = 0; at != to && i < network->dimensions; i++) {
        uint32_t x = np_network_coordinate(network, at, i), y = np_network_coordinate(network, to, i);
        uint32_t side = network->side[i];
        if (x != y) {
            first += (y > x ? y - x - 1 : y + side - x - 1) * width[i];
            for (uint32_t k = 0; k < width[i]; k++)
                out[k] = (np_candidate){.port = first + k};
            return width[i];
        }
        first += (side - 1) * width[i];
    }
    return 0;
}

const np_relation_rule np_relation_dimension_order_hyperx = {
    .info = {"dimension-order", "ascending dimensions, a hop each", "Ahn, Binkert, Davis, McLaren & Schreiber 2009",
             .networks = "hyperx, flattened-butterfly"},
    .shortest = true,
    .theorem = "channels ascend by dimension",
    .only = &(const np_only){NP_KIND_HYPERX, "its dimensions are those of a HyperX"},
    .prepare = prepare,
    .ways = ways,
};
