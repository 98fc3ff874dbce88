/*
 * The elementary functions: their exact values, their errors against the C
 * library, and their bits. The bits are the same for every compiler and
 * processor; the sums below were computed once and would differ if a
 * multiplication and an addition were fused.
 */
#include "support.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "base/real.h"

enum { POINTS = 20000 };

static double unit(const np_draws *draws, uint32_t i) { return (double)(np_random_u64(draws, i, 0) >> 11) * 0x1p-53; }

static uint64_t bits(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

static double error(double got, double want)
{
    return got == want ? 0 : fabs(got - want) / (nextafter(fabs(want), INFINITY) - fabs(want));
}

typedef struct function {
    const char *name;
    double (*ours)(double), (*theirs)(double);
    double low, high;
    double units;  /* most units in the last place that they may differ by */
    uint64_t bits; /* of all values, folded */
} function;

static const function functions[] = {
    {"exp", np_exp, exp, -740, 709, 3, UINT64_C(0x37b1f68c541a2ad5)},
    {"exp of little", np_exp, exp, -1, 1, 3, UINT64_C(0xfdb291a2d6c00cda)},
    {"log", np_log, log, 0, 1e9, 3, UINT64_C(0xf1901fe5af5dec62)},
    {"log near one", np_log, log, 0.9, 1.1, 3, UINT64_C(0xd92b88c9bfa358bf)},
    {"log1p", np_log1p, log1p, -0.99, 5, 4, UINT64_C(0xce39fe29d60cf130)},
    {"log1p of little", np_log1p, log1p, -1e-9, 1e-9, 4, UINT64_C(0x7be1d87c8db879ec)},
    {"log2", np_log2, log2, 0, 1e9, 3, UINT64_C(0xeb4bc3169d1f01fc)},
    {"log10", np_log10, log10, 0, 1e9, 4, UINT64_C(0x227f9491c6ccf632)},
};

static void functions_have_small_errors_and_fixed_bits(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        const function *test = &functions[f];
        np_draws draws = {.seed = f};
        uint64_t folded = 0;
        for (uint32_t i = 0; i < POINTS; i++) {
            double x = test->low + (test->high - test->low) * unit(&draws, i), y = test->ours(x);
            folded = (folded << 1 | folded >> 63) ^ bits(y);
            if (!(error(y, test->theirs(x)) <= test->units)) {
                print_error("%s(%.17g) = %.17g, the C library has %.17g\n", test->name, x, y, test->theirs(x));
                fail();
            }
        }
        if (folded != test->bits) {
            print_error("%s: the bits are %#llx, not %#llx\n", test->name, (unsigned long long)folded,
                        (unsigned long long)test->bits);
            fail();
        }
    }
}

static void exact_values(void **state)
{
    (void)state;
    for (int i = -1074; i < 1024; i++)
        assert_true(np_log2(ldexp(1, i)) == i);
    double power = 1;
    for (int i = 0; i <= 22; i++, power *= 10)
        assert_true(np_power(10, i) == power);
    assert_true(np_exp(0) == 1);
    assert_true(np_log(1) == 0);
    assert_true(np_power(2, -3) == 0.125);
    assert_true(np_power(0, 0.5) == 0);
    assert_true(np_power(7, 0) == 1);
}

static void limits(void **state)
{
    (void)state;
    assert_true(np_exp(-INFINITY) == 0);
    assert_true(np_exp(INFINITY) == INFINITY);
    assert_true(np_exp(710) == INFINITY);
    assert_true(isnan(np_exp(NAN)));
    assert_true(np_log(0) == -INFINITY);
    assert_true(np_log(INFINITY) == INFINITY);
    assert_true(isnan(np_log(-1)));
    assert_true(np_log1p(-1) == -INFINITY);
    assert_true(isnan(np_log1p(-2)));
    assert_true(np_exp(-745.1) > 0); /* the least subnormal number */
    assert_true(np_exp(-750) == 0);
}

static void powers_and_factorials(void **state)
{
    double factorial = 1;
    (void)state;
    assert_true(fabs(np_power(2, 0.5) - sqrt(2)) < 1e-15);
    assert_true(fabs(np_power(10, 2.5) / pow(10, 2.5) - 1) < 1e-14);
    for (int n = 1; n <= 18; n++) {
        factorial *= n;
        assert_true(fabs(np_log_gamma(n + 1) - log(factorial)) < 1e-14 * (1 + log(factorial)));
    }
    for (double x = 0.5; x < 500; x += 0.5)
        assert_true(fabs(np_log_gamma(x) - lgamma(x)) <= 1e-14 * (1 + fabs(lgamma(x))));
}

static void turns_have_small_errors_and_fixed_bits(void **state)
{
    (void)state;
    uint64_t folded = 0;
    for (uint32_t i = 0; i <= POINTS; i++) {
        double part = (double)i / POINTS, sine, cosine;
        np_turn(part, &sine, &cosine);
        assert_true(fabs(sine - sin(2 * NP_PI * part)) < 1e-15 && fabs(cosine - cos(2 * NP_PI * part)) < 1e-15);
        folded = (folded << 1 | folded >> 63) ^ bits(sine) ^ bits(cosine) >> 1;
        if (i % (POINTS / 4) == 0)
            assert_true(fabs(sine) + fabs(cosine) == 1);
    }
    assert_int_equal(folded, UINT64_C(0xe6e8da24ebdc4244)); /* computed once */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_have_small_errors_and_fixed_bits),
        cmocka_unit_test(turns_have_small_errors_and_fixed_bits),
        cmocka_unit_test(exact_values),
        cmocka_unit_test(limits),
        cmocka_unit_test(powers_and_factorials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
