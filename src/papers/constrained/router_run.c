/* See router_run.h. */
#include "papers/constrained/router_run.h"

#include <string.h>

#include "base/memory.h"

np_status np_router_run_create(uint32_t stages, uint32_t sets, np_packet messages, np_router_run *out)
{
    np_status st;
    *out = (np_router_run){.stages = stages, .sets = sets, .messages = messages};
    if ((st = np_memory_array(&out->from, messages, sizeof *out->from, "a recorded run")) ||
        (st = np_memory_array(&out->destination, messages, sizeof *out->destination, "a recorded run")) ||
        (st = np_memory_array(&out->set, messages, sizeof *out->set, "a recorded run")) ||
        (st = np_memory_zeroed(&out->release, messages, sizeof *out->release, "a recorded run")) ||
        (st = np_memory_array(&out->leave, (size_t)messages * stages, sizeof *out->leave, "a recorded run")))
        np_router_run_clear(out);
    return st;
}

void np_router_run_clear(np_router_run *run)
{
    NP_MEMORY_FREE(run->from, run->destination, run->set, run->release, run->leave);
    *run = (np_router_run){0};
}

/* Sorts by counting: all messages by the instant of service into `scratch`, then by queue, which keeps this order. */
static void sort(const np_router_run *run, uint32_t stage, np_packet *order, np_packet *scratch, uint32_t *row,
                 uint32_t *count, np_step last)
{
    uint32_t terminals = UINT32_C(1) << run->stages;
    for (np_packet m = 0; m < run->messages; m++)
        count[np_router_run_served(run, m, stage) + 1]++;
    for (np_step t = 0; t <= last; t++)
        count[t + 1] += count[t];
    for (np_packet m = 0; m < run->messages; m++)
        scratch[count[np_router_run_served(run, m, stage)]++] = m;
    memset(row, 0, ((size_t)terminals + 1) * sizeof *row);
    for (np_packet m = 0; m < run->messages; m++)
        row[np_router_run_output(run, m, stage) + 1]++;
    for (uint32_t p = 0; p < terminals; p++)
        row[p + 1] += row[p];
    for (np_packet i = 0; i < run->messages; i++)
        order[row[np_router_run_output(run, scratch[i], stage)]++] = scratch[i];
    for (uint32_t p = terminals; p > 0; p--)
        row[p] = row[p - 1];
    row[0] = 0;
}

np_status np_router_run_queues(const np_router_run *run, uint32_t stage, np_packet *order, uint32_t *row)
{
    np_packet *scratch = NULL;
    uint32_t *count = NULL;
    np_step last = 0;
    np_status st;
    for (np_packet m = 0; m < run->messages; m++) {
        np_step served = np_router_run_served(run, m, stage);
        last = served > last ? served : last;
    }
    if (!(st = np_memory_array(&scratch, run->messages, sizeof *scratch, "a stage's queues")) &&
        !(st = np_memory_zeroed(&count, (size_t)last + 2, sizeof *count, "a stage's queues")))
        sort(run, stage, order, scratch, row, count, last);
    NP_MEMORY_FREE(scratch, count);
    return st;
}

/* Checks one queue: order[0..length-1], in the order of service. */
static np_status audit_queue(const np_router_run *run, uint32_t stage, const np_packet *order, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        np_packet m = order[i];
        np_step joins = np_router_run_joins(run, m, stage), served = np_router_run_served(run, m, stage);
        if (joins > served)
            return NP_RAISE(NP_ERROR_INTERNAL, "message %u is served at stage %u before it is there", m, stage);
        if (i && np_router_run_served(run, order[i - 1], stage) == served)
            return NP_RAISE(NP_ERROR_INTERNAL, "messages %u and %u are served at once at stage %u", order[i - 1], m,
                            stage);
        /* While m waits, messages before it are served: one at every instant, and none less urgent than m. */
        for (uint32_t back = 1; back <= served - joins; back++) {
            if (back > i || np_router_run_served(run, order[i - back], stage) != served - back)
                return NP_RAISE(NP_ERROR_INTERNAL, "message %u waits at stage %u while nothing is served", m, stage);
            if (run->set[order[i - back]] < run->set[m])
                return NP_RAISE(NP_ERROR_INTERNAL, "message %u waits at stage %u for the less urgent %u", m, stage,
                                order[i - back]);
        }
    }
    return NP_OK;
}

np_status np_router_run_audit(const np_router_run *run)
{
    uint32_t terminals = UINT32_C(1) << run->stages, *row = NULL;
    np_packet *order = NULL;
    np_status st;
    if ((st = np_memory_array(&order, run->messages, sizeof *order, "a stage's queues")) ||
        (st = np_memory_array(&row, (size_t)terminals + 1, sizeof *row, "a stage's queues")))
        goto out;
    for (uint32_t stage = 1; stage <= run->stages && !st; stage++) {
        st = np_router_run_queues(run, stage, order, row);
        for (uint32_t p = 0; p < terminals && !st; p++)
            st = audit_queue(run, stage, order + row[p], row[p + 1] - row[p]);
    }
out:
    NP_MEMORY_FREE(order, row);
    return st;
}
