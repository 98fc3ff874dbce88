/* The runner of Ranade 1987a, for code that needs the run itself: tests and explanations. */
#pragma once

#include "papers/constrained/message_sets.h"
#include "papers/constrained/router_run.h"
#include "papers/explain/route_explain.h"
#include "run/route/plan.h"

extern const np_runner_ops np_constrained_runner;

/* From now on the Router's runs are recorded in *run. NULL ends the recording. The caller clears *run. */
void np_constrained_record(np_runner *runner, np_router_run *run);

/* After phase 0: the messages, and the terminal at which each entered the Router, [messages]. Owned by the runner. */
const np_message_sets *np_constrained_sets(const np_runner *runner);
const uint32_t *np_constrained_reached(const np_runner *runner);

/* Explains the slowest run of the result, made by this plan. */
np_status np_constrained_explain_result(const np_route_plan *plan, const np_route_result *result,
                                        np_route_explanation *out) NP_CHECKED;
