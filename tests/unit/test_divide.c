/* np_divide against the divide instruction: all small divisors, and the divisors and numerators at the edges. */
#include "support.h"

#include "base/divide.h"

static void check(uint32_t x, uint32_t divisor)
{
    np_divider d = np_divider_of(divisor);
    if (np_divide(x, d) != x / divisor || np_modulo(x, d) != x % divisor)
        fail_msg("%u / %u gave %u remainder %u", x, divisor, np_divide(x, d), np_modulo(x, d));
}

/* The quotient steps at the multiples of the divisor: a wrong multiplier shows there first, and most at large x. */
static void check_edges(uint32_t divisor)
{
    uint32_t last = UINT32_MAX / divisor * divisor;
    uint32_t middle = (UINT32_MAX / divisor / 2) * divisor;
    const uint32_t edges[] = {
        0,          1,        divisor - 1, divisor,   divisor + 1,       middle - 1,     middle,
        middle + 1, last - 1, last,        INT32_MAX, UINT32_C(1) << 31, UINT32_MAX - 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        check(edges[i], divisor);
}

static void test_small_divisors(void **state)
{
    (void)state;
    for (uint32_t divisor = 1; divisor <= 1000; divisor++) {
        check_edges(divisor);
        for (uint32_t x = 0; x < 3 * divisor; x++)
            check(x, divisor);
    }
}

static void test_divisors_at_the_edges(void **state)
{
    (void)state;
    for (unsigned bit = 1; bit < 32; bit++)
        for (int32_t off = -1; off <= 1; off++)
            check_edges((UINT32_C(1) << bit) + (uint32_t)off);
    for (uint32_t below = 0; below < 1000; below++)
        check_edges(UINT32_MAX - below);
}

static void test_spread_divisors(void **state)
{
    (void)state;
    uint32_t divisor = 1;
    for (int i = 0; i < 100000; i++) {
        divisor = divisor * UINT32_C(1664525) + UINT32_C(1013904223);
        check_edges(divisor ? divisor : 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_divisors),
        cmocka_unit_test(test_divisors_at_the_edges),
        cmocka_unit_test(test_spread_divisors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
