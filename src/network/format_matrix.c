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

static np_status read(np_builder *graph, np_text *text)
{
    static const np_text_field weight = {"weight", 6};
    np_matrix matrix;
    np_matrix_entry e;
    bool more, wide = np_builder_is_width(graph, weight);
    np_status st;
    np_matrix_begins(text, "");
    if ((st = np_matrix_open(&matrix, text, wide, graph->limit, "nodes that a file may have")) ||
        (st = np_builder_fix(graph, text, matrix.rows > matrix.columns ? matrix.rows : matrix.columns)))
        return st;
    graph->mutual = matrix.symmetric;
    graph->direction = matrix.symmetric ? NP_GRAPH_UNDIRECTED : NP_GRAPH_DIRECTED;
    while (!(st = np_matrix_next(&matrix, &more, &e)) && more) {
        uint64_t width = wide ? e.value : 1;
        if ((st = np_builder_link(graph, text, (np_node)e.row, (np_node)e.column, width)))
            return st;
    }
    return st || !matrix.symmetric ? st : check_triangle(graph, text);
}

const np_graph_format np_format_matrix = {
    .info = {"matrix-market", "a Matrix Market file", "Boisvert, Pozo & Remington 1996"},
    .recognizes = recognizes,
    .read = read,
};
