/* Exact sums of reals: as long addition has them, to the bit, in any order. */
#include "support.h"

#include <math.h>

#include "base/exact_sum.h"
#include "base/random.h"
#include "oracle/long_sum.h"

enum { MOST = 40 };

static double sum_of(size_t count, const double *addend)
{
    np_exact_sum sum;
    np_exact_sum_clear(&sum);
    for (size_t i = 0; i < count; i++)
        np_exact_sum_add(&sum, addend[i]);
    return np_exact_sum_round(&sum);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void check(size_t count, const double *addend, double expected)
{
    double other[MOST];
    assert_int_equal(bits_of(sum_of(count, addend)), bits_of(expected));
    for (size_t i = 0; i < count; i++)
        other[i] = addend[count - 1 - i];
    assert_int_equal(bits_of(sum_of(count, other)), bits_of(expected));
}

#define CHECK(expected, ...)                                                                                           \
    check(sizeof((double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__}, expected)

static void known_sums(void **unused)
{
    (void)unused;
    const double largest = 0x1.fffffffffffffp1023, least = 0x1p-1074;
    check(0, NULL, 0.0);
    CHECK(0.75, 0.25, 0.5);
    CHECK(1.0, 1e100, 1.0, -1e100);
    CHECK(0x1.8p-52, 1.0, 0x1.8p-52, -1.0);
    CHECK(1.0, 1.0, 0x1p-53); /* a tie: to even */
    CHECK(0x1.0000000000002p0, 0x1.0000000000001p0, 0x1p-53);
    CHECK(0x1.0000000000001p0, 1.0, 0x1p-53, least); /* no tie */
    CHECK(-0x1.0000000000001p0, -1.0, -0x1p-53, -least);
    CHECK(2.0, 0x1.fffffffffffffp0, 0x1p-53); /* rounds up to a power of two */
    CHECK(INFINITY, largest, 0x1p970);
    CHECK(largest, largest, 0x1.fffffffffffffp969);
    CHECK(largest, largest, largest, -largest); /* beyond the largest, and back */
    CHECK(-INFINITY, -largest, -largest);
    CHECK(3 * least, least, least, least);
    CHECK(-least, least, -2 * least);
    CHECK(0x1p-1022, 0x1.ffffffffffffep-1023, least); /* the least normal number */
    CHECK(0.0, 1.0, -1.0);
    CHECK(-0.0, -0.0, -0.0);
    CHECK(0.0, -0.0, 0.0);
    CHECK(0.0, -0.0, 1.0, -1.0);
}

static void what_is_no_number(void **unused)
{
    (void)unused;
    CHECK(INFINITY, INFINITY, 1.0, -1e308);
    CHECK(-INFINITY, 1.0, -INFINITY);
    CHECK((double)NAN, INFINITY, 1.0, -INFINITY);
    CHECK((double)NAN, 1.0, -(double)NAN, INFINITY);
}

/* Of all exponents and signs, or of a few so that they cancel. */
static double draw(const np_draws *draws, uint32_t item)
{
    uint64_t bits = np_random_u64(draws, item, 0), shape = np_random_below(draws, item, 1, 6);
    double value;
    if (shape == 0)
        bits &= UINT64_C(0x800fffffffffffff); /* subnormal */
    else if (shape < 3)
        bits = (bits & UINT64_C(0x801fffffffffffff)) | UINT64_C(0x3fe) << 52;
    else if (shape == 3)
        bits = (bits & UINT64_C(0x8010000000000003)) | UINT64_C(0x7fd) << 52;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0x1p-1074;
}

static void drawn_sums(void **unused)
{
    (void)unused;
    for (uint32_t run = 0; run < 20000; run++) {
        const np_draws draws = {.seed = 1, .run = run, .purpose = NP_RANDOM_CHECK};
        double addend[MOST];
        uint32_t count = 1 + np_random_below(&draws, 0, 2, MOST);
        for (uint32_t i = 0; i < count; i++)
            addend[i] = draw(&draws, i);
        for (uint32_t i = 1; i < count; i++) /* what has come is taken away again */
            if (np_random_below(&draws, i, 3, 3) == 0)
                addend[i] = -addend[np_random_below(&draws, i, 4, i)];
        check(count, addend, oracle_long_sum(addend, count));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_sums),
        cmocka_unit_test(what_is_no_number),
        cmocka_unit_test(drawn_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
