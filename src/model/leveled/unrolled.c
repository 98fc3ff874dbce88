/*
 * Unrolling by hops; see unrolled.h. The walk goes over the paths twice: once to count the nodes and edges, so that
 * what does not fit is refused before it is made, and once to make them.
 */
#include "model/leveled/unrolled.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "model/traffic/traffic.h"

typedef struct unrolling {
    const np_network *network;
    uint64_t packets;
    np_walk *walk;
    np_leveled *leveled;
    np_path_set *path_set;

    /* A node has a number on a level if level[level % 2] has that level, plus 1. */
    uint32_t *level[2], *number[2]; /* [nodes] */
    /* A link has an edge from the present level if its level is that, plus 1. */
    uint32_t *link_level; /* [link_numbers] */
    uint8_t *port;        /* [link_numbers] of the edge */

    /* Of the present level. */
    uint32_t first; /* its first node */
    size_t links;
    np_link *link;   /* [links] that have an edge, in order of the packets that take them */
    np_link *sorted; /* [links] the same in order of their tails */
    uint32_t *begin; /* [nodes of the level + 1] where the links of a tail begin */
} unrolling;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "a network unrolled by hops";
    unrolling *u = object;
    for (unsigned i = 0; i < 2; i++) {
        np_arena_zeroed(arena, &u->level[i], u->network->nodes, sizeof *u->level[i], what);
        np_arena_array(arena, &u->number[i], u->network->nodes, sizeof *u->number[i], what);
    }
    np_arena_zeroed(arena, &u->link_level, u->network->link_numbers, sizeof *u->link_level, what);
    np_arena_array(arena, &u->port, u->network->link_numbers, sizeof *u->port, what);
    NP_ARENA_WORDS(arena, u->packets, what, &u->link, &u->sorted);
    np_arena_array(arena, &u->begin, u->packets + 2, sizeof *u->begin, what);
}

uint64_t np_unrolled_bytes(const np_network *network, uint64_t packets)
{
    unrolling u = {.network = network, .packets = packets};
    return np_arena_bytes(&u, sizeof u, layout);
}

np_leveled np_unrolled_sizes(const np_network *network, uint64_t packets, uint32_t depth)
{
    uint64_t nodes = packets < network->nodes ? packets : network->nodes;
    uint64_t edges = packets < network->links ? packets : network->links;
    return np_leveled_sizes(depth, nodes * (depth + UINT64_C(1)), edges * depth, edges * depth, network->nodes,
                            network->link_numbers);
}

/* ---- Counting ---- */

/* Has the node no number on the level yet? Then it is noted that it has one now. */
static bool is_new(unrolling *u, np_node node, uint32_t level)
{
    uint32_t *noted = &u->level[level % 2][node];
    bool fresh = *noted != level + 1;
    *noted = level + 1;
    return fresh;
}

static bool is_new_link(unrolling *u, np_link link, uint32_t level)
{
    bool fresh = u->link_level[link] != level + 1;
    u->link_level[link] = level + 1;
    return fresh;
}

/* Packets for their own node take no path, but they are there: so is the node where they are. */
static uint64_t count_resting(unrolling *u)
{
    const np_traffic *traffic = u->walk->traffic;
    uint64_t nodes = 0;
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        nodes += np_traffic_rests(traffic, p) && is_new(u, np_traffic_sources(traffic)[p], 0);
    return nodes;
}

static np_status count(unrolling *u, np_leveled *sizes)
{
    const np_walk *walk = u->walk;
    uint64_t nodes = 0, edges = 0;
    np_status st;
    np_walk_start(u->walk);
    for (np_packet i = 0; i < walk->count; i++)
        nodes += is_new(u, walk->at[i], 0);
    nodes += count_resting(u);
    while (!(st = np_walk_next(u->walk)) && walk->count)
        for (np_packet i = 0; i < walk->count; i++) {
            edges += is_new_link(u, walk->link[i], walk->hop);
            nodes += is_new(u, np_network_link_head(u->network, walk->link[i]), walk->hop + 1);
        }
    *sizes = np_leveled_sizes(walk->hops_most, nodes, edges, edges, u->network->nodes, u->network->link_numbers);
    return st;
}

static void forget(unrolling *u)
{
    for (unsigned i = 0; i < 2; i++)
        memset(u->level[i], 0, u->network->nodes * sizeof *u->level[i]);
    memset(u->link_level, 0, u->network->link_numbers * sizeof *u->link_level);
}

/* ---- Making ---- */

/* The logical node of a node on a level; made, if it is new. */
static uint32_t number_of(unrolling *u, np_node node, uint32_t level)
{
    uint32_t *number = &u->number[level % 2][node];
    if (is_new(u, node, level))
        *number = np_leveled_add_node(u->leveled, level, node);
    return *number;
}

/* Adds the packets at their sources, with room for their ports. */
static void add_packets(unrolling *u)
{
    const np_node *to = np_traffic_destinations(u->walk->traffic);
    for (np_packet i = 0; i < u->walk->packets; i++) {
        np_packet p = u->walk->number[i];
        np_path_set_add(u->path_set, p, number_of(u, u->walk->at[i], 0), to[p]);
        u->path_set->begin[i + 1] += u->walk->hops[i];
    }
}

static void add_resting(unrolling *u)
{
    const np_traffic *traffic = u->walk->traffic;
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        if (np_traffic_rests(traffic, p))
            number_of(u, np_traffic_sources(traffic)[p], 0);
}

/* The place of the tail among the nodes of the level. */
static uint32_t tail_of(const unrolling *u, np_link link)
{
    return u->number[u->walk->hop % 2][np_network_link_tail(u->network, link)] - u->first;
}

/* Lists the links of the level, and counts those of each tail. */
static void list_links(unrolling *u, uint32_t tails)
{
    const np_walk *walk = u->walk;
    u->links = 0;
    memset(u->begin, 0, (tails + (size_t)1) * sizeof *u->begin);
    for (np_packet i = 0; i < walk->count; i++)
        if (is_new_link(u, walk->link[i], walk->hop)) {
            u->link[u->links++] = walk->link[i];
            u->begin[tail_of(u, walk->link[i]) + 1]++;
        }
}

static np_status too_many_ports(const unrolling *u, np_link link)
{
    char name[NP_NAME_ROOM];
    np_node node = np_network_link_tail(u->network, link);
    return NP_RAISE(
        NP_ERROR_LIMIT,
        "packets leave node %.60s of %s over more than %d links at hop %u: as a leveled network it can have "
        "no more",
        np_network_node_name(u->network, node, name), np_network_spec(u->network), NP_LEVELED_PORTS_MAX,
        u->walk->hop + 1);
}

/* Sorts the links by their tails, and numbers the ports of each tail. */
static np_status sort_links(unrolling *u, uint32_t tails)
{
    for (uint32_t t = 0; t < tails; t++) {
        if (u->begin[t + 1] > NP_LEVELED_PORTS_MAX)
            for (size_t k = 0; k < u->links; k++)
                if (tail_of(u, u->link[k]) == t)
                    return too_many_ports(u, u->link[k]);
        u->begin[t + 1] += u->begin[t];
    }
    for (size_t k = 0; k < u->links; k++)
        u->sorted[u->begin[tail_of(u, u->link[k])]++] = u->link[k];
    for (size_t k = 0; k < u->links; k++) {
        bool next = k && tail_of(u, u->sorted[k]) == tail_of(u, u->sorted[k - 1]);
        u->port[u->sorted[k]] = next ? (uint8_t)(u->port[u->sorted[k - 1]] + 1) : 0;
    }
    return NP_OK;
}

/* Makes the edges of the walk's hop, and the nodes on the next level. */
static np_status make_level(unrolling *u)
{
    const np_walk *walk = u->walk;
    uint32_t next = u->leveled->nodes, tails = next - u->first;
    np_status st;
    list_links(u, tails);
    if ((st = sort_links(u, tails)))
        return st;
    for (size_t k = 0; k < u->links; k++) {
        np_link link = u->sorted[k];
        uint32_t head = number_of(u, np_network_link_head(u->network, link), walk->hop + 1);
        np_leveled_add_edge(u->leveled, u->first + tail_of(u, link), head, 1, &link);
    }
    for (np_packet i = 0; i < walk->count; i++)
        u->path_set->port[u->path_set->begin[walk->packet[i]] + walk->hop] = u->port[walk->link[i]];
    u->first = next;
    return NP_OK;
}

static np_status make(unrolling *u)
{
    np_status st;
    forget(u);
    np_walk_start(u->walk);
    add_packets(u);
    add_resting(u);
    while (!(st = np_walk_next(u->walk)) && u->walk->count)
        if ((st = make_level(u)))
            return st;
    if (!st && !(st = np_leveled_finish(u->leveled)))
        u->leveled->rows = 0; /* a node has other rows on other levels; and the promised sizes know of no columns */
    return st;
}

static np_status count_and_make(unrolling *u)
{
    np_leveled sizes;
    np_status st;
    if ((st = count(u, &sizes)) || (st = np_leveled_create(&sizes, &u->leveled)) ||
        (st = np_path_set_reset(u->path_set, u->walk->packets, u->walk->hops_all)))
        return st;
    return make(u);
}

np_status np_unrolled_make(np_walk *walk, np_leveled **out, np_path_set *path_set)
{
    const np_packet packets = np_traffic_packets(walk->traffic); /* those that rest, too: level 0 has their nodes */
    unrolling made = {.network = walk->path->network, .packets = packets, .walk = walk, .path_set = path_set};
    unrolling *u;
    np_status st = np_arena_create(&made, sizeof made, layout, "a network unrolled by hops", &u);
    *out = NULL;
    if (st)
        return st;
    if ((st = count_and_make(u)))
        np_leveled_free(u->leveled);
    else
        *out = u->leveled;
    np_memory_free(u);
    return st;
}
