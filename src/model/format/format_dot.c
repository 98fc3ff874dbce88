/*
 * DOT, the language of Graphviz, by its published grammar (graphviz.org/doc/info/lang.html):
 *
 *   graph      [strict] (graph | digraph) [ID] { statements }
 *   statement  nodes [attributes] | ends EDGE ends EDGE ends ... [attributes] | (graph | node | edge) attributes
 *              | ID = ID | subgraph
 *   ends       nodes | subgraph               subgraph: [subgraph [ID]] { statements }
 *   nodes      ID [:port [:compass]], ...     attributes: [ID = ID, ...] [...] ...
 *
 * with "--" as EDGE in a graph and "->" in a digraph. Graphviz reads a list of nodes with commas, and so do we. An ID
 * is a word, a number, a text in quotes (several are joined by '+') or <...>. Ports are read and not kept.
 *
 * Subgraphs are on a stack (dot.h), so there is no recursion.
 */
#include <string.h>

#include "base/room.h"
#include "model/format/dot.h"
#include "model/format/format.h"

enum { NAME, VALUE, TEXTS }; /* two IDs that live at the same time */

typedef struct reader {
    np_dot dot;
    np_tokens tokens;
    char *copy[TEXTS]; /* of IDs that are not in the file as they are */
    size_t length[TEXTS], room[TEXTS];
    bool directed;
} reader;

static const char *const marks[] = {"->", "--", "{", "}", "[", "]", ";", ",", "=", ":", "+", NULL};
static const np_language language = {"DOT", marks, .dot = true};

/* ---- IDs ---- */

static bool at_keyword(const np_tokens *tokens)
{
    static const char *const words[] = {"node", "edge", "graph", "digraph", "subgraph", "strict"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (np_tokens_at_word(tokens, words[i]))
            return true;
    return false;
}

static bool at_id(const np_tokens *tokens)
{
    return tokens->kind != NP_TOKEN_END && tokens->kind != NP_TOKEN_MARK && !at_keyword(tokens);
}

/* Appends a text in quotes to the copy: \" is a quote, a backslash at the end of a line joins it to the next one. */
static np_status append(reader *r, int which, np_text_field text)
{
    np_status st = np_memory_need(&r->copy[which], r->length[which], r->length[which] + text.length + 1,
                                  &r->room[which], 1, "a name in a DOT file");
    if (st)
        return st;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i], next = c == '\\' && i + 1 < text.length ? text.at[i + 1] : 0;
        bool pair = next == '\r' && i + 2 < text.length && text.at[i + 2] == '\n';
        if (next == '\n' || pair) {
            i += pair ? 2 : 1;
            continue;
        }
        if (next == '"' || next == '\\')
            i++;
        if (next != '"')
            r->copy[which][r->length[which]++] = c;
        if (next == '"' || next == '\\')
            r->copy[which][r->length[which]++] = next;
    }
    return NP_OK;
}

/* A text in quotes and those that '+' joins to it. */
static np_status take_quoted(reader *r, int which, np_text_field *out)
{
    np_status st;
    bool more = true;
    r->length[which] = 0;
    *out = r->tokens.token;
    for (bool first = true; more; first = false) {
        bool plain = first && !memchr(r->tokens.token.at, '\\', r->tokens.token.length);
        if ((st = append(r, which, r->tokens.token)) || (st = np_tokens_next(&r->tokens)))
            return st;
        more = np_tokens_at(&r->tokens, "+");
        if (!more && plain)
            return NP_OK; /* as it stands in the file */
        if (more && (st = np_tokens_next(&r->tokens)))
            return st;
        if (more && r->tokens.kind != NP_TOKEN_QUOTED)
            return np_tokens_refuse(&r->tokens, "'+' joins texts in quotes");
    }
    *out = (np_text_field){r->copy[which], r->length[which]};
    return NP_OK;
}

/* *out = the ID here; it lasts until the next one of its kind is taken. */
static np_status take_id(reader *r, int which, const char *what, np_text_field *out)
{
    if (!at_id(&r->tokens))
        return np_tokens_refuse(&r->tokens, what);
    *out = r->tokens.token;
    return r->tokens.kind == NP_TOKEN_QUOTED ? take_quoted(r, which, out) : np_tokens_next(&r->tokens);
}

/* Takes the mark, if it is there. */
static np_status take_mark(reader *r, const char *mark, bool *taken)
{
    *taken = np_tokens_at(&r->tokens, mark);
    return *taken ? np_tokens_next(&r->tokens) : NP_OK;
}

static np_status need_mark(reader *r, const char *mark, const char *what)
{
    bool taken;
    np_status st = take_mark(r, mark, &taken);
    return st || taken ? st : np_tokens_refuse(&r->tokens, what);
}

/* ---- Attributes ---- */

typedef np_status taker(reader *r, np_text_field name, np_text_field value);

/* What a graph is drawn like says nothing of its links. */
static np_status take_of_graph(reader *r, np_text_field name, np_text_field value)
{
    return np_dot_preset(&r->dot, NP_DOT_OF_GRAPH, name, value);
}

static np_status take_of_nodes(reader *r, np_text_field name, np_text_field value)
{
    return np_dot_preset(&r->dot, NP_DOT_OF_NODES, name, value);
}

static np_status take_of_edges(reader *r, np_text_field name, np_text_field value)
{
    return np_dot_preset(&r->dot, NP_DOT_OF_EDGES, name, value);
}

static np_status take_of_statement(reader *r, np_text_field name, np_text_field value)
{
    return np_dot_attribute(&r->dot, name, value);
}

/* NAME = VALUE; the name has been taken. */
static np_status assign(reader *r, np_text_field name, taker *take)
{
    np_text_field value;
    np_status st;
    if ((st = need_mark(r, "=", "'=' and a value follow the name of an attribute")) ||
        (st = take_id(r, VALUE, "a value follows '='", &value)))
        return st;
    return take(r, name, value);
}

/* [NAME = VALUE, ...] [...] ... */
static np_status take_attributes(reader *r, taker *take)
{
    np_text_field name;
    np_status st = NP_OK;
    bool open, end = false, comma;
    while (!st && !(st = take_mark(r, "[", &open)) && open) {
        while (!st && !(st = take_mark(r, "]", &end)) && !end) {
            if ((st = take_id(r, NAME, "a list of attributes is [NAME = VALUE, ...]", &name)) ||
                (st = assign(r, name, take)) || (st = take_mark(r, ",", &comma)) ||
                (!comma && (st = take_mark(r, ";", &comma))))
                return st;
        }
    }
    return st;
}

/* graph, node or edge: attributes of all that follows. */
static np_status take_defaults(reader *r)
{
    taker *take = np_tokens_at_word(&r->tokens, "node")   ? take_of_nodes
                  : np_tokens_at_word(&r->tokens, "edge") ? take_of_edges
                                                          : take_of_graph;
    np_status st = np_tokens_next(&r->tokens);
    if (!st && !np_tokens_at(&r->tokens, "["))
        return np_tokens_refuse(&r->tokens,
                                "[...] follows 'graph', 'node' or 'edge'; names like these stand in quotes");
    return st ? st : take_attributes(r, take);
}

/* ---- Statements ---- */

static bool at_edge(const reader *r) { return np_tokens_at(&r->tokens, "->") || np_tokens_at(&r->tokens, "--"); }

/* The ends of edges are there: joins them to those before, and looks whether more follow. */
static np_status end_ends(reader *r, bool subgraph)
{
    bool joined = np_dot_top(&r->dot)->chained;
    np_status st = joined ? np_dot_connect(&r->dot) : NP_OK;
    if (st)
        return st;
    if (at_edge(r)) {
        if (np_tokens_at(&r->tokens, "->") != r->directed)
            return np_tokens_refuse(&r->tokens, r->directed ? "edges of a digraph are written '->'"
                                                            : "edges of a graph are written '--', or it is a digraph");
        np_dot_chain(&r->dot);
        return np_tokens_next(&r->tokens);
    }
    if (np_tokens_at(&r->tokens, "[") && subgraph && !joined)
        return np_tokens_refuse(&r->tokens, "a subgraph has its attributes within its braces");
    st = take_attributes(r, take_of_statement);
    np_dot_end_statement(&r->dot);
    return st;
}

/* ":port:compass" */
static np_status skip_port(reader *r)
{
    np_text_field port;
    bool colon;
    np_status st = take_mark(r, ":", &colon);
    for (int i = 0; i < 2 && colon && !st; i++) {
        st = take_id(r, VALUE, "the name of a port follows ':'", &port);
        st = st ? st : take_mark(r, ":", &colon);
    }
    return st || !colon ? st : np_tokens_refuse(&r->tokens, "a port has no third part");
}

/* Nodes; or, if they begin a statement, "ID = ID". */
static np_status take_nodes(reader *r)
{
    np_text_field name;
    np_status st;
    bool comma = false;
    if ((st = take_id(r, NAME, "a statement begins with a node or a subgraph", &name)))
        return st;
    if (np_tokens_at(&r->tokens, "=") && !np_dot_top(&r->dot)->chained)
        return assign(r, name, take_of_graph);
    do {
        if ((comma && (st = take_id(r, NAME, "a node follows ','", &name))) || (st = np_dot_node(&r->dot, name)) ||
            (st = skip_port(r)) || (st = take_mark(r, ",", &comma)))
            return st;
    } while (comma);
    return end_ends(r, false);
}

/* [subgraph [ID]] { */
static np_status open(reader *r)
{
    np_text_field name;
    bool named = false;
    np_status st;
    if (np_tokens_at_word(&r->tokens, "subgraph")) {
        if ((st = np_tokens_next(&r->tokens)))
            return st;
        named = at_id(&r->tokens);
        if (named && (st = take_id(r, NAME, "", &name)))
            return st;
    }
    st = need_mark(r, "{", "'{' begins a subgraph");
    return st ? st : np_dot_open(&r->dot, named ? &name : NULL);
}

static np_status close(reader *r, bool *end)
{
    np_status st = np_tokens_next(&r->tokens);
    *end = r->dot.frames == 1;
    if (st || *end)
        return st;
    st = np_dot_close(&r->dot, r->dot.frame[r->dot.frames - 2].chained || at_edge(r));
    return st ? st : end_ends(r, true);
}

/* One step on: *end is set at the last brace. */
static np_status step(reader *r, bool *end)
{
    const np_tokens *t = &r->tokens;
    if (np_tokens_at_word(t, "subgraph") || np_tokens_at(t, "{"))
        return open(r);
    if (np_dot_top(&r->dot)->chained)
        return take_nodes(r);
    if (np_tokens_at(t, "}"))
        return close(r, end);
    if (np_tokens_at(t, ";"))
        return np_tokens_next(&r->tokens);
    if (np_tokens_at_word(t, "graph") || np_tokens_at_word(t, "node") || np_tokens_at_word(t, "edge"))
        return take_defaults(r);
    if (t->kind == NP_TOKEN_END)
        return np_tokens_refuse(t, "a '}' is missing");
    return take_nodes(r);
}

/* ---- The whole ---- */

/* [strict] (graph | digraph) [ID] { */
static np_status take_head(reader *r, np_builder *graph, np_text *text)
{
    np_text_field name;
    np_status st = np_tokens_begin(&r->tokens, &language, text);
    bool strict = !st && np_tokens_at_word(&r->tokens, "strict");
    if (st || (strict && (st = np_tokens_next(&r->tokens))))
        return st;
    r->directed = np_tokens_at_word(&r->tokens, "digraph");
    if (!r->directed && !np_tokens_at_word(&r->tokens, "graph"))
        return np_tokens_refuse(&r->tokens, "a text begins with 'graph' or 'digraph'");
    graph->naming = NP_GRAPH_NAMED;
    graph->direction = r->directed ? NP_GRAPH_DIRECTED : NP_GRAPH_UNDIRECTED;
    if ((st = np_tokens_next(&r->tokens)) || (at_id(&r->tokens) && (st = take_id(r, NAME, "", &name))) ||
        (st = need_mark(r, "{", "'{' begins a graph")))
        return st;
    return np_dot_begin(&r->dot, graph, text, strict);
}

static np_status read_all(reader *r, np_builder *graph, np_text *text)
{
    bool end = false;
    np_status st = take_head(r, graph, text);
    while (!st && !end)
        st = step(r, &end);
    if (st)
        return st;
    if (r->tokens.kind != NP_TOKEN_END)
        return np_tokens_refuse(&r->tokens, "nothing follows the last '}': a file with several graphs is no network");
    if (r->dot.arrows)
        graph->ignored = "'dir' of edges only draws arrows";
    return NP_OK;
}

static np_status read(np_builder *graph, np_text *text)
{
    reader *r;
    np_status st = np_memory_zeroed(&r, 1, sizeof *r, "a reader of DOT");
    if (st)
        return st;
    st = read_all(r, graph, text);
    np_dot_clear(&r->dot);
    for (int i = 0; i < TEXTS; i++)
        np_memory_free(r->copy[i]);
    np_memory_free(r);
    return st;
}

/* Does a graph begin here? A list may begin with a node called graph, so a brace must follow, perhaps behind a name. */
static bool at_graph(np_tokens *tokens)
{
    if (np_tokens_at_word(tokens, "strict") && np_tokens_next(tokens))
        return false;
    if ((!np_tokens_at_word(tokens, "graph") && !np_tokens_at_word(tokens, "digraph")) || np_tokens_next(tokens))
        return false;
    if (at_id(tokens) && np_tokens_next(tokens))
        return false;
    return np_tokens_at(tokens, "{") || tokens->kind == NP_TOKEN_END;
}

static bool recognizes(np_text text)
{
    np_tokens tokens;
    return !np_tokens_begin(&tokens, &language, &text) && at_graph(&tokens);
}

const np_graph_format np_format_dot = {
    .info = {"dot", "a DOT graph", "Gansner & North 2000"},
    .recognizes = recognizes,
    .ending = ".dot",
    .other_ending = ".gv",
    .read = read,
};
