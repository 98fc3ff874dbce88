/*
 * See router.h. The mover of scheme `ranked` is given traffic again and again. Its random choices are functions of
 * (seed, run, phase of the leveling), so that each routing takes a seed of its own; the routing with number 0 that
 * of the run, so that it is what np_route does.
 */
#include "sort/router.h"

#include "base/memory.h"
#include "netpram/traffic.h"
#include "route/scheme.h"

struct np_sort_router {
    const np_sorting *sorting;
    np_route_options options; /* the mover's */
    np_mover *mover;
};

np_status np_sort_router_create(const np_sorting *sorting, np_sort_router **out)
{
    const np_scheme_ops *scheme;
    np_sort_router *router;
    np_status st;
    *out = NULL;
    if ((st = np_scheme_applies("ranked", sorting->network)) || (st = np_scheme_find("ranked", &scheme)) ||
        (st = np_memory_zeroed(&router, 1, sizeof *router, "a router")))
        return st;
    router->sorting = sorting;
    np_route_options_init(&router->options);
    router->options.merge = sorting->options->merge;
    if ((st = scheme->mover->create(sorting->network, &router->options, NULL, &router->mover))) {
        np_memory_free(router);
        return st;
    }
    router->mover->workers = sorting->workers;
    *out = router;
    return NP_OK;
}

void np_sort_router_free(np_sort_router *router)
{
    if (!router)
        return;
    router->mover->ops->free(router->mover);
    np_memory_free(router);
}

void np_sort_router_emulation(const np_sort_router *router, np_emulation_result *out)
{
    *out = (np_emulation_result){0};
    for (unsigned phase = 0; phase < router->mover->ops->phases(router->mover); phase++) {
        np_emulation_result one;
        router->mover->ops->emulation(router->mover, phase, &one);
        out->nodes_per_node = one.nodes_per_node > out->nodes_per_node ? one.nodes_per_node : out->nodes_per_node;
        out->degree = one.degree > out->degree ? one.degree : out->degree;
        out->links_per_link = one.links_per_link > out->links_per_link ? one.links_per_link : out->links_per_link;
    }
}

/* One phase after the other. */
static void add(np_sort_cost *out, const np_phase_run *phase)
{
    np_sort_cost one = np_sort_cost_of(phase);
    out->steps += one.steps;
    out->hops += one.hops;
    out->queue_max = one.queue_max > out->queue_max ? one.queue_max : out->queue_max;
    out->congestion = one.congestion > out->congestion ? one.congestion : out->congestion;
    out->delay_max = one.delay_max > out->delay_max ? one.delay_max : out->delay_max;
}

static np_status route(np_sort_router *router, const np_traffic *traffic, np_draws draws, np_sort_cost *out)
{
    const np_mover_ops *ops = router->mover->ops;
    for (unsigned phase = 0; phase < ops->phases(router->mover); phase++) {
        np_phase_run run = {0};
        const uint32_t *delay;
        size_t delays;
        np_status st = ops->run(router->mover, phase, draws, traffic, &run, &delay, &delays);
        if (st)
            return st;
        add(out, &run);
    }
    return NP_OK;
}

np_status np_sort_router_run(np_sort_router *router, uint32_t packets, const np_node *from, const np_node *to,
                             uint16_t phase, np_sort_cost *out)
{
    np_draws draws = {.seed = router->sorting->draws.seed, .run = router->sorting->draws.run};
    np_traffic *traffic;
    np_status st = np_traffic_from_arrays(router->sorting->network, packets, from, to, NULL, &traffic);
    *out = (np_sort_cost){0};
    if (st)
        return st;
    if (phase) /* spread over 64 bits: seeds of other runs are small numbers */
        draws.seed = np_random_mix(draws.seed + phase * UINT64_C(0x9e3779b97f4a7c15));
    st = route(router, traffic, draws, out);
    np_traffic_free(traffic);
    for (uint32_t i = 0; i < packets; i++)
        out->packets += from[i] != to[i];
    return st;
}
