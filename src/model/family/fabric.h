/*
 * Networks of switches that are given by a list of cables: the families of today's clusters. A family says how many
 * switches, hosts and cables there are, and then names the cables.
 *
 * Switches are the nodes from 0 on. Hosts, if there are any, follow: packets go from host to host only. Host k of
 * switch S is called sS.hK. The ports of a node are in the order in which its cables are named.
 */
#pragma once

#include "model/network/network.h"

typedef struct np_fabric {
    np_node switches, hosts;
    bool one_way; /* a cable is a link from its first to its second end only */
    np_node *from, *to;
    size_t count, room, hung; /* cables so far, cables promised, hosts hung so far */
} np_fabric;

/* Checks that the links have numbers of 32 bits. `cables`: those of the hosts, too. NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_fabric_begin(np_fabric *fabric, const np_network *network, uint64_t switches, uint64_t hosts,
                          uint64_t cables) NP_CHECKED;

/* One cable more. */
void np_fabric_join(np_fabric *fabric, np_node u, np_node v);

/* The next `count` hosts, each with a cable to the switch. */
void np_fabric_hang(np_fabric *fabric, np_node at, uint32_t count);

/* For who gives up before all cables are named. */
void np_fabric_clear(np_fabric *fabric);

/* Makes the rows of the network, its hosts and names, and clears the fabric, also after an error. */
np_status np_fabric_end(np_fabric *fabric, np_network *network) NP_CHECKED;

/*
 * The nodes of a network from `switches` on become its hosts, and get their names: each by the switch at its first
 * port. Names of the switches stay, if they have any.
 */
np_status np_fabric_name_hosts(np_network *network, np_node switches) NP_CHECKED;
