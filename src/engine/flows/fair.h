/*
 * Flows that share links fairly: at every moment the rates are max-min fair, and they change when a flow arrives or
 * ends.
 *
 * Links have capacities in units a tick; a flow has a path of links and a size in units. The rate of a flow is the
 * least *level* of the links on its path. The level v of a link is its capacity, if all its flows are held back below
 * it by other links; else v = floor((capacity - what those held below v take) / number of the others). This is
 * progressive filling (Bertsekas & Gallager, Data Networks, 1992, section 6.5.2) in whole numbers, and it has one
 * solution. A flow that crosses a link twice takes twice its rate there.
 *
 * A flow may be divided: then it takes a share of its rate on each of its links, and at link l, v = floor((capacity -
 * what those held below v take) / sum of the shares of the others).
 *
 * Rates and times are whole, sums are exact: a flow ends at the first tick at which all its units are sent. So the
 * finishes are a function of the links and of the flows alone, and not of how they are computed. With capacities of
 * 2^50 and 2^30 ticks for what a link sends in the shortest flow, they are those of real numbers to 1e-9.
 *
 * | call            | before np_fair_run | in finished(), next() | after np_fair_run |
 * |-----------------|--------------------|-----------------------|-------------------|
 * | np_fair_add     | legal              | legal                 | legal             |
 * | np_fair_run     | legal              |                       | legal: it goes on |
 * | np_fair_now ... | legal              | legal                 | legal             |
 * | np_fair_free    | legal              |                       | legal             |
 *
 * After an error only np_fair_free is legal. One thread at a time.
 *
 * Memory: 80 bytes a link; for each flow that has been added and is not finished some 150 bytes, and 16 for each link
 * of its path.
 */
#pragma once

#include <stdbool.h>

#include "base/exact.h"
#include "base/status.h"

enum {
    NP_FAIR_SHARE_BITS = 40,
    NP_FAIR_CAPACITY_BITS = 62, /* a capacity is below 2^62 */
    NP_FAIR_SIZE_BITS = 125,    /* a size is below 2^125 */
    NP_FAIR_TIME_BITS = 125     /* starts, delays and finishes are below 2^125 */
};

/* Ticks, units. */
typedef np_wide np_fair_time;
typedef np_wide np_fair_size;

typedef struct np_fair np_fair;

/* A flow, in the caller's memory for the call alone. Members that are not given are 0. */
typedef struct np_fair_flow {
    uint64_t name;        /* the caller's own number; need not be unique */
    const uint32_t *path; /* [hops] links; NULL if hops is 0: the flow ends when it starts */
    uint32_t hops;
    const uint64_t *share; /* [hops] of its rate that the flow takes on the link, in units of 2^-40, 1 to 2^40; NULL:
                              all of it. For np_fair_create_divided alone */
    np_fair_time start;    /* not before np_fair_now */
    np_fair_size size;     /* units; 0: the flow ends when it starts */
    np_fair_time delay;    /* from when its last unit is sent until it is there and the flow has finished: it holds no
                              capacity then */
} np_fair_flow;

/*
 * Who makes flows and hears of their ends. A member that is NULL is not called. A callback's error ends the run.
 *
 * All that happens at one tick is one batch: finishes in the order in which the flows were added, then arrivals, and
 * again finishes, of flows of no size, until nothing is left. Then the rates change, once.
 */
typedef struct np_fair_driver {
    void *self;
    /* Gives the next flow by itself, in ascending order of starts: it is asked for one flow ahead. *more = false: there
     * are no more, and it is not asked again in this run. flow comes with 0 in all members. */
    np_status (*next)(void *self, np_fair_flow *flow, bool *more);
    /* A flow has finished at `now`. Here np_fair_add may add flows that start now or later. One whose path is that of a
     * flow which ends now takes its place at little cost. */
    np_status (*finished)(void *self, uint64_t name, np_fair_time now);
    /* A batch is over: the rates are those from `now` on. */
    np_status (*settled)(void *self, np_fair_time now);
} np_fair_driver;

/*
 * capacity: [links], copied. NP_ERROR_INPUT: a capacity of 2^62 or more; NP_ERROR_MEMORY, NP_ERROR_LIMIT. On failure
 * *out is NULL.
 */
np_status np_fair_create(uint32_t links, const uint64_t *capacity, np_fair **out) NP_CHECKED;
/* The same for flows that are divided: some 8 bytes a link and 8 for each link of a path more, and slower. */
np_status np_fair_create_divided(uint32_t links, const uint64_t *capacity, np_fair **out) NP_CHECKED;
void np_fair_free(np_fair *fair);

/*
 * Adds a flow. NP_ERROR_INPUT: a link that there is not, a start before now, a share that is
 * none; NP_ERROR_LIMIT: a size or a time that is
 * too large, here or, of a finish, in np_fair_run; NP_ERROR_MEMORY. `next` alone is better for many flows that start
 * later: what is added is held.
 */
np_status np_fair_add(np_fair *fair, const np_fair_flow *flow) NP_CHECKED;

/*
 * Runs until no flow arrives or ends any more. Flows may be left then: those whose rate is 0 (np_fair_standing), since
 * a link has capacity 0 or more flows than units. driver NULL: nobody listens.
 */
np_status np_fair_run(np_fair *fair, const np_fair_driver *driver) NP_CHECKED;

/* The time of the batch that is or was the last one, 0 at first. */
np_fair_time np_fair_now(const np_fair *fair);

/* Flows that hold capacity or wait for it; those of them whose rate is 0; the sum of all rates, and of those over a
 * link, in units a tick. As of the last batch whose rates are settled. */
uint64_t np_fair_active(const np_fair *fair);
uint64_t np_fair_standing(const np_fair *fair);
np_wide np_fair_rate(const np_fair *fair);
uint64_t np_fair_use(const np_fair *fair, uint32_t link);

/*
 * From now on rate[name] is the sum of the rates of flows of that name, as np_fair_rate, for names below `names`.
 * rate: [names] zeros, the caller's. To be called before flows are added.
 */
void np_fair_tell_rates(np_fair *fair, uint64_t names, np_wide *rate);

/* How many times the rates were worked out, and for how many of them by a filling of all links. */
typedef struct np_fair_counts {
    uint64_t batches, fillings;
    uint64_t evaluations; /* of levels of links, in the other batches */
    uint64_t changes;     /* of rates of flows */
} np_fair_counts;
np_fair_counts np_fair_counted(const np_fair *fair);

/* For tests: fill all links at every batch (1), at none (-1), or at those that change much (0, the default). The
 * finishes are the same. */
void np_fair_fill_always(np_fair *fair, int when);

/*
 * All at once: flows in arrays, [flows] each; those of flow f are path[first[f]] .. path[first[f + 1] - 1]. finish[f] =
 * when it has finished, or NP_FAIR_NEVER. delay may be NULL.
 */
#define NP_FAIR_NEVER (~(np_fair_time)0)

typedef struct np_fair_flows {
    size_t flows;
    const size_t *first; /* [flows + 1] */
    const uint32_t *path;
    const np_fair_time *start; /* in any order */
    const np_fair_size *size;
    const np_fair_time *delay;
} np_fair_flows;

np_status np_fair_play(uint32_t links, const uint64_t *capacity, const np_fair_flows *flows,
                       np_fair_time *finish) NP_CHECKED;
