/*
 * A network given by its links, from arrays or from a file, as compressed
 * rows: the links of node u are row[u] .. row[u+1]-1, in the order in which
 * they were given. So link row[u] + k is port k of u.
 *
 * A file is text in one of two formats:
 *   lines    "from to", one directed link each, nodes from 0; the first line
 *            may be "nodes N", else N is one more than the largest node named
 *   matrix   Matrix Market coordinate files: entry (i,j) is a link from node
 *            i-1 to node j-1, its value is not used; N is the larger of the
 *            numbers of rows and columns; a symmetric file gives both directions
 * A file without links is refused: its contents have been lost.
 *
 * Self-loops and parallel links are allowed, as in the model (Valiant &
 * Brebner 1981, section 2).
 */
#include "network/links.h"

#include "base/matrix.h"
#include "base/memory.h"

extern const np_network_family np_links;

typedef struct link_list {
    np_node *from, *to;
    size_t count, room;
    uint64_t nodes; /* the number that the file states, or the least number so far */
    bool fixed;     /* the file states it */
} link_list;

static void clear(link_list *list)
{
    np_memory_free(list->from);
    np_memory_free(list->to);
}

static np_status grow(link_list *list)
{
    size_t room = list->room ? 2 * list->room : 1024;
    np_status st;
    if ((st = np_memory_grow(&list->from, list->count, room, sizeof *list->from, "a file's links")) ||
        (st = np_memory_grow(&list->to, list->count, room, sizeof *list->to, "a file's links")))
        return st;
    list->room = room;
    return NP_OK;
}

static np_status push(link_list *list, const np_text *text, uint64_t from, uint64_t to)
{
    np_status st;
    uint64_t last = from > to ? from : to;
    if (list->count == NP_NONE - 1)
        return np_text_raise(text, NP_ERROR_LIMIT, "more than %u links: their numbers have 32 bits", NP_NONE - 1);
    if (list->count == list->room && (st = grow(list)))
        return st;
    list->from[list->count] = (np_node)from;
    list->to[list->count++] = (np_node)to;
    if (!list->fixed && last >= list->nodes)
        list->nodes = last + 1;
    return NP_OK;
}

static np_status read_line(link_list *list, const np_text *text, uint64_t limit)
{
    uint64_t from, to, last = (list->fixed ? list->nodes : limit) - 1;
    np_status st;
    if ((st = np_text_count(text, 2, 2, "from to")) || (st = np_text_number(text, 0, "node", 0, last, &from)) ||
        (st = np_text_number(text, 1, "node", 0, last, &to)))
        return st;
    return push(list, text, from, to);
}

static np_status read_lines(link_list *list, np_text *text, uint64_t limit)
{
    np_status st;
    for (bool first = true; np_text_next(text); first = false) {
        if (first && np_text_is(text, 0, "nodes")) {
            if ((st = np_text_count(text, 2, 2, "nodes N")) ||
                (st = np_text_number(text, 1, "the number of nodes", 1, limit, &list->nodes)))
                return st;
            list->fixed = true;
        } else if ((st = read_line(list, text, limit)))
            return st;
    }
    return NP_OK;
}

static np_status read_matrix(link_list *list, np_text *text, uint64_t limit)
{
    np_matrix matrix;
    np_matrix_entry e;
    bool more;
    np_status st;
    if ((st = np_matrix_open(&matrix, text, false, limit, "nodes that a file may have")))
        return st;
    list->nodes = matrix.rows > matrix.columns ? matrix.rows : matrix.columns;
    list->fixed = true;
    while (!(st = np_matrix_next(&matrix, &more, &e)) && more) {
        if ((st = push(list, text, e.row, e.column)))
            return st;
        if (matrix.symmetric && e.row != e.column && (st = push(list, text, e.column, e.row)))
            return st;
    }
    return st;
}

static np_status allocate_rows(np_network *network, size_t links)
{
    np_status st;
    if ((st = np_memory_zeroed(&network->row, (size_t)network->nodes + 1, sizeof(uint32_t), "the rows of a network")) ||
        (st = np_memory_array(&network->head, links, sizeof(uint32_t), "the heads of the links")))
        return st;
    return np_memory_array(&network->tail, links, sizeof(uint32_t), "the tails of the links");
}

/* Counting sort by `from`, which keeps the order of the list within a node. */
static np_status build_rows(np_network *network, size_t links, const np_node *from, const np_node *to)
{
    np_status st = allocate_rows(network, links);
    uint32_t *row = network->row;
    if (st)
        return st;
    for (size_t i = 0; i < links; i++)
        row[from[i] + 1]++;
    for (np_node u = 0; u < network->nodes; u++) {
        network->ports = row[u + 1] > network->ports ? row[u + 1] : network->ports;
        row[u + 1] += row[u];
    }
    for (size_t i = 0; i < links; i++) { /* row[u] runs from the first link of u to the first link of u + 1 */
        uint32_t link = row[from[i]]++;
        network->head[link] = to[i];
        network->tail[link] = from[i];
    }
    for (np_node u = network->nodes; u > 0; u--)
        row[u] = row[u - 1];
    row[0] = 0;
    network->terminals = network->input_nodes = network->nodes;
    network->links = links;
    network->link_numbers = (uint32_t)links;
    network->by_ports = np_divider_of(1); /* not used: rows carry the numbering */
    return NP_OK;
}

np_status np_links_parse(const char *name, const char *data, size_t length, uint64_t limit, np_network *network)
{
    link_list list = {0};
    np_text text;
    np_status st;
    if ((st = np_text_open(&text, name, data, length)))
        return st;
    st = np_matrix_begins(&text, name) ? read_matrix(&list, &text, limit) : read_lines(&list, &text, limit);
    if (!st && !list.count)
        st = np_text_raise(&text, NP_ERROR_INPUT, "no links: write lines 'from to'");
    if (!st) {
        network->nodes = (np_node)list.nodes;
        st = build_rows(network, list.count, list.from, list.to);
    }
    clear(&list);
    return st;
}

static np_status create(np_network *network, const char *parameters)
{
    char *text;
    size_t length;
    np_status st;
    if (!*parameters)
        return NP_RAISE(NP_ERROR_INPUT, "network 'file:' lacks a path: write file:PATH, as in file:links.txt");
    if ((st = np_text_read(parameters, &text, &length)))
        return st;
    st = np_links_parse(parameters, text, length, NP_LINKS_NODES_MAX, network);
    np_memory_free(text);
    return st;
}

const np_network_family np_links = {
    .info = {"file", "links from a file: lines 'from to', or a Matrix Market file", "Valiant & Brebner 1981, section 2",
             .parameters = "PATH", .example = "file:links.txt"},
    .given = true,
    .create = create,
};

static np_status check_links(np_node nodes, size_t links, const np_node *from, const np_node *to)
{
    if (!nodes)
        return NP_RAISE(NP_ERROR_INPUT, "a network of 0 nodes: it needs at least 1");
    if (links >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "%zu links: at most %u have numbers of 32 bits", links, NP_NONE - 1);
    for (size_t i = 0; i < links; i++)
        if (from[i] >= nodes || to[i] >= nodes)
            return NP_RAISE(NP_ERROR_INPUT, "link %zu goes from %u to %u: the nodes are 0..%u", i, from[i], to[i],
                            nodes - 1);
    return NP_OK;
}

np_status np_network_from_links(np_node nodes, size_t links, const np_node *from, const np_node *to, np_network **out)
{
    np_network *network;
    np_status st;
    *out = NULL;
    if ((st = check_links(nodes, links, from, to)))
        return st;
    if ((st = np_memory_zeroed(&network, 1, sizeof *network, "a network")))
        return st;
    network->family = &np_links;
    network->nodes = nodes;
    network->spec = np_memory_text("links");
    st = network->spec ? build_rows(network, links, from, to) : NP_ERROR_MEMORY;
    if (st) {
        np_network_free(network);
        return st;
    }
    *out = network;
    return NP_OK;
}
