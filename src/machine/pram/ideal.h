/* The ideal machine's own way through a step, without requests. */
#ifndef NP_PRAM_IDEAL_H
#define NP_PRAM_IDEAL_H

#include "machine/pram/machine.h"
#include "machine/pram/store.h"

extern const np_machine_ops np_machine_ideal;

/*
 * Serves a step whose accesses are all of one kind, to cells of one type; exclusive: it is known that no two of them are
 * to one cell. Afterwards memory is as at the end of the step. NP_ERROR_MEMORY: of sums of reals; nothing is served.
 */
np_status np_ideal_serve(np_store *store, const np_draws *draws, const np_pram_step *step, bool exclusive,
                         np_cell_type type) NP_CHECKED;

#endif
