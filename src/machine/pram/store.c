/*
 * The memory: the cells, and what the present step has done to them. Reads look at the cells, which
 * do not change before the step ends. Fetches and writes go to a list with one item for each cell
 * that has any; they take effect at the end of the step, when the list is walked.
 *
 * Requests of sums of reals come one by one. A cell has an exact sum as soon as there are two operands, which is
 * rounded for each reply, and at the end.
 *
 * Invariant: touched[cell] >= base only if the cell has the item touched[cell] - base of the list.
 */
#include "base/room.h"
#include "machine/pram/store.h"

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
    NP_MEMORY_FREE(store->words, store->touched, store->pending, store->sum, store->chain, store);
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
    NP_MEMORY_FREE(store->words, store->touched);
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

np_status np_store_chains(np_store *store, size_t processors)
{
    return np_memory_need(&store->chain, 0, processors, &store->chain_room, sizeof *store->chain,
                          "the sums of a PRAM step");
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

np_status np_store_begin(np_store *store, size_t requests, size_t sums)
{
    np_status st =
        np_memory_need(&store->pending, 0, requests, &store->room, sizeof *store->pending, "the writes of a PRAM step");
    if (!st)
        st = np_memory_need(&store->sum, 0, sums, &store->sums_room, sizeof *store->sum, "the sums of a PRAM step");
    if (st)
        return st;
    store->base = np_store_numbers(store, requests);
    store->used = 0;
    store->sums = 0;
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
    pending->adds = pending->sums_fetched = pending->sums_written = false;
    return pending;
}

static np_word *word_at(np_store *store, np_address address, bool message)
{
    return store->find ? store->find(store->keeper, address, message) : &store->words[address];
}

/* A new sum of the two: *number is its number. */
static void begin_sum(np_store *store, np_word a, np_word b, np_word *number)
{
    np_exact_sum *sum = &store->sum[store->sums];
    np_exact_sum_clear(sum);
    np_values_add(sum, a);
    np_values_add(sum, b);
    *number = (np_word)store->sums++;
}

/* before: what the cell holds. */
static np_word fetch_sum(np_store *store, np_pending *pending, np_word before, np_word operand)
{
    if (!pending->has_fetch) {
        pending->has_fetch = pending->adds = true;
        pending->fetched = operand;
        return before;
    }
    if (!pending->sums_fetched)
        begin_sum(store, before, pending->fetched, &pending->fetched);
    pending->sums_fetched = true;
    np_exact_sum *sum = &store->sum[pending->fetched];
    np_word reply = np_values_sum(sum);
    np_values_add(sum, operand);
    return reply;
}

static np_word fetch(np_store *store, const np_request *request, np_word before)
{
    np_pending *pending = pending_at(store, request->address);
    if (np_request_summed(store->rule, request))
        return fetch_sum(store, pending, before, request->value);
    np_word reply = pending->has_fetch ? pending->fetched : before;
    pending->has_fetch = true;
    pending->fetched = np_values_combine(request->type, request->op, reply, request->value);
    return reply;
}

static void write_sum(np_store *store, np_pending *pending, np_word value)
{
    np_request *write = &pending->write;
    if (pending->sums_written)
        np_values_add(&store->sum[write->value], value);
    else
        begin_sum(store, write->value, value, &write->value);
    pending->sums_written = true;
    write->several = 1;
}

static void write(np_store *store, const np_request *request)
{
    np_pending *pending = pending_at(store, request->address);
    if (!pending->has_write)
        pending->write = *request;
    else if (np_request_summed(store->rule, request))
        write_sum(store, pending, request->value);
    else
        np_request_combine(store->rule, &pending->write, request);
    pending->has_write = true;
}

np_word np_store_serve(np_store *store, const np_request *request)
{
    const np_word *word = word_at(store, request->address, true);
    if (request->kind == NP_ACCESS_READ)
        return *word;
    if (request->kind == NP_ACCESS_FETCH)
        return fetch(store, request, *word);
    write(store, request);
    return 0;
}

/* What the fetches of the step leave. */
static np_word fetched(const np_store *store, const np_pending *pending, np_word before)
{
    if (pending->sums_fetched)
        return np_values_sum(&store->sum[pending->fetched]);
    return pending->adds ? np_values_combine(NP_CELL_REAL, NP_FETCH_ADD, before, pending->fetched) : pending->fetched;
}

/* What its writes leave. */
static np_word written(const np_store *store, const np_pending *pending)
{
    if (pending->sums_written)
        return np_values_sum(&store->sum[pending->write.value]);
    return pending->write.several && store->rule == NP_RULE_COLLISION ? np_values_collision(pending->write.type)
                                                                      : pending->write.value;
}

void np_store_commit(np_store *store)
{
    for (uint32_t i = 0; i < store->used; i++) {
        const np_pending *pending = &store->pending[i];
        np_word *word = word_at(store, pending->address, false);
        if (pending->has_fetch)
            *word = fetched(store, pending, *word);
        if (pending->has_write && !(pending->write.several && store->rule == NP_RULE_TOLERANT))
            *word = written(store, pending);
    }
    store->used = 0;
}
