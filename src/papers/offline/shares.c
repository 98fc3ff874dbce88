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
#include "papers/offline/colouring.h"
#include "base/memory.h"
#include "base/order.h"
#include "papers/offline/coloured.h"
#include "run/route/theorem.h"

/* ---- By rank ---- */

/* The packets by destination. */
typedef struct sorted {
    np_node nodes;
    np_packet packets;
    void *block;
    np_packet *first; /* [nodes + 1] where the packets of each destination begin */
    np_packet *order; /* [packets] of one destination in the order of the traffic */
    uint32_t *count;  /* [nodes] zeros; for the caller */
    uint32_t *mark;   /* [nodes] likewise */
} sorted;

static void layout_sorted(void *object, np_arena *arena)
{
    sorted *s = object;
    np_arena_array(arena, &s->first, (size_t)s->nodes + 1, sizeof *s->first, "packets a node");
    np_arena_array(arena, &s->order, s->packets, sizeof *s->order, "the order of the packets");
    np_arena_zeroed(arena, &s->count, s->nodes, sizeof *s->count, "packets a node");
    np_arena_zeroed(arena, &s->mark, s->nodes, sizeof *s->mark, "packets a node");
}

/* The caller frees s->block. */
static np_status sort_by_destination(np_node nodes, const np_traffic *traffic, sorted *s)
{
    *s = (sorted){.nodes = nodes, .packets = np_traffic_packets(traffic)};
    np_status st = np_arena_place(s, layout_sorted, "packets a node", &s->block);
    if (st)
        return st;
    np_order_rows(nodes, s->packets, np_traffic_destinations(traffic), s->first, s->order);
    return NP_OK;
}

static np_status by_rank(np_node nodes, const np_traffic *traffic, uint32_t *colour)
{
    const np_node *source = np_traffic_sources(traffic);
    sorted s;
    np_status st = sort_by_destination(nodes, traffic, &s);
    for (np_packet i = 0; i < s.packets && !st; i++) {
        np_node u = source[s.order[i]];
        colour[s.order[i]] = u + s.count[u]++ % nodes;
    }
    np_memory_free(s.block);
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

/* What colouring by groups needs. */
typedef struct grouping {
    np_node nodes;
    uint32_t size, groups;
    np_packet packets;
    void *block;
    uint32_t *left, *right; /* [packets] the ends of each packet's edge */
    ends from, to;          /* by node; by group and destination */
} grouping;

static grouping grouping_of(np_node nodes, uint64_t packets)
{
    grouping g = {.nodes = nodes, .size = group_size(nodes), .packets = (np_packet)packets};
    g.groups = (nodes + g.size - 1) / g.size;
    g.from.keys = nodes;
    g.to.keys = (size_t)g.groups * nodes;
    return g;
}

static void layout_ends(ends *e, np_arena *arena)
{
    np_arena_zeroed(arena, &e->count, e->keys, sizeof *e->count, "packets a node");
    np_arena_array(arena, &e->part, e->keys, sizeof *e->part, "packets a node");
}

static void layout_grouping(void *object, np_arena *arena)
{
    grouping *g = object;
    NP_ARENA_WORDS(arena, g->packets, "the ends of the packets", &g->left, &g->right);
    layout_ends(&g->from, arena);
    layout_ends(&g->to, arena);
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

static np_status by_group(np_node nodes, const np_traffic *traffic, uint32_t *colour)
{
    const np_node *source = np_traffic_sources(traffic), *destination = np_traffic_destinations(traffic);
    grouping g = grouping_of(nodes, np_traffic_packets(traffic));
    uint32_t colours;
    np_status st = np_arena_place(&g, layout_grouping, "the groups", &g.block);
    if (st)
        return st;
    for (np_packet p = 0; p < g.packets; p++) {
        g.left[p] = source[p];
        g.right[p] = source[p] / g.size * nodes + destination[p];
    }
    split(&g.from, nodes, g.packets, g.left);
    split(&g.to, nodes, g.packets, g.right);
    np_bipartite graph = {g.from.parts, g.to.parts, g.packets, g.left, g.right};
    st = np_bipartite_colour(&graph, &colours, colour);
    for (np_packet p = 0; p < g.packets && !st; p++)
        colour[p] += source[p] / g.size * g.size;
    np_memory_free(g.block);
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
    sorted s;
    np_status st = sort_by_destination(nodes, traffic, &s);
    gossip_table t = {nodes, group_size(nodes), s.count, s.mark};
    for (np_node j = 0; j < nodes && !st; j++)
        gossip_about(&t, j, s.first[j + 1] - s.first[j], s.order + s.first[j], source, phase, out);
    np_memory_free(s.block);
    return st;
}

/* ---- The schemes ---- */

static uint64_t bytes(const np_network *network, uint64_t packets)
{
    sorted s = {.nodes = np_network_nodes(network), .packets = (np_packet)packets};
    return np_coloured_table_bytes(packets) + np_arena_bytes(&s, 0, layout_sorted);
}

static uint64_t bytes_by_group(const np_network *network, uint64_t packets)
{
    np_node nodes = np_network_nodes(network);
    grouping g = grouping_of(nodes, packets);
    uint64_t parts = packets / nodes + (g.to.keys < packets ? g.to.keys : packets);
    return bytes(network, packets) + np_arena_bytes(&g, 0, layout_grouping) +
           np_bipartite_bytes((uint32_t)parts, packets, packets);
}

static np_status prepare_shares(void *tables, unsigned phase, const np_traffic *traffic, const np_node *at,
                                np_phase_run *out, bool *computed)
{
    np_coloured *c = tables;
    np_status st;
    (void)at, (void)out, (void)computed;
    if (phase)
        return NP_OK;
    return (st = np_coloured_reserve(c, np_traffic_packets(traffic))) ? st : by_rank(c->nodes, traffic, c->colour);
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
    return (st = np_coloured_reserve(c, np_traffic_packets(traffic))) ? st : by_group(c->nodes, traffic, c->colour);
}

/* ---- The theorems: a phase takes at most the load of its busiest link ---- */

static double divided_up(uint32_t a, uint32_t b) { return a / b + (a % b != 0); }

static np_status share_values(const np_theorem_run *of)
{
    uint32_t nodes = of->network->nodes;
    of->value[0] = divided_up(of->relation, nodes);
    of->value[1] = nodes + of->relation / nodes;
    of->value[2] = of->value[0] + of->value[1];
    return NP_OK;
}

static np_status group_values(const np_theorem_run *of)
{
    uint32_t nodes = of->network->nodes, s = group_size(nodes);
    of->value[0] = nodes > 1;
    of->value[1] = s - 1;
    of->value[2] = divided_up(of->relation, nodes);
    of->value[3] = divided_up(nodes, s) + of->relation / nodes;
    of->value[4] = of->value[0] + of->value[1] + of->value[2] + of->value[3];
    return NP_OK;
}

static const np_claim share_load = {NP_CLAIM_AT_MOST, "loads of the links", "A: ceil(m/P), B: P + m/P",
                                    "Sibeyn, lecture notes, using randomization"};
static const np_claim group_load = {NP_CLAIM_AT_MOST, "loads of the links",
                                    "G1: 1, G2: sqrt(P) - 1, A: ceil(m/P), B: sqrt(P) + m/P",
                                    "Sibeyn, lecture notes, using randomization"};

const np_scheme np_scheme_shares = {
    .info = {"shares", "the packet of rank r at node i by way of node (i + r) mod P: P + m/P steps a phase",
             "Sibeyn, lecture notes, using randomization", .networks = "complete"},
    .only = &(const np_only){NP_KIND_COMPLETE, "any node must be one hop from any other"},
    .queueing = &(const np_queueing){.paths = "greedy",
                                     .told = "direct",
                                     .queue = "fifo",
                                     .names = NP_NAMES("A", "B"),
                                     .targets = np_coloured_targets,
                                     .tables = &(const np_queueing_tables){np_coloured_create, np_coloured_free, bytes,
                                                                           prepare_shares}},
    .heeds = NP_NAMES("queue", "steps", "trace"),
    .theorems = NP_THEOREMS({.values = share_values, .phase = &share_load, .total = &share_load}),
};

const np_scheme np_scheme_group_shares = {
    .info = {"group-shares",
             "as shares, rounded together by groups of sqrt(P) nodes that gossip first: sqrt(P) + m/P steps a phase",
             "Sibeyn, lecture notes, using randomization", .networks = "complete"},
    .only = &(const np_only){NP_KIND_COMPLETE, "any node must be one hop from any other"},
    .queueing = &(const np_queueing){.paths = "greedy",
                                     .told = "direct",
                                     .queue = "fifo",
                                     .names = NP_NAMES("G1", "G2", "A", "B"),
                                     .targets = np_coloured_targets,
                                     .tables = &(const np_queueing_tables){np_coloured_create, np_coloured_free,
                                                                           bytes_by_group, prepare_groups}},
    .heeds = NP_NAMES("queue", "trace"),
    .theorems = NP_THEOREMS({.values = group_values, .phase = &group_load, .total = &group_load}),
};
