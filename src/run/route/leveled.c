/* See leveled.h. */
#include "run/route/leveled.h"

#include <stdio.h>

#include "base/memory.h"
#include "model/traffic/traffic.h"

/* plan->shared */
typedef struct shared {
    np_stage_one *stage;
    np_emulation_result emulation[NP_LEVELED_ROUTING_PHASES]; /* of networks that all runs share */
    np_link *crossed[NP_LEVELED_ROUTING_PHASES]; /* np_event_leveled.link of observed runs; NULL: as in np_leveled */
} shared;

const np_stage_one *np_leveled_of(const np_route_plan *plan) { return ((const shared *)plan->shared)->stage; }

/* Measures what it costs to play a leveled network. */
static np_status measure(const np_leveled *leveled, np_emulation_result *out)
{
    np_emulation emulation;
    np_status st = np_leveled_emulation(leveled, &emulation);
    if (!st)
        *out = (np_emulation_result){emulation.nodes_per_node, np_leveled_degree(leveled), emulation.links_per_link,
                                     emulation.steps};
    return st;
}

/* Measures the networks that all runs share; if runs are observed, lists the links that they cross. */
static np_status measure_shared(const np_route_plan *plan, shared *s)
{
    np_status st = NP_OK;
    for (unsigned i = 0; i < s->stage->phases && !st; i++) {
        const np_leveled *leveled = np_stage_one_leveled(s->stage, i);
        if (leveled)
            st = measure(leveled, &s->emulation[i]);
        if (!st && plan->options.observer && s->stage->routing)
            st = np_leveled_routing_crossed(s->stage->routing, i, &s->crossed[i]);
    }
    return st;
}

/* The bytes of `crossed`. */
static uint64_t crossed_bytes(const np_route_plan *plan)
{
    np_leveled_routing_sizes sizes;
    if (!plan->options.observer || plan->options.paths)
        return 0;
    np_leveled_routing_sizes_compute(plan->network, &sizes);
    return sizes.crossed_bytes;
}

np_status np_leveled_bind(np_route_plan *plan)
{
    const np_route_options *options = &plan->options;
    uint64_t others = sizeof(shared) + crossed_bytes(plan);
    shared *s;
    np_status st = np_memory_zeroed(&s, 1, sizeof *s, "the scheme's tables");
    if (st)
        return st;
    plan->shared = s;
    if ((st = np_stage_one_create(plan->network, options->paths, &s->stage)))
        return st;
    plan->shared_bytes = others + s->stage->bytes;
    plan->paths = s->stage->name;
    plan->phases = s->stage->phases;
    return measure_shared(plan, s);
}

void np_leveled_unbind(np_route_plan *plan)
{
    shared *s = plan->shared;
    if (!s)
        return;
    np_stage_one_free(s->stage);
    for (unsigned i = 0; i < NP_LEVELED_ROUTING_PHASES; i++)
        np_memory_free(s->crossed[i]);
    np_memory_free(s);
}

void np_leveled_phase(const np_route_plan *plan, unsigned phase, np_phase_result *out)
{
    const np_stage_one *stage = np_leveled_of(plan);
    snprintf(out->name, sizeof out->name, "%s", np_stage_one_phase_name(stage, phase));
    out->leveled = true;
}

np_event_leveled np_leveled_seen(const np_route_plan *plan, unsigned phase, const np_leveled *lv)
{
    const shared *s = plan->shared;
    const np_link *link = s->crossed[phase] ? s->crossed[phase] : lv->link;
    return (np_event_leveled){lv->nodes, lv->edges, lv->tail, lv->head,
                              lv->host,  lv->walk,  link,     .of_run = lv != np_stage_one_leveled(s->stage, phase)};
}

/* ---- Memory ---- */

/* The bytes of the histograms of delays: of the run, of all runs of the thread, of all threads. */
static uint64_t delays_bytes(const np_stage_one *stage, const np_leveled *sizes)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < stage->phases; i++)
        bytes += 3 * 3 * sizeof(uint64_t) * sizes[i].depth;
    return bytes;
}

/* The bytes of a runner on networks of these sizes. */
static uint64_t bytes_on(const np_route_plan *plan, np_leveled_engine *engine, const np_leveled *sizes,
                         np_packet packets)
{
    const np_stage_one *stage = np_leveled_of(plan);
    const np_leveled *leveled[NP_LEVELED_ROUTING_PHASES];
    for (unsigned i = 0; i < stage->phases; i++)
        leveled[i] = &sizes[i];
    return engine(plan, stage->phases, leveled, packets) + np_stage_one_bytes(stage, packets, sizes) +
           delays_bytes(stage, sizes);
}

uint64_t np_leveled_runner_bytes(const np_route_plan *plan, np_leveled_engine *engine)
{
    np_leveled sizes[NP_LEVELED_ROUTING_PHASES];
    np_stage_one_sizes(np_leveled_of(plan), plan->packets, sizes);
    return bytes_on(plan, engine, sizes, (np_packet)plan->packets);
}

/* ---- Choosing ---- */

np_status np_leveled_choose(const np_route_plan *plan, const np_runner_job *job, bool combine, np_draws *draws,
                            np_chosen *chosen)
{
    *draws = job->draws;
    draws->phase = (uint16_t)job->phase;
    np_selection selection = {.phase = job->phase, .draws = *draws, .traffic = job->traffic, .combine = combine};
    return np_stage_one_choose(np_leveled_of(plan), &selection, job->watch ? &job->watch->paths : NULL, chosen);
}

const np_traffic *np_leveled_resting(const np_runner_job *job, const np_path_set *path_set)
{
    bool some = false, moved = false; /* moved: by a routing that moves them, too */
    for (np_packet p = 0; p < np_traffic_packets(job->traffic) && !job->phase && !some; p++)
        some = np_traffic_rests(job->traffic, p);
    for (np_packet i = 0; i < path_set->packets && some && !moved; i++)
        moved = np_traffic_rests(job->traffic, path_set->packet[i]);
    return some && !moved ? job->traffic : NULL;
}

np_delays np_leveled_delays(const np_traffic *resting, const np_path_set *path_set, const uint32_t *delay,
                            np_phase_run *out)
{
    size_t rest = 0;
    for (np_packet p = 0; resting && p < np_traffic_packets(resting); p++)
        rest += np_traffic_rests(resting, p);
    out->packets += (np_packet)rest;
    return (np_delays){delay, path_set->packets, rest};
}

np_status np_leveled_emulate(const np_route_plan *plan, unsigned phase, const np_chosen *chosen, np_phase_run *out)
{
    const shared *s = plan->shared;
    if (chosen->own)
        return measure(chosen->own, &out->emulation);
    out->emulation = s->emulation[phase];
    return NP_OK;
}
