/*
 * A point of a curve of latency: warms a model up, and measures until the mean is known. It knows np_open_model alone.
 *
 * Warm-up. The run is 1000, 2000, 4000, ... cycles long until MSER-5 (White 1997; White, Cobb & Spratt 2000) cuts off
 * at most half of it: both from the latencies, by the time at which packets were created, and from the flits that wait.
 * The window begins where such a run ends.
 *
 * Window. Packets that are created in it count, whenever they arrive. It has 32 or 48 batches of one length, and grows
 * by a half or a third until the interval of the mean is narrow enough, twice: who stops at once when an interval is
 * narrow stops where it is too narrow by chance. The interval is that of batch means, of a quotient (latencies over
 * packets), widened where neighbouring batches are alike, and where the two windows before had wider ones. A batch
 * takes two mean latencies at least: shorter ones are alike beyond their neighbours.
 *
 * Saturation. The flits that wait grow from quarter to quarter of the window, by more than chance (four deviations of a
 * sum of as many packets as are created) and by more than 0.5% of what is created, and
 * they have done so in the four windows before it (5%: in two), each at least 0.6 times as fast as in the one before.
 * Windows grow, too; so what fills a network or comes by chance slows down. In the warm-up three stretches are enough,
 * each as long as all before it, if each grows at least 0.75 times as fast as the one before: the queue of a link that
 * is just full grows by the root of the time, 0.71 times as fast. Where sources refuse packets, no queue grows for
 * long: a window that refuses more than 2% of what is offered is saturated. `accepted` and the latencies of a saturated
 * point are those of arrivals in a window as long as all before it.
 */
#pragma once

#include <stdatomic.h>

#include "engine/open/open_loop.h"
#include "netpram/load.h"
#include "run/load/histogram.h"

/* What links carry in the window. */
typedef struct np_load_links {
    uint64_t *flits; /* [link numbers] */
    double offered;
    int64_t begin, end; /* cycles */
} np_load_links;

typedef struct np_measuring {
    const np_open_model *model;
    const np_open_options *open; /* but for deliver and context */
    double offered;              /* flits a cycle of the terminal that sends most */
    double precision;
    uint64_t cycles;        /* of a window, at most */
    double unloaded;        /* cycles that a packet takes which meets nobody, about; 0: few */
    np_load_links *links;   /* receives it; NULL: nobody asks. The model counts links */
    const np_watch *watch;  /* is asked now and then; NULL: another thread's is */
    double from, to;        /* what it is told: the share of the whole call before this point and after it */
    atomic_bool *cancelled; /* set by whose watch cancels, and heeded by all; NULL: by none */
} np_measuring;

/*
 * Times `cycles` that a point is played, at most: half of it in the warm-up, one window and two as long for it to
 * drain, one beyond saturation, and what rounding adds.
 */
enum { NP_MEASURE_LONGEST = 5 };

/* Fills in the point. NP_ERROR_CANCELLED, NP_ERROR_MEMORY, NP_ERROR_LIMIT, and as the model fails. */
np_status np_measure(const np_measuring *how, np_load_point *point) NP_CHECKED;

/* trace.c: plays a trace once, and measures all of its packets. Fails as np_measure does. */
np_status np_measure_trace(const np_measuring *how, np_load_point *point) NP_CHECKED;

/* What both share: the watch is asked, with the share of the point that is done; NP_ERROR_CANCELLED. */
np_status np_measure_tell(const np_measuring *how, double done) NP_CHECKED;
/* Does the model stand still, and who waits for whom. */
void np_measure_stuck(const np_measuring *how, void *model, const np_open_counts *counts, np_load_point *out);
/* Latencies, their number, and links on average. */
void np_measure_latency(const np_histogram *h, uint64_t sum, uint64_t hops, np_load_point *out);
/* Of what the model accepted between two times, [terminals] flits. */
double np_measure_fairness(const np_measuring *how, const uint64_t *before, const uint64_t *after);

/* mser.c: how many of the values MSER-5 cuts off: a multiple of 5; `count` if more than half of them. */
size_t np_mser(size_t count, const double *value);

/*
 * mser.c: the half-width of the 95% confidence interval of sum / size over `batches` batches; NAN if it is not known.
 */
double np_batch_interval(size_t batches, const double *sum, const double *size);
