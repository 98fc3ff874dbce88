/* Names of nodes, given and read. */
#include "model/network/read_node.h"

#include <stdio.h>
#include <string.h>

#include "base/written.h"
#include "base/memory.h"
#include "model/network/names.h"

const char *np_network_node_name(const np_network *network, np_node node, char *room)
{
    if (network->names)
        return np_names_get(network->names, node);
    snprintf(room, NP_NAME_ROOM, "%u", node);
    return room;
}

void np_node_value(const np_network *network, np_node node, np_value *value)
{
    bool named = network && network->names;
    value->kind = named ? NP_VALUE_TEXT : NP_VALUE_WHOLE;
    if (named)
        value->text = np_names_get(network->names, node);
    else
        value->whole = node;
}

static np_ends ends_of(const void *object)
{
    np_ends ends;
    memcpy(&ends, object, sizeof ends);
    return ends;
}

void np_ends_get_from(const void *object, np_value *value)
{
    const np_ends ends = ends_of(object);
    np_node_value(ends.network, ends.from, value);
}

void np_ends_get_to(const void *object, np_value *value)
{
    const np_ends ends = ends_of(object);
    np_node_value(ends.network, ends.to, value);
}

/* NP_NONE: none has this name. */
static np_node find_node(const np_network *network, np_text_field name)
{
    uint64_t number;
    if (network->names)
        return np_names_find(network->names, name.at, name.length);
    return np_text_whole(name, &number) && number < network->nodes ? (np_node)number : NP_NONE;
}

np_node np_network_find_node(const np_network *network, const char *name)
{
    return find_node(network, (np_text_field){name, strlen(name)});
}

/* By its name: the nodes have names. */
static np_status read_name(const np_network *network, const np_text *text, np_text_field field, const char *what,
                           np_node *out)
{
    np_text_field name;
    char *room;
    np_status st = np_text_unquote(text, field, &name, &room);
    if (st)
        return st;
    np_text_shown shown = np_text_show_field(name);
    *out = find_node(network, name);
    np_memory_free(room);
    if (*out != NP_NONE)
        return NP_OK;
    return np_text_raise(text, NP_ERROR_INPUT, "%s '%s' is no node of the network: %s", what, shown.text,
                         np_names_hint(network->names, shown.text).text);
}

np_status np_network_read_node(const np_network *network, const np_text *text, np_text_field name, const char *what,
                               np_node *out)
{
    uint64_t number;
    np_status st;
    if (network->names)
        return read_name(network, text, name, what, out);
    if ((st = np_text_number_of(text, name, what, 0, network->nodes - 1, &number)))
        return st;
    *out = (np_node)number;
    return NP_OK;
}

/* Hosts, by the names of their nodes. */
static np_status read_host(const np_network *network, const np_text *text, np_text_field name, const char *what,
                           np_node *out)
{
    np_node node;
    np_status st = np_network_read_node(network, text, name, what, &node);
    if (st)
        return st;
    *out = network->host ? network->host_number[node] : node;
    if (*out != NP_NONE)
        return NP_OK;
    return np_text_raise(text, NP_ERROR_INPUT, "%s '%s' is a switch: packets go from host to host, such as '%.60s'",
                         what, np_text_show_field(name).text, NP_NODE_NAME(network, network->host[0]));
}

np_status np_network_read_terminal(const np_network *network, const np_text *text, np_text_field name, const char *what,
                                   np_node *out)
{
    uint64_t number;
    np_status st;
    if (network->host || network->names)
        return read_host(network, text, name, what, out);
    if ((st = np_text_number_of(text, name, what, 0, network->terminals - 1, &number)))
        return st;
    *out = (np_node)number;
    return NP_OK;
}

static bool is_plain(const char *text)
{
    return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")];
}

void np_put_word(FILE *stream, const char *text)
{
    static const np_escape escapes[] = {{'"', "\"\""}, {0, NULL}};
    if (is_plain(text))
        fputs(text, stream);
    else
        np_put_quoted(stream, text, escapes);
}
