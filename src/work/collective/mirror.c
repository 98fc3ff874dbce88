/*
 * Operations that are others played backwards.
 *
 * Reduce: what all nodes have is combined to a single packet at the root, such as a sum. It is a broadcast played
 * backwards (Sibeyn: "the symmetric operation"). Where the broadcast sends a flit from u to v in round t of T, v sends
 * to u, in round T + 1 - t, what it has gathered of the flit. The later a node gets a flit in the broadcast, the
 * earlier it sends the flit in the reduction. So a node has everything when it sends. Rounds and steps are those of the
 * broadcast.
 *
 * Reduce-scatter is a gossip played backwards, for the same reason: packet b spreads from node b to all, and backwards
 * block b is combined at node b. Scatter is a gather played backwards: packets go the same ways, from the root.
 *
 * All-reduce is the reduction and then what it is the mirror of: a gossip that spreads the blocks that were combined,
 * or a broadcast. Round a ring this is Patarasuk & Yuan's algorithm (2009), 2 (P - 1)/P of the vector over each link,
 * which is optimal; on a hypercube it is recursive halving and then doubling.
 */
#include <stdio.h>

#include "work/collective/collective.h"
#include "model/network/read_node.h"

typedef struct mirror {
    np_collective_job there; /* what is played backwards */
    size_t left;             /* transfers that are left */
    size_t next;             /* of an all-reduce: transfers that have been played forwards */
    size_t kept;             /* transfers */
    np_link *link;           /* [transfers] of what is played, the other way */
    np_link *ahead;          /* [transfers] of an all-reduce: its own way */
    uint32_t *piece;         /* [transfers] */
    bool *first;             /* [transfers] is it the first of its round? */
} mirror;

static bool goes_back(const np_collective_job *job) { return job->ops->kind == NP_ALL_REDUCE; }

/* Each node but one gets each packet once; of a gather, at most once in each of its rounds. */
static size_t all_transfers(const np_collective_job *job)
{
    size_t nodes = job->network->nodes;
    return job->ops->mirrors->kind == NP_GATHER ? nodes * np_log2_up(job->network->nodes) : (nodes - 1) * job->pieces;
}

static np_collective_job mirrored(const np_collective_job *job)
{
    np_collective_job there = *job;
    there.ops = job->ops->mirrors;
    return there;
}

static np_status check(const np_collective_job *job)
{
    np_collective_job there = mirrored(job);
    return there.ops->check ? there.ops->check(&there) : NP_OK;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    np_collective_job there = mirrored(job);
    np_collective_figure one = {0};
    np_status st = there.ops->formula ? there.ops->formula(&there, &one) : NP_OK;
    *out = one;
    if (st || !goes_back(job) || !*one.text)
        return st;
    out->rounds *= 2;
    out->steps *= 2;
    snprintf(out->text, sizeof out->text, "2 (%.*s)", (int)sizeof out->text - 8, one.text);
    return NP_OK;
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    size_t transfers = all_transfers(job);
    mirror counted, *m = np_collective_own(job, arena, &counted, sizeof *m);
    np_arena_array(arena, &m->link, transfers, sizeof *m->link, "a schedule's links");
    if (goes_back(job))
        np_arena_array(arena, &m->ahead, transfers, sizeof *m->ahead, "a schedule's links");
    np_arena_array(arena, &m->piece, transfers, sizeof *m->piece, "a schedule's packets");
    np_arena_array(arena, &m->first, transfers, sizeof *m->first, "a schedule's rounds");
    m->there = mirrored(job);
    if (m->there.ops->own)
        m->there.ops->own(&m->there, arena);
}

static size_t transfers(const np_collective_job *job)
{
    np_collective_job there = mirrored(job);
    return np_collective_transfers(&there);
}

/* The link the other way; NP_NONE: there is none. */
static np_link reverse(const np_network *network, np_link link)
{
    return np_collective_link(network, np_network_link_head(network, link), np_network_link_tail(network, link));
}

static np_status one_way(const np_collective_job *job, np_link link)
{
    const np_network *network = job->network;
    return NP_RAISE(NP_ERROR_APPLY, "%s: the link from %.80s to %.80s leads one way only: %s needs it back, try gather",
                    np_network_spec(network), NP_NODE_NAME(network, np_network_link_tail(network, link)),
                    NP_NODE_NAME(network, np_network_link_head(network, link)), job->ops->info.operation);
}

/* Keeps a round, with its links the other way. */
static np_status keep(const np_collective_job *job, mirror *m, const np_round *round)
{
    for (size_t i = 0; i < round->count; i++) {
        np_link back = reverse(job->network, round->link[i]);
        if (back == NP_NONE)
            return one_way(job, round->link[i]);
        m->link[m->left] = back;
        if (goes_back(job))
            m->ahead[m->left] = round->link[i];
        m->piece[m->left] = round->piece[i];
        m->first[m->left++] = !i;
    }
    return NP_OK;
}

/* Plays what is mirrored, in the round of the job. */
static np_status begin(np_collective_job *job)
{
    mirror *m = job->own;
    np_round *round = &m->there.round;
    np_status st = m->there.ops->begin ? m->there.ops->begin(&m->there) : NP_OK;
    *round = job->round;
    while (!st && !(st = m->there.ops->next(&m->there)) && round->count) {
        if (m->left + round->count > all_transfers(job))
            return NP_RAISE(NP_ERROR_INTERNAL, "%s by '%s' has more than %zu transfers", m->there.ops->info.operation,
                            m->there.ops->info.name, all_transfers(job));
        st = keep(job, m, round);
        round->count = 0;
    }
    m->kept = m->left;
    return st;
}

static np_status next_ahead(np_collective_job *job, mirror *m)
{
    np_status st = NP_OK;
    for (bool more = m->next < m->kept; more && !st; more = m->next < m->kept && !m->first[m->next]) {
        st = np_round_add(&job->round, m->ahead[m->next], m->piece[m->next]);
        m->next++;
    }
    return st;
}

static np_status next(np_collective_job *job)
{
    mirror *m = job->own;
    np_status st = NP_OK;
    size_t end = m->left;
    if (!end)
        return goes_back(job) ? next_ahead(job, m) : NP_OK;
    while (m->left && !m->first[--m->left])
        ;
    for (size_t i = m->left; i < end && !st; i++)
        st = np_round_add(&job->round, m->link[i], m->piece[i]);
    return st;
}

extern const np_collective_ops np_doubling_gather, np_tree_gather, np_doubling_gossip, np_doubling_dissemination,
    np_bucket_direct, np_bucket_ring, np_bucket_gossip, np_bucket_gossip_hierarchical, np_swing_gossip,
    np_doubling_broadcast, np_line_broadcast, np_pipeline_broadcast, np_pipeline_broadcast_dimension_order,
    np_tree_broadcast, np_calls_broadcast, np_double_tree_broadcast;

#define NOTES "Sibeyn, lecture notes"
#define MIRRORS(what, of)                                                                                              \
    .kind = (what), .mirrors = &(of), .check = check, .transfers = transfers, .own = layout, .begin = begin,           \
    .next = next, .formula = formula

const np_collective_ops np_mirror_reduce_hypercube = {
    .info = {"hypercube", "up a binomial tree: log P", NOTES, .aliases = "binomial", .operation = "reduce",
             .networks = "hypercube, complete", .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .single = true,
    MIRRORS(NP_REDUCE, np_doubling_broadcast),
};

const np_collective_ops np_mirror_reduce_dimension_order = {
    .info = {"dimension-order", "all columns, then the row of the root: at most 2n - 2 on n x n", NOTES,
             .operation = "reduce", .networks = "array, ring, mesh, torus", .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .single = true,
    MIRRORS(NP_REDUCE, np_pipeline_broadcast_dimension_order),
};

const np_collective_ops np_mirror_reduce_linear = {
    .info = {"linear", "flits along a path through all nodes: f + P - 2", NOTES, .operation = "reduce",
             .networks = "array, ring, mesh, torus, hypercube, complete", .ports = "one-port"},
    .flits = true,
    .ports = NP_ONE_PORT,
    .single = true,
    MIRRORS(NP_REDUCE, np_line_broadcast),
};

const np_collective_ops np_mirror_reduce_two_dimensional = {
    .info = {"two-dimensional", "flits along all columns, then along the row of the root", NOTES, .operation = "reduce",
             .networks = "mesh, torus, hypercube, complete", .ports = "one-port"},
    .flits = true,
    .ports = NP_ONE_PORT,
    .uni_axial = true,
    .single = true,
    MIRRORS(NP_REDUCE, np_pipeline_broadcast),
};

const np_collective_ops np_mirror_reduce_calls = {
    .info = {"calls", "up a tree of shortest paths, one call a node and round", "after " NOTES, .operation = "reduce",
             .networks = "all but complete", .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .single = true,
    MIRRORS(NP_REDUCE, np_calls_broadcast),
};

const np_collective_ops np_mirror_reduce_tree = {
    .info = {"tree", "flits up a tree of shortest paths: f + D - 1", "after " NOTES, .operation = "reduce",
             .networks = "all", .ports = "full-port"},
    .flits = true,
    .ports = NP_FULL_PORT,
    .single = true,
    MIRRORS(NP_REDUCE, np_tree_broadcast),
};

const np_collective_ops np_mirror_reduce_double_tree = {
    .info = {"double-tree", "flits up two binary trees by turns: f + about 2 log P", "Sanders, Speck & Traff 2009",
             .operation = "reduce", .networks = "complete", .ports = "one-port"},
    .flits = true,
    .flits_unit = 2,
    .ports = NP_ONE_PORT,
    .single = true,
    MIRRORS(NP_REDUCE, np_double_tree_broadcast),
};

/* ---- Among ranks ---- */

#define RANKS "all, among ranks"

const np_collective_ops np_mirror_reduce_scatter_ring = {
    .info = {"ring", "round a ring: P - 1 blocks", "Patarasuk & Yuan 2009", .operation = "reduce-scatter",
             .networks = RANKS, .ports = "one-port"},
    .ports = NP_ONE_PORT,
    .single = true,
    MIRRORS(NP_REDUCE_SCATTER, np_bucket_ring),
};

const np_collective_ops np_mirror_reduce_scatter_halving = {
    .info = {"halving-doubling", "recursive halving: log P rounds, P - 1 blocks", "Thakur, Rabenseifner & Gropp 2005",
             .aliases = "recursive-halving", .operation = "reduce-scatter", .networks = "2^k ranks",
             .ports = "telephone"},
    .ports = NP_TELEPHONE,
    MIRRORS(NP_REDUCE_SCATTER, np_doubling_gossip),
};

const np_collective_ops np_mirror_reduce_scatter_dissemination = {
    .info = {"dissemination", "halving for any P: log P rounds, P - 1 blocks", "after Bruck et al. 1997",
             .operation = "reduce-scatter", .networks = RANKS, .ports = "one-port"},
    .ports = NP_ONE_PORT,
    MIRRORS(NP_REDUCE_SCATTER, np_doubling_dissemination),
};

const np_collective_ops np_mirror_reduce_scatter_direct = {
    .info = {"direct", "all send to all at once: one round", "", .operation = "reduce-scatter", .networks = RANKS,
             .ports = "full-port"},
    .ports = NP_FULL_PORT,
    .single = true,
    MIRRORS(NP_REDUCE_SCATTER, np_bucket_direct),
};

const np_collective_ops np_mirror_reduce_scatter_bucket = {
    .info = {"bucket", "rings along one dimension after the other", "Barnett et al. 1995",
             .operation = "reduce-scatter", .networks = "grids, among ranks", .ports = "one-port"},
    .ports = NP_ONE_PORT,
    MIRRORS(NP_REDUCE_SCATTER, np_bucket_gossip),
};

const np_collective_ops np_mirror_reduce_scatter_hierarchical = {
    .info = {"hierarchical", "rings of the hosts of a switch, then among switches", "", .operation = "reduce-scatter",
             .networks = "hosts on switches", .ports = "one-port"},
    .ports = NP_ONE_PORT,
    MIRRORS(NP_REDUCE_SCATTER, np_bucket_gossip_hierarchical),
};

const np_collective_ops np_mirror_reduce_scatter_swing = {
    .info = {"swing", "halving with partners to and fro on a ring", "De Sensi et al. 2024",
             .operation = "reduce-scatter", .networks = "2^k ranks", .ports = "telephone"},
    .ports = NP_TELEPHONE,
    MIRRORS(NP_REDUCE_SCATTER, np_swing_gossip),
};

const np_collective_ops np_mirror_all_reduce_ring = {
    .info = {"ring", "twice round a ring: 2 (P - 1) blocks", "Patarasuk & Yuan 2009", .operation = "all-reduce",
             .networks = RANKS, .ports = "one-port"},
    .ports = NP_ONE_PORT,
    .single = true,
    MIRRORS(NP_ALL_REDUCE, np_bucket_ring),
};

const np_collective_ops np_mirror_all_reduce_halving = {
    .info = {"halving-doubling", "recursive halving, then doubling: 2 log P rounds, 2 (P - 1) blocks",
             "Thakur, Rabenseifner & Gropp 2005", .operation = "all-reduce", .networks = "2^k ranks",
             .ports = "telephone"},
    .ports = NP_TELEPHONE,
    MIRRORS(NP_ALL_REDUCE, np_doubling_gossip),
};

const np_collective_ops np_mirror_all_reduce_dissemination = {
    .info = {"dissemination", "halving, then doubling, for any P: 2 log P rounds, 2 (P - 1) blocks",
             "after Bruck et al. 1997", .operation = "all-reduce", .networks = RANKS, .ports = "one-port"},
    .ports = NP_ONE_PORT,
    MIRRORS(NP_ALL_REDUCE, np_doubling_dissemination),
};

const np_collective_ops np_mirror_all_reduce_direct = {
    .info = {"direct", "all to all at once, twice: two rounds", "", .operation = "all-reduce", .networks = RANKS,
             .ports = "full-port"},
    .ports = NP_FULL_PORT,
    .single = true,
    MIRRORS(NP_ALL_REDUCE, np_bucket_direct),
};

const np_collective_ops np_mirror_all_reduce_bucket = {
    .info = {"bucket", "rings along one dimension after the other, and back", "Barnett et al. 1995",
             .operation = "all-reduce", .networks = "grids, among ranks", .ports = "one-port"},
    .ports = NP_ONE_PORT,
    MIRRORS(NP_ALL_REDUCE, np_bucket_gossip),
};

const np_collective_ops np_mirror_all_reduce_hierarchical = {
    .info = {"hierarchical", "rings of the hosts of a switch, among switches, and back", "", .operation = "all-reduce",
             .networks = "hosts on switches", .ports = "one-port"},
    .ports = NP_ONE_PORT,
    MIRRORS(NP_ALL_REDUCE, np_bucket_gossip_hierarchical),
};

const np_collective_ops np_mirror_all_reduce_swing = {
    .info = {"swing", "halving and doubling with partners to and fro on a ring", "De Sensi et al. 2024",
             .operation = "all-reduce", .networks = "2^k ranks", .ports = "telephone"},
    .ports = NP_TELEPHONE,
    MIRRORS(NP_ALL_REDUCE, np_swing_gossip),
};

const np_collective_ops np_mirror_all_reduce_binomial = {
    .info = {"binomial", "up a binomial tree and down again: 2 log P rounds of the whole vector", "",
             .operation = "all-reduce", .networks = RANKS, .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .single = true,
    MIRRORS(NP_ALL_REDUCE, np_doubling_broadcast),
};

const np_collective_ops np_mirror_all_reduce_double_tree = {
    .info = {"double-tree", "flits up two binary trees by turns, and down again", "Sanders, Speck & Traff 2009",
             .operation = "all-reduce", .networks = RANKS, .ports = "one-port"},
    .flits = true,
    .flits_unit = 2,
    .ports = NP_ONE_PORT,
    .single = true,
    MIRRORS(NP_ALL_REDUCE, np_double_tree_broadcast),
};

const np_collective_ops np_mirror_scatter_binomial = {
    .info = {"binomial", "down a binomial tree: log P rounds, P - 1 parts", "", .operation = "scatter",
             .networks = RANKS, .ports = "telephone"},
    .ports = NP_TELEPHONE,
    MIRRORS(NP_SCATTER, np_doubling_gather),
};

const np_collective_ops np_mirror_scatter_direct = {
    .info = {"direct", "from the root to all at once: one round", "", .operation = "scatter", .networks = RANKS,
             .ports = "full-port"},
    .ports = NP_FULL_PORT,
    .single = true,
    MIRRORS(NP_SCATTER, np_tree_gather),
};
