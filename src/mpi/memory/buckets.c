/*
 * Requests divided by the rank that is next on their way: one pass counts, one fills. Nothing branches on the rank,
 * which is as good as random: a branch that is foretold wrongly would cost as much as all else. The place of each
 * request in its bucket is kept, and leads back to its answer.
 */
#include "base/room.h"
#include "mpi/memory/memory.h"

static const char what[] = "requests to other ranks";

/* The next rank of a request for a block at `place`. */
NP_INLINE uint32_t rank_of(uint32_t place, unsigned local, const uint32_t *next)
{
    const uint32_t rank = place >> local;
    return next ? next[rank] : rank;
}

/* next NULL: this is the last hop. */
NP_INLINE void count(const np_mpi_array *a, const np_mpi_requests *r, const uint32_t *next, uint32_t *counts)
{
    const unsigned block = a->block, local = a->local;
    const uint32_t *place = a->place;
    const uint64_t *address = r->address;
    for (size_t i = 0; i < r->count; i++)
        counts[rank_of(place[address[i] >> block], local, next)]++;
}

NP_HOT static void count_directly(const np_mpi_array *a, const np_mpi_requests *r, uint32_t *counts)
{
    count(a, r, NULL, counts);
}

/* The buckets, one behind the other. */
static void lay_out(const np_mpi_access *x, np_mpi_hop *hop)
{
    uint64_t at = 0;
    for (int r = 0; r < x->array->mpi->size; r++) {
        hop->to[r] = (np_mpi_bucket){hop->cursor[r], at};
        at += np_mpi_bucket_size(hop->cursor[r], np_mpi_words(x));
    }
}

/* Where requests go: request k of a bucket has its value at the word begin + k, and its key 2 (begin + words count) + k
 */
NP_INLINE void fill(const np_mpi_access *x, np_mpi_hop *hop, const np_mpi_requests *r, const uint32_t *next,
                    bool carries)
{
    const np_mpi_array *a = x->array;
    const unsigned block = a->block, local = a->local;
    const uint32_t low = (uint32_t)((UINT64_C(1) << block) - 1), number = (uint32_t)((UINT64_C(1) << local) - 1);
    const uint32_t *place = a->place;
    const uint64_t *address = r->address;
    const np_word *value = r->value;
    uint32_t *cursor = hop->cursor, *position = hop->position, *key = (uint32_t *)hop->out;
    uint64_t *out = hop->out, *behind = hop->behind;
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t at = address[i];
        const uint32_t p = place[at >> block], to = rank_of(p, local, next), k = cursor[to]++;
        position[i] = k;
        if (carries)
            out[k] = (uint64_t)value[i];
        key[k + behind[to]] = next ? (uint32_t)at : (p & number) << block | ((uint32_t)at & low);
    }
}

NP_HOT static void fill_values(const np_mpi_access *x, np_mpi_hop *hop, const np_mpi_requests *r)
{
    fill(x, hop, r, NULL, true);
}

NP_HOT static void fill_keys(const np_mpi_access *x, np_mpi_hop *hop, const np_mpi_requests *r)
{
    fill(x, hop, r, NULL, false);
}

static void fill_all(const np_mpi_access *x, np_mpi_hop *hop, const np_mpi_requests *r, const uint32_t *next)
{
    const unsigned words = np_mpi_words(x);
    for (int rank = 0; rank < x->array->mpi->size; rank++) {
        const np_mpi_bucket *b = &hop->to[rank];
        hop->cursor[rank] = (uint32_t)b->begin;
        hop->behind[rank] = b->begin + 2 * words * b->count;
    }
    if (next)
        fill(x, hop, r, next, x->carries);
    else
        (x->carries ? fill_values : fill_keys)(x, hop, r);
}

/* The notes lie behind all values of their bucket. */
static void fill_notes(const np_mpi_access *x, np_mpi_hop *hop, const np_mpi_requests *r, const uint32_t *next)
{
    const np_mpi_array *a = x->array;
    for (size_t i = 0; i < r->count; i++) {
        const uint32_t to = rank_of(a->place[r->address[i] >> a->block], a->local, next);
        hop->out[hop->position[i] + hop->to[to].count] = r->note[i];
    }
}

np_status np_mpi_buckets_fill(const np_mpi_access *x, unsigned level, np_mpi_hop *hop, const np_mpi_requests *requests)
{
    const np_mpi_array *a = x->array;
    const uint32_t *next = a->next[level];
    const uint64_t words = np_mpi_bucket_size(requests->count, np_mpi_words(x)) + (uint64_t)a->mpi->size;
    np_status st;
    if ((st = np_memory_need(&hop->out, 0, words, &hop->out_room, sizeof *hop->out, what)) ||
        (st = np_memory_need(&hop->position, 0, requests->count, &hop->position_room, sizeof *hop->position, what)))
        return st;
    memset(hop->cursor, 0, (size_t)a->mpi->size * sizeof *hop->cursor);
    if (next)
        count(a, requests, next, hop->cursor);
    else
        count_directly(a, requests, hop->cursor);
    lay_out(x, hop);
    fill_all(x, hop, requests, next);
    if (x->notes)
        fill_notes(x, hop, requests, next);
    return NP_OK;
}

NP_HOT void np_mpi_buckets_empty(const np_mpi_hop *hop, const np_mpi_requests *requests)
{
    const uint32_t *position = hop->position;
    const np_word *out = (const np_word *)hop->out;
    np_word *value = requests->value;
    for (size_t i = 0; i < requests->count; i++)
        value[i] = out[position[i]];
}
