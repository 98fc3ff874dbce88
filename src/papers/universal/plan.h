/* Paths and ranks of a guest, found off line without random bits; they serve in all steps of the guest. */
#pragma once

#include "papers/universal/router.h"

typedef struct np_plan {
    uint32_t *label; /* [groups] as in np_tree_choice */
    uint32_t *rank;  /* [groups] NULL where packets combine */
    uint32_t run;    /* the run of the draws; where packets combine, it gives the ranks by hash */
    np_universal_offline found;
} np_plan;

/*
 * Finds labels with which no link of the fat-tree carries more than *promised groups. *promised is known before any
 * label is chosen; *congestion = the most groups that a link carries. label: [groups]. NP_ERROR_LIMIT; NP_ERROR_MEMORY.
 */
np_status np_plan_paths(const np_spread *spread, const np_shape *shape, uint32_t *label, uint32_t *promised,
                        uint32_t *congestion) NP_CHECKED;

/* Plans for the whole guest, which must be loaded. out is zeroed before; clear it in any case. */
np_status np_plan_find(np_tree_router *router, const np_guest *guest, const np_spread *spread, const np_shape *shape,
                       const np_universal_options *options, np_plan *out) NP_CHECKED;

void np_plan_clear(np_plan *plan);
