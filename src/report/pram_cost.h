/* The parts of a report that all PRAM programs share. */
#ifndef NP_REPORT_PRAM_COST_H
#define NP_REPORT_PRAM_COST_H

#include <stdio.h>

#include "netpram/pram.h"

/* The columns of CSV. */
extern const char np_pram_columns[];

/* T, W and what the network did. report: of pram. */
np_status np_pram_costs_table(const np_pram *pram, const np_pram_report *report, FILE *stream) NP_CHECKED;

/* The violations with some advice, and the weakest rule. */
np_status np_pram_violations_table(const np_pram_report *report, FILE *stream) NP_CHECKED;

#endif
