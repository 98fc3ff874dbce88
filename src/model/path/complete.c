/*
 * Paths on the complete network: at u, destination v, next hop v, over port
 * v - u - 1 mod N. Ticket: v.
 */
#include "model/path/path.h"

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t nodes = path->network->nodes;
    for (size_t i = 0; i < count; i++) {
        np_node to = (np_node)ticket[i];
        np_port way = to > at[i] ? to - at[i] - 1 : to + nodes - at[i] - 1;
        port[i] = at[i] == to ? NP_NONE : way;
    }
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    (void)path;
    for (size_t i = 0; i < count; i++)
        hops[i] = at[i] != (np_node)ticket[i];
}

const np_path_rule np_path_direct = {
    .info = {"direct", "the one hop", "", .networks = "complete"},
    .shortest = true,
    .only = &(const np_only){NP_KIND_COMPLETE, "every node must be a neighbour of every other"},
    .start = np_path_start_target,
    .next = next,
    .remaining = remaining,
    .memoryless = true,
};
