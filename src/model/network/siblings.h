/*
 * Terminals that are interchangeable for whoever asks for distances only: those whose one neighbour, there and back, is
 * the same node, as the hosts of a switch are; and those that share a node. A set of siblings is one row or column of
 * a matrix, where each terminal would be one.
 */
#ifndef NP_NETWORK_SIBLINGS_H
#define NP_NETWORK_SIBLINGS_H

#include "model/network/network.h"

typedef struct np_siblings {
    uint32_t sets;
    uint32_t *first;  /* [sets + 1] of the members of each set */
    uint32_t *member; /* [terminals] numbers of terminals, ascending in each set; sets are in order of their first */
    uint32_t *size;   /* [sets] */
    np_node *node;    /* [sets] where the first member is */
    np_node *second;  /* [sets] where one is that is at another node; NP_NONE: nowhere */
    void *block;
} np_siblings;

/* The sets of the inputs, or of the outputs: the same sets, where inputs are outputs. Clear it in any case. */
np_status np_siblings_init(np_siblings *siblings, const np_network *network, bool outputs) NP_CHECKED;
void np_siblings_clear(np_siblings *siblings);

#endif
