/* The families of networks: one line each. */
#include "network/network.h"

extern const np_network_family_ops np_binomial_tree;
extern const np_network_family_ops np_hypercube, np_shuffle, np_shuffle_exchange, np_ccc, np_butterfly, np_grid_mesh,
    np_grid_torus, np_grid_array, np_grid_ring, np_complete, np_crossbar, np_tree, np_mesh_of_trees, np_star,
    np_pancake, np_cayley, np_butterfly_io, np_fat_tree, np_fat_tree_8, np_binary_fat_tree, np_omega, np_inverse_omega,
    np_universal_area, np_universal_volume, np_links;

const np_network_family_ops *const np_families[] = {
    &np_hypercube,
    &np_binomial_tree,
    &np_shuffle,
    &np_shuffle_exchange,
    &np_ccc,
    &np_butterfly,
    &np_grid_mesh,
    &np_grid_torus,
    &np_grid_array,
    &np_grid_ring,
    &np_complete,
    &np_crossbar,
    &np_tree,
    &np_mesh_of_trees,
    &np_star,
    &np_pancake,
    &np_cayley,
    &np_butterfly_io,
    &np_fat_tree,
    &np_fat_tree_8,
    &np_binary_fat_tree,
    &np_omega,
    &np_inverse_omega,
    &np_universal_area,
    &np_universal_volume,
    &np_links,
    NULL,
};
