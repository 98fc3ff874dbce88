/* The numbers of comparators, by recurrences of the test's own and by numbers of the textbook. */
#include "support.h"

#include "work/sort/comparators.h"

/* By the recurrences of the textbook: S(2N) = 2 S(N) + M(N). */
static void test_merges(void **state)
{
    (void)state;
    uint64_t bitonic = 0, merged = 0;
    for (uint32_t n = 0, wires = 1; n <= 10; n++, wires *= 2) {
        if (n) {
            bitonic = 2 * bitonic + (uint64_t)n * wires / 2;
            merged = 2 * merged + (uint64_t)(n - 1) * wires / 2 + 1;
        }
        assert_int_equal(np_comparators_bitonic(wires), bitonic);
        assert_int_equal(np_comparators_odd_even_merge(wires), merged);
    }
    /* Knuth's table of section 5.3.4 for 16 wires: 63 by odd-even merging, 80 bitonic. */
    assert_int_equal(np_comparators_odd_even_merge(16), 63);
    assert_int_equal(np_comparators_bitonic(16), 80);
    assert_int_equal(np_comparators_odd_even_merge(UINT32_C(1) << 31), ((UINT64_C(934)) << 29) - 1);
}

/* Counted pair by pair: stage s compares the neighbours from wire s mod 2 on. */
static void test_transposition(void **state)
{
    (void)state;
    for (uint32_t wires = 1; wires <= 100; wires++) {
        uint64_t count = 0;
        for (uint32_t s = 0; s < wires; s++)
            for (uint32_t x = s % 2; x + 1 < wires; x += 2)
                count++;
        assert_int_equal(np_comparators_transposition(wires), count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_merges), cmocka_unit_test(test_transposition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
