/*
 * Accesses of one rank to one cell become one request: reads; fetches of ints, of which each processor keeps what those
 * before it have given, and combines it with the reply; and writes that combine, or of which one wins.
 *
 * A table remembers the last cells. One that was forgotten gets another request. So the requests for a cell are of
 * processors one after the other, in ascending order, as the accesses are; and as every combination is associative,
 * what the cell and its readers get is what they would get of the accesses.
 *
 * Whether it pays a sample of the step's addresses says: half of them are the same as others.
 */
#include "base/memory.h"
#include "machine/pram/division_step.h"

enum {
    SEEN_BITS = 12, /* log2 of the cells that are remembered: 64 kB (ours) */
    SAMPLES = 512   /* addresses that are looked at (ours) */
};

/* A cell that was accessed. */
typedef struct np_seen {
    np_address address;
    uint32_t entry; /* its request */
} np_seen;

static np_seen *seen_at(const np_traffic *t, np_address address)
{
    return &t->seen[address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SEEN_BITS)];
}

static void forget(const np_traffic *t)
{
    for (size_t i = 0; i < 1 << SEEN_BITS; i++)
        t->seen[i].address = UINT64_MAX;
}

/* ---- Does it pay? ---- */

static bool combines(const np_passage *p)
{
    const np_access_rule rule = p->pram->options.rule;
    if (p->due || p->alone)
        return false;
    if (p->step->all == NP_ACCESS_READ)
        return true;
    if (p->step->all == NP_ACCESS_FETCH)
        return p->type == NP_CELL_INT;
    if (rule >= NP_RULE_ADD)
        return !np_values_summed(p->type, np_request_op_of(rule));
    return rule == NP_RULE_PRIORITY || np_request_by_lot(rule);
}

static bool is_crowded(const np_passage *p)
{
    const np_pram_step *step = p->step;
    size_t again = 0;
    forget(&p->d->traffic);
    for (size_t i = 0; i < SAMPLES; i++) {
        const size_t at = step->count / SAMPLES * i;
        np_seen *seen = seen_at(&p->d->traffic, step->address[at]);
        if (!np_step_active(step, at))
            continue;
        again += seen->address == step->address[at];
        seen->address = step->address[at];
    }
    return again >= SAMPLES / 2;
}

np_status np_join_begin(np_passage *p)
{
    np_traffic *t = &p->d->traffic;
    const size_t count = p->step->count;
    np_status st = NP_OK;
    if (count < NP_ROOM_LEAST || !combines(p))
        return NP_OK;
    if (!t->seen)
        st = np_memory_array(&t->seen, 1 << SEEN_BITS, sizeof *t->seen, "the requests of a PRAM step");
    if (st || !is_crowded(p))
        return st;
    p->joined = true;
    if (count <= t->joined_room)
        return NP_OK;
    t->joined_room = 0;
    if ((st = np_memory_grow(&t->entry, 0, count, sizeof *t->entry, "the requests of a PRAM step")) ||
        (st = np_memory_grow(&t->joined, 0, count, sizeof *t->joined, "the requests of a PRAM step")) ||
        (st = np_memory_grow(&t->winner, 0, count, sizeof *t->winner, "the requests of a PRAM step")))
        return st;
    t->joined_room = count;
    return NP_OK;
}

/* ---- Joined ---- */

/* What a fetch has of others when there are none: combined with any word it leaves the word. */
static np_word nothing(np_fetch_op op)
{
    static const np_word words[] = {
        [NP_FETCH_MIN] = INT64_MAX, [NP_FETCH_MAX] = INT64_MIN, [NP_FETCH_AND] = -1, [NP_FETCH_XOR] = 0};
    return words[op];
}

/* The request of the access; *fresh: it is new. */
NP_INLINE uint32_t request_of(np_passage *p, np_address address, bool *fresh)
{
    np_traffic *t = &p->d->traffic;
    np_seen *seen = seen_at(t, address);
    if ((*fresh = seen->address != address)) {
        *seen = (np_seen){address, (uint32_t)p->requests};
        np_passage_add(p, address);
    }
    return t->entry[p->accesses++] = seen->entry;
}

NP_INLINE void read_one(np_passage *p, uint32_t i)
{
    bool fresh;
    request_of(p, p->step->address[i], &fresh);
}

NP_INLINE void fetch_one(np_passage *p, uint32_t i)
{
    bool fresh;
    np_word *value = &p->step->value[i], operand = *value;
    np_word *sum = &p->d->traffic.joined[request_of(p, p->step->address[i], &fresh)];
    *value = fresh ? nothing(p->step->op) : *sum;
    *sum = fresh ? operand : np_fetch_apply(p->step->op, *sum, operand);
}

/* Does the later of two writers win? Their numbers count, which owners do not know of all. */
static bool wins(const np_passage *p, uint32_t before, uint32_t later)
{
    const np_draws draws = np_request_draws(p->pram->options.seed, p->pram->steps);
    return np_request_by_lot(p->pram->options.rule) &&
           np_request_lot(&draws, p->first + later) < np_request_lot(&draws, p->first + before);
}

NP_INLINE void write_one(np_passage *p, uint32_t i)
{
    bool fresh;
    np_traffic *t = &p->d->traffic;
    const np_access_rule rule = p->pram->options.rule;
    const np_word value = p->step->value[i];
    const uint32_t e = request_of(p, p->step->address[i], &fresh);
    if (fresh || (rule < NP_RULE_ADD && wins(p, t->winner[e], i))) {
        t->joined[e] = value;
        t->winner[e] = i;
    } else if (rule >= NP_RULE_ADD)
        t->joined[e] = np_values_combine(p->type, np_request_op_of(rule), t->joined[e], value);
}

NP_INLINE void list(np_passage *p, void (*one)(np_passage *, uint32_t))
{
    uint32_t processor[NP_PART_PICKS];
    for (size_t begin = 0; begin < p->step->count; begin += NP_PART_PICKS) {
        const size_t picked = np_passage_pick(p, begin, processor);
        for (size_t k = 0; k < picked; k++)
            one(p, processor[k]);
    }
}

NP_HOT void np_join_list(np_passage *p)
{
    forget(&p->d->traffic);
    if (p->step->all == NP_ACCESS_READ)
        list(p, read_one);
    else if (p->step->all == NP_ACCESS_FETCH)
        list(p, fetch_one);
    else
        list(p, write_one);
}

void np_join_place(const np_passage *p)
{
    np_traffic *t = &p->d->traffic;
    for (size_t e = 0; e < p->requests && p->step->all != NP_ACCESS_READ; e++)
        t->value_out[t->slot[e]] = t->joined[e];
    for (size_t e = 0; e < p->requests && p->numbered; e++)
        t->number_out[t->slot[e]] = p->first + t->winner[e];
}

NP_HOT void np_join_take(const np_passage *p)
{
    const np_traffic *t = &p->d->traffic;
    uint32_t processor[NP_PART_PICKS];
    np_word *value = p->step->value;
    size_t at = 0;
    for (size_t begin = 0; begin < p->step->count; begin += NP_PART_PICKS) {
        const size_t picked = np_passage_pick(p, begin, processor);
        if (p->step->all == NP_ACCESS_READ)
            for (size_t k = 0; k < picked; k++)
                value[processor[k]] = t->value_out[t->slot[t->entry[at + k]]];
        else
            for (size_t k = 0; k < picked; k++)
                value[processor[k]] =
                    np_fetch_apply(p->step->op, t->value_out[t->slot[t->entry[at + k]]], value[processor[k]]);
        at += picked;
    }
}
