/*
 * An engine that decides nothing. The caller tells it every hop. The engine carries the hop out, or
 * refuses it if the model does not allow it (Valiant & Brebner 1981, section 2). Schedules are
 * checked with this engine.
 *
 *   state     legal calls
 *   created   np_hop_replay_move, np_hop_replay_end, np_hop_replay_free
 *   refused   np_hop_replay_free (after any error)
 *   ended     np_hop_replay_delays, np_hop_replay_stored, np_hop_replay_hops, np_hop_replay_tell,
 *             np_hop_replay_free
 */
#pragma once

#include "engine/queueing/hop_list.h"
#include "netpram/traffic.h"

typedef struct np_hop_replay np_hop_replay;

/*
 * At first packets are at their sources. Network and traffic are borrowed. keeps: hops that are carried out are listed.
 */
np_status np_hop_replay_create(const np_network *network, const np_traffic *traffic, bool keeps,
                               np_hop_replay **out) NP_CHECKED;
void np_hop_replay_free(np_hop_replay *replay);

/* The bytes of one replay, without its list. */
uint64_t np_hop_replay_bytes(const np_network *network, uint64_t packets);

/*
 * In step `step` the packet crosses the link. Steps count from 1 and ascend; the hops of one step come in any order.
 * @return NP_ERROR_APPLY, with the reason: there is no such packet or link; the step is earlier than the last one; the
 *         packet is elsewhere or has moved in the step already; another packet crosses the link in the step
 */
np_status np_hop_replay_move(np_hop_replay *replay, uint64_t step, uint64_t packet, uint64_t link) NP_CHECKED;

/*
 * Ends the replay: every packet must be at its destination. Sets packets, steps, hops, congestion, population_max,
 * delay_sum and delay_max of *out. Its other members stay as they are: an engine without queues knows nothing of them.
 *
 * @return NP_ERROR_APPLY: a packet is elsewhere
 */
np_status np_hop_replay_end(np_hop_replay *replay, np_phase_run *out) NP_CHECKED;

/* The steps that each packet waited before its last hop, [packets of the traffic]; as long as the replay. */
const uint32_t *np_hop_replay_delays(const np_hop_replay *replay);

/* The most packets at one node that stay there for a step, or for ever. */
uint32_t np_hop_replay_stored(const np_hop_replay *replay);

/* The hops that were carried out, in this order; empty if they are not kept. */
const np_hop_list *np_hop_replay_hops(const np_hop_replay *replay);

/* After the end, if hops are kept: tells the observer of them, as np_hop_list_tell. NULL: nobody. */
np_status np_hop_replay_tell(const np_hop_replay *replay, const np_observer *observer, const np_event_phase *phase,
                             const np_phase_run *run) NP_CHECKED;
