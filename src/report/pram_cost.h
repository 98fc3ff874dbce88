/* The parts of a report that all PRAM programs share. */
#ifndef NP_REPORT_PRAM_COST_H
#define NP_REPORT_PRAM_COST_H

#include <stdio.h>

#include "netpram/report.h"

/* The columns of CSV. */
extern const char np_pram_columns[];

/* The fields of np_pram_report, and its modules and n, which only people are told. */
extern const np_fields np_pram_whole_fields;

/* Takes the options of a report, and computes the memory. NP_ERROR_INPUT: an explanation in CSV. */
np_status np_pram_options_take(const np_report_options *given, const np_pram *pram, np_report_options *options,
                               np_pram_memory *memory) NP_CHECKED;

/* What follows the result of a program. */
typedef struct np_pram_costs {
    const np_pram_report *report;
    const np_pram_memory *memory;
    np_pram_schedule schedule;
    const np_script_result *profile;        /* a text whose lines are shown; NULL: none */
    const np_pram_explanation *explanation; /* NULL: none was asked for */
} np_pram_costs;

/* T, W, what the network did, the memory of the modules, the lines of a text, the violations with some advice, and the weakest rule. */
np_status np_pram_costs_print(const np_pram_costs *costs, const char *command, FILE *stream) NP_CHECKED;

#endif
