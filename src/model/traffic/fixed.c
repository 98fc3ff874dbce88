/*
 * Traffic fixed by arithmetic on node (or terminal) numbers 0 .. N-1, for every network:
 *   identity    u -> u
 *   complement  u -> N-1-u: every bit of u where N is a power of two, every
 *               base-d digit on the d-way shuffle, every coordinate on a mesh
 *   rotation:K  u -> (u + K) mod N
 *   tornado     a little less than half-way round: + ceil(side/2) - 1 in every
 *               dimension of a torus or HyperX, else + ceil(N/2) - 1 on node
 *               numbers; where hosts hang on every switch, those of switches
 *   all-to-all  every u to every other node, in ascending order
 */
#include "model/traffic/traffic.h"

static np_node identity(const np_traffic_plan *plan, np_node u)
{
    (void)plan;
    return u;
}

const np_traffic_generator np_traffic_identity = {
    .info = {"identity", "every node sends to itself (two-phase schemes still go by way of a random node)",
             "Valiant & Brebner 1981, section 7", .parameters = ""},
    .image = identity,
};

static np_node complement(const np_traffic_plan *plan, np_node u) { return plan->terminals - 1 - u; }

const np_traffic_generator np_traffic_complement = {
    .info = {"complement", "node u sends to N-1-u: every bit, digit or coordinate mirrored", "", .parameters = ""},
    .image = complement,
};

static np_node rotated(np_node u, uint64_t by, np_node nodes) { return (np_node)((u + by) % nodes); }

static np_status plan_rotation(np_traffic_plan *plan)
{
    return np_traffic_plan_number(plan, "the distance K", 0, plan->terminals - 1);
}

static np_node rotation(const np_traffic_plan *plan, np_node u) { return rotated(u, plan->number, plan->terminals); }

const np_traffic_generator np_traffic_rotation = {
    .info = {"rotation", "node u sends to (u + K) mod N", "", .parameters = ":K", .example = "rotation:3"},
    .plan = plan_rotation,
    .image = rotation,
};

/* ceil(side / 2) - 1 */
static uint32_t almost_half(uint32_t side) { return (side - 1) / 2; }

static np_node tornado_one(const np_traffic_plan *plan, np_node u)
{
    const np_network *network = np_traffic_grid(plan);
    if (!np_network_is(network, NP_KIND_TORUS | NP_KIND_HYPERX))
        return rotated(u, almost_half(network->terminals), network->terminals);
    np_node v = 0;
    for (uint32_t i = 0; i < network->dimensions; i++) {
        uint32_t side = network->side[i];
        v += rotated(np_network_coordinate(network, u, i), almost_half(side), side) * network->stride[i];
    }
    return v;
}

static np_node tornado(const np_traffic_plan *plan, np_node u) { return np_traffic_lift(plan, u, tornado_one); }

const np_traffic_generator np_traffic_tornado = {
    .info = {"tornado", "just under half-way round each ring of a torus, else round the node numbers", "",
             .parameters = ""},
    .image = tornado,
};

static np_status plan_all_to_all(np_traffic_plan *plan)
{
    plan->packets = (uint64_t)plan->terminals * (plan->terminals - 1);
    return NP_OK;
}

static np_status make_all_to_all(const np_traffic_plan *plan, const np_draws *draws, np_node *source,
                                 np_node *destination)
{
    np_node nodes = plan->terminals;
    size_t i = 0;
    (void)draws;
    for (np_node u = 0; u < nodes; u++)
        for (np_node v = 0; v < nodes; v++)
            if (v != u) {
                source[i] = u;
                destination[i++] = v;
            }
    return NP_OK;
}

const np_traffic_generator np_traffic_all_to_all = {
    .info = {"all-to-all", "every node sends one packet to every other node: N(N-1) packets", "", .parameters = ""},
    .plan = plan_all_to_all,
    .make = make_all_to_all,
};
