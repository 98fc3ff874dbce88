/*
 * Comparator networks: their sizes by formulas of the test's own, and the 0-1 principle (Knuth, section 5.3.4,
 * theorem Z): a network sorts everything if it sorts all 2^N inputs of zeros and ones.
 *
 * 64 inputs are tried at a time: bit i of a wire's word is what it carries in the i-th, so a comparator is
 * an AND on its low wire and an OR on its high one.
 */
#include "support.h"

#include "work/sort/comparators.h"

enum { WIRES = 16 };

static uint64_t total(const np_comparators *family, uint32_t wires)
{
    uint32_t low[512], high[512];
    uint64_t count = 0;
    for (uint32_t s = 0; s < family->stages(wires); s++)
        count += family->stage(wires, s, low, high);
    return count;
}

/* Comparators of a stage are on wires that exist, and share none. */
static void assert_disjoint(const np_comparators *family, uint32_t wires)
{
    uint32_t low[512], high[512];
    for (uint32_t s = 0; s < family->stages(wires); s++) {
        bool used[1024] = {false};
        uint32_t count = family->stage(wires, s, low, high);
        assert_true(count <= wires / 2);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(low[i] < wires && high[i] < wires && low[i] != high[i]);
            assert_false(used[low[i]] || used[high[i]]);
            used[low[i]] = used[high[i]] = true;
        }
    }
}

/* Zeros must be on the first wires: no wire has a 1 where the next has a 0. */
static bool sorts_all(const np_comparators *family, uint32_t wires)
{
    static const uint64_t count_up[6] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                         0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
    for (uint64_t first = 0; first < UINT64_C(1) << wires; first += 64) {
        uint64_t wire[WIRES];
        uint32_t low[WIRES / 2], high[WIRES / 2];
        for (uint32_t w = 0; w < wires; w++)
            wire[w] = w < 6 ? count_up[w] : first >> w & 1 ? UINT64_MAX : 0;
        for (uint32_t s = 0; s < family->stages(wires); s++) {
            uint32_t count = family->stage(wires, s, low, high);
            for (uint32_t i = 0; i < count; i++) {
                uint64_t a = wire[low[i]], b = wire[high[i]];
                wire[low[i]] = a & b;
                wire[high[i]] = a | b;
            }
        }
        for (uint32_t w = 0; w + 1 < wires; w++)
            if (wire[w] & ~wire[w + 1])
                return false;
    }
    return true;
}

static void test_zero_one_principle(void **state)
{
    (void)state;
    static const np_comparators *const family[] = {&np_comparators_bitonic, &np_comparators_odd_even_merge,
                                                   &np_comparators_transposition};
    for (size_t f = 0; f < 3; f++)
        for (uint32_t wires = 1; wires <= WIRES; wires++) {
            if (family[f]->refuses(wires))
                continue;
            assert_true(sorts_all(family[f], wires));
            assert_disjoint(family[f], wires);
        }
}

/* One stage less does not do: the check above can fail. */
static uint32_t one_stage_less(uint32_t wires) { return np_comparators_transposition.stages(wires) - 1; }

static void test_zero_one_principle_refutes(void **state)
{
    (void)state;
    np_comparators less = np_comparators_transposition;
    less.stages = one_stage_less;
    for (uint32_t wires = 3; wires <= WIRES; wires++)
        assert_false(sorts_all(&less, wires));
}

/* By the recurrences of the textbook: S(2N) = 2 S(N) + M(N). */
static void test_counts(void **state)
{
    (void)state;
    uint64_t bitonic = 0, merged = 0;
    for (uint32_t n = 0, wires = 1; n <= 10; n++, wires *= 2) {
        if (n) {
            bitonic = 2 * bitonic + (uint64_t)n * wires / 2;
            merged = 2 * merged + (uint64_t)(n - 1) * wires / 2 + 1;
        }
        assert_int_equal(np_comparators_bitonic.count(wires), bitonic);
        assert_int_equal(total(&np_comparators_bitonic, wires), bitonic);
        assert_int_equal(np_comparators_bitonic.stages(wires), n * (n + 1) / 2);
        assert_int_equal(np_comparators_odd_even_merge.count(wires), merged);
        assert_int_equal(total(&np_comparators_odd_even_merge, wires), merged);
        assert_int_equal(np_comparators_odd_even_merge.stages(wires), n * (n + 1) / 2);
    }
    /* Knuth's table of section 5.3.4 for 16 wires: 63 by odd-even merging, 80 bitonic. */
    assert_int_equal(np_comparators_odd_even_merge.count(16), 63);
    assert_int_equal(np_comparators_bitonic.count(16), 80);
    for (uint32_t wires = 1; wires <= 100; wires++) {
        assert_int_equal(np_comparators_transposition.count(wires), total(&np_comparators_transposition, wires));
        assert_int_equal(np_comparators_transposition.count(wires), wires * (wires - 1) / 2);
    }
    assert_int_equal(np_comparators_odd_even_merge.count(UINT32_C(1) << 31), ((UINT64_C(934)) << 29) - 1);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_non_null(np_comparators_bitonic.refuses(12));
    assert_non_null(np_comparators_odd_even_merge.refuses(0));
    assert_null(np_comparators_bitonic.refuses(1));
    assert_null(np_comparators_transposition.refuses(12));
    assert_non_null(np_comparators_transposition.refuses(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero_one_principle),
        cmocka_unit_test(test_zero_one_principle_refutes),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
