/* The Randomizer of Ranade 1987a, section 2.1: an omega network of randomly set switches. */
#pragma once

#include "engine/queueing/hop_list.h"
#include "papers/constrained/message_sets.h"

/*
 * The switch's bit for a set. 1: the switch exchanges its messages. Switches are
 * numbered as the nodes of the omega network: from 0, stage by stage.
 */
static inline uint32_t np_randomizer_bit(const np_draws *draws, uint32_t node, uint32_t set)
{
    return np_random_u64(draws, node, set / 64) >> set % 64 & 1;
}

/*
 * Moves the messages to their intermediate destinations, cycle by cycle.
 *
 * @param draws    seed, run and phase
 * @param reached  [messages] receives the terminal at the far side
 * @param delay    [messages] receives the cycles before the message left its source
 * @param hops     receives all hops: cycle c is step c + 1; NULL: not wanted
 * @param watch    is told the share of the cycles, and may cancel; NULL: nobody
 * @return NP_ERROR_MEMORY; NP_ERROR_CANCELLED; NP_ERROR_INTERNAL if two messages meet on a line, which is impossible
 */
np_status np_randomizer_run(const np_network *omega, const np_message_sets *sets, np_draws draws, uint32_t *reached,
                            uint32_t *delay, np_hop_list *hops, const np_watch *watch, np_phase_run *out) NP_CHECKED;
