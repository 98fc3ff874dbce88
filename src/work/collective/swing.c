/*
 * Gossip among P = 2^k ranks by exchanges with partners to and fro on a ring, so that messages stay near (De Sensi,
 * Bonato, Saam & Hoefler 2024, "Swing"). The partner of rank r in step s is r + rho_s if r is even and r - rho_s if it
 * is odd, modulo P, with rho_s = (1 - (-2)^(s+1))/3: 1, -1, 3, -5, 11, ..
 *
 * The reduction goes through the steps 0, .., k - 1, so the gossip, its mirror, goes from step k - 1 to step 0. Before
 * step s a rank knows the packets of all ranks to which the steps s + 1, .., k - 1 lead from it, each taken or not:
 * 2^(k-1-s) different ones, as the executor and the tests find.
 */
#include <stdio.h>

#include "work/collective/collective.h"

static uint32_t partner(uint32_t ranks, uint32_t rank, uint32_t step)
{
    int64_t power = 1;
    for (uint32_t i = 0; i <= step; i++)
        power *= -2;
    int64_t rho = (1 - power) / 3, to = rank % 2 ? rank - rho : rank + rho;
    return (uint32_t)(to & (int64_t)(ranks - 1));
}

/* The i-th rank to which the steps from `first` on lead: bit j of i says whether step first + j is taken. */
static uint32_t reached(uint32_t ranks, uint32_t rank, uint32_t first, uint32_t i)
{
    for (uint32_t step = first; i; step++, i >>= 1)
        rank = i & 1 ? partner(ranks, rank, step) : rank;
    return rank;
}

static np_status next(np_collective_job *job)
{
    uint32_t ranks = job->network->nodes, steps = np_log2_up(ranks), t = job->count++;
    np_status st = NP_OK;
    if (t >= steps)
        return NP_OK;
    uint32_t step = steps - 1 - t;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        np_link link = np_collective_link(job->network, rank, partner(ranks, rank, step));
        for (uint32_t i = 0; i < UINT32_C(1) << t && !st; i++)
            st = np_round_add(&job->round, link, reached(ranks, rank, step + 1, i));
        if (st)
            return st;
    }
    return NP_OK;
}

static size_t transfers(const np_collective_job *job) { return (size_t)job->network->nodes * job->network->nodes / 2; }

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    out->rounds = np_log2_up(job->network->nodes);
    out->steps = job->network->nodes - 1;
    snprintf(out->text, sizeof out->text, "c_v l (P - 1) + c_a log P");
    return NP_OK;
}

static const char *refuses(const np_network *network)
{
    return network->nodes & (network->nodes - 1) ? "its number of nodes is no power of two"
                                                 : np_collective_but_complete(network);
}

const np_collective_ops np_swing_gossip = {
    .info = {"swing", "exchanges with partners to and fro on a ring: log P rounds, P - 1 steps", "De Sensi et al. 2024",
             .operation = "gossip", .networks = "complete with 2^k nodes", .ports = "telephone"},
    .kind = NP_GOSSIP,
    .ports = NP_TELEPHONE,
    .refuses = refuses,
    .transfers = transfers,
    .next = next,
    .formula = formula,
};
