/*
 * The cost of sorting: a clock for each block that works on its own, and a log of stages and events that all blocks
 * share.
 *
 * Blocks of one recursion work at the same time, each as soon as its parent is done. So a clock tells how long one
 * branch took, and for which stages. Where a recursion ends, the parent's clock continues from the latest clock of its
 * children (np_sort_clock_join). The stages of the last clock add up to its time.
 */
#pragma once

#include "netpram/sort.h"
#include "work/sort/teller.h"

enum { NP_SORT_STAGES = 128, NP_SORT_EVENTS = 8 };

typedef struct np_sort_clock {
    uint64_t now;
    bool branch;                    /* of a block of a recursion, which works while others do */
    uint64_t steps[NP_SORT_STAGES]; /* of `now`, by stage */
} np_sort_clock;

/*
 * A sort on a wrapped butterfly that the network plays: each step of the butterfly is a slot of steps of the network,
 * in which the packets of all edges cross the links of their edges. Edges are counted as they are crossed, by the bit
 * of the row that the cross edges beside them flip.
 */
typedef struct np_sort_guest {
    np_sort_play play;
    uint8_t straight[32];    /* [bit] links of a straight edge; a cross edge has one more */
    uint64_t crossed[32][2]; /* [bit] straight and cross edges that were crossed and are not yet charged */
} np_sort_guest;

typedef struct np_sort_log {
    np_sort_teller *teller;              /* NULL: nobody observes */
    np_sort_guest *guest;                /* NULL: steps and hops are those of the network */
    np_sort_stage stage[NP_SORT_STAGES]; /* steps is unused */
    size_t stages;
    np_sort_event event[NP_SORT_EVENTS];
    size_t events;
    uint32_t recursion_depth;
    uint64_t redraws, fallbacks;
} np_sort_log;

/* Logs the cost of a stage that has been done, advances the clock by its steps, and tells observers. */
void np_sort_log_charge(np_sort_log *log, np_sort_clock *clock, const char *name, uint32_t depth,
                        const np_sort_cost *cost);

/* So many straight and cross edges beside the bit of the row have been crossed: a part of the hops that are charged
   next. */
static inline void np_sort_log_edges(const np_sort_log *log, uint32_t bit, uint64_t straight, uint64_t cross)
{
    if (log->guest) {
        log->guest->crossed[bit][0] += straight;
        log->guest->crossed[bit][1] += cross;
    }
}

/* The cost of packets that an engine has moved. */
np_sort_cost np_sort_cost_of(const np_phase_run *run);

/* *sum becomes the cost of both, one after the other; sum->packets stays as it is. */
void np_sort_cost_add(np_sort_cost *sum, const np_sort_cost *cost);

/*
 * Logs an event that, by a lemma, hardly ever fails. name, lemma and what are literals. value is measured in units of
 * the quantity with which the lemma compares it. The event failed if bound > 0 and value > bound.
 */
void np_sort_log_event(np_sort_log *log, const char *name, const char *lemma, const char *what, double value,
                       double bound);

/* *clock becomes the later of *clock and *child, but stays the clock of its own branch. */
void np_sort_clock_join(np_sort_clock *clock, const np_sort_clock *child);
