/*
 * The ideal machine: unit cost, as a PRAM is defined.
 *
 * A step whose accesses are all of one kind needs no list of effects: reads change nothing, writes
 * have no reader in the step, and fetches are served in place, in processor order. Concurrent
 * writes are resolved in place as well: each cell is marked with the processor whose value it holds
 * (np_store_numbers).
 */
#include "base/memory.h"
#include "pram/ideal.h"

static np_status create(const char *parameters, const np_pram_options *options, np_machine **out)
{
    (void)options;
    *out = NULL;
    if (*parameters)
        return NP_RAISE(NP_ERROR_INPUT, "ideal:%s: the ideal machine has no parameters: try ideal", parameters);
    return np_memory_zeroed(out, 1, sizeof **out, "a machine");
}

static void destroy(np_machine *machine) { np_memory_free(machine); }

static np_status bytes(const char *parameters, const np_pram_options *options, uint64_t cells, uint64_t accesses,
                       uint64_t *out)
{
    (void)parameters, (void)options, (void)cells, (void)accesses;
    *out = sizeof(np_machine);
    return NP_OK;
}

static np_status serve(np_machine *machine, np_store *store, const np_request *request, size_t count, np_word *reply,
                       np_batch_cost *cost)
{
    (void)machine, (void)cost;
    for (size_t i = 0; i < count; i++)
        reply[i] = np_store_serve(store, &request[i]);
    return NP_OK;
}

const np_machine_ops np_machine_ideal = {
    .info = {"ideal", "every access takes unit time: the PRAM as it is defined", "Fortune & Wyllie 1978",
             .parameters = ""},
    .create = create,
    .free = destroy,
    .serve = serve,
    .bytes = bytes,
};

static inline bool is_active(const np_pram_step *step, size_t i) { return !step->active || step->active[i]; }

static void serve_reads(const np_store *store, const np_pram_step *step)
{
    const np_word *words = store->words;
    const np_address *address = step->address;
    np_word *value = step->value;
    if (!step->active)
        for (size_t i = 0; i < step->count; i++)
            value[i] = words[address[i]];
    else
        for (size_t i = 0; i < step->count; i++)
            if (step->active[i])
                value[i] = words[address[i]];
}

static void serve_fetches(np_store *store, const np_pram_step *step)
{
    for (size_t i = 0; i < step->count; i++)
        if (is_active(step, i)) {
            np_word *word = &store->words[step->address[i]], before = *word;
            *word = np_fetch_apply(step->op, before, step->value[i]);
            step->value[i] = before;
        }
}

static void write_exclusive(np_store *store, const np_pram_step *step)
{
    np_word *words = store->words;
    const np_address *address = step->address;
    const np_word *value = step->value;
    if (!step->active)
        for (size_t i = 0; i < step->count; i++)
            words[address[i]] = value[i];
    else
        for (size_t i = 0; i < step->count; i++)
            if (step->active[i])
                words[address[i]] = value[i];
}

/* Cells that several processors write do not change: first find these cells, then write the others. */
static void write_tolerant(np_store *store, const np_pram_step *step)
{
    uint32_t base = np_store_numbers(store, step->count + 1), several = base + (uint32_t)step->count;
    for (size_t i = 0; i < step->count; i++)
        if (is_active(step, i)) {
            uint32_t *mark = &store->touched[step->address[i]];
            *mark = *mark < base ? base + (uint32_t)i : several;
        }
    for (size_t i = 0; i < step->count; i++)
        if (is_active(step, i) && store->touched[step->address[i]] == base + (uint32_t)i)
            store->words[step->address[i]] = step->value[i];
}

/* A second or later write to a cell. holder: the processor whose value is in the cell; returns the new holder. */
static uint32_t write_again(np_store *store, const np_draws *draws, np_word *word, uint32_t holder, uint32_t processor,
                            np_word value)
{
    if (store->rule == NP_RULE_COLLISION)
        *word = NP_COLLISION;
    else if (store->rule >= NP_RULE_ADD)
        *word = np_fetch_apply(np_request_op_of(store->rule), *word, value);
    else if (np_request_by_lot(store->rule) && np_request_lot(draws, processor) < np_request_lot(draws, holder)) {
        *word = value;
        return processor;
    }
    return holder;
}

static void serve_writes(np_store *store, const np_draws *draws, const np_pram_step *step)
{
    uint32_t base = np_store_numbers(store, step->count);
    for (size_t i = 0; i < step->count; i++) {
        if (!is_active(step, i))
            continue;
        uint32_t *mark = &store->touched[step->address[i]];
        np_word *word = &store->words[step->address[i]];
        if (*mark < base) {
            *mark = base + (uint32_t)i;
            *word = step->value[i];
        } else
            *mark = base + write_again(store, draws, word, *mark - base, (uint32_t)i, step->value[i]);
    }
}

void np_ideal_serve(np_store *store, const np_draws *draws, const np_pram_step *step, bool exclusive)
{
    if (step->all == NP_ACCESS_READ)
        serve_reads(store, step);
    else if (step->all == NP_ACCESS_FETCH)
        serve_fetches(store, step);
    else if (exclusive)
        write_exclusive(store, step);
    else if (store->rule == NP_RULE_TOLERANT)
        write_tolerant(store, step);
    else
        serve_writes(store, draws, step);
}
