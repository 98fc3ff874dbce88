/* The search for the two numbers: what it is given, and what it has found. */
#pragma once

#include "netpram/throughput.h"
#include "verdict/certificate/certificate.h"
#include "verdict/throughput/lanes.h"

/* What a pass over all destinations at some lengths gives. */
typedef struct np_pass {
    uint64_t distance; /* sum of amount x distance */
    uint32_t far;      /* the largest distance of a demand */
    uint32_t reach;    /* the largest distance to a target from any node that reaches it */
} np_pass;

typedef struct np_concurrent {
    const np_problem *problem;
    const np_throughput_options *options;
    unsigned threads;
    np_lanes *lanes; /* [threads] */
    /* Is shown the distances of a block of targets in a pass without flow, by any thread; NULL: nobody is. */
    void (*visit)(void *visitor, unsigned thread, uint32_t first, const np_lanes *lanes);
    void *visitor;
    np_pass *found; /* [threads] */

    int32_t mean, most; /* length of an arc on average; the largest one */
    double scale;       /* units of load in a packet */
    uint32_t iteration;
    double began; /* on the clock; 0: not yet */
    bool over;    /* the time is */
    double share; /* of the search that is done, for the watch */
    bool rushing; /* with large steps */
    bool simplex; /* with paths whose weights a linear program finds */
    bool keeps;   /* the flows, for what is to be written of them */
    double mark;  /* the gap when it last shrank a little, in iteration `marked` */
    uint32_t marked;
    uint32_t far; /* if > 0, the largest distance of a demand: the search may end when the bound of steps is settled */

    double
        enough; /* the search may also end when `low` is so near to this that the gap to it is small; INFINITY: none */

    double *y, *speed;                    /* [arcs] logarithms of lengths, and how they move */
    int32_t *length, *other;              /* [arcs] of this iteration; of another pass */
    double *length_mean;                  /* [arcs] */
    double *load, *mean_load, *best_load; /* [arcs] over the width: of this iteration, its mean over all, of `low` */
    int32_t *best_length;                 /* [arcs] of `high` */

    double low, high;
    uint64_t high_top, high_bottom;  /* the quotient that `high` is */
    uint32_t low_from, low_to;       /* the iterations whose mean flow proves `low` */
    bool by_columns;                 /* paths with weights prove `low`, not flows by lengths */
    struct np_path_columns *columns; /* of the search with paths (columns.h); NULL: it has not begun */
    np_flow_lengths one;             /* those of iteration low_from, if its flow alone proves `low` */
    np_flow_lengths *kept;           /* [iterations] if it keeps them; else NULL */
    size_t kept_count, kept_room;
    bool *cut; /* [nodes] the set whose links and packets are the bound by a cut */
    void *block;
} np_concurrent;

/* Takes the memory. Clear it in any case. */
np_status np_concurrent_init(np_concurrent *search, const np_problem *problem,
                             const np_throughput_options *options) NP_CHECKED;
void np_concurrent_clear(np_concurrent *search);

/* The scale of lengths, by the pass at lengths of 1: all distances must fit. */
void np_concurrent_begin(np_concurrent *search, const np_pass *first);

/* A pass: distances, and, if theta > 0, the loads. NP_ERROR_CANCELLED. */
np_status np_concurrent_pass(np_concurrent *search, const int32_t *length, int32_t theta, np_pass *out) NP_CHECKED;

/*
 * Iterates until the gap is reached, or the limits are; at least once unless there are no iterations left. It may be
 * called again, for a smaller gap. NP_ERROR_CANCELLED, NP_ERROR_MEMORY.
 */
np_status np_concurrent_run(np_concurrent *search) NP_CHECKED;

/* What the limit of time leaves; INFINITY: there is none. */
double np_concurrent_seconds_left(const np_concurrent *search);

/* The loads of a flow that carries all demands: makes `low` larger, if they do. True: it is better. */
bool np_concurrent_improve_low(np_concurrent *search, const double *load, uint32_t from);

/* *out = the values, which are positive, as whole lengths with the mean of this search. */
void np_concurrent_scale(const np_concurrent *search, const double *value, int32_t *out);

/* No schedule delivers all packets in fewer steps than this: 1/high, rounded up, or the largest distance. */
uint64_t np_concurrent_steps(const np_concurrent *search, uint32_t far);

/* Makes `high` smaller, if these lengths, whose distances were found, do. */
void np_concurrent_improve(np_concurrent *search, const int32_t *length, const np_pass *found);

/* bounds.c: the cheap upper bounds, where `high` begins; *first: the pass at lengths of 1. NP_ERROR_APPLY: a demand
 * that has no way. */
np_status np_concurrent_bounds(np_concurrent *search, np_throughput_bounds *bounds, np_pass *first) NP_CHECKED;

/* cut.c: the best cut of those that are tried, and the nodes that links and packets leave: inside[nodes]. */
np_status np_concurrent_cut(const np_problem *problem, bool *inside, double *cut) NP_CHECKED;
