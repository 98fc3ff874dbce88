/*
 * Routing on hypercubes and butterflies in two phases: to a random row, and from there to the destination. In the
 * leveled network of a phase, every link of the network is at most one edge. So a step of the leveled network is a step
 * of the network. (The leveled routings of scheme `ranked` route in one phase, in which a link is up to four edges.)
 *
 * Hypercube: node w is row w. There are n levels, which cross bits n-1 .. 0 in phase 0 and bits 0 .. n-1 in phase 1. A
 * packet that goes straight stays in its node.
 *
 * Wrapped butterfly: rows of n nodes. Phase 0: from level l of its row a packet goes up by straight links to level n,
 * and from there down n levels to level 0 of a random row. Phase 1: up n levels to the destination's row, and down by
 * straight links to its level. The up links of levels 0 .. n and the down links of levels n .. 0 are all different.
 */
#ifndef NP_SORT_ROUTER_ROWS_H
#define NP_SORT_ROUTER_ROWS_H

#include "work/sort/sorter.h"

enum { NP_SORT_ROWS_PHASES = 2 };

typedef struct np_sort_rows {
    const np_network *network;
    uint32_t bits;     /* n */
    uint32_t straight; /* levels that a row goes along: n on a butterfly, 0 on a hypercube */
    np_leveled *leveled[NP_SORT_ROWS_PHASES];
    np_path_set path_set; /* of the last phase */
    np_merge *merge;
    unsigned workers;
} np_sort_rows;

bool np_sort_rows_apply(const np_network *network);

/* NP_ERROR_MEMORY, NP_ERROR_LIMIT. */
np_status np_sort_rows_create(const np_sorting *sorting, np_sort_rows **out) NP_CHECKED;
void np_sort_rows_free(np_sort_rows *rows);

/* Routes one phase. draws: seed and run; observer: NULL, nobody. */
np_status np_sort_rows_run(np_sort_rows *rows, unsigned phase, np_draws draws, uint32_t packets, const np_node *from,
                           const np_node *to, const np_observer *observer, np_phase_run *out) NP_CHECKED;

#endif
