/* Theorems that give a number of steps (Sibeyn, lecture notes): the exact time of lines, 2n - 2, P + m/P, ... */
#ifndef NP_REPORT_BOUND_STEPS_H
#define NP_REPORT_BOUND_STEPS_H

#include "netpram/report.h"

/*
 * Fills one entry for each phase and a last entry for all phases together. Where there is no theorem, the entry's
 * steps.relation is NP_REPORT_CHANCE.
 *
 * relation: the largest h of all runs. bounds: [result->phases + 1], zeroed
 */
np_status np_report_bound_steps(const np_network *network, const np_route_result *result, uint32_t relation,
                                np_report_bound *bounds) NP_CHECKED;

#endif
