/* Nodes and terminals of a network as texts name them. */
#ifndef NP_NETWORK_READ_NODE_H
#define NP_NETWORK_READ_NODE_H

#include "base/text.h"
#include "network/network.h"

/*
 * *out = the terminal that a text means: a node by its name where nodes have names or hosts are told from switches, else
 * the number of a terminal. `what` is "source"; the text's line is for messages.
 */
np_status np_network_read_terminal(const np_network *network, const np_text *text, np_text_field name, const char *what,
                                   np_node *out) NP_CHECKED;

/* *out = the node of that name. */
np_status np_network_read_node(const np_network *network, const np_text *text, np_text_field name, const char *what,
                               np_node *out) NP_CHECKED;

#endif
