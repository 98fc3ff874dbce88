/* The parts of np_pram_report_fields: a report says more between them. And words that several tables share. */
#pragma once

#include "base/export.h"
#include "netpram/pram.h"

/* What ran; what it cost; which rule it broke. */
extern const np_fields np_pram_setting_fields, np_pram_cost_fields;
NP_FOR_REPORT extern const np_fields np_pram_violations_fields, np_violation_fields;

/* The words of np_access_kind: "read", "write", "fetch". */
extern const char *const np_access_kind_words[];
/* The words of np_memory_layout. */
extern const char *const np_memory_layout_words[];

/* np_pram_options.slack as it is heeded; 0: all requests of a step. */
NP_FOR_REPORT uint32_t np_pram_slack(const np_pram *pram);

/* A word of a cell, as a value of the cell's type. */
void np_cell_value(np_cell_type type, np_word word, np_value *value);
