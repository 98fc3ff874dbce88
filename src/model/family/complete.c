/*
 * The complete network: a link from every node to every other. Port p of node
 * u leads to u + 1 + p mod N, so that rotations of the nodes keep port
 * numbers. N (N-1) link numbers: N <= 65536.
 */
#include "model/family/parameter.h"

enum { NODES_MIN = 2, NODES_MAX = 65536 };

static np_status create(np_network *network, const char *parameters)
{
    np_status st =
        np_parameter_whole(network, "the number of nodes", parameters, NODES_MIN, NODES_MAX, &network->nodes);
    network->ports = network->nodes - 1;
    return st;
}

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t nodes = network->nodes, ports = network->ports;
    for (size_t i = 0; i < count; i++) {
        np_node u = np_divide(link[i], network->by_ports);
        np_node v = u + 1 + (link[i] - u * ports);
        head[i] = v < nodes ? v : v - nodes;
    }
}

static bool bisection(const np_network *network, uint64_t *out)
{
    *out = (uint64_t)network->nodes * network->nodes / 4;
    return true;
}

static np_node relative(const np_network *network, np_node u, np_node v)
{
    return v >= u ? v - u : v + network->nodes - u;
}

const np_network_family np_complete = {
    .info = {"complete", "complete network of N nodes, degree N-1", "", .parameters = "N", .example = "complete:64",
             .takes = "N 2..65536"},
    .kind = NP_KIND_COMPLETE,
    .regular = true,
    .node_symmetric = true,
    .create = create,
    .heads = heads,
    .linear = &(const np_linear){0, 1, 1},
    .bisection = bisection,
    .relative = relative,
};
