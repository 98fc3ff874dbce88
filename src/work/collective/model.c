/*
 * See model.h. Model steps: each message of a round is packets from host to host, and a round begins when the last one
 * has ended. A round that sends what the round before sent takes as long, so a ring is routed once.
 */
#include "model/network/attributes.h"
#include "work/collective/model.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "netpram/route.h"

static const char *const names[NP_MODELS] = {
    [NP_MODEL_ROUNDS] = "rounds", [NP_MODEL_FLOWS] = "flows", [NP_MODEL_STEPS] = "steps"};

const char *np_model_name(np_model model) { return names[model]; }

np_status np_model_of(const char *name, np_model *out)
{
    for (*out = 0; *out < NP_MODELS; ++*out)
        if (!name || !strcmp(names[*out], name))
            return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "no model '%s': %s", name, np_parse_hint_of(name, names, NP_MODELS).text);
}

double np_model_packet(double asked, double link_rate)
{
    return asked > 0 ? asked : link_rate > 0 ? NP_MODEL_PACKET : 1;
}

/* Where the message that begins at transfer i ends. */
size_t np_model_message_end(const np_round_log *log, size_t i, size_t end)
{
    np_link link = log->link[i];
    while (i < end && log->link[i] == link)
        i++;
    return i;
}

/* Do rounds r and r - 1 send as much over the same links? Pieces may differ. */
bool np_model_repeats(const np_round_log *log, size_t r)
{
    if (!r)
        return false;
    size_t first = log->first[r], count = log->first[r + 1] - first, before = log->first[r - 1];
    return count == first - before && !memcmp(log->link + first, log->link + before, count * sizeof *log->link);
}

static double packets_of(const np_collective_job *job, size_t pieces)
{
    return ceil((double)pieces * job->part / np_model_packet(job->options.packet_size, job->options.link_rate));
}

/* The packets of a round; sources NULL: only counts them. */
static double fill(const np_collective_job *job, const np_round_log *log, size_t r, np_node *source, np_node *target)
{
    double all = 0;
    for (size_t i = log->first[r], end; i < log->first[r + 1]; i = end) {
        np_link link = log->link[i];
        end = np_model_message_end(log, i, log->first[r + 1]);
        double packets = packets_of(job, end - i);
        for (size_t p = 0; source && p < (size_t)packets; p++) {
            source[(size_t)all + p] = np_ranks_host(job->under, job->host, np_network_link_tail(job->network, link));
            target[(size_t)all + p] = np_ranks_host(job->under, job->host, np_network_link_head(job->network, link));
        }
        all += packets;
    }
    return all;
}

static np_status route(const np_collective_job *job, size_t packets, const np_node *source, const np_node *target,
                       double *steps)
{
    np_route_options options;
    np_route_result *result = NULL;
    np_traffic *traffic = NULL;
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.paths = job->options.paths;
    options.seed = job->options.seed;
    options.watch = job->options.watch;
    options.threads = 1;
    np_status st = np_traffic_from_arrays(job->under, packets, source, target, NULL, &traffic);
    if (!st && !(st = np_route_traffic(job->under, traffic, &options, &result)))
        *steps = result->total_steps.mean;
    np_route_result_free(result);
    np_traffic_free(traffic);
    return st;
}

static np_status route_round(const np_collective_job *job, const np_round_log *log, size_t r, double *steps)
{
    np_node *source = NULL, *target = NULL;
    double packets = fill(job, log, r, NULL, NULL);
    np_status st;
    *steps = 0;
    if (packets >= NP_NONE / 2)
        return NP_RAISE(NP_ERROR_LIMIT, "round %zu has %s packets, too many to route: take larger ones (--packet-size)",
                        r + 1, NP_REAL(packets, 6));
    if (packets < 1) { /* messages without data */
        *steps = 0;
        return np_attributes_heeded(job->under, "messages without data, of model steps", NP_HEEDS_COSTS);
    }
    if (!(st = np_memory_array(&source, (size_t)packets, sizeof *source, "a round's packets")) &&
        !(st = np_memory_array(&target, (size_t)packets, sizeof *target, "a round's packets"))) {
        (void)fill(job, log, r, source, target);
        st = route(job, (size_t)packets, source, target, steps);
    }
    NP_MEMORY_FREE(source, target);
    return st;
}

np_status np_model_time(const np_collective_job *job, const np_round_log *log, double *steps)
{
    double one = 0;
    *steps = 0;
    if (job->model == NP_MODEL_FLOWS)
        return np_model_flows(job, log, steps);
    for (size_t r = 0; r < log->rounds; r++) {
        np_status st = np_model_repeats(log, r) ? NP_OK : route_round(job, log, r, &one);
        if (st)
            return st;
        *steps += one;
    }
    return NP_OK;
}
