/*
 * Max-min fair flows by the definition, for judging: at every event all rates are filled anew. All flows grow at one
 * pace; when a link is full, the flows that cross it stop; the others go on (Bertsekas & Gallager 1992, 6.5.2).
 */
#ifndef NP_ORACLE_FAIR_H
#define NP_ORACLE_FAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct oracle_flows {
    uint32_t links;
    const double *capacity; /* [links], units a tick */
    size_t flows;
    const size_t *first; /* [flows + 1] */
    const uint32_t *path;
    const double *start, *size; /* [flows] */
    const double *share;        /* beside path: of its rate that the flow takes there; NULL: all of it */
} oracle_flows;

/* finish[f] in ticks, -1: never. In numbers of 113 bits. A flow with an empty path or no size ends when it starts. */
void oracle_fair_play(const oracle_flows *flows, long double *finish);

/* A fraction, exact. */
typedef struct oracle_fraction {
    __int128 top, bottom;
} oracle_fraction;

/* rate[f] when all flows are there, capacities whole. Exact; for few flows and small capacities. */
void oracle_fair_rates(const oracle_flows *flows, oracle_fraction *rate);

#endif
