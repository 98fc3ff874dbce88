/*
 * The ideal machine: unit cost, as a PRAM is defined.
 *
 * A step whose accesses are all of one kind needs no list of effects: reads change nothing, writes
 * have no reader in the step, and fetches are served in place, in processor order. Concurrent
 * writes are resolved in place as well: each cell is marked with the processor whose value it holds
 * (np_store_numbers).
 *
 * Sums of reals. The accesses to a cell make a chain, in processor order, along which one exact sum goes
 * (base/exact_sum.h).
 *
 * Threads share reads and exclusive writes by processors. They share fetches and concurrent writes by cells, because
 * these take effect in the order of processors at each cell.
 */
#include "base/hot.h"
#include "base/memory.h"
#include "machine/pram/inside.h"

static np_status create(const char *parameters, const np_pram_options *options, np_machine **out)
{
    (void)options;
    *out = NULL;
    if (*parameters)
        return NP_RAISE(NP_ERROR_INPUT, "ideal:%s: the ideal machine has no parameters: try ideal", parameters);
    return np_memory_zeroed(out, 1, sizeof **out, "a machine");
}

static void destroy(np_machine *machine) { np_memory_free(machine); }

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
             .parameters = "", .takes = "threads"},
    .create = create,
    .free = destroy,
    .serve = serve,
};

/* A step, for all threads that serve it. */
typedef struct service {
    np_store *store;
    const np_draws *draws;
    const np_pram_step *step;
    const uint32_t *number; /* of the processors; NULL: as in the step */
    np_cell_type type;      /* of the cells */
    uint32_t base;          /* of the marks */
} service;

/* What is done to an access that no other one depends on. */
typedef void move_word(np_word *cell, np_word *value);

/* Serves the accesses of the thread's processors. */
NP_INLINE void serve_mine(const service *s, np_part part, move_word *move)
{
    np_word *words = s->store->words, *value = s->step->value;
    const np_address *address = s->step->address;
    const uint8_t *active = s->step->active;
    const np_range mine = np_part_of(part, s->step->count);
    uint32_t processor[NP_PART_PICKS];
    if (!active)
        for (size_t i = mine.begin; i < mine.end; i++)
            move(&words[address[i]], &value[i]);
    else
        for (size_t begin = mine.begin; begin < mine.end; begin += NP_PART_PICKS) {
            size_t picked = np_part_active(active, begin, np_part_block(begin, mine.end), processor);
            for (size_t k = 0; k < picked; k++)
                move(&words[address[processor[k]]], &value[processor[k]]);
        }
}

NP_INLINE void read_word(np_word *cell, np_word *value) { *value = *cell; }

static void serve_reads(const service *s, np_part part) { serve_mine(s, part, read_word); }

NP_INLINE void write_word(np_word *cell, np_word *value) { *cell = *value; }

static void write_exclusive(const service *s, np_part part) { serve_mine(s, part, write_word); }

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

/* The same of reals and bools. */
NP_INLINE void fetch_typed(const service *s, uint32_t i)
{
    np_word *word = &s->store->words[s->step->address[i]], before = *word;
    *word = np_values_apply(s->type, s->step->op, before, s->step->value[i]);
    s->step->value[i] = before;
}

static void serve_typed_fetches(const service *s, np_part part) { serve_own(s, part, fetch_typed); }

/* ---- Sums of reals ---- */

/* The mark of a cell is that of its last processor so far. */
NP_INLINE void chain_one(const service *s, uint32_t i)
{
    uint32_t *mark = &s->store->touched[s->step->address[i]];
    if (*mark >= s->base)
        s->store->chain[*mark - s->base] = i;
    *mark = s->base + i;
}

/* The cell becomes the sum of what the processors from first to last write, or add to it. */
static void sum_chain(const service *s, uint32_t first, uint32_t last)
{
    const bool fetches = s->step->all == NP_ACCESS_FETCH;
    np_word *word = &s->store->words[s->step->address[first]], *value = s->step->value, before = *word;
    np_exact_sum sum;
    np_exact_sum_clear(&sum);
    if (fetches)
        np_values_add(&sum, before);
    for (uint32_t i = first;; i = s->store->chain[i]) {
        const np_word operand = value[i];
        if (fetches)
            value[i] = i == first ? before : np_values_sum(&sum);
        np_values_add(&sum, operand);
        if (i == last)
            break;
    }
    *word = np_values_sum(&sum);
}

/* The first processor of a chain serves all of it: then the cell has no mark. */
NP_INLINE void sum_one(const service *s, uint32_t i)
{
    const np_address address = s->step->address[i];
    uint32_t *mark = &s->store->touched[address], last = *mark - s->base;
    if (*mark < s->base)
        return;
    *mark = 0;
    if (i != last)
        sum_chain(s, i, last);
    else if (s->step->all == NP_ACCESS_FETCH)
        fetch_typed(s, i);
    else
        s->store->words[address] = s->step->value[i];
}

static void serve_sums(const service *s, np_part part)
{
    serve_own(s, part, chain_one);
    serve_own(s, part, sum_one);
}

/* ---- Concurrent writes ---- */

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

static uint32_t lot(const service *s, uint32_t i) { return np_request_lot(s->draws, s->number ? s->number[i] : i); }

/* A second or later write to a cell. holder: the processor whose value is in the cell; returns the new holder. */
static uint32_t write_again(const service *s, np_word *word, uint32_t holder, uint32_t processor, np_word value)
{
    np_access_rule rule = s->store->rule;
    if (rule == NP_RULE_COLLISION)
        *word = np_values_collision(s->type);
    else if (rule >= NP_RULE_ADD)
        *word = np_values_combine(s->type, np_request_op_of(rule), *word, value);
    else if (np_request_by_lot(rule) && lot(s, processor) < lot(s, holder)) {
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

/* Has the step sums of reals? */
static bool has_sums(const service *s)
{
    const bool fetches = s->step->all == NP_ACCESS_FETCH;
    return (fetches || s->store->rule == NP_RULE_ADD) &&
           np_values_summed(s->type, fetches ? s->step->op : NP_FETCH_ADD);
}

static void (*choose(const service *s, bool exclusive))(const service *, np_part)
{
    if (s->step->all == NP_ACCESS_READ)
        return serve_reads;
    if (s->step->all == NP_ACCESS_WRITE && exclusive)
        return write_exclusive;
    if (!exclusive && has_sums(s))
        return serve_sums;
    if (s->step->all == NP_ACCESS_FETCH)
        return s->type == NP_CELL_INT ? serve_fetches : serve_typed_fetches;
    return s->store->rule == NP_RULE_TOLERANT ? write_tolerant : serve_writes;
}

typedef struct serving {
    const service *s;
    void (*serve_part)(const service *, np_part);
} serving;

static void serve_one_part(void *context, np_part part)
{
    const serving *all = context;
    all->serve_part(all->s, part);
}

np_status np_ideal_serve(np_store *store, const np_draws *draws, const np_pram_step *step, const np_step_survey *survey,
                         const uint32_t *number)
{
    service s = {.store = store, .draws = draws, .step = step, .number = number, .type = survey->types.all};
    void (*serve_part)(const service *, np_part) = choose(&s, survey->exclusive);
    np_status st = serve_part == serve_sums ? np_store_chains(store, step->count) : NP_OK;
    if (st)
        return st;
    if (serve_part == serve_sums || serve_part == serve_writes || serve_part == write_tolerant)
        s.base = np_store_numbers(store, step->count + 1);
    np_team_each(store->team, step->count, serve_one_part, &(serving){&s, serve_part});
    return NP_OK;
}
