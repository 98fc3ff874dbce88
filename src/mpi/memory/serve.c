/*
 * Requests reach their cells, in the order in which they came. Reads and fetches of single words are served in place,
 * and answers replace operands. Where a cell needs to know what else the call does to it, writes and sums of reals, the
 * simulator's memory decides (machine/pram/store.c).
 */
#include "mpi/memory/memory.h"

enum { AHEAD = 32 }; /* ours: requests ahead of the one that is served, a cell is called to the cache */

/* What a bucket's requests and cells are. */
typedef struct service {
    np_mpi_access *x;
    size_t count;
    np_word *value;
    const uint64_t *note;
    const uint32_t *key;
    np_word *cell;
} service;

/* What is done for a request. */
typedef void serve_one(const service *s, size_t k);

NP_INLINE void serve_each(const service *s, serve_one *one)
{
    const size_t near = s->count < AHEAD ? 0 : s->count - AHEAD;
    for (size_t k = 0; k < near; k++) {
        __builtin_prefetch(&s->cell[s->key[k + AHEAD]], 1);
        one(s, k);
    }
    for (size_t k = near; k < s->count; k++)
        one(s, k);
}

NP_INLINE void read_one(const service *s, size_t k) { s->value[k] = s->cell[s->key[k]]; }

NP_HOT static void serve_reads(const service *s) { serve_each(s, read_one); }

NP_INLINE void add_one(const service *s, size_t k)
{
    np_word *cell = &s->cell[s->key[k]];
    const np_word before = *cell;
    *cell = (np_word)((uint64_t)before + (uint64_t)s->value[k]);
    s->value[k] = before;
}

NP_HOT static void serve_sums(const service *s) { serve_each(s, add_one); }

NP_INLINE void fetch_one(const service *s, size_t k)
{
    np_word *cell = &s->cell[s->key[k]];
    const np_word before = *cell;
    *cell = np_mpi_apply(s->x, before, s->value[k]);
    s->value[k] = before;
}

static void serve_fetches(const service *s) { serve_each(s, fetch_one); }

/* Processors have no numbers here: of two requests the one that came first is the lower processor's, and wins a draw.
 */
NP_INLINE void store_one(const service *s, size_t k)
{
    np_mpi_access *x = s->x;
    const uint64_t note = s->note ? s->note[k] : 0;
    const np_request request = {.address = s->key[k],
                                .value = s->value[k],
                                .lot = (uint32_t)(note >> 32),
                                .kind = (uint8_t)x->kind,
                                .several = (note & NP_MPI_SEVERAL) != 0,
                                .op = (uint8_t)x->op,
                                .type = (uint8_t)x->array->options.type};
    const np_word answer = np_store_serve(x->array->store, &request);
    if (x->answered)
        s->value[k] = answer;
}

static void serve_stored(const service *s) { serve_each(s, store_one); }

void np_mpi_serve(np_mpi_access *x, uint64_t *buffer, const np_mpi_bucket *bucket)
{
    const service s = {.x = x,
                       .count = bucket->count,
                       .value = np_mpi_bucket_value(buffer, bucket),
                       .note = x->notes ? np_mpi_bucket_note(buffer, bucket) : NULL,
                       .key = np_mpi_bucket_key(buffer, bucket, np_mpi_words(x)),
                       .cell = np_store_words(x->array->store)};
    if (x->looked_at)
        np_mpi_marks_see(x, buffer, bucket);
    if (x->stored)
        serve_stored(&s);
    else if (x->kind == NP_ACCESS_READ)
        serve_reads(&s);
    else if (x->sums)
        serve_sums(&s);
    else
        serve_fetches(&s);
}

np_status np_mpi_serve_begin(np_mpi_access *x, uint64_t arrivals)
{
    np_store *store = x->array->store;
    const uint64_t cells = np_store_cells(store), most = arrivals < cells ? arrivals : cells;
    if (!x->stored || x->begun)
        return NP_OK;
    if (most >= UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "a call reaches 2^32 cells of a rank");
    x->begun = true;
    return np_store_begin(store, most, x->exact ? (arrivals / 2 < cells ? arrivals / 2 : cells) : 0);
}
