/*
 * Packets from the bad nodes of the shuffle-exchange graph to the good necklaces
 * with which they are associated, and back (Leighton, Maggs, Ranade & Rao 1994,
 * section 5.4), on two leveled networks: "in" and its mirror image "out".
 *
 * For every bad node, one good node of the associated necklace stands for it; a good node stands
 * for at most 4 bad ones.
 */
#pragma once

#include "model/leveled/path_set.h"
#include "papers/shuffle_exchange/necklaces.h"

typedef struct np_bad_nodes {
    const np_necklaces *necklaces; /* borrowed */
    uint32_t base;                 /* the level of "in" on which the arrays of the good necklaces begin */
    uint32_t *start; /* [nodes] the logical node of "in" where packets from a bad node begin; NP_NONE for good ones */
    uint8_t *entry;  /* [nodes] of a bad node: the array place of the good node that stands for it */
    uint8_t *back;   /* [edges of "in"] the port, in "out", of the reversed edge */
    const np_leveled *in, *out; /* the caller's */
} np_bad_nodes;

/* The sizes of "in", which are those of "out", and the bytes of what is made of necklaces of so many bits. */
np_leveled np_bad_nodes_sizes(uint32_t bits);
uint64_t np_bad_nodes_bytes(uint32_t bits);

/* The networks are the caller's to free, even after a failure; they may then be NULL. NP_ERROR_MEMORY. */
np_status np_bad_nodes_create(const np_necklaces *necklaces, np_leveled **in, np_leveled **out,
                              np_bad_nodes **bad) NP_CHECKED;
void np_bad_nodes_free(np_bad_nodes *bad);

/* The good node that stands for a node: itself, if it is good. */
np_node np_bad_nodes_good(const np_bad_nodes *bad, np_node node);

/* Adds a packet from a bad node to the good node that stands for it, on "in", or the other way, on "out". */
void np_bad_nodes_enter(const np_bad_nodes *bad, np_path_set *path_set, np_packet packet, np_node from,
                        uint32_t target);
void np_bad_nodes_leave(const np_bad_nodes *bad, np_path_set *path_set, np_packet packet, np_node to, uint32_t target);
