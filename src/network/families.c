/* The families of networks: one line each. */
#include "network/network.h"

extern const np_network_family_ops np_hypercube;

const np_network_family_ops *const np_families[] = {
    &np_hypercube,
    NULL,
};
