/*
 * Deterministic algorithms on blocks against what they are to do, said in loops over the rows; steps, hops and
 * comparators against formulas.
 */
#include "support.h"

#include "base/random.h"
#include "papers/flashsort/block.h"

enum { BITS = 10, ROWS = 1 << BITS, HOSTS = 3, TRIES = 12 };

static const char *const host_name[HOSTS] = {"butterfly", "wrapped butterfly", "hypercube"};

static np_sort_log sort_log;
static np_sort_clock sort_clock;
static uint32_t scratch[3 * ROWS];

/* The next call's costs stand alone in the log. */
static np_block block_of(uint32_t bits, int host)
{
    sort_log = (np_sort_log){0};
    sort_clock = (np_sort_clock){0};
    assert_true(np_block_scratch(bits) <= sizeof scratch / sizeof *scratch);
    memset(scratch, 0x5a, sizeof scratch);
    return (np_block){.bits = bits,
                      .hypercube = host == 2,
                      .wrapped = host == 1,
                      .depth = 1,
                      .log = &sort_log,
                      .clock = &sort_clock,
                      .scratch = scratch};
}

static void assert_cost(int host, uint32_t bits, uint64_t steps, uint64_t hops, uint64_t comparators)
{
    const np_sort_stage *stage = &sort_log.stage[0];
    if (sort_clock.now != steps || stage->hops != hops || stage->comparators != comparators)
        fail_msg("%s, %u bits: %llu steps, %llu hops, %llu comparators instead of %llu, %llu, %llu", host_name[host],
                 bits, (unsigned long long)sort_clock.now, (unsigned long long)stage->hops,
                 (unsigned long long)stage->comparators, (unsigned long long)steps, (unsigned long long)hops,
                 (unsigned long long)comparators);
    if (steps) {
        assert_int_equal(sort_log.stages, 1);
        assert_int_equal(stage->times, 1);
        assert_int_equal(stage->depth, 1);
        assert_string_equal(stage->name, "it");
        assert_int_equal(sort_clock.steps[0], steps);
    }
}

/* S, the steps of a straight walk over all levels. */
static uint32_t through(int host, uint32_t bits) { return host ? 0 : bits; }

static uint32_t draw(uint32_t item, uint32_t number, uint32_t below)
{
    np_draws draws = {.seed = 8, .purpose = NP_RANDOM_KEY};
    return np_random_below(&draws, item, number, below);
}

/* Which rows have words: all of one number's bits if there are few rows, else drawn with chances from 0 to 1. */
static uint32_t tries(uint32_t bits) { return bits <= 4 ? UINT32_C(1) << (1 << bits) : TRIES; }

static bool has(uint32_t bits, uint32_t try, uint32_t w)
{
    return bits <= 4 ? try >> w & 1 : draw(w, 100 * bits + try, TRIES - 1) < try;
}

/* Distinct words in no order, NP_NONE where there is none. Returns how many. */
static uint32_t fill(uint32_t bits, uint32_t try, uint32_t *word)
{
    uint32_t words = 0;
    for (uint32_t w = 0; w < UINT32_C(1) << bits; w++) {
        word[w] = has(bits, try, w) ? (w * 7919 + try * 37) % 104729 : NP_NONE;
        words += word[w] != NP_NONE;
    }
    return words;
}

/* Words that cross links if all of some rows send over straight and cross edges. */
static uint64_t both(int host, uint64_t words) { return host == 2 ? words : 2 * words; }

static void test_count(void **state)
{
    (void)state;
    static uint32_t word[ROWS];
    for (int host = 0; host < HOSTS; host++)
        for (uint32_t bits = 0; bits <= BITS; bits++)
            for (uint32_t try = 0; try < tries(bits); try++) {
                np_block block = block_of(bits, host);
                uint64_t rows = UINT64_C(1) << bits, words = fill(bits, try, word);
                assert_int_equal(np_block_count(&block, "it", word), words);
                assert_cost(host, bits, bits + through(host, bits), rows * (bits * both(host, 1) + through(host, bits)),
                            0);
            }
}

static void test_prefix(void **state)
{
    (void)state;
    static uint32_t value[ROWS], before[ROWS];
    for (int host = 0; host < HOSTS; host++)
        for (uint32_t bits = 0; bits <= BITS; bits++)
            for (uint32_t try = 0; try < TRIES; try++) {
                np_block block = block_of(bits, host);
                uint64_t rows = UINT64_C(1) << bits;
                for (uint32_t w = 0; w < rows; w++)
                    value[w] = before[w] = draw(w, try, 1 + try * 1000);
                uint32_t *out = before, sum = 0;
                uint32_t total = np_block_prefix(&block, "it", try % 2 ? value : before, out);
                for (uint32_t w = 0; w < rows; w++) {
                    assert_int_equal(before[w], sum);
                    sum += value[w];
                }
                assert_int_equal(total, sum);
                assert_cost(host, bits, bits + through(host, bits), rows * (bits * both(host, 1) + through(host, bits)),
                            0);
            }
}

static uint32_t weight(uint32_t x) { return (uint32_t)__builtin_popcount(x); }

static void test_concentrate(void **state)
{
    (void)state;
    static uint32_t word[ROWS], expected[ROWS];
    for (int host = 0; host < HOSTS; host++)
        for (uint32_t bits = 0; bits <= BITS; bits++)
            for (uint32_t try = 0; try < tries(bits); try++) {
                np_block block = block_of(bits, host);
                uint64_t rows = UINT64_C(1) << bits, words = fill(bits, try, word), across = 0;
                memset(expected, 0xff, sizeof expected);
                for (uint32_t w = 0, k = 0; w < rows; w++)
                    if (word[w] != NP_NONE) {
                        across += weight(w ^ k);
                        expected[k++] = word[w];
                    }
                assert_int_equal(np_block_concentrate(&block, "it", word), words);
                assert_memory_equal(word, expected, rows * sizeof *word);
                uint64_t hops = rows * (bits * both(host, 1) + through(host, bits)) + words * through(host, bits);
                assert_cost(host, bits, 2 * bits + 2 * through(host, bits), hops + (host == 2 ? across : bits * words),
                            0);
            }
}

/* Sorts a few words by exchanging neighbours. */
static void sort_slowly(uint32_t *word, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && word[j] < word[j - 1]; j--) {
            uint32_t keep = word[j];
            word[j] = word[j - 1];
            word[j - 1] = keep;
        }
}

/*
 * Hops of the rank sort on butterflies, for K = count words: K walk L - 2a levels straight; the copies double on each
 * of a levels; K walk a levels, and double on a levels; K 2^a go on 2 edges on each of a levels; K walk L levels. On a
 * hypercube the copies of the two broadcasts, the sums, and the words that leave row (h, rank).
 */
static uint64_t rank_sort_hops(int host, uint32_t bits, uint32_t a, uint64_t count)
{
    uint64_t copies = count * ((UINT64_C(1) << a) - 1), sums = a * (count << a), home = 0;
    for (uint32_t h = 0; h < count; h++)
        home += weight(h);
    if (host == 2)
        return 2 * copies + sums + home;
    return count * (bits - 2 * a) + 2 * copies + count * a + 2 * copies + 2 * sums + count * bits;
}

static void test_rank_sort(void **state)
{
    (void)state;
    static uint32_t word[ROWS], expected[ROWS];
    for (int host = 0; host < HOSTS; host++)
        for (uint32_t bits = 0; bits <= BITS; bits++)
            for (uint32_t count = 0; count <= UINT32_C(1) << bits / 2; count++)
                for (uint32_t try = 0; try < 5; try++) {
                    np_block block = block_of(bits, host);
                    uint32_t a = 0;
                    while (UINT32_C(1) << a < count)
                        a++;
                    for (uint32_t w = 0; w < ROWS; w++)
                        word[w] = draw(w, try, 1 << 20) << 10 | w; /* distinct */
                    memcpy(expected, word, sizeof word);
                    sort_slowly(expected, count);
                    np_block_rank_sort(&block, "it", count, word);
                    assert_memory_equal(word, expected, sizeof word);
                    if (a)
                        assert_cost(host, bits, host == 2 ? 4 * a : 2 * bits + 2 * a,
                                    rank_sort_hops(host, bits, a, count), (uint64_t)count * (count - 1));
                    else
                        assert_cost(host, bits, 0, 0, 0);
                    assert_int_equal(np_block_rank_sort_most(&block), UINT32_C(1) << bits / 2);
                }
}

/* All orders of four words. */
static void test_rank_sort_exhaustively(void **state)
{
    (void)state;
    np_block block = block_of(4, 0);
    uint32_t sorted[4] = {0, 1, 2, 3};
    for (uint32_t code = 0; code < 256; code++) {
        uint32_t word[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        if ((1 << word[0] | 1 << word[1] | 1 << word[2] | 1 << word[3]) != 15)
            continue;
        np_block_rank_sort(&block, "it", 4, word);
        assert_memory_equal(word, sorted, sizeof word);
    }
}

/* The splitter of a level and row: k = (first `level` bits of the row, 1, 0 ..), of `levels` bits. */
static uint32_t splitter_at(uint32_t bits, uint32_t levels, uint32_t level, uint32_t row)
{
    uint32_t first = row >> (bits - level);
    return (2 * first + 1) << (levels - 1 - level);
}

static void test_distribute(void **state)
{
    (void)state;
    static uint32_t word[ROWS], before[ROWS], splitter[BITS * ROWS];
    for (int host = 0; host < HOSTS; host++)
        for (uint32_t bits = 0; bits <= BITS; bits++)
            for (uint32_t levels = 0; levels <= bits; levels++)
                for (uint32_t try = 0; try < 12; try++) {
                    np_block block = block_of(bits, host);
                    uint32_t rows = UINT32_C(1) << bits, least = (UINT32_C(1) << levels) - 1;
                    uint32_t count = try == 0 ? least : try == 1 ? rows : least + draw(bits, try, rows - least + 1);
                    uint64_t hops = 0;
                    for (uint32_t w = 0; w < rows; w++)
                        word[w] = before[w] = w < count ? 10 * w + 3 : NP_NONE;
                    np_block_distribute(&block, "it", count, word, levels, splitter);
                    assert_memory_equal(word, before, rows * sizeof *word);
                    for (uint32_t level = 0; level < levels; level++)
                        for (uint32_t row = 0; row < rows; row++) {
                            uint64_t k = splitter_at(bits, levels, level, row);
                            uint64_t number = k * (count + 1) / (UINT32_C(1) << levels) - 1;
                            assert_int_equal(splitter[(level << bits) + row], 10 * number + 3);
                        }
                    for (uint32_t k = 1; k <= least; k++) {
                        uint32_t from = (uint32_t)((uint64_t)k * (count + 1) >> levels) - 1, to = k << (bits - levels);
                        uint32_t depth = levels - 1 - (uint32_t)__builtin_ctz(k), copies = (1u << (bits - depth)) - 1;
                        hops += (host == 2 ? weight(from ^ to) : bits) + both(host, copies);
                    }
                    assert_cost(host, bits, levels ? 2 * bits : 0, hops, 0);
                }
}

static void assert_sorted(np_block *block, int host, uint32_t *word)
{
    static uint32_t expected[ROWS];
    uint32_t bits = block->bits, rows = UINT32_C(1) << bits, L = bits;
    memcpy(expected, word, rows * sizeof *word);
    sort_slowly(expected, rows);
    uint64_t words = 0, levels = L * (L + 1) / 2;
    for (uint32_t w = 0; w < rows; w++)
        words += word[w] != NP_NONE;
    np_block_odd_even_merge(block, "it", word);
    assert_memory_equal(word, expected, rows * sizeof *word);
    /* Straight levels, then those with comparators, where every word takes two edges. */
    uint64_t steps[] = {L ? L * L + 3 * L - 2 : 0, L * (L + 1), levels};
    uint64_t straights = steps[host] - levels;
    assert_cost(host, bits, steps[host], words * straights + both(host, words * levels), levels * (rows / 2));
    assert_int_equal(np_block_odd_even_merge_steps(block), steps[host]);
}

/* The 0-1 principle: a network of comparators that sorts all zeros and ones sorts everything. */
static void test_odd_even_merge_0_1(void **state)
{
    (void)state;
    uint32_t word[16];
    for (int host = 0; host < HOSTS; host++)
        for (uint32_t bits = 0; bits <= 4; bits++)
            for (uint32_t code = 0; code < tries(bits); code++) {
                np_block block = block_of(bits, host);
                for (uint32_t w = 0; w < UINT32_C(1) << bits; w++)
                    word[w] = code >> w & 1;
                assert_sorted(&block, host, word);
            }
}

static void test_odd_even_merge(void **state)
{
    (void)state;
    static uint32_t word[ROWS];
    for (int host = 0; host < HOSTS; host++)
        for (uint32_t bits = 0; bits <= BITS; bits++)
            for (uint32_t try = 0; try < TRIES; try++) {
                np_block block = block_of(bits, host);
                fill(bits, try, word);
                assert_sorted(&block, host, word);
            }
}

/* What calls cost adds up; it takes its own place in the log at each depth. */
static void test_charges_add_up(void **state)
{
    (void)state;
    uint32_t word[4] = {3, NP_NONE, 1, NP_NONE};
    np_block block = block_of(2, 0);
    np_block_count(&block, "count", word);
    np_block_concentrate(&block, "concentrate", word);
    block.depth = 2;
    np_block_count(&block, "count", word);
    assert_int_equal(sort_log.stages, 3);
    assert_int_equal(sort_clock.now, 4 + 8 + 4);
    assert_int_equal(sort_clock.steps[2], 4);
    assert_int_equal(sort_log.recursion_depth, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_concentrate),
        cmocka_unit_test(test_rank_sort),
        cmocka_unit_test(test_rank_sort_exhaustively),
        cmocka_unit_test(test_distribute),
        cmocka_unit_test(test_odd_even_merge_0_1),
        cmocka_unit_test(test_odd_even_merge),
        cmocka_unit_test(test_charges_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
