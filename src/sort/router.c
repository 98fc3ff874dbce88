/*
 * See router.h. Either the mover of scheme `ranked` is given traffic again and again, or rows are routed
 * (router_rows.h). Random choices of both are functions of (seed, run, phase of the leveling), so that each routing
 * takes a seed of its own; the routing with number 0 that of the run, so that the mover does what np_route does.
 */
#include "sort/router.h"

#include "base/memory.h"
#include "netpram/traffic.h"
#include "route/leveled_mover.h"
#include "route/scheme.h"
#include "sort/router_rows.h"

struct np_sort_router {
    const np_sorting *sorting;
    np_route_options options; /* the mover's */
    np_mover *mover;          /* or */
    np_sort_rows *rows;
    unsigned phases;
    uint32_t slowdown[NP_LEVELING_PHASES];
};

/* Of one part of a step: the most edges of which link number `part` is the same. count: [host_links] zeros, before and
   after. 0 if no edge crosses so many. */
static uint32_t most_over_a_link(const np_leveled *leveled, uint32_t part, uint32_t *count)
{
    uint32_t most = 0;
    for (uint32_t e = 0; e < leveled->edges; e++)
        if (leveled->walk[e] + part < leveled->walk[e + 1]) {
            uint32_t *of = &count[leveled->link[leveled->walk[e] + part]];
            if (++*of > most)
                most = *of;
        }
    for (uint32_t e = 0; e < leveled->edges; e++)
        if (leveled->walk[e] + part < leveled->walk[e + 1])
            count[leveled->link[leveled->walk[e] + part]] = 0;
    return most;
}

static const np_leveled *leveled_of(const np_sort_router *router, unsigned phase)
{
    return router->rows ? router->rows->leveled[phase]
                        : ((const np_leveled_mover *)router->mover)->leveling->phase[phase].leveled;
}

static np_status measure(np_sort_router *router)
{
    for (unsigned phase = 0; phase < router->phases; phase++) {
        const np_leveled *leveled = leveled_of(router, phase);
        uint32_t *count, most;
        np_status st = np_memory_zeroed(&count, leveled->host_links, sizeof *count, "the links of the network");
        if (st)
            return st;
        for (uint32_t part = 0; (most = most_over_a_link(leveled, part, count)); part++)
            router->slowdown[phase] += most;
        np_memory_free(count);
    }
    return NP_OK;
}

uint32_t np_sort_router_slowdown(const np_sort_router *router, unsigned phase) { return router->slowdown[phase]; }

static np_status set_up(np_sort_router *router)
{
    const np_sorting *sorting = router->sorting;
    const np_scheme_ops *scheme;
    np_status st;
    if (np_sort_rows_apply(sorting->network)) {
        router->phases = NP_SORT_ROWS_PHASES;
        return np_sort_rows_create(sorting, &router->rows);
    }
    if ((st = np_scheme_applies("ranked", sorting->network)) || (st = np_scheme_find("ranked", &scheme)))
        return st;
    np_route_options_init(&router->options);
    router->options.merge = sorting->options->merge;
    if ((st = scheme->mover->create(sorting->network, &router->options, NULL, &router->mover)))
        return st;
    router->mover->workers = sorting->workers;
    router->phases = scheme->mover->phases(router->mover);
    return NP_OK;
}

np_status np_sort_router_create(const np_sorting *sorting, np_sort_router **out)
{
    np_sort_router *router;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&router, 1, sizeof *router, "a router")))
        return st;
    router->sorting = sorting;
    if ((st = set_up(router)) || (st = measure(router))) {
        np_sort_router_free(router);
        return st;
    }
    *out = router;
    return NP_OK;
}

void np_sort_router_free(np_sort_router *router)
{
    if (!router)
        return;
    if (router->mover)
        router->mover->ops->free(router->mover);
    np_sort_rows_free(router->rows);
    np_memory_free(router);
}

/* One phase after the other. */
static void add(np_sort_cost *out, const np_phase_run *phase, uint32_t slowdown)
{
    np_sort_cost one = np_sort_cost_of(phase);
    out->steps += one.steps * slowdown;
    out->hops += one.hops;
    out->queue_max = one.queue_max > out->queue_max ? one.queue_max : out->queue_max;
    out->congestion = one.congestion > out->congestion ? one.congestion : out->congestion;
    out->delay_max = one.delay_max > out->delay_max ? one.delay_max : out->delay_max;
}

static np_status move(np_sort_router *router, const np_traffic *traffic, np_draws draws, np_sort_cost *out)
{
    for (unsigned phase = 0; phase < router->phases; phase++) {
        np_phase_run run = {0};
        const uint32_t *delay;
        size_t delays;
        np_status st = router->mover->ops->run(router->mover, phase, draws, traffic, &run, &delay, &delays);
        if (st)
            return st;
        add(out, &run, router->slowdown[phase]);
    }
    return NP_OK;
}

static np_status run_mover(np_sort_router *router, uint32_t packets, const np_node *from, const np_node *to,
                           np_draws draws, np_sort_cost *out)
{
    np_traffic *traffic;
    np_status st = np_traffic_from_arrays(router->sorting->network, packets, from, to, NULL, &traffic);
    if (st)
        return st;
    st = move(router, traffic, draws, out);
    np_traffic_free(traffic);
    return st;
}

static np_status run_rows(np_sort_router *router, uint32_t packets, const np_node *from, const np_node *to,
                          np_draws draws, np_sort_cost *out)
{
    for (unsigned phase = 0; phase < router->phases; phase++) {
        np_phase_run run = {0};
        np_status st = np_sort_rows_run(router->rows, phase, draws, packets, from, to, &run);
        if (st)
            return st;
        add(out, &run, router->slowdown[phase]);
    }
    return NP_OK;
}

np_status np_sort_router_run(np_sort_router *router, uint32_t packets, const np_node *from, const np_node *to,
                             uint16_t phase, np_sort_cost *out)
{
    np_draws draws = {.seed = router->sorting->draws.seed, .run = router->sorting->draws.run};
    *out = (np_sort_cost){0};
    if (phase) /* spread over 64 bits: seeds of other runs are small numbers */
        draws.seed = np_random_mix(draws.seed + phase * UINT64_C(0x9e3779b97f4a7c15));
    for (uint32_t i = 0; i < packets; i++)
        out->packets += from[i] != to[i];
    return (router->rows ? run_rows : run_mover)(router, packets, from, to, draws, out);
}
