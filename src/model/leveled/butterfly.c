/*
 * Butterflies as leveled networks (Leighton, Maggs, Ranade & Rao 1994, section
 * 4). Both have columns of 2^n rows.
 *
 * butterfly-io (Theorem 4.2) is its own leveled network. From (l, r) to (l', r'), l < l', a packet
 * crosses straight or cross edges that correct bits n-1-l .. n-l' of r.
 *
 * butterfly (Theorem 4.1): the input and output of a row are one node, as in the family, so N = n
 * 2^n nodes are on n levels. The logical levels are:
 *   0 .. n      linear arrays: level i is physical level i, straight links up
 *   n .. 2n     a butterfly: level n + i is physical level i, links up
 *   2n .. 3n    the butterfly reversed: level 2n + i is physical n - i, links down
 *   3n .. 4n-1  linear arrays: level 3n + i is physical level i, links up
 * (physical levels mod n). A packet from (l, r) to (l', r') starts at logical level l, goes to a
 * random row at level 2n, to row r' at level 3n, and ends at level 3n + l'. The paper counts 4 log
 * n + 1 levels; the last of them would be physical level 0 again.
 *
 * If packets combine, the random row is a function of the destination: packets of one destination
 * that have met go on together.
 */
#include "model/leveled/leveled_routing.h"
#include "model/network/read_node.h"

static np_status begin(np_leveled_routing *routing)
{
    np_leveled sizes;
    uint64_t table_bytes;
    routing->phases = routing->ops->sizes(routing->network, &sizes, &table_bytes);
    np_status st = np_leveled_create(&sizes, &routing->owned[0]);
    routing->phase[0] = (np_leveled_routing_phase){.name = "route", .leveled = routing->owned[0]};
    return st;
}

/* The physical level of a logical one, 0 .. n-1. */
static uint32_t physical_level(uint32_t n, uint32_t level)
{
    uint32_t i = level % n;
    return level >= 2 * n && level < 3 * n ? (n - i) % n : i;
}

/* Adds an edge of the wrapped butterfly from logical (level, row) to (level + 1, to): the physical link at `port`. */
static void add_edge(np_leveled_routing *routing, uint32_t level, uint32_t row, uint32_t to, np_port port)
{
    uint32_t n = routing->network->dimensions, rows = UINT32_C(1) << n;
    np_node at = row * n + physical_level(n, level);
    np_link link = np_network_link_at(routing->network, at, port);
    np_leveled_add_edge(routing->owned[0], level * rows + row, (level + 1) * rows + to, 1, &link);
}

/* All levels but the last have a straight edge at every node; 2n levels have a cross edge too. */
static unsigned sizes_butterfly(const np_network *network, np_leveled *phase, uint64_t *table_bytes)
{
    uint64_t nodes = network->nodes, rows = UINT64_C(1) << network->dimensions, edges = 6 * nodes - rows;
    *phase =
        np_leveled_sizes(4 * network->dimensions - 1, 4 * nodes, edges, edges, network->nodes, network->link_numbers);
    phase->rows = (uint32_t)rows;
    *table_bytes = 0;
    return 1;
}

static np_status prepare_butterfly(np_leveled_routing *routing)
{
    enum { UP = 0, UP_CROSS = 1, DOWN = 2, DOWN_CROSS = 3 }; /* ports of the family */
    uint32_t n = routing->network->dimensions, rows = UINT32_C(1) << n, depth = 4 * n - 1;
    np_status st = begin(routing);
    if (st)
        return st;
    for (uint32_t level = 0; level <= depth; level++)
        for (uint32_t row = 0; row < rows; row++)
            np_leveled_add_node(routing->owned[0], level, row * n + physical_level(n, level));
    for (uint32_t level = 0; level < depth; level++)
        for (uint32_t row = 0; row < rows; row++) {
            bool crosses = level >= n && level < 3 * n, down = level >= 2 * n && level < 3 * n;
            /* Up from physical i flips bit n-1-i; down from physical n-i, to n-i-1, flips bit i. */
            uint32_t flip = UINT32_C(1) << (down ? level - 2 * n : n - 1 - level % n);
            add_edge(routing, level, row, row, down ? DOWN : UP);
            if (crosses)
                add_edge(routing, level, row, row ^ flip, down ? DOWN_CROSS : UP_CROSS);
        }
    return np_leveled_finish(routing->owned[0]);
}

static void choose_butterfly(np_path_set *path_set, uint32_t n, np_packet packet, np_node from, np_node to,
                             uint32_t middle)
{
    uint32_t l = from % n, row = from / n, target_l = to % n, target = to / n;
    np_path_set_add(path_set, packet, (l << n) + row, to);
    for (uint32_t i = l; i < n; i++)
        np_path_set_hop(path_set, 0);
    for (uint32_t i = 0; i < n; i++)
        np_path_set_hop(path_set, (row ^ middle) >> (n - 1 - i) & 1);
    for (uint32_t i = 0; i < n; i++)
        np_path_set_hop(path_set, (middle ^ target) >> i & 1);
    for (uint32_t i = 0; i < target_l; i++)
        np_path_set_hop(path_set, 0);
}

static np_status select_butterfly(const np_leveled_routing *routing, const np_selection *selection,
                                  np_path_set *path_set)
{
    uint32_t n = routing->network->dimensions, rows = UINT32_C(1) << n;
    np_packet packets = np_traffic_packets(selection->traffic);
    const np_node *from = np_traffic_sources(selection->traffic), *to = np_traffic_destinations(selection->traffic);
    np_draws draws = np_draws_for(selection->draws, NP_RANDOM_TARGET);
    np_status st = np_path_set_reset(path_set, packets, (size_t)packets * (4 * n - 1));
    if (st)
        return st;
    for (np_packet p = 0; p < packets; p++)
        if (from[p] != to[p])
            choose_butterfly(path_set, n, p, from[p], to[p],
                             np_random_below(&draws, selection->combine ? to[p] : p, 0, rows));
    return NP_OK;
}

const np_leveled_routing_ops np_leveled_routing_butterfly = {
    .name = "random-middle",
    .networks = "butterfly",
    .source = "Leighton, Maggs, Ranade & Rao 1994, section 4",
    .only = NP_KIND_BUTTERFLY,
    .sizes = sizes_butterfly,
    .prepare = prepare_butterfly,
    .select = select_butterfly,
};

static unsigned sizes_io(const np_network *network, np_leveled *phase, uint64_t *table_bytes)
{
    *phase = np_leveled_sizes(network->dimensions, network->nodes, network->links, network->links, network->nodes,
                              network->link_numbers);
    phase->rows = UINT32_C(1) << network->dimensions;
    *table_bytes = 0;
    return 1;
}

static np_status prepare_io(np_leveled_routing *routing)
{
    uint32_t n = routing->network->dimensions, rows = UINT32_C(1) << n;
    np_status st = begin(routing);
    if (st)
        return st;
    for (uint32_t v = 0; v < routing->network->nodes; v++)
        np_leveled_add_node(routing->owned[0], v / rows, v);
    for (uint32_t v = 0; v < n * rows; v++)
        for (np_port port = 0; port < 2; port++) {
            np_link link = np_network_link_at(routing->network, v, port);
            np_leveled_add_edge(routing->owned[0], v, np_network_link_head(routing->network, link), 1, &link);
        }
    return np_leveled_finish(routing->owned[0]);
}

/* The bits of n bits that levels l .. m-1 can correct. */
static uint32_t correctable(uint32_t n, uint32_t l, uint32_t m)
{
    return (UINT32_C(1) << (n - l)) - (UINT32_C(1) << (n - m));
}

static np_status select_io(const np_leveled_routing *routing, const np_selection *selection, np_path_set *path_set)
{
    uint32_t n = routing->network->dimensions, mask = (UINT32_C(1) << n) - 1;
    np_packet packets = np_traffic_packets(selection->traffic);
    const np_node *from = np_traffic_sources(selection->traffic), *to = np_traffic_destinations(selection->traffic);
    np_status st = np_path_set_reset(path_set, packets, (size_t)packets * n);
    if (st)
        return st;
    for (np_packet p = 0; p < packets; p++) {
        uint32_t l = from[p] >> n, m = to[p] >> n, differ = (from[p] ^ to[p]) & mask;
        if (from[p] == to[p])
            continue;
        if (l >= m || (differ & ~correctable(n, l, m)))
            return NP_RAISE(NP_ERROR_INPUT,
                            "packet %u: no way from node %s to node %s of %s: links lead from inputs "
                            "to outputs only",
                            p, NP_NODE_NAME(routing->network, from[p]), NP_NODE_NAME(routing->network, to[p]),
                            np_network_spec(routing->network));
        np_path_set_add(path_set, p, from[p], to[p]);
        for (uint32_t i = l; i < m; i++)
            np_path_set_hop(path_set, differ >> (n - 1 - i) & 1);
    }
    return NP_OK;
}

const np_leveled_routing_ops np_leveled_routing_butterfly_io = {
    .name = "direct",
    .networks = "butterfly-io",
    .source = "Leighton, Maggs, Ranade & Rao 1994, section 4",
    .only = NP_KIND_BUTTERFLY_IO,
    .sizes = sizes_io,
    .prepare = prepare_io,
    .select = select_io,
};
