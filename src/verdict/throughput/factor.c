/* See factor.h. */
#include "verdict/throughput/factor.h"

#include <math.h>

/* What single hosts leave is in `factor`, which becomes no larger. */
static np_status search(const np_problem *p, const np_throughput_options *options, np_throughput_between *factor)
{
    np_concurrent s;
    np_throughput_bounds bounds;
    np_pass first;
    np_status st = np_concurrent_init(&s, p, options);
    s.enough = factor->high;
    if (!st && !(st = np_concurrent_bounds(&s, &bounds, &first))) {
        np_concurrent_begin(&s, &first);
        if (!(st = np_concurrent_run(&s))) {
            factor->low = s.low < factor->low ? s.low : factor->low;
            factor->high = s.high < factor->high ? s.high : factor->high;
        }
    }
    np_concurrent_clear(&s);
    return st;
}

static np_status find_whole(const np_network *network, const np_traffic *traffic, const np_throughput_options *options,
                            np_throughput_between *per_host, bool *reached)
{
    np_throughput *throughput;
    np_status st = np_throughput_find(network, traffic, options, &throughput);
    if (!st && throughput->moves) {
        *per_host = throughput->per_host;
        *reached = throughput->reached;
    }
    np_throughput_free(throughput);
    return st;
}

static np_status find_contracted(const np_problem *whole, const np_problem *p, const np_throughput_options *options,
                                 np_throughput_between factor, np_throughput_between *per_host, bool *reached)
{
    uint64_t most;
    np_status st = np_problem_host_most(whole, &most);
    if (st || (p->packets && (st = search(p, options, &factor))))
        return st;
    per_host->low = nextafter((double)most * factor.low, 0);
    per_host->high = nextafter((double)most * factor.high, INFINITY);
    *reached = (factor.high - factor.low) / factor.high <= options->gap;
    return NP_OK;
}

np_status np_factor_find(const np_network *network, const np_traffic *traffic, const np_throughput_options *options,
                         np_throughput_between *per_host, bool *reached)
{
    np_problem whole, p = {0};
    np_throughput_between factor;
    *per_host = (np_throughput_between){0, 0};
    *reached = true;
    np_status st = np_problem_init(&whole, network, traffic);
    if (!st && whole.packets && !(st = np_problem_contract(&whole, &p, &factor.low, &factor.high)))
        st = 2 * p.targets <= whole.targets ? find_contracted(&whole, &p, options, factor, per_host, reached)
                                            : find_whole(network, traffic, options, per_host, reached);
    np_problem_clear(&p);
    np_problem_clear(&whole);
    if (st == NP_ERROR_APPLY) /* no way: a message that names hosts, not switches */
        return find_whole(network, traffic, options, per_host, reached);
    return st;
}
