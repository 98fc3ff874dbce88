/* The polarized sequence of a PRAM's slowest batch (netpram/merging.h), for people. */
#ifndef NP_REPORT_POLARIZED_H
#define NP_REPORT_POLARIZED_H

#include <stdio.h>

#include "netpram/pram.h"

/* Prints a few sentences, the sequence as a table, and what is proved, with its figures. NP_ERROR_MEMORY. */
np_status np_polarized_print(const np_pram_explanation *explanation, FILE *stream) NP_CHECKED;

#endif
