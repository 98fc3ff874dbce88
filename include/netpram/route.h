/*
 * Routing: NETWORK x TRAFFIC x PATHS x SCHEDULE -> RESULT.
 *
 * The model is that of Valiant & Brebner 1981, section 2: at every integral
 * instant each packet is at some node; during each step every directed link
 * carries at most one packet; every link has a queue at the node it leaves,
 * whose discipline names the packet to go.
 */
#ifndef NETPRAM_ROUTE_H
#define NETPRAM_ROUTE_H

#include <stdbool.h>

#include "netpram/engine.h"
#include "netpram/field.h"
#include "netpram/merge.h"
#include "netpram/network.h"
#include "netpram/schedule.h"
#include "netpram/statistics.h"
#include "netpram/traffic.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What it costs a physical network to be the leveled one: most per physical node or link. */
typedef struct np_emulation_result {
    uint32_t nodes_per_node; /**< logical nodes of one physical node */
    uint32_t degree;         /**< most links that enter or leave a logical node: Delta */
    uint32_t links_per_link; /**< crossings of one physical link by all logical links once each */
} np_emulation_result;

/** One phase over all runs. */
typedef struct np_phase_result {
    char name[8];            /**< "A", "B", ... or "route" */
    const np_phase_run *run; /**< [runs] */
    np_summary steps, delay_max, delay_mean, queue_max, population_max, congestion, hops;
    np_summary traffic_mean; /**< packets over a link, mean over the links: hops / links */
    bool leveled;            /**< it ran on a leveled network, and what follows is of it; else 0 */
    bool fixed_ranks;        /**< its ranks are set by the paths: nothing is random about them */
    np_emulation_result emulation;
    np_summary levels, congestion_destinations, ghosts, tokens, combined, queue_real_max;
    np_summary ratio; /**< steps / (c + L + log2 N): c congestion_destinations, L levels, N packets of the phase */
    size_t delays;    /**< length of delay_histogram: largest delay + 1 */
    const uint64_t *delay_histogram; /**< [delays] packets with that delay, over all runs */
} np_phase_result;

/** The outcome of np_route. All pointers are owned by the result. */
typedef struct np_route_result {
    const char *network, *scheme, *paths, *traffic, *queue; /**< specs and names that repeat it */
    uint64_t nodes, links;
    uint64_t seed;
    uint32_t runs;
    unsigned threads; /**< used */
    bool overlap;
    bool same_traffic;      /**< random traffic was drawn once, not for each run */
    np_packet packets;      /**< of the first run */
    np_merge_options merge; /**< as given, for schemes that merge */
    bool has_load_factor;   /**< the network is a fat-tree */
    double load_factor;     /**< lambda of the first run's traffic: no routing takes fewer steps (Leighton, Maggs,
                                 Ranade & Rao 1994, section 7) */
    uint32_t permutations; /**< x, for schemes that route so many at a time, x times the terminals in packets; else 0 */
    uint32_t relation;     /**< the first run's traffic is a partial h-relation for this h */
    size_t phases;
    const np_phase_result *phase; /**< [phases] */
    np_summary total_steps;       /**< over the runs, the sum over the phases */
    double wall_seconds;
} np_route_result;

/**
 * c + L + log2 N of a phase on a leveled network, what Theorem 2.9 of Leighton, Maggs, Ranade & Rao 1994 has its steps
 * in proportion to: congestion_destinations, levels, packets. 0 for another phase, or one without packets.
 */
double np_phase_run_bound(const np_phase_run *run);

/** The fields of a phase and of a result; its summaries are the measures of JSON, CSV, tables and charts. */
extern const np_fields np_phase_result_fields, np_route_result_fields;

enum { NP_THREADS_MAX = 1024 };

/** How far a routing is. */
typedef struct np_route_progress {
    uint32_t run;    /**< the present one, from 0 */
    unsigned phase;  /**< of the run, from 0 */
    unsigned phases; /**< of a run */
    double share;    /**< of the phase's work that is done, 0..1 */
} np_route_progress;

/** How to route. Initialise with np_route_options_init, then change what you need. */
typedef struct np_route_options {
    const char *scheme;     /**< a name from `netpram list`; NULL: the network's default, or "greedy" if paths is set */
    const char *paths;      /**< a path rule; NULL: the scheme's own */
    const char *queue;      /**< a queue discipline; NULL: the scheme's own */
    uint64_t seed;          /**< default 1 */
    uint32_t runs;          /**< default 1, at least 1 */
    unsigned threads;       /**< 0 (default): one a processor */
    bool overlap;           /**< a packet starts the next phase when it finishes this one; default: phases wait */
    bool same_traffic;      /**< random traffic is drawn once and used by every run; default: drawn anew */
    uint64_t memory_limit;  /**< bytes; a run that would need more is refused before allocation. 0: no limit */
    bool hash;              /**< compute np_step_report.hash */
    np_merge_options merge; /**< how to merge, for schemes that do */
    uint32_t permutations;  /**< x of the schemes of Ranade 1987a; 0 (default): 1 */
    /**
     * Called after every step of every run, from the thread that calls
     * np_route (runs are then not run in parallel). Non-zero cancels.
     */
    int (*on_step)(void *context, const np_step_report *report);
    /**
     * Called in every step of every run with the hops that are made in it: packet[i] crosses link[i]. phase: from 0;
     * step: from 1 in each phase. From the thread that calls np_route, and then no other works. With overlap there is
     * one phase.
     */
    void (*on_hops)(void *context, unsigned phase, np_step step, size_t count, const np_packet *packet,
                    const np_link *link);
    /**
     * Called now and then while a run goes on, from the thread that calls
     * np_route, if runs are not run in parallel and phases do not overlap.
     */
    void (*on_progress)(void *context, const np_route_progress *progress);
    /** Called from any one thread at a time after each run, with the number of runs done. Non-zero cancels. */
    int (*on_run)(void *context, uint32_t done);
    void *context;
} np_route_options;

/** The fields of np_route_options; `memory` is memory_limit. */
extern const np_fields np_route_options_fields;

/** Fills in the defaults. */
void np_route_options_init(np_route_options *options);

/**
 * Routes `traffic` on `network`, `runs` times.
 *
 * The result is a function of (network, traffic, scheme, paths, queue,
 * overlap, same_traffic, seed, runs) alone.
 *
 * @param traffic  a traffic spec, drawn for each run
 * @param out      receives the result; free with np_route_result_free; NULL on error
 * @return NP_ERROR_INPUT (unknown name, runs 0, bad traffic), NP_ERROR_APPLY,
 *         NP_ERROR_LIMIT (with the figure), NP_ERROR_MEMORY, NP_ERROR_IO,
 *         NP_ERROR_CANCELLED
 */
np_status np_route(const np_network *network, const char *traffic, const np_route_options *options,
                   np_route_result **out) NP_CHECKED;

/** The same for traffic that is already made; every run routes it. */
np_status np_route_traffic(const np_network *network, const np_traffic *traffic, const np_route_options *options,
                           np_route_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_route_result_free(np_route_result *result);

/**
 * Bytes that np_route would need at its peak, the network itself and traffic files not counted; options->memory_limit
 * is not heeded. Fails as np_route does.
 */
np_status np_route_memory(const np_network *network, const char *traffic, const np_route_options *options,
                          uint64_t *bytes) NP_CHECKED;

/** The scheme used when none is named: the first in the list made for the network. Never NULL. */
const char *np_scheme_default(const np_network *network);

/**
 * Does the scheme apply to the network?
 * @return NP_OK, NP_ERROR_INPUT (unknown name) or NP_ERROR_APPLY with the reason
 */
np_status np_scheme_applies(const char *scheme, const np_network *network) NP_CHECKED;

/**
 * Does the scheme heed an option that only some schemes have?
 * @param option  "overlap", "paths", "queue", "permutations", one of np_merge_option_name, "trace" (on_step, on_hops and
 *                hash), or "explain" (np_report_explain); '-' may stand for '_'
 * @return NP_OK, NP_ERROR_INPUT (unknown scheme) or NP_ERROR_APPLY with the schemes that do
 */
np_status np_scheme_heeds(const char *scheme, const char *option) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
