/*
 * Leveled routings: how packets are routed on a physical network as on leveled networks. A leveled routing is one
 * const descriptor and one line in leveled_routings.c. It says which phases there are, makes the leveled
 * network of each phase, and chooses paths on it. The merging engine does the rest.
 */
#pragma once

#include "base/random.h"
#include "model/leveled/path_set.h"
#include "netpram/traffic.h"
#include "model/network/network.h"

enum { NP_LEVELED_ROUTING_PHASES = 16 };

typedef struct np_leveled_routing_ops np_leveled_routing_ops;

typedef struct np_leveled_routing_phase {
    char name[8];
    const np_leveled *leveled; /* phases may share a network */
    bool ranked;               /* select() sets ranks of its own, which are not random */
} np_leveled_routing_phase;

typedef struct np_leveled_routing {
    const np_leveled_routing_ops *ops;
    const np_network *network;
    unsigned phases;
    np_leveled_routing_phase phase[NP_LEVELED_ROUTING_PHASES];
    np_leveled *owned[NP_LEVELED_ROUTING_PHASES]; /* freed with the leveled routing */
    void *table;                                  /* the leveled routing's own; freed with it */
} np_leveled_routing;

/* The input from which the paths of a phase are chosen. */
typedef struct np_selection {
    unsigned phase;
    np_draws draws;            /* seed and run; select() sets the rest */
    const np_traffic *traffic; /* sources and destinations are nodes of the network */
    bool combine;              /* packets of one destination must go on together once they meet */
} np_selection;

struct np_leveled_routing_ops {
    const char *name;     /* of the path selection, as the reports print it: "random-middle", ... */
    const char *networks; /* the families it applies to, in words */
    const char *source;   /* paper and section */

    /* The kinds of networks that it serves, */
    np_kind only;
    /* and of these all but those for which this gives a reason, in words that can follow "because". NULL: all. */
    const char *(*refuses)(const np_network *network);

    /*
     * phase[NP_LEVELED_ROUTING_PHASES] = the sizes of the leveled network of each phase, as prepare() makes them, with
     * rows where there are columns; *table_bytes: of the table. Returns how many phases there are. Takes no memory.
     */
    unsigned (*sizes)(const np_network *network, np_leveled *phase, uint64_t *table_bytes);

    /* Fills phases, phase[], owned[] and table. After a failure the caller frees what it has filled. */
    np_status (*prepare)(np_leveled_routing *routing);

    /*
     * The network's link that a link of a host is, crossed forwards or backwards. NULL: the hosts' links are those of
     * the network.
     */
    np_link (*network_link)(const np_leveled_routing *routing, np_link link);

    /* Frees the table, which may be NULL. No function: np_memory_free frees the table. */
    void (*release)(void *table);

    /*
     * Fills the path set with the packets that move in the phase, and with their paths. Packets that
     * do not move are left out. A pure function of its arguments. NP_ERROR_MEMORY; NP_ERROR_INPUT
     * for traffic that it cannot carry.
     */
    np_status (*select)(const np_leveled_routing *routing, const np_selection *selection, np_path_set *path_set);
};

/* The list, NULL-terminated, in leveled_routings.c. */
extern const np_leveled_routing_ops *const np_leveled_routings[];

/* NULL if a leveled routing applies to the network; else the reason why none does. */
const char *np_leveled_routing_refuses(const np_network *network);

/* The sizes of a leveled routing that is not made: what it and its engines take can be counted. */
typedef struct np_leveled_routing_sizes {
    unsigned phases; /* 0: no leveled routing applies */
    np_leveled phase[NP_LEVELED_ROUTING_PHASES];
    const np_leveled *leveled[NP_LEVELED_ROUTING_PHASES]; /* the phases, for np_merge_bytes */
    uint32_t depth;                                       /* of the deepest phase */
    uint64_t bytes;                                       /* of the leveled routing */
    uint64_t crossed_bytes;                               /* of np_leveled_routing_crossed for all phases */
} np_leveled_routing_sizes;

void np_leveled_routing_sizes_compute(const np_network *network, np_leveled_routing_sizes *out);

/* How many bytes np_leveled_routing_create will take for the network. 0 if no leveled routing applies. */
uint64_t np_leveled_routing_bytes(const np_network *network);

/* Makes the first leveled routing that applies. NP_ERROR_APPLY, NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_leveled_routing_create(const np_network *network, np_leveled_routing **out) NP_CHECKED;
void np_leveled_routing_free(np_leveled_routing *routing);

/* For observers: the links of the network that the edges of a phase cross, [walk[edges]]. NULL if they are those of the
   leveled network. The caller frees it. NP_ERROR_MEMORY. */
np_status np_leveled_routing_crossed(const np_leveled_routing *routing, unsigned phase, np_link **out) NP_CHECKED;
