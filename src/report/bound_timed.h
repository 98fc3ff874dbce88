/* Theorems 3 and 4 of Valiant & Brebner 1981 for all phases together, each with a fixed time. */
#ifndef NP_REPORT_BOUND_TIMED_H
#define NP_REPORT_BOUND_TIMED_H

#include "netpram/report.h"

/* Does the theorem speak of these runs? */
bool np_report_bound_timed_applies(const np_network *network, const np_route_result *result);

/* What the theorem expects of a partial h-relation, h = relation: the steps of all phases, with a fallback. */
double np_report_bound_timed_expected(const np_network *network, uint32_t relation, np_packet packets);

/* Fills *out: for a ladder of slacks, the bound, and the share of the runs in which some phase is late. */
void np_report_bound_timed(const np_network *network, const np_route_result *result, uint32_t relation,
                           np_packet packets, np_report_bound *out);

#endif
