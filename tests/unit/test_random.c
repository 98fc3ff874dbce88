/*
 * The random choices: Philox's known answers, so that a seed means the same
 * everywhere and for ever; every part of the address counts; no bound is
 * overstepped; values are spread evenly.
 */
#include "support.h"

#include "base/random.h"

/*
 * Random123's known-answer vectors for philox4x32, 10 rounds: zeros, ones,
 * and the digits of pi. The counter is (item, draw, run, purpose << 16 | phase).
 */
static void test_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } vectors[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const uint32_t *counter = vectors[i].counter, *key = vectors[i].key;
        np_draws draws = {.seed = (uint64_t)key[1] << 32 | key[0],
                          .run = counter[2],
                          .phase = (uint16_t)counter[3],
                          .purpose = (uint16_t)(counter[3] >> 16)};
        uint32_t out[4];
        np_random_block(&draws, counter[0], counter[1], out);
        assert_memory_equal(out, vectors[i].answer, sizeof out);
        assert_int_equal(np_random_u64(&draws, counter[0], counter[1]), (uint64_t)out[1] << 32 | out[0]);
    }
}

/* Changing any one part of the address changes the value: 64-bit values that differ by chance only. */
static void test_every_part_of_the_address_counts(void **state)
{
    (void)state;
    const np_draws base = {5, 6, 7, NP_RANDOM_TARGET};
    np_draws other[6] = {base, base, base, base, base, base};
    other[1].seed ^= 1;
    other[2].seed ^= UINT64_C(1) << 32;
    other[3].run++;
    other[4].phase++;
    other[5] = np_draws_for(base, NP_RANDOM_TICKET);
    uint64_t value[8];
    for (int i = 0; i < 6; i++)
        value[i] = np_random_u64(&other[i], 8, 9);
    value[6] = np_random_u64(&base, 9, 9);
    value[7] = np_random_u64(&base, 8, 10);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < i; j++)
            assert_true(value[i] != value[j]);
    assert_int_equal(np_random_u64(&base, 8, 9), value[0]);
    assert_int_equal(np_draws_for(base, NP_RANDOM_TICKET).run, base.run);
}

static void test_below_stays_below(void **state)
{
    (void)state;
    static const uint32_t bounds[] = {1, 2, 3, 7, 1000, UINT32_C(1) << 31, UINT32_MAX};
    const np_draws draws = {1, 0, 0, NP_RANDOM_TARGET};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        for (uint32_t item = 0; item < 10000; item++)
            assert_true(np_random_below(&draws, item, 0, bounds[b]) < bounds[b]);
}

/*
 * Chi-square of 70,000 draws over 7 cells, for each purpose. The seeds are
 * fixed, so the test always gives the same answer; the limit 33 is passed by
 * fewer than one fair sample in 50,000 (6 degrees of freedom).
 */
static void test_below_is_even(void **state)
{
    (void)state;
    enum { CELLS = 7, EACH = 10000 };
    for (int purpose = NP_RANDOM_TARGET; purpose <= NP_RANDOM_CHECK; purpose++) {
        np_draws draws = np_draws_for((np_draws){.seed = 12}, (np_random_purpose)purpose);
        double count[CELLS] = {0}, chi = 0;
        for (uint32_t item = 0; item < CELLS * EACH; item++)
            count[np_random_below(&draws, item, 0, CELLS)]++;
        for (int i = 0; i < CELLS; i++)
            chi += (count[i] - EACH) * (count[i] - EACH) / EACH;
        assert_true(chi < 33);
    }
}

/*
 * Two purposes, two phases, two runs: the pairs (one, other) fall evenly into
 * an 8 x 8 table; 118 is passed by about one fair sample in 30,000 (63 degrees
 * of freedom).
 */
static void test_families_of_draws_are_independent(void **state)
{
    (void)state;
    const np_draws base = {1, 0, 0, NP_RANDOM_TARGET};
    np_draws other[4] = {base, base, base, base};
    other[0].purpose = NP_RANDOM_TICKET;
    other[1].phase = 1;
    other[2].run = 1;
    other[3].seed = 2;
    for (int o = 0; o < 4; o++) {
        double count[64] = {0}, chi = 0, expected = 64000 / 64;
        for (uint32_t item = 0; item < 64000; item++)
            count[8 * np_random_below(&base, item, 0, 8) + np_random_below(&other[o], item, 0, 8)]++;
        for (int i = 0; i < 64; i++)
            chi += (count[i] - expected) * (count[i] - expected) / expected;
        assert_true(chi < 118);
    }
}

/* The finaliser is a bijection that moves about half of the bits. */
static void test_mix(void **state)
{
    (void)state;
    assert_int_equal(np_random_mix(0), 0);
    assert_true(np_random_mix(1) == UINT64_C(0xb456bcfc34c2cb2c));
    int flipped = 0;
    for (unsigned bit = 0; bit < 64; bit++)
        flipped += __builtin_popcountll(np_random_mix(77) ^ np_random_mix(77 ^ UINT64_C(1) << bit));
    assert_in_range(flipped, 64 * 28, 64 * 36);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_every_part_of_the_address_counts),
        cmocka_unit_test(test_below_stays_below),
        cmocka_unit_test(test_below_is_even),
        cmocka_unit_test(test_families_of_draws_are_independent),
        cmocka_unit_test(test_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
