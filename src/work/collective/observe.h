/* What observers hear of a collective operation: the transfers of its rounds, as hops (engine/queueing/hop_list.h). */
#ifndef NP_COLLECTIVE_OBSERVE_H
#define NP_COLLECTIVE_OBSERVE_H

#include "work/collective/executor.h"
#include "engine/queueing/hop_list.h"

/* Zeroed, but for the job: nothing has been heard. */
typedef struct np_collective_log {
    const np_collective_job *job;
    np_hop_list hops;
    uint64_t steps;    /* of the rounds so far */
    np_packet packets; /* so far */
    size_t room;       /* for packets */
    np_node *at;       /* [packets] as in np_hop_ends */
    np_packet *of;     /* [packets] likewise, if pieces are copied */
    np_packet *into;   /* [packets] likewise, if they are combined */
    np_node *end;      /* [packets] likewise, if they move */
    np_packet
        *holds; /* [nodes][pieces] the packet by which a node has a piece; NP_NONE: it has none. NULL: they move */
} np_collective_log;

/* The packets as they are before the first round. NP_ERROR_MEMORY, NP_ERROR_LIMIT. Clear the log in any case. */
np_status np_collective_log_begin(np_collective_log *log) NP_CHECKED;

/* Adds the round that the executor has just played. NP_ERROR_MEMORY, NP_ERROR_LIMIT. */
np_status np_collective_log_round(np_collective_log *log, const np_executor *executor,
                                  const np_round *round) NP_CHECKED;

/* Tells the observer of all rounds. As np_hop_list_tell. */
np_status np_collective_log_tell(const np_collective_log *log) NP_CHECKED;

void np_collective_log_clear(np_collective_log *log);

#endif
