/*
 * All-to-all of unequal loads on a complete network in two phases, without
 * random choices (Sibeyn, lecture notes, using randomization). Every packet
 * goes by way of one of the P nodes. Each of the P nodes gets its share of what
 * any node sends, and its share of what any node is to receive.
 *
 *   shares        Each node sorts its packets by destination. The packet of
 *                 rank r at node i goes by way of node (i + r) mod P.
 *                 Phase A: a link carries at most ceil(m_i / P) of the m_i
 *                 packets of node i.
 *                 Phase B: of the a_ij packets from i to j at most
 *                 ceil(a_ij / P) go by way of k. A link from k to j carries at
 *                 most sum_i ceil(a_ij / P) <= P + m'_j / P packets.
 *   group-shares  Rounds up once for a group of ceil(sqrt P) nodes, not once
 *                 for each node. The nodes of a group tell each other their
 *                 a_ij first.
 *                 Phase A: as shares.
 *                 Phase B: at most sum over the groups g of ceil(A_gj / P)
 *                 <= ceil(P / ceil(sqrt P)) + m'_j / P packets, where A_gj is
 *                 the sum of a_ij over i in g.
 *
 * The notes leave open how a group finds its rounding. Here it is an edge
 * colouring with P colours in which every colour takes its share, rounded up or
 * down, at every node (de Werra 1971). The graph of the group has an edge from i
 * to j for each packet. A node of degree d is split into nodes of degree P and
 * one of the rest. P colours are then enough, and every full part has each of
 * them once. Colour x is node (x + first node of the group) mod P, because the
 * colours of small parts are the low ones.
 *
 * The nodes of a group tell each other their numbers by a gossip by way of all
 * nodes, on links that carry nothing else. In phase G1 node i tells every node j
 * its a_ij > 0. In phase G2 node j tells every node all that it has heard from
 * the other nodes of that node's group. A number is a packet, so that the gossip
 * takes at most 1 + s - 1 steps. A node has s - 1 times P numbers to hear over
 * P - 1 links, so that no gossip takes fewer steps where no a_ij is 0. (The
 * nodes of the notes have one port, and exchange within their groups:
 * c_v P^(3/2) + c_a log(P)/2.)
 *
 * Symbols: P nodes, m'_j packets for node j, g group, s nodes of a group.
 */
#include <string.h>

#include "base/colouring.h"
#include "base/memory.h"
#include "route/coloured.h"

/* ---- By rank ---- */

/* order: [packets] by destination; packets of one destination in the order of the traffic. first: [nodes + 1] */
static void sort_by_destination(np_node nodes, const np_traffic *traffic, np_packet *first, np_packet *order)
{
    const np_node *destination = np_traffic_destinations(traffic);
    np_packet packets = np_traffic_packets(traffic);
    for (np_packet p = 0; p < packets; p++)
        first[destination[p] + 1]++;
    for (np_node v = 0; v < nodes; v++)
        first[v + 1] += first[v];
    for (np_packet p = 0; p < packets; p++)
        order[first[destination[p]]++] = p;
}

static np_status by_rank(np_node nodes, const np_traffic *traffic, uint32_t *colour)
{
    const np_node *source = np_traffic_sources(traffic);
    np_packet packets = np_traffic_packets(traffic), *first = NULL, *rank = NULL, *order = NULL;
    np_status st;
    if (!(st = np_memory_zeroed(&first, (size_t)nodes + 1, sizeof *first, "packets a node")) &&
        !(st = np_memory_zeroed(&rank, nodes, sizeof *rank, "packets a node")) &&
        !(st = np_memory_array(&order, packets, sizeof *order, "the order of the packets"))) {
        sort_by_destination(nodes, traffic, first, order);
        for (np_packet i = 0; i < packets; i++) {
            np_node u = source[order[i]];
            colour[order[i]] = u + rank[u]++ % nodes;
        }
    }
    np_memory_free(first);
    np_memory_free(rank);
    np_memory_free(order);
    return st;
}

/* ---- By groups ---- */

static uint32_t group_size(np_node nodes)
{
    uint32_t s = 1;
    while ((uint64_t)s * s < nodes)
        s++;
    return s;
}

/* Packets that share an end: the packets of one node, or those from one group to one destination. */
typedef struct ends {
    size_t keys;
    uint32_t *count; /* [keys] */
    uint32_t *part;  /* [keys] the first of its parts */
    uint32_t parts;
} ends;

static np_status ends_init(ends *e, size_t keys)
{
    np_status st;
    *e = (ends){.keys = keys};
    if (!(st = np_memory_zeroed(&e->count, keys, sizeof *e->count, "packets a node")))
        st = np_memory_zeroed(&e->part, keys, sizeof *e->part, "packets a node");
    return st;
}

static void ends_clear(ends *e)
{
    np_memory_free(e->count);
    np_memory_free(e->part);
}

/* part[p] in: the key of packet p; out: its part. Parts have `size` packets, the last of a key maybe fewer. */
static void split(ends *e, uint32_t size, np_packet packets, uint32_t *part)
{
    for (np_packet p = 0; p < packets; p++)
        e->count[part[p]]++;
    for (size_t key = 0; key < e->keys; key++) {
        e->part[key] = e->parts;
        e->parts += e->count[key] / size + (e->count[key] % size != 0);
        e->count[key] = 0;
    }
    for (np_packet p = 0; p < packets; p++) {
        uint32_t key = part[p];
        part[p] = e->part[key] + e->count[key]++ / size;
    }
}

static np_status colour_parts(np_node nodes, const np_traffic *traffic, uint32_t *left, uint32_t *right,
                              uint32_t *colour)
{
    const np_node *source = np_traffic_sources(traffic), *destination = np_traffic_destinations(traffic);
    np_packet packets = np_traffic_packets(traffic);
    uint32_t s = group_size(nodes), groups = (nodes + s - 1) / s, colours;
    ends from = {0}, to = {0};
    np_status st;
    for (np_packet p = 0; p < packets; p++) {
        left[p] = source[p];
        right[p] = source[p] / s * nodes + destination[p];
    }
    if (!(st = ends_init(&from, nodes)) && !(st = ends_init(&to, (size_t)groups * nodes))) {
        split(&from, nodes, packets, left);
        split(&to, nodes, packets, right);
        np_bipartite graph = {from.parts, to.parts, packets, left, right};
        st = np_bipartite_colour(&graph, &colours, colour);
    }
    for (np_packet p = 0; p < packets && !st; p++)
        colour[p] += source[p] / s * s;
    ends_clear(&from);
    ends_clear(&to);
    return st;
}

static np_status by_group(np_node nodes, const np_traffic *traffic, uint32_t *colour)
{
    uint32_t *left = NULL, *right = NULL;
    np_packet packets = np_traffic_packets(traffic);
    np_status st;
    if (!(st = np_memory_array(&left, packets, sizeof *left, "the ends of the packets")) &&
        !(st = np_memory_array(&right, packets, sizeof *right, "the ends of the packets")))
        st = colour_parts(nodes, traffic, left, right, colour);
    np_memory_free(left);
    np_memory_free(right);
    return st;
}

/* ---- Gossip in the groups ---- */

/* Numbers on their way to one node j and from it. */
typedef struct gossip_table {
    uint32_t nodes, size;
    uint32_t *heard; /* [groups] numbers that j has heard from the group */
    uint32_t *from;  /* [nodes] j + 1: j has heard from the node */
} gossip_table;

static void add_link(uint32_t packets, np_phase_run *out)
{
    out->steps = out->congestion = out->queue_max = packets > out->steps ? packets : out->steps;
}

/* Node j tells the nodes of group g what it has heard from the group. */
static void tell_group(const gossip_table *t, np_node j, uint32_t g, np_phase_run *out)
{
    np_node begin = g * t->size, end = t->nodes - begin < t->size ? t->nodes : begin + t->size;
    uint32_t heard = t->heard[g], others = end - begin, speakers = heard;
    if (j >= begin && j < end) {
        others--;
        speakers -= t->from[j] == j + 1;
    }
    out->hops += (uint64_t)heard * others - speakers;
    if (others)
        add_link(speakers < others ? heard : heard - 1, out);
}

/* The gossip about one destination j. A group of one node needs no numbers, so its node tells none. */
static void gossip_about(gossip_table *t, np_node j, np_packet count, const np_packet *order, const np_node *source,
                         unsigned phase, np_phase_run *out)
{
    for (np_packet i = 0; i < count; i++) {
        np_node u = source[order[i]];
        bool alone = t->size == 1 || (u % t->size == 0 && u + 1 == t->nodes);
        if (t->from[u] == j + 1 || alone)
            continue;
        t->from[u] = j + 1;
        t->heard[u / t->size]++;
        if (phase == 0 && u != j) {
            out->hops++;
            add_link(1, out);
        }
    }
    for (np_packet i = 0; i < count; i++) {
        uint32_t g = source[order[i]] / t->size;
        if (phase == 1 && t->heard[g])
            tell_group(t, j, g, out);
        t->heard[g] = 0;
    }
}

static np_status gossip(np_node nodes, const np_traffic *traffic, unsigned phase, np_phase_run *out)
{
    const np_node *source = np_traffic_sources(traffic);
    np_packet packets = np_traffic_packets(traffic), *first = NULL, *order = NULL, begin = 0;
    gossip_table t = {nodes, group_size(nodes), NULL, NULL};
    np_status st;
    if (!(st = np_memory_zeroed(&first, (size_t)nodes + 1, sizeof *first, "packets a node")) &&
        !(st = np_memory_zeroed(&t.heard, nodes, sizeof *t.heard, "numbers of a gossip")) &&
        !(st = np_memory_zeroed(&t.from, nodes, sizeof *t.from, "numbers of a gossip")) &&
        !(st = np_memory_array(&order, packets, sizeof *order, "the order of the packets"))) {
        sort_by_destination(nodes, traffic, first, order); /* first[j]: where the packets of j end */
        for (np_node j = 0; j < nodes; begin = first[j++])
            gossip_about(&t, j, first[j] - begin, order + begin, source, phase, out);
    }
    np_memory_free(first);
    np_memory_free(t.heard);
    np_memory_free(t.from);
    np_memory_free(order);
    return st;
}

/* ---- The schemes ---- */

static uint64_t bytes(const np_network *network, uint64_t packets)
{
    np_node nodes = np_network_nodes(network);
    return np_coloured_bytes(network, packets) + 8 * packets + UINT64_C(8) * nodes * group_size(nodes);
}

static np_status prepare_shares(void *tables, unsigned phase, const np_traffic *traffic, const np_node *at,
                                np_phase_run *out, bool *computed)
{
    np_coloured *c = tables;
    np_status st;
    (void)at, (void)out, (void)computed;
    if (phase)
        return NP_OK;
    if ((st = np_coloured_reserve(c, np_traffic_packets(traffic))))
        return st;
    return by_rank(c->nodes, traffic, c->colour);
}

/* Phases G1, G2, A, B. */
static np_status prepare_groups(void *tables, unsigned phase, const np_traffic *traffic, const np_node *at,
                                np_phase_run *out, bool *computed)
{
    np_coloured *c = tables;
    np_status st;
    (void)at;
    *computed = phase < 2;
    if (*computed)
        return gossip(c->nodes, traffic, phase, out);
    if (phase == 3)
        return NP_OK;
    if ((st = np_coloured_reserve(c, np_traffic_packets(traffic))))
        return st;
    return by_group(c->nodes, traffic, c->colour);
}

static const char *refuses(const np_network *network)
{
    return np_coloured_applies(network) ? NULL : "any node must be one hop from any other";
}

const np_scheme_ops np_scheme_shares = {
    .info = {"shares", "the packet of rank r at node i by way of node (i + r) mod P: P + m/P steps a phase",
             "Sibeyn, lecture notes, using randomization", .networks = "complete"},
    .refuses = refuses,
    .runner = &np_queueing_runner,
    .parameters = &(const np_queueing){.paths = "greedy",
                                       .told = "direct",
                                       .queue = "fifo",
                                       .names = NP_NAMES("A", "B"),
                                       .targets = np_coloured_targets,
                                       .tables = &(const np_queueing_tables){np_coloured_create, np_coloured_free,
                                                                             bytes, prepare_shares}},
    .heeds = NP_NAMES("queue", "trace"),
};

const np_scheme_ops np_scheme_group_shares = {
    .info = {"group-shares",
             "as shares, rounded together by groups of sqrt(P) nodes that gossip first: sqrt(P) + m/P steps a phase",
             "Sibeyn, lecture notes, using randomization", .networks = "complete"},
    .refuses = refuses,
    .runner = &np_queueing_runner,
    .parameters = &(const np_queueing){.paths = "greedy",
                                       .told = "direct",
                                       .queue = "fifo",
                                       .names = NP_NAMES("G1", "G2", "A", "B"),
                                       .targets = np_coloured_targets,
                                       .tables = &(const np_queueing_tables){np_coloured_create, np_coloured_free,
                                                                             bytes, prepare_groups}},
    .heeds = NP_NAMES("queue"),
};
