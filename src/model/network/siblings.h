/*
 * Terminals that are interchangeable for whoever asks for distances only: those whose one neighbour, there and back, is
 * the same node, as the hosts of a switch are; and those that share a node. A set of siblings is one row or column of
 * a matrix, where each terminal would be one.
 */
#pragma once

#include "base/assignment.h"
#include "model/network/network.h"

typedef struct np_siblings {
    uint32_t sets;
    uint32_t *first;  /* [sets + 1] of the members of each set */
    uint32_t *member; /* [terminals] numbers of terminals, ascending in each set; sets are in order of their first */
    uint32_t *size;   /* [sets] */
    np_node *node;    /* [sets] where the first member is */
    np_node *second;  /* [sets] where one is that is at another node; NP_NONE: nowhere */
    np_node *gate;    /* [sets] the one neighbour of all; NP_NONE: the set is a node that has several, or none */
    void *block;
} np_siblings;

/* The sets of the inputs, or of the outputs: the same sets, where inputs are outputs. Clear it in any case. */
np_status np_siblings_init(np_siblings *siblings, const np_network *network, bool outputs) NP_CHECKED;
void np_siblings_clear(np_siblings *siblings);

/*
 * destination[i] = where terminal i sends, if the sets of inputs send to the sets of outputs what is assigned. Where a
 * set of several nodes sends to itself, no node does. NP_ERROR_MEMORY.
 */
np_status np_siblings_send(const np_siblings *from, const np_siblings *to, const np_assignment *assignment,
                           np_node *destination) NP_CHECKED;
