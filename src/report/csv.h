/* Comma-separated values as RFC 4180 has them, but lines end in a plain newline. */
#ifndef NP_REPORT_CSV_H
#define NP_REPORT_CSV_H

#include <stdio.h>

#include "netpram/statistics.h"

/* A field, in quotes where its text needs them, and the comma after it. */
void np_csv_text(const char *text, FILE *stream);

/* The columns of a summary, and a summary. */
#define NP_CSV_SUMMARY "mean,variance,min,max,p50,p99,ci95"
void np_csv_summary(const np_summary *summary, FILE *stream);

#endif
