/* Decimal numbers. The compiler and printf are the judges: both round to the nearest double. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "base/decimal.h"

static bool read_real(const char *text, double *out)
{
    return np_decimal_real((np_text_field){text, strlen(text)}, out);
}

static void assert_same(double got, double want) { assert_memory_equal(&got, &want, sizeof want); }

#define CASE(number)                                                                                                   \
    {                                                                                                                  \
#number, number                                                                                                \
    }

/* Halfway cases, the largest exact powers, ends of the subnormal numbers, and those that two roundings miss. */
static void test_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        CASE(0.1),
        CASE(0.3),
        CASE(1e22),
        CASE(1e23),
        CASE(8.5e22),
        CASE(9007199254740993.0),
        CASE(9007199254740995.0),
        CASE(0.62290169488970193),
        CASE(3.141592653589793238),
        CASE(1e-23),
        CASE(123456789012345678e-30),
        CASE(2.2250738585072014e-308),
        CASE(2.2250738585072011e-308),
        CASE(4.9406564584124654e-324),
        CASE(2.5e-324),
        {"2.4703282292062327e-324", 0},
        {"1e-400", 0},
        CASE(9.9999999999999989e299),
        CASE(18446744073709551615.0),
        CASE(6.9294956446009195e15),
        CASE(7.2057594037927933e16),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        assert_true(read_real(cases[i].text, &value));
        assert_same(value, cases[i].value);
    }
}

/* What "%.17g" writes is read as it was: of any bits, and below 1. */
static void test_what_is_written_is_read(void **state)
{
    (void)state;
    uint64_t bits = 1;
    for (unsigned i = 0; i < 20000; i++) {
        char text[40];
        double value, back;
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t word = bits >> 1;
        memcpy(&value, &word, sizeof value);
        if (i % 2)
            value = (double)(bits >> 11) / 9007199254740992.0;
        if (!(value < 1e300))
            continue;
        snprintf(text, sizeof text, "%.17g", value);
        assert_true(read_real(text, &back));
        assert_same(back, value);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"",     ".",   "e3",  "1e",   "1e+",   "1.2.3",
                                        "-1",   "nan", "inf", "0x1",  "1e300", "1e999999999999",
                                        "1e2x", "1e/", "1e:", "1e2e2"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        assert_false(read_real(cases[i], &value));
    }
}

static const char *write(double value)
{
    static char text[NP_DECIMAL_ROOM];
    return np_decimal_write(value, text);
}

/* As Python's repr, which has ".0" behind whole numbers. */
static void test_written(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {3, "3"},
                 {-2.5, "-2.5"},
                 {0.1, "0.1"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {1.0 / 3, "0.3333333333333333"},
                 {100, "100"},
                 {120.5, "120.5"},
                 {0.0001, "0.0001"},
                 {0.00012, "0.00012"},
                 {0.00001, "1e-05"},
                 {123456789012345680.0, "1.2345678901234568e+17"},
                 {1e15, "1000000000000000"},
                 {9007199254740993.0, "9007199254740992"},
                 {1e16, "1e+16"},
                 {1e23, "1e+23"},
                 {5e-324, "5e-324"},
                 {2.2250738585072014e-308, "2.2250738585072014e-308"},
                 {1.7976931348623157e308, "1.7976931348623157e+308"},
                 {-HUGE_VAL, "-inf"},
                 {HUGE_VAL, "inf"},
                 {NAN, "nan"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(write(cases[i].value), cases[i].text);
}

/* Of any bits and of numbers below 1: strtod reads them as they were, and no number of fewer digits does. */
static void test_shortest(void **state)
{
    (void)state;
    uint64_t bits = 1;
    for (unsigned i = 0; i < 20000; i++) {
        char fewer[40];
        double value;
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(&value, &bits, sizeof value);
        if (i % 2)
            value = (double)(bits >> 11) / 9007199254740992.0;
        if (!isfinite(value))
            continue;
        const char *text = write(value);
        assert_same(strtod(text, NULL), value);
        int digits = 0, zeros = 0; /* zeros at the end are no digits that are needed */
        for (const char *at = text; *at && *at != 'e'; at++)
            if (*at >= '0' && *at <= '9' && (digits || *at != '0')) {
                zeros = *at == '0' ? zeros + 1 : 0;
                digits++;
            }
        digits -= zeros;
        if (digits < 2)
            continue;
        snprintf(fewer, sizeof fewer, "%.*e", digits - 2, value);
        assert_true(strtod(fewer, NULL) != value);
    }
}

/* Of many digits, each counts: half way between two doubles the even one is nearest, and a 1 far behind decides. */
static void test_long(void **state)
{
    (void)state;
    static const char half[] = "9007199254740993."; /* half way to 9007199254740994 */
    char text[1400];
    double value;
    for (size_t zeros = 0; zeros < 1000; zeros += 37) {
        snprintf(text, sizeof text, "%s%0*d", half, (int)zeros + 1, 0);
        assert_true(np_decimal_signed((np_text_field){text, strlen(text)}, &value));
        assert_same(value, 9007199254740992.0);
        snprintf(text, sizeof text, "%s%0*d", half, (int)zeros + 1, 1);
        assert_true(np_decimal_signed((np_text_field){text, strlen(text)}, &value));
        assert_same(value, 9007199254740994.0);
    }
    uint64_t bits = 1;
    for (unsigned i = 0; i < 3000; i++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        snprintf(text, sizeof text, "%s%0*d%llu%s%llue%d", i % 2 ? "-" : "", (int)(bits % 30), 0,
                 (unsigned long long)bits, i % 3 ? "." : "", (unsigned long long)(bits * bits),
                 (int)(bits >> 40 & 1023) - 660);
        double want = strtod(text, NULL);
        bool finite = np_decimal_signed((np_text_field){text, strlen(text)}, &value);
        assert_int_equal(finite, isfinite(want) != 0);
        if (finite)
            assert_same(value, want);
    }
}

/* printf writes the same in the C locale. */
static void test_as_printf(void **state)
{
    (void)state;
    uint64_t bits = 1;
    for (unsigned i = 0; i < 20000; i++) {
        char want[400];
        double value;
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(&value, &bits, sizeof value);
        if (i % 2)
            value = (double)(int64_t)bits / (double)(UINT64_C(1) << (bits >> 5 & 63));
        snprintf(want, sizeof want, "%.*g", (int)(i % 18), value);
        assert_string_equal(NP_REAL(value, (int)(i % 18)), want);
        snprintf(want, sizeof want, "%.*f", (int)(i % 9), value);
        if (fabs(value) < 1e20)
            assert_string_equal(NP_FIXED(value, (int)(i % 9)), want);
    }
    assert_string_equal(NP_FIXED(1e300, 2), "1.0000000000000001e+300");
    assert_string_equal(NP_REAL(HUGE_VAL, 3), "inf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearest),  cmocka_unit_test(test_what_is_written_is_read),
                                       cmocka_unit_test(test_refused),  cmocka_unit_test(test_written),
                                       cmocka_unit_test(test_shortest), cmocka_unit_test(test_long),
                                       cmocka_unit_test(test_as_printf)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
