/*
 * The parts of a network that is torn apart: connected ones, where links may be crossed both ways, and strongly
 * connected ones, where a way leads from every node of a part to every other.
 */
#pragma once

#include "model/network/network.h"

typedef struct np_part_sizes {
    uint32_t parts;
    uint32_t *size; /* [parts] nodes of each, the largest first */
} np_part_sizes;

typedef struct np_network_parts {
    np_part_sizes connected, strong;
    uint32_t alone;  /* nodes without a link to another one */
    np_node *single; /* [alone] them, ascending */
} np_network_parts;

/* Finds them, in time O(nodes + links). NP_ERROR_MEMORY: clear it in any case. */
NP_FOR_REPORT np_status np_network_parts_find(const np_network *network, np_network_parts *parts) NP_CHECKED;
NP_FOR_REPORT void np_network_parts_clear(np_network_parts *parts);
