/* Links as the edges of a graph, or the arcs of a digraph. Both directions of an edge have the same weight. */
#include "machine/script/data.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/order.h"
#include "model/format/links.h"

/* Its weight as a number by which weights of its type are ordered as words. */
typedef struct edge {
    uint64_t ends; /* tail * 2^32 + head; of an edge the lesser node is the tail */
    np_word weight;
} edge;

static uint64_t ends_of(uint32_t a, uint32_t b, bool directed)
{
    return directed || a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int by_ends(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->ends != y->ends)
        return x->ends < y->ends ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

/* The bits of reals in the order of the reals: those below 0 the other way round. Done twice it is undone. */
static np_word ordered(np_word word, bool real) { return real && word < 0 ? word ^ INT64_MAX : word; }

/* The lightest of all edges with these ends. Some are there. */
static const edge *find(const edge *edges, size_t count, uint64_t ends)
{
    return &edges[np_order_keys_below(count, edges, sizeof *edges, ends)];
}

/* Of links with these weights. */
static np_status weigh(np_workspace *work, const np_declared_input *input, size_t count, const uint32_t *from,
                       const uint32_t *to, const np_word *weights, np_graph_read *out)
{
    const bool directed = input->is_directed, real = input->type == NP_TYPE_REAL;
    const np_graph *graph = &out->graph;
    edge *edges;
    np_status st;
    if ((st = np_workspace_take(work, &edges, count, sizeof *edges)) ||
        (st = np_workspace_take(work, &out->weight, graph->arcs, sizeof *out->weight)))
        return st;
    for (size_t i = 0; i < count; i++)
        edges[i] = (edge){ends_of(from[i], to[i], directed), ordered(weights[i], real)};
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t i = 0; i < graph->arcs; i++)
        out->weight[i] = ordered(find(edges, count, ends_of(graph->tail[i], graph->head[i], directed))->weight, real);
    return NP_OK;
}

np_status np_graph_of_links(np_workspace *work, const np_declared_input *input, size_t vertices, size_t count,
                            const uint32_t *from, const uint32_t *to, const np_word *weights, np_graph_read *out)
{
    *out = (np_graph_read){.links = count, .both = !input->is_directed};
    for (size_t i = 0; i < count; i++)
        out->loops += from[i] == to[i];
    np_status st = np_graph_make(work, vertices, count, from, to, input->is_directed, &out->graph);
    return st || !weights ? st : weigh(work, input, count, from, to, weights, out);
}

/* Weights as words of the type that is declared. */
static np_status take_weights(np_workspace *work, const np_declared_input *input, const char *path,
                              const np_builder *links, np_word **out)
{
    np_status st = np_workspace_take(work, out, links->count, sizeof **out);
    for (size_t i = 0; i < links->count && !st; i++) {
        const double weight = links->weight[i];
        char text[NP_DECIMAL_ROOM];
        if (input->type == NP_TYPE_REAL)
            (*out)[i] = np_word_of_real(weight);
        else if (fabs(weight) < 0x1p53 && weight == floor(weight))
            (*out)[i] = (np_word)weight;
        else
            st = NP_RAISE(NP_ERROR_INPUT,
                          "%.200s: the weight %s from %" PRIu32 " to %" PRIu32
                          " is no whole number below 2^53: declare '%s : %s of real'",
                          path, np_decimal_write(weight, text), links->from[i], links->to[i], input->name,
                          input->is_directed ? "digraph" : "graph");
    }
    return st;
}

/* A general matrix has no symmetry; whether it is a list of arcs it does not say. */
static np_status check_direction(const np_declared_input *input, const char *path, const np_builder *links)
{
    if (input->is_directed || links->direction != NP_GRAPH_DIRECTED || !strcmp(links->format, "a Matrix Market file"))
        return NP_OK;
    return NP_RAISE(
        NP_ERROR_INPUT,
        "%.200s is directed by its format (%s), and '%s' is a graph, whose edges go both ways: declare 'input "
        "%s : digraph' to keep the directions",
        path, links->format, input->name, input->name);
}

/* A link each way of every one, as a digraph needs it of a file of edges. */
static np_status double_links(np_workspace *work, np_builder *links, np_word **weights)
{
    const size_t count = links->count;
    np_word *twice = NULL;
    np_status st = NP_OK;
    if (count > NP_NONE / 2)
        return NP_RAISE(NP_ERROR_LIMIT, "%zu edges are more than %u arcs", count, NP_NONE - 1);
    if ((st = np_memory_grow(&links->from, count, 2 * count, sizeof *links->from, "arcs")) ||
        (st = np_memory_grow(&links->to, count, 2 * count, sizeof *links->to, "arcs")) ||
        (*weights && (st = np_workspace_take(work, &twice, 2 * count, sizeof *twice))))
        return st;
    for (size_t i = 0; i < count; i++) {
        links->from[count + i] = links->to[i];
        links->to[count + i] = links->from[i];
        if (twice)
            twice[i] = twice[count + i] = (*weights)[i];
    }
    links->count = 2 * count;
    *weights = twice;
    return NP_OK;
}

static np_status make(np_workspace *work, const np_declared_input *input, const char *path, np_builder *links,
                      np_graph_read *out)
{
    np_word *weights = NULL;
    const size_t edges = links->count;
    np_status st = check_direction(input, path, links);
    if (!st && links->weighted)
        st = take_weights(work, input, path, links, &weights);
    if (!st && input->is_directed && links->direction == NP_GRAPH_UNDIRECTED && !links->both)
        st = double_links(work, links, &weights);
    if (!st)
        st = np_graph_of_links(work, input, links->nodes, links->count, links->from, links->to, weights, out);
    if (links->count > edges) { /* told as the edges of the file */
        out->doubled = true;
        out->links /= 2;
        out->loops /= 2;
    }
    return st;
}

np_status np_graph_file_read(np_workspace *work, const np_declared_input *input, const char *path, np_graph_read *out)
{
    static char name[] = "weight";
    static const np_graph_options options = {.path = "", .numbered = true, .weights = true, .width = name};
    np_builder links;
    NP_TEXT_FILE(file, path);
    if (file.status)
        return file.status;
    np_status st = np_links_list(path, file.data, file.length, &options, NP_LINKS_NODES_MAX, &links);
    if (!st)
        st = make(work, input, path, &links, out);
    np_builder_clear(&links);
    return st;
}
