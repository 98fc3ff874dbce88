/* See graph.h. */
#include "model/path/graph.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

static void layout(void *object, np_arena *arena)
{
    np_graph *graph = object;
    np_arena_array(arena, &graph->row, (size_t)graph->nodes + 1, sizeof *graph->row, "the rows of a graph");
    np_arena_array(arena, &graph->gate, graph->nodes, sizeof *graph->gate, "the gates of the nodes");
    np_arena_array(arena, &graph->in_link, graph->links, sizeof *graph->in_link, "the links into each node");
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

static void mark_twins(np_graph *graph)
{
    for (np_link link = 0; link < graph->link_numbers; link++)
        graph->parallel[link / 64] |= (uint64_t)(graph->twin[link] != link) << link % 64;
}

static void drop_twins(np_graph *graph)
{
    NP_MEMORY_FREE(graph->twin, graph->parallel);
    graph->twin = NULL;
    graph->parallel = NULL;
}

static np_status find_twins(np_graph *graph)
{
    uint32_t *first = NULL, *last = NULL;
    np_status st;
    if (!(st = np_memory_array(&graph->twin, graph->link_numbers, sizeof *graph->twin, "parallel links")) &&
        !(st = np_memory_zeroed(&graph->parallel, graph->link_numbers / 64 + 1, sizeof *graph->parallel,
                                "parallel links")) &&
        !(st = np_memory_array(&first, graph->nodes, sizeof *first, "parallel links")) &&
        !(st = np_memory_array(&last, graph->nodes, sizeof *last, "parallel links"))) {
        if (join_twins(graph, first, last, graph->twin))
            mark_twins(graph);
        else
            drop_twins(graph);
    }
    NP_MEMORY_FREE(first, last);
    return st;
}

np_status np_graph_create(const np_network *network, np_graph **out)
{
    np_graph plan = {
        .network = network, .nodes = network->nodes, .link_numbers = network->link_numbers, .links = network->links};
    np_graph *graph;
    np_status st = np_arena_create(&plan, sizeof plan, layout, "the lists of a network's links", &graph);
    *out = graph;
    if (st || (st = np_search_init(&graph->lists, network)))
        return st;
    graph->head = graph->lists.head;
    graph->in_row = graph->lists.in_row;
    graph->in = graph->lists.in;
    memcpy(graph->in_link, graph->in, graph->links * sizeof *graph->in);
    np_network_tails(network, graph->links, graph->in, graph->in); /* links become the nodes that they leave */
    for (uint64_t u = 0; u <= graph->nodes; u++)
        graph->row[u] = np_network_first_link(network, (np_node)u);
    for (np_node v = 0; v < graph->nodes; v++)
        graph->gate[v] = gate_of(graph, v);
    graph->bytes = np_arena_bytes(&plan, sizeof plan, layout) + np_search_bytes(network);
    if ((st = find_twins(graph)))
        return st;
    graph->bytes += graph->twin ? np_memory_taken(graph->link_numbers * sizeof *graph->twin) +
                                      np_memory_taken(graph->link_numbers / 8)
                                : 0;
    return NP_OK;
}

void np_graph_free(np_graph *graph)
{
    if (!graph)
        return;
    np_search_clear(&graph->lists);
    drop_twins(graph);
    np_memory_free(graph);
}

bool np_graph_leads_on(const np_graph *graph, np_node gate)
{
    for (np_link link = graph->row[gate]; link < graph->row[gate + 1]; link++)
        if (graph->head[link] != NP_NONE && graph->head[link] != gate && graph->gate[graph->head[link]] == gate)
            return true;
    return false;
}

np_link np_graph_link_between(const np_graph *graph, np_node from, np_node to)
{
    np_link link = graph->row[from];
    while (graph->head[link] != to)
        link++;
    return link;
}
