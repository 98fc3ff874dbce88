/* A route as a table, and as JSON with an explanation. */
#ifndef NP_REPORT_ROUTE_H
#define NP_REPORT_ROUTE_H

#include "netpram/report.h"
#include "route/explain.h"

extern const np_fields np_route_explanation_fields;

np_status np_report_route_table(const np_route_result *result, const np_report_options *options,
                                FILE *stream) NP_CHECKED;

/* explanation: NULL: none. */
np_status np_report_route_json(const np_route_result *result, const np_route_explanation *explanation,
                               const np_report_options *options, FILE *stream) NP_CHECKED;

#endif
