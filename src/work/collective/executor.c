/*
 * A round is played in passes. The first checks the ports of all messages. The next checks that senders have what they
 * send, before anything arrives. Then everything arrives. A round is marked by its number, from 1, so that nothing is
 * cleared between rounds. Looking up where a packet is takes a random access to memory for each transfer, so the
 * executor prefetches it some transfers ahead.
 */
#include "work/collective/executor.h"

#include <string.h>

#include "base/memory.h"
#include "base/random.h"

/* Our choice: a gigabyte of places, or of bits. */
static const uint64_t PIECES_MAX = UINT64_C(1) << 28, BITS_MAX = UINT64_C(1) << 33, LINKS_MAX = UINT64_C(1) << 28;

enum { AHEAD = 24 }; /* our choice: some cache lines being fetched */

np_status np_executor_fits(const np_collective_job *job)
{
    const np_network *network = job->network;
    uint64_t words = (job->pieces + 63) / 64;
    bool moves = np_collective_moves(job->ops->kind), links = job->ports == NP_FULL_PORT || job->ports == NP_UNI_AXIAL;
    uint64_t bits = np_collective_combines(job->ops->kind) ? 64 * job->pieces : words * 64;
    if (moves ? job->pieces > PIECES_MAX : bits > BITS_MAX / network->nodes)
        return NP_RAISE(NP_ERROR_LIMIT, "%s: %llu packets of %u nodes are too many to play: take a smaller network%s",
                        np_network_spec(network), (unsigned long long)job->pieces, network->nodes,
                        job->ops->flits ? " or fewer flits" : "");
    if (links && network->link_numbers > LINKS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%s: %u link numbers are too many to play: take a smaller network",
                        np_network_spec(network), network->link_numbers);
    return NP_OK;
}

/* The place of a piece that is at no node. */
static const uint32_t ON_ITS_WAY = NP_NONE;

static void layout(void *object, np_arena *arena)
{
    np_executor *e = object;
    const np_collective_job *job = e->job;
    size_t nodes = job->network->nodes, links = job->network->link_numbers;
    NP_ARENA_WORDS(arena, e->room, "a round", &e->tail, &e->head);
    if (np_collective_combines(job->ops->kind)) {
        np_arena_array(arena, &e->share, job->pieces * nodes, sizeof *e->share, "what nodes have");
        np_arena_array(arena, &e->amount, e->room, sizeof *e->amount, "a round");
    } else if (np_collective_moves(job->ops->kind))
        np_arena_array(arena, &e->at, job->pieces, sizeof *e->at, "where the packets are");
    else
        np_arena_zeroed(arena, &e->known, e->words * nodes, sizeof *e->known, "what nodes know");
    if (job->ops->kind == NP_BARRIER)
        np_arena_array(arena, &e->before, e->words * nodes, sizeof *e->before, "what nodes knew");
    if (job->ops->bucketed)
        np_arena_array(arena, &e->held, nodes, sizeof *e->held, "what nodes bucket");
    if (job->ports == NP_FULL_PORT || job->ports == NP_UNI_AXIAL) {
        np_arena_zeroed(arena, &e->used, links, sizeof *e->used, "the links' last rounds");
        return;
    }
    np_arena_zeroed(arena, &e->sent, nodes, sizeof *e->sent, "the nodes' last rounds");
    np_arena_zeroed(arena, &e->received, nodes, sizeof *e->received, "the nodes' last rounds");
    if (job->ports == NP_TELEPHONE) {
        np_arena_zeroed(arena, &e->met, nodes, sizeof *e->met, "the nodes' calls");
        np_arena_array(arena, &e->partner, nodes, sizeof *e->partner, "the nodes' partners");
    }
}

/* The word of a node. */
static uint64_t word_of(np_node u) { return np_random_mix((uint64_t)u + 1); }

static void begin_combining(np_executor *e)
{
    const np_collective_job *job = e->job;
    for (np_node u = 0; u < job->network->nodes; u++) {
        for (size_t piece = 0; piece < job->pieces; piece++)
            e->share[job->pieces * u + piece] = word_of(u);
        e->total += word_of(u);
    }
}

/* What nodes have when the first round begins. */
static void begin(np_executor *e)
{
    const np_collective_job *job = e->job;
    np_node nodes = job->network->nodes;
    if (e->share)
        begin_combining(e);
    else if (e->at) {
        for (uint32_t piece = 0; piece < job->pieces; piece++)
            e->at[piece] = np_collective_source(job, piece);
    } else if (job->ops->kind == NP_BROADCAST || job->ops->kind == NP_SCATTER) {
        for (uint64_t flit = 0; flit < job->pieces; flit++)
            e->known[e->words * job->options.root + flit / 64] |= UINT64_C(1) << flit % 64;
    } else {
        for (np_node u = 0; u < nodes; u++)
            e->known[e->words * u + u / 64] |= UINT64_C(1) << u % 64;
    }
}

np_status np_executor_init(np_executor *executor, const np_collective_job *job, size_t room)
{
    *executor = (np_executor){.job = job, .room = room, .words = (job->pieces + 63) / 64};
    np_status st = np_arena_place(executor, layout, "the nodes of a schedule", &executor->block);
    if (st)
        return st;
    begin(executor);
    return NP_OK;
}

void np_executor_clear(np_executor *executor)
{
    np_memory_free(executor->block);
    *executor = (np_executor){0};
}

static bool knows(const np_executor *e, np_node u, uint32_t piece)
{
    return e->known[e->words * u + piece / 64] >> piece % 64 & 1;
}

static np_status check_telephone(np_executor *e, uint32_t round, np_node u, np_node v)
{
    if (e->met[u] == round && e->partner[u] != v)
        return NP_RAISE(NP_ERROR_INTERNAL, "round %u: node %u meets both %u and %u", round, u, e->partner[u], v);
    e->met[u] = round;
    e->partner[u] = v;
    return NP_OK;
}

static np_status check_one(np_executor *e, uint32_t round, np_node tail, np_node head)
{
    np_status st;
    if (e->sent[tail] == round)
        return NP_RAISE(NP_ERROR_INTERNAL, "round %u: node %u sends two messages", round, tail);
    if (e->received[head] == round)
        return NP_RAISE(NP_ERROR_INTERNAL, "round %u: node %u receives two messages", round, head);
    e->sent[tail] = e->received[head] = round;
    if (e->job->ports != NP_TELEPHONE)
        return NP_OK;
    return (st = check_telephone(e, round, tail, head)) ? st : check_telephone(e, round, head, tail);
}

static np_status check_many(np_executor *e, uint32_t round, np_link link, np_node tail)
{
    if (e->used[link] == round)
        return NP_RAISE(NP_ERROR_INTERNAL, "round %u: two messages over link %u of node %u", round, link, tail);
    e->used[link] = round;
    if (e->job->ports != NP_UNI_AXIAL)
        return NP_OK;
    uint32_t axis = np_axes_of_port(&e->job->axes, link - np_network_first_link(e->job->network, tail));
    if (e->axis != NP_NONE && e->axis != axis)
        return NP_RAISE(NP_ERROR_INTERNAL, "round %u: links of dimensions %u and %u are used", round, e->axis, axis);
    e->axis = axis;
    return NP_OK;
}

/* Finds the ends of all links of the round. */
static np_status find_ends(np_executor *e, const np_round *round, uint32_t number)
{
    const np_network *network = e->job->network;
    if (round->count > e->room)
        return NP_RAISE(NP_ERROR_INTERNAL, "round %u has more than %zu transfers", number, e->room);
    for (size_t i = 0; i < round->count; i++)
        if (round->link[i] >= network->link_numbers)
            return NP_RAISE(NP_ERROR_INTERNAL, "round %u: there is no link %u", number, round->link[i]);
    np_network_heads(network, round->count, round->link, e->head);
    np_network_tails(network, round->count, round->link, e->tail);
    for (size_t i = 0; i < round->count; i++)
        if (e->head[i] == NP_NONE)
            return NP_RAISE(NP_ERROR_INTERNAL, "round %u: there is no link %u", number, round->link[i]);
    return NP_OK;
}

/* Checks one message: transfers first .. end-1. */
static np_status check_message(np_executor *e, const np_round *round, uint32_t number, size_t first, size_t end)
{
    np_node tail = e->tail[first], head = e->head[first];
    if (e->job->ops->single && end - first > 1)
        return NP_RAISE(NP_ERROR_INTERNAL, "round %u: node %u sends %zu packets over one link", number, tail,
                        end - first);
    return e->used ? check_many(e, number, round->link[first], tail) : check_one(e, number, tail, head);
}

static np_status check_messages(np_executor *e, const np_round *round, uint32_t number, size_t *longest)
{
    *longest = 0;
    for (size_t first = 0, end; first < round->count; first = end) {
        for (end = first + 1; end < round->count && round->link[end] == round->link[first];)
            end++;
        np_status st = check_message(e, round, number, first, end);
        if (st)
            return st;
        *longest = end - first > *longest ? end - first : *longest;
    }
    return NP_OK;
}

static np_status lacks(uint32_t number, np_node u, uint32_t piece)
{
    return NP_RAISE(NP_ERROR_INTERNAL, "round %u: node %u sends packet %u, which it does not have", number, u, piece);
}

static np_status copy(np_executor *e, const np_round *round, uint32_t number)
{
    const uint32_t *piece = round->piece;
    for (size_t i = 0; i < round->count; i++)
        if (piece[i] >= e->job->pieces || !knows(e, e->tail[i], piece[i]))
            return lacks(number, e->tail[i], piece[i]);
    for (size_t i = 0; i < round->count; i++)
        e->known[e->words * e->head[i] + piece[i] / 64] |= UINT64_C(1) << piece[i] % 64;
    return NP_OK;
}

/* See executor.h. Until what is sent to a root arrives, it belongs to no node. */
static np_status combine(np_executor *e, const np_round *round, uint32_t number)
{
    const uint32_t *piece = round->piece;
    for (size_t i = 0; i < round->count; i++) {
        uint64_t *share = piece[i] < e->job->pieces ? &e->share[e->job->pieces * e->tail[i] + piece[i]] : NULL;
        if (!share || !*share)
            return lacks(number, e->tail[i], piece[i]);
        e->amount[i] = *share;
        *share = e->job->ops->kind == NP_REDUCE ? 0 : *share;
    }
    for (size_t i = 0; i < round->count; i++) {
        uint64_t *share = &e->share[e->job->pieces * e->head[i] + piece[i]];
        *share = e->amount[i] == e->total ? e->total : *share + e->amount[i];
    }
    return NP_OK;
}

/* Each message of a barrier says all that its sender knew when the round began. */
static np_status say(np_executor *e, const np_round *round)
{
    memcpy(e->before, e->known, e->words * e->job->network->nodes * sizeof *e->known);
    for (size_t i = 0; i < round->count; i++)
        for (size_t w = 0; w < e->words; w++)
            e->known[e->words * e->head[i] + w] |= e->before[e->words * e->tail[i] + w];
    return NP_OK;
}

/*
 * Transfer i sends a piece that its sender does not have: it never had it, or an earlier transfer of the round sent it.
 */
static np_status missing(const np_executor *e, const np_round *round, uint32_t number, size_t i)
{
    for (size_t before = 0; before < i; before++)
        if (round->piece[before] == round->piece[i] && e->tail[before] == e->tail[i])
            return NP_RAISE(NP_ERROR_INTERNAL, "round %u: node %u sends packet %u twice", number, e->tail[i],
                            round->piece[i]);
    return lacks(number, e->tail[i], round->piece[i]);
}

/*
 * In the first pass a piece is marked as on its way, so that no other transfer can send it. In the second it arrives.
 */
static np_status move(np_executor *e, const np_round *round, uint32_t number)
{
    const uint32_t *piece = round->piece;
    const np_node *tail = e->tail, *head = e->head;
    size_t count = round->count;
    uint32_t *at = e->at, pieces = (uint32_t)e->job->pieces;
    for (size_t i = 0; i < count && i < AHEAD; i++)
        __builtin_prefetch(&at[piece[i]], 1);
    for (size_t i = 0; i < count; i++) {
        __builtin_prefetch(&at[piece[i + AHEAD < count ? i + AHEAD : i]], 1);
        if (piece[i] >= pieces || at[piece[i]] != tail[i])
            return missing(e, round, number, i);
        at[piece[i]] = ON_ITS_WAY;
    }
    for (size_t i = 0; i < count; i++) {
        __builtin_prefetch(&at[piece[i + AHEAD < count ? i + AHEAD : i]], 1);
        at[piece[i]] = head[i];
    }
    return NP_OK;
}

np_status np_executor_play(np_executor *executor, const np_round *round)
{
    np_executor *e = executor;
    uint32_t number = (uint32_t)(e->rounds + 1);
    size_t longest;
    np_status st;
    if (!round->count)
        return NP_RAISE(NP_ERROR_INTERNAL, "round %u: nobody sends anything", number);
    if (e->rounds == UINT32_MAX - 1)
        return NP_RAISE(NP_ERROR_LIMIT, "%s: more than 2^32 - 2 rounds", np_network_spec(e->job->network));
    e->axis = NP_NONE;
    if ((st = find_ends(e, round, number)) || (st = check_messages(e, round, number, &longest)) ||
        (st = e->at       ? move(e, round, number)
              : e->share  ? combine(e, round, number)
              : e->before ? say(e, round)
                          : copy(e, round, number)))
        return st;
    e->rounds++;
    e->steps += longest;
    e->transfers += round->count;
    return NP_OK;
}

void np_executor_bucket(np_executor *executor)
{
    np_executor *e = executor;
    uint32_t most = 0;
    memset(e->held, 0, e->job->network->nodes * sizeof *e->held);
    for (uint32_t piece = 0; piece < e->job->pieces; piece++)
        e->held[e->at[piece]] += e->at[piece] != np_collective_destination(e->job, piece);
    for (np_node u = 0; u < e->job->network->nodes; u++)
        most = e->held[u] > most ? e->held[u] : most;
    e->bucketed += most;
}

/* Is what node u has of the piece in the end what it is to have? */
static bool is_complete(const np_executor *e, np_node u, uint32_t piece, uint64_t *prefix)
{
    const np_collective_job *job = e->job;
    np_collective_kind kind = job->ops->kind;
    if ((kind == NP_REDUCE && u != job->options.root) || (kind == NP_REDUCE_SCATTER && u != piece))
        return true;
    *prefix += kind == NP_SCAN ? word_of(u) : 0;
    return e->share[job->pieces * u + piece] == (kind == NP_SCAN ? *prefix : e->total);
}

static np_status finish_combining(const np_executor *e)
{
    const np_collective_job *job = e->job;
    uint64_t prefix = 0;
    for (np_node u = 0; u < job->network->nodes; u++)
        for (uint32_t piece = 0; piece < job->pieces; piece++)
            if (!is_complete(e, u, piece, &prefix))
                return NP_RAISE(NP_ERROR_INTERNAL,
                                "at the end node %u has not of packet %u the parts of all, each once", u, piece);
    return NP_OK;
}

/* Is node u to know the piece in the end? */
static bool is_to_know(const np_collective_job *job, np_node u, uint32_t piece)
{
    if (job->ops->kind == NP_GATHER)
        return u == job->options.root;
    return job->ops->kind != NP_SCATTER || u == piece;
}

np_status np_executor_finish(const np_executor *executor)
{
    const np_executor *e = executor;
    const np_collective_job *job = e->job;
    if (e->at) {
        for (uint32_t piece = 0; piece < job->pieces; piece++)
            if (e->at[piece] != np_collective_destination(job, piece))
                return NP_RAISE(NP_ERROR_INTERNAL, "at the end packet %u is at node %u and not at %u", piece,
                                e->at[piece], np_collective_destination(job, piece));
        return NP_OK;
    }
    if (e->share)
        return finish_combining(e);
    for (np_node u = 0; u < job->network->nodes; u++)
        for (uint32_t piece = 0; piece < job->pieces; piece++)
            if (is_to_know(job, u, piece) && !knows(e, u, piece))
                return NP_RAISE(NP_ERROR_INTERNAL, "at the end node %u lacks packet %u", u, piece);
    return NP_OK;
}
