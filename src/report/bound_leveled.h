/* Bounds that np_bound_for does not know, because they need figures measured on the paths. */
#ifndef NP_REPORT_BOUND_LEVELED_H
#define NP_REPORT_BOUND_LEVELED_H

#include "netpram/report.h"

/*
 * Leighton, Maggs, Ranade & Rao 1994, Theorem 2.9, 2.11 or 2.12, for a leveled phase, with the measured congestion
 * of its paths: the ranks are independent of the paths. Fills *out except out->phase.
 */
void np_report_bound_ranked(const np_route_result *result, const np_phase_result *phase, np_report_bound *out);

/*
 * Lemma 7.2 of the same paper, for all traffic of at most this load factor, that is an h-relation for h = relation.
 * False: it does not speak of the runs.
 */
bool np_report_bound_fat_tree(const np_network *network, const np_route_result *result, uint32_t relation,
                              double load_factor, np_report_bound *out);

/* Ranade 1987a, sections 5 and 8, for the Router of scheme constrained. Fills *out except out->phase. */
void np_report_bound_router(const np_network *network, const np_route_result *result, const np_phase_result *phase,
                            np_report_bound *out);

#endif
