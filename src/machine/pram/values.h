/*
 * Values of the types that cells have: how two are compared and combined, and which combinations have a meaning.
 *
 * All combinations are associative, and those of writes do not depend on the order either, but for one: a sum of reals
 * is the exact sum, rounded once. So it cannot be put together from sums of parts that are rounded (np_values_summed).
 * Who combines its requests keeps all operands, and whoever has them all adds them up (base/exact_sum.h): the memory,
 * which gets each request by itself, or the machine.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "base/combine.h"
#include "base/export.h"
#include "base/exact_sum.h"
#include "netpram/pram.h"

_Static_assert((int)NP_FETCH_XOR == (int)NP_COMBINATION_XOR, "both have one order");

/* a op b; sums wrap around. */
static inline np_word np_fetch_apply(np_fetch_op op, np_word a, np_word b)
{
    return (np_word)np_combine_words((np_combination)op, (uint64_t)a, (uint64_t)b, a < b);
}

/*
 * minimum and maximum of IEEE 754-2019, section 9.6: -0.0 is less than 0.0; NaN is neither less nor larger, and is the
 * result.
 */
static inline double np_values_least(double a, double b)
{
    const double either = signbit(a) ? a : b;
    return a < b ? a : b < a ? b : a == b ? either : NAN;
}

static inline double np_values_largest(double a, double b)
{
    const double either = signbit(a) ? b : a;
    return a > b ? a : b > a ? b : a == b ? either : NAN;
}

/* The same of reals and bools. A sum is of these two operands alone. NaN is always the same one. */
NP_FOR_REPORT np_word np_values_apply(np_cell_type type, np_fetch_op op, np_word a, np_word b);

/* a op b, of any type. */
static inline np_word np_values_combine(np_cell_type type, np_fetch_op op, np_word a, np_word b)
{
    return type == NP_CELL_INT ? np_fetch_apply(op, a, b) : np_values_apply(type, op, a, b);
}

/* Is the combination of several such operands a sum of reals? */
static inline bool np_values_summed(np_cell_type type, np_fetch_op op)
{
    return type == NP_CELL_REAL && op == NP_FETCH_ADD;
}

static inline void np_values_add(np_exact_sum *sum, np_word word) { np_exact_sum_add(sum, np_real_of_word(word)); }
static inline np_word np_values_sum(const np_exact_sum *sum) { return np_word_of_real(np_exact_sum_round(sum)); }

/* Are they different values? As = has it: 0.0 and -0.0 are equal, NaN is not equal to itself. */
static inline bool np_values_differ(np_cell_type type, np_word a, np_word b)
{
    if (type == NP_CELL_INT)
        return a != b;
    return type == NP_CELL_REAL ? !(np_real_of_word(a) == np_real_of_word(b)) : !a != !b;
}

/* Is it 1, 1.0 or true? */
static inline bool np_values_is_one(np_cell_type type, np_word a)
{
    if (type == NP_CELL_INT)
        return a == 1;
    return type == NP_CELL_REAL ? np_real_of_word(a) == 1 : a != 0;
}

/* What NP_RULE_COLLISION leaves. */
np_word np_values_collision(np_cell_type type);

/* The rules, by a bit each, by which concurrent writes to cells of a type have a meaning. */
NP_FOR_REPORT uint32_t np_values_rules(np_cell_type type);

/* Has the fetch a meaning? */
NP_FOR_REPORT bool np_values_fetched(np_cell_type type, np_fetch_op op);

/* "add" */
const char *np_fetch_op_name(np_fetch_op op);
