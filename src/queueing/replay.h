/*
 * An engine that decides nothing. The caller tells it every hop; it carries the
 * hop out and refuses what the model does not allow (Valiant & Brebner 1981,
 * section 2). Schedules are checked by it.
 *
 *   state     legal calls
 *   created   np_replay_move, np_replay_end, np_replay_free
 *   refused   np_replay_free (after any error)
 *   ended     np_replay_free
 */
#ifndef NP_QUEUEING_REPLAY_H
#define NP_QUEUEING_REPLAY_H

#include "base/status.h"
#include "netpram/engine.h"
#include "netpram/traffic.h"

typedef struct np_replay np_replay;

/* Packets are at their sources. Both are borrowed. */
np_status np_replay_create(const np_network *network, const np_traffic *traffic, np_replay **out) NP_CHECKED;
void np_replay_free(np_replay *replay);

/* Bytes of one. */
uint64_t np_replay_bytes(const np_network *network, uint64_t packets);

/*
 * In step `step` the packet crosses the link. Steps from 1 on, in ascending order; the hops of one step in any.
 * @return NP_ERROR_APPLY, with the reason: there is no such packet or link; the step is earlier than the last one; the
 *         packet is elsewhere or has moved in the step already; another packet crosses the link in the step
 */
np_status np_replay_move(np_replay *replay, uint64_t step, uint64_t packet, uint64_t link) NP_CHECKED;

/* Called with every hop that is carried out from now on. */
typedef void np_replay_hop(void *context, np_step step, np_packet packet, np_link link);
void np_replay_listen(np_replay *replay, np_replay_hop *on_hop, void *context);

/*
 * No more hops: every packet must be where it is going.
 *
 * @param out     all but queue_max, which no engine without queues can know
 * @param stored  most packets at one node that stay there for a step, or for ever
 * @return NP_ERROR_APPLY: a packet is elsewhere
 */
np_status np_replay_end(np_replay *replay, np_phase_run *out, uint32_t *stored) NP_CHECKED;

#endif
