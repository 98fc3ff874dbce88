/*
 * The hash function of appendix A.3 (Ranade 1987b), evaluated along the rows of a butterfly. The node in column i holds
 * coefficients `search` i to `search` (i + 1) - 1, 8 by default. The straight links of a row are a circle. A request
 * goes down the columns: to column n - 1, which does the first steps of Horner's rule, on to column 0, which does the
 * last, and on to its processor. So it circles its row at most twice. All requests of a row set out together and move
 * together, so no two of them ever want one link; the next request of a processor sets out when they are back.
 *
 * The paper has the evaluation pipelined in O(n) cycles and does not say how.
 */
#pragma once

#include "machine/pram/modules.h"

typedef struct np_evaluation {
    uint32_t n, search;
    uint32_t *met;   /* [n 2^n] requests of each processor in the batch at hand */
    uint32_t *round; /* [room] steps of each round */
    uint32_t room, rounds;
    uint64_t steps; /* so far */
} np_evaluation;

/* NP_ERROR_MEMORY. most: requests of one processor in a batch. */
np_status np_evaluation_init(np_evaluation *evaluation, uint32_t n, uint32_t search, uint32_t most) NP_CHECKED;
void np_evaluation_clear(np_evaluation *evaluation);

/* A batch begins. */
void np_evaluation_begin(np_evaluation *evaluation);
/* The hash of cell x, for a request of processor <c, r>, which is r n + c. */
uint64_t np_evaluation_run(np_evaluation *evaluation, const np_placement *placement, np_address x, uint32_t processor);
/* The steps of the batch. */
uint64_t np_evaluation_end(np_evaluation *evaluation);
