/* See steps.h: the search, which ends as soon as the bound cannot become better. */
#include "verdict/throughput/steps.h"

#include "base/memory.h"
#include "verdict/throughput/concurrent.h"
#include "verdict/throughput/own_paths.h"

/*
 * On grids: if dimension order loads no link more than `steps` say, no bound by loads is larger, and nothing is to be
 * sought. On a mesh the search would not end by itself: its flows are split over all shortest paths, and load the
 * middle more. The loads are whole numbers, which the sums have exactly.
 */
static np_status settles_by_order(const np_problem *p, const np_watch *watch, uint64_t steps, bool *settles)
{
    np_throughput_options options;
    double *load, most = 0;
    char *rule = NULL;
    uint32_t draws;
    np_link links = np_network_link_numbers(p->network);
    *settles = false;
    if (!np_network_is(p->network, NP_KIND_GRIDS))
        return NP_OK;
    np_throughput_options_init(&options);
    options.paths = "dimension-order";
    options.watch = *watch;
    np_status st = np_memory_zeroed(&load, links, sizeof *load, "the loads of links");
    if (!st && !(st = np_own_paths_load(p, &options, &rule, load, &draws))) {
        for (np_link e = 0; e < links; e++)
            most = load[e] > most ? load[e] : most;
        *settles = most <= (double)steps;
    }
    NP_MEMORY_FREE(rule, load);
    return st;
}

static np_status search(const np_problem *p, const np_throughput_options *options, uint64_t *steps)
{
    np_concurrent s;
    np_throughput_bounds bounds;
    np_pass first;
    np_status st = np_concurrent_init(&s, p, options);
    if (!st && !(st = np_concurrent_bounds(&s, &bounds, &first)) && !(st = np_problem_farthest(p, first.far, &s.far))) {
        uint32_t far = s.far;
        bool settles;
        np_concurrent_begin(&s, &first);
        st = settles_by_order(p, &options->watch, np_concurrent_steps(&s, far), &settles);
        if (!st && (settles || !(st = np_concurrent_run(&s))))
            *steps = np_concurrent_steps(&s, far);
    }
    np_concurrent_clear(&s);
    return st;
}

np_status np_steps_bound(const np_network *network, const np_traffic *traffic, unsigned threads, const np_watch *watch,
                         uint64_t *steps)
{
    np_throughput_options options;
    np_problem problem;
    np_throughput_options_init(&options);
    options.threads = threads;
    options.watch = watch ? *watch : options.watch;
    *steps = 0;
    np_status st = np_problem_init(&problem, network, traffic);
    if (!st && problem.packets)
        st = search(&problem, &options, steps);
    np_problem_clear(&problem);
    return st;
}

/* What problem.c, search.c, lanes.c and cut.c take for a node, a link and a packet, each a little more than that. */
uint64_t np_steps_bound_bytes(const np_network *network, uint64_t packets, unsigned threads)
{
    enum { NODE = 192, NODE_OF_LANES = 3 * 64, LINK = 88, LINK_OF_LANES = 64 + 8, PACKET = 8 };
    uint64_t nodes = np_network_nodes(network), links = np_network_links(network);
    return nodes * (NODE + (uint64_t)threads * NODE_OF_LANES) + links * (LINK + (uint64_t)threads * LINK_OF_LANES) +
           packets * PACKET;
}
