/*
 * A path set: the packets of a phase and the paths chosen for them on a leveled network (stage 1 of
 * Leighton, Maggs, Ranade & Rao 1994). A path is stored as its origin and one port for each level
 * that it crosses.
 */
#pragma once

#include "model/leveled/leveled.h"

typedef struct np_path_set {
    np_packet packets;
    np_packet *packet; /* [packets] its number in the traffic */
    uint32_t *origin;  /* [packets] logical node */
    uint32_t *target; /* [packets] the physical destination's number; breaks ties; packets with equal targets combine */
    uint32_t *rank;   /* [packets] used only if the phase sets ranks of its own */
    size_t *begin;    /* [packets + 1] */
    uint8_t *port;    /* [begin[packets]] packet i leaves its k-th node by port[begin[i] + k] */
    size_t room, hops; /* packets and hops that there is room for */
    void *block;       /* the arrays */
    size_t block_room; /* its bytes */
} np_path_set;

/* The bytes of a path set that has room for so much. */
uint64_t np_path_set_bytes(size_t packets, size_t hops);

/* Empties the path set and makes room for `packets` packets and `hops` hops. NP_ERROR_MEMORY. */
np_status np_path_set_reset(np_path_set *path_set, size_t packets, size_t hops) NP_CHECKED;
void np_path_set_clear(np_path_set *path_set);

/* Adds a packet, for which np_path_set_reset has made room. np_path_set_hop adds its hops. */
static inline void np_path_set_add(np_path_set *path_set, np_packet packet, uint32_t origin, uint32_t target)
{
    np_packet i = path_set->packets++;
    path_set->packet[i] = packet;
    path_set->origin[i] = origin;
    path_set->target[i] = target;
    path_set->begin[i + 1] = path_set->begin[i];
}

/* Extends the path of the last packet by `port`. */
static inline void np_path_set_hop(np_path_set *path_set, uint32_t port)
{
    path_set->port[path_set->begin[path_set->packets]++] = (uint8_t)port;
}

/* Extends the path of the last packet by so many ports, which the caller writes where this points to. */
static inline uint8_t *np_path_set_hops(np_path_set *path_set, size_t hops)
{
    uint8_t *port = path_set->port + path_set->begin[path_set->packets];
    path_set->begin[path_set->packets] += hops;
    return port;
}

/* Drops the packets that are gone: gone[number in the traffic] is not 0. */
void np_path_set_drop(np_path_set *path_set, const uint8_t *gone);

/*
 * *congestion = the most packets over one edge; count[edge] = the packets over it; destination[i] = the node where
 * path i ends. NP_ERROR_INTERNAL if a path leaves the network.
 */
np_status np_path_set_follow(const np_path_set *path_set, const np_leveled *leveled, uint32_t *count,
                             uint32_t *destination, uint32_t *congestion) NP_CHECKED;
