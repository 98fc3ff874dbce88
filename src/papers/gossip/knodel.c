/*
 * Gossip by telephone on a complete network of any P nodes, in as few rounds as the lemma of Sibeyn's notes allows:
 * ceil(log2 P), and one more for odd P.
 *
 * P even (Knödel 1975): nodes are m = P/2 pairs (i, 0), (i, 1). After round t, (i, 0) knows K = 2^(t-1) pairs from i
 * on, and (j, 1) knows K pairs up to j. Then (i, 0) calls (i + 2K - 1, 1), which knows the next K pairs. Each tells
 * what the other lacks, so there are P - 1 steps. The numbers of rounds and of steps are both optimal.
 *
 * P odd, 2^k < P: first, e = P - 2^k nodes call one of the other nodes each. Then the 2^k other nodes do as a hypercube
 * does, with all that they have. At last the e nodes are called back: k + 2 rounds.
 */
#include <stdio.h>

#include "work/collective/collective.h"

/* Node 2 i + side is (i, side). u tells v the pairs from `first` on. */
static np_status tell_pairs(np_collective_job *job, np_node u, np_node v, uint32_t first, uint32_t pairs)
{
    uint32_t m = job->network->nodes / 2;
    np_link link = np_collective_link(job->network, u, v);
    np_status st = NP_OK;
    for (uint32_t i = 0; i < 2 * pairs && !st; i++)
        st = np_round_add(&job->round, link, 2 * ((first + i / 2) % m) + i % 2);
    return st;
}

static np_status next_even(np_collective_job *job, uint32_t t)
{
    uint32_t m = job->network->nodes / 2, known = t ? UINT32_C(1) << (t - 1) : 0;
    np_status st = NP_OK;
    if (known >= m)
        return NP_OK;
    uint32_t news = known < m - known ? known : m - known;
    for (uint32_t i = 0; i < m && !st; i++) {
        uint32_t j = (uint32_t)((i + 2 * (uint64_t)known - (known > 0)) % m);
        np_node u = 2 * i, v = 2 * j + 1;
        if (!known) { /* the first round: within the pair */
            if (!(st = np_round_add(&job->round, np_collective_link(job->network, u, v), u)))
                st = np_round_add(&job->round, np_collective_link(job->network, v, u), v);
            continue;
        }
        /* u knows pairs i .. i+K-1 and lacks pairs from i+K on; v knows pairs up to j and lacks those before j-K+1 =
           i+K.
         */
        if (!(st = tell_pairs(job, u, v, i + known - news, news)))
            st = tell_pairs(job, v, u, i + known, news);
    }
    return st;
}

/* u tells v the packets of u's block of 2^t nodes, and of the nodes that called them. */
static np_status tell_block(np_collective_job *job, np_node u, np_node v, uint32_t t, uint32_t core)
{
    uint32_t first = u >> t << t, extra = job->network->nodes - core;
    np_link link = np_collective_link(job->network, u, v);
    np_status st = NP_OK;
    for (uint32_t j = first; j < first + (UINT32_C(1) << t) && !st; j++)
        if (!(st = np_round_add(&job->round, link, j)) && j < extra)
            st = np_round_add(&job->round, link, core + j);
    return st;
}

static np_status call_back(np_collective_job *job, uint32_t core)
{
    uint32_t nodes = job->network->nodes;
    np_status st = NP_OK;
    for (uint32_t u = 0; u < nodes - core; u++)
        for (uint32_t packet = 0; packet < nodes && !st; packet++)
            if (packet != u && packet != core + u)
                st = np_round_add(&job->round, np_collective_link(job->network, u, core + u), packet);
    return st;
}

static np_status next_odd(np_collective_job *job, uint32_t t)
{
    uint32_t nodes = job->network->nodes, k = np_log2_up(nodes) - 1, core = UINT32_C(1) << k;
    np_status st = NP_OK;
    if (t == k + 1)
        return call_back(job, core);
    for (uint32_t u = 0; !t && u < nodes - core && !st; u++)
        if (!(st = np_round_add(&job->round, np_collective_link(job->network, core + u, u), core + u)))
            st = np_round_add(&job->round, np_collective_link(job->network, u, core + u), u);
    for (uint32_t u = 0; t && t <= k && u < core && !st; u++)
        st = tell_block(job, u, u ^ UINT32_C(1) << (t - 1), t - 1, core);
    return st;
}

static np_status next(np_collective_job *job)
{
    uint32_t t = job->count++;
    return job->network->nodes % 2 ? next_odd(job, t) : next_even(job, t);
}

/* An even number of nodes: all tell the news of the round. An odd one: the last round, or the calls back. */
static size_t transfers(const np_collective_job *job)
{
    size_t nodes = job->network->nodes, core = (size_t)1 << (np_log2_up((uint32_t)nodes) - 1), most = 2 * nodes;
    if (nodes % 2)
        return core * (core / 2 + (nodes - core < core / 2 ? nodes - core : core / 2)) + 2 * (nodes - core) * nodes;
    for (size_t known = 1; known < nodes / 2; known *= 2) {
        size_t news = known < nodes / 2 - known ? known : nodes / 2 - known;
        most = 2 * nodes * news > most ? 2 * nodes * news : most;
    }
    return most;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    uint32_t nodes = job->network->nodes, k = np_log2_up(nodes) - 1, core = UINT32_C(1) << k, extra = nodes - core;
    out->rounds = k + 1 + nodes % 2;
    out->steps = nodes - 1;
    snprintf(out->text, sizeof out->text, "%s",
             nodes % 2 ? "ceil(log2 P) + 1 rounds; those left over call first, and are called back in P - 2 steps"
                       : "c_v l (P - 1) + c_a ceil(log2 P)");
    if (nodes % 2)
        for (uint32_t size = 1; size < core; size *= 2)
            out->steps += size + (size < extra ? size : extra);
    return NP_OK;
}

const np_collective_ops np_knodel_gossip = {
    .info = {"knodel", "pairs call those that know what follows: ceil(log2 P) rounds, one more for odd P",
             "Knödel 1975", .operation = "gossip", .networks = "complete", .ports = "telephone"},
    .kind = NP_GOSSIP,
    .ports = NP_TELEPHONE,
    .refuses = np_collective_but_complete,
    .transfers = transfers,
    .next = next,
    .formula = formula,
};
