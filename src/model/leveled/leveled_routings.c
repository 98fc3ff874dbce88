/* The leveled routings: one line each. */
#include "base/registry.h"
#include "model/leveled/leveled_routing.h"

extern const np_leveled_routing_ops np_leveled_routing_butterfly, np_leveled_routing_butterfly_io,
    np_leveled_routing_mesh, np_leveled_routing_fat_tree;
NP_PAPERS(extern const np_leveled_routing_ops np_leveled_routing_plateaus, np_leveled_routing_shuffle_exchange;)

const np_leveled_routing_ops *const np_leveled_routings[] = {
    &np_leveled_routing_butterfly,
    &np_leveled_routing_butterfly_io,
    &np_leveled_routing_mesh,
    NP_PAPERS(&np_leveled_routing_plateaus, ) & np_leveled_routing_fat_tree,
    NP_PAPERS(&np_leveled_routing_shuffle_exchange, ) NULL,
};
