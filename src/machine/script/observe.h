/* Tells an observer (netpram/script.h) of the steps of a program. */
#pragma once

#include "machine/script/lanes.h"

typedef struct np_observation np_observation;

/*
 * Before a step is served: *out = what the cells hold, on the execution's stack; NULL: the observer does not want the
 * step. step and what it points to are borrowed until np_observe_after. NP_ERROR_LIMIT, NP_ERROR_MEMORY.
 */
np_status np_observe_before(np_execution *x, const np_instruction *node, const np_frame *frame, const np_mask *mask,
                            const np_pram_step *step, np_observation **out) NP_CHECKED;

/* Tells the observer. NP_ERROR_CANCELLED. */
np_status np_observe_after(np_observation *seen) NP_CHECKED;

/* The program has ended with this status. Returns it, or NP_ERROR_CANCELLED. */
np_status np_observe_end(np_execution *x, np_status status) NP_CHECKED;

enum { NP_WHERE = 160 };

/*
 * Writes ", at i = 0, j = 3 (processor 12)": the indices at a site, and the private variables that its text names, of a
 * lane. Without any, only the processor. Returns `to`.
 */
const char *np_observe_where(const np_execution *x, const np_frame *frame, uint32_t site, size_t lane,
                             char to[NP_WHERE]);

/* Writes "i = 0, j = 3": the same without the processor; "" if there is nothing to tell. Returns `to`. */
const char *np_observe_indices(const np_execution *x, const np_frame *frame, uint32_t site, size_t lane,
                               char to[NP_WHERE]);
