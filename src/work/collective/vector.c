/*
 * All-to-all among ranks with as many packets for each pair as a traffic says: all-to-allv. The packets of a pair are
 * one message.
 *
 *     direct   in round t rank r sends to rank r + t, modulo P: P - 1 permutations, but those that nobody needs
 *     at-once  all messages in one round, over all links
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "work/collective/collective.h"

enum { DIRECT, AT_ONCE };

typedef struct vector {
    np_keyed *order; /* [pieces] that move, by round, source and place in the traffic */
    size_t count, next;
} vector;

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    vector counted, *v = np_collective_own(job, arena, &counted, sizeof *v);
    np_arena_array(arena, &v->order, job->pieces, sizeof *v->order, "the order of packets");
}

/* The round of a packet, from 1; at once all are in the first. */
static uint32_t round_of(const np_collective_job *job, uint32_t piece)
{
    np_node from = np_collective_source(job, piece), to = np_collective_destination(job, piece);
    return job->ops->variant == AT_ONCE ? 1 : to > from ? to - from : to + job->network->nodes - from;
}

/* The packets that move, sorted. order: [pieces]. Returns how many there are. */
static size_t sort(const np_collective_job *job, np_keyed *o)
{
    size_t count = 0;
    for (uint32_t piece = 0; piece < job->pieces; piece++) {
        np_node from = np_collective_source(job, piece), to = np_collective_destination(job, piece);
        if (from == to)
            continue;
        uint64_t key = ((uint64_t)round_of(job, piece) << 32) + ((uint64_t)from << 16) + to; /* below 2^16 both */
        o[count++] = (np_keyed){key, piece};
    }
    qsort(o, count, sizeof *o, np_order_keyed);
    return count;
}

static np_status begin(np_collective_job *job)
{
    vector *v = job->own;
    v->count = sort(job, v->order);
    return NP_OK;
}

static np_status next(np_collective_job *job)
{
    vector *v = job->own;
    np_status st = NP_OK;
    for (uint64_t round = v->next < v->count ? v->order[v->next].key >> 32 : 0;
         v->next < v->count && v->order[v->next].key >> 32 == round && !st; v->next++) {
        uint32_t piece = v->order[v->next].item;
        np_node from = np_collective_source(job, piece), to = np_collective_destination(job, piece);
        st = np_round_add(&job->round, np_collective_link(job->network, from, to), piece);
    }
    return st;
}

/* Rounds, and the sum of their longest messages. */
static void count(const np_keyed *o, size_t packets, np_collective_figure *out)
{
    uint64_t most = 0;
    for (size_t i = 0, end; i < packets; i = end) {
        for (end = i + 1; end < packets && o[end].key == o[i].key;)
            end++;
        most = end - i > most ? end - i : most;
        if (end < packets && o[end].key >> 32 == o[i].key >> 32)
            continue;
        out->rounds++;
        out->steps += most;
        most = 0;
    }
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    np_keyed *o;
    np_status st = np_memory_array(&o, job->pieces, sizeof *o, "the order of packets");
    if (st)
        return st;
    count(o, sort(job, o), out);
    np_memory_free(o);
    snprintf(out->text, sizeof out->text, "the longest message of each round");
    return NP_OK;
}

static size_t transfers(const np_collective_job *job) { return job->pieces; }

static np_status check(const np_collective_job *job)
{
    return job->among_ranks
               ? NP_OK
               : NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' is of all-to-allv, among ranks", job->ops->info.name);
}

#define PLAYS                                                                                                          \
    .kind = NP_K_K, .refuses = np_collective_but_complete, .check = check, .transfers = transfers, .own = layout,      \
    .begin = begin, .next = next, .formula = formula

const np_collective_ops np_vector_direct = {
    .info = {"direct", "P - 1 permutations, the packets of a pair in one message", "", .operation = "k-k",
             .networks = "all, among ranks (all-to-allv)", .ports = "one-port"},
    .ports = NP_ONE_PORT,
    .variant = DIRECT,
    PLAYS,
};

const np_collective_ops np_vector_at_once = {
    .info = {"at-once", "all pairs in one round", "", .operation = "k-k", .networks = "all, among ranks (all-to-allv)",
             .ports = "full-port"},
    .ports = NP_FULL_PORT,
    .variant = AT_ONCE,
    PLAYS,
};
