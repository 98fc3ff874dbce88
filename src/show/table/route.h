/* A route with an explanation. */
#ifndef NP_REPORT_ROUTE_H
#define NP_REPORT_ROUTE_H

#include "netpram/report.h"
#include "papers/explain/route_explain.h"

extern const np_fields np_route_explanation_fields;

/* np_report_route, whose JSON has an explanation. NULL: none. */
np_status np_report_route_explained(const np_route_result *result, const np_route_explanation *explanation,
                                    const np_report_options *given, FILE *stream) NP_CHECKED;

#endif
