/*
 * Local operations. Whole numbers wrap round at 2^64, as unsigned arithmetic does. Reals use only operations whose
 * results IEEE 754 fixes, and functions that are correctly rounded.
 */
#include <math.h>
#include <string.h>

#include "base/hot.h"
#include "base/rounded.h"
#include "machine/pram/values.h"
#include "machine/script/kernels.h"

typedef double __attribute__((may_alias)) real_word;

#define LOOP(result)                                                                                                   \
    _Pragma("omp simd") for (size_t i = 0; i < count; i++) to[i] = (np_word)(result);                                  \
    return NP_KERNEL_FINE

#define A ((uint64_t)a[i])
#define B ((uint64_t)b[i])

/* The lane i of the first for which `bad` is true; what comes after it is of no use. */
static bool is_on(const uint8_t *on, size_t i) { return !on || on[i]; }

static bool power(np_word base, np_word exponent, np_word *to)
{
    uint64_t result = 1, square = (uint64_t)base;
    for (np_word e = exponent; e > 0; e >>= 1, square *= square)
        if (e & 1)
            result *= square;
    *to = (np_word)result;
    return exponent >= 0;
}

static np_word floor_divide(np_word a, np_word b)
{
    if (b == -1)
        return (np_word)(0 - (uint64_t)a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static np_word floor_remainder(np_word a, np_word b)
{
    return (np_word)((uint64_t)a - (uint64_t)b * (uint64_t)floor_divide(a, b));
}

static np_word floor_log2(np_word a) { return 63 - __builtin_clzll((uint64_t)a); }

/* Those that are not defined everywhere. */
static bool operator_of_ints(np_operator op, np_word a, np_word b, np_word *to)
{
    bool shifts = b >= 0 && b < 64;
    *to = 0;
    switch (op) {
    case NP_OP_DIV:
        *to = b ? floor_divide(a, b) : 0;
        return b;
    case NP_OP_MOD:
        *to = b ? floor_remainder(a, b) : 0;
        return b;
    case NP_OP_POWER:
        return power(a, b, to);
    case NP_OP_SHIFT_LEFT:
        *to = shifts ? (np_word)((uint64_t)a << b) : 0;
        return shifts;
    case NP_OP_SHIFT_RIGHT:
        *to = shifts ? a >> b : 0;
        return shifts;
    case NP_OP_LOG2:
        *to = a > 0 ? floor_log2(a) : 0;
        return a > 0;
    case NP_OP_CEIL_LOG2:
        *to = a > 1 ? floor_log2(a - 1) + 1 : 0;
        return a > 0;
    default:
        return true;
    }
}

/* By a power of two, as most divisors are: *shift, if all of them are the same one. */
static bool same_power(size_t count, const np_word *b, int *shift)
{
    np_word differ = 0;
    for (size_t i = 1; i < count; i++)
        differ |= b[i] ^ b[0];
    *shift = count && b[0] > 0 ? __builtin_ctzll((uint64_t)b[0]) : 0;
    return !differ && count && b[0] > 0 && !(b[0] & (b[0] - 1));
}

NP_HOT static size_t partial_operator(np_operator op, size_t count, const np_word *a, const np_word *b,
                                      const uint8_t *on, np_word *to)
{
    int shift;
    if (op == NP_OP_DIV && same_power(count, b, &shift)) {
        LOOP(a[i] >> shift);
    }
    if (op == NP_OP_MOD && same_power(count, b, &shift)) {
        LOOP(A & ((UINT64_C(1) << shift) - 1));
    }
    if (op == NP_OP_SHIFT_LEFT && count && b[0] >= 0 && b[0] < 64 && !memcmp(b, b + 1, (count - 1) * sizeof *b)) {
        shift = (int)b[0];
        LOOP(A << shift);
    }
    size_t first = NP_KERNEL_FINE;
    for (size_t i = count; i-- > 0;) {
        np_word result;
        if (!operator_of_ints(op, a[i], b ? b[i] : 0, &result) && is_on(on, i))
            first = i;
        to[i] = result;
    }
    return first;
}

NP_HOT static size_t int_operator(np_operator op, size_t count, const np_word *a, const np_word *b, const uint8_t *on,
                                  np_word *to)
{
    switch (op) {
    case NP_OP_ADD:
        LOOP(A + B);
    case NP_OP_SUB:
        LOOP(A - B);
    case NP_OP_MUL:
        LOOP(A * B);
    case NP_OP_MIN:
        LOOP(a[i] < b[i] ? a[i] : b[i]);
    case NP_OP_MAX:
        LOOP(a[i] > b[i] ? a[i] : b[i]);
    case NP_OP_EQ:
        LOOP(a[i] == b[i]);
    case NP_OP_NE:
        LOOP(a[i] != b[i]);
    case NP_OP_LT:
        LOOP(a[i] < b[i]);
    case NP_OP_LE:
        LOOP(a[i] <= b[i]);
    case NP_OP_AND:
        LOOP(A & B);
    case NP_OP_OR:
        LOOP(A | B);
    case NP_OP_XOR:
        LOOP(A ^ B);
    case NP_OP_NEGATE:
        LOOP(0 - A);
    case NP_OP_ABS:
        LOOP(a[i] < 0 ? 0 - A : A);
    case NP_OP_NOT:
        LOOP(!a[i]);
    case NP_OP_INVERT:
        LOOP(~A);
    case NP_OP_TO_INT: /* of a boolean, or of an int */
        LOOP(a[i]);
    default:
        return partial_operator(op, count, a, b, on, to);
    }
}

#undef LOOP
#define LOOP(result)                                                                                                   \
    _Pragma("omp simd") for (size_t i = 0; i < count; i++) out[i] = (result);                                          \
    return NP_KERNEL_FINE
#define TRUTH(result)                                                                                                  \
    _Pragma("omp simd") for (size_t i = 0; i < count; i++) to[i] = (result);                                           \
    return NP_KERNEL_FINE

/* Towards zero, or downwards; not defined beyond 2^63. */
static size_t to_int(np_operator op, size_t count, const real_word *x, const uint8_t *on, np_word *to)
{
    size_t first = NP_KERNEL_FINE;
    for (size_t i = count; i-- > 0;) {
        double value = op == NP_OP_FLOOR ? floor(x[i]) : x[i];
        bool fits = value >= -0x1p63 && value < 0x1p63;
        to[i] = fits ? (np_word)value : 0;
        if (!fits && is_on(on, i))
            first = i;
    }
    return first;
}

NP_HOT static size_t real_operator(np_operator op, size_t count, const np_word *a, const np_word *b, const uint8_t *on,
                                   np_word *to)
{
    const real_word *x = (const real_word *)a, *y = (const real_word *)b;
    real_word *out = (real_word *)to;
    switch (op) {
    case NP_OP_ADD:
        LOOP(x[i] + y[i]);
    case NP_OP_SUB:
        LOOP(x[i] - y[i]);
    case NP_OP_MUL:
        LOOP(x[i] * y[i]);
    case NP_OP_DIV:
        LOOP(x[i] / y[i]);
    case NP_OP_POWER:
        LOOP(np_rounded_power(x[i], y[i]));
    case NP_OP_MIN:
        LOOP(np_values_least(x[i], y[i]));
    case NP_OP_MAX:
        LOOP(np_values_largest(x[i], y[i]));
    case NP_OP_EQ:
        TRUTH(x[i] == y[i]);
    case NP_OP_NE:
        TRUTH(x[i] != y[i]);
    case NP_OP_LT:
        TRUTH(x[i] < y[i]);
    case NP_OP_LE:
        TRUTH(x[i] <= y[i]);
    case NP_OP_NEGATE:
        LOOP(-x[i]);
    case NP_OP_ABS:
        LOOP(x[i] < 0 ? -x[i] : x[i]);
    case NP_OP_SQRT:
        LOOP(sqrt(x[i]));
    case NP_OP_EXP:
        LOOP(np_rounded_exp(x[i]));
    case NP_OP_LOG:
        LOOP(np_rounded_log(x[i]));
    case NP_OP_LOG2:
        LOOP(np_rounded_log2(x[i]));
    case NP_OP_SIN:
        LOOP(np_rounded_sin(x[i]));
    case NP_OP_COS:
        LOOP(np_rounded_cos(x[i]));
    case NP_OP_TAN:
        LOOP(np_rounded_tan(x[i]));
    case NP_OP_ATAN:
        LOOP(np_rounded_atan(x[i]));
    case NP_OP_TO_REAL: /* of a real */
        LOOP(x[i]);
    default:
        return to_int(op, count, x, on, to);
    }
}

size_t np_kernel_operator(np_operator op, bool real, size_t count, const np_word *a, const np_word *b,
                          const uint8_t *on, np_word *to)
{
    if (real)
        return real_operator(op, count, a, b, on, to);
    if (op == NP_OP_TO_REAL) {
        real_word *out = (real_word *)to;
        LOOP((double)a[i]);
    }
    return int_operator(op, count, a, b, on, to);
}

NP_HOT size_t np_kernel_offset(size_t count, const np_word *a, const np_word *index, const np_word *extent,
                               const np_word *low, const np_word *base, const uint8_t *on, np_word *to)
{
    uint64_t outside = 0;
#pragma omp simd reduction(| : outside)
    for (size_t i = 0; i < count; i++)
        outside |= (uint64_t)index[i] - (uint64_t)low[i] >= (uint64_t)extent[i];
    for (size_t i = 0; i < count && outside; i++)
        if (is_on(on, i) && (uint64_t)index[i] - (uint64_t)low[i] >= (uint64_t)extent[i])
            return i;
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        to[i] = (np_word)((a ? (uint64_t)a[i] * (uint64_t)extent[i] : 0) + (uint64_t)index[i] - (uint64_t)low[i] +
                          (base ? (uint64_t)base[i] : 0));
    return NP_KERNEL_FINE;
}

NP_HOT size_t np_kernel_place(size_t count, const np_word *index, np_word extent, np_word low, np_word base,
                              const uint8_t *on, np_word *to)
{
    const uint64_t shift = (uint64_t)base - (uint64_t)low;
    uint64_t outside = 0;
#pragma omp simd reduction(| : outside)
    for (size_t i = 0; i < count; i++) {
        outside |= (uint64_t)index[i] - (uint64_t)low >= (uint64_t)extent;
        to[i] = (np_word)((uint64_t)index[i] + shift);
    }
    for (size_t i = 0; i < count && outside; i++)
        if (is_on(on, i) && (uint64_t)index[i] - (uint64_t)low >= (uint64_t)extent)
            return i;
    return NP_KERNEL_FINE;
}

size_t np_kernel_turns(size_t count, const np_word *low, const np_word *high, const np_word *step, const uint8_t *on,
                       np_word *to)
{
    size_t first = NP_KERNEL_FINE;
    for (size_t i = count; i-- > 0;) {
        __int128 way = (__int128)high[i] - low[i];
        bool none = step[i] > 0 ? way < 0 : way > 0;
        __int128 turns = none || !step[i] ? -1 : way / step[i];
        if (!step[i] && is_on(on, i))
            first = i;
        to[i] = turns > INT64_MAX ? INT64_MAX : (np_word)turns;
    }
    return first;
}

NP_HOT void np_kernel_fill(np_word word, size_t count, np_word *to)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        to[i] = word;
}

NP_HOT void np_kernel_count(np_word first, uint64_t step, size_t count, np_word *to)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        to[i] = (np_word)((uint64_t)first + i * step);
}

NP_HOT void np_kernel_set(size_t count, const np_word *a, const uint8_t *on, np_word *to)
{
    if (!on)
        memmove(to, a, count * sizeof *to);
    else
#pragma omp simd
        for (size_t i = 0; i < count; i++)
            to[i] = on[i] ? a[i] : to[i];
}

NP_HOT void np_kernel_select(size_t count, const np_word *a, const np_word *b, const np_word *c, np_word *to)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        to[i] = a[i] ? b[i] : c[i];
}
