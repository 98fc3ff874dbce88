/*
 * The parts of a network: connected ones by one search from each, strongly
 * connected ones by Tarjan's search in depth (1972), with stacks of its own.
 *
 * Nodes are numbered in the order in which the search meets them. low[u] is the
 * least number of a node on the stack that u's subtree has a link to. A node
 * whose low is its own number is the first of its part, and the part is what
 * lies above it on the stack.
 */
#include "model/network/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/network/search.h"

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : -(x > y);
}

/* part: [nodes] the part of each node */
static np_status count(np_part_sizes *sizes, const uint32_t *part, np_node nodes)
{
    np_status st = np_memory_zeroed(&sizes->size, sizes->parts, sizeof *sizes->size, "the parts of a network");
    for (np_node u = 0; u < nodes && !st; u++)
        sizes->size[part[u]]++;
    return st;
}

static void sort(np_part_sizes *sizes) { qsort(sizes->size, sizes->parts, sizeof *sizes->size, by_size); }

static np_status find_connected(np_search *search, uint32_t *part, np_network_parts *parts)
{
    np_node nodes = search->network->nodes;
    np_status st;
    parts->connected.parts = np_search_parts(search, part);
    if ((st = count(&parts->connected, part, nodes)) ||
        (st = np_memory_array(&parts->single, nodes, sizeof *parts->single, "the nodes that are alone")))
        return st;
    for (np_node u = 0; u < nodes; u++)
        if (parts->connected.size[part[u]] == 1)
            parts->single[parts->alone++] = u;
    sort(&parts->connected);
    return NP_OK;
}

/* ---- Strongly connected parts ---- */

typedef struct tarjan {
    const np_search *search;
    uint32_t *part;         /* [nodes] NP_NONE: not known yet */
    uint32_t *number, *low; /* [nodes] number: from 1; 0: not met */
    np_link *next;          /* [nodes] the link to follow next */
    np_node *path, *stack;  /* [nodes] from the root to the present node; met, and of no part yet */
    uint32_t depth, height, met;
    uint32_t parts;
} tarjan;

static void enter(tarjan *t, np_node u)
{
    t->number[u] = t->low[u] = ++t->met;
    t->next[u] = np_network_first_link(t->search->network, u);
    t->path[t->depth++] = u;
    t->stack[t->height++] = u;
}

/* All links of the present node were followed. */
static void leave(tarjan *t)
{
    np_node u = t->path[--t->depth], above;
    if (t->depth && t->low[u] < t->low[t->path[t->depth - 1]])
        t->low[t->path[t->depth - 1]] = t->low[u];
    if (t->low[u] != t->number[u])
        return;
    do {
        above = t->stack[--t->height];
        t->part[above] = t->parts;
    } while (above != u);
    t->parts++;
}

static void follow(tarjan *t, np_node u)
{
    np_node v = t->search->head[t->next[u]++];
    if (v == NP_NONE)
        return;
    if (!t->number[v])
        enter(t, v);
    else if (t->part[v] == NP_NONE && t->number[v] < t->low[u])
        t->low[u] = t->number[v];
}

static void search_from(tarjan *t, np_node root)
{
    enter(t, root);
    while (t->depth) {
        np_node u = t->path[t->depth - 1];
        if (t->next[u] < np_network_first_link(t->search->network, u + 1))
            follow(t, u);
        else
            leave(t);
    }
}

static np_status find_strong(const np_search *search, uint32_t *part, np_part_sizes *sizes)
{
    np_node nodes = search->network->nodes;
    uint32_t *block;
    np_status st = np_memory_zeroed(&block, 5 * (size_t)nodes, sizeof *block, "the strongly connected parts");
    if (st)
        return st;
    tarjan t = {.search = search,
                .part = part,
                .number = block,
                .low = block + nodes,
                .next = block + 2 * (size_t)nodes,
                .path = block + 3 * (size_t)nodes,
                .stack = block + 4 * (size_t)nodes};
    memset(part, 0xff, nodes * sizeof *part); /* NP_NONE */
    for (np_node u = 0; u < nodes; u++)
        if (!t.number[u])
            search_from(&t, u);
    np_memory_free(block);
    sizes->parts = t.parts;
    if (!(st = count(sizes, part, nodes)))
        sort(sizes);
    return st;
}

/* ---- Both ---- */

np_status np_network_parts_find(const np_network *network, np_network_parts *parts)
{
    np_search search = {0};
    uint32_t *part = NULL;
    np_status st;
    *parts = (np_network_parts){.alone = 0};
    if (!(st = np_search_init(&search, network)) &&
        !(st = np_memory_array(&part, network->nodes, sizeof *part, "the parts of a network")) &&
        !(st = find_connected(&search, part, parts)))
        st = find_strong(&search, part, &parts->strong);
    np_memory_free(part);
    np_search_clear(&search);
    return st;
}

void np_network_parts_clear(np_network_parts *parts)
{
    NP_MEMORY_FREE(parts->connected.size, parts->strong.size, parts->single);
}
