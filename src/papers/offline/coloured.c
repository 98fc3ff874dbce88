/*
 * The coloured all-to-all (Sibeyn, lecture notes, off-line routing): P nodes,
 * each the source and the destination of at most m packets. The graph that has
 * an edge from i on the left to j on the right for each packet from i to j has
 * an edge colouring with m colours.
 *
 * A node sends at most one packet of each colour, so a link carries at most
 * ceil(m / P) packets in phase 1. Each node receives at most one packet of each
 * colour, so the same holds in phase 2. Where m is a multiple of P and all
 * nodes send and receive m packets, every link carries m / P in both phases.
 * Packets whose way ends in the same node cross no link.
 */
#include "papers/offline/coloured.h"

#include "papers/offline/colouring.h"
#include "base/memory.h"

bool np_coloured_applies(const np_network *network) { return np_network_is(network, NP_KIND_COMPLETE); }

np_status np_coloured_create(const np_network *network, void **tables)
{
    np_coloured *c;
    np_status st = np_memory_zeroed(&c, 1, sizeof *c, "the scheme's tables");
    if (!st)
        c->nodes = np_network_nodes(network);
    *tables = c;
    return st;
}

void np_coloured_free(void *tables)
{
    np_coloured *c = tables;
    NP_MEMORY_FREE(c->colour, c);
}

uint64_t np_coloured_table_bytes(uint64_t packets) { return sizeof(np_coloured) + packets * sizeof(uint32_t); }

static uint64_t bytes(const np_network *network, uint64_t packets)
{
    return np_coloured_table_bytes(packets) + np_bipartite_bytes(np_network_nodes(network), packets, packets);
}

np_status np_coloured_reserve(np_coloured *c, size_t packets)
{
    np_status st;
    if (c->colour && c->room >= packets)
        return NP_OK;
    if ((st = np_memory_grow(&c->colour, 0, packets, sizeof *c->colour, "colours")))
        return st;
    c->room = packets;
    return NP_OK;
}

void np_coloured_targets(const np_aim *aim, np_node *to)
{
    const np_coloured *c = aim->tables;
    for (size_t i = 0; i < aim->count; i++)
        to[i] = aim->phase % 2 ? aim->destination[i] : c->colour[aim->packet[i]] % c->nodes;
}

/* ---- Off line ---- */

static np_status prepare(void *tables, unsigned phase, const np_traffic *traffic, const np_node *at, np_phase_run *out,
                         bool *computed)
{
    np_coloured *c = tables;
    np_packet packets = np_traffic_packets(traffic);
    np_bipartite graph = {c->nodes, c->nodes, packets, np_traffic_sources(traffic), np_traffic_destinations(traffic)};
    uint32_t colours;
    np_status st;
    (void)at, (void)out, (void)computed;
    if (phase)
        return NP_OK;
    return (st = np_coloured_reserve(c, packets)) ? st : np_bipartite_colour(&graph, &colours, c->colour);
}

const np_queueing np_coloured_offline = {
    .paths = "greedy",
    .told = "coloured",
    .queue = "fifo",
    .names = NP_NAMES("1", "2"),
    .targets = np_coloured_targets,
    .tables = &(const np_queueing_tables){np_coloured_create, np_coloured_free, bytes, prepare},
};
