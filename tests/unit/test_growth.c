/*
 * Fits and comparisons against published values: NIST StRD "Norris" (a line, certified to 15 digits) and "DanWood" (a
 * power), https://www.itl.nist.gov/div898/strd; R's t.test(extra ~ group, data = sleep, paired = TRUE).
 */
#include <math.h>

#include "base/statistics.h"
#include "lab/statistics/growth.h"
#include "support.h"

/* Certified digits. */
#define assert_digits(got, want, digits) assert_true(fabs((got) - (want)) <= fabs((double)(want)) * pow(10, -(digits)))

static void a_line_as_nist_certifies(void **state)
{
    (void)state;
    static const double data[][2] = {
        {0.1, 0.2},     {338.8, 337.4}, {118.1, 118.2}, {888.0, 884.6}, {9.2, 10.1},    {228.1, 226.5},
        {668.5, 666.3}, {998.5, 996.3}, {449.1, 448.6}, {778.9, 777.0}, {559.2, 558.2}, {0.3, 0.4},
        {0.1, 0.6},     {778.1, 775.5}, {668.8, 666.9}, {339.3, 338.0}, {448.9, 447.5}, {10.8, 11.6},
        {557.7, 556.0}, {228.3, 228.1}, {998.0, 995.8}, {888.8, 887.6}, {119.6, 120.2}, {0.3, 0.3},
        {0.6, 0.3},     {557.6, 556.8}, {339.3, 339.1}, {888.0, 887.2}, {998.5, 999.0}, {778.9, 779.0},
        {10.2, 11.1},   {117.6, 118.3}, {228.9, 229.2}, {668.4, 669.1}, {449.2, 448.9}, {0.2, 0.5}};
    enum { POINTS = sizeof data / sizeof *data };
    double n[POINTS], y[POINTS];
    np_growth growth;
    for (size_t i = 0; i < POINTS; i++) {
        y[i] = data[i][0];
        n[i] = data[i][1];
    }
    assert_ok(np_growth_fit_law(NP_GROWTH_LINEAR, POINTS, n, y, &growth));
    assert_digits(growth.a, -0.262323073774029, 11);
    assert_digits(growth.b, 1.00211681802045, 13);
    double t = np_statistics_student95(POINTS - 2);
    assert_digits(t, 2.0322445, 6);
    assert_digits(growth.a_error, t * 0.232818234301152, 11);
    assert_digits(growth.b_error, t * 0.429796848199937E-03, 11);
    assert_digits(sqrt(growth.squares / (POINTS - 2)), 0.884796396144373, 11);
    assert_digits(growth.explained, 0.999993745883712, 13);
    /* The same line in log2 of the sizes. */
    for (size_t i = 0; i < POINTS; i++)
        n[i] = exp2(n[i]);
    assert_ok(np_growth_fit_law(NP_GROWTH_LOG, POINTS, n, y, &growth));
    assert_digits(growth.b, 1.00211681802045, 12);
    assert_digits(growth.a_error, t * 0.232818234301152, 11);
}

static void a_power_as_nist_certifies(void **state)
{
    (void)state;
    static const double n[] = {1.309, 1.471, 1.490, 1.565, 1.611, 1.680};
    static const double y[] = {2.138, 3.421, 3.597, 4.340, 4.882, 5.660};
    np_growth growth;
    assert_ok(np_growth_fit_law(NP_GROWTH_POWER, 6, n, y, &growth));
    double t = np_statistics_student95(4);
    assert_digits(growth.a, 7.6886226176E-01, 8);
    assert_digits(growth.b, 3.8604055871E+00, 8);
    assert_digits(growth.a_error, t * 1.8281973860E-02, 6);
    assert_digits(growth.b_error, t * 5.1726610913E-02, 6);
    assert_digits(growth.squares, 4.3173084083E-03, 9);
}

/* Exact data of each law are of that law. */
static void the_law_that_explains_most_is_chosen(void **state)
{
    (void)state;
    static const double n[] = {8, 16, 32, 64, 128, 256, 1024};
    double y[7];
    for (int law = 0; law < NP_GROWTH_LAWS; law++) {
        np_growth made = {.law = law, .a = 3, .b = 0.5}, growth;
        for (size_t i = 0; i < 7; i++)
            y[i] = np_growth_at(&made, n[i]);
        assert_ok(np_growth_fit(7, n, y, &growth));
        assert_int_equal(growth.law, law);
        assert_digits(growth.a, 3, 9);
        assert_digits(growth.b, 0.5, 9);
        assert_digits(growth.explained, 1, 12);
        assert_true(growth.a_error < 1e-6 && growth.b_error < 1e-6);
    }
}

static void what_cannot_be_fitted_is_refused(void **state)
{
    (void)state;
    static const double n[] = {0, 1, 2, 3}, same[] = {4, 4, 4, 4}, y[] = {1, 2, 3, 4}, none[] = {0, 0, 0, 0};
    np_growth growth;
    assert_refused(np_growth_fit(2, n, y, &growth), NP_ERROR_APPLY, "three points");
    assert_refused(np_growth_fit(4, same, y, &growth), NP_ERROR_APPLY, "more than one size");
    assert_refused(np_growth_fit_law(NP_GROWTH_LOG, 4, n, y, &growth), NP_ERROR_APPLY, "above 0");
    assert_refused(np_growth_fit_law(NP_GROWTH_POWER, 4, y, none, &growth), NP_ERROR_APPLY, "above 0");
    assert_ok(np_growth_fit(4, n, y, &growth)); /* a size of 0 leaves the line */
    assert_int_equal(growth.law, NP_GROWTH_LINEAR);
    assert_ok(np_growth_fit(4, y, none, &growth)); /* nothing varies */
    assert_float_equal(growth.explained, 1, 0);
    assert_float_equal(growth.b, 0, 0);
}

static void pairs_as_r_says(void **state)
{
    (void)state;
    static const double first[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
    static const double second[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    np_paired paired;
    assert_ok(np_paired_compare(10, first, second, &paired));
    assert_digits(paired.difference, -1.58, 12);
    /* R's interval, -2.4598858 .. -0.7001142, and wider for the skewness, m3 = -2.3387, and the least step, 0.1 */
    assert_float_equal(paired.difference_error, 0.8798858 + 2.338704 / 1.512889 / 10 + 0.1 / 20, 1e-6);
    assert_float_equal(paired.p, 0.002833, 5e-7);
    assert_ok(np_paired_compare(10, second, first, &paired));
    assert_digits(paired.difference, 1.58, 12);
    assert_float_equal(paired.p, 0.002833, 5e-7);
    assert_ok(np_paired_compare(10, first, first, &paired));
    assert_float_equal(paired.p, 1, 0);
    static const double always[] = {2, 2}, never[] = {1, 1};
    assert_ok(np_paired_compare(2, always, never, &paired));
    assert_float_equal(paired.p, 0, 0);
    assert_refused(np_paired_compare(1, first, second, &paired), NP_ERROR_APPLY, "two runs");
}

/* Published points of Student's t. */
static void tails(void **state)
{
    (void)state;
    assert_float_equal(np_statistics_student_tail(0, 5), 1, 1e-15);
    assert_float_equal(np_statistics_student_tail(1, 1), 0.5, 1e-15); /* Cauchy's quartile */
    assert_float_equal(np_statistics_student_tail(12.7062047361747, 1), 0.05, 1e-12);
    assert_float_equal(np_statistics_student_tail(4.30265272974946, 2), 0.05, 1e-12);
    assert_float_equal(np_statistics_student_tail(3.16927267261695, 10), 0.01, 1e-12);
    assert_float_equal(np_statistics_student_tail(1.96023976, 1000), 0.0502469, 1e-4);
    assert_digits(np_statistics_student_tail(3, 3), 0.0576689, 5);
    assert_digits(np_statistics_student_tail(1e6, 2), 1e-12, 5); /* 2 degrees: 1 - t / sqrt(2 + t^2), about 1 / t^2 */
    assert_true(np_statistics_student_tail(1e3, 100) > 0 && np_statistics_student_tail(1e3, 100) < 1e-100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_as_nist_certifies),
        cmocka_unit_test(a_power_as_nist_certifies),
        cmocka_unit_test(the_law_that_explains_most_is_chosen),
        cmocka_unit_test(what_cannot_be_fitted_is_refused),
        cmocka_unit_test(pairs_as_r_says),
        cmocka_unit_test(tails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
