/*
 * repeat:K:TRAFFIC: every packet of other traffic K times, the copies one after
 * the other. Copies of a permutation are a K-K relation in which all K packets of a
 * source have the same destination. The sum of K random permutations (h-relation:K)
 * is also a K-K relation, but it spreads the packets of a source.
 */
#include "model/traffic/traffic.h"

#include <string.h>

#include "base/memory.h"

/* "K:TRAFFIC": K goes to plan->number, *spec points to TRAFFIC. */
static np_status read(np_traffic_plan *plan, const char **spec)
{
    const char *rest = plan->parameters;
    if (!rest || !np_parse_u64(&rest, &plan->number) || *rest != ':' || !rest[1])
        return NP_RAISE(NP_ERROR_INPUT,
                        "traffic 'repeat%s%s': write a number and the traffic to repeat, as in repeat:4:transpose",
                        plan->parameters ? ":" : "", plan->parameters ? plan->parameters : "");
    if (!plan->number)
        return NP_RAISE(NP_ERROR_INPUT, "traffic 'repeat:%s': no packet 0 times: try repeat:1:%s", plan->parameters,
                        rest + 1);
    if (!strncmp(rest + 1, "repeat:", strlen("repeat:"))) /* recursion would be as deep as the spec is long */
        return NP_RAISE(NP_ERROR_INPUT, "traffic 'repeat:%s': repeats are not repeated: write their product",
                        plan->parameters);
    *spec = rest + 1;
    return NP_OK;
}

static np_status plan(np_traffic_plan *plan)
{
    const char *spec = NULL;
    uint64_t packets, most;
    np_status st;
    if ((st = read(plan, &spec)) || (st = np_traffic_estimate(spec, plan->network, &packets, &plan->random)))
        return st;
    most = NP_PACKETS_MAX / (packets ? packets : 1); /* those of files are not known yet */
    if (plan->number > most)
        return NP_RAISE(NP_ERROR_LIMIT, "traffic 'repeat:%s' on %s has more than %d packets: try repeat:%llu:%s",
                        plan->parameters, np_network_spec(plan->network), NP_PACKETS_MAX, (unsigned long long)most,
                        spec);
    plan->packets = packets * plan->number;
    return NP_OK;
}

static np_status copies_of(const np_traffic *once, uint32_t copies, np_traffic *traffic)
{
    np_status st;
    if ((uint64_t)once->packets * copies > NP_PACKETS_MAX) /* of files, whose packets are known only now */
        return NP_RAISE(NP_ERROR_LIMIT, "%u times the %u packets of traffic '%s': at most %d can be routed", copies,
                        once->packets, once->spec, NP_PACKETS_MAX);
    if ((st = np_traffic_allocate(traffic, (uint64_t)once->packets * copies, once->priority)))
        return st;
    for (np_packet i = 0, p = 0; i < once->packets; i++)
        for (uint32_t j = 0; j < copies; j++, p++) {
            traffic->source[p] = once->source[i];
            traffic->destination[p] = once->destination[i];
            if (once->priority)
                traffic->priority[p] = once->priority[i];
        }
    return NP_OK;
}

static np_status make(const np_traffic_plan *plan, const np_draws *draws, np_traffic *traffic)
{
    const char *spec = strchr(plan->parameters, ':') + 1;
    np_traffic *once;
    np_status st = np_traffic_create(spec, plan->network, draws->seed, draws->run, &once);
    if (!st)
        st = copies_of(once, (uint32_t)plan->number, traffic);
    np_traffic_free(once);
    return st;
}

const np_traffic_generator np_traffic_repeat = {
    .info = {"repeat", "K copies of every packet of other traffic", "", .parameters = ":K:TRAFFIC",
             .example = "repeat:3:random"},
    .plan = plan,
    .build = make,
    .places_itself = true,
};
