/* The CSV of a sort's report: sort_csv.c. */
#ifndef NP_REPORT_SORT_H
#define NP_REPORT_SORT_H

#include "netpram/report.h"

np_status np_report_sort_csv(const np_sort_result *result, FILE *stream) NP_CHECKED;

#endif
