/* The runner of Ranade 1987a, for code that needs the run itself: tests and explanations. */
#pragma once

#include "engine/queueing/hop_list.h"
#include "papers/constrained/message_sets.h"
#include "papers/constrained/router_run.h"
#include "papers/explain/route_explain.h"
#include "run/route/plan.h"
#include "run/route/queueing.h"

extern const np_runner_ops np_constrained_runner;

/* From now on the Router's runs are recorded in *run. NULL ends the recording. The caller clears *run. */
void np_constrained_record(np_runner *runner, np_router_run *run);

/* After phase 0: the messages, and the terminal at which each entered the Router, [messages]. Owned by the runner. */
const np_message_sets *np_constrained_sets(const np_runner *runner);
const uint32_t *np_constrained_reached(const np_runner *runner);

/* Explains the slowest run of the result, made by this plan. */
np_status np_constrained_explain_result(const np_route_plan *plan, const np_route_result *result,
                                        np_route_explanation *out) NP_CHECKED;

/* ---- randomizer.c: the Randomizer of section 2.1, an omega network of randomly set switches ---- */

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

/* ---- constrained_ccc.c: scheme `constrained-cube` on cube-connected cycles ---- */

/* Phase A: to[i] = where the switches send message i of the aim. draws: of the switches. */
void np_constrained_ccc_to_switches(const np_aim *aim, const np_draws *draws, np_node *to);
