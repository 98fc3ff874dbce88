/* See values.h. */
#include "machine/pram/values.h"

#define BIT(rule) (UINT32_C(1) << (rule))

enum { ALL = (1 << NP_RULES) - 1, BITWISE = BIT(NP_RULE_AND) | BIT(NP_RULE_OR) | BIT(NP_RULE_XOR) };

static const char *const type_names[] = {"int", "real", "bool"};

const char *np_cell_type_name(np_cell_type type)
{
    return (unsigned)type < sizeof type_names / sizeof *type_names ? type_names[type] : "?";
}

const char *np_fetch_op_name(np_fetch_op op)
{
    static const char *const names[] = {"add", "min", "max", "and", "or", "xor"};
    return (unsigned)op < sizeof names / sizeof *names ? names[op] : "?";
}

static double apply_real(np_fetch_op op, double a, double b)
{
    if (op == NP_FETCH_MIN)
        return np_values_least(a, b);
    if (op == NP_FETCH_MAX)
        return np_values_largest(a, b);
    const double sum = a + b;
    return isnan(sum) ? NAN : sum;
}

np_word np_values_apply(np_cell_type type, np_fetch_op op, np_word a, np_word b)
{
    if (type == NP_CELL_REAL)
        return np_word_of_real(apply_real(op, np_real_of_word(a), np_real_of_word(b)));
    return np_fetch_apply(op, a != 0, b != 0);
}

np_word np_values_collision(np_cell_type type) { return type == NP_CELL_REAL ? np_word_of_real(NAN) : NP_COLLISION; }

uint32_t np_values_rules(np_cell_type type)
{
    static const uint32_t without[] = {[NP_CELL_REAL] = BITWISE,
                                       [NP_CELL_BOOL] = BIT(NP_RULE_COLLISION) | BIT(NP_RULE_ADD) | BIT(NP_RULE_MIN) |
                                                        BIT(NP_RULE_MAX)};
    return ALL & ~without[type];
}

bool np_values_fetched(np_cell_type type, np_fetch_op op) { return np_values_rules(type) >> (NP_RULE_ADD + op) & 1; }
