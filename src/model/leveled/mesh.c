/*
 * Meshes (Leighton, Maggs, Ranade & Rao 1994, section 3). A packet goes first to its row, then to
 * its column. The packets that go in the same directions (up and right, ...) make a phase of their
 * own. In this phase the levels are the diagonals. Every node of the mesh is one node of the
 * leveled network, and every link in the phase's directions is one edge.
 *
 * The paper has the square mesh and the phases up-right, up-left, down-right, down-left; its (x, y)
 * is our (x_0, x_1): the row is dimension 1. The generalisation to k dimensions of any sides is
 * ours. There is a phase for each of the 2^k orthants of directions. Its name is the signs of the
 * directions, dimension 0 first ("++", "-+", "+-", "--"); if bit i of its number is 1, x_i goes
 * down. The last dimension is corrected first. A coordinate that is already right counts as going
 * up. So every packet that moves is in exactly one phase.
 *
 * In a phase node x has the adjusted coordinates a_i = x_i, or a_i = M_i - 1 - x_i if x_i goes
 * down, and is on level sum of a_i. In adjusted coordinates all phases have the same network: edges
 * from a to a + e_i, ports by ascending i. Only the hosts differ. In all phases logical nodes are
 * numbered by level, then by the adjusted label, sum of a_i stride_i. The table has N entries: the
 * logical node of each adjusted label.
 *
 * Packets of one destination that meet have the same way to go: they combine.
 */
#include "model/leveled/leveled_routing.h"

#include "base/memory.h"

static const char *refuses(const np_network *network)
{
    if (UINT64_C(1) << network->dimensions > NP_LEVELED_ROUTING_PHASES)
        return "a mesh of k dimensions needs a phase for each of its 2^k orthants of directions, and there can be 16: "
               "at most 4 dimensions (the torus of these sides takes one phase)";
    return NULL;
}

/* The adjusted label of node x; also the node of adjusted label x. */
static uint32_t adjust(const np_network *network, unsigned phase, uint32_t x)
{
    uint32_t label = x;
    for (uint32_t i = 0; i < network->dimensions; i++)
        if (phase >> i & 1)
            label += (network->side[i] - 1 - 2 * np_network_coordinate(network, x, i)) * network->stride[i];
    return label;
}

static uint32_t level_of(const np_network *network, uint32_t label)
{
    uint32_t level = 0;
    for (uint32_t i = 0; i < network->dimensions; i++)
        level += np_network_coordinate(network, label, i);
    return level;
}

static uint32_t depth_of(const np_network *network)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < network->dimensions; i++)
        depth += network->side[i] - 1;
    return depth;
}

/* Fills number[label] and its inverse, label[number], by a counting sort by level. first: [depth + 2] zeros. */
static void number_nodes(const np_network *network, uint32_t *first, uint32_t *number, uint32_t *label)
{
    uint32_t depth = depth_of(network);
    for (uint32_t a = 0; a < network->nodes; a++)
        first[level_of(network, a) + 1]++;
    for (uint32_t level = 0; level <= depth; level++)
        first[level + 1] += first[level];
    for (uint32_t a = 0; a < network->nodes; a++) {
        number[a] = first[level_of(network, a)]++;
        label[number[a]] = a;
    }
}

static void add_edges(np_leveled *leveled, const np_network *network, unsigned phase, const uint32_t *number,
                      const uint32_t *label)
{
    for (uint32_t v = 0; v < network->nodes; v++)
        for (uint32_t i = 0; i < network->dimensions; i++) {
            if (np_network_coordinate(network, label[v], i) == network->side[i] - 1)
                continue;
            np_port port = 2 * i + !(phase >> i & 1);
            np_link link = np_network_link_at(network, adjust(network, phase, label[v]), port);
            np_leveled_add_edge(leveled, v, number[label[v] + network->stride[i]], 1, &link);
        }
}

/* Those of every phase. */
static np_leveled sizes_of(const np_network *network)
{
    uint64_t edges = 0;
    for (uint32_t i = 0; i < network->dimensions; i++)
        edges += network->nodes - network->nodes / network->side[i];
    return np_leveled_sizes(depth_of(network), network->nodes, edges, edges, network->nodes, network->link_numbers);
}

static np_status prepare_phase(np_leveled_routing *routing, unsigned phase, const uint32_t *label)
{
    const np_network *network = routing->network;
    np_leveled *leveled, sizes = sizes_of(network);
    np_status st = np_leveled_create(&sizes, &leveled);
    if (st)
        return st;
    routing->owned[phase] = leveled;
    for (uint32_t v = 0; v < network->nodes; v++)
        np_leveled_add_node(leveled, level_of(network, label[v]), adjust(network, phase, label[v]));
    add_edges(leveled, network, phase, routing->table, label);
    for (uint32_t i = 0; i < network->dimensions; i++)
        routing->phase[phase].name[i] = phase >> i & 1 ? '-' : '+';
    routing->phase[phase].leveled = leveled;
    return np_leveled_finish(leveled);
}

static np_status prepare(np_leveled_routing *routing)
{
    static const char *const what = "the levels of a mesh";
    const np_network *network = routing->network;
    uint32_t *first = NULL, *number = NULL, *label = NULL;
    np_status st;
    if ((st = np_memory_zeroed(&first, (size_t)depth_of(network) + 2, sizeof *first, what)) ||
        (st = np_memory_array(&label, network->nodes, sizeof *label, what)) ||
        (st = np_memory_array(&number, network->nodes, sizeof *number, what)))
        goto out;
    routing->table = number;
    routing->phases = 1u << network->dimensions;
    number_nodes(network, first, number, label);
    for (unsigned phase = 0; phase < routing->phases && !st; phase++)
        st = prepare_phase(routing, phase, label);
out:
    NP_MEMORY_FREE(first, label);
    return st;
}

/* The hops of a packet from u to v if it moves in the phase, else 0. */
static uint32_t hops_in_phase(const np_network *network, unsigned phase, np_node u, np_node v)
{
    uint32_t hops = 0;
    for (uint32_t i = 0; i < network->dimensions; i++) {
        uint32_t x = np_network_coordinate(network, u, i), y = np_network_coordinate(network, v, i);
        if ((y < x) != (phase >> i & 1))
            return 0;
        hops += y < x ? x - y : y - x;
    }
    return hops;
}

/* At adjusted label a, destination b, next hop a + e_i for the largest i with a_i < b_i. */
static void add_path(const np_network *network, uint32_t a, uint32_t b, np_path_set *path_set)
{
    for (uint32_t i = network->dimensions; i-- > 0;) {
        uint32_t hops = np_network_coordinate(network, b, i) - np_network_coordinate(network, a, i), port = 0;
        for (uint32_t j = 0; j < i; j++) /* a_j is still as at the source */
            port += np_network_coordinate(network, a, j) < network->side[j] - 1;
        for (uint32_t hop = 0; hop < hops; hop++)
            np_path_set_hop(path_set, port);
    }
}

static np_status choose(const np_leveled_routing *routing, const np_selection *selection, np_path_set *path_set)
{
    const np_network *network = routing->network;
    const np_node *source = np_traffic_sources(selection->traffic), *to = np_traffic_destinations(selection->traffic);
    const uint32_t *number = routing->table;
    np_packet packets = np_traffic_packets(selection->traffic);
    unsigned phase = selection->phase;
    np_status st = np_path_set_reset(path_set, packets, (size_t)packets * depth_of(network));
    if (st)
        return st;
    for (np_packet i = 0; i < packets; i++)
        if (hops_in_phase(network, phase, source[i], to[i])) {
            uint32_t from = adjust(network, phase, source[i]);
            np_path_set_add(path_set, i, number[from], to[i]);
            add_path(network, from, adjust(network, phase, to[i]), path_set);
        }
    return NP_OK;
}

static unsigned sizes(const np_network *network, np_leveled *phase, uint64_t *table_bytes)
{
    unsigned phases = 1u << network->dimensions;
    for (unsigned i = 0; i < phases; i++)
        phase[i] = sizes_of(network);
    *table_bytes = np_memory_taken(network->nodes * sizeof(uint32_t));
    return phases;
}

const np_leveled_routing_ops np_leveled_routing_mesh = {
    .name = "orthants",
    .networks = "mesh, array, of at most 4 dimensions",
    .source = "Leighton, Maggs, Ranade & Rao 1994, section 3",
    .only = NP_KIND_OPEN_GRIDS,
    .refuses = refuses,
    .sizes = sizes,
    .prepare = prepare,
    .select = choose,
};
