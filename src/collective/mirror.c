/*
 * Reduce: what all nodes have is combined to a single packet at the root, such as a sum. It is a broadcast played
 * backwards (Sibeyn: "the symmetric operation"): where the broadcast sends a flit from u to v in round t of T, v sends
 * to u what it has gathered of the flit in round T + 1 - t. Whoever gets a flit later than another sends it on earlier,
 * so that all is there when a node sends. Rounds and steps are those of the broadcast.
 */
#include <stdio.h>

#include "base/memory.h"
#include "collective/collective.h"

/* The broadcast's transfers: those of round r are first[r] .. first[r + 1] - 1. */
typedef struct mirror {
    np_collective_job there; /* the broadcast */
    size_t rounds, round_room, room;
    size_t *first;
    np_link *link;
    uint32_t *piece;
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

static np_status reserve(mirror *m, size_t kept, size_t count)
{
    np_status st;
    if (m->rounds + 2 > m->round_room) {
        size_t room = 2 * m->round_room + 64;
        if ((st = np_memory_grow(&m->first, m->rounds ? m->rounds + 1 : 0, room, sizeof *m->first, "a schedule")))
            return st;
        m->round_room = room;
    }
    if (count <= m->room)
        return NP_OK;
    if ((st = np_memory_grow(&m->link, kept, 2 * count, sizeof *m->link, "a schedule")) ||
        (st = np_memory_grow(&m->piece, kept, 2 * count, sizeof *m->piece, "a schedule")))
        return st;
    m->room = 2 * count;
    return NP_OK;
}

/* Keeps a round of the broadcast with its links the other way. */
static np_status keep(mirror *m)
{
    const np_network *network = m->there.network;
    const np_round *round = &m->there.round;
    size_t count = m->rounds ? m->first[m->rounds] : 0;
    np_status st = reserve(m, count, count + round->count);
    if (st)
        return st;
    for (size_t i = 0; i < round->count; i++) {
        np_node tail = np_network_link_tail(network, round->link[i]),
                head = np_network_link_head(network, round->link[i]);
        m->piece[count + i] = round->piece[i];
        m->link[count + i] = np_collective_link(network, head, tail);
        if (m->link[count + i] == NP_NONE)
            return NP_RAISE(NP_ERROR_APPLY,
                            "%s: the link from %u to %u leads one way only: reduce needs it back, try "
                            "gather",
                            np_network_spec(network), tail, head);
    }
    m->first[0] = 0;
    m->first[++m->rounds] = count + round->count;
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
    if (m->there.ops->begin && (st = m->there.ops->begin(&m->there)))
        return st;
    while (!(st = m->there.ops->next(&m->there)) && m->there.round.count) {
        if ((st = keep(m)))
            return st;
        m->there.round.count = 0;
    }
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
    np_memory_free(m->first);
    np_memory_free(m->link);
    np_memory_free(m->piece);
    np_memory_free(m);
    job->own = NULL;
}

static np_status next(np_collective_job *job)
{
    mirror *m = job->own;
    np_status st = NP_OK;
    if (!m->rounds)
        return NP_OK;
    m->rounds--;
    for (size_t i = m->first[m->rounds]; i < m->first[m->rounds + 1] && !st; i++)
        st = np_round_add(&job->round, m->link[i], m->piece[i]);
    return st;
}

extern const np_collective_ops np_doubling_broadcast, np_line_broadcast, np_pipeline_broadcast,
    np_pipeline_broadcast_dimension_order, np_tree_broadcast, np_calls_broadcast;

#define NOTES "Sibeyn, lecture notes"
#define PLAYS                                                                                                          \
    .kind = NP_REDUCE, .single = true, .check = check, .begin = begin, .next = next, .end = end, .formula = formula

const np_collective_ops np_mirror_reduce_hypercube = {
    .info = {"reduce", "hypercube", "hypercube, complete", "telephone", "up a binomial tree: log P", NOTES, false},
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .mirrors = &np_doubling_broadcast,
    PLAYS,
};

const np_collective_ops np_mirror_reduce_dimension_order = {
    .info = {"reduce", "dimension-order", "array, ring, mesh, torus", "telephone",
             "all columns, then the row of the root: at most 2n - 2 on n x n", NOTES, false},
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .mirrors = &np_pipeline_broadcast_dimension_order,
    PLAYS,
};

const np_collective_ops np_mirror_reduce_linear = {
    .info = {"reduce", "linear", "array, ring, mesh, torus, hypercube, complete", "one-port",
             "flits along a path through all nodes: f + P - 2", NOTES, true},
    .ports = NP_ONE_PORT,
    .mirrors = &np_line_broadcast,
    PLAYS,
};

const np_collective_ops np_mirror_reduce_two_dimensional = {
    .info = {"reduce", "two-dimensional", "mesh, torus, hypercube, complete", "one-port",
             "flits along all columns, then along the row of the root", NOTES, true},
    .ports = NP_ONE_PORT,
    .uni_axial = true,
    .mirrors = &np_pipeline_broadcast,
    PLAYS,
};

const np_collective_ops np_mirror_reduce_calls = {
    .info = {"reduce", "calls", "all but complete", "telephone",
             "up a tree of shortest paths, one call a node and round", "after " NOTES, false},
    .ports = NP_TELEPHONE,
    .mirrors = &np_calls_broadcast,
    PLAYS,
};

const np_collective_ops np_mirror_reduce_tree = {
    .info = {"reduce", "tree", "all", "full-port", "flits up a tree of shortest paths: f + D - 1", "after " NOTES,
             true},
    .ports = NP_FULL_PORT,
    .mirrors = &np_tree_broadcast,
    PLAYS,
};
