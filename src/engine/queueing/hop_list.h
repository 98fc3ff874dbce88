/*
 * Schedules: lists of hops, each with its step. They are made off line, round by round, or by an engine that is
 * observed. Those that are made in another order than that of time are told to observers in the order of time. No
 * packet waits behind another one there: its schedule was made before. papers/offline/replay.h judges schedules.
 */
#pragma once

#include "engine/queueing/events.h"

/* A link that is crossed backwards, as on shuffle-exchanges, counts from the links of the network on:
   np_network_link_numbers + link. */
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

/* Where and how packets begin and end. */
typedef struct np_hop_ends {
    const np_node *at; /* [packets] where it is when the phase begins; NP_NONE: nowhere */
    const np_step
        *since; /* [packets] it enters when this step is over, if `at` says where. NULL: all enter with the phase */
    const np_node *end;  /* [packets] where it belongs. NULL: not known */
    const np_packet *of; /* [packets] it splits from this packet in the step of its first hop; NP_NONE: it does not.
                              NULL: no packet does */
    const np_packet
        *into; /* [packets] after its last hop it is a part of this packet; NP_NONE: it lands. NULL: all land */
} np_hop_ends;

/*
 * Tells the whole phase, on the nodes and links of phase->network. Within a step: those who wait, then the hops in the
 * order in which they were added.
 * @return list->status, NP_ERROR_MEMORY, NP_ERROR_LIMIT, NP_ERROR_CANCELLED
 */
np_status np_hop_list_tell(const np_hop_list *list, const np_observer *observer, const np_event_phase *phase,
                           const np_hop_ends *ends, const np_phase_run *run) NP_CHECKED;

/*
 * An observer that lists the hops of the phases of a run, one phase after the other. Hops over leveled networks are
 * none of the network: then the run is cancelled. It must stay where it is. Clear its list.
 */
typedef struct np_hop_recorder {
    np_observer observer;
    np_hop_list list;
    np_step passed; /* the last step of the phases before */
    bool leveled;   /* the run was cancelled because its packets move over a leveled network */
} np_hop_recorder;

void np_hop_recorder_init(np_hop_recorder *recorder);
