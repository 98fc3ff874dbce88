/* The delay sequence of a run (engine/explain.h) for people. */
#ifndef NP_REPORT_EXPLAIN_H
#define NP_REPORT_EXPLAIN_H

#include <stdio.h>

#include "engine/explain.h"

/* A sentence, the sequence as a table, the lemmas with their figures. NP_ERROR_MEMORY. */
np_status np_explanation_print(const np_explanation *explanation, FILE *stream) NP_CHECKED;

#endif
