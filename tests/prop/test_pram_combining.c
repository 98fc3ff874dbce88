/*
 * Combination on the way: the requests of a step for one cell, merged as
 * neighbours into random trees, reach memory as a few; replies are taken apart on the
 * way back. Everybody gets what he would have got one by one.
 */
#include "support.h"

#include "base/random.h"
#include "oracle/pram.h"
#include "machine/pram/request.h"

enum { PROCESSORS = 40, CELLS = 5, TRIALS = 60 };

static const uint64_t STEP = 0;

/* A step, and the requests of its processors. */
typedef struct bundle {
    np_access_rule rule;
    np_draws draws; /* of the test's choices */
    uint32_t thrown;
    np_address address[PROCESSORS];
    uint8_t kind[PROCESSORS];
    np_word value[PROCESSORS], reply[PROCESSORS];
    np_pram_step step;
    np_request request[PROCESSORS];
    np_store *store;
} bundle;

static uint32_t throw_below(bundle *b, uint32_t bound) { return np_random_below(&b->draws, 0, b->thrown++, bound); }

static void fill(bundle *b)
{
    for (uint32_t i = 0; i < PROCESSORS; i++) {
        b->address[i] = throw_below(b, CELLS);
        b->kind[i] = (uint8_t)throw_below(b, 3);
        b->value[i] = (np_word)throw_below(b, 9) - 4;
    }
    b->step = (np_pram_step){.count = PROCESSORS,
                             .address = b->address,
                             .kind = b->kind,
                             .op = (np_fetch_op)throw_below(b, 6),
                             .value = b->value};
    np_draws lots = np_request_draws(b->draws.seed, STEP);
    for (uint32_t i = 0; i < PROCESSORS; i++)
        b->request[i] = np_request_of(b->rule, &lots, &b->step, i, NP_CELL_INT);
}

/* A list of like requests combined: a random tree over it; several lists reach memory one after another. */
typedef struct group {
    size_t count;
    uint32_t processor[PROCESSORS];
} group;

static np_request merge(bundle *b, const group *g, size_t low, size_t high, np_request (*left)[PROCESSORS + 1],
                        uint8_t (*split)[PROCESSORS + 1])
{
    if (high - low == 1)
        return b->request[g->processor[low]];
    size_t middle = low + 1 + throw_below(b, (uint32_t)(high - low - 1));
    np_request whole = merge(b, g, low, middle, left, split);
    np_request right = merge(b, g, middle, high, left, split);
    left[low][high] = whole; /* as it was before combining */
    split[low][high] = (uint8_t)middle;
    np_request_combine(b->rule, &whole, &right);
    assert_int_equal(whole.first, g->processor[low]);
    assert_int_equal(whole.several, 1);
    return whole;
}

static void take_apart(bundle *b, const group *g, size_t low, size_t high, np_word reply,
                       np_request (*left)[PROCESSORS + 1], uint8_t (*split)[PROCESSORS + 1])
{
    if (high - low == 1) {
        b->reply[g->processor[low]] = reply;
        return;
    }
    size_t middle = split[low][high];
    take_apart(b, g, low, middle, reply, left, split);
    take_apart(b, g, middle, high, np_request_reply_right(&left[low][high], reply), left, split);
}

/* Serves processors low..high-1 of a group as one request. */
static void serve_part(bundle *b, const group *g, size_t low, size_t high)
{
    static np_request left[PROCESSORS][PROCESSORS + 1];
    static uint8_t split[PROCESSORS][PROCESSORS + 1];
    np_request whole = merge(b, g, low, high, left, split);
    take_apart(b, g, low, high, np_store_serve(b->store, &whole), left, split);
}

/* In parts, as in several batches; those of writes may come in any order. */
static void serve_group(bundle *b, const group *g, np_access_kind kind)
{
    if (!g->count)
        return;
    size_t cut = throw_below(b, (uint32_t)g->count + 1);
    bool backwards = kind != NP_ACCESS_FETCH && throw_below(b, 2);
    if (backwards && cut < g->count)
        serve_part(b, g, cut, g->count);
    if (cut)
        serve_part(b, g, 0, cut);
    if (!backwards && cut < g->count)
        serve_part(b, g, cut, g->count);
}

/* Kinds in any order: what they see does not depend on it. */
static void serve_cell(bundle *b, np_address address)
{
    uint32_t turn = throw_below(b, 3);
    for (uint32_t k = 0; k < 3; k++) {
        np_access_kind kind = (np_access_kind)((k + turn) % 3);
        group g = {0};
        for (uint32_t i = 0; i < PROCESSORS; i++)
            if (b->address[i] == address && b->kind[i] == kind)
                g.processor[g.count++] = i;
        serve_group(b, &g, kind);
    }
}

static void try_trees(np_access_rule rule, uint64_t seed)
{
    bundle b = {.rule = rule, .draws = {.seed = seed, .purpose = NP_RANDOM_CHECK, .run = rule}};
    np_word memory[CELLS];
    fill(&b);
    assert_ok(np_store_create(rule, &b.store));
    assert_ok(np_store_grow(b.store, CELLS));
    for (uint32_t x = 0; x < CELLS; x++)
        np_store_words(b.store)[x] = memory[x] = (np_word)throw_below(&b, 100);
    assert_ok(np_store_begin(b.store, PROCESSORS, 0));
    for (np_address x = 0; x < CELLS; x++)
        serve_cell(&b, x);
    np_store_commit(b.store);
    oracle_pram oracle = {.rule = rule, .seed = seed, .cells = CELLS, .memory = memory, .steps = STEP};
    oracle_pram_step(&oracle, &b.step, false);
    assert_memory_equal(np_store_words(b.store), memory, sizeof memory);
    for (uint32_t i = 0; i < PROCESSORS; i++)
        if (b.kind[i] != NP_ACCESS_WRITE)
            assert_int_equal(b.reply[i], b.value[i]); /* the oracle's replies are in the step's values */
    np_store_free(b.store);
}

static void test_trees(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < NP_RULES; rule++)
        for (uint64_t seed = 1; seed <= TRIALS; seed++)
            try_trees((np_access_rule)rule, seed);
}

/* A cell that one request writes and another combines is the same as (a b) c = a (b c). */
static void test_associative(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < NP_RULES; rule++)
        for (uint64_t seed = 1; seed <= TRIALS; seed++) {
            bundle b = {.rule = (np_access_rule)rule, .draws = {.seed = seed, .purpose = NP_RANDOM_CHECK}};
            fill(&b);
            uint8_t kind = (uint8_t)throw_below(&b, 3);
            np_request a[3];
            for (int i = 0; i < 3; i++) {
                b.kind[i] = kind;
                b.address[i] = 0;
                np_draws lots = np_request_draws(seed, STEP);
                a[i] = np_request_of((np_access_rule)rule, &lots, &b.step, (uint32_t)i, NP_CELL_INT);
            }
            np_request first = a[0], last = a[1];
            np_request_combine((np_access_rule)rule, &first, &a[1]);
            np_request_combine((np_access_rule)rule, &first, &a[2]);
            np_request_combine((np_access_rule)rule, &last, &a[2]);
            np_request_combine((np_access_rule)rule, &a[0], &last);
            assert_int_equal(first.value, a[0].value);
            assert_int_equal(first.winner, a[0].winner);
            assert_int_equal(first.lot, a[0].lot);
            assert_int_equal(first.first, 0);
            assert_int_equal(a[0].first, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_associative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
