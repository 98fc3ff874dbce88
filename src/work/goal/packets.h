/*
 * Messages as packets on a network, step by step: a link of width w sends w packets a step, first in, first out.
 * Packets that reach a link in one step queue in ascending order of the links they came over.
 */
#pragma once

#include "work/collective/lanes.h"

typedef struct np_packets np_packets;

/* lanes: with capacities in units of a width (bits 0); borrowed, as all else. items: of messages. NP_ERROR_MEMORY. */
np_status np_packets_create(const np_lane_list *lanes, const np_network *network, size_t items,
                            np_packets **out) NP_CHECKED;
void np_packets_free(np_packets *packets);

/* Message `item` goes over a lane as `count` packets, which may leave in the next step. count > 0, and the lane has
   links. NP_ERROR_MEMORY. */
np_status np_packets_send(np_packets *packets, uint32_t item, size_t lane, uint64_t count) NP_CHECKED;

/* Is anything on its way? */
bool np_packets_move(const np_packets *packets);

/* One step. arrived(self, item) is called for each message whose last packet has arrived. NP_ERROR_MEMORY. */
np_status np_packets_step(np_packets *packets, np_status (*arrived)(void *self, uint32_t item), void *self) NP_CHECKED;
