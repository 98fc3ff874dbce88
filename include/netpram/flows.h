/*
 * Flows: how long does it take, if flows share links fairly?
 *
 * A flow goes from a node to another one, has a size and a start, and takes one path, which its rule gives, or is
 * divided evenly at every hop. At every moment the rates of all flows are max-min fair: no rate can grow without that
 * of a flow shrinking which is no faster (Bertsekas & Gallager 1992, section 6.5.2). Rates change when a flow arrives
 * or ends.
 *
 * Units. Without a link rate sizes are packets, times are steps, and a link of width 1 carries one packet a step. With
 * a link rate sizes are bytes, times are seconds, and it carries as many bits a second. All links from a node to
 * another one are one link, whose width is their number.
 */
#ifndef NETPRAM_FLOWS_H
#define NETPRAM_FLOWS_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/base.h"
#include "netpram/field.h"
#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** How flows are made and played. Initialise with np_flows_options_init. Texts are borrowed. */
typedef struct np_flows_options {
    size_t size;       /**< of this structure; set by the initialiser */
    const char *paths; /**< the path rule: np_path_create; default "spray" */
    bool split;        /**< each flow is divided evenly, at every hop, over the links of shortest paths; then `paths`
                             must be "spray"; default false: it takes one path */
    const char *link_rate; /**< of a link of width 1, as "400Gbit/s"; NULL (default): one packet a step */
    const char *flow_size; /**< of each flow whose traffic says none, as "64K"; NULL: 1 packet; with a link rate it must
                                be said */
    const char *flow_sizes; /**< a file of sizes and the share of flows up to each: a size is drawn for each flow; NULL:
                                 none */
    double load;            /**< flows arrive at random, and their sizes are on average this share of what the links out
                                 of all sources can carry; 0 (default): they start as the traffic says */
    uint64_t arrivals;      /**< with a load: how many flows; 0 (default): 10000 */
    uint64_t seed;          /**< of all that is drawn; default 1 */
    uint64_t memory_limit;  /**< bytes; what needs more is refused. 0 (default): what is available */
    const char *flows_file; /**< a CSV file to write: each flow, its start and its finish; NULL: none */
    const char *links_file; /**< a CSV file to write: each link and what it carried; NULL: none */
    np_watch watch;         /**< is told the share of flows that have finished, and may cancel the call */
    bool record_rates;      /**< keep in the result what all flows together send over time; default false */
} np_flows_options;

extern const np_fields np_flows_options_fields;

/** Fills in the defaults. */
static inline void np_flows_options_init(np_flows_options *options)
{
    np_options_init(&np_flows_options_fields, options, sizeof *options);
}

/** Flows in arrays, [flows] each, in any order. */
typedef struct np_flow_list {
    size_t flows;
    const np_node *source, *destination; /**< nodes: inputs and outputs of the network */
    const double *size;                  /**< packets, or with a link rate bytes; 0 or more */
    const double *start;                 /**< steps, or with a link rate seconds; 0 or more; NULL: all are 0 */
} np_flow_list;

/** Of times or ratios. Quantiles by nearest rank. NAN: of no value. */
typedef struct np_flows_times {
    double mean, p50, p99, max;
} np_flows_times;

/** Flows of sizes from `from` on, below `to`: a power of ten and the next one. */
typedef struct np_flows_class {
    double from, to;
    size_t flows;
    np_flows_times completion, slowdown;
} np_flows_class;

/** All links from a node to another one. */
typedef struct np_flows_link {
    const np_network *network; /**< the caller's */
    np_node from, to;          /**< NP_NONE: there is no link */
    uint32_t width;            /**< their number */
    double use;                /**< share of what it can carry until the makespan that it did carry, 0..1 */
} np_flows_link;

/** The result. All pointers but `network` are owned by it. Times are steps, or with a link rate seconds. */
typedef struct np_flows_result {
    const np_network *network; /**< the caller's */
    const char *traffic;       /**< its spec; "arrays" of np_flows_play */
    const char *paths;         /**< the rule; NULL: flows are divided */
    bool split;                /**< of the options */
    const char *link_rate;     /**< as given; NULL: one packet a step */
    const char *note;          /**< what was not heeded, in words; NULL: nothing */
    uint64_t seed;             /**< of the options */
    double load;               /**< of the options; 0: none */
    size_t flows;              /**< how many */
    size_t resting;            /**< of them, to their own node: they end when they start */
    double sent;               /**< the sum of all sizes, packets or bytes */
    double makespan;           /**< the last finish; 0 if there is no flow */
    np_flows_times completion; /**< finish minus start */
    np_flows_times slowdown; /**< completion over what it would be if the flow were alone; of flows that take a link and
                                  have a size */
    size_t class_count;
    const np_flows_class *classes; /**< [class_count] by size; without classes that have no flow */
    np_flows_link busiest;         /**< the link that was used most, the first of several */
    double use_mean;               /**< share of what all links can carry until the makespan */
    uint64_t events;               /**< moments at which rates changed */
    const np_node *source, *destination;
    const double *size, *start, *finish; /**< [flows] in the order of the traffic */
    double wall_seconds;                 /**< that the call took */
    size_t rate_count;                   /**< with record_rates 1 to 512, if there is a makespan; else 0 */
    double rate_step;   /**< how long a step of the rates is; from the first start on, see rate_start */
    double rate_start;  /**< when the first flow starts */
    const double *rate; /**< [rate_count] what all flows together send in a unit of time, the mean of each step */
} np_flows_result;

/** The fields of a result. */
extern const np_fields np_flows_result_fields;

/**
 * Plays the flows of a traffic.
 *
 * @param traffic  "file:PATH": a list with a line for each flow, whose first line may name the columns source,
 *                 destination, size (or packets, bytes) and start, the last two of which may be missing. Other specs,
 *                 as np_traffic_create: each packet is a flow. With a load: what sources and destinations are drawn
 *                 from, each line or packet equally likely
 * @param options  NULL: the defaults
 * @param out      receives the result; free with np_flows_free; NULL on error. The network must outlive it
 * @return NP_ERROR_INPUT: an option, or a line of a file, whose unit is not clear, too, such as bytes without a link
 *         rate; NP_ERROR_APPLY: the path rule does not apply, or no way leads from a source to its destination;
 *         NP_ERROR_LIMIT: a size or a time is too large, or memory; NP_ERROR_MEMORY, NP_ERROR_IO, NP_ERROR_CANCELLED
 */
np_status np_flows(const np_network *network, const char *traffic, const np_flows_options *options,
                   np_flows_result **out) NP_CHECKED;

/** The same of flows in arrays, which are copied. The options must say neither sizes nor a load. */
np_status np_flows_play(const np_network *network, const np_flow_list *flows, const np_flows_options *options,
                        np_flows_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_flows_free(np_flows_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
