/* The list of network families. */
#include "model/network/network.h"

extern const np_network_family np_binomial_tree;
extern const np_network_family np_hypercube, np_shuffle, np_shuffle_exchange, np_ccc, np_butterfly, np_grid_mesh,
    np_grid_torus, np_grid_array, np_grid_ring, np_complete, np_crossbar, np_tree, np_mesh_of_trees, np_star,
    np_pancake, np_cayley, np_butterfly_io, np_fat_tree, np_fat_tree_8, np_binary_fat_tree, np_omega, np_inverse_omega,
    np_benes, np_universal_area, np_universal_volume, np_product_family, np_links, np_hyperx, np_flattened_butterfly,
    np_dragonfly, np_dragonfly_plus, np_slimfly, np_polarfly, np_jellyfish, np_xpander, np_xgft, np_kary_tree,
    np_leaf_spine, np_clos, np_fat_tree_k, np_kary_fly, np_rail, np_planes;

const np_registry np_network_families = {
    .list = "networks",
    .title = "networks (the first argument of route and info)",
    .what = "network family",
    .built_in = NP_ENTRIES(
        &np_hypercube.info, &np_binomial_tree.info, &np_shuffle.info, &np_shuffle_exchange.info, &np_ccc.info,
        &np_butterfly.info, &np_grid_mesh.info, &np_grid_torus.info, &np_grid_array.info, &np_grid_ring.info,
        &np_complete.info, &np_crossbar.info, &np_tree.info, &np_mesh_of_trees.info, &np_star.info, &np_pancake.info,
        &np_cayley.info, &np_butterfly_io.info, &np_fat_tree.info, &np_fat_tree_8.info, &np_binary_fat_tree.info,
        &np_omega.info, &np_inverse_omega.info, &np_benes.info, &np_universal_area.info, &np_universal_volume.info,
        &np_hyperx.info, &np_flattened_butterfly.info, &np_dragonfly.info, &np_dragonfly_plus.info, &np_slimfly.info,
        &np_polarfly.info, &np_jellyfish.info, &np_xpander.info, &np_xgft.info, &np_kary_tree.info, &np_leaf_spine.info,
        &np_clos.info, &np_fat_tree_k.info, &np_kary_fly.info, &np_rail.info, &np_planes.info, &np_product_family.info,
        &np_links.info),
};
