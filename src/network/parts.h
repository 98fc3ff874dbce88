/* The connected parts of a network that is torn apart, where links may be crossed both ways. */
#ifndef NP_NETWORK_PARTS_H
#define NP_NETWORK_PARTS_H

#include "base/export.h"
#include "network/network.h"

typedef struct np_network_parts {
    uint32_t parts;
    uint32_t *size;  /* [parts] nodes of each, the largest first */
    uint32_t alone;  /* nodes without a link to another one */
    np_node *single; /* [alone] them, ascending */
} np_network_parts;

/* Finds them, in time O(nodes + links). NP_ERROR_MEMORY: clear it in any case. */
NP_FOR_REPORT np_status np_network_parts_find(const np_network *network, np_network_parts *parts) NP_CHECKED;
NP_FOR_REPORT void np_network_parts_clear(np_network_parts *parts);

#endif
