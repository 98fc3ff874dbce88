/*
 * x^y correctly rounded, against what 2000 bits say (mpmath 1.3), rounded once: powers that are doubles or lie in the
 * middle between two, those within 2^-104 of a middle (y = 1/2 of 1 + 2^-52), the ends of the range, large y of x near
 * 1, and random arguments of which the value is within 2^-21 units of the middle between two doubles or of a double.
 * Beside these, random arguments against long doubles, roots and powers by whole numbers, and what IEEE 754-2019 says
 * of infinities, zeros and NaN.
 */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/rounded.h"

/* clang-format off */
static const struct {
    double x, y, power;
} values[] = {
    {0x1p+1, 0x1p-1, 0x1.6a09e667f3bcdp+0},
    {0x1p+1, -0x1p-1, 0x1.6a09e667f3bcdp-1},
    {0x1.4p+3, -0x1p+0, 0x1.999999999999ap-4},
    {0x1.4p+3, 0x1.6p+4, 0x1.0f0cf064dd592p+73},
    {0x1.4p+3, 0x1.7p+4, 0x1.52d02c7e14af6p+76},
    {0x1.4p+3, 0x1.34p+8, 0x1.1ccf385ebc8ap+1023},
    {0x1.4p+3, 0x1.35p+8, INFINITY},
    {0x1.4p+3, -0x1.43p+8, 0x0.0000000000002p-1022},
    {0x1.4p+3, -0x1.44p+8, 0x0p+0},
    {0x1.999999999999ap-4, 0x1.8p+1, 0x1.0624dd2f1a9fdp-10},
    {0x1.8p+1, 0x1.1p+5, 0x1.d9fe779881944p+53},
    {0x1.8p+1, 0x1.08p+5, 0x1.3bfefa65abb83p+52},
    {0x1.8p+1, 0x1.18p+5, 0x1.637ed9b2612f3p+55},
    {0x1.8p+1, 0x1.2p+5, 0x1.0a9f2345c8e37p+57},
    {0x1.2p+3, 0x1.1p+4, 0x1.d9fe779881944p+53},
    {0x1.2p+3, 0x1.18p+4, 0x1.637ed9b2612f3p+55},
    {0x1.2p+3, -0x1.18p+4, 0x1.70b3c7bc7ee0dp-56},
    {0x1.44p+6, 0x1.08p+3, 0x1.3bfefa65abb83p+52},
    {0x1.44p+6, 0x1.18p+3, 0x1.637ed9b2612f3p+55},
    {0x1.8p+0, 0x1.fp+4, 0x1.18e2a5afb5158p+18},
    {0x1.8p+0, 0x1.08p+5, 0x1.3bfefa65abb83p+19},
    {0x1.8p+0, 0x1.1p+5, 0x1.d9fe779881944p+19},
    {0x1.cp+2, 0x1.3p+4, 0x1.43f9e0d2d93ecp+53},
    {0x1.4p+2, 0x1.7p+4, 0x1.52d02c7e14af6p+53},
    {0x1.4p+2, 0x1.8p+4, 0x1.a784379d99db4p+55},
    {0x1.9p+2, 0x1p-1, 0x1.4p+1},
    {0x1.9p+2, 0x1.8p+0, 0x1.f4p+3},
    {0x1.47ae147ae147bp-5, 0x1p-1, 0x1.999999999999ap-3},
    {0x0.0000000000001p-1022, 0x1p-1, 0x1p-537},
    {0x0.0000000000001p-1022, 0x1.5555555555555p-2, 0x1.000000000003ep-358},
    {0x0.0000000000001p-1022, 0x1p-2, 0x1.6a09e667f3bcdp-269},
    {0x1p+1, 0x1.ffcp+9, 0x1.6a09e667f3bcdp+1023},
    {0x1p+1, 0x1.fffffffffffffp+9, 0x1.ffffffffffd3ap+1023},
    {0x1p+1, -0x1.0cap+10, 0x0.0000000000001p-1022},
    {0x1p+1, -0x1.0ccp+10, 0x0p+0},
    {0x1p+1, -0x1.0cbffffffffffp+10, 0x0.0000000000001p-1022},
    {0x1p+2, -0x1.0ccp+9, 0x0p+0},
    {0x1p-1, 0x1.0ccp+10, 0x0p+0},
    {0x1p-1, 0x1.0cbffffffffffp+10, 0x0.0000000000001p-1022},
    {0x1p-537, 0x1p+1, 0x0.0000000000001p-1022},
    {0x1.8p-536, 0x1p+1, 0x0.0000000000009p-1022},
    {0x1.8p-537, 0x1p+1, 0x0.0000000000002p-1022},
    {0x1.fffffffffffffp+1023, 0x1.0000000000001p+0, INFINITY},
    {0x1.fffffffffffffp+1023, 0x1p+0, 0x1.fffffffffffffp+1023},
    {0x1.fffffffffffffp+1023, -0x1p+0, 0x0.4p-1022},
    {0x1.0000000000001p+0, 0x1p-1, 0x1p+0},
    {0x1.0000000000001p+0, 0x1.8p+0, 0x1.0000000000002p+0},
    {0x1.0000000000001p+0, 0x1.4p+1, 0x1.0000000000003p+0},
    {0x1.fffffffffffffp-1, 0x1p-1, 0x1.fffffffffffffp-1},
    {0x1.fffffffffffffp-1, 0x1.8p+0, 0x1.fffffffffffffp-1},
    {0x1.fffffffffffffp-1, -0x1p-1, 0x1p+0},
    {0x1.0000000000002p+0, 0x1p-2, 0x1p+0},
    {0x1.0000000000002p+0, 0x1.8p-1, 0x1.0000000000001p+0},
    {0x1.0000000000003p+0, 0x1p-1, 0x1.0000000000001p+0},
    {0x1.0000000000001p+0, -0x1p-1, 0x1.fffffffffffffp-1},
    {0x1.0000000000001p+0, 0x1p+60, 0x1.41c7a8814be19p+369},
    {0x1.0000000000001p+0, 0x1.62e42fefa39efp+61, 0x1.ffffffffffc64p+1023},
    {0x1.0000000000001p+0, 0x1.582b4c9a9dbp+61, 0x1.0b48107ce08f7p+993},
    {0x1.fffffffffffffp-1, 0x1.73ecba01ec78p+62, 0x0.0000000000002p-1022},
    {0x1.fffffffffffffp-1, 0x1.747ad5cbab7cp+62, 0x0.0000000000001p-1022},
    {0x1.fffffffffffffp-1, -0x1.62e42fefa39efp+62, INFINITY},
    {0x1.fffffffffffffp-1, -0x1.5db8627c13d8p+62, 0x1.0e7977ef3f7d2p+1009},
    {0x1.fffffffffffffp-1, 0x1p+63, 0x0p+0},
    {0x1.0000000000001p+0, 0x1.4484bfeebc2ap-100, 0x1p+0},
    {0x1.7e43c8800759cp+996, 0x1.2725dd1d243acp-60, 0x1.0000000000003p+0},
    {0x1.7e43c8800759cp+996, 0x1.9166b1d5b6646p-63, 0x1.0000000000001p+0},
    {0x1.7e43c8800759cp+996, 0x0.0000000000001p-1022, 0x1p+0},
    {0x1.999999999999ap-4, 0x1p-55, 0x1.fffffffffffffp-1},
    {0x1.999999999999ap-4, 0x1p-56, 0x1p+0},
    {0x1.fae147ae147aep-1, 0x1.203af9ee75616p-50, 0x1p+0},
    {0x1.0000000000001p+0, 0x1.cd2b297d889bcp-54, 0x1p+0},
    {0x1.5bf0a8b145769p+1, 0x1.921fb54442d18p+1, 0x1.724046eb09338p+4},
    {0x1.921fb54442d18p+1, 0x1.5bf0a8b145769p+1, 0x1.6758b5c38111p+4},
    {0x1.6666666666666p-1, 0x1.3333333333333p-2, 0x1.cc0b43ba5c3d9p-1},
    {0x1.edd2f1a9fbe77p+6, -0x1.f8f5c28f5c28fp+2, 0x1.224ec1169f129p-55},
    {0x1.56e1fc2f8f359p-997, 0x1.11eb851eb851fp+0, 0x0.00000000000cap-1022},
    {0x1.56e1fc2f8f359p-997, 0x1.147ae147ae148p+0, 0x0p+0},
    {0x1.4f8b588e368f1p-17, 0x1.02p+6, 0x0.0000000000006p-1022},
    {0x1.000001ad7f29bp+0, 0x1.dcd65p+29, 0x1.349445c228792p+144},
    {0x1.fffffca501acbp-1, 0x1.b31d29p+32, 0x0.00000001c7e5fp-1022},
    {0x1.cd2cf7ec082f4p-1, 0x1.cf27dee8d20c4p+8, 0x1.1ac0f9c035011p-70},
    {0x1.bfb1e357a7a33p+343, 0x1.0716b2aeadb64p-1, 0x1.956654b098e14p+176},
    {0x1.0000000043554p+0, -0x1.6519416cc8e8p+9, 0x1.fffffe884de56p-1},
    {0x1.95f161aface5p-629, 0x1.40db5201bbd4p-6, 0x1.9e6da9ec7b55ap-13},
    {0x1.3dce9a240d3f3p+0, -0x1.9a59f978183d4p+2, 0x1.ffd1ac6de5e9fp-3},
    {0x1.b6ab835975267p+0, 0x1.abc58db3af646p+2, 0x1.24b793f9ac50ap+5},
    {0x1.0b111fe6bb34ep+347, -0x1.c586b101c1dacp-1, 0x1.7d884d1417c56p-308},
    {0x1.36def36d27428p+651, 0x1.66de8c18e7eap-4, 0x1.0b2cb92f3fb08p+57},
    {0x1.7e6b0edd7b2c1p-875, 0x1.e78d036342ed8p-3, 0x1.c83d91d98e88ep-209},
    {0x1.23b5cc31bc83ap-1, 0x1.6b486f526ab8ap+2, 0x1.502cf620b7fcep-5},
    {0x1.af56c4f0bf3ep+19, -0x1.d064f3c3fa1d8p+3, 0x1.44a6d7feff323p-287},
    {0x1.b0172012b8cd9p+910, 0x1.bddd91e343838p-1, 0x1.15087e3b941bep+793},
    {0x1.d1b2e55f17dcep+95, 0x1.9d52fe48ad93cp-1, 0x1.4ef8ae404470dp+77},
    {0x1.ffffffffc2adep-1, 0x1.00debaf230552p+28, 0x1.fc2b38788427fp-1},
    {0x1.60b62d88a29aep-338, 0x1.2c76a99d83864p-1, 0x1.e3dc7d68a7dd5p-199},
    {0x1.05ff37dc11db4p-680, 0x1.bdbcdb0c97438p-3, 0x1.017f91efc72d6p-148},
    {0x1.44p+6, 0x1.1p+3, 0x1.d9fe779881944p+53},
    {0x1.44p+6, 0x1.3p+3, 0x1.2bf307ae81ffdp+60},
};

/* 9.2.1 of the standard. A whole y is odd or even; `other` is no whole number. */
static const struct {
    double x, y, power;
} limits[] = {
    {NAN, 0, 1}, {NAN, -0.0, 1}, {-INFINITY, 0, 1}, {0, 0, 1}, {-2, 0, 1},
    {1, NAN, 1}, {1, INFINITY, 1}, {1, -INFINITY, 1}, {1, 0.3, 1},
    {NAN, 1, NAN}, {2, NAN, NAN}, {NAN, NAN, NAN}, {-1, NAN, NAN}, {0, NAN, NAN},
    {0.0, -3, INFINITY}, {-0.0, -3, -INFINITY}, {0.0, -2, INFINITY}, {-0.0, -2, INFINITY}, {-0.0, -0.5, INFINITY},
    {0.0, -INFINITY, INFINITY}, {-0.0, -INFINITY, INFINITY},
    {0.0, 3, 0.0}, {-0.0, 3, -0.0}, {-0.0, 2, 0.0}, {-0.0, 0.5, 0.0}, {0.0, INFINITY, 0.0}, {-0.0, INFINITY, 0.0},
    {-1, INFINITY, 1}, {-1, -INFINITY, 1}, {-1, 3, -1}, {-1, 4, 1}, {-1, 0x1p53, 1}, {-1, 0x1.fffffffffffffp52, -1},
    {0.5, INFINITY, 0.0}, {-0.5, INFINITY, 0.0}, {0.5, -INFINITY, INFINITY}, {-0.5, -INFINITY, INFINITY},
    {1.5, INFINITY, INFINITY}, {-1.5, INFINITY, INFINITY}, {1.5, -INFINITY, 0.0}, {-1.5, -INFINITY, 0.0},
    {INFINITY, 0.1, INFINITY}, {INFINITY, -0.1, 0.0}, {INFINITY, INFINITY, INFINITY}, {INFINITY, -INFINITY, 0.0},
    {-INFINITY, 3, -INFINITY}, {-INFINITY, 2, INFINITY}, {-INFINITY, 0.5, INFINITY},
    {-INFINITY, -3, -0.0}, {-INFINITY, -2, 0.0}, {-INFINITY, -0.5, 0.0},
    {-2, 0.5, NAN}, {-2, 1e-300, NAN}, {-1, 0.5, NAN}, {-8, 1.0 / 3, NAN}, {-2, 3, -8}, {-2, -3, -0.125}, {-2, 2, 4},
    {-10, 309, -INFINITY}, {-10, -325, -0.0}, {-10, 400, INFINITY},
};
/* clang-format on */

static uint64_t bits(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

static void same(double got, double wanted)
{
    if (!isnan(wanted) || !isnan(got))
        assert_int_equal(bits(got), bits(wanted));
}

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        same(np_rounded_power(values[i].x, values[i].y), values[i].power);
}

static void test_limits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        same(np_rounded_power(limits[i].x, limits[i].y), limits[i].power);
}

static double draw(uint64_t seed, uint32_t i, uint32_t which, double low, double high)
{
    const np_draws draws = {.seed = seed};
    return low + (high - low) * ((double)(np_random_u64(&draws, i, which) >> 11) * 0x1p-53);
}

/* sqrt, products and quotients of doubles are correctly rounded by the processor. */
static void test_by_the_processor(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3000; i++) {
        const double x = ldexp(draw(1, i, 0, 1, 2), (int)draw(1, i, 1, -1000, 1000));
        same(np_rounded_power(x, 0.5), sqrt(x));
        same(np_rounded_power(x, 1), x);
        same(np_rounded_power(x, 2), x * x);
        same(np_rounded_power(x, -1), 1 / x);
        same(np_rounded_power(-x, 2), x * x);
        /* Of an odd number of 27 bits the square is often, of one of 18 the cube, in the middle between two doubles. */
        const double a = 2 * floor(draw(1, i, 2, 0x1p25, 0x1p26)) + 1, b = 2 * floor(draw(1, i, 3, 0x1p16, 0x1p17)) + 1;
        same(np_rounded_power(a, 2), a * a);
        same(np_rounded_power(b, 3), b * b * b);
        same(np_rounded_power(b * b, 1.5), b * b * b);
    }
    for (int k = -1200; k < 1200; k++)
        same(np_rounded_power(2, k), ldexp(1, k));
}

/* A result that is correctly rounded is within half a unit, and long doubles of the C library within a unit of theirs.
 */
static void test_random(void **state)
{
    (void)state;
    static const double ranges[][4] = {{0, 10, -20, 20}, {0.9, 1.1, -5000, 5000}, {0, 1e9, -1, 1}, {0.5, 2, -1e3, 1e3}};
    for (size_t p = 0; p < sizeof ranges / sizeof *ranges; p++)
        for (uint32_t i = 0; i < 3000; i++) {
            const double x = draw(p, i, 0, ranges[p][0], ranges[p][1]), y = draw(p, i, 1, ranges[p][2], ranges[p][3]);
            const double power = np_rounded_power(x, y);
            const long double unit = (long double)nextafter(power, INFINITY) - (long double)power;
            assert_true(fabsl(powl(x, y) - (long double)power) <= 0.502L * unit);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_by_the_processor), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
