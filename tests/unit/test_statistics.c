/* Summaries and tests against textbook values (Abramowitz & Stegun 1964, tables 26.8 and 26.10). */
#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/statistics.h"

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) {
        print_error("got %.12g, not %.12g\n", got, want);
        fail();
    }
}

static void summary_of_eight(void **state)
{
    /* 2 4 4 4 5 5 7 9: mean 5, squares 9+1+1+1+0+0+4+16 = 32, variance 32/7, t(7) = 2.3646 */
    const double values[] = {9, 4, 5, 2, 4, 7, 5, 4};
    np_summary s;
    (void)state;
    assert_ok(np_summary_compute(8, values, &s));
    assert_int_equal(s.count, 8);
    near(s.mean, 5, 0);
    near(s.variance, 32.0 / 7, 1e-15);
    near(s.min, 2, 0);
    near(s.max, 9, 0);
    near(s.p50, 4, 0); /* 4 of 8 values are at or below 4 */
    near(s.p99, 9, 0);
    /* cubes -27-1-1-1+0+0+8+64 = 42: |m3| = 42/8; the least difference is 1 */
    near(s.ci95, 2.36462 * sqrt(32.0 / 7 / 8) + 42.0 / 8 / (32.0 / 7) / 8 + 1.0 / 16, 1e-4);
}

static void summary_of_one(void **state)
{
    const double value = -3;
    np_summary s;
    (void)state;
    assert_ok(np_summary_compute(1, &value, &s));
    near(s.mean, -3, 0);
    near(s.p50, -3, 0);
    near(s.p99, -3, 0);
    near(s.variance, 0, 0);
    assert_true(isnan(s.ci95));
}

static void quantiles_of_hundreds(void **state)
{
    double values[200];
    np_summary s;
    (void)state;
    for (int i = 0; i < 200; i++)
        values[i] = 200 - i; /* 1 .. 200 */
    assert_ok(np_summary_compute(200, values, &s));
    near(s.p50, 100, 0);
    near(s.p99, 198, 0);
    assert_ok(np_summary_compute(101, values, &s)); /* 100 .. 200: at least 99.99 values at or below p99 */
    near(s.p99, 199, 0);
    near(s.p50, 150, 0);
}

/* NaN is no value. */
static void summary_leaves_out_what_is_not_there(void **state)
{
    (void)state;
    const double there[] = {3, 1, 8}, some[] = {NAN, 3, NAN, 1, 8, NAN};
    np_summary a, b;
    assert_ok(np_summary_compute(3, there, &a));
    assert_ok(np_summary_compute(6, some, &b));
    assert_memory_equal(&a, &b, sizeof a);
    assert_ok(np_summary_compute(1, some, &b));
    assert_true(b.count == 0 && isnan(b.mean) && isnan(b.variance) && isnan(b.min) && isnan(b.max));
    assert_true(isnan(b.p50) && isnan(b.p99) && isnan(b.ci95));
}

static void summary_ignores_order(void **state)
{
    const double up[] = {0.1, 0.2, 0.3, 1e15, 0.7}, down[] = {0.7, 1e15, 0.3, 0.2, 0.1};
    np_summary a, b;
    (void)state;
    assert_ok(np_summary_compute(5, up, &a));
    assert_ok(np_summary_compute(5, down, &b));
    assert_true(a.mean == b.mean && a.variance == b.variance && a.ci95 == b.ci95);
}

static void student_points(void **state)
{
    static const struct {
        size_t freedom;
        double t;
    } table[] = {{1, 12.7062},  {2, 4.30265},  {3, 3.18245},   {4, 2.77645},    {5, 2.57058},        {9, 2.26216},
                 {10, 2.22814}, {20, 2.08596}, {29, 2.04523},  {30, 2.04227},   {31, 2.03951},       {40, 2.02108},
                 {60, 2.00030}, {99, 1.98422}, {120, 1.97993}, {1000, 1.96234}, {100000000, 1.95996}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        near(np_statistics_student95(table[i].freedom), table[i].t, 1e-5 * table[i].t);
    assert_true(isinf(np_statistics_student95(0)));
    for (size_t f = 1; f <= 30; f++) /* the tabulated ones, to the last digits */
        near(np_statistics_student_tail(np_statistics_student95(f), f), 0.05, 1e-15);
    for (size_t f = 1; f < 200; f++) /* no step where the method changes */
        assert_true(np_statistics_student95(f) > np_statistics_student95(f + 1));
}

static void chi_square_points(void **state)
{
    static const struct {
        double freedom, x, tail;
    } table[] = {{1, 3.841459, 0.05},   {1, 10.82757, 0.001},   {2, 5.991465, 0.05},  {5, 11.07050, 0.05},
                 {10, 18.30704, 0.05},  {10, 3.940299, 0.95},   {30, 43.77297, 0.05}, {100, 124.3421, 0.05},
                 {100, 77.92947, 0.95}, {100, 149.4493, 0.001}, {5, 0.554298, 0.99}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        near(np_statistics_chi_square_tail(table[i].x, table[i].freedom), table[i].tail, 1e-5 * table[i].tail);
    /* Two degrees of freedom: e^(-x/2), also far out. */
    for (double x = 0.5; x < 1000; x *= 3)
        near(np_statistics_chi_square_tail(x, 2) / exp(-x / 2), 1, 1e-10);
    near(np_statistics_chi_square_tail(0, 3), 1, 0);
    near(np_statistics_chi_square_tail(INFINITY, 3), 0, 0);
    /* A million degrees of freedom: near normal (Wilson & Hilferty 1931). */
    double f = 1e6, x = f + 2 * sqrt(2 * f);
    double z = (cbrt(x / f) - (1 - 2 / (9 * f))) / sqrt(2 / (9 * f));
    near(np_statistics_chi_square_tail(x, f), erfc(z / sqrt(2)) / 2, 1e-6);
    /* Both expansions meet at x = f + 2. */
    near(np_statistics_chi_square_tail(52 - 1e-9, 50), np_statistics_chi_square_tail(52 + 1e-9, 50), 1e-9);
}

static void two_cells_by_hand(void **state)
{
    /*
     *          value 1  value 2
     *   a         30       10      every cell expects 20: 4 * 10^2 / 20 = 20,
     *   b         10       30      one degree of freedom
     */
    uint32_t a[40], b[40];
    double p;
    (void)state;
    for (int i = 0; i < 40; i++) {
        a[i] = i < 30 ? 1 : 2;
        b[i] = i < 10 ? 1 : 2;
    }
    assert_ok(np_statistics_same_distribution(40, a, 40, b, &p));
    near(p, erfc(sqrt(20.0 / 2)), 1e-12);
    assert_ok(np_statistics_same_distribution(40, a, 40, a, &p));
    near(p, 1, 0);
}

static void pooling(void **state)
{
    /* 1..10 once each in both: 20 values, 10 a cell: {1..5}, {6..10}; and too few for two cells give 1. */
    const uint32_t a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, b[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    double p;
    (void)state;
    assert_ok(np_statistics_same_distribution(10, a, 10, a, &p));
    near(p, 1, 0);
    assert_ok(np_statistics_same_distribution(10, a, 10, b, &p)); /* cells (10,0), (0,10): 4 * 25 / 5 = 20 */
    near(p, erfc(sqrt(10.0)), 1e-12);
    assert_ok(np_statistics_same_distribution(9, a, 9, b, &p)); /* one cell only */
    near(p, 1, 0);
    assert_ok(np_statistics_same_distribution(0, NULL, 10, b, &p));
    near(p, 1, 0);
}

/* Under the null hypothesis p is about uniform: over 400 fixed pairs of samples, 5% +- 3.5 standard deviations. */
static void rejects_at_its_rate(void **state)
{
    int rejected = 0, rejected_shifted = 0;
    (void)state;
    for (uint32_t trial = 0; trial < 400; trial++) {
        np_draws draws = {2024, trial, 0, NP_RANDOM_CHECK};
        uint32_t a[100], b[150], shifted[150];
        double p;
        for (uint32_t i = 0; i < 250; i++) {
            uint32_t value = np_random_below(&draws, i, 0, 7) + np_random_below(&draws, i, 1, 7);
            if (i < 100) {
                a[i] = value;
            } else {
                b[i - 100] = value;
                shifted[i - 100] = value + 2;
            }
        }
        assert_ok(np_statistics_same_distribution(100, a, 150, b, &p));
        rejected += p < 0.05;
        assert_ok(np_statistics_same_distribution(100, a, 150, shifted, &p));
        rejected_shifted += p < 0.05;
    }
    assert_in_range(rejected, 5, 35);
    assert_in_range(rejected_shifted, 380, 400);
}

static void no_memory(void **state)
{
    const double values[] = {1, 2};
    const uint32_t a[] = {1, 2};
    np_summary s;
    double p;
    (void)state;
    np_memory_fail_after(1);
    assert_refused(np_summary_compute(2, values, &s), NP_ERROR_MEMORY, "a sample");
    for (int i = 1; i <= 2; i++) {
        np_memory_fail_after(i);
        assert_refused(np_statistics_same_distribution(2, a, 2, a, &p), NP_ERROR_MEMORY, "a sample");
    }
    np_memory_fail_after(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_of_eight),
        cmocka_unit_test(summary_of_one),
        cmocka_unit_test(summary_leaves_out_what_is_not_there),
        cmocka_unit_test(quantiles_of_hundreds),
        cmocka_unit_test(summary_ignores_order),
        cmocka_unit_test(student_points),
        cmocka_unit_test(chi_square_points),
        cmocka_unit_test(two_cells_by_hand),
        cmocka_unit_test(pooling),
        cmocka_unit_test(rejects_at_its_rate),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
