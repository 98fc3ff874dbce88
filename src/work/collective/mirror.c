/*
 * Reduce: what all nodes have is combined to a single packet at the root, such as a sum. It is a broadcast played
 * backwards (Sibeyn: "the symmetric operation"). Where the broadcast sends a flit from u to v in round t of T, v sends
 * to u, in round T + 1 - t, what it has gathered of the flit. The later a node gets a flit in the broadcast, the
 * earlier it sends the flit in the reduction. So a node has everything when it sends. Rounds and steps are those of the
 * broadcast.
 */
#include "work/collective/collective.h"
#include "model/network/read_node.h"

typedef struct mirror {
    np_collective_job there; /* the broadcast */
    size_t left;             /* transfers that are left */
    np_link *link;           /* [transfers] of the broadcast, the other way */
    uint32_t *piece;         /* [transfers] */
    bool *first;             /* [transfers] is it the first of its round? */
} mirror;

/* In a broadcast each node but the root gets each packet once. */
static size_t all_transfers(const np_collective_job *job) { return (job->network->nodes - 1) * job->pieces; }

static np_collective_job broadcast_of(const np_collective_job *job)
{
    np_collective_job there = *job;
    there.ops = job->ops->mirrors;
    return there;
}

static np_status check(const np_collective_job *job)
{
    np_collective_job there = broadcast_of(job);
    return there.ops->check ? there.ops->check(&there) : NP_OK;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    np_collective_job there = broadcast_of(job);
    return there.ops->formula(&there, out);
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    size_t transfers = all_transfers(job);
    mirror counted, *m = np_collective_own(job, arena, &counted, sizeof *m);
    np_arena_array(arena, &m->link, transfers, sizeof *m->link, "a broadcast's links");
    np_arena_array(arena, &m->piece, transfers, sizeof *m->piece, "a broadcast's packets");
    np_arena_array(arena, &m->first, transfers, sizeof *m->first, "a broadcast's rounds");
    m->there = broadcast_of(job);
    if (m->there.ops->own)
        m->there.ops->own(&m->there, arena);
}

static size_t transfers(const np_collective_job *job)
{
    np_collective_job there = broadcast_of(job);
    return np_collective_transfers(&there);
}

/* Keeps a round of the broadcast, with its links the other way. */
static np_status keep(const np_network *network, mirror *m, const np_round *round)
{
    for (size_t i = 0; i < round->count; i++) {
        np_link link = round->link[i];
        np_node tail = np_network_link_tail(network, link), head = np_network_link_head(network, link);
        if ((link = np_collective_link(network, head, tail)) == NP_NONE)
            return NP_RAISE(NP_ERROR_APPLY,
                            "%s: the link from %.80s to %.80s leads one way only: reduce needs it back, try "
                            "gather",
                            np_network_spec(network), NP_NODE_NAME(network, tail), NP_NODE_NAME(network, head));
        m->link[m->left] = link;
        m->piece[m->left] = round->piece[i];
        m->first[m->left++] = !i;
    }
    return NP_OK;
}

/* Plays the broadcast, in the round of the job. */
static np_status begin(np_collective_job *job)
{
    mirror *m = job->own;
    np_round *round = &m->there.round;
    np_status st = m->there.ops->begin ? m->there.ops->begin(&m->there) : NP_OK;
    *round = job->round;
    while (!st && !(st = m->there.ops->next(&m->there)) && round->count) {
        if (m->left + round->count > all_transfers(job))
            return NP_RAISE(NP_ERROR_INTERNAL, "a broadcast has more than %zu transfers", all_transfers(job));
        st = keep(job->network, m, round);
        round->count = 0;
    }
    return st;
}

static np_status next(np_collective_job *job)
{
    mirror *m = job->own;
    np_status st = NP_OK;
    size_t end = m->left;
    while (m->left && !m->first[--m->left])
        ;
    for (size_t i = m->left; i < end && !st; i++)
        st = np_round_add(&job->round, m->link[i], m->piece[i]);
    return st;
}

extern const np_collective_ops np_doubling_broadcast, np_line_broadcast, np_pipeline_broadcast,
    np_pipeline_broadcast_dimension_order, np_tree_broadcast, np_calls_broadcast;

#define NOTES "Sibeyn, lecture notes"
#define PLAYS                                                                                                          \
    .kind = NP_REDUCE, .single = true, .check = check, .transfers = transfers, .own = layout, .begin = begin,          \
    .next = next, .formula = formula

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
