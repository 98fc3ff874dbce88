/* The theorems that np_bound_for does not know, and what the files of bounds share. */
#pragma once

#include "netpram/report.h"

/* ---- Ladders ---- */

/* A bound as a function of a whole number x of steps or of delay. */
typedef struct np_report_curve {
    double (*at)(const void *context, double x); /* its natural logarithm; falls with x */
    const void *context;
} np_report_curve;

/*
 * The i-th rung of a ladder: the least x at which the bound first falls below 1 (i = 0) and below powers of ten. -1:
 * there is none below 2^40, or it is *before, the rung before it. *before begins at -1. i < NP_REPORT_BOUND_ROWS
 */
double np_report_bound_rung(const np_report_curve *bound, size_t i, double *before);

/* The share of the runs of a phase with more steps than the value; with a delay of at least the value. */
double np_report_share_of_steps(const np_phase_result *phase, uint32_t runs, double value);
double np_report_share_of_delay(const np_phase_result *phase, uint32_t runs, double value);

/* ---- bound_leveled.c: theorems that need figures measured on the paths ---- */

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

/* ---- bound_steps.c: the theorems that schemes bring, which give a number of steps ---- */

/*
 * Fills one entry for each phase and a last entry for all phases together. Where there is no theorem, the entry's
 * steps.relation is NP_REPORT_CHANCE.
 *
 * relation: the largest h of all runs. bounds: [result->phases + 1], zeroed
 */
np_status np_report_bound_steps(const np_network *network, const np_route_result *result, uint32_t relation,
                                np_report_bound *bounds) NP_CHECKED;

/*
 * ---- bound_timed.c: Theorems 3 and 4 of Valiant & Brebner 1981 for all phases together, each with a fixed time ----
 */

/* Does the theorem speak of these runs? */
bool np_report_bound_timed_applies(const np_network *network, const np_route_result *result);

/* Fills *out: for a ladder of slacks, the bound, and the share of the runs in which some phase is late. */
void np_report_bound_timed(const np_network *network, const np_route_result *result, uint32_t relation,
                           np_packet packets, np_report_bound *out);
