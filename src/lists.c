/* All registries, in the order of np_list: one line each. */
#include "base/registry.h"

extern const np_registry np_network_families, np_schemes, np_path_rules, np_traffic_generators, np_disciplines,
    np_programs, np_machines, np_sorters, np_key_orders, np_collective_algorithms, np_judges, np_drawings, np_rules,
    np_relations, np_imports;
NP_PAPERS(extern const np_registry np_embeddings, np_indexings, np_reconfigure_programs;)

static const np_registry *const registries[NP_LISTS] = {
    [NP_LIST_NETWORKS] = &np_network_families,
    [NP_LIST_SCHEMES] = &np_schemes,
    [NP_LIST_PATHS] = &np_path_rules,
    [NP_LIST_TRAFFIC] = &np_traffic_generators,
    [NP_LIST_QUEUES] = &np_disciplines,
    [NP_LIST_PROGRAMS] = &np_programs,
    [NP_LIST_MACHINES] = &np_machines,
    [NP_LIST_SORTERS] = &np_sorters,
    [NP_LIST_ORDERS] = &np_key_orders,
    NP_PAPERS([NP_LIST_EMBEDDINGS] = &np_embeddings, [NP_LIST_INDEXINGS] = &np_indexings, )[NP_LIST_COLLECTIVES] =
        &np_collective_algorithms,
    NP_PAPERS([NP_LIST_RECONFIGURABLE] = &np_reconfigure_programs, )[NP_LIST_PROBLEMS] = &np_judges,
    [NP_LIST_DRAWINGS] = &np_drawings,
    [NP_LIST_RULES] = &np_rules,
    [NP_LIST_RELATIONS] = &np_relations,
    [NP_LIST_IMPORTS] = &np_imports,
};

/* NULL: there is none, or it is of the annex, and this build is without it. */
static const np_registry *at(np_list list) { return list < NP_LISTS ? registries[list] : NULL; }

const char *np_list_name(np_list list) { return at(list) ? at(list)->list : NULL; }
const char *np_list_title(np_list list) { return at(list) ? at(list)->title : NULL; }
const np_entry *np_list_get(np_list list, size_t i) { return at(list) ? np_registry_entry(at(list), i) : NULL; }
