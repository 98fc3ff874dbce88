/*
 * Any network with any paths as a leveled network (Leighton, Maggs, Ranade & Rao 1994, section 2, whose theorem is for
 * all of them). There are two ways.
 *
 * Unrolled by hops. Node (v, h) is on level h, and v plays it. A packet starts on level 0, and its h-th link is an edge
 * from level h - 1 to level h. There are as many levels as the longest path has links. A network is made for the paths
 * of a phase, and has the nodes and edges alone that these paths use: stage 1 comes before stage 2, so that every node
 * can know over which of its links packets will come to it and at which hop. With all links on all levels, nodes would
 * wait for the ghosts of links on which no packet ever comes.
 *
 * As it is. If each link of a network leads from a level to the next, the network is leveled: it has all of its own
 * nodes and links, and no others, and every node plays itself.
 */
#pragma once

#include "model/leveled/path_set.h"
#include "model/leveled/walk.h"

/*
 * The network of the walk's paths, and the paths on it.
 * It has no columns (rows = 0).
 * NP_ERROR_LIMIT: packets leave a node over more links at one hop than a node has ports; NP_ERROR_MEMORY.
 */
np_status np_unrolled_make(np_walk *walk, np_leveled **out, np_path_set *path_set) NP_CHECKED;

/* The most that a network of paths of at most `depth` links takes, and what is needed to make it. */
np_leveled np_unrolled_sizes(const np_network *network, uint64_t packets, uint32_t depth);
uint64_t np_unrolled_bytes(const np_network *network, uint64_t packets);

/* A network as it is. */
typedef struct np_as_is {
    np_leveled *leveled;
    uint32_t *number; /* [nodes] the logical node that a node plays */
    uint64_t bytes;   /* with those of the search for its levels */
} np_as_is;

/*
 * *out = NULL: the network is not leveled, or a node has more links than NP_LEVELED_PORTS_MAX.
 * NP_ERROR_MEMORY, NP_ERROR_LIMIT.
 */
np_status np_as_is_create(const np_network *network, np_as_is **out) NP_CHECKED;
void np_as_is_free(np_as_is *as_is);

/* The bytes to find out whether a network is leveled, which are freed then. 0 for undirected networks: one look at node
   0 is enough. */
uint64_t np_as_is_search_bytes(const np_network *network);

/* The walk's paths on it. NP_ERROR_MEMORY. */
np_status np_as_is_select(const np_as_is *as_is, np_walk *walk, np_path_set *path_set) NP_CHECKED;
