/*
 * The method of conditional expectations (Raghavan 1988, Spencer 1987), as
 * section 11 of Leighton, Maggs, Ranade & Rao 1994 uses it: ranks are fixed
 * packet by packet, each to the value that leaves the least expected number of
 * delay chains that are too long. This number is below 1 in the beginning, it
 * never increases, and in the end it is a number of chains: 0. So no run is too
 * long.
 *
 * Where we differ from the paper:
 *
 *   - The paper counts all sequences that could be written down (the proof of
 *     Theorem 2.9), in time 2^O(c+L+log N). We count by a pass over all keys
 *     (chains.c), in time polynomial in packets, R and the size of the network.
 *     Our number bounds the same quantity from above. It is better than the
 *     paper's, since it counts only what the paths allow.
 *   - The promise is the least t such that fewer than 1 chain of more than t
 *     steps is expected (in each of k phases: fewer than 1/k).
 *
 * Where few packets have much in common, the least t is the number of steps that
 * any ranks keep, because no chain has a packet twice. The estimate may then be
 * above 1, because it counts chains with a packet twice.
 *
 * The ranks found mostly do better than promised: `steps` is read from the
 * longest chain that is left. From there we try again for a step less in each
 * phase, with no promise, as long as this helps.
 */
#include "papers/ranks/offline_ranks.h"

#include <string.h>

#include "base/decimal.h"
#include "base/disk.h"
#include "base/memory.h"
#include "base/watch.h"
#include "papers/explain/chains.h"
#include "engine/merging/merge.h"

/* Ours: about a minute, and the memory of a workstation. */
#define OPERATIONS_MAX 5e10
#define BYTES_MAX 2e9
#define PAIRS_MAX 2.5e8 /* nodes times edges: the work of chains.c before it can tell the cost */

/* Sums of so many products have relative errors far below 1e-6. */
#define BELOW_ONE (1 - 1e-6)

static const char *const what = "off-line ranks";

typedef struct search {
    const np_offline_job *job;
    np_chains *chains[NP_OFFLINE_PHASES]; /* NULL: no packets */
    uint32_t *rank[NP_OFFLINE_PHASES];    /* [packets of the path set] 0: open */
    np_packet *at[NP_OFFLINE_PHASES];     /* [packets of the traffic] its number in the path set, or NP_NONE */
    uint32_t limit[NP_OFFLINE_PHASES];    /* steps: longer chains are too long */
    double estimate[NP_OFFLINE_PHASES];
    unsigned busy; /* phases with packets */
    double *cost;  /* [phases][R] */
    double *sum;
    uint32_t *chosen; /* [packets of the traffic] */
} search;

static np_status check_applies(const np_offline_job *job)
{
    const np_merge_options *options = job->options;
    if (options->message_most > 1)
        return NP_RAISE(NP_ERROR_APPLY, "no off-line ranks for messages of up to %u packets: they are for single ones",
                        options->message_most);
    if (options->combine != NP_COMBINE_NONE)
        return NP_RAISE(NP_ERROR_APPLY, "no off-line ranks where packets combine: there ranks are by destination");
    if (np_merge_may_starve(options))
        return NP_RAISE(NP_ERROR_APPLY,
                        "no off-line ranks without ghosts, or where they need room: nothing bounds the steps then");
    if (!options->rank_range || !options->queue_size)
        return NP_RAISE(NP_ERROR_INPUT, "queues of %u packets and ranks in 1..%u: both are at least 1",
                        options->queue_size, options->rank_range);
    return NP_OK;
}

static np_status check_pairs(const np_leveled *lv)
{
    if ((double)lv->nodes * lv->edges > PAIRS_MAX)
        return NP_RAISE(NP_ERROR_APPLY,
                        "off-line ranks on a leveled network of %u nodes and %u links: at most %s of the product: "
                        "take a smaller network",
                        lv->nodes, lv->edges, NP_REAL(PAIRS_MAX, 2));
    return NP_OK;
}

static np_status begin_phase(search *s, unsigned phase)
{
    const np_offline_job *job = s->job;
    const np_path_set *path_set = job->path_set[phase];
    np_status st;
    if ((st = np_chains_create(job->leveled[phase], path_set, job->options->queue_size, job->options->rank_range,
                               &s->chains[phase])) ||
        (st = np_memory_zeroed(&s->rank[phase], path_set->packets, sizeof *s->rank[phase], what)) ||
        (st = np_memory_array(&s->at[phase], job->packets, sizeof *s->at[phase], what)))
        return st;
    for (np_packet p = 0; p < job->packets; p++)
        s->at[phase][p] = NP_NONE;
    for (np_packet i = 0; i < path_set->packets; i++) {
        if (path_set->packet[i] >= job->packets)
            return NP_RAISE(NP_ERROR_INTERNAL, "packet %u of %u moves", path_set->packet[i], job->packets);
        s->at[phase][path_set->packet[i]] = i;
    }
    s->busy++;
    return NP_OK;
}

/* Refuses a search whose passes over all chains take too long or need too much memory. */
static np_status check_size(const search *s, unsigned phase, double passes, uint32_t steps)
{
    double operations = passes * np_chains_cost(s->chains[phase], steps);
    double bytes = np_chains_bytes(s->chains[phase], steps);
    if (operations > OPERATIONS_MAX || bytes > BYTES_MAX)
        return NP_RAISE(
            NP_ERROR_APPLY,
            "off-line ranks for %u packets in 1..%u would take %s operations and %s: the most is %s, about a "
            "minute, and %s, and no option moves it: take a smaller network, fewer packets, or a smaller range",
            s->job->path_set[phase]->packets, s->job->options->rank_range, NP_REAL(operations, 2),
            np_size_show(bytes).text, NP_REAL(OPERATIONS_MAX, 1), np_size_show(BYTES_MAX).text);
    return NP_OK;
}

static np_status begin(search *s, const np_offline_job *job)
{
    uint32_t most = 0;
    np_status st;
    *s = (search){.job = job};
    if ((st = check_applies(job)))
        return st;
    for (unsigned k = 0; k < job->phases; k++)
        if (job->path_set[k]->packets && (st = check_pairs(job->leveled[k])))
            return st;
    for (unsigned k = 0; k < job->phases; k++) {
        if (!job->path_set[k]->packets)
            continue;
        if ((st = begin_phase(s, k)) || (st = check_size(s, k, 1, np_chains_steps_max(s->chains[k]) + 1)))
            return st;
        uint32_t steps = np_chains_steps_max(s->chains[k]);
        most = steps > most ? steps : most;
    }
    if ((st = np_memory_zeroed(&s->cost, (size_t)job->options->rank_range * job->phases, sizeof *s->cost, what)) ||
        (st = np_memory_zeroed(&s->sum, (size_t)most + 1, sizeof *s->sum, what)) ||
        (st = np_memory_zeroed(&s->chosen, job->packets, sizeof *s->chosen, what)))
        return st;
    return NP_OK;
}

static void end(search *s)
{
    for (unsigned k = 0; k < NP_OFFLINE_PHASES; k++) {
        np_chains_free(s->chains[k]);
        NP_MEMORY_FREE(s->rank[k], s->at[k]);
    }
    NP_MEMORY_FREE(s->cost, s->sum, s->chosen);
}

/*
 * *steps = the least t such that fewer than `below` chains of more than t steps are expected, or such that no chain can
 * have more.
 */
static np_status least_limit(search *s, unsigned phase, double below, uint32_t *steps)
{
    uint32_t most = np_chains_steps_max(s->chains[phase]);
    np_status st = np_chains_profile(s->chains[phase], s->rank[phase], most + 1, s->sum);
    *steps = 0;
    while (!st && *steps < most && !(s->sum[*steps] < below))
        ++*steps;
    return st;
}

/* The steps of the longest chain with all ranks fixed, summed over the phases. */
static np_status certify(search *s, uint32_t limit[], np_step *steps)
{
    *steps = 0;
    for (unsigned k = 0; k < s->job->phases; k++) {
        np_status st;
        limit[k] = 0;
        if (!s->chains[k])
            continue;
        if ((st = least_limit(s, k, 0.5, &limit[k])))
            return st;
        *steps += limit[k];
    }
    return NP_OK;
}

static void set_ranks(search *s, const uint32_t *rank)
{
    for (unsigned k = 0; k < s->job->phases; k++)
        for (np_packet i = 0; s->chains[k] && i < s->job->path_set[k]->packets; i++)
            s->rank[k][i] = rank ? rank[s->job->path_set[k]->packet[i]] : 0;
}

/* The rank that costs least, from 0, over all phases in which the packet moves. */
static uint32_t best_rank(const search *s, np_packet packet)
{
    const uint32_t range = s->job->options->rank_range;
    uint32_t best = 0;
    double least = 0;
    for (uint32_t r = 0; r < range; r++) {
        double sum = 0;
        for (unsigned k = 0; k < s->job->phases; k++)
            if (s->chains[k] && s->at[k][packet] != NP_NONE)
                sum += s->cost[(size_t)k * range + r];
        if (!r || sum < least) {
            best = r;
            least = sum;
        }
    }
    return best;
}

/* Fixes the rank of a packet to the best value. *moves: it has one. */
static np_status fix(search *s, np_packet packet, bool *moves)
{
    const uint32_t range = s->job->options->rank_range;
    *moves = false;
    memset(s->cost, 0, (size_t)range * s->job->phases * sizeof *s->cost);
    for (unsigned k = 0; k < s->job->phases; k++) {
        if (!s->chains[k] || s->at[k][packet] == NP_NONE)
            continue;
        np_status st = np_chains_try(s->chains[k], s->rank[k], s->limit[k], s->at[k][packet], &s->estimate[k],
                                     s->cost + (size_t)k * range);
        if (st)
            return st;
        *moves = true;
    }
    uint32_t best = best_rank(s, packet);
    s->chosen[packet] = best + 1;
    for (unsigned k = 0; k < s->job->phases; k++)
        if (s->chains[k] && s->at[k][packet] != NP_NONE) {
            s->rank[k][s->at[k][packet]] = best + 1;
            s->estimate[k] += s->cost[(size_t)k * range + best];
        }
    return NP_OK;
}

static double estimate(const search *s)
{
    double sum = 0;
    for (unsigned k = 0; k < s->job->phases; k++)
        sum += s->estimate[k];
    return sum;
}

/* Finds all ranks anew, under the limits, in round `round`. out gets the estimates if it is not NULL. */
static np_status fix_all(search *s, unsigned round, np_offline_ranks *out)
{
    set_ranks(s, NULL);
    for (np_packet packet = 0; packet < s->job->packets; packet++) {
        bool moves;
        np_status st = fix(s, packet, &moves);
        if (st)
            return st;
        if (out && moves)
            out->estimate[out->estimates++] = estimate(s);
        double share = (round + (packet + 1.0) / s->job->packets) / (s->job->rounds + 1.0);
        if ((st = np_watch_check(s->job->watch, (np_progress){NULL, "attempts", round, s->job->rounds + 1, share})))
            return st;
    }
    return NP_OK;
}

/* The hops of the longest path: no limit is below it. */
static uint32_t longest_path(const np_path_set *path_set)
{
    size_t most = 0;
    for (np_packet i = 0; i < path_set->packets; i++) {
        size_t hops = path_set->begin[i + 1] - path_set->begin[i];
        most = hops > most ? hops : most;
    }
    return (uint32_t)most;
}

/* The promise: the limits, and the expected number of chains that exceed them before any rank is fixed. */
static np_status promise(search *s, np_offline_ranks *out)
{
    for (unsigned k = 0; k < s->job->phases; k++) {
        np_status st;
        s->estimate[k] = 0;
        if (!s->chains[k])
            continue;
        if ((st = check_size(s, k, s->job->path_set[k]->packets, longest_path(s->job->path_set[k]))) ||
            (st = least_limit(s, k, BELOW_ONE / s->busy, &s->limit[k])) ||
            (st = check_size(s, k, s->job->path_set[k]->packets, s->limit[k])))
            return st;
        out->promised += s->limit[k];
        s->estimate[k] = s->sum[s->limit[k]];
    }
    out->estimate[out->estimates++] = estimate(s);
    return NP_OK;
}

/* Makes further attempts; out keeps the ranks of the best attempt. */
static np_status improve(search *s, uint32_t limit[], np_offline_ranks *out)
{
    for (unsigned round = 0; round < s->job->rounds; round++) {
        np_step steps;
        np_status st;
        for (unsigned k = 0; k < s->job->phases; k++)
            s->limit[k] = limit[k] ? limit[k] - 1 : 0;
        if ((st = fix_all(s, round + 1, NULL)) || (st = certify(s, limit, &steps)))
            return st;
        if (steps >= out->steps)
            return NP_OK;
        out->steps = steps;
        out->rounds++;
        memcpy(out->rank, s->chosen, s->job->packets * sizeof *out->rank);
    }
    return NP_OK;
}

static np_status find(search *s, np_offline_ranks *out)
{
    uint32_t limit[NP_OFFLINE_PHASES];
    np_status st;
    if ((st = promise(s, out)) || (st = fix_all(s, 0, out)) || (st = certify(s, limit, &out->steps)))
        return st;
    if (out->steps > out->promised)
        return NP_RAISE(NP_ERROR_INTERNAL, "off-line ranks: a chain of %u steps is left, %u were promised", out->steps,
                        out->promised);
    memcpy(out->rank, s->chosen, s->job->packets * sizeof *out->rank);
    return improve(s, limit, out);
}

np_status np_offline_ranks_find(const np_offline_job *job, np_offline_ranks *out)
{
    search s;
    np_status st;
    *out = (np_offline_ranks){.packets = job->packets, .range = job->options->rank_range};
    if ((st = begin(&s, job)) || (st = np_memory_zeroed(&out->rank, job->packets, sizeof *out->rank, what)) ||
        (st = np_memory_zeroed(&out->estimate, (size_t)job->packets + 1, sizeof *out->estimate, what)) ||
        (st = find(&s, out)))
        np_offline_ranks_clear(out);
    end(&s);
    return st;
}

np_status np_offline_ranks_bound(const np_offline_job *job, const uint32_t *rank, np_step *steps)
{
    uint32_t limit[NP_OFFLINE_PHASES];
    search s;
    np_status st = begin(&s, job);
    if (!st) {
        set_ranks(&s, rank);
        st = certify(&s, limit, steps);
    }
    end(&s);
    return st;
}

void np_offline_ranks_clear(np_offline_ranks *ranks)
{
    NP_MEMORY_FREE(ranks->rank, ranks->estimate);
    *ranks = (np_offline_ranks){0};
}
