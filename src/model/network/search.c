/* Breadth-first search: the links' heads and the reverse lists are made once, then each search is O(links). */
#include "model/network/search.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

enum { BATCH = 512 };

static void list_heads(np_search *search)
{
    np_link link[BATCH];
    uint64_t numbers = search->network->link_numbers;
    if (!search->own_head) {
        search->head = search->network->head;
        return;
    }
    search->head = search->own_head;
    for (uint64_t first = 0; first < numbers; first += BATCH) {
        size_t count = numbers - first < BATCH ? numbers - first : BATCH;
        for (size_t i = 0; i < count; i++)
            link[i] = (np_link)(first + i);
        np_network_heads(search->network, count, link, search->own_head + first);
    }
}

/* Counting sort of the links by head. */
static void list_ins(np_search *search)
{
    uint32_t nodes = search->network->nodes, numbers = search->network->link_numbers, *row = search->in_row;
    for (np_link link = 0; link < numbers; link++)
        if (search->head[link] != NP_NONE)
            row[search->head[link] + 1]++;
    for (np_node v = 0; v < nodes; v++)
        row[v + 1] += row[v];
    for (np_link link = 0; link < numbers; link++)
        if (search->head[link] != NP_NONE)
            search->in[row[search->head[link]]++] = link;
    memmove(row + 1, row, nodes * sizeof *row);
    row[0] = 0;
}

static void layout(void *object, np_arena *arena)
{
    np_search *search = object;
    const np_network *network = search->network;
    if (!network->row)
        np_arena_array(arena, &search->own_head, network->link_numbers, sizeof *search->own_head,
                       "the heads of the links");
    np_arena_zeroed(arena, &search->in_row, (size_t)network->nodes + 1, sizeof *search->in_row, "in-degrees");
    np_arena_array(arena, &search->in, network->links, sizeof *search->in, "the links into each node");
    np_arena_array(arena, &search->order, network->nodes, sizeof *search->order, "a search's nodes");
}

uint64_t np_search_bytes(const np_network *network)
{
    np_search search = {.network = network};
    return np_arena_bytes(&search, 0, layout);
}

np_status np_search_init(np_search *search, const np_network *network)
{
    *search = (np_search){.network = network};
    np_status st = np_arena_place(search, layout, "a search", &search->block);
    if (st)
        return st;
    list_heads(search);
    list_ins(search);
    return NP_OK;
}

void np_search_clear(np_search *search)
{
    np_memory_free(search->block);
    *search = (np_search){0};
}

uint32_t np_search_degree(const np_search *search, np_node u)
{
    np_link end = np_network_first_link(search->network, u + 1);
    uint32_t degree = 0;
    for (np_link link = np_network_first_link(search->network, u); link < end; link++)
        degree += search->head[link] != NP_NONE;
    return degree;
}

static inline void visit(np_search *search, uint32_t *distance, np_node v, uint32_t hops)
{
    if (distance[v] == NP_NONE) {
        distance[v] = hops;
        search->order[search->reached++] = v;
    }
}

void np_search_distances(np_search *search, np_node from, bool backwards, uint32_t *distance)
{
    const np_network *network = search->network;
    search->reached = 0;
    memset(distance, 0xff, network->nodes * sizeof *distance); /* NP_NONE */
    visit(search, distance, from, 0);
    for (np_node i = 0; i < search->reached; i++) {
        np_node u = search->order[i];
        if (backwards) {
            for (uint32_t j = search->in_row[u]; j < search->in_row[u + 1]; j++)
                visit(search, distance, np_network_link_tail(network, search->in[j]), distance[u] + 1);
            continue;
        }
        np_link end = np_network_first_link(network, u + 1);
        for (np_link link = np_network_first_link(network, u); link < end; link++)
            if (search->head[link] != NP_NONE)
                visit(search, distance, search->head[link], distance[u] + 1);
    }
}

/* Searches in both directions, from the nodes at places `next` and later of the order. */
static void flood(np_search *search, uint32_t *part, np_node next, uint32_t number)
{
    const np_network *network = search->network;
    for (; next < search->reached; next++) {
        np_node u = search->order[next];
        np_link end = np_network_first_link(network, u + 1);
        for (np_link link = np_network_first_link(network, u); link < end; link++)
            if (search->head[link] != NP_NONE)
                visit(search, part, search->head[link], number);
        for (uint32_t j = search->in_row[u]; j < search->in_row[u + 1]; j++)
            visit(search, part, np_network_link_tail(network, search->in[j]), number);
    }
}

uint32_t np_search_parts(np_search *search, uint32_t *part)
{
    uint32_t parts = 0, nodes = search->network->nodes;
    search->reached = 0;
    memset(part, 0xff, nodes * sizeof *part); /* NP_NONE */
    for (np_node u = 0; u < nodes; u++) {
        if (part[u] != NP_NONE)
            continue;
        np_node next = search->reached;
        visit(search, part, u, parts);
        flood(search, part, next, parts++);
    }
    return parts;
}
