/* The delay sequence of a run (papers/explain/delay_sequence.h) for people. */
#ifndef NP_REPORT_EXPLAIN_H
#define NP_REPORT_EXPLAIN_H

#include <stdio.h>

#include "papers/explain/delay_sequence.h"

/* Prints a sentence, the sequence as a table, and the lemmas with their figures. NP_ERROR_MEMORY. */
np_status np_explanation_print(const np_explanation *explanation, FILE *stream) NP_CHECKED;

#endif
