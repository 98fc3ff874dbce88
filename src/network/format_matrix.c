/*
 * Matrix Market coordinate files: entry (i,j) is a link from node i-1 to node
 * j-1. The number of nodes is the larger of rows and columns. A symmetric file
 * gives both directions. The value of an entry is its weight.
 */
#include "base/matrix.h"
#include "network/format.h"

static bool recognizes(np_text text, const char *name) { return np_matrix_begins(&text, name); }

/* Of an entry: its width, or its weight. back: of the entry that a symmetric file does not list. */
static np_status link_entry(np_builder *graph, const np_text *text, const np_matrix *matrix, const np_matrix_entry *e,
                            bool back)
{
    uint64_t width = matrix->counts ? e->value : 1;
    np_status st = e->text.length ? np_builder_width(graph, text, e->text, &width) : NP_OK;
    if (st)
        return st;
    if (back && matrix->skew)
        graph->said = -graph->said;
    const np_node from = (np_node)e->row, to = (np_node)e->column;
    return np_builder_link(graph, text, back ? to : from, back ? from : to, width);
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
    graph->both = matrix.symmetric;
    graph->direction = matrix.symmetric ? NP_GRAPH_UNDIRECTED : NP_GRAPH_DIRECTED;
    while (!(st = np_matrix_next(&matrix, &more, &e)) && more)
        if ((st = link_entry(graph, text, &matrix, &e, false)) ||
            (matrix.symmetric && e.row != e.column && (st = link_entry(graph, text, &matrix, &e, true))))
            return st;
    return st;
}

const np_graph_format np_format_matrix = {
    .info = {"matrix-market", "a Matrix Market file", "Boisvert, Pozo & Remington 1996"},
    .recognizes = recognizes,
    .read = read,
};
