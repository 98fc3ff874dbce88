/* A network that is leveled, as it is; see unrolled.h. */
#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"
#include "model/leveled/leveled_routing.h"
#include "model/leveled/unrolled.h"
#include "model/network/search.h"

static const char what[] = "the levels of a network";

/* While the levels are found. A component is levelled from its first node, on level `nodes`. */
typedef struct levels {
    const np_network *network;
    np_search search;
    uint32_t *level; /* [nodes] NP_NONE: not found yet */
    np_node *order;  /* [nodes] in the order in which they are found; later by their levels */
    np_node found;
    bool leveled;
} levels;

static void layout_levels(void *object, np_arena *arena)
{
    levels *l = object;
    NP_ARENA_WORDS(arena, l->network->nodes, what, &l->level, &l->order);
}

/* Does a link of node 0 have a link back, as in every undirected network? Then the network is not leveled. */
static bool leads_back(const np_network *network)
{
    for (np_link link = 0, end = np_network_first_link(network, 1); link < end; link++) {
        np_node head = np_network_link_head(network, link);
        if (head != NP_NONE && np_network_link_between(network, head, 0) != NP_NONE)
            return true;
    }
    return false;
}

static void reach(levels *l, np_node node, uint32_t level)
{
    if (l->level[node] == NP_NONE) {
        l->level[node] = level;
        l->order[l->found++] = node;
    } else if (l->level[node] != level)
        l->leveled = false;
}

/* Levels the component of a node. The least level becomes 0. */
static void level_component(levels *l, np_node start)
{
    const np_search *s = &l->search;
    np_node first = l->found;
    uint32_t least = l->network->nodes;
    reach(l, start, least);
    for (np_node i = first; i < l->found && l->leveled; i++) {
        np_node v = l->order[i];
        least = l->level[v] < least ? l->level[v] : least;
        for (np_link link = np_network_first_link(l->network, v), end = np_network_first_link(l->network, v + 1);
             link < end; link++)
            if (s->head[link] != NP_NONE)
                reach(l, s->head[link], l->level[v] + 1);
        for (uint32_t k = s->in_row[v]; k < s->in_row[v + 1]; k++)
            reach(l, np_network_link_tail(l->network, s->in[k]), l->level[v] - 1);
    }
    for (np_node i = first; i < l->found; i++)
        l->level[l->order[i]] -= least;
}

/* Finds the levels; `order` becomes the nodes level by level, in ascending order. *depth = the last level. */
static np_status find_levels(levels *l, uint32_t *depth)
{
    np_node nodes = l->network->nodes;
    uint32_t *begin;
    np_status st;
    l->leveled = true;
    *depth = 0;
    for (np_node v = 0; v < nodes; v++)
        l->level[v] = NP_NONE;
    for (np_node v = 0; v < nodes && l->leveled; v++)
        if (l->level[v] == NP_NONE)
            level_component(l, v);
    if (!l->leveled)
        return NP_OK;
    for (np_node v = 0; v < nodes; v++)
        *depth = l->level[v] > *depth ? l->level[v] : *depth;
    if ((st = np_memory_array(&begin, *depth + (size_t)2, sizeof *begin, what)))
        return st;
    np_order_rows(*depth + (size_t)1, nodes, l->level, begin, l->order);
    np_memory_free(begin);
    return NP_OK;
}

/*
 * A node with more links than ports is no node of a leveled network; packets may still leave it over few links a hop.
 */
static bool has_ports(const np_network *network)
{
    for (np_node v = 0; v < network->nodes; v++)
        if (np_network_first_link(network, v + 1) - np_network_first_link(network, v) > NP_LEVELED_PORTS_MAX)
            return false;
    return true;
}

static np_status build(const levels *l, np_as_is *as_is)
{
    np_leveled *lv = as_is->leveled;
    np_node nodes = l->network->nodes;
    for (np_node i = 0; i < nodes; i++)
        as_is->number[l->order[i]] = np_leveled_add_node(lv, l->level[l->order[i]], l->order[i]);
    for (np_node i = 0; i < nodes; i++) {
        np_node v = l->order[i];
        for (np_link link = np_network_first_link(l->network, v), end = np_network_first_link(l->network, v + 1);
             link < end; link++)
            if (l->search.head[link] != NP_NONE)
                np_leveled_add_edge(lv, i, as_is->number[l->search.head[link]], 1, &link);
    }
    return np_leveled_finish(lv);
}

static np_leveled sizes_of(const np_network *network, uint32_t depth)
{
    return np_leveled_sizes(depth, network->nodes, network->links, network->links, network->nodes,
                            network->link_numbers);
}

uint64_t np_as_is_search_bytes(const np_network *network)
{
    levels l = {.network = network};
    return leads_back(network) ? 0 : np_arena_bytes(&l, sizeof l, layout_levels) + np_search_bytes(network);
}

/* The bytes of a network as it is, those of the search included. */
static uint64_t bytes_of(const np_network *network, const np_leveled *sizes)
{
    return np_as_is_search_bytes(network) + np_leveled_bytes(sizes) +
           np_memory_taken(network->nodes * sizeof(uint32_t)) + sizeof(np_as_is);
}

static np_status make(const levels *l, uint32_t depth, np_as_is **out)
{
    const np_network *network = l->network;
    const np_leveled sizes = sizes_of(network, depth);
    np_status st = np_memory_zeroed(out, 1, sizeof **out, what);
    if (st)
        return st;
    (*out)->bytes = bytes_of(network, &sizes);
    if ((st = np_memory_array(&(*out)->number, network->nodes, sizeof(uint32_t), what)) ||
        (st = np_leveled_create(&sizes, &(*out)->leveled)))
        return st;
    return build(l, *out);
}

np_status np_as_is_create(const np_network *network, np_as_is **out)
{
    levels none = {.network = network};
    levels *l;
    uint32_t depth;
    np_status st;
    *out = NULL;
    if (leads_back(network) || !has_ports(network))
        return NP_OK;
    if ((st = np_arena_create(&none, sizeof none, layout_levels, what, &l)))
        return st;
    if (!(st = np_search_init(&l->search, network)) && !(st = find_levels(l, &depth)) && l->leveled && depth)
        st = make(l, depth, out);
    if (st) {
        np_as_is_free(*out);
        *out = NULL;
    }
    np_search_clear(&l->search);
    np_memory_free(l);
    return st;
}

void np_as_is_free(np_as_is *as_is)
{
    if (!as_is)
        return;
    np_leveled_free(as_is->leveled);
    NP_MEMORY_FREE(as_is->number, as_is);
}

/* The port of the logical node whose edge is the link. */
static uint32_t port_of(const np_leveled *lv, uint32_t tail, np_link link)
{
    uint32_t port = 0;
    while (lv->link[lv->out[tail] + port] != link) /* every edge crosses one link */
        port++;
    return port;
}

np_status np_as_is_select(const np_as_is *as_is, np_walk *walk, np_path_set *path_set)
{
    const np_node *to = np_traffic_destinations(walk->traffic);
    np_status st = np_path_set_reset(path_set, walk->packets, walk->hops_all);
    if (st)
        return st;
    np_walk_start(walk);
    for (np_packet i = 0; i < walk->packets; i++) {
        np_path_set_add(path_set, walk->number[i], as_is->number[walk->at[i]], to[walk->number[i]]);
        path_set->begin[i + 1] += walk->hops[i];
    }
    while (!(st = np_walk_next(walk)) && walk->count)
        for (np_packet i = 0; i < walk->count; i++)
            path_set->port[path_set->begin[walk->packet[i]] + walk->hop] =
                (uint8_t)port_of(as_is->leveled, as_is->number[walk->at[i]], walk->link[i]);
    return st;
}
