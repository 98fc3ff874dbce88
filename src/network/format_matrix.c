/*
 * Matrix Market coordinate files: entry (i,j) is a link from node i-1 to node
 * j-1. The number of nodes is the larger of rows and columns. A symmetric file
 * gives both directions. The value of an entry is its weight.
 */
#include "base/matrix.h"
#include "network/format.h"

static bool recognizes(np_text text, const char *name) { return np_matrix_begins(&text, name); }

/* A symmetric file has one triangle: an entry of the other one would be a second link, or the same again. */
static np_status check_triangle(np_builder *graph, const np_text *text)
{
    np_both_ways ways;
    np_status st = np_builder_pair(graph, text, false, &ways);
    if (st || !ways.paired)
        return st;
    return np_text_raise(
        text, NP_ERROR_INPUT,
        "%llu of %llu entries stand in both triangles of a symmetric matrix, which has one: write 'general' "
        "in the banner, or leave out one of (i,j) and (j,i)",
        (unsigned long long)ways.paired, (unsigned long long)ways.links);
}

/* Of an entry: its width, or its weight. */
static np_status link_entry(np_builder *graph, const np_text *text, const np_matrix *matrix, const np_matrix_entry *e)
{
    uint64_t width = matrix->counts ? e->value : 1;
    bool weight = graph->options->weights && e->text.length;
    np_status st = weight ? np_builder_width(graph, text, e->text, &width) : NP_OK;
    return st ? st : np_builder_link(graph, text, (np_node)e->row, (np_node)e->column, width);
}

/* Adds the other triangle, if links have weights: the sign of one may be another there. */
static np_status add_mirror(np_builder *graph, const np_text *text, bool skew)
{
    np_status st = NP_OK;
    graph->both = true;
    for (size_t i = 0, count = graph->count; i < count && !st; i++)
        if (graph->from[i] != graph->to[i]) {
            graph->said = skew ? -graph->weight[i] : graph->weight[i];
            st = np_builder_link(graph, text, graph->to[i], graph->from[i], 1);
        }
    return st;
}

static np_status open_matrix(np_builder *graph, np_text *text, np_matrix *matrix)
{
    static const np_text_field weight = {"weight", 6};
    static const char limit[] = "nodes that a file may have";
    bool wide = np_builder_is_width(graph, weight);
    np_matrix_begins(text, "");
    return graph->options->weights ? np_matrix_open_numbers(matrix, text, graph->limit, limit)
                                   : np_matrix_open(matrix, text, wide, graph->limit, limit);
}

static np_status read(np_builder *graph, np_text *text)
{
    np_matrix matrix;
    np_matrix_entry e;
    bool more;
    np_status st;
    if ((st = open_matrix(graph, text, &matrix)) ||
        (st = np_builder_fix(graph, text, matrix.rows > matrix.columns ? matrix.rows : matrix.columns)))
        return st;
    if (matrix.dense)
        return np_text_raise(text, NP_ERROR_INPUT, "a matrix of all entries is no graph: every entry would be an edge");
    graph->mutual = matrix.symmetric && !graph->options->weights;
    graph->direction = matrix.symmetric ? NP_GRAPH_UNDIRECTED : NP_GRAPH_DIRECTED;
    while (!(st = np_matrix_next(&matrix, &more, &e)) && more)
        if ((st = link_entry(graph, text, &matrix, &e)))
            return st;
    if (st || !matrix.symmetric || (st = check_triangle(graph, text)))
        return st;
    return graph->options->weights ? add_mirror(graph, text, matrix.skew) : NP_OK;
}

const np_graph_format np_format_matrix = {
    .info = {"matrix-market", "a Matrix Market file", "Boisvert, Pozo & Remington 1996"},
    .recognizes = recognizes,
    .read = read,
};
