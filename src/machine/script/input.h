/* The inputs of programs: drawn from the seed, or read from a file. */
#pragma once

#include "machine/script/lanes.h"

/* ---- Carries out code on a PRAM ---- */

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

/*
 * Makes the input of the program of *x (np_execution_begin was called) and loads it into the PRAM, for free; sets n and
 * the options of the text. *n: the size of the input. NP_ERROR_INPUT, NP_ERROR_IO, NP_ERROR_LIMIT, NP_ERROR_MEMORY.
 */
np_status np_script_load(np_execution *x, uint64_t *n) NP_CHECKED;

/* Gives the options of the text what the options of the run say. NP_ERROR_INPUT: no such option, or no such value. */
np_status np_script_set(np_execution *x) NP_CHECKED;

/* The word for the kind of an input: "array", "digraph". */
const char *np_input_kind_word(const np_declared_input *input);
