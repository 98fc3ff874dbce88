/* The delay sequence of a run (papers/explain/delay_sequence.h) for people. */
#pragma once

#include <stdio.h>

#include "papers/explain/delay_sequence.h"
#include "netpram/pram.h"

/* Prints a sentence, the sequence as a table, and the lemmas with their figures. NP_ERROR_MEMORY. */
np_status np_explanation_print(const np_explanation *explanation, FILE *stream) NP_CHECKED;

/* Prints a few sentences, the sequence as a table, and what is proved, with its figures. NP_ERROR_MEMORY. */
np_status np_polarized_print(const np_pram_explanation *explanation, FILE *stream) NP_CHECKED;
