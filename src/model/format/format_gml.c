/*
 * GML (Himsolt 1997), as the Internet Topology Zoo, networkx, igraph, yEd and Gephi write it:
 *
 *   graph [ directed 0
 *     node [ id 0 label "Oslo" ]
 *     edge [ source 0 target 1 LinkSpeedRaw 10000000000.0 ] ]
 *
 * A text is a list of keys with values: numbers, texts in quotes, or lists in brackets. In texts, &#233; and &eacute;
 * are characters. Nodes may come after the edges that name them. Lists within nodes and edges, such as graphics, are
 * skipped.
 */
#include <string.h>
#include <strings.h>

#include "base/room.h"
#include "model/format/format.h"
#include "model/format/tokens.h"

enum { KEY_ROOM = 64 };

typedef struct reader {
    np_builder *graph;
    np_tokens tokens;
    char *text; /* of the present value, decoded */
    size_t room;
    uint8_t *declared; /* [declared_room] is there a list of the node? */
    size_t declared_room;
} reader;

static const char *const marks[] = {"[", "]", NULL};
static const np_language language = {"GML", marks, .dot = false};

/* ---- Values ---- */

/* ISO 8859-1 from 160 on, in order; the names of HTML. */
static const char entities[] =
    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute "
    "micro "
    "para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil "
    "Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave "
    "Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml "
    "igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute "
    "thorn yuml ";

static uint32_t entity(np_text_field name)
{
    static const struct {
        const char *name;
        uint32_t character;
    } marked[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    uint32_t character = 160;
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
        if (strlen(marked[i].name) == name.length && !memcmp(marked[i].name, name.at, name.length))
            return marked[i].character;
    for (const char *at = entities, *end; *at; at = end + 1, character++) {
        end = strchr(at, ' ');
        if ((size_t)(end - at) == name.length && !memcmp(at, name.at, name.length))
            return character;
    }
    return 0;
}

/* "#233" or "#xe9"; 0: it is neither. */
static uint32_t reference(np_text_field name)
{
    uint32_t value = 0;
    bool hex = name.length > 2 && (name.at[1] | 32) == 'x';
    for (size_t i = hex ? 2 : 1; i < name.length && value < 0x110000; i++) {
        char c = name.at[i] | 32;
        unsigned digit = name.at[i] >= '0' && name.at[i] <= '9' ? (unsigned)(name.at[i] - '0')
                         : hex && c >= 'a' && c <= 'f'          ? (unsigned)(c - 'a' + 10)
                                                                : 99;
        if (digit > 15)
            return 0;
        value = value * (hex ? 16 : 10) + digit;
    }
    return value < 0x110000 && value - 0xd800 >= 0x800 ? value : 0; /* surrogates are no characters */
}

/*
 * The character that "&...;" at the beginning of the field is, and how long it is; an '&' that begins none is itself.
 */
static uint32_t character_at(np_text_field field, size_t *length)
{
    enum { LONGEST = 10 };
    const char *end = memchr(field.at, ';', field.length < LONGEST ? field.length : LONGEST);
    uint32_t character = 0;
    if (end) {
        np_text_field name = {field.at + 1, (size_t)(end - field.at - 1)};
        character = name.length && *name.at == '#' ? reference(name) : entity(name);
    }
    *length = character ? (size_t)(end + 1 - field.at) : 1;
    return character ? character : '&';
}

/* The text of the present value, decoded into r->text; valid until the next one. A decoded text is never longer. */
static np_status decode(reader *r, np_text_field *out)
{
    np_text_field field = r->tokens.token;
    size_t length = 0, step;
    np_status st;
    *out = field;
    if (r->tokens.kind != NP_TOKEN_QUOTED || !memchr(field.at, '&', field.length))
        return NP_OK;
    if ((st = np_memory_need(&r->text, 0, field.length + 4, &r->room, 1, "a text in a GML file")))
        return st;
    for (size_t i = 0; i < field.length; i += step) {
        step = 1;
        if (field.at[i] == '&')
            length += np_text_put_utf8(character_at((np_text_field){field.at + i, field.length - i}, &step),
                                       r->text + length);
        else
            r->text[length++] = field.at[i];
    }
    *out = (np_text_field){r->text, length};
    return NP_OK;
}

/* ---- Lists ---- */

/* A list of this kind of things: what becomes of each key and its value, and of the end. Lists in it are skipped. */
typedef struct kind {
    np_status (*take)(reader *r, void *context, const char *key, np_text_field value);
    void *context;
} kind;

/* The key here; of one that is too long, the beginning. */
static np_status take_key(reader *r, char key[KEY_ROOM])
{
    size_t length = r->tokens.token.length < KEY_ROOM ? r->tokens.token.length : KEY_ROOM - 1;
    if (r->tokens.kind != NP_TOKEN_WORD)
        return np_tokens_refuse(&r->tokens, r->tokens.kind == NP_TOKEN_END ? "a ']' is missing" : "a key is a word");
    memcpy(key, r->tokens.token.at, length);
    key[length] = 0;
    return np_tokens_next(&r->tokens);
}

static bool at_value(const reader *r)
{
    np_token_kind token = r->tokens.kind;
    return token == NP_TOKEN_NUMBER || token == NP_TOKEN_QUOTED || token == NP_TOKEN_WORD; /* a word: NAN */
}

/* Skips a list from behind its '[' to behind its ']', and the lists in it. */
static np_status skip_list(reader *r)
{
    char key[KEY_ROOM];
    np_status st = NP_OK;
    for (size_t depth = 1; depth && !st;) {
        if (np_tokens_at(&r->tokens, "]")) {
            depth--;
            st = np_tokens_next(&r->tokens);
            continue;
        }
        if ((st = take_key(r, key)))
            return st;
        if (!at_value(r) && !np_tokens_at(&r->tokens, "["))
            return np_tokens_refuse(&r->tokens, "a number, a text in quotes or a list follows a key");
        depth += np_tokens_at(&r->tokens, "[");
        st = np_tokens_next(&r->tokens);
    }
    return st;
}

/* Takes a list from its '[' to behind its ']'. */
static np_status take_list(reader *r, const kind *k)
{
    char key[KEY_ROOM];
    np_text_field value;
    np_status st;
    if (!np_tokens_at(&r->tokens, "["))
        return np_tokens_refuse(&r->tokens, "'[' begins a node or an edge");
    if ((st = np_tokens_next(&r->tokens)))
        return st;
    while (!np_tokens_at(&r->tokens, "]")) {
        if ((st = take_key(r, key)))
            return st;
        bool list = np_tokens_at(&r->tokens, "[");
        if (!list && !at_value(r))
            return np_tokens_refuse(&r->tokens, "a number, a text in quotes or a list follows a key");
        if ((!list && ((st = decode(r, &value)) || (st = k->take(r, k->context, key, value)))) ||
            (st = np_tokens_next(&r->tokens)) || (list && (st = skip_list(r))))
            return st;
    }
    return np_tokens_next(&r->tokens);
}

/* ---- Nodes ---- */

static np_status declare(reader *r, np_node node, np_text_field id)
{
    np_status st = np_memory_reach(&r->declared, node, &r->declared_room, 1, "the nodes of a GML file");
    if (st)
        return st;
    if (r->declared[node]++)
        return np_text_raise(r->tokens.text, NP_ERROR_INPUT, "id %s is that of another node, too",
                             np_text_show_field(id).text);
    return NP_OK;
}

typedef struct ends {
    np_node from, to; /* NP_NONE: not known yet */
} ends;

static np_status take_id(reader *r, void *context, const char *key, np_text_field value)
{
    np_node *node = context;
    np_status st;
    if (strcasecmp(key, "id") != 0)
        return NP_OK;
    if (*node != NP_NONE)
        return np_text_raise(r->tokens.text, NP_ERROR_INPUT, "a GML node with two ids");
    st = np_builder_node(r->graph, r->tokens.text, value, node);
    return st ? st : declare(r, *node, value);
}

static np_status take_of_node(reader *r, void *context, const char *key, np_text_field value)
{
    const np_node *node = context;
    if (!strcasecmp(key, "id"))
        return NP_OK;
    return np_builder_attribute(r->graph, r->tokens.text, *node, (np_text_field){key, strlen(key)}, value);
}

/* Goes through the list twice: its attributes may stand before its id. */
static np_status take_node(reader *r)
{
    const np_tokens first = r->tokens;
    const np_text text = *r->tokens.text;
    np_node node = NP_NONE;
    np_status st = take_list(r, &(kind){take_id, &node});
    if (st)
        return st;
    *first.text = text;
    if (node == NP_NONE)
        return np_text_raise(first.text, NP_ERROR_INPUT, "a GML node without an id");
    r->tokens = first;
    return take_list(r, &(kind){take_of_node, &node});
}

/* ---- Edges ---- */

static np_status take_end(reader *r, void *context, const char *key, np_text_field value)
{
    ends *e = context;
    if (!strcasecmp(key, "source"))
        return np_builder_node(r->graph, r->tokens.text, value, &e->from);
    if (!strcasecmp(key, "target"))
        return np_builder_node(r->graph, r->tokens.text, value, &e->to);
    return NP_OK;
}

static np_status take_of_edge(reader *r, void *context, const char *key, np_text_field value)
{
    (void)context;
    if (!strcasecmp(key, "source") || !strcasecmp(key, "target") || !strcasecmp(key, "key"))
        return NP_OK;
    return np_builder_link_attribute(r->graph, r->tokens.text, r->graph->count - 1, (np_text_field){key, strlen(key)},
                                     value);
}

static np_status take_edge(reader *r)
{
    const np_tokens first = r->tokens;
    const np_text text = *r->tokens.text;
    ends e = {NP_NONE, NP_NONE};
    np_status st = take_list(r, &(kind){take_end, &e});
    if (st)
        return st;
    *first.text = text;
    if (e.from == NP_NONE || e.to == NP_NONE)
        return np_text_raise(first.text, NP_ERROR_INPUT, "a GML edge without a %s",
                             e.from == NP_NONE ? "source" : "target");
    r->tokens = first;
    if ((st = np_builder_link(r->graph, first.text, e.from, e.to, 1)))
        return st;
    return take_list(r, &(kind){take_of_edge, NULL});
}

/* ---- The graph ---- */

static np_status take_direction(reader *r)
{
    np_text_field value = r->tokens.token;
    bool one = value.length == 1 && *value.at == '1', zero = value.length == 1 && *value.at == '0';
    if (r->tokens.kind != NP_TOKEN_NUMBER || (!one && !zero))
        return np_tokens_refuse(&r->tokens, "'directed' is 0 or 1");
    r->graph->direction = one ? NP_GRAPH_DIRECTED : NP_GRAPH_UNDIRECTED;
    return np_tokens_next(&r->tokens);
}

/* A key of the graph, or of what is around it, and its value. */
static np_status take_value(reader *r)
{
    bool list = np_tokens_at(&r->tokens, "[");
    if (!list && !at_value(r))
        return np_tokens_refuse(&r->tokens, "a number, a text in quotes or a list follows a key");
    np_status st = np_tokens_next(&r->tokens);
    return !st && list ? skip_list(r) : st;
}

/* From behind '[' to behind ']'. */
static np_status take_graph(reader *r)
{
    char key[KEY_ROOM];
    np_status st = NP_OK;
    r->graph->direction = NP_GRAPH_UNDIRECTED;
    while (!st && !np_tokens_at(&r->tokens, "]")) {
        if ((st = take_key(r, key)))
            return st;
        st = !strcasecmp(key, "node")       ? take_node(r)
             : !strcasecmp(key, "edge")     ? take_edge(r)
             : !strcasecmp(key, "directed") ? take_direction(r)
                                            : take_value(r);
    }
    return st ? st : np_tokens_next(&r->tokens);
}

static np_status check_declared(const reader *r)
{
    np_text all = *r->tokens.text;
    all.line = NP_TEXT_NO_LINE;
    for (uint64_t u = 0; u < r->graph->nodes; u++)
        if (u >= r->declared_room || !r->declared[u])
            return np_text_raise(&all, NP_ERROR_INPUT, "an edge of GML to id %.60s, but no node has this id",
                                 np_names_get(&r->graph->names, (uint32_t)u));
    return NP_OK;
}

static np_status read_all(reader *r, np_text *text)
{
    char key[KEY_ROOM];
    bool seen = false;
    np_status st = np_tokens_begin(&r->tokens, &language, text);
    while (!st && r->tokens.kind != NP_TOKEN_END) {
        if ((st = take_key(r, key)))
            return st;
        bool graph = !strcasecmp(key, "graph") && np_tokens_at(&r->tokens, "[");
        if (graph && seen)
            return np_tokens_refuse(&r->tokens, "a file has one graph: one with several is no network");
        seen |= graph;
        if (!graph)
            st = take_value(r);
        else if (!(st = np_tokens_next(&r->tokens)))
            st = take_graph(r);
    }
    if (st)
        return st;
    return seen ? check_declared(r) : np_tokens_refuse(&r->tokens, "'graph [' is missing");
}

static np_status read(np_builder *graph, np_text *text)
{
    reader r = {.graph = graph};
    graph->naming = NP_GRAPH_NAMED;
    np_status st = read_all(&r, text);
    NP_MEMORY_FREE(r.text, r.declared);
    return st;
}

/* "graph [", perhaps behind keys with a value, such as Creator "..." */
static bool at_graph(np_tokens *tokens)
{
    enum { KEYS = 20 }; /* ours */
    for (int i = 0; i < KEYS && tokens->kind == NP_TOKEN_WORD; i++) {
        bool graph = np_tokens_at_word(tokens, "graph");
        if (np_tokens_next(tokens))
            return false;
        if (np_tokens_at(tokens, "["))
            return graph;
        if ((tokens->kind != NP_TOKEN_NUMBER && tokens->kind != NP_TOKEN_QUOTED) || np_tokens_next(tokens))
            return false;
    }
    return false;
}

static bool recognizes(np_text text)
{
    np_tokens tokens;
    return !np_tokens_begin(&tokens, &language, &text) && at_graph(&tokens);
}

const np_graph_format np_format_gml = {
    .info = {"gml", "a GML graph", "Himsolt 1997"},
    .recognizes = recognizes,
    .ending = ".gml",
    .read = read,
};
