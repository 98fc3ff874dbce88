/*
 * Node-link JSON, as networkx.node_link_data and D3 write it. jansson reads it.
 *
 *   {"directed": false,
 *    "nodes": [{"id": "a", "kind": "host"}, {"id": "b"}],
 *    "links": [{"source": "a", "target": "b", "width": 4}]}
 *
 * "edges" may stand for "links", and "name" for "id". Without ids the ends of
 * links are places in the list of nodes. A name that is a list, as networkx
 * writes tuples, is the text that Python prints of the tuple: "(0, 1)".
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "model/format/format.h"
#include "show/table/json.h"

enum { SHORT_TEXT = 256 };

static bool recognizes(np_text text) { return np_format_begins(&text, "{"); }

/* Appends to the text in room; false: there is no room. */
static bool append(char room[SHORT_TEXT], size_t *length, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool append(char room[SHORT_TEXT], size_t *length, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *length += (size_t)vsnprintf(room + *length, SHORT_TEXT - *length, format, arguments);
    va_end(arguments);
    return *length < SHORT_TEXT;
}

static bool append_list(const json_t *list, char room[SHORT_TEXT], size_t *length);

/* Appends a value as Python prints it in a tuple. False: it is an object, or there is no room. */
static bool append_item(const json_t *value, char room[SHORT_TEXT], size_t *length)
{
    const char *text = json_string_value(value);
    if (text)
        return append(room, length, strchr(text, '\'') ? "\"%s\"" : "'%s'", text);
    if (json_is_integer(value))
        return append(room, length, "%lld", (long long)json_integer_value(value));
    if (json_is_real(value))
        return append(room, length, "%s", NP_EXACT(json_real_value(value)));
    if (json_is_array(value))
        return append_list(value, room, length);
    return !json_is_object(value) && append(room, length, "%s",
                                            json_is_true(value)    ? "True"
                                            : json_is_false(value) ? "False"
                                                                   : "None");
}

/* Appends a list as Python prints a tuple: "(0, 1)", "(7,)". networkx writes the tuples that name nodes of grids as
 * lists. */
static bool append_list(const json_t *list, char room[SHORT_TEXT], size_t *length)
{
    size_t count = json_array_size(list);
    bool fits = append(room, length, "(");
    for (size_t i = 0; i < count && fits; i++)
        fits = append(room, length, "%s", i ? ", " : "") && append_item(json_array_get(list, i), room, length);
    return fits && append(room, length, count == 1 ? ",)" : ")");
}

/*
 * The text of a name or a value; numbers and lists are written into room. False: it is an object or null, or a list too
 * long for the room.
 */
static bool text_of(const json_t *value, char room[SHORT_TEXT], np_text_field *field)
{
    if (json_is_string(value)) {
        *field = (np_text_field){json_string_value(value), json_string_length(value)};
        return true;
    }
    size_t length = 0;
    if (json_is_array(value) && !append_list(value, room, &length))
        return false;
    if (json_is_integer(value))
        snprintf(room, SHORT_TEXT, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(room, SHORT_TEXT, "%s", NP_EXACT(json_real_value(value)));
    else if (json_is_boolean(value))
        snprintf(room, SHORT_TEXT, "%s", json_is_true(value) ? "true" : "false");
    else if (!json_is_array(value))
        return false;
    *field = (np_text_field){room, strlen(room)};
    return true;
}

static const json_t *id_of(const json_t *node)
{
    const json_t *id = json_object_get(node, "id");
    return id ? id : json_object_get(node, "name");
}

static np_status read_node(np_builder *graph, const np_text *text, size_t i, json_t *node)
{
    char room[SHORT_TEXT];
    const json_t *id = id_of(node);
    np_text_field name = {room, 0}, field;
    np_node number;
    const char *key;
    json_t *value;
    np_status st;
    if (!id)
        name.length = (size_t)snprintf(room, sizeof room, "%zu", i);
    else if (!text_of(id, room, &name))
        return np_text_raise(text, NP_ERROR_INPUT, "nodes[%zu]: an id is a text, a number or a short list of them", i);
    if ((st = np_builder_node(graph, text, name, &number)))
        return st;
    if (number != i)
        return np_text_raise(text, NP_ERROR_INPUT, "nodes[%zu]: '%s' is the id of an earlier node, too", i,
                             np_text_show_field(name).text);
    json_object_foreach(node, key, value)
    {
        if (text_of(value, room, &field) &&
            (st = np_builder_attribute(graph, text, number, (np_text_field){key, strlen(key)}, field)))
            return st;
    }
    return NP_OK;
}

static np_status read_end(np_builder *graph, const np_text *text, size_t i, const json_t *link, const char *key,
                          np_node *out)
{
    char room[SHORT_TEXT];
    uint64_t nodes = graph->nodes;
    np_text_field name;
    np_status st;
    if (!text_of(json_object_get(link, key), room, &name))
        return np_text_raise(text, NP_ERROR_INPUT, "links[%zu] lacks its '%s', the id of a node", i, key);
    if ((st = np_builder_node(graph, text, name, out)) || graph->nodes == nodes)
        return st;
    return np_text_raise(text, NP_ERROR_INPUT, "links[%zu]: no node has the id '%s'", i, np_text_show_field(name).text);
}

static np_status read_link(np_builder *graph, const np_text *text, size_t i, json_t *link)
{
    char room[SHORT_TEXT];
    np_node from, to;
    np_text_field field;
    const char *key;
    json_t *value;
    np_status st;
    if ((st = read_end(graph, text, i, link, "source", &from)) || (st = read_end(graph, text, i, link, "target", &to)))
        return st;
    if ((st = np_builder_link(graph, text, from, to, 1)))
        return st;
    json_object_foreach(link, key, value)
    {
        const np_text_field name = {key, strlen(key)};
        if (!strcmp(key, "source") || !strcmp(key, "target") || !strcmp(key, "key"))
            continue;
        if (!text_of(value, room, &field) && np_builder_is_width(graph, name))
            return np_text_raise(text, NP_ERROR_INPUT, "links[%zu]: '%s' is no number", i, key);
        if (text_of(value, room, &field) &&
            (st = np_builder_link_attribute(graph, text, graph->count - 1, name, field)))
            return st;
    }
    return NP_OK;
}

static np_status read_list(np_builder *graph, const np_text *text, const json_t *list,
                           np_status (*read_item)(np_builder *, const np_text *, size_t, json_t *))
{
    np_status st = NP_OK;
    for (size_t i = 0; i < json_array_size(list) && !st; i++)
        st = read_item(graph, text, i, json_array_get(list, i));
    return st;
}

static np_status read_graph(np_builder *graph, const np_text *text, const json_t *root)
{
    const json_t *nodes = json_object_get(root, "nodes"), *links = json_object_get(root, "links");
    const json_t *directed = json_object_get(root, "directed");
    np_status st;
    links = links ? links : json_object_get(root, "edges");
    if (!json_is_array(nodes) || !json_is_array(links))
        return np_text_raise(text, NP_ERROR_INPUT,
                             "this JSON is no node-link graph: write {\"nodes\": [...], \"links\": [...]}, as "
                             "networkx.node_link_data does");
    if (directed)
        graph->direction = json_is_true(directed) ? NP_GRAPH_DIRECTED : NP_GRAPH_UNDIRECTED;
    return (st = read_list(graph, text, nodes, read_node)) ? st : read_list(graph, text, links, read_link);
}

static np_status read(np_builder *graph, np_text *text)
{
    json_error_t error;
    json_t *root = np_json_load(text->at, (size_t)(text->end - text->at), 0, &error);
    graph->naming = NP_GRAPH_NAMED;
    if (!root && (!*error.text || json_error_code(&error) == json_error_out_of_memory))
        return NP_ERROR_MEMORY; /* np_memory_lend says what was wanted */
    if (!root) {
        text->line = error.line > 0 ? (uint64_t)error.line : 1;
        return np_text_raise(text, NP_ERROR_INPUT, "this is no JSON: %s", error.text);
    }
    text->line = NP_TEXT_NO_LINE;
    np_status st = read_graph(graph, text, root);
    json_decref(root);
    return st;
}

const np_graph_format np_format_node_link = {
    .info = {"node-link", "node-link JSON", "", .aliases = "json"},
    .recognizes = recognizes,
    .read = read,
};
