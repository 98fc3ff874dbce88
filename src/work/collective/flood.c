/*
 * Gossip with full ports, on any network. In every round each node receives over each of its links a packet that it
 * lacks, as long as its neighbours have one; no two of these packets are the same. Among the packets that a link can
 * bring, it brings the first of those that the fewest nodes know. There is no formula. The lower bound is N - 1 packets
 * over the ports of the node with the fewest ports.
 */
#include "work/collective/collective.h"
#include "model/network/read_node.h"

typedef struct flood {
    size_t words;
    uint64_t *known, *coming; /* [nodes][words] packets that nodes know, and those that come in the round */
    uint32_t *spread;         /* [nodes] how many nodes know a packet */
} flood;

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    size_t nodes = job->network->nodes;
    flood counted, *f = np_collective_own(job, arena, &counted, sizeof *f);
    f->words = (nodes + 63) / 64;
    np_arena_zeroed(arena, &f->known, nodes * f->words, sizeof *f->known, "what nodes know");
    np_arena_zeroed(arena, &f->coming, nodes * f->words, sizeof *f->coming, "what nodes know");
    np_arena_array(arena, &f->spread, nodes, sizeof *f->spread, "how many know");
}

static size_t transfers(const np_collective_job *job) { return job->network->links; }

static np_status begin(np_collective_job *job)
{
    flood *f = job->own;
    size_t nodes = job->network->nodes, words = f->words;
    for (np_node u = 0; u < nodes; u++) {
        f->known[u * words + u / 64] = f->coming[u * words + u / 64] = UINT64_C(1) << u % 64;
        f->spread[u] = 1;
    }
    return NP_OK;
}

/* The packet that u can tell v, that no other node tells v in this round, and that the fewest nodes know; NP_NONE if
   there is none. */
static uint32_t rarest(const flood *f, np_node u, np_node v)
{
    const uint64_t *has = f->known + u * f->words, *gets = f->coming + v * f->words;
    uint32_t best = NP_NONE;
    for (size_t i = 0; i < f->words; i++)
        for (uint64_t news = has[i] & ~gets[i]; news; news &= news - 1) {
            uint32_t piece = (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(news);
            if (best == NP_NONE || f->spread[piece] < f->spread[best])
                best = piece;
        }
    return best;
}

/* Called when no node can tell another anything new: then all nodes must know all packets. */
static np_status check_all_known(const np_collective_job *job, const flood *f)
{
    uint32_t nodes = job->network->nodes;
    for (np_node u = 0; u < nodes; u++)
        for (uint32_t packet = 0; packet < nodes; packet++)
            if (!(f->known[u * f->words + packet / 64] >> packet % 64 & 1))
                return NP_RAISE(NP_ERROR_APPLY, "%s: no way leads from node %.80s to node %.80s: gossip needs one",
                                np_network_spec(job->network), NP_NODE_NAME(job->network, packet),
                                NP_NODE_NAME(job->network, u));
    return NP_OK;
}

static np_status next(np_collective_job *job)
{
    const np_network *network = job->network;
    flood *f = job->own;
    np_status st = NP_OK;
    for (np_link link = 0; link < network->link_numbers && !st; link++) {
        np_node v = np_network_link_head(network, link);
        if (v == NP_NONE)
            continue;
        uint32_t piece = rarest(f, np_network_link_tail(network, link), v);
        if (piece == NP_NONE)
            continue;
        f->coming[v * f->words + piece / 64] |= UINT64_C(1) << piece % 64;
        st = np_round_add(&job->round, link, piece);
    }
    for (size_t i = 0; i < job->round.count; i++) {
        np_node v = np_network_link_head(network, job->round.link[i]);
        uint32_t piece = job->round.piece[i];
        f->known[v * f->words + piece / 64] |= UINT64_C(1) << piece % 64;
        f->spread[piece]++;
    }
    return st || job->round.count ? st : check_all_known(job, f);
}

const np_collective_ops np_flood_gossip = {
    .info = {"flood", "each link brings a packet that its end lacks, the rarest first", "", .operation = "gossip",
             .networks = "all", .ports = "full-port"},
    .kind = NP_GOSSIP,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = np_collective_but_terminals,
    .transfers = transfers,
    .own = layout,
    .begin = begin,
    .next = next,
};
