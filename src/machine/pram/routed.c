/* See routed.h. */
#include "machine/pram/routed.h"

#include "netpram/route.h"

np_status np_routed_send(const np_network *network, const char *scheme, uint64_t seed, const np_observer *observer,
                         np_traffic *traffic, np_network_pass *out)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.threads = 1;
    options.observer = observer;
    options.seed = seed;
    np_status st = np_route_traffic(network, traffic, &options, &result);
    np_traffic_free(traffic);
    if (st)
        return st;
    for (size_t phase = 0; phase < result->phases; phase++) {
        const np_phase_run *run = &result->phase[phase].run[0];
        out->steps += run->steps;
        out->queue_max = run->queue_max > out->queue_max ? run->queue_max : out->queue_max;
    }
    np_route_result_free(result);
    return NP_OK;
}
