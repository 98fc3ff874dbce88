/* The inputs of programs: drawn from the seed, or read from a file. */
#ifndef NP_SCRIPT_INPUT_H
#define NP_SCRIPT_INPUT_H

#include "script/execute.h"

/*
 * Makes the input of the program of *x (np_execution_begin was called) and loads it into the PRAM, for free; sets n and
 * the options of the text. *n: the size of the input. NP_ERROR_INPUT, NP_ERROR_IO, NP_ERROR_LIMIT, NP_ERROR_MEMORY.
 */
np_status np_script_load(np_execution *x, uint64_t *n) NP_CHECKED;

/* The word for the kind of an input: "array", "digraph". */
const char *np_input_kind_word(const np_declared_input *input);

#endif
