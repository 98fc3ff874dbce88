/* Carries out code on a PRAM. */
#ifndef NP_SCRIPT_EXECUTE_H
#define NP_SCRIPT_EXECUTE_H

#include "script/lanes.h"

/*
 * Makes the program's own frame, of one lane: *execution has syntax, code, options, pram and draws. After an error only
 * np_execution_clear is legal. NP_ERROR_MEMORY, NP_ERROR_LIMIT.
 */
np_status np_execution_begin(np_execution *x) NP_CHECKED;

/* An array of the program's own frame: allocates its cells, and sets its registers. */
np_status np_execution_array(np_execution *x, const np_symbol *symbol, const np_word *low, const np_word *extent,
                             np_address *base) NP_CHECKED;

/* Carries out the program. NP_ERROR_INPUT with the place, and the errors of the PRAM. */
np_status np_execution_run(np_execution *x) NP_CHECKED;

void np_execution_clear(np_execution *x);

#endif
