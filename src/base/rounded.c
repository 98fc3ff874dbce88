/*
 * Correctly rounded elementary functions, by whole numbers alone (Ziv 1991: work with more digits until the rounding is
 * certain; Payne & Hanek 1983 for large angles; Muller 2016, "Elementary functions").
 *
 *   exp x   = 2^k e^r,                  r = x - k ln 2 in [0, ln 2);  e^r = (e^(r/256))^256, by Taylor's series
 *   log x   = k ln 2 + 2 artanh s,      s = (m - 1) / (m + 1), x = 2^k m, m between sqrt(1/2) and sqrt(2)
 *   x^y     = exp(y log x),             with y s before artanh: y may be large where s is small
 *   sin x   : x 2/pi = q + f            by those bits of 2/pi that matter;  +-sin or cos of r = f pi/2 or (1 - f) pi/2
 *   atan x  = atan t, pi/4 +- atan t or pi/2 - atan t,  t = x, |x - 1| / (x + 1) or 1 / x, below 0.415, by Euler's
 * series
 *
 * A number is `digits` words of fraction and one of whole part, and is never negative; signs are kept apart. The first
 * try has 128 bits of fraction. Its error is less than 2^-104 (here: at most 60 operations, each off by 1 in the last
 * bit, and what comes of them is doubled eight times). If the doubles nearest to value + error and value - error
 * differ, 256 bits decide. The hardest cases that are known need less than 120 bits (Lefevre & Muller 2001). Powers
 * have 2^128 arguments: about 180 bits, if their bits are as those of random numbers; nobody has listed the hardest.
 */
#include "base/rounded.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/real.h"

enum { FEW = 2, MANY = 4, UNSURE = 24 }; /* words of fraction; bits of the last ones that may be wrong */

/* sum of word[i] 2^(64 (i - digits)) */
typedef struct number {
    int digits;
    uint64_t word[MANY + 1];
} number;

/* The leading words of 256 bits of fraction. */
static number constant(int digits, const uint64_t word[MANY + 1])
{
    number to = {.digits = digits};
    memcpy(to.word, word + MANY - digits, (size_t)(digits + 1) * sizeof *word);
    return to;
}

static number whole(int digits, uint64_t value)
{
    number to = {.digits = digits};
    to.word[digits] = value;
    return to;
}

static number add(number a, const number *b)
{
    unsigned __int128 carry = 0;
    for (int i = 0; i <= a.digits; i++) {
        carry += (unsigned __int128)a.word[i] + b->word[i];
        a.word[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return a;
}

/* a - b modulo 2^64: a whole part with its highest bit is below 0. */
static number subtract(number a, const number *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i <= a.digits; i++) {
        const uint64_t less = a.word[i] - b->word[i];
        const uint64_t next = (a.word[i] < b->word[i]) | (less < borrow);
        a.word[i] = less - borrow;
        borrow = next;
    }
    return a;
}

static bool is_below_0(const number *a) { return a->word[a->digits] >> 63; }

static number multiply(const number *a, const number *b)
{
    const int n = a->digits;
    uint64_t product[2 * MANY + 2] = {0};
    number to = {.digits = n};
    for (int i = 0; i <= n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j <= n; j++) {
            const unsigned __int128 sum = (unsigned __int128)a->word[i] * b->word[j] + product[i + j] + carry;
            product[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        product[i + n + 1] = carry;
    }
    memcpy(to.word, product + n, (size_t)(n + 1) * sizeof *product);
    return to;
}

static number times(number a, uint64_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i <= a.digits; i++) {
        const unsigned __int128 sum = (unsigned __int128)a.word[i] * by + carry;
        a.word[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    return a;
}

static number divide_small(number a, uint64_t by)
{
    uint64_t rest = 0;
    for (int i = a.digits; i >= 0; i--) {
        const unsigned __int128 part = (unsigned __int128)rest << 64 | a.word[i];
        a.word[i] = (uint64_t)(part / by);
        rest = (uint64_t)(part % by);
    }
    return a;
}

/* a / b bit by bit, as at school. */
static number divide(const number *a, const number *b)
{
    const int n = a->digits;
    number quotient = {.digits = n}, rest = {.digits = n};
    for (int bit = 64 * (2 * n + 1) - 1; bit >= 0; bit--) {
        const int from = bit / 64 - n;
        for (int i = n; i > 0; i--)
            rest.word[i] = rest.word[i] << 1 | rest.word[i - 1] >> 63;
        rest.word[0] = rest.word[0] << 1 | (from >= 0 ? a->word[from] >> bit % 64 & 1 : 0);
        const number less = subtract(rest, b);
        const bool fits = !is_below_0(&less);
        if (fits)
            rest = less;
        if (bit / 64 <= n)
            quotient.word[bit / 64] |= (uint64_t)fits << bit % 64;
    }
    return quotient;
}

/* A finite double from 2^-112 to 2^63, exactly, but for what is below the last bit. */
static number number_of(int digits, double x)
{
    number to = {.digits = digits};
    for (int i = digits; i >= 0; i--) {
        const double part = floor(x);
        to.word[i] = (uint64_t)part;
        x = ldexp(x - part, 64);
    }
    return to;
}

/* ---- Rounding ---- */

static unsigned bit_of(const number *a, int i) { return i < 0 ? 0 : a->word[i / 64] >> i % 64 & 1; }

static bool is_any_below(const number *a, int i)
{
    while (--i >= 0)
        if (bit_of(a, i))
            return true;
    return false;
}

/* The double that is nearest to a 2^exponent, a > 0; of equally near ones the even one. */
static double nearest(const number *a, int exponent)
{
    int top = 64 * (a->digits + 1) - 1;
    while (!bit_of(a, top))
        top--;
    const int power = top - 64 * a->digits + exponent; /* of the highest bit */
    const int bits = power >= -1022 ? 53 : power < -1076 ? -1 : 53 - (-1022 - power);
    if (bits < 0)
        return 0;
    uint64_t mantissa = 0;
    for (int i = 0; i < bits; i++)
        mantissa = mantissa << 1 | bit_of(a, top - i);
    if (bit_of(a, top - bits) && (mantissa & 1 || is_any_below(a, top - bits)))
        mantissa++;
    return ldexp((double)mantissa, power - bits + 1);
}

/* Is the nearest double certain, if the last `unsure` bits of a may be wrong? */
static bool is_certain(const number *a, int exponent, int unsure, double *out)
{
    number error = {.digits = a->digits};
    error.word[unsure / 64] = UINT64_C(1) << unsure % 64;
    const number more = add(*a, &error), less = subtract(*a, &error);
    if (is_below_0(&less) || !is_any_below(&less, 64 * (a->digits + 1)))
        return false;
    *out = nearest(&more, exponent);
    return *out == nearest(&less, exponent);
}

static bool settle(const number *a, int exponent, int unsure, double *out)
{
    if (is_certain(a, exponent, unsure, out))
        return true;
    if (a->digits == MANY)
        *out = nearest(a, exponent);
    return a->digits == MANY;
}

/* ---- Constants: 256 bits of fraction and a whole part, the lowest word first ---- */

static const uint64_t LN2[] = {
    UINT64_C(0x8a0d175b8baafa2b), UINT64_C(0x40f343267298b62d), UINT64_C(0xc9e3b39803f2f6af),
    UINT64_C(0xb17217f7d1cf79ab), UINT64_C(0x0000000000000000),
};
static const uint64_t ONE_OVER_LN2[] = {
    UINT64_C(0x164a2cd9a342648f), UINT64_C(0xd6aef551bad2b4b1), UINT64_C(0x7d0ffda0d23a7d11),
    UINT64_C(0x71547652b82fe177), UINT64_C(0x0000000000000001),
};
static const uint64_t HALF_PI[] = {
    UINT64_C(0x04177d4c76273644), UINT64_C(0x52049c1114cf98e8), UINT64_C(0x898cc51701b839a2),
    UINT64_C(0x921fb54442d18469), UINT64_C(0x0000000000000001),
};

/* The bits of 2/pi behind the point, the highest word first. */
static const uint64_t TWO_OVER_PI[] = {
    UINT64_C(0xa2f9836e4e441529), UINT64_C(0xfc2757d1f534ddc0), UINT64_C(0xdb6295993c439041),
    UINT64_C(0xfe5163abdebbc561), UINT64_C(0xb7246e3a424dd2e0), UINT64_C(0x06492eea09d1921c),
    UINT64_C(0xfe1deb1cb129a73e), UINT64_C(0xe88235f52ebb4484), UINT64_C(0xe99c7026b45f7e41),
    UINT64_C(0x3991d639835339f4), UINT64_C(0x9c845f8bbdf9283b), UINT64_C(0x1ff897ffde05980f),
    UINT64_C(0xef2f118b5a0a6d1f), UINT64_C(0x6d367ecf27cb09b7), UINT64_C(0x4f463f669e5fea2d),
    UINT64_C(0x7527bac7ebe5f17b), UINT64_C(0x3d0739f78a5292ea), UINT64_C(0x6bfb5fb11f8d5d08),
    UINT64_C(0x56033046fc7b6bab), UINT64_C(0xf0cfbc209af4361d), UINT64_C(0xa9e391615ee61b08),
    UINT64_C(0x6599855f14a06840),
};

enum { TWO_OVER_PI_WORDS = sizeof TWO_OVER_PI / sizeof *TWO_OVER_PI };

/* ---- exp ---- */

/* e^r, 0 <= r < 1. */
static number exp_of(number r)
{
    enum { HALVINGS = 8 };
    const int terms = r.digits == FEW ? 13 : 23; /* (2^-8)^terms / terms! is below the last bit */
    const number one = whole(r.digits, 1);
    number sum = one;
    r = divide_small(r, 1 << HALVINGS);
    for (int i = terms; i > 0; i--) {
        const number next = divide_small(multiply(&r, &sum), (uint64_t)i);
        sum = add(one, &next);
    }
    for (int i = 0; i < HALVINGS; i++)
        sum = multiply(&sum, &sum);
    return sum;
}

/* e^size or, if negative, e^-size; size < 2^10. */
static bool exp_by_size(const number *size, bool negative, double *out)
{
    const int digits = size->digits;
    const number ln2 = constant(digits, LN2);
    const double about = (double)size->word[digits] + ldexp((double)size->word[digits - 1], -64);
    int k = (int)(about / NP_LN2);
    number multiple = times(ln2, (uint64_t)k), r = subtract(*size, &multiple);
    if (is_below_0(&r))
        r = add(r, &ln2), k--;
    if (negative)
        r = subtract(ln2, &r), k = -k - 1;
    const number value = exp_of(r);
    return settle(&value, k, UNSURE, out);
}

static bool exp_by(int digits, double x, double *out)
{
    const number size = number_of(digits, fabs(x));
    return exp_by_size(&size, x < 0, out);
}

/* Tries few digits, then many. */
static double by_digits(bool (*function)(int digits, double x, double *out), double x)
{
    double value;
    if (!function(FEW, x, &value))
        function(MANY, x, &value);
    return value;
}

double np_rounded_exp(double x)
{
    if (!(x < 710))
        return x >= 710 ? INFINITY : x;
    if (x < -746)
        return 0;
    return fabs(x) < 0x1p-55 ? 1 : by_digits(exp_by, x);
}

/* ---- log ---- */

/* log x = k ln 2 +- 2 artanh s, s = numerator / denominator < 0.172. */
typedef struct ratio {
    int k;
    bool below; /* the second part is below 0 */
    uint64_t numerator, denominator;
} ratio;

static ratio ratio_of(double x)
{
    int k;
    double m = frexp(x, &k);
    if (m < 0.70710678118654752440)
        m *= 2, k--;
    const uint64_t scaled = (uint64_t)ldexp(m, 54), one = UINT64_C(1) << 54;
    const bool below = scaled < one;
    return (ratio){k, below, below ? one - scaled : scaled - one, scaled + one};
}

/* Both parts have one sign. */
static bool is_same_sign(const ratio *r) { return !r->k || r->below == (r->k < 0); }

/* The second part is smaller than the first. */
static bool is_log_negative(const ratio *r) { return r->k ? r->k < 0 : r->below; }

static uint64_t size_of_k(const ratio *r) { return (uint64_t)(r->k < 0 ? -r->k : r->k); }

/* factor s; factor times the numerator is below 2^64. */
static number times_s(number factor, const ratio *r)
{
    return divide_small(times(factor, r->numerator), r->denominator);
}

/* 2 (artanh s) / s, s^2 < 2^-5. */
static number artanh_over(const number *s)
{
    const int digits = s->digits, terms = digits == FEW ? 26 : 52;
    const number square = multiply(s, s);
    number sum = whole(digits, 0);
    for (int i = terms; i >= 0; i--) {
        const number odd = divide_small(whole(digits, 1), (uint64_t)(2 * i + 1));
        sum = multiply(&square, &sum);
        sum = add(sum, &odd);
    }
    return times(sum, 2);
}

/* k + 2 artanh s / ln 2 or k ln 2 + 2 artanh s. */
static bool logarithm(int digits, double x, bool binary, double *out)
{
    const ratio r = ratio_of(x);
    const number s = times_s(whole(digits, 1), &r), over = artanh_over(&s);
    const number inverse = constant(digits, ONE_OVER_LN2), ln2 = constant(digits, LN2);
    number part = multiply(&s, &over);
    if (binary)
        part = multiply(&part, &inverse);
    const number base = binary ? whole(digits, size_of_k(&r)) : times(ln2, size_of_k(&r));
    const number value = is_same_sign(&r) ? add(base, &part) : subtract(base, &part);
    const bool certain = settle(&value, 0, UNSURE, out);
    if (is_log_negative(&r))
        *out = -*out;
    return certain;
}

static bool log_by(int digits, double x, double *out) { return logarithm(digits, x, false, out); }
static bool log2_by(int digits, double x, double *out) { return logarithm(digits, x, true, out); }

static double log_by_digits(bool (*function)(int, double, double *), double x)
{
    if (x == 0)
        return -INFINITY;
    if (x == 1)
        return 0;
    if (!(x > 0))
        return NAN;
    return x == INFINITY ? x : by_digits(function, x);
}

double np_rounded_log(double x) { return log_by_digits(log_by, x); }
double np_rounded_log2(double x) { return log_by_digits(log2_by, x); }

/* ---- x^y ---- */

/* x = odd 2^exponent, x > 0. */
static uint64_t odd_of(double x, int *exponent)
{
    const uint64_t mantissa = (uint64_t)ldexp(frexp(x, exponent), 53);
    const int zeros = __builtin_ctzll(mantissa);
    *exponent += zeros - 53;
    return mantissa >> zeros;
}

/*
 * Is x^y a whole number of at most 64 bits times a power of two? Otherwise it is no double, and no middle between two:
 * these have at most 54 bits. For y = n / 2^j, n odd, x must be a 2^j-th power; beside powers of two y > 0.
 * x is not 1, |y log x| < 746.
 */
static bool is_exact(double x, double y, double *out)
{
    int exponent, halves;
    uint64_t base = odd_of(x, &exponent), result = 1;
    double n = (double)odd_of(fabs(y), &halves);
    for (; halves < 0; halves++) {
        const uint64_t root = (uint64_t)sqrt((double)base);
        if (exponent % 2 || root * root != base)
            return false;
        base = root, exponent /= 2;
    }
    n = ldexp(n, halves);
    if (base > 1 && (y < 0 || n > 40)) /* 3^41 has 65 bits */
        return false;
    for (int i = 0; base > 1 && i < (int)n; i++)
        if (__builtin_mul_overflow(result, base, &result))
            return false;
    const number value = whole(FEW, result);
    *out = nearest(&value, (int)(y < 0 ? -n : n) * exponent);
    return true;
}

/*
 * |y| s < 373 because |y log x| < 746, and the denominator is below 2.42 2^54: |y| times the
 * numerator is below 2^64.
 * |y k| < 2153: the error of k ln 2 becomes less than 2^12 units of the last bit.
 */
static bool power_by(int digits, double x, double y, double *out)
{
    const ratio r = ratio_of(x);
    const number size = number_of(digits, fabs(y)), ln2 = constant(digits, LN2);
    const number s = times_s(whole(digits, 1), &r), over = artanh_over(&s), ys = times_s(size, &r);
    const number part = multiply(&ys, &over), turns = times(ln2, size_of_k(&r)), base = multiply(&size, &turns);
    const number value = is_same_sign(&r) ? add(base, &part) : subtract(base, &part);
    return exp_by_size(&value, is_log_negative(&r) != (y < 0), out);
}

/* x >= 0, x is not 1, y is not 0. */
static double power_of_size(double x, double y)
{
    const double about = y * np_log(x); /* infinite if x is 0 or infinite, or y is infinite */
    double value;
    if (about >= 710)
        return INFINITY;
    if (about < -746)
        return 0;
    if (fabs(about) < 0x1p-55)
        return 1;
    if (!is_exact(x, y, &value) && !power_by(FEW, x, y, &value))
        power_by(MANY, x, y, &value);
    return value;
}

double np_rounded_power(double x, double y)
{
    const bool is_whole = y == floor(y), is_odd = is_whole && 2 * floor(y / 2) != y;
    if (x == 1 || y == 0)
        return 1;
    if (isnan(x) || isnan(y) || (x < 0 && x > -INFINITY && !is_whole))
        return NAN;
    const double size = x == -1 ? 1 : power_of_size(fabs(x), y);
    return is_odd && signbit(x) ? -size : size;
}

/* ---- sin, cos, tan ---- */

/* 64 bits of 2/pi, those of weights 2^-(at + 1) to 2^-(at + 64). Before the point there are none. */
static uint64_t bits_of_two_over_pi(int at)
{
    const int word = at >= 0 ? at / 64 : -((63 - at) / 64), shift = at - 64 * word;
    const uint64_t high = word >= 0 && word < TWO_OVER_PI_WORDS ? TWO_OVER_PI[word] : 0;
    const uint64_t low = word + 1 >= 0 && word + 1 < TWO_OVER_PI_WORDS ? TWO_OVER_PI[word + 1] : 0;
    return shift ? high << shift | low >> (64 - shift) : high;
}

/* x = (quarter + f) pi/2, x > 0. Returns f; the quarter modulo 4. */
static number reduce(int digits, double x, unsigned *quarter)
{
    int exponent;
    const uint64_t mantissa = (uint64_t)ldexp(frexp(x, &exponent), 53);
    uint64_t carry = 0;
    number f = {.digits = digits};
    exponent -= 53;
    for (int i = digits; i >= -1; i--) { /* one word more than f has: the mantissa lifts errors by 53 bits */
        const unsigned __int128 product = (unsigned __int128)bits_of_two_over_pi(64 * i + exponent) * mantissa + carry;
        carry = (uint64_t)(product >> 64);
        if (i < digits)
            f.word[digits - 1 - i] = (uint64_t)product;
    }
    *quarter = f.word[digits] & 3;
    f.word[digits] = 0;
    return f;
}

/* The sine or the cosine of 0 <= r <= pi/4, by Taylor's series. */
static number series(const number *r, bool cosine)
{
    const number square = multiply(r, r), one = whole(r->digits, 1);
    number sum = one;
    for (int i = r->digits == FEW ? 16 : 29; i > 0; i--) {
        const uint64_t n = (uint64_t)(2 * i + !cosine);
        const number next = divide_small(multiply(&square, &sum), n * (n - 1));
        sum = subtract(one, &next);
    }
    return cosine ? sum : multiply(r, &sum);
}

/* Bits before the point. */
static int whole_bits(const number *a)
{
    const uint64_t top = a->word[a->digits];
    return top ? 64 - __builtin_clzll(top) : 0;
}

typedef enum function { SINE, COSINE, TANGENT } function;

static bool trigonometric(int digits, double x, function wanted, double *out)
{
    unsigned quarter;
    const number one = whole(digits, 1), half_pi = constant(digits, HALF_PI);
    number f = reduce(digits, fabs(x), &quarter);
    const bool far = f.word[digits - 1] >> 63; /* nearer to the next multiple: sine and cosine change places */
    if (far)
        f = subtract(one, &f);
    const number r = multiply(&f, &half_pi);
    const bool odd = quarter & 1, swap = far != odd;
    number value;
    bool negative;
    if (wanted == TANGENT) {
        const number s = series(&r, swap), c = series(&r, !swap);
        if (!is_any_below(&c, 64 * (digits + 1)))
            return false;
        value = divide(&s, &c);
        negative = odd != (x < 0);
    } else {
        value = series(&r, (wanted == COSINE) != swap);
        negative = wanted == COSINE ? quarter == 1 || quarter == 2 : (quarter >= 2) != (x < 0);
    }
    const bool certain = settle(&value, 0, UNSURE + 2 * whole_bits(&value), out);
    if (negative)
        *out = -*out;
    return certain;
}

static bool sin_by(int digits, double x, double *out) { return trigonometric(digits, x, SINE, out); }
static bool cos_by(int digits, double x, double *out) { return trigonometric(digits, x, COSINE, out); }
static bool tan_by(int digits, double x, double *out) { return trigonometric(digits, x, TANGENT, out); }

/* From 2^-27 down the cube of x is less than half a unit. */
double np_rounded_sin(double x) { return fabs(x) < 0x1p-27 ? x : x - x != 0 ? NAN : by_digits(sin_by, x); }

double np_rounded_cos(double x) { return fabs(x) < 0x1p-27 ? 1 : x - x != 0 ? NAN : by_digits(cos_by, x); }

double np_rounded_tan(double x) { return fabs(x) < 0x1p-27 ? x : x - x != 0 ? NAN : by_digits(tan_by, x); }

/* ---- atan ---- */

/* 0 <= t < 0.415: t / (1 + t^2) (1 + 2/3 y (1 + 4/5 y (...))), y = t^2 / (1 + t^2) < 2^-2.7. */
static number atan_of(const number *t)
{
    const number one = whole(t->digits, 1), square = multiply(t, t), all = add(one, &square);
    const number part = divide(t, &all), y = multiply(t, &part);
    number sum = one;
    for (int i = t->digits == FEW ? 49 : 97; i > 0; i--) {
        const uint64_t even = 2 * (uint64_t)i;
        const number next = divide_small(times(multiply(&y, &sum), even), even + 1);
        sum = add(one, &next);
    }
    return multiply(&part, &sum);
}

static bool atan_by(int digits, double x, double *out)
{
    const double size = fabs(x);
    const number a = number_of(digits, size), one = whole(digits, 1), half_pi = constant(digits, HALF_PI);
    const number more = add(a, &one), less = size < 1 ? subtract(one, &a) : subtract(a, &one);
    const bool middle = size > 0.4142 && size < 2.4143;
    const number base = middle ? divide_small(half_pi, 2) : half_pi;
    const number t = middle ? divide(&less, &more) : size < 1 ? a : divide(&one, &a);
    number value = atan_of(&t);
    if (middle && size > 1)
        value = add(base, &value);
    else if (middle || size > 1)
        value = subtract(base, &value);
    const bool certain = settle(&value, 0, UNSURE, out);
    if (x < 0)
        *out = -*out;
    return certain;
}

/* From 2^60 on 1 / x is less than what pi/2 is away from the middle between two doubles. */
double np_rounded_atan(double x)
{
    if (!(fabs(x) >= 0x1p-27))
        return x;
    return fabs(x) < 0x1p60 ? by_digits(atan_by, x) : copysign(0x1.921fb54442d18p+0, x);
}
