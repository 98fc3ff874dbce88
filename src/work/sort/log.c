#include "work/sort/log.h"

#include <assert.h>
#include <string.h>

/* Finds or adds the stage of this name at this depth. If there is no room for more stages, the last stage takes all. */
static uint32_t find_stage(np_sort_log *log, const char *name, uint32_t depth)
{
    for (size_t i = 0; i < log->stages; i++)
        if (log->stage[i].depth == depth && !strcmp(log->stage[i].name, name))
            return (uint32_t)i;
    if (log->stages == NP_SORT_STAGES)
        return NP_SORT_STAGES - 1;
    np_sort_stage *stage = &log->stage[log->stages];
    *stage = (np_sort_stage){.depth = depth};
    strncat(stage->name, name, sizeof stage->name - 1);
    return (uint32_t)log->stages++;
}

static void raise_to(uint32_t *most, uint32_t value)
{
    if (value > *most)
        *most = value;
}

/* What a stage on the butterfly costs the network that plays it. */
static np_sort_cost played(np_sort_guest *guest, np_sort_cost cost)
{
    uint64_t edges = 0, links = 0;
    for (uint32_t bit = 0; bit < 32; bit++)
        for (uint32_t cross = 0; cross < 2; cross++) {
            edges += guest->crossed[bit][cross];
            links += guest->crossed[bit][cross] * (guest->straight[bit] + cross);
        }
    assert(edges == cost.hops);
    (void)edges;
    memset(guest->crossed, 0, sizeof guest->crossed);
    cost.hops = links;
    cost.steps *= guest->play.slot;
    cost.delay_max *= guest->play.slot;
    return cost;
}

void np_sort_log_charge(np_sort_log *log, np_sort_clock *clock, const char *name, uint32_t depth,
                        const np_sort_cost *charged)
{
    uint32_t i = find_stage(log, name, depth);
    const np_sort_cost own = log->guest ? played(log->guest, *charged) : *charged, *cost = &own;
    np_sort_stage *stage = &log->stage[i];
    stage->times++;
    if (cost->steps > stage->steps_max)
        stage->steps_max = cost->steps;
    stage->packets += cost->packets;
    stage->hops += cost->hops;
    stage->comparators += cost->comparators;
    raise_to(&stage->queue_max, cost->queue_max);
    raise_to(&stage->load_max, cost->load_max);
    raise_to(&stage->congestion, cost->congestion);
    raise_to(&stage->delay_max, cost->delay_max);
    raise_to(&log->recursion_depth, depth);
    if (log->teller)
        np_sort_teller_stage(log->teller, clock->branch ? "recursion" : name, clock->now, cost->steps);
    clock->now += cost->steps;
    clock->steps[i] += cost->steps;
}

np_sort_cost np_sort_cost_of(const np_phase_run *run)
{
    return (np_sort_cost){.steps = run->steps,
                          .packets = run->packets,
                          .hops = run->hops,
                          .queue_max = run->queue_real_max,
                          .congestion = run->congestion,
                          .delay_max = run->delay_max};
}

void np_sort_cost_add(np_sort_cost *sum, const np_sort_cost *cost)
{
    sum->steps += cost->steps;
    sum->hops += cost->hops;
    sum->comparators += cost->comparators;
    raise_to(&sum->queue_max, cost->queue_max);
    raise_to(&sum->load_max, cost->load_max);
    raise_to(&sum->congestion, cost->congestion);
    raise_to(&sum->delay_max, cost->delay_max);
}

void np_sort_log_event(np_sort_log *log, const char *name, const char *lemma, const char *what, double value,
                       double bound)
{
    size_t i = 0;
    while (i < log->events && strcmp(log->event[i].name, name))
        i++;
    if (i == NP_SORT_EVENTS)
        return;
    if (i == log->events)
        log->event[log->events++] = (np_sort_event){.name = name, .lemma = lemma, .what = what, .bound = bound};
    np_sort_event *event = &log->event[i];
    event->times++;
    event->failures += bound > 0 && value > bound;
    if (value > event->worst)
        event->worst = value;
}

void np_sort_clock_join(np_sort_clock *clock, const np_sort_clock *child)
{
    bool branch = clock->branch;
    if (child->now > clock->now)
        *clock = *child;
    clock->branch = branch;
}
