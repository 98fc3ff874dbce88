/* See graph.h. */
#include "path/graph.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

enum { BATCH = 512 };

static void layout(void *object, np_arena *arena)
{
    np_graph *graph = object;
    size_t nodes = graph->nodes;
    np_arena_array(arena, &graph->row, nodes + 1, sizeof(uint32_t), "the rows of a graph");
    np_arena_zeroed(arena, &graph->in_row, nodes + 1, sizeof(uint32_t), "in-degrees");
    np_arena_array(arena, &graph->in, graph->links, sizeof(uint32_t), "the links into each node");
    np_arena_array(arena, &graph->gate, nodes, sizeof(uint32_t), "the gates of the nodes");
    if (!graph->lends)
        np_arena_array(arena, &graph->own_head, graph->link_numbers, sizeof(uint32_t), "the heads of the links");
}

static void list_heads(np_graph *graph)
{
    np_link link[BATCH];
    if (graph->lends) {
        graph->head = graph->network->head;
        return;
    }
    for (uint64_t first = 0; first < graph->link_numbers; first += BATCH) {
        size_t count = graph->link_numbers - first < BATCH ? graph->link_numbers - first : BATCH;
        for (size_t i = 0; i < count; i++)
            link[i] = (np_link)(first + i);
        np_network_heads(graph->network, count, link, graph->own_head + first);
    }
    graph->head = graph->own_head;
}

/* Counting sort of the links by head. */
static void list_ins(np_graph *graph)
{
    uint32_t *row = graph->in_row;
    for (np_link link = 0; link < graph->link_numbers; link++)
        if (graph->head[link] != NP_NONE)
            row[graph->head[link] + 1]++;
    for (np_node v = 0; v < graph->nodes; v++)
        row[v + 1] += row[v];
    for (np_node u = 0; u < graph->nodes; u++)
        for (np_link link = graph->row[u]; link < graph->row[u + 1]; link++)
            if (graph->head[link] != NP_NONE)
                graph->in[row[graph->head[link]]++] = u;
    memmove(row + 1, row, graph->nodes * sizeof *row);
    row[0] = 0;
}

static np_node gate_of(const np_graph *graph, np_node v)
{
    np_node gate = v;
    for (uint32_t j = graph->in_row[v]; j < graph->in_row[v + 1]; j++) {
        np_node u = graph->in[j];
        if (u != v && gate != v && u != gate)
            return v;
        gate = u != v ? u : gate;
    }
    return gate;
}

/* first[v]: the first link from the present node to v, if it leaves the present node; last[v]: the last one so far. */
static bool join_twins(np_graph *graph, uint32_t *first, uint32_t *last, uint32_t *twin)
{
    bool found = false;
    memset(first, 0xff, graph->nodes * sizeof *first); /* NP_NONE */
    for (np_node u = 0; u < graph->nodes; u++)
        for (np_link link = graph->row[u]; link < graph->row[u + 1]; link++) {
            np_node v = graph->head[link];
            twin[link] = link;
            if (v == NP_NONE)
                continue;
            if (first[v] == NP_NONE || first[v] < graph->row[u])
                first[v] = link;
            else {
                twin[last[v]] = link;
                twin[link] = first[v];
                found = true;
            }
            last[v] = link;
        }
    return found;
}

static np_status find_twins(np_graph *graph)
{
    uint32_t *first = NULL, *last = NULL;
    np_status st;
    if (!(st = np_memory_array(&graph->twin, graph->link_numbers, sizeof *graph->twin, "parallel links")) &&
        !(st = np_memory_array(&first, graph->nodes, sizeof *first, "parallel links")) &&
        !(st = np_memory_array(&last, graph->nodes, sizeof *last, "parallel links")) &&
        !join_twins(graph, first, last, graph->twin)) {
        np_memory_free(graph->twin);
        graph->twin = NULL;
    }
    np_memory_free(first);
    np_memory_free(last);
    return st;
}

np_status np_graph_create(const np_network *network, np_graph **out)
{
    np_graph plan = {.network = network,
                     .nodes = network->nodes,
                     .link_numbers = network->link_numbers,
                     .links = network->links,
                     .lends = network->row != NULL};
    np_graph *graph;
    np_status st = np_arena_create(&plan, sizeof plan, layout, "the lists of a network's links", &graph);
    *out = graph;
    if (st)
        return st;
    for (uint64_t u = 0; u <= graph->nodes; u++)
        graph->row[u] = network->row ? network->row[u] : (uint32_t)(u * network->ports);
    list_heads(graph);
    list_ins(graph);
    for (np_node v = 0; v < graph->nodes; v++)
        graph->gate[v] = gate_of(graph, v);
    graph->bytes = np_arena_bytes(&plan, sizeof plan, layout);
    if ((st = find_twins(graph)))
        return st;
    graph->bytes += graph->twin ? np_memory_taken(graph->link_numbers * sizeof *graph->twin) : 0;
    return NP_OK;
}

void np_graph_free(np_graph *graph)
{
    if (graph)
        np_memory_free(graph->twin);
    np_memory_free(graph);
}
