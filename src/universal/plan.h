/* Paths and ranks for a guest that are found off line, without random bits, and serve in all its steps. */
#ifndef NP_UNIVERSAL_PLAN_H
#define NP_UNIVERSAL_PLAN_H

#include "universal/router.h"

typedef struct np_plan {
    uint32_t *label; /* [groups] as np_tree_choice has it */
    uint32_t *rank;  /* [groups] NULL where packets combine */
    uint32_t run;    /* of the draws: what ranks by hash come from, where packets combine */
    np_universal_offline found;
} np_plan;

/*
 * Labels such that no link of the fat-tree carries more groups than *promised, which is known before any is chosen;
 * *congestion = the most that one does. label: [groups]. NP_ERROR_LIMIT; NP_ERROR_MEMORY.
 */
np_status np_plan_paths(const np_spread *spread, const np_shape *shape, uint32_t *label, uint32_t *promised,
                        uint32_t *congestion) NP_CHECKED;

/* For the whole guest, which is loaded. out is zeroed before; clear it in any case. */
np_status np_plan_find(np_tree_router *router, const np_guest *guest, const np_spread *spread, const np_shape *shape,
                       const np_universal_options *options, np_plan *out) NP_CHECKED;
void np_plan_clear(np_plan *plan);

#endif
