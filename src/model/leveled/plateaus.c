/*
 * Tori of any dimension, with ring and hypercube (Leighton, Maggs, Ranade & Rao 1994, section 6):
 * kN packets in O(kM) steps, in one phase on 2k + 1 plateaus of N logical nodes each. A packet goes
 * from its source on plateau 0 through a random node on plateau k to its destination on plateau 2k.
 *
 * Symbols: sides M_0 .. M_(k-1), labels w = (w_0, .., w_(k-1)). We count dimensions from 0, as
 * everywhere in netpram; the paper counts them from 1. The hypercube has k = n, all sides 2, and
 * dimension i is its port i. Dimension p mod k is plateau p's `onward` dimension (p < 2k), (p - 1)
 * mod k its `own` (p > 0).
 *
 * Edges on plateau p, in the order of their ports:
 *   own     w -> w + 1 in the own dimension, if w_own < M_own - 1
 *   onward  w -> w + 1 in the onward dimension; from its end, w_onward = M_onward - 1,
 *           the crossing over the wraparound link to w_onward = 0 on plateau p + 1
 * For k = 1 both dimensions of plateau 1 are the same, and its own edges are its
 * onward edges. The level of (p, w) is sum of w_j + base(p), where base(p) is the sum
 * of the sides of the onward dimensions of plateaus 0 .. p-1. An edge within a
 * plateau adds 1 to the sum of w_j; a crossing takes M_onward - 1 from the sum and
 * adds M_onward to the base. The last level is L = 3 sum of M_j - k.
 *
 * At (p, w), for packet x -> r -> y, next hop: own while w_own < r_own (p <= k) or w_own < y_own
 * (p > k), then onward to the next plateau. Links are crossed upwards only. Each link serves at most
 * four edges, a wraparound link two.
 *
 * Slips in the paper: labels have w_j <= M_j - 1, not M_j; plateau p in k+1 .. 2k has the rules of
 * plateau p - k, not p - 2k. Our choices: if M_i = 2, a torus has the links of dimension i twice,
 * and we always take the link at the upward port; packets for their own node are not sent. If
 * packets combine, the random node is a function of the destination: packets that have met then go
 * on together.
 */
#include "model/leveled/leveled_routing.h"
#include "model/network/axes.h"

#include <string.h>

#include "base/memory.h"

enum { LOGICAL_NODES_MAX = 0x7ffffffe }; /* the limit of np_leveled */

typedef struct array {
    const np_network *network;
    uint32_t k, nodes, plateaus;
    np_axes axes;
    uint32_t base[2 * NP_MAX_DIMENSIONS + 1];
} array;

static array array_of(const np_network *network)
{
    array a = {.network = network, .k = network->dimensions, .nodes = network->nodes, .axes = np_axes_of(network)};
    a.plateaus = 2 * a.k + 1;
    for (uint32_t p = 1; p < a.plateaus; p++)
        a.base[p] = a.base[p - 1] + a.axes.side[(p - 1) % a.k];
    return a;
}

static uint32_t own_dimension(const array *a, uint32_t p) { return (p - 1) % a->k; }
static uint32_t onward_dimension(const array *a, uint32_t p) { return p % a->k; }

static uint32_t coordinate(const array *a, uint32_t w, uint32_t i) { return np_axes_coordinate(&a->axes, w, i); }

/* The sum of the coordinates. */
static uint32_t weight_of(const array *a, uint32_t w)
{
    uint32_t weight = 0;
    for (uint32_t i = 0; i < a->k; i++)
        weight += coordinate(a, w, i);
    return weight;
}

static uint32_t depth_of(const array *a) { return a->base[a->plateaus - 1] + weight_of(a, a->nodes - 1); }

/* Every node has an onward edge, but on the last plateau, and an own edge, but on the first plateau and at its end. */
static np_leveled sizes_of(const array *a)
{
    uint64_t nodes = (uint64_t)a->plateaus * a->nodes, edges = nodes - a->nodes;
    for (uint32_t p = 1; p < a->plateaus; p++)
        if (p + 1 == a->plateaus || own_dimension(a, p) != onward_dimension(a, p))
            edges += a->nodes - a->nodes / a->axes.side[own_dimension(a, p)];
    return np_leveled_sizes(depth_of(a), nodes, edges, edges, a->nodes, a->network->link_numbers);
}

/* The numbers of logical nodes by place, p N + w, and the places by number. */
typedef struct numbering {
    uint32_t *weight; /* [nodes] */
    uint32_t *first;  /* [depth + 2] */
    uint32_t *number; /* [plateaus * nodes] by place */
    uint32_t *place;  /* [plateaus * nodes] by number */
} numbering;

static void numbering_clear(numbering *n) { NP_MEMORY_FREE(n->weight, n->first, n->number, n->place); }

/* A counting sort of the places by level. */
static np_status numbering_init(numbering *n, const array *a)
{
    static const char *const what = "the plateaus of an array";
    size_t places = (size_t)a->plateaus * a->nodes;
    uint32_t depth = depth_of(a);
    np_status st;
    if ((st = np_memory_array(&n->weight, a->nodes, sizeof *n->weight, what)) ||
        (st = np_memory_zeroed(&n->first, (size_t)depth + 2, sizeof *n->first, what)) ||
        (st = np_memory_array(&n->number, places, sizeof *n->number, what)) ||
        (st = np_memory_array(&n->place, places, sizeof *n->place, what)))
        return st;
    for (uint32_t w = 0; w < a->nodes; w++)
        n->weight[w] = weight_of(a, w);
    for (uint32_t p = 0; p < a->plateaus; p++)
        for (uint32_t w = 0; w < a->nodes; w++)
            n->first[a->base[p] + n->weight[w] + 1]++;
    for (uint32_t level = 0; level <= depth; level++)
        n->first[level + 1] += n->first[level];
    for (uint32_t p = 0, place = 0; p < a->plateaus; p++)
        for (uint32_t w = 0; w < a->nodes; w++, place++) {
            n->number[place] = n->first[a->base[p] + n->weight[w]]++;
            n->place[n->number[place]] = place;
        }
    return NP_OK;
}

/* Adds the edge from (p, w) up in dimension i, or at the end of the dimension the crossing to the next plateau. */
static void add_edge(np_leveled *leveled, const array *a, const numbering *n, uint32_t place, uint32_t i)
{
    uint32_t w = place % a->nodes, last = a->axes.side[i] - 1;
    np_link link = np_network_link_at(a->network, w, np_axes_port(&a->axes, i, true));
    uint32_t to = coordinate(a, w, i) < last ? place + a->axes.stride[i] : place + a->nodes - last * a->axes.stride[i];
    np_leveled_add_edge(leveled, n->number[place], n->number[to], 1, &link);
}

static void add_all(np_leveled *leveled, const array *a, const numbering *n)
{
    uint32_t places = a->plateaus * a->nodes;
    for (uint32_t v = 0; v < places; v++) {
        uint32_t p = n->place[v] / a->nodes, w = n->place[v] % a->nodes;
        np_leveled_add_node(leveled, a->base[p] + n->weight[w], w);
    }
    for (uint32_t v = 0; v < places; v++) {
        uint32_t p = n->place[v] / a->nodes, w = n->place[v] % a->nodes;
        bool own = p && coordinate(a, w, own_dimension(a, p)) < a->axes.side[own_dimension(a, p)] - 1;
        if (own)
            add_edge(leveled, a, n, n->place[v], own_dimension(a, p));
        if (p + 1 < a->plateaus && !(own && own_dimension(a, p) == onward_dimension(a, p)))
            add_edge(leveled, a, n, n->place[v], onward_dimension(a, p));
    }
}

/* Makes the leveled routing's table: [nodes] the logical nodes of plateau 0. */
static np_status keep_sources(np_leveled_routing *routing, const numbering *n)
{
    size_t nodes = routing->network->nodes;
    np_status st = np_memory_array(&routing->table, nodes, sizeof *n->number, "the sources of an array");
    if (!st)
        memcpy(routing->table, n->number, nodes * sizeof *n->number);
    return st;
}

static np_status prepare(np_leveled_routing *routing)
{
    const np_network *network = routing->network;
    array a = array_of(network);
    numbering n = {0};
    np_leveled *leveled;
    np_status st;
    if ((uint64_t)a.plateaus * a.nodes > LOGICAL_NODES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%s has %u plateaus of %u nodes: at most %d logical nodes can be numbered",
                        np_network_spec(network), a.plateaus, a.nodes, LOGICAL_NODES_MAX);
    np_leveled sizes = sizes_of(&a);
    if ((st = np_leveled_create(&sizes, &leveled)))
        return st;
    routing->owned[0] = leveled;
    routing->phases = 1;
    routing->phase[0].leveled = leveled;
    strcpy(routing->phase[0].name, "route");
    if (!(st = numbering_init(&n, &a)) && !(st = keep_sources(routing, &n))) {
        add_all(leveled, &a, &n);
        st = np_leveled_finish(leveled);
    }
    numbering_clear(&n);
    return st;
}

static void add_hops(np_path_set *path_set, uint32_t hops, uint32_t port)
{
    for (uint32_t i = 0; i < hops; i++)
        np_path_set_hop(path_set, port);
}

/* The path x -> r -> y; see the file head. */
static void add_path(const array *a, np_node x, np_node r, np_node y, np_path_set *path_set)
{
    uint32_t port = 0;
    for (uint32_t p = 0; p < a->plateaus; p++) {
        if (p) {
            uint32_t own = own_dimension(a, p), aim = coordinate(a, p <= a->k ? r : y, own);
            add_hops(path_set, aim, 0);
            /* the own edge, if there is one, is port 0 here, and the onward edge port 1, unless both are one edge */
            port = aim < a->axes.side[own] - 1 && own != onward_dimension(a, p);
        }
        if (p + 1 < a->plateaus) {
            uint32_t onward = onward_dimension(a, p);
            add_hops(path_set, a->axes.side[onward] - coordinate(a, p < a->k ? x : r, onward), port);
        }
    }
}

static np_status choose(const np_leveled_routing *routing, const np_selection *selection, np_path_set *path_set)
{
    const np_node *source = np_traffic_sources(selection->traffic), *to = np_traffic_destinations(selection->traffic);
    const uint32_t *origin = routing->table;
    np_packet packets = np_traffic_packets(selection->traffic);
    array a = array_of(routing->network);
    np_draws draws = np_draws_for(selection->draws, NP_RANDOM_TARGET);
    np_status st = np_path_set_reset(path_set, packets, (size_t)packets * depth_of(&a));
    if (st)
        return st;
    draws.phase = (uint16_t)selection->phase;
    for (np_packet i = 0; i < packets; i++)
        if (source[i] != to[i]) {
            np_node between = np_random_below(&draws, selection->combine ? to[i] : i, 0, a.nodes);
            np_path_set_add(path_set, i, origin[source[i]], to[i]);
            add_path(&a, source[i], between, to[i], path_set);
        }
    return NP_OK;
}

static unsigned sizes(const np_network *network, np_leveled *phase, uint64_t *table_bytes)
{
    array a = array_of(network);
    *phase = sizes_of(&a);
    *table_bytes = np_memory_taken(network->nodes * sizeof(uint32_t));
    return 1;
}

const np_leveled_routing_ops np_leveled_routing_plateaus = {
    .name = "random-middle",
    .networks = "torus, ring, hypercube",
    .source = "Leighton, Maggs, Ranade & Rao 1994, section 6",
    .only = NP_KIND_HYPERCUBE | NP_KIND_CLOSED_GRIDS,
    .sizes = sizes,
    .prepare = prepare,
    .select = choose,
};
