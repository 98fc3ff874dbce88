/*
 * The routers of a network and the channels between them, as lists: the nodes that are no hosts, numbered in ascending
 * order, and the links that lead from one of them to another. A loop is no channel.
 */
#pragma once

#include "model/network/network.h"

enum { NP_ROUTER_IN = 1, NP_ROUTER_OUT = 2 };

typedef struct np_routers {
    uint32_t count, channels;
    uint32_t nodes;
    uint32_t *number; /* [nodes] the router's number; NP_NONE: a host */
    np_node *node;    /* [count] */
    uint32_t *row;    /* [count + 1] the first channel that leaves a router */
    uint32_t *head;   /* [channels] the router that it leads to */
    np_port *port;    /* [channels] ascending within a row */
    uint32_t *in_row; /* [count + 1] */
    uint32_t *in;     /* [channels] the channels into each router, ascending */
    uint32_t *tail;   /* [channels] */
    uint8_t *ends;    /* [count] NP_ROUTER_IN: packets start there, NP_ROUTER_OUT: they end there; or both */
    void *block;
} np_routers;

/* About 13 bytes a node and 16 a channel. NP_ERROR_LIMIT, NP_ERROR_MEMORY; clear it in any case. */
np_status np_routers_init(np_routers *routers, const np_network *network) NP_CHECKED;
void np_routers_clear(np_routers *routers);

/* The channel at a port of a router; NP_NONE: there is none. */
uint32_t np_routers_channel(const np_routers *routers, uint32_t router, np_port port);

/* Is the node no host, so that packets pass it? */
static inline bool np_network_is_router(const np_network *network, np_node node)
{
    return !network->host || network->host_number[node] == NP_NONE;
}
