/*
 * A hop: requests go to the ranks that are next on their way, and answers come back. Memory is bounded: if more than
 * two rounds of requests would reach a rank at once, the sources send one after the other, as many at a time as fit.
 * They are taken in their order, which keeps that of the processors.
 */
#include "base/arena.h"
#include "base/room.h"
#include "mpi/memory/memory.h"

#define FAILED UINT64_MAX /* as a count: the rank that says so has an error */

static const char what[] = "requests from other ranks";

/* ---- Buffers ---- */

static void layout(void *object, np_arena *arena)
{
    np_mpi_hop *hop = object;
    np_arena_array(arena, &hop->to, hop->ranks, sizeof *hop->to, what);
    np_arena_array(arena, &hop->from, hop->ranks, sizeof *hop->from, what);
    np_arena_array(arena, &hop->send, hop->ranks, sizeof *hop->send, what);
    np_arena_array(arena, &hop->receive, hop->ranks, sizeof *hop->receive, what);
    np_arena_array(arena, &hop->told, hop->ranks, sizeof *hop->told, what);
    np_arena_array(arena, &hop->heard, hop->ranks, sizeof *hop->heard, what);
    np_arena_array(arena, &hop->cursor, hop->ranks, sizeof *hop->cursor, what);
    np_arena_array(arena, &hop->behind, hop->ranks, sizeof *hop->behind, what);
}

np_status np_mpi_memory_need(np_mpi *mpi, unsigned hops)
{
    np_status st = mpi->memory ? NP_OK : np_memory_zeroed(&mpi->memory, 1, sizeof *mpi->memory, what);
    if (!st && !mpi->memory->told)
        st = np_memory_array(&mpi->memory->told, (size_t)mpi->size, sizeof *mpi->memory->told, what);
    for (unsigned h = 0; h < hops && !st; h++) {
        np_mpi_hop *hop = &mpi->memory->hop[h];
        hop->ranks = (size_t)mpi->size;
        if (!hop->block)
            st = np_arena_place(hop, layout, what, &hop->block);
    }
    return st;
}

void np_mpi_memory_free(np_mpi_memory *memory)
{
    for (unsigned h = 0; memory && h < NP_MPI_HOPS_MOST; h++) {
        np_mpi_hop *hop = &memory->hop[h];
        void *const arrays[] = {hop->block,         hop->out,        hop->in,          hop->position,
                                hop->entry_address, hop->entry_note, hop->entry_value, hop->entry_of,
                                hop->list_address,  hop->list_note,  hop->list_value,  hop->cool_address,
                                hop->cool_value};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            np_memory_free(arrays[i]);
    }
    if (memory) {
        NP_MEMORY_FREE(memory->told, memory->note);
    }
    np_memory_free(memory);
}

/* ---- Who sends how much ---- */

/* Each rank learns how many requests it gets from which. status: of this rank; the result is agreed on. */
static np_status tell_counts(np_mpi *mpi, np_mpi_hop *hop, np_status status)
{
    bool failed = false;
    np_status st;
    for (int r = 0; r < mpi->size; r++)
        hop->told[r] = status ? FAILED : hop->to[r].count;
    if ((st = np_mpi_sizes(mpi, hop->told, hop->heard)))
        return st;
    for (int r = 0; r < mpi->size; r++) {
        failed |= hop->heard[r] == FAILED;
        hop->from[r] = (np_mpi_bucket){.count = hop->heard[r]};
    }
    return failed ? np_mpi_agree(mpi, status) : NP_OK;
}

/* ---- What moves ---- */

static np_mpi_part request_part(const np_mpi_access *x, uint64_t *buffer, const np_mpi_bucket *b)
{
    const unsigned words = np_mpi_words(x);
    const uint64_t keys = b->count * sizeof(uint32_t);
    if (!x->carries)
        return (np_mpi_part){np_mpi_bucket_key(buffer, b, words), keys};
    return (np_mpi_part){np_mpi_bucket_value(buffer, b), words * b->count * sizeof *buffer + keys};
}

static np_mpi_part answer_part(const np_mpi_access *x, uint64_t *buffer, const np_mpi_bucket *b)
{
    (void)x;
    return (np_mpi_part){np_mpi_bucket_value(buffer, b), b->count * sizeof *buffer};
}

typedef np_mpi_part part_of(const np_mpi_access *x, uint64_t *buffer, const np_mpi_bucket *b);

/* The buckets of ranks from .. upto: what this rank sends, and what it gets. Answers go the other way. */
static void set_parts(const np_mpi_access *x, np_mpi_hop *hop, int from, int upto, part_of *part)
{
    const np_mpi *mpi = x->array->mpi;
    const bool sends = mpi->rank >= from && mpi->rank <= upto;
    for (int r = 0; r < mpi->size; r++) {
        const bool other = r != mpi->rank, source = other && r >= from && r <= upto;
        hop->send[r] = other && sends ? part(x, hop->out, &hop->to[r]) : (np_mpi_part){0};
        hop->receive[r] = source ? part(x, hop->in, &hop->from[r]) : (np_mpi_part){0};
    }
}

/* ---- Room ---- */

static uint64_t arrivals(const np_mpi_hop *hop, int from, int upto)
{
    uint64_t sum = 0;
    for (int r = from; r <= upto; r++)
        sum += hop->from[r].count;
    return sum;
}

/* Room for what arrives from the ranks, and for what it does at the cells; then places for it. */
static np_status make_room(np_mpi_access *x, unsigned level, np_mpi_hop *hop, int from, int upto)
{
    const uint64_t requests = arrivals(hop, from, upto);
    const unsigned words = np_mpi_words(x);
    uint64_t at = 0;
    size_t room = hop->list_room;
    np_status st;
    for (int r = from; r <= upto; r++)
        if (r != x->array->mpi->rank) {
            hop->from[r].begin = at;
            at += np_mpi_bucket_size(hop->from[r].count, words);
        }
    if ((st = np_memory_need(&hop->in, 0, at, &hop->in_room, sizeof *hop->in, what)) || level + 1 == x->array->hops)
        return st;
    if ((st = np_memory_need(&hop->list_address, 0, requests, &room, sizeof *hop->list_address, what)) ||
        (st = np_memory_need(&hop->list_value, 0, requests, &hop->list_room, sizeof *hop->list_value, what))) {
        hop->list_room = 0; /* of both */
        return st;
    }
    return x->notes ? np_memory_need(&hop->list_note, 0, requests, &hop->list_note_room, sizeof *hop->list_note, what)
                    : NP_OK;
}

/*
 * *upto = the last rank of those from `from` on that send now. Agreed on, with the status of making room for them.
 * only: no other requests than those from `from` to last reach cells in this call.
 */
static np_status choose_sources(np_mpi_access *x, unsigned level, np_mpi_hop *hop, int from, int last, bool only,
                                int *upto)
{
    np_mpi *mpi = x->array->mpi;
    const uint64_t most = 2 * x->array->options.round;
    uint64_t sum = hop->from[from].count;
    int mine = from, all;
    while (mine < last && sum + hop->from[mine + 1].count <= most)
        sum += hop->from[++mine].count;
    np_status st = make_room(x, level, hop, from, mine), failed;
    if (!st && level + 1 == x->array->hops)
        st = np_mpi_serve_begin(x, only ? arrivals(hop, from, last) : x->total);
    mine = st ? -1 : mine;
    if ((failed = np_mpi_check(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, mpi->comm), "MPI_Allreduce")))
        return failed;
    *upto = all;
    return all < 0 ? np_mpi_agree(mpi, st) : NP_OK;
}

/* ---- What is done with requests that have arrived ---- */

/* The bucket from a rank. What is for this rank itself is not sent. */
static const np_mpi_bucket *bucket_from(const np_mpi_access *x, np_mpi_hop *hop, int rank, uint64_t **buffer)
{
    const bool own = rank == x->array->mpi->rank;
    *buffer = own ? hop->out : hop->in;
    return own ? &hop->to[rank] : &hop->from[rank];
}

static void append(const np_mpi_access *x, const np_mpi_hop *hop, uint64_t *buffer, const np_mpi_bucket *b, size_t at)
{
    const uint32_t *key = np_mpi_bucket_key(buffer, b, np_mpi_words(x));
    for (size_t k = 0; k < b->count; k++)
        hop->list_address[at + k] = key[k];
    if (x->carries && b->count)
        memcpy(hop->list_value + at, np_mpi_bucket_value(buffer, b), b->count * sizeof *hop->list_value);
    if (x->notes && b->count)
        memcpy(hop->list_note + at, np_mpi_bucket_note(buffer, b), b->count * sizeof *hop->list_note);
}

/* They go on. */
static np_status relay(np_mpi_access *x, unsigned level, np_mpi_hop *hop, int from, int upto, bool only)
{
    np_mpi_requests list = {0, hop->list_address, hop->list_value, x->notes ? hop->list_note : NULL};
    uint64_t *buffer;
    size_t at = 0;
    for (int r = from; r <= upto; r++) {
        const np_mpi_bucket *b = bucket_from(x, hop, r, &buffer);
        append(x, hop, buffer, b, list.count);
        list.count += b->count;
    }
    np_status st = np_mpi_hop_take(x, level + 1, &list, 0, x->array->mpi->size - 1, only);
    for (int r = from; r <= upto && x->answered && !st; r++) {
        const np_mpi_bucket *b = bucket_from(x, hop, r, &buffer);
        if (b->count)
            memcpy(np_mpi_bucket_value(buffer, b), list.value + at, b->count * sizeof *list.value);
        at += b->count;
    }
    return st;
}

static void serve(np_mpi_access *x, np_mpi_hop *hop, int from, int upto)
{
    for (int r = from; r <= upto; r++) {
        uint64_t *buffer;
        const np_mpi_bucket *b = bucket_from(x, hop, r, &buffer);
        np_mpi_serve(x, buffer, b);
    }
}

static np_status take_sources(np_mpi_access *x, unsigned level, np_mpi_hop *hop, int from, int upto, bool only)
{
    np_mpi *mpi = x->array->mpi;
    np_status st;
    set_parts(x, hop, from, upto, request_part);
    if ((st = np_mpi_move(mpi, hop->send, hop->receive)))
        return st;
    if (level + 1 == x->array->hops)
        serve(x, hop, from, upto);
    else if ((st = relay(x, level, hop, from, upto, only)))
        return st;
    if (!x->answered)
        return NP_OK;
    set_parts(x, hop, from, upto, answer_part);
    return np_mpi_move(mpi, hop->receive, hop->send);
}

np_status np_mpi_hop_take(np_mpi_access *x, unsigned level, const np_mpi_requests *requests, int first, int last,
                          bool only)
{
    np_mpi_array *a = x->array;
    np_mpi_hop *hop = &a->mpi->memory->hop[level];
    np_mpi_requests sent = *requests;
    np_status st = np_mpi_combine(x, hop, requests, &sent);
    if (!st)
        st = np_mpi_buckets_fill(x, level, hop, &sent);
    if ((st = tell_counts(a->mpi, hop, st)))
        return st;
    *(level ? &a->combined_on_way : &a->combined) += requests->count - sent.count;
    for (int from = first, upto = first; from <= last; from = upto + 1)
        if ((st = choose_sources(x, level, hop, from, last, only, &upto)) ||
            (st = take_sources(x, level, hop, from, upto, only && from == first && upto == last)))
            return st;
    if (!x->answered)
        return NP_OK;
    np_mpi_buckets_empty(hop, &sent);
    np_mpi_split(x, hop, requests, &sent);
    return NP_OK;
}
