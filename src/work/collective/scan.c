/*
 * Scan: rank r gets what ranks 0, .., r combine to. A message carries all that its sender has gathered, and the
 * receiver adds it. In the end each of 0, .., r must be in the result of r once.
 *
 *     recursive-doubling  in round t rank i tells rank i + 2^t: log P rounds, rounded up (Hillis & Steele 1986)
 *     binomial            up a tree: in round t, ranks i whose i + 1 is a multiple of 2^(t+1) hear of i - 2^t; then
 *                         down, t falling: the same ranks tell i + 2^t (Brent & Kung 1982). Fewer messages in all
 *     linear              rank t tells rank t + 1 in round t: P - 1 rounds
 */
#include <stdio.h>

#include "work/collective/collective.h"

static np_status tell(np_collective_job *job, uint64_t from, uint64_t to)
{
    return np_round_add(&job->round, np_collective_link(job->network, (np_node)from, (np_node)to), 0);
}

static np_status next_doubling(np_collective_job *job)
{
    uint64_t nodes = job->network->nodes, far = UINT64_C(1) << job->count++;
    np_status st = NP_OK;
    for (uint64_t i = 0; i + far < nodes && !st; i++)
        st = tell(job, i, i + far);
    return st;
}

static np_status next_linear(np_collective_job *job)
{
    uint32_t t = job->count++;
    return t + 1 < job->network->nodes ? tell(job, t, t + 1) : NP_OK;
}

/* Rounds up the tree, from 2 ranks on, and down, from 3 on. */
static uint32_t rounds(const np_collective_job *job, uint64_t from)
{
    uint32_t count = 0;
    while (from << count <= job->network->nodes)
        count++;
    return count;
}

static np_status next_binomial(np_collective_job *job)
{
    uint32_t up = rounds(job, 2), down = rounds(job, 3), round = job->count++;
    bool rises = round < up;
    np_status st = NP_OK;
    if (round >= up + down)
        return NP_OK;
    uint64_t far = UINT64_C(1) << (rises ? round : up + down - 1 - round);
    for (uint64_t i = 2 * far - 1; i + (rises ? 0 : far) < job->network->nodes && !st; i += 2 * far)
        st = rises ? tell(job, i - far, i) : tell(job, i, i + far);
    return st;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    const char *words = job->ops->next == next_linear     ? "(P - 1)"
                        : job->ops->next == next_binomial ? "(log P + log P/3 + 1)"
                                                          : "log P";
    out->rounds = job->ops->next == next_linear     ? job->network->nodes - 1
                  : job->ops->next == next_binomial ? rounds(job, 2) + rounds(job, 3)
                                                    : np_log2_up(job->network->nodes);
    out->steps = out->rounds;
    snprintf(out->text, sizeof out->text, "c_v S %s + c_a %s", words, words);
    return NP_OK;
}

#define PLAYS .kind = NP_SCAN, .single = true, .refuses = np_collective_but_complete, .formula = formula

const np_collective_ops np_scan_recursive_doubling = {
    .info = {"recursive-doubling", "all tell the rank 2^t behind them: log P rounds", "Hillis & Steele 1986",
             .operation = "scan", .networks = "all, among ranks", .ports = "one-port"},
    .ports = NP_ONE_PORT,
    .next = next_doubling,
    PLAYS,
};

const np_collective_ops np_scan_binomial = {
    .info = {"binomial", "up a tree and down again: about 2 log P rounds", "Brent & Kung 1982", .operation = "scan",
             .networks = "all, among ranks", .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .next = next_binomial,
    PLAYS,
};

const np_collective_ops np_scan_linear = {
    .info = {"linear", "from rank to rank: P - 1 rounds", "", .aliases = "ring", .operation = "scan",
             .networks = "all, among ranks", .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .next = next_linear,
    PLAYS,
};
