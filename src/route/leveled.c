/* See leveled.h. */
#include "route/leveled.h"

#include <string.h>

#include "base/memory.h"

/* plan->shared */
typedef struct shared {
    np_leveled_routing *routing;
    np_emulation_result emulation[NP_LEVELED_ROUTING_PHASES];
    np_link *crossed[NP_LEVELED_ROUTING_PHASES]; /* np_event_leveled.link of observed runs; NULL: as in np_leveled */
} shared;

const np_leveled_routing *np_leveled_of(const np_route_plan *plan) { return ((const shared *)plan->shared)->routing; }

/* Measures what it costs to play the leveled network of each phase. */
static np_status measure(shared *s)
{
    for (unsigned i = 0; i < s->routing->phases; i++) {
        const np_leveled *leveled = s->routing->phase[i].leveled;
        np_emulation emulation;
        np_status st = np_leveled_emulation(leveled, &emulation);
        if (st)
            return st;
        s->emulation[i] =
            (np_emulation_result){emulation.nodes_per_node, np_leveled_degree(leveled), emulation.links_per_link};
    }
    return NP_OK;
}

np_status np_leveled_bind(np_route_plan *plan)
{
    shared *s;
    np_leveled_routing_sizes sizes;
    np_status st;
    np_leveled_routing_sizes_compute(plan->network, &sizes);
    plan->shared_bytes = sizeof *s + sizes.bytes + (plan->options.observer ? sizes.crossed_bytes : 0);
    if ((st = np_leveled_routing_allow(plan->network, plan->options.memory_limit, plan->shared_bytes)) ||
        (st = np_memory_zeroed(&s, 1, sizeof *s, "the scheme's tables")))
        return st;
    plan->shared = s;
    if ((st = np_leveled_routing_create(plan->network, &s->routing)))
        return st;
    plan->paths = s->routing->ops->name;
    plan->phases = s->routing->phases;
    st = measure(s);
    for (unsigned i = 0; i < plan->phases && plan->options.observer && !st; i++)
        st = np_leveled_routing_crossed(s->routing, i, &s->crossed[i]);
    return st;
}

void np_leveled_unbind(np_route_plan *plan)
{
    shared *s = plan->shared;
    if (!s)
        return;
    np_leveled_routing_free(s->routing);
    for (unsigned i = 0; i < NP_LEVELED_ROUTING_PHASES; i++)
        np_memory_free(s->crossed[i]);
    np_memory_free(s);
}

void np_leveled_phase(const np_route_plan *plan, unsigned phase, np_phase_result *out)
{
    const shared *s = plan->shared;
    memcpy(out->name, s->routing->phase[phase].name, sizeof out->name);
    out->leveled = true;
    out->emulation = s->emulation[phase];
}

np_event_leveled np_leveled_seen(const np_route_plan *plan, unsigned phase)
{
    const shared *s = plan->shared;
    const np_leveled *lv = s->routing->phase[phase].leveled;
    const np_link *link = s->crossed[phase] ? s->crossed[phase] : lv->link;
    return (np_event_leveled){lv->nodes, lv->edges, lv->tail, lv->head, lv->host, lv->walk, link};
}

uint64_t np_leveled_delays_bytes(const np_route_plan *plan)
{
    const np_leveled_routing *routing = np_leveled_of(plan);
    uint64_t bytes = 0;
    for (unsigned i = 0; i < routing->phases; i++) /* of the run, of all runs of the thread, of all threads */
        bytes += 3 * 3 * sizeof(uint64_t) * routing->phase[i].leveled->depth;
    return bytes;
}

uint64_t np_leveled_paths_bytes(const np_route_plan *plan)
{
    const np_leveled_routing *routing = np_leveled_of(plan);
    uint32_t depth = 0;
    for (unsigned i = 0; i < routing->phases; i++)
        depth = routing->phase[i].leveled->depth > depth ? routing->phase[i].leveled->depth : depth;
    return np_path_set_bytes(plan->packets, plan->packets * depth);
}

np_status np_leveled_select(const np_route_plan *plan, const np_runner_job *job, bool combine, np_draws *draws,
                            np_path_set *path_set)
{
    const np_leveled_routing *routing = np_leveled_of(plan);
    *draws = job->draws;
    draws->phase = (uint16_t)job->phase;
    np_selection selection = {.phase = job->phase, .draws = *draws, .traffic = job->traffic, .combine = combine};
    return routing->ops->select(routing, &selection, path_set);
}
