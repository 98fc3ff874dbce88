/*
 * Elementary functions by reduction of the argument and a Taylor series
 * (Muller 2016, "Elementary functions", chapters 9 and 11; Abramowitz & Stegun
 * 4.1.27, 4.2.1, 6.1.41).
 *
 *   exp x    = 2^k exp r,          k the nearest whole number to x / ln 2
 *   log x    = k ln 2 + log m,     m between sqrt(1/2) and sqrt(2)
 *   log m    = 2 artanh s,         s = (m - 1) / (m + 1), |s| < 0.172
 *
 * ln 2 is held in two parts. The first has 33 bits, so that k times it is exact.
 */
#include "base/real.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;

/* c[0] + c[1] x + ... by Horner's rule. */
static double polynomial(size_t count, const double *c, double x)
{
    double value = c[count - 1];
    for (size_t i = count - 1; i--;)
        value = value * x + c[i];
    return value;
}

double np_exp(double x)
{
    static const double over_factorial[] = {
        1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,        1.0 / 5040,       1.0 / 40320,
        1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200};
    if (!(x < 710))
        return x >= 710 ? INFINITY : x; /* x is infinite, large or NaN */
    if (x < -746)
        return 0;
    double k = floor(x / NP_LN2 + 0.5), r = (x - k * LN2_HIGH) - k * LN2_LOW;
    double rest = r * r * polynomial(LENGTH(over_factorial), over_factorial, r); /* exp r - 1 - r */
    return ldexp(1 + (r + rest), (int)k);
}

/* log m as m - 1 and a small rest, m between sqrt(1/2) and sqrt(2). */
static double log_near_one(double f)
{
    static const double odd[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13,
                                 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};
    double s = f / (2 + f), z = s * s;
    /* 2 s = f - s f, so that the leading part is exact. */
    return f - s * (f - 2 * z * polynomial(LENGTH(odd), odd, z));
}

/* x = 2^k m, m between sqrt(1/2) and sqrt(2). Returns m. */
static double mantissa(double x, double *k)
{
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    *k = exponent;
    return m;
}

static bool ordinary(double x) { return x > 0 && x < INFINITY; }

/* log at 0, at infinity, at NaN and below 0. */
static double log_limit(double x)
{
    if (x == 0)
        return -INFINITY;
    return x > 0 ? x : NAN;
}

double np_log(double x)
{
    double k;
    if (!ordinary(x))
        return log_limit(x);
    double m = mantissa(x, &k);
    return k * LN2_HIGH + (log_near_one(m - 1) + k * LN2_LOW);
}

/* 1 + x loses low bits of x; the quotient puts them back (Kahan). */
double np_log1p(double x)
{
    double one_more = 1 + x;
    if (one_more == 1)
        return x;
    if (!ordinary(one_more))
        return log_limit(one_more);
    return np_log(one_more) * (x / (one_more - 1));
}

double np_log2(double x)
{
    double k;
    if (!ordinary(x))
        return log_limit(x);
    double m = mantissa(x, &k);
    return k + log_near_one(m - 1) / NP_LN2;
}

double np_log10(double x) { return np_log(x) / NP_LN10; }

/* x^n by squaring. */
static double whole_power(double x, unsigned n)
{
    double result = 1;
    for (; n; n >>= 1, x *= x)
        if (n & 1)
            result *= x;
    return result;
}

/* The whole part of y by squaring, so that exp has a small argument: the error of exp grows with it. */
double np_power(double x, double y)
{
    const double whole = fabs(y) <= 64 ? floor(fabs(y)) : 0, rest = fabs(y) - whole;
    double result = whole_power(x, (unsigned)whole);
    if (rest > 0)
        result *= x > 0 ? np_exp(rest * np_log(x)) : 0;
    return y < 0 ? 1 / result : result;
}

/* From 16 on the asymptotic series; below, ln n! - ln (n+1)! = -ln(n+1) leads there. */
double np_stirling_error(double n)
{
    if (n < 16)
        return np_stirling_error(n + 1) + (n + 0.5) * np_log1p(1 / n) - 1;
    double n2 = n * n;
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / n2) / n2) / n2) / n2) / n;
}

double np_log_gamma(double x)
{
    /* Gamma(x) = x! / x */
    return (x - 0.5) * np_log(x) - x + 0.5 * np_log(2 * NP_PI) + np_stirling_error(x);
}

double np_log_choose(double n, double k)
{
    return k > n ? -INFINITY : np_log_gamma(n + 1) - np_log_gamma(k + 1) - np_log_gamma(n - k + 1);
}

double np_log_add(double a, double b)
{
    double high = fmax(a, b), low = fmin(a, b);
    return low == -INFINITY ? high : high + np_log1p(np_exp(low - high));
}

/* By eighths of the turn: |x| is at most pi/4. */
void np_turn(double part, double *sine, double *cosine)
{
    static const double sines[] = {
        1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000};
    static const double cosines[] = {1,
                                     -1.0 / 2,
                                     1.0 / 24,
                                     -1.0 / 720,
                                     1.0 / 40320,
                                     -1.0 / 3628800,
                                     1.0 / 479001600,
                                     -1.0 / 87178291200,
                                     1.0 / 20922789888000};
    double quarter = floor(4 * part + 0.5), x = 2 * NP_PI * (part - quarter / 4), z = x * x;
    double s = x * polynomial(LENGTH(sines), sines, z), c = polynomial(LENGTH(cosines), cosines, z);
    switch ((int)quarter & 3) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
    }
}
