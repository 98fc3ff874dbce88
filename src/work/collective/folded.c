/*
 * All-reduce among any number of ranks by an algorithm for 2^k of them (Thakur, Rabenseifner & Gropp 2005). Of P = 2^k
 * + e ranks, the first 2 e make pairs. In the first round the even one of each pair gives its vector to the odd one,
 * and is idle until the odd one gives it the result in the last round. In between the 2^k others play the algorithm
 * inside: for recursive doubling the whole vector is exchanged, for Rabenseifner's it is halved and then doubled. If e
 * = 0 they are all, and Rabenseifner's is the halving-doubling of mirror.c.
 */
#include <stdio.h>

#include "work/collective/collective.h"

typedef struct folded {
    np_collective_job there; /* the algorithm inside, on the network of 2^k ranks */
    bool over;               /* it is over */
} folded;

static uint32_t extra(const np_collective_job *job) { return job->network->nodes - job->core->nodes; }

/* The rank that plays node i inside. */
static np_node rank_of(const np_collective_job *job, uint32_t i) { return i < extra(job) ? 2 * i + 1 : i + extra(job); }

static np_collective_job inner(const np_collective_job *job)
{
    np_collective_job there = *job;
    there.network = job->core;
    there.ops = job->ops->inside;
    return there;
}

static uint64_t pieces(const np_collective_job *job)
{
    np_collective_job there = inner(job);
    return np_collective_pieces(&there);
}

static size_t transfers(const np_collective_job *job)
{
    np_collective_job there = inner(job);
    size_t inside = np_collective_transfers(&there), ends = extra(job) * (size_t)np_collective_pieces(&there);
    return inside > ends ? inside : ends;
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    folded counted, *f = np_collective_own(job, arena, &counted, sizeof *f);
    f->there = inner(job);
    if (f->there.ops->own)
        f->there.ops->own(&f->there, arena);
}

static np_status begin(np_collective_job *job)
{
    np_collective_job *there = &((folded *)job->own)->there;
    there->round = job->round;
    return there->ops->begin ? there->ops->begin(there) : NP_OK;
}

/* The first round, from the even ranks of the pairs, or the last, to them. */
static np_status fold(np_collective_job *job, bool first)
{
    np_status st = NP_OK;
    for (uint32_t i = 0; i < extra(job); i++) {
        np_link link = np_collective_link(job->network, 2 * i + !first, 2 * i + first);
        for (uint32_t piece = 0; piece < job->pieces && !st; piece++)
            st = np_round_add(&job->round, link, piece);
    }
    return st;
}

static np_status next(np_collective_job *job)
{
    folded *f = job->own;
    np_collective_job *there = &f->there;
    if (!job->count++ && extra(job))
        return fold(job, true);
    if (f->over)
        return NP_OK;
    there->round.count = 0;
    np_status st = there->ops->next(there);
    for (size_t i = 0; i < there->round.count; i++) { /* the arrays are those of job->round */
        np_node from = np_network_link_tail(there->network, there->round.link[i]);
        np_node to = np_network_link_head(there->network, there->round.link[i]);
        job->round.link[i] = np_collective_link(job->network, rank_of(job, from), rank_of(job, to));
    }
    job->round.count = there->round.count;
    f->over = !job->round.count;
    return st || !f->over ? st : fold(job, false);
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    np_collective_job there = inner(job);
    there.pieces = job->pieces;
    np_collective_figure one = {0};
    np_status st = there.ops->formula(&there, &one);
    *out = one;
    if (st || !extra(job))
        return st;
    out->rounds += 2;
    out->steps += 2 * job->pieces;
    snprintf(out->text, sizeof out->text, "%.*s of 2^k < P, and 2 (c_v S + c_a)", (int)sizeof out->text - 40, one.text);
    return NP_OK;
}

/* Inside of recursive doubling: all exchange all they have with the partner whose number differs in bit t. */
static np_status next_exchange(np_collective_job *job)
{
    uint32_t nodes = job->network->nodes, t = job->count++;
    np_status st = NP_OK;
    for (uint32_t i = 0; t < np_log2_up(nodes) && i < nodes && !st; i++)
        st = np_round_add(&job->round, np_collective_link(job->network, i, i ^ UINT32_C(1) << t), 0);
    return st;
}

static np_status formula_exchange(const np_collective_job *job, np_collective_figure *out)
{
    out->rounds = out->steps = np_log2_up(job->network->nodes);
    snprintf(out->text, sizeof out->text, "c_v S log P + c_a log P");
    return NP_OK;
}

static const np_collective_ops exchange = {
    .info = {"recursive-doubling", "", "", .operation = "all-reduce", .networks = "2^k ranks", .ports = "telephone"},
    .kind = NP_ALL_REDUCE,
    .ports = NP_TELEPHONE,
    .single = true,
    .refuses = np_collective_but_complete,
    .next = next_exchange,
    .formula = formula_exchange,
};

extern const np_collective_ops np_mirror_all_reduce_halving;

#define PLAYS                                                                                                          \
    .kind = NP_ALL_REDUCE, .ports = NP_TELEPHONE, .refuses = np_collective_but_complete, .pieces = pieces,             \
    .transfers = transfers, .own = layout, .begin = begin, .next = next, .formula = formula

const np_collective_ops np_folded_recursive_doubling = {
    .info = {"recursive-doubling", "all exchange whole vectors: log P rounds", "Thakur, Rabenseifner & Gropp 2005",
             .operation = "all-reduce", .networks = "all, among ranks", .ports = "telephone"},
    .single = true,
    .inside = &exchange,
    PLAYS,
};

const np_collective_ops np_folded_rabenseifner = {
    .info = {"rabenseifner", "halving-doubling for any P: two rounds more if P is no power of two",
             "Thakur, Rabenseifner & Gropp 2005", .operation = "all-reduce", .networks = "all, among ranks",
             .ports = "telephone"},
    .inside = &np_mirror_all_reduce_halving,
    PLAYS,
};
