/*
 * Barrier: no rank goes on before all have come. It is the messages of a gossip or an all-reduce, without their data:
 * each says that all of whom its sender has heard are there. A message is one transfer, of no data.
 */
#include <stdio.h>

#include "work/collective/collective.h"

static np_collective_job inner(const np_collective_job *job)
{
    np_collective_job there = *job;
    there.ops = job->ops->inside;
    there.pieces = np_collective_pieces(&there);
    return there;
}

static size_t transfers(const np_collective_job *job)
{
    np_collective_job there = inner(job);
    return np_collective_transfers(&there);
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    np_collective_job counted, *there = np_collective_own(job, arena, &counted, sizeof *there);
    *there = inner(job);
    there->own = NULL;
    if (there->ops->own)
        there->ops->own(there, arena);
}

static np_status begin(np_collective_job *job)
{
    np_collective_job *there = job->own;
    there->round = job->round;
    return there->ops->begin ? there->ops->begin(there) : NP_OK;
}

static np_status next(np_collective_job *job)
{
    np_collective_job *there = job->own;
    there->round.count = 0;
    np_status st = there->ops->next(there);
    for (size_t i = 0; i < there->round.count && !st; i++) /* the arrays are those of job->round */
        if (!i || there->round.link[i] != job->round.link[job->round.count - 1])
            st = np_round_add(&job->round, there->round.link[i], 0);
    return st;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    np_collective_job there = inner(job);
    np_status st = there.ops->formula(&there, out);
    out->steps = out->rounds;
    snprintf(out->text, sizeof out->text, "c_a a round");
    return st;
}

extern const np_collective_ops np_doubling_dissemination, np_folded_recursive_doubling, np_mirror_all_reduce_binomial,
    np_bucket_ring, np_bucket_direct;

#define PLAYS                                                                                                          \
    .kind = NP_BARRIER, .single = true, .refuses = np_collective_but_complete, .transfers = transfers, .own = layout,  \
    .begin = begin, .next = next, .formula = formula
#define RANKS "all, among ranks"

const np_collective_ops np_barrier_dissemination = {
    .info = {"dissemination", "all tell the rank 2^t before them: log P rounds", "Hensgen, Finkel & Manber 1988",
             .operation = "barrier", .networks = RANKS, .ports = "one-port"},
    .ports = NP_ONE_PORT,
    .inside = &np_doubling_dissemination,
    PLAYS,
};

const np_collective_ops np_barrier_recursive_doubling = {
    .info = {"recursive-doubling", "all exchange: log P rounds, two more if P is no power of two", "",
             .operation = "barrier", .networks = RANKS, .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .inside = &np_folded_recursive_doubling,
    PLAYS,
};

const np_collective_ops np_barrier_binomial = {
    .info = {"binomial", "up a binomial tree and down again: 2 log P rounds", "", .operation = "barrier",
             .networks = RANKS, .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .inside = &np_mirror_all_reduce_binomial,
    PLAYS,
};

const np_collective_ops np_barrier_ring = {
    .info = {"ring", "round a ring: P - 1 rounds", "", .operation = "barrier", .networks = RANKS, .ports = "one-port"},
    .ports = NP_ONE_PORT,
    .inside = &np_bucket_ring,
    PLAYS,
};

const np_collective_ops np_barrier_direct = {
    .info = {"direct", "all tell all at once: one round", "", .operation = "barrier", .networks = RANKS,
             .ports = "full-port"},
    .ports = NP_FULL_PORT,
    .inside = &np_bucket_direct,
    PLAYS,
};
