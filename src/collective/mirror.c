/*
 * Reduce: what all nodes have is combined to a single packet at the root, such as a sum. It is a broadcast played
 * backwards (Sibeyn: "the symmetric operation"). Where the broadcast sends a flit from u to v in round t of T, v sends
 * to u, in round T + 1 - t, what it has gathered of the flit. The later a node gets a flit in the broadcast, the
 * earlier it sends the flit in the reduction. So a node has everything when it sends. Rounds and steps are those of the
 * broadcast.
 */
#include <stdio.h>

#include "base/memory.h"
#include "collective/collective.h"

typedef struct mirror {
    np_collective_job there; /* the broadcast */
    np_round_log log;        /* its rounds, with links the other way */
    size_t left;             /* rounds that are left */
} mirror;

static np_status check(const np_collective_job *job)
{
    np_collective_job there = *job;
    there.ops = job->ops->mirrors;
    return there.ops->check ? there.ops->check(&there) : NP_OK;
}

static np_status formula(const np_collective_job *job, bool *known, np_collective_figure *out)
{
    np_collective_job there = *job;
    there.ops = job->ops->mirrors;
    return there.ops->formula(&there, known, out);
}

/* Reverses the links of the last round in the log. */
static np_status turn(const np_network *network, np_round_log *log)
{
    for (size_t i = log->first[log->rounds - 1]; i < log->first[log->rounds]; i++) {
        np_node tail = np_network_link_tail(network, log->link[i]), head = np_network_link_head(network, log->link[i]);
        log->link[i] = np_collective_link(network, head, tail);
        if (log->link[i] == NP_NONE)
            return NP_RAISE(NP_ERROR_APPLY,
                            "%s: the link from %u to %u leads one way only: reduce needs it back, try "
                            "gather",
                            np_network_spec(network), tail, head);
    }
    return NP_OK;
}

static np_status begin(np_collective_job *job)
{
    mirror *m;
    np_status st = np_memory_zeroed(&m, 1, sizeof *m, "a schedule");
    if (st)
        return st;
    job->own = m;
    m->there = *job;
    m->there.ops = job->ops->mirrors;
    m->there.own = NULL;
    m->there.round = (np_round){0};
    if ((st = np_round_log_init(&m->log)) || (m->there.ops->begin && (st = m->there.ops->begin(&m->there))))
        return st;
    while (!(st = m->there.ops->next(&m->there)) && m->there.round.count) {
        if ((st = np_round_log_add(&m->log, &m->there.round)) || (st = turn(job->network, &m->log)))
            return st;
        m->there.round.count = 0;
    }
    m->left = m->log.rounds;
    return st;
}

static void end(np_collective_job *job)
{
    mirror *m = job->own;
    if (!m)
        return;
    if (m->there.ops->end)
        m->there.ops->end(&m->there);
    np_round_clear(&m->there.round);
    np_round_log_clear(&m->log);
    np_memory_free(m);
    job->own = NULL;
}

static np_status next(np_collective_job *job)
{
    mirror *m = job->own;
    np_status st = NP_OK;
    if (!m->left)
        return NP_OK;
    m->left--;
    for (size_t i = m->log.first[m->left]; i < m->log.first[m->left + 1] && !st; i++)
        st = np_round_add(&job->round, m->log.link[i], m->log.piece[i]);
    return st;
}

extern const np_collective_ops np_doubling_broadcast, np_line_broadcast, np_pipeline_broadcast,
    np_pipeline_broadcast_dimension_order, np_tree_broadcast, np_calls_broadcast;

#define NOTES "Sibeyn, lecture notes"
#define PLAYS                                                                                                          \
    .kind = NP_REDUCE, .single = true, .check = check, .begin = begin, .next = next, .end = end, .formula = formula

const np_collective_ops np_mirror_reduce_hypercube = {
    .info = {"hypercube", "up a binomial tree: log P", NOTES, .operation = "reduce", .networks = "hypercube, complete",
             .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .mirrors = &np_doubling_broadcast,
    PLAYS,
};

const np_collective_ops np_mirror_reduce_dimension_order = {
    .info = {"dimension-order", "all columns, then the row of the root: at most 2n - 2 on n x n", NOTES,
             .operation = "reduce", .networks = "array, ring, mesh, torus", .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .mirrors = &np_pipeline_broadcast_dimension_order,
    PLAYS,
};

const np_collective_ops np_mirror_reduce_linear = {
    .info = {"linear", "flits along a path through all nodes: f + P - 2", NOTES, .operation = "reduce",
             .networks = "array, ring, mesh, torus, hypercube, complete", .ports = "one-port"},
    .flits = true,
    .ports = NP_ONE_PORT,
    .mirrors = &np_line_broadcast,
    PLAYS,
};

const np_collective_ops np_mirror_reduce_two_dimensional = {
    .info = {"two-dimensional", "flits along all columns, then along the row of the root", NOTES, .operation = "reduce",
             .networks = "mesh, torus, hypercube, complete", .ports = "one-port"},
    .flits = true,
    .ports = NP_ONE_PORT,
    .uni_axial = true,
    .mirrors = &np_pipeline_broadcast,
    PLAYS,
};

const np_collective_ops np_mirror_reduce_calls = {
    .info = {"calls", "up a tree of shortest paths, one call a node and round", "after " NOTES, .operation = "reduce",
             .networks = "all but complete", .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .mirrors = &np_calls_broadcast,
    PLAYS,
};

const np_collective_ops np_mirror_reduce_tree = {
    .info = {"tree", "flits up a tree of shortest paths: f + D - 1", "after " NOTES, .operation = "reduce",
             .networks = "all", .ports = "full-port"},
    .flits = true,
    .ports = NP_FULL_PORT,
    .mirrors = &np_tree_broadcast,
    PLAYS,
};
