#include "oracle/pram.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "oracle/long_sum.h"

enum { MOST = 4096 };

/* The accesses of a step, in processor order, with the values that come in. */
typedef struct access {
    np_processor processor;
    np_address address;
    np_access_kind kind;
    np_word value;
} access;

static size_t gather(const np_pram_step *step, access *out)
{
    size_t count = 0;
    for (size_t i = 0; i < step->count; i++)
        if (!step->active || step->active[i]) {
            np_access_kind kind = step->kind ? (np_access_kind)step->kind[i] : step->all;
            assert(count < MOST);
            out[count++] = (access){(np_processor)i, step->address[i], kind, step->value[i]};
        }
    return count;
}

static double real_of(np_word word)
{
    double real;
    memcpy(&real, &word, sizeof real);
    return real;
}

static np_word word_of(double real)
{
    np_word word;
    memcpy(&word, &real, sizeof word);
    return isnan(real) ? (np_word)0x7ff8000000000000 : word;
}

static np_cell_type type_at(const oracle_pram *pram, np_address address)
{
    return pram->type ? pram->type[address] : NP_CELL_INT;
}

/* ---- What has a meaning ---- */

static bool means(np_cell_type type, np_access_rule rule)
{
    bool numbers = rule == NP_RULE_ADD || rule == NP_RULE_MIN || rule == NP_RULE_MAX;
    bool truths = rule == NP_RULE_AND || rule == NP_RULE_OR || rule == NP_RULE_XOR;
    if (type == NP_CELL_INT)
        return true;
    return type == NP_CELL_REAL ? !truths : !numbers && rule != NP_RULE_COLLISION;
}

static np_access_rule rule_of(np_fetch_op op) { return (np_access_rule)(NP_RULE_ADD + (int)op); }

bool oracle_pram_refuses(const oracle_pram *pram, const np_pram_step *step)
{
    static access all[MOST];
    size_t count = gather(step, all);
    for (size_t i = 0; i < count; i++) {
        np_cell_type type = type_at(pram, all[i].address);
        if (all[i].kind == NP_ACCESS_FETCH && !means(type, rule_of(step->op)))
            return true;
        for (size_t j = 0; j < i; j++)
            if (all[i].kind == NP_ACCESS_WRITE && all[j].kind == NP_ACCESS_WRITE && all[i].address == all[j].address &&
                !means(type, pram->rule))
                return true;
    }
    return false;
}

/* ---- What comes of a step ---- */

static double apply_real(int op, double a, double b)
{
    if (op == NP_FETCH_ADD)
        return oracle_long_sum((double[]){a, b}, 2);
    if (isnan(a) || isnan(b))
        return NAN;
    bool a_below = a < b || (a == b && signbit(a));
    return (op == NP_FETCH_MIN) == a_below ? a : b;
}

static np_word apply(np_cell_type type, int op, np_word a, np_word b)
{
    if (type == NP_CELL_REAL)
        return word_of(apply_real(op, real_of(a), real_of(b)));
    if (type == NP_CELL_BOOL)
        a = a ? 1 : 0, b = b ? 1 : 0;
    if (op == NP_FETCH_ADD)
        return (np_word)((uint64_t)a + (uint64_t)b);
    if (op == NP_FETCH_MIN)
        return a < b ? a : b;
    if (op == NP_FETCH_MAX)
        return a < b ? b : a;
    return op == NP_FETCH_AND ? a & b : op == NP_FETCH_OR ? a | b : a ^ b;
}

/* The content of the cell after the fetches of the processors below `below`. */
static np_word after_fetches(const access *all, size_t count, np_address address, np_cell_type type, np_word old,
                             int op, uint64_t below)
{
    static double addend[MOST + 1];
    size_t addends = 1;
    addend[0] = real_of(old);
    for (size_t i = 0; i < count; i++)
        if (all[i].address == address && all[i].kind == NP_ACCESS_FETCH && all[i].processor < below) {
            addend[addends++] = real_of(all[i].value);
            old = apply(type, op, old, all[i].value);
        }
    return type == NP_CELL_REAL && op == NP_FETCH_ADD && addends > 1 ? word_of(oracle_long_sum(addend, addends)) : old;
}

static uint32_t lot(const oracle_pram *pram, np_processor processor)
{
    np_draws draws = {.seed = pram->seed, .run = (uint32_t)pram->steps, .purpose = NP_RANDOM_LOT};
    uint32_t block[4];
    np_random_block(&draws, processor, 0, block);
    return block[0];
}

static np_word after_writes(const oracle_pram *pram, const access *all, size_t count, np_address address, np_word old)
{
    static double addend[MOST];
    const np_cell_type type = type_at(pram, address);
    const access *winner = NULL;
    np_word combined = 0;
    size_t writers = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].address != address || all[i].kind != NP_ACCESS_WRITE)
            continue;
        addend[writers] = real_of(all[i].value);
        if (writers && pram->rule >= NP_RULE_ADD)
            combined = apply(type, (int)pram->rule - NP_RULE_ADD, combined, all[i].value);
        else
            combined = all[i].value;
        writers++;
        bool drawn = pram->rule == NP_RULE_ARBITRARY || pram->rule == NP_RULE_ERCW;
        if (!winner || (drawn && lot(pram, all[i].processor) < lot(pram, winner->processor)))
            winner = &all[i];
    }
    if (!writers)
        return old;
    if (writers > 1 && pram->rule == NP_RULE_TOLERANT)
        return old;
    if (writers > 1 && pram->rule == NP_RULE_COLLISION)
        return type == NP_CELL_REAL ? word_of(NAN) : NP_COLLISION;
    if (writers > 1 && pram->rule == NP_RULE_ADD && type == NP_CELL_REAL)
        return word_of(oracle_long_sum(addend, writers));
    return pram->rule >= NP_RULE_ADD ? combined : winner->value;
}

static bool is_equal(np_cell_type type, np_word a, np_word b)
{
    if (type == NP_CELL_REAL)
        return real_of(a) == real_of(b);
    return type == NP_CELL_BOOL ? (a != 0) == (b != 0) : a == b;
}

static bool is_one(np_cell_type type, np_word a) { return is_equal(type, a, type == NP_CELL_REAL ? word_of(1.0) : 1); }

static bool forbids(np_cell_type type, np_access_rule rule, const access *a, const access *b)
{
    bool a_reads = a->kind != NP_ACCESS_WRITE, b_reads = b->kind != NP_ACCESS_WRITE;
    bool a_writes = a->kind != NP_ACCESS_READ, b_writes = b->kind != NP_ACCESS_READ;
    bool only_writes = a->kind == NP_ACCESS_WRITE && b->kind == NP_ACCESS_WRITE;
    bool write_and_fetch = a_writes && b_writes && a->kind != b->kind;
    switch (rule) {
    case NP_RULE_EREW:
        return true;
    case NP_RULE_CREW:
        return a_writes && b_writes;
    case NP_RULE_ERCW:
        return a_reads && b_reads;
    case NP_RULE_WEAK:
        return write_and_fetch || (only_writes && !(is_one(type, a->value) && is_one(type, b->value)));
    case NP_RULE_COMMON:
        return write_and_fetch || (only_writes && !is_equal(type, a->value, b->value));
    default:
        return false;
    }
}

/* Does rule `b` decide all concurrent writes that `a` decides, and as `a` does? agree: all values written are equal. */
static bool same_effect(np_access_rule a, np_access_rule b, bool agree)
{
    bool any_a = a < NP_RULE_TOLERANT || a == NP_RULE_ARBITRARY, any_b = b < NP_RULE_TOLERANT || b == NP_RULE_ARBITRARY;
    bool keeps_a = any_a || a == NP_RULE_PRIORITY || (a >= NP_RULE_MIN && a <= NP_RULE_OR);
    bool keeps_b = any_b || b == NP_RULE_PRIORITY || (b >= NP_RULE_MIN && b <= NP_RULE_OR);
    if (a == b || (agree && keeps_a && keeps_b))
        return true;
    return any_a && (any_b || b == NP_RULE_PRIORITY);
}

/* Judges two accesses to one cell: does the pair violate a rule? */
static void judge_pair(oracle_pram *pram, const access *a, const access *b, bool agree)
{
    const np_cell_type type = type_at(pram, a->address);
    for (int r = 0; r < NP_RULES; r++) {
        const np_access_rule rule = (np_access_rule)r;
        bool both_write = a->kind == NP_ACCESS_WRITE && b->kind == NP_ACCESS_WRITE;
        if (forbids(type, rule, a, b) || (both_write && !same_effect(pram->rule, rule, agree)))
            pram->clean &= ~(UINT32_C(1) << r);
    }
}

/* Do all writers of the cell agree? */
static bool agree_at(const access *all, size_t count, np_address address, np_cell_type type)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (all[i].address == address && all[j].address == address && all[i].kind == NP_ACCESS_WRITE &&
                all[j].kind == NP_ACCESS_WRITE && !is_equal(type, all[i].value, all[j].value))
                return false;
    return true;
}

/* Judges all pairs of accesses to the cell. A cell with violations counts once. */
static bool judge_cell(oracle_pram *pram, const access *all, size_t count, np_address address)
{
    const np_cell_type type = type_at(pram, address);
    bool agree = agree_at(all, count, address, type), found = false;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            if (all[i].address != address || all[j].address != address)
                continue;
            judge_pair(pram, &all[i], &all[j], agree);
            if (!found && forbids(type, pram->rule, &all[i], &all[j])) {
                found = true;
                pram->address = address;
                pram->first = all[i].processor;
                pram->second = all[j].processor;
            }
        }
    return found;
}

void oracle_pram_step(oracle_pram *pram, const np_pram_step *step, bool half)
{
    static access all[MOST];
    size_t count = gather(step, all);
    np_word *next = malloc(pram->cells * sizeof *next);
    for (np_address x = 0; x < pram->cells; x++) {
        pram->violations += judge_cell(pram, all, count, x);
        next[x] = after_fetches(all, count, x, type_at(pram, x), pram->memory[x], (int)step->op, UINT64_MAX);
        next[x] = after_writes(pram, all, count, x, next[x]);
    }
    for (size_t i = 0; i < count; i++) {
        np_word old = pram->memory[all[i].address];
        if (all[i].kind == NP_ACCESS_READ)
            step->value[all[i].processor] = old;
        else if (all[i].kind == NP_ACCESS_FETCH)
            step->value[all[i].processor] = after_fetches(all, count, all[i].address, type_at(pram, all[i].address),
                                                          old, (int)step->op, all[i].processor);
    }
    for (np_address x = 0; x < pram->cells; x++)
        pram->memory[x] = next[x];
    free(next);
    pram->work += count;
    pram->steps += !half;
}

np_access_rule oracle_pram_weakest(const oracle_pram *pram)
{
    static const np_access_rule weakest_first[] = {NP_RULE_EREW,     NP_RULE_CREW,      NP_RULE_WEAK, NP_RULE_COMMON,
                                                   NP_RULE_TOLERANT, NP_RULE_COLLISION, NP_RULE_ERCW, NP_RULE_ARBITRARY,
                                                   NP_RULE_PRIORITY, NP_RULE_ADD,       NP_RULE_MIN,  NP_RULE_MAX,
                                                   NP_RULE_AND,      NP_RULE_OR,        NP_RULE_XOR};
    int i = 0;
    while (!(pram->clean >> weakest_first[i] & 1))
        i++;
    return weakest_first[i];
}
