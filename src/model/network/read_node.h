/* Nodes and terminals of a network as texts name them. */
#pragma once

#include "base/text.h"
#include "model/network/network.h"

/*
 * *out = the terminal that a text means: a node by its name where nodes have names or hosts are told from switches,
 * else the number of a terminal. `what` is "source"; the text's line is for messages.
 */
NP_FOR_REPORT np_status np_network_read_terminal(const np_network *network, const np_text *text, np_text_field name,
                                                 const char *what, np_node *out) NP_CHECKED;

/* *out = the node of that name. */
np_status np_network_read_node(const np_network *network, const np_text *text, np_text_field name, const char *what,
                               np_node *out) NP_CHECKED;

/* The name of a node in a message; it lasts as long as the network and the block in which this stands. */
#define NP_NODE_NAME(network, node) np_network_node_name((network), (node), (char[NP_NAME_ROOM]){0})

/*
 * The node as results have it: its name where nodes have names, else its number. For the `get` of an NP_FIELD_NODE.
 * network: NULL gives numbers.
 */
NP_FOR_REPORT void np_node_value(const np_network *network, np_node node, np_value *value);

/* What many records begin with; and the `get` of these two nodes, of any record that does. */
typedef struct np_ends {
    const np_network *network;
    np_node from, to;
} np_ends;

#define NP_BEGINS_WITH_ENDS(type)                                                                                      \
    _Static_assert(offsetof(type, from) == offsetof(np_ends, from) && offsetof(type, to) == offsetof(np_ends, to),     \
                   "it begins as np_ends")

NP_FOR_REPORT void np_ends_get_from(const void *object, np_value *value);
NP_FOR_REPORT void np_ends_get_to(const void *object, np_value *value);

/* The text as a word of a line of lists: as it is, or in quotes where it has separators or signs. */
void np_put_word(FILE *stream, const char *text);
