/*
 * A recorded run of the Router (Ranade 1987a, section 2.4): when each message
 * crossed each stage of the inverse omega network.
 */
#pragma once

#include <stdbool.h>

#include "base/status.h"

typedef struct np_router_run {
    uint32_t stages; /* n; the paper's stage i is n at the inputs, 1 at the outputs */
    uint32_t sets;   /* x */
    np_packet messages;
    uint32_t *from;        /* [messages] intermediate destination, a terminal */
    uint32_t *destination; /* [messages] terminal */
    uint32_t *set;         /* [messages] priority, larger is more urgent */
    np_step *release;      /* [messages] the instant at which it joins the queue of stage n; 0 without overlap */
    np_step *leave;        /* [messages * stages] the step in which it crosses, at (message, stages - i) for stage i */
} np_router_run;

np_status np_router_run_create(uint32_t stages, uint32_t sets, np_packet messages, np_router_run *out) NP_CHECKED;
void np_router_run_clear(np_router_run *run);

/* At stage i: the output by which the message leaves, b_(i+1)..b_n a_1..a_(i-1) b_i (proposition 2): its queue. */
static inline uint32_t np_router_run_output(const np_router_run *run, np_packet m, uint32_t stage)
{
    uint32_t n = run->stages, low = run->destination[m] & ((UINT32_C(1) << (n - stage)) - 1);
    uint32_t high = (uint32_t)((uint64_t)run->from[m] >> (n - stage + 1));
    return low << stage | high << 1 | (run->destination[m] >> (n - stage) & 1);
}

/* The instants at which it joins the queue of stage i and at which it is served. It crosses in the step after this. */
static inline np_step np_router_run_joins(const np_router_run *run, np_packet m, uint32_t stage)
{
    return stage == run->stages ? run->release[m] : run->leave[(size_t)m * run->stages + (run->stages - stage - 1)];
}

static inline np_step np_router_run_served(const np_router_run *run, np_packet m, uint32_t stage)
{
    return run->leave[(size_t)m * run->stages + (run->stages - stage)] - 1;
}

/*
 * D(m, s_i): the delay from the inputs up to and with stage i; 0 for stage n + 1. With overlap the time until the
 * message is there counts as a delay before stage n.
 */
static inline uint32_t np_router_run_total(const np_router_run *run, np_packet m, uint32_t stage)
{
    return stage > run->stages ? run->release[m] : np_router_run_served(run, m, stage) - (run->stages - stage);
}

/* Does a delay b at a stage where they share a queue? It does if b is there when a is served, and is served later. */
static inline bool np_router_run_delays(const np_router_run *run, np_packet a, np_packet b, uint32_t stage)
{
    np_step at = np_router_run_served(run, a, stage);
    return np_router_run_joins(run, b, stage) <= at && at < np_router_run_served(run, b, stage);
}

/*
 * All messages of each queue of a stage, by queue and then in the order in which they are served.
 * order: [messages]; row: [terminals + 1], the queue of output p is order[row[p]] .. order[row[p+1]-1].
 */
np_status np_router_run_queues(const np_router_run *run, uint32_t stage, np_packet *order, uint32_t *row) NP_CHECKED;

/*
 * Checks that it is a run: every message joins before it is served; no two messages
 * of a queue are served at once; whenever a queue holds messages, one of them is
 * served, and none of the others is more urgent. NP_ERROR_INTERNAL with the first violation.
 */
np_status np_router_run_audit(const np_router_run *run) NP_CHECKED;
