/* Permutations and k-k routing on any network by the queueing engine: the greedy scheme, by shortest paths. */
#include "work/collective/collective.h"
#include "netpram/route.h"

static const char *refuses(const np_network *network)
{
    return np_scheme_applies("greedy", network) ? "scheme 'greedy' does not apply" : NULL;
}

static np_status route(np_collective_job *job, np_collective_result *out)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.seed = job->options.seed;
    options.threads = 1;
    options.observer = job->options.observer;
    options.watch = job->options.watch;
    np_status st = np_route_traffic(job->network, job->traffic, &options, &result);
    if (st)
        return st;
    out->rounds = out->steps = (uint64_t)result->total_steps.mean;
    out->transfers = (uint64_t)result->phase[0].hops.mean;
    np_route_result_free(result);
    return NP_OK;
}

const np_collective_ops np_routed_permutation = {
    .info = {"greedy", "by shortest paths, from queues", "", .operation = "permutation", .networks = "all",
             .ports = "full-port"},
    .kind = NP_PERMUTATION,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = refuses,
    .route = route,
};

const np_collective_ops np_routed_k_k = {
    .info = {"greedy", "by shortest paths, from queues", "", .operation = "k-k", .networks = "all",
             .ports = "full-port"},
    .kind = NP_K_K,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = refuses,
    .route = route,
};
