/* The path rules: one line each. "greedy" is the first of shortest paths that applies. */
#include "path/path.h"

extern const np_path_rule_ops np_path_dimension_order_cube, np_path_cyclic_order, np_path_random_order;
extern const np_path_rule_ops np_path_table;

const np_path_rule_ops *const np_path_rules[] = {
    &np_path_dimension_order_cube,
    &np_path_cyclic_order,
    &np_path_random_order,
    &np_path_table, /* last: greedy falls back on it */
    NULL,
};
