/* Reads the links of a file as edges of a graph. Both directions of an edge have the same weight. */
#include "script/graph_file.h"

#include <stdlib.h>

#include "network/links.h"

typedef struct edge {
    uint64_t ends; /* the lesser node * 2^32 + the greater one */
    uint32_t weight;
} edge;

static uint64_t ends_of(uint32_t a, uint32_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

static int by_ends(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->ends != y->ends)
        return x->ends < y->ends ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

/* The lightest of all edges with these ends. Some are there. */
static const edge *find(const edge *edges, size_t count, uint64_t ends)
{
    size_t low = 0;
    for (size_t high = count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (edges[middle].ends < ends)
            low = middle + 1;
        else
            high = middle;
    }
    return &edges[low];
}

/* Of edges with these weights. */
static np_status weigh(np_workspace *work, size_t count, const uint32_t *from, const uint32_t *to,
                       const uint32_t *weights, const np_graph *graph, np_word **weight)
{
    edge *edges;
    np_status st;
    if ((st = np_workspace_take(work, &edges, count, sizeof *edges)) ||
        (st = np_workspace_take(work, weight, graph->arcs, sizeof **weight)))
        return st;
    for (size_t i = 0; i < count; i++)
        edges[i] = (edge){ends_of(from[i], to[i]), weights[i]};
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t i = 0; i < graph->arcs; i++)
        (*weight)[i] = find(edges, count, ends_of(graph->tail[i], graph->head[i]))->weight;
    return NP_OK;
}

np_status np_graph_of_edges(np_workspace *work, size_t vertices, size_t count, const uint32_t *from, const uint32_t *to,
                            const uint32_t *weights, np_graph *graph, np_word **weight)
{
    np_status st = np_graph_make(work, vertices, count, from, to, graph);
    *weight = NULL;
    return st || !weights ? st : weigh(work, count, from, to, weights, graph, weight);
}

np_status np_graph_file_read(np_workspace *work, const char *path, np_graph *graph, np_word **weight)
{
    static char name[] = "weight";
    static const np_graph_options options = {.path = "", .numbered = true, .weights = true, .width = name};
    np_builder links;
    size_t length;
    char *data;
    *weight = NULL;
    np_status st = np_text_read(path, &data, &length);
    if (st)
        return st;
    if (!(st = np_links_list(path, data, length, &options, NP_LINKS_NODES_MAX, &links)))
        st = np_graph_of_edges(work, links.nodes, links.count, links.from, links.to, links.width, graph, weight);
    np_builder_clear(&links);
    np_memory_free(data);
    return st;
}
