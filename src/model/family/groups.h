/*
 * The cables between groups of switches, of dragonflies: each group has a number of global ports, and each pair of
 * groups the same number of cables, or one more.
 */
#pragma once

#include "model/family/fabric.h"
#include "model/family/named.h"

typedef struct np_groups {
    uint32_t groups; /* at least 2, at most ports + 1 */
    uint32_t ports;  /* global ports of a group */
    unsigned arrangement;
    uint64_t seed;                                                           /* of a random one */
    np_node (*at)(const np_network *network, uint32_t group, uint32_t port); /* the switch of a port */
} np_groups;

/* The parameters that all families of groups end with: g=, arrangement=absolute|relative|circulant|random, seed= */
#define NP_GROUPS_NAMED                                                                                                \
    NP_NAMED_NUMBER("g", 2, 1 << 20, 0), NP_NAMED_TEXT("arrangement", false), NP_NAMED_NUMBER("seed", 0, UINT64_MAX, 1)
enum { NP_GROUPS_NAMES = 3 };

/* What np_entry.parameters and takes say of them; how large g may be depends on the family. */
#define NP_GROUPS_PARAMETERS "[,g=][,arrangement=][,seed=]"
#define NP_GROUPS_TAKES "arrangement: absolute|relative|circulant|random, seed 0..18446744073709551615"

/* Takes these parameters; `ports` and `at` are set. */
np_status np_groups_read(np_groups *groups, const np_network *network, const np_named *named) NP_CHECKED;

/* All cables between groups. */
static inline uint64_t np_groups_cables(const np_groups *groups)
{
    return (uint64_t)groups->groups * groups->ports / 2;
}

/* Names the cables. NP_ERROR_MEMORY. */
np_status np_groups_join(const np_groups *groups, const np_network *network, np_fabric *fabric) NP_CHECKED;
