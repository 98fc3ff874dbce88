/* The forms of a sort's report, and what they share. */
#ifndef NP_REPORT_SORT_H
#define NP_REPORT_SORT_H

#include "netpram/report.h"

np_status np_report_sort_json(const np_sort_result *result, const np_report_keys *keys,
                              const np_report_options *options, FILE *stream) NP_CHECKED;
np_status np_report_sort_csv(const np_sort_result *result, const np_report_keys *keys, FILE *stream) NP_CHECKED;

/* What the keys are: "random", or "integers". */
const char *np_report_sort_keys(const np_report_keys *keys);

#endif
