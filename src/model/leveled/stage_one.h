/*
 * Stage 1 (Leighton, Maggs, Ranade & Rao 1994, section 1.2): the leveled network on which the packets of a phase are to
 * move, and a path for each of them on it. For any network:
 *   - the leveled routing of its family, if there is one and no path rule is asked for: as many phases as that has;
 *   - else paths by a path rule, in one phase, on the network as it is, if that is leveled; else on the network
 *     unrolled by hops.
 */
#pragma once

#include "model/leveled/leveled_routing.h"
#include "model/leveled/unrolled.h"

typedef struct np_stage_one {
    const np_network *network;
    const char *name; /* of the path selection */
    unsigned phases;
    uint64_t bytes; /* of all below */

    np_leveled_routing *routing; /* NULL: */
    np_path *path;               /* paths by its rule, */
    np_as_is *as_is;             /* on the network as it is; NULL: unrolled */
} np_stage_one;

/*
 * paths: a path rule; NULL: the leveled routing, or `greedy` where none applies.
 * NP_ERROR_INPUT, NP_ERROR_APPLY: the rule; NP_ERROR_LIMIT; NP_ERROR_MEMORY.
 */
np_status np_stage_one_create(const np_network *network, const char *paths, np_stage_one **out) NP_CHECKED;
void np_stage_one_free(np_stage_one *stage);

/* The leveled network of a phase, which all runs share; NULL: it is made for the packets of each run. */
const np_leveled *np_stage_one_leveled(const np_stage_one *stage, unsigned phase);

const char *np_stage_one_phase_name(const np_stage_one *stage, unsigned phase);

/*
 * The sizes of the leveled networks on which so many packets may move, and their number: of networks that are made for
 * a run, the most if the depth is known; else of a network without levels.
 */
unsigned np_stage_one_sizes(const np_stage_one *stage, uint64_t packets, np_leveled *sizes);

/* The bytes of a choice on networks of these sizes, and of what is needed to make it. */
uint64_t np_stage_one_bytes(const np_stage_one *stage, uint64_t packets, const np_leveled *sizes);

/* The choice for a phase of a run. All 0 at first; used again and again. */
typedef struct np_chosen {
    const np_leveled *leveled;
    np_leveled *own; /* the same, if it was made for this run; else NULL */
    np_path_set path_set;
    bool ranked; /* the path set has the ranks */
} np_chosen;

void np_chosen_clear(np_chosen *chosen);

/* watch: is told how far the paths are; NULL: nobody. NP_ERROR_APPLY, NP_ERROR_INPUT: a packet has no path;
 * NP_ERROR_LIMIT; NP_ERROR_MEMORY; NP_ERROR_CANCELLED. */
np_status np_stage_one_choose(const np_stage_one *stage, const np_selection *selection, const np_watch *watch,
                              np_chosen *chosen) NP_CHECKED;
