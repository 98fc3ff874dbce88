/* The families of networks: one line each. */
#include "network/network.h"

extern const np_network_family_ops np_hypercube;
extern const np_network_family_ops np_links;

const np_network_family_ops *const np_families[] = {
    &np_hypercube,
    &np_links,
    NULL,
};
