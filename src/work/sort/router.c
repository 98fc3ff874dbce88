/*
 * See router.h. Either the runner of scheme `ranked` gets traffic again and again, or rows are routed (rows.h).
 * The random choices of both are functions of (seed, run, phase of the leveled routing). So each routing takes its own
 * seed. The routing with number 0 takes the seed of the run, so that the runner does what np_route does.
 */
#include "work/sort/router.h"

/* *out = some link of the network plays several edges of a leveled network, or an edge crosses several links. */
static np_status shares_links(const np_route_plan *plan, bool *out)
{
    *out = false;
    for (unsigned phase = 0; phase < plan->phases && !*out; phase++) {
        np_emulation emulation;
        np_status st = np_leveled_emulation(np_stage_one_leveled(np_leveled_of(plan), phase), &emulation);
        if (st)
            return st;
        *out = emulation.steps > 1;
    }
    return NP_OK;
}

np_status np_sort_router_init(np_sort_router *router, const np_sorting *sorting)
{
    const char *refuses = np_leveled_routing_refuses(sorting->network);
    np_route_options options;
    np_status st;
    *router = (np_sort_router){.sorting = sorting};
    router->by_rows = np_network_is(sorting->network, NP_KIND_HYPERCUBE | NP_KIND_BUTTERFLY);
    if (router->by_rows)
        return np_rows_init(&router->rows, sorting);
    if (refuses)
        return NP_RAISE(NP_ERROR_APPLY, "keys are routed by 'ranked' on leveled networks, and not on %s: %s",
                        np_network_spec(sorting->network), refuses);
    np_route_options_init(&options);
    options.scheme = "ranked";
    options.merge = sorting->options->merge;
    options.threads = sorting->workers;
    options.observer = sorting->options->observer; /* the plan numbers links for it */
    if ((st = np_route_plan_init(&router->plan, sorting->network, NULL, NULL, &options)) ||
        (st = shares_links(&router->plan, &router->plan.options.merge.physical)) ||
        (st = np_runner_create(&router->plan, &router->runner)))
        return st;
    return NP_OK;
}

void np_sort_router_clear(np_sort_router *router)
{
    np_runner_free(router->runner);
    np_route_plan_clear(&router->plan);
    np_rows_clear(&router->rows);
}

static np_status move(np_sort_router *router, const np_traffic *traffic, np_draws draws, const np_observer *observer,
                      np_sort_cost *out)
{
    for (unsigned phase = 0; phase < router->plan.phases; phase++) {
        const char *name = np_stage_one_phase_name(np_leveled_of(&router->plan), phase);
        const np_engine_watch watch = {.observer = observer, .phase = name};
        const np_runner_job job = {phase, draws, traffic, &watch};
        np_phase_run run = {0};
        np_delays delays;
        np_status st = router->plan.runner->run(router->runner, &job, &run, &delays);
        if (st)
            return st;
        np_sort_cost cost = np_sort_cost_of(&run);
        if (run.physical_steps) /* they were played; else its steps are steps of the network */
            cost.steps = run.physical_steps;
        np_sort_cost_add(out, &cost);
    }
    return NP_OK;
}

static np_status run_scheme(np_sort_router *router, uint32_t packets, const np_node *from, const np_node *to,
                            np_draws draws, const np_observer *observer, np_sort_cost *out)
{
    np_traffic *traffic;
    np_status st = np_traffic_from_arrays(router->sorting->network, packets, from, to, NULL, &traffic);
    if (st)
        return st;
    st = move(router, traffic, draws, observer, out);
    np_traffic_free(traffic);
    return st;
}

static np_status run_rows(np_sort_router *router, uint32_t packets, const np_node *from, const np_node *to,
                          np_draws draws, const np_observer *observer, np_sort_cost *out)
{
    for (int home = 0; home < 2; home++) {
        np_sort_cost cost;
        np_status st = np_rows_permute(&router->rows, home, draws, packets, from, to, observer, &cost);
        if (st)
            return st;
        np_sort_cost_add(out, &cost);
    }
    return NP_OK;
}

np_status np_sort_router_run(np_sort_router *router, const char *stage, uint32_t packets, const np_node *from,
                             const np_node *to, uint16_t phase, np_sort_cost *out)
{
    np_sort_teller *teller = router->sorting->log.teller;
    const np_observer *observer = teller ? np_sort_teller_observer(teller, stage) : NULL;
    np_draws draws = {.seed = router->sorting->draws.seed, .run = router->sorting->draws.run};
    *out = (np_sort_cost){0};
    if (phase) /* spread over 64 bits: seeds of other runs are small numbers */
        draws.seed = np_random_mix(draws.seed + phase * UINT64_C(0x9e3779b97f4a7c15));
    for (uint32_t i = 0; i < packets; i++)
        out->packets += from[i] != to[i];
    return (router->by_rows ? run_rows : run_scheme)(router, packets, from, to, draws, observer, out);
}
