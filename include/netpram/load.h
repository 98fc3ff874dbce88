/*
 * Load: what latency at what offered load, and where does a network saturate?
 *
 * Packets are created over time at every terminal and never cease. A point of the curve is one offered load: flits that
 * a terminal creates in a cycle on average (where terminals send unlike amounts, the one that sends most). A point
 * warms up until latencies settle, and then measures packets by the time at which they were created, until the mean is
 * known to the precision asked for and all packets of the window have arrived. docs/load.md says how, and what is
 * promised.
 *
 * Models of switches: "flits", input-queued routers with virtual channels and credits; "steps", synchronous
 * store-and-forward, where a packet is a flit, a step is a cycle, each link carries one packet a step and queues are
 * unbounded.
 */
#ifndef NETPRAM_LOAD_H
#define NETPRAM_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/base.h"
#include "netpram/engine.h"
#include "netpram/field.h"
#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** Latencies of packets, from creation to the arrival of the last flit. */
typedef struct np_load_latency {
    double mean;             /**< cycles; NAN: no packet arrived */
    double ci95;             /**< half-width of the 95% confidence interval of the mean; NAN: not known */
    uint64_t p50, p99, p999; /**< cycles, by nearest rank */
    uint64_t max;            /**< cycles */
} np_load_latency;

/** A point of a curve. */
typedef struct np_load_point {
    double offered;  /**< flits a terminal and cycle, of a terminal that sends most; of a trace, until its last time */
    double accepted; /**< the same of flits that arrived in the window */
    np_load_latency
        latency;     /**< saturated: of packets that arrived in the window; else of all that were created in it */
    double hops;     /**< links of a packet on average, those of hosts left out; NAN: no packet arrived */
    double fairness; /**< what the worst-served terminal got through over what it would get if all were served alike */
    bool saturated;  /**< less is accepted than is offered: packets wait at their sources, more and more */
    bool reached;    /**< the precision asked for; never of a saturated point */
    bool stuck;      /**< nothing moved any more though packets waited: a deadlock */
    uint64_t warmup; /**< cycles before the window */
    uint64_t measured; /**< cycles of the window */
    uint64_t packets;  /**< whose latencies these are */
    uint32_t window;   /**< requests of a terminal that are not answered yet, at every time; 0: packets are created over
                            time. With a window `offered` is NAN, `accepted` is flits of requests that were answered,
                            `latency` is that of round trips, `hops` are the links of both ways */
    char waits[240];   /**< stuck: channels each of which waits for the next, and the last for the first, as in
                            "0->1 (channel 2), 1->0 (channel 2)"; "..." ends a list that is longer. "" else */
    double refused;    /**< flits a terminal and cycle, as `accepted`, of packets for which a terminal had no room; they
                            are part of what is offered. NAN: the option source_flits is not set */
} np_load_point;

/** Where a curve saturates. */
typedef struct np_load_saturation {
    double load;      /**< the middle between low and high; NAN if one of them is missing */
    double low, high; /**< the highest load that is not saturated, and the lowest one above it that is; NAN: none is */
} np_load_saturation;

/** What theory says of a curve. */
typedef struct np_load_theorem {
    const char *name;    /**< "greedy on hypercubes: stable", ... */
    const char *source;  /**< who proved it, where */
    const char *says;    /**< "stable", "mean at most", "mean at least", "accepted at most", "mean" */
    const char *needs;   /**< the arrivals, traffic, paths and networks for which it is proved, in words */
    bool applies;        /**< to this curve */
    size_t count;        /**< values: one a point, or one for all */
    const double *value; /**< [count] cycles, or of "accepted at most" and "stable" a load; NAN: none */
} np_load_theorem;

/** A curve: one path rule. */
typedef struct np_load_curve {
    const char *paths; /**< the rule, with that of the rule that "greedy" stands for */
    size_t count;
    const np_load_point *points; /**< [count] by offered load */
    np_load_saturation saturation;
    double zero_load_latency; /**< mean latency of packets that meet nobody, cycles; NAN: not known of this rule, or
                                   packets are longer than buffers that are full before the first credit is back */
    double ideal_throughput;  /**< the load at which some link is full on average; NAN: not known of this rule */
    size_t theorems;
    const np_load_theorem *theorem; /**< [theorems] of the option bound */
} np_load_curve;

/** How load is made and measured. Initialise with np_load_options_init. Texts are borrowed. */
typedef struct np_load_options {
    size_t size;          /**< of this structure; set by the initialiser */
    const char *model;    /**< "steps", "flits"; NULL (default): steps, and flits if a rule is one of adaptive routes */
    const char *paths;    /**< path rules, "a,b,c": a curve each; default "greedy" */
    const char *loads;    /**< "0.1,0.2": these points alone; NULL: look for saturation between from and to */
    double from, to;      /**< default 0.1 and 1 */
    double resolution;    /**< width of the bracket of saturation to reach; default 0.01 */
    const char *arrivals; /**< "bernoulli" (default), "poisson", "periodic", "on-off:ON,OFF" */
    const char *packet_flits;        /**< "L", or "A-B": drawn evenly; NULL: 1 */
    double precision;                /**< ci95 over the mean to reach; default 0.02 */
    uint64_t cycles;                 /**< of a window at most, and twice those of the warm-up; default 200000 */
    const char *queue;               /**< steps: the queue discipline; default "fifo" */
    uint32_t channels, buffer_flits; /**< flits: virtual channels of a link, and flits that the buffer of one holds;
                                          default 4 and 8 */
    uint32_t routing_delay, allocation_delay, switch_delay, crossbar_delay, link_delay, credit_delay; /**< flits: cycles
                                          of the stages of a router, of a link and of a credit on its way back; default
                                          0, and 1 each */
    bool cut_through;      /**< flits: a head goes on only if the next buffer has room for the whole packet */
    bool bound;            /**< theory beside the curves; default false */
    uint64_t seed;         /**< of all that is drawn; default 1 */
    unsigned threads;      /**< 0 (default): one a processor. The result does not depend on them */
    uint64_t memory_limit; /**< bytes; what needs more is refused. 0 (default): what is available */
    np_watch watch;        /**< is told the share of points that are done, and may cancel the call */
    /** Is told of each point as soon as it and all before it in the order of measuring are done, by one thread at a
     * time; NULL: nobody is */
    void (*on_point)(void *context, const char *paths, const np_load_point *point);
    void *context;          /**< of on_point */
    const char *window;     /**< "1,2,4": closed loop, a point each with so many requests of a terminal on their
                                 way, each of which is answered; NULL (default): open loop */
    const char *links_file; /**< a CSV file to write: each link, and the flits that it carried in the window of the last
                                 point of each curve; NULL: none */
    uint32_t input_speedup; /**< flits: inputs of the switch that an input of a router has; default 1 */
    uint32_t internal_speedup; /**< flits: times that the switch is allocated in a cycle; default 1 */
    /**
     * Who gets the events of the first trace_cycles cycles of the only point (np_event_phase.open); NULL (default):
     * nobody does. The point is played by one thread then, with the same result. Borrowed.
     */
    const np_observer *observer;
    uint32_t trace_cycles; /**< 0 (default): 1000; at most five times `cycles`, for no point is longer */
    const char *scheme;    /**< "a,b": schemes that send each packet by itself: "greedy", "valiant", "cubes" and others
                                in two phases, or a rule of adaptive routes such as "ugal-l"; NULL (default): paths say
                                it all */
    uint32_t source_flits; /**< flits: flits that wait at a terminal at most, or at each cable of a terminal that has
                                several; a packet that finds no room for all of its flits is refused. 0 (default): any
                                number */
    bool may_deadlock;     /**< flits: routes that may deadlock are played, too; default false: they are refused */
    bool keep_links;       /**< np_load_result.use is filled in; default false */
} np_load_options;

extern const np_fields np_load_options_fields;

/** Fills in the defaults. */
static inline void np_load_options_init(np_load_options *options)
{
    np_options_init(&np_load_options_fields, options, sizeof *options);
}

/** What links carried in the window of the last point of a curve: at the highest load that was asked for. */
typedef struct np_load_use {
    double offered;        /**< of the point; NAN of a closed loop */
    uint64_t cycles;       /**< of the window */
    const uint64_t *flits; /**< [np_network_link_numbers] that entered each link */
} np_load_use;

/** The result. All pointers but `network` are owned by it. */
typedef struct np_load_result {
    const np_network *network; /**< the caller's */
    const char *traffic;       /**< its spec */
    np_load_options options;   /**< as they were taken; of the model that it names, all parameters */
    size_t curves;
    const np_load_curve *curve; /**< [curves] in the order of the option paths */
    double wall_seconds;        /**< that the call took */
    const np_load_use *use;     /**< [curves] with the option keep_links; else NULL */
} np_load_result;

/** The fields of a result, of a curve and of a point. */
extern const np_fields np_load_result_fields, np_load_curve_fields, np_load_point_fields;

/**
 * Plays and measures.
 *
 * @param traffic  "uniform": each packet draws its destination among all terminals, the sender included; or any traffic
 *                 (np_traffic_create): each packet draws one of the packets of its source; or "trace:FILE", packets
 *                 with their times, which are played once: one point, without interval
 * @param options  NULL: the defaults
 * @param out      receives the result; free with np_load_free; NULL on error. The network must outlive it
 * @return NP_ERROR_INPUT: an option; NP_ERROR_APPLY: paths, traffic or model do not apply to the network;
 *         NP_ERROR_LIMIT, NP_ERROR_MEMORY, NP_ERROR_IO, NP_ERROR_CANCELLED
 */
np_status np_load(const np_network *network, const char *traffic, const np_load_options *options,
                  np_load_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_load_free(np_load_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
