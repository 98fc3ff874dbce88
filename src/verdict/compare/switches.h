/*
 * The switches of a network alone, where each host hangs on one of them by one cable. Packets between two switches
 * enter and leave by cables that only their hosts use, so the best routing of packets between hosts is the best one of
 * packets between their switches, as long as no cable of a host carries more than it can. A search there has a target a
 * switch, not one a host.
 */
#ifndef NP_COMPARE_SWITCHES_H
#define NP_COMPARE_SWITCHES_H

#include "netpram/traffic.h"

typedef struct np_switches {
    np_network *network; /* NULL: not each host hangs on one switch by one cable */
    np_node nodes;       /* of the network with the hosts */
    np_node *of;         /* [nodes] the number that the switch of a host has there; of a switch, its own */
} np_switches;

/* Clear it in any case. */
np_status np_switches_init(np_switches *s, const np_network *network) NP_CHECKED;
void np_switches_clear(np_switches *s);

/*
 * The packets from switch to switch; those that stay at their switch are left out.
 * most: the largest number of packets that one host sends to others, or gets from them
 */
np_status np_switches_traffic(const np_switches *s, const np_traffic *traffic, np_traffic **out,
                              uint64_t *most) NP_CHECKED;

#endif
