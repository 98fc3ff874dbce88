/* The list of relations. "greedy" means the first one of shortest paths that applies. */
#include "model/relation/rule.h"

extern const np_relation_rule np_relation_dimension_order, np_relation_dimension_order_hyperx, np_relation_minimal,
    np_relation_up_down, np_relation_shortest, np_relation_spray, np_relation_ecmp, np_relation_lowest_port,
    np_relation_up_star_down_star, np_relation_duato, np_relation_valiant, np_relation_ugal, np_relation_ugal_vc,
    np_relation_ugal_vch, np_relation_file, np_relation_forwarding;

const np_registry np_relations = {
    .list = "relations",
    .title = "routes hop by hop (--paths with check --channels)",
    .what = "rule of routes hop by hop",
    .also = "greedy",
    .built_in = NP_ENTRIES(
        &np_relation_dimension_order.info, &np_relation_dimension_order_hyperx.info, &np_relation_minimal.info,
        &np_relation_up_down.info, &np_relation_shortest.info /* greedy falls back on it */, &np_relation_spray.info,
        &np_relation_ecmp.info, &np_relation_lowest_port.info, &np_relation_up_star_down_star.info,
        &np_relation_duato.info, &np_relation_valiant.info, &np_relation_ugal.info, &np_relation_ugal_vc.info,
        &np_relation_ugal_vch.info, &np_relation_file.info, &np_relation_forwarding.info),
};
