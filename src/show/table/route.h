/* A route with an explanation. */
#ifndef NP_REPORT_ROUTE_H
#define NP_REPORT_ROUTE_H

#include "netpram/report.h"

/* np_report_route, whose JSON has what the annex adds: an explanation. NULL: none. */
np_status np_report_route_with(const np_route_result *result, const void *explanation, const np_report_options *given,
                               FILE *stream) NP_CHECKED;

#endif
