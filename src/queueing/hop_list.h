/*
 * Hops of a phase that are made in another order than that of time: a list, from which observers are told in the order
 * of time. No packet waits behind another one there: its schedule was made before.
 */
#ifndef NP_QUEUEING_HOP_LIST_H
#define NP_QUEUEING_HOP_LIST_H

#include "queueing/events.h"

typedef struct np_listed_hop {
    np_step step;
    np_packet packet;
    np_link link;
} np_listed_hop;

/* Zeroed: empty. */
typedef struct np_hop_list {
    np_listed_hop *hop; /* [count] the hops of one packet in the order of time */
    size_t count, room;
    np_status status; /* of np_hop_list_add */
} np_hop_list;

void np_hop_list_clear(np_hop_list *list);

/* Bytes of a list of so many hops in so many steps, while it grows and while it is told; at most. */
uint64_t np_hop_list_bytes(uint64_t hops, uint64_t packets, uint64_t steps);

/* Adds a hop; a failure is kept in list->status. */
void np_hop_list_add(np_hop_list *list, np_step step, np_packet packet, np_link link);

/*
 * Tells the whole phase, on the nodes and links of phase->network. at: [phase->packets] where each packet begins, NP_NONE
 * if it is not there; end: [phase->packets] where it belongs, NULL: not known. Within a step: those who wait, then the hops in the order in which they were added.
 * @return list->status, NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_hop_list_tell(const np_hop_list *list, const np_observer *observer, const np_event_phase *phase,
                           const np_node *at, const np_node *end, const np_phase_run *run) NP_CHECKED;

#endif
