/*
 * Matrix Market coordinate files: entry (i,j) is a link from node i-1 to node
 * j-1. The number of nodes is the larger of rows and columns. A symmetric file
 * gives both directions. The value of an entry is its weight.
 */
#include "base/matrix.h"
#include "model/format/format.h"

static bool recognizes(np_text text) { return np_matrix_begins(&text, ""); }

/* The value is the weight; of a skew-symmetric matrix it would have two signs. */
static np_status link_entry(np_builder *graph, const np_text *text, const np_matrix *matrix, const np_matrix_entry *e)
{
    np_status st = np_builder_link(graph, text, (np_node)e->row, (np_node)e->column, 1);
    if (st || !e->text.length)
        return st;
    if (!matrix->skew || graph->options->weights)
        return np_builder_weight(graph, text, e->text);
    graph->ignored = "the values of a skew-symmetric matrix are not used";
    return NP_OK;
}

/* Adds the other triangle, if links have weights: the sign of one may be another there. */
static np_status add_mirror(np_builder *graph, const np_text *text, bool skew)
{
    np_status st = NP_OK;
    graph->both = true;
    for (size_t i = 0, count = graph->count; i < count && !st; i++)
        if (graph->from[i] != graph->to[i]) {
            st = np_builder_link(graph, text, graph->to[i], graph->from[i], 1);
            graph->weight[graph->count - 1] = skew ? -graph->weight[i] : graph->weight[i];
        }
    return st;
}

static np_status read(np_builder *graph, np_text *text)
{
    np_matrix matrix;
    np_matrix_entry e;
    bool more;
    np_status st;
    np_matrix_begins(text, "");
    if ((st = np_matrix_open(&matrix, text, graph->limit, "nodes that a file may have")) ||
        (st = np_builder_fix(graph, text, matrix.rows > matrix.columns ? matrix.rows : matrix.columns)))
        return st;
    if (matrix.dense)
        return np_text_raise(text, NP_ERROR_INPUT, "a matrix of all entries is no graph: every entry would be an edge");
    graph->mutual = matrix.symmetric && !graph->options->weights;
    graph->direction = matrix.symmetric ? NP_GRAPH_UNDIRECTED : NP_GRAPH_DIRECTED;
    while (!(st = np_matrix_next(&matrix, &more, &e)) && more)
        if ((st = link_entry(graph, text, &matrix, &e)))
            return st;
    return st || !matrix.symmetric || !graph->options->weights ? st : add_mirror(graph, text, matrix.skew);
}

const np_graph_format np_format_matrix = {
    .info = {"matrix-market", "a Matrix Market file", "Boisvert, Pozo & Remington 1996"},
    .recognizes = recognizes,
    .ending = ".mtx",
    .read = read,
};
