/* A route as a table. */
#ifndef NP_REPORT_ROUTE_H
#define NP_REPORT_ROUTE_H

#include "netpram/report.h"

np_status np_report_route_table(const np_route_result *result, const np_report_options *options,
                                FILE *stream) NP_CHECKED;

#endif
