/* See steps.h: the search, which ends as soon as the bound cannot become better. */
#include "verdict/throughput/steps.h"

#include "verdict/throughput/concurrent.h"

static np_status search(const np_problem *p, const np_throughput_options *options, uint64_t *steps)
{
    np_concurrent s;
    np_throughput_bounds bounds;
    np_pass first;
    np_status st = np_concurrent_init(&s, p, options);
    if (!st && !(st = np_concurrent_bounds(&s, &bounds, &first)) && !(st = np_problem_farthest(p, first.far, &s.far))) {
        uint32_t far = s.far;
        np_concurrent_begin(&s, &first);
        if (!(st = np_concurrent_run(&s)))
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
    enum { NODE = 160, NODE_OF_LANES = 3 * 64, LINK = 80, LINK_OF_LANES = 64 + 8, PACKET = 8 };
    uint64_t nodes = np_network_nodes(network), links = np_network_links(network);
    return nodes * (NODE + (uint64_t)threads * NODE_OF_LANES) + links * (LINK + (uint64_t)threads * LINK_OF_LANES) +
           packets * PACKET;
}
