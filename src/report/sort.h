/* The forms of a sort's report, and the figures that all of them have. */
#ifndef NP_REPORT_SORT_H
#define NP_REPORT_SORT_H

#include "netpram/report.h"

np_status np_report_sort_json(const np_sort_result *result, const np_report_keys *keys,
                              const np_report_options *options, FILE *stream) NP_CHECKED;
np_status np_report_sort_csv(const np_sort_result *result, const np_report_keys *keys, FILE *stream) NP_CHECKED;

/* Mean steps for each doubling of the places; 0 if there is one place only. */
double np_report_sort_per_log2(const np_sort_result *result);

/* A stage's share of the steps, 0..1. */
double np_report_sort_share(const np_sort_result *result, const np_sort_stage *stage);

/* The formula is there, and every run took so many steps. */
bool np_report_sort_steps_agree(const np_sort_result *result);
bool np_report_sort_comparators_agree(const np_sort_result *result);

/* What the keys are: "random", or "integers". */
const char *np_report_sort_keys(const np_report_keys *keys);

#endif
