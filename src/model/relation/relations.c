/* The list of relations. "greedy" means the first one of shortest paths that applies. */
#include "model/relation/rule.h"

extern const np_relation_rule np_relation_dimension_order;

const np_registry np_relations = {
    .what = "rule of routes hop by hop",
    .also = "greedy",
    .built_in = NP_ENTRIES(&np_relation_dimension_order.info),
};
