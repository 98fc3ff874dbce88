/*
 * Theorems that give a number of steps for the runs of a scheme: np_scheme.theorems. The traffic of every run is made
 * again, and the theorem's value is computed for it; src/show/bound compares the steps that the run took.
 */
#pragma once

#include "netpram/route.h"
#include "netpram/theory.h"

/* A run for which a theorem's values are computed. */
typedef struct np_theorem_run {
    const np_network *network;
    const np_route_result *result;
    const np_traffic *traffic; /* NULL: the caller gave the traffic, only h is known */
    uint32_t run, relation;    /* h of the run; for np_theorem.speaks the largest of all runs */
    double *value;             /* [phases + 1] zeros, receives the values; the last is for all phases together */
} np_theorem_run;

/* How the steps of a run relate to the value. */
typedef enum np_claim_relation {
    NP_CLAIM_EXACTLY = 1,
    NP_CLAIM_AT_MOST,
    NP_CLAIM_AT_LEAST,
    NP_CLAIM_ABOUT /* equal but for terms of lower order */
} np_claim_relation;

typedef struct np_claim {
    np_claim_relation relation;
    const char *theorem, *formula, *source;
} np_claim;

typedef struct np_theorem {
    bool (*speaks)(const np_theorem_run *of); /* of these runs? NULL: of all */
    np_status (*values)(const np_theorem_run *of);
    const np_claim *phase, *total; /* of each phase; of all phases together. NULL: nothing */
    bool of_packets;               /* the values of phases depend on who goes where, and need the traffic */
} np_theorem;

/* The first of them that speaks is compared. */
#define NP_THEOREMS(...)                                                                                               \
    (const np_theorem[])                                                                                               \
    {                                                                                                                  \
        __VA_ARGS__, { .values = NULL }                                                                                \
    }
