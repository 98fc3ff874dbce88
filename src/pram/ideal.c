/*
 * The ideal machine: unit cost, as a PRAM is defined.
 *
 * A step whose accesses are all of one kind needs no list of effects: reads change nothing, writes
 * have no reader in the step, and fetches are served in place, in processor order. Concurrent
 * writes are resolved in place as well: each cell is marked with the processor whose value it holds
 * (np_store_numbers).
 *
 * Threads share reads and exclusive writes by processors. They share fetches and concurrent writes by cells, because
 * these take effect in the order of processors at each cell.
 */
#include "base/hot.h"
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

/* A step, for all threads that serve it. */
typedef struct service {
    np_store *store;
    const np_draws *draws;
    const np_pram_step *step;
    uint32_t base; /* of the marks */
} service;

static void serve_reads(const service *s, np_part part)
{
    const np_word *words = s->store->words;
    const np_address *address = s->step->address;
    const uint8_t *active = s->step->active;
    np_word *value = s->step->value;
    np_range mine = np_part_of(part, s->step->count);
    if (!active)
        for (size_t i = mine.begin; i < mine.end; i++)
            value[i] = words[address[i]];
    else
        for (size_t begin = mine.begin; begin < mine.end; begin += NP_PART_PICKS) {
            uint32_t processor[NP_PART_PICKS];
            size_t picked = np_part_active(active, begin, np_part_block(begin, mine.end), processor);
            for (size_t k = 0; k < picked; k++)
                value[processor[k]] = words[address[processor[k]]];
        }
}

static void write_exclusive(const service *s, np_part part)
{
    np_word *words = s->store->words;
    const np_address *address = s->step->address;
    const uint8_t *active = s->step->active;
    const np_word *value = s->step->value;
    np_range mine = np_part_of(part, s->step->count);
    if (!active)
        for (size_t i = mine.begin; i < mine.end; i++)
            words[address[i]] = value[i];
    else
        for (size_t begin = mine.begin; begin < mine.end; begin += NP_PART_PICKS) {
            uint32_t processor[NP_PART_PICKS];
            size_t picked = np_part_active(active, begin, np_part_block(begin, mine.end), processor);
            for (size_t k = 0; k < picked; k++)
                words[address[processor[k]]] = value[processor[k]];
        }
}

/* What is done to an access whose cell is the thread's. */
typedef void serve_one(const service *s, uint32_t processor);

/* Serves the accesses to the thread's cells, in the order of their processors. */
NP_INLINE void serve_own(const service *s, np_part part, serve_one *one)
{
    uint32_t processor[NP_PART_PICKS];
    size_t count = s->step->count;
    for (size_t begin = 0; begin < count; begin += NP_PART_PICKS) {
        size_t picked = np_part_pick(part, s->step, begin, np_part_block(begin, count), processor);
        for (size_t k = 0; k < picked; k++)
            one(s, processor[k]);
    }
}

NP_INLINE void fetch_one(const service *s, uint32_t i)
{
    np_word *word = &s->store->words[s->step->address[i]], before = *word;
    *word = np_fetch_apply(s->step->op, before, s->step->value[i]);
    s->step->value[i] = before;
}

static void serve_fetches(const service *s, np_part part) { serve_own(s, part, fetch_one); }

/* Cells that several processors write do not change: first find these cells, then write the others. */
NP_INLINE void mark_one(const service *s, uint32_t i)
{
    uint32_t *mark = &s->store->touched[s->step->address[i]];
    *mark = *mark < s->base ? s->base + i : s->base + (uint32_t)s->step->count;
}

NP_INLINE void write_alone(const service *s, uint32_t i)
{
    if (s->store->touched[s->step->address[i]] == s->base + i)
        s->store->words[s->step->address[i]] = s->step->value[i];
}

static void write_tolerant(const service *s, np_part part)
{
    serve_own(s, part, mark_one);
    serve_own(s, part, write_alone);
}

/* A second or later write to a cell. holder: the processor whose value is in the cell; returns the new holder. */
static uint32_t write_again(const service *s, np_word *word, uint32_t holder, uint32_t processor, np_word value)
{
    np_access_rule rule = s->store->rule;
    if (rule == NP_RULE_COLLISION)
        *word = NP_COLLISION;
    else if (rule >= NP_RULE_ADD)
        *word = np_fetch_apply(np_request_op_of(rule), *word, value);
    else if (np_request_by_lot(rule) && np_request_lot(s->draws, processor) < np_request_lot(s->draws, holder)) {
        *word = value;
        return processor;
    }
    return holder;
}

NP_INLINE void write_one(const service *s, uint32_t i)
{
    uint32_t *mark = &s->store->touched[s->step->address[i]];
    np_word *word = &s->store->words[s->step->address[i]];
    if (*mark < s->base) {
        *mark = s->base + i;
        *word = s->step->value[i];
    } else
        *mark = s->base + write_again(s, word, *mark - s->base, i, s->step->value[i]);
}

static void serve_writes(const service *s, np_part part) { serve_own(s, part, write_one); }

void np_ideal_serve(np_store *store, const np_draws *draws, const np_pram_step *step, bool exclusive)
{
    service s = {.store = store, .draws = draws, .step = step};
    void (*serve_part)(const service *, np_part) = serve_writes;
    if (step->all == NP_ACCESS_READ)
        serve_part = serve_reads;
    else if (step->all == NP_ACCESS_FETCH)
        serve_part = serve_fetches;
    else if (exclusive)
        serve_part = write_exclusive;
    else {
        if (store->rule == NP_RULE_TOLERANT)
            serve_part = write_tolerant;
        s.base = np_store_numbers(store, step->count + 1);
    }
#pragma omp parallel NP_TEAM_OF(np_team_for(store->team, step->count))
    serve_part(&s, np_part_mine());
}
