/*
 * The memory: the cells, and what the present step has done to them. Reads look at the cells, which
 * do not change before the step ends. Fetches and writes go to a list with one item for each cell
 * that has any; they take effect at the end of the step, when the list is walked.
 *
 * Invariant: touched[cell] >= base only if the cell has the item touched[cell] - base of the list.
 */
#include <string.h>

#include "base/memory.h"
#include "pram/store.h"

np_status np_store_create(np_access_rule rule, np_store **out)
{
    np_store *store;
    np_status st = np_memory_zeroed(&store, 1, sizeof *store, "a memory");
    *out = store;
    if (st)
        return st;
    store->rule = rule;
    store->fresh = store->base = 1;
    return NP_OK;
}

void np_store_free(np_store *store)
{
    if (!store)
        return;
    np_memory_free(store->words);
    np_memory_free(store->touched);
    np_memory_free(store->pending);
    np_memory_free(store);
}

/* The marks are cleared when a step takes numbers for the first time. So they cost nothing where no step needs them. */
static np_status enlarge(np_store *store, uint64_t capacity)
{
    np_word *words = NULL;
    uint32_t *touched = NULL;
    np_status st = np_memory_array(&words, capacity, sizeof *words, "the cells of a PRAM");
    if (!st)
        st = np_memory_array(&touched, capacity, sizeof *touched, "the cells of a PRAM");
    if (st) {
        np_memory_free(words);
        return st;
    }
    if (store->cells)
        np_team_copy(store->team, words, store->words, store->cells * sizeof *words);
    np_team_clear(store->team, words + store->cells, (capacity - store->cells) * sizeof *words);
    np_memory_free(store->words);
    np_memory_free(store->touched);
    store->words = words;
    store->touched = touched;
    store->capacity = capacity;
    store->fresh = UINT32_MAX;
    return NP_OK;
}

np_status np_store_grow(np_store *store, uint64_t cells)
{
    if (cells > store->capacity) {
        uint64_t capacity = store->capacity + store->capacity / 2; /* ours: growing cell by cell stays linear */
        np_status st = enlarge(store, capacity > cells ? capacity : cells);
        if (st)
            return st;
    }
    if (cells > store->cells)
        store->cells = cells;
    return NP_OK;
}

static np_status reserve_pending(np_store *store, size_t requests)
{
    if (requests <= store->room)
        return NP_OK;
    np_memory_free(store->pending); /* first: nothing in it is kept */
    store->room = 0;
    np_status st = np_memory_array(&store->pending, requests, sizeof *store->pending, "the writes of a PRAM step");
    if (!st)
        store->room = requests;
    return st;
}

np_status np_store_reserve(np_store *store, uint64_t cells, size_t requests)
{
    np_status st = cells > store->capacity ? enlarge(store, cells) : NP_OK;
    return st ? st : reserve_pending(store, requests);
}

uint64_t np_store_bytes(uint64_t cells, size_t requests)
{
    return sizeof(np_store) + np_memory_taken(cells * sizeof(np_word)) + np_memory_taken(cells * sizeof(uint32_t)) +
           np_memory_taken(requests * sizeof(np_pending));
}

uint64_t np_store_cells(const np_store *store) { return store->cells; }

np_word *np_store_words(np_store *store) { return store->words; }

uint32_t np_store_numbers(np_store *store, size_t count)
{
    if (UINT32_MAX - store->fresh <= count) {
        np_team_clear(store->team, store->touched, store->capacity * sizeof *store->touched);
        store->fresh = 1;
    }
    uint32_t base = store->fresh;
    store->fresh += (uint32_t)count;
    return base;
}

np_status np_store_begin(np_store *store, size_t requests)
{
    np_status st = reserve_pending(store, requests);
    if (st)
        return st;
    store->base = np_store_numbers(store, requests);
    store->used = 0;
    return NP_OK;
}

/* What the step has done to the cell; a new item if it has done nothing yet. */
static np_pending *pending_at(np_store *store, np_address address)
{
    uint32_t mark = store->touched[address];
    if (mark >= store->base)
        return &store->pending[mark - store->base];
    store->touched[address] = store->base + store->used;
    np_pending *pending = &store->pending[store->used++];
    pending->address = address;
    pending->has_fetch = pending->has_write = false;
    return pending;
}

static np_word *word_at(np_store *store, np_address address, bool message)
{
    return store->find ? store->find(store->keeper, address, message) : &store->words[address];
}

static np_word fetch(np_store *store, const np_request *request, np_word before)
{
    np_pending *pending = pending_at(store, request->address);
    np_word reply = pending->has_fetch ? pending->fetched : before;
    pending->has_fetch = true;
    pending->fetched = np_fetch_apply((np_fetch_op)request->op, reply, request->value);
    return reply;
}

np_word np_store_serve(np_store *store, const np_request *request)
{
    const np_word *word = word_at(store, request->address, true);
    if (request->kind == NP_ACCESS_READ)
        return *word;
    if (request->kind == NP_ACCESS_FETCH)
        return fetch(store, request, *word);
    np_pending *pending = pending_at(store, request->address);
    if (pending->has_write)
        np_request_combine(store->rule, &pending->write, request);
    else
        pending->write = *request;
    pending->has_write = true;
    return 0;
}

void np_store_commit(np_store *store)
{
    for (uint32_t i = 0; i < store->used; i++) {
        const np_pending *pending = &store->pending[i];
        np_word *word = word_at(store, pending->address, false);
        if (pending->has_fetch)
            *word = pending->fetched;
        if (!pending->has_write || (pending->write.several && store->rule == NP_RULE_TOLERANT))
            continue;
        *word = pending->write.several && store->rule == NP_RULE_COLLISION ? NP_COLLISION : pending->write.value;
    }
    store->used = 0;
}
