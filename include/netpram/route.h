/*
 * Routing: NETWORK x TRAFFIC x PATHS x SCHEDULE -> RESULT.
 *
 * The model is that of Valiant & Brebner 1981, section 2: at every integral
 * instant each packet is at some node; during each step every directed link
 * carries at most one packet; every link has a queue at its tail, whose
 * discipline selects the next packet.
 */
#ifndef NETPRAM_ROUTE_H
#define NETPRAM_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "netpram/base.h"
#include "netpram/engine.h"
#include "netpram/field.h"
#include "netpram/merging.h"
#include "netpram/network.h"
#include "netpram/traffic.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** One phase over all runs that had it: steps.count of them. */
typedef struct np_phase_result {
    char name[8];              /**< "A", "B", ... or "route" */
    const np_phase_run *run;   /**< [runs] */
    np_summary physical_steps; /**< np_phase_run.physical_steps */
    np_summary steps, delay_max, delay_mean, queue_max, population_max, congestion, hops;
    np_summary delay_p50, delay_p90, delay_p99, delay_p999; /**< quantiles of the delay over the packets of a run */
    np_summary traffic_mean;       /**< packets over a link, mean over the links: hops / links */
    bool leveled;                  /**< it ran on a leveled network; if false, all members below up to `ratio` are 0 */
    bool fixed_ranks;              /**< the paths determine its ranks: nothing in the ranks is random */
    bool missed;                   /**< some run did not have it (np_phase_run.absent); summaries are over the others */
    np_emulation_result emulation; /**< the most of any run */
    np_summary levels, congestion_destinations, ghosts, tokens, combined, queue_real_max;
    np_summary starved;
    bool starves;     /**< Lemma 2.3 may not hold: `starved` counts how often it did not */
    np_summary ratio; /**< steps / (c + L + log2 N): c congestion_destinations, L levels, N packets of the phase */
    size_t delays;    /**< length of delay_histogram: largest delay + 1 */
    const uint64_t *delay_histogram; /**< [delays] packets with that delay, over all runs */
    bool timed;                      /**< phases have a fixed time; if false, `late` is 0 */
    np_summary late;                 /**< np_phase_run.late */
    bool outlined;                   /**< its schedule was found off line by an outline; if false, all below are 0 */
    np_summary dilation, outline, outline_load, resamplings;
    np_summary c_d_ratio; /**< steps / (c + d): c congestion, d dilation */
    bool in_cycles;       /**< messages of several packets go in message cycles; if false, all below are 0 */
    np_summary cycles, packet_hops, packet_steps; /**< as in np_phase_run */
    bool in_rounds;                     /**< packets lock whole paths, round after round; if false, all below are 0 */
    np_summary rounds, locked, blocked; /**< as in np_phase_run */
} np_phase_result;

/** The nodes by way of which a scheme sends packets. Hosts and switches are told apart on networks from files only. */
typedef enum np_via {
    NP_VIA_TERMINALS, /**< where packets start and end: the hosts, if they are told, else all nodes */
    NP_VIA_NODES,
    NP_VIA_HOSTS,
    NP_VIA_SWITCHES
} np_via;

/** What no schedule whatever can beat, with np_route_options.certify. */
typedef struct np_route_certificate {
    const uint64_t *run; /**< [runs] no schedule delivers the packets of the run's traffic in fewer steps: the larger of
                              1/f, rounded up, for an upper bound f of the throughput (netpram/throughput.h), and the
                              largest distance. NULL: nobody asked, and all else is 0 */
    np_summary steps_bound; /**< the same, over the runs */
    np_summary ratio;       /**< physical steps of all phases over that; runs in which no packet moves do not count */
} np_route_certificate;

/** The outcome of np_route. All pointers are owned by the result. */
typedef struct np_route_result {
    const char *network, *scheme, *paths, *traffic, *queue; /**< specs and names with which to repeat the routing */
    uint64_t nodes, links;
    uint64_t seed;
    uint32_t runs;
    unsigned threads; /**< used */
    bool overlap;
    bool same_traffic;      /**< random traffic was drawn once, for all runs */
    np_packet packets;      /**< of the first run */
    np_merge_options merge; /**< as given, for schemes that merge */
    bool has_load_factor;   /**< the network is a fat-tree */
    double load_factor;     /**< lambda of the first run's traffic: no routing takes fewer steps (Leighton, Maggs,
                                 Ranade & Rao 1994, section 7) */
    uint32_t permutations;  /**< x, for schemes that route x permutations at a time: x packets a terminal; else 0 */
    uint32_t relation;      /**< the first run's traffic is a partial h-relation for this h */
    size_t phases;
    const np_phase_result *phase;    /**< [phases] */
    np_summary total_steps;          /**< over the runs: the steps of all phases of a run */
    np_summary total_physical_steps; /**< over the runs: the physical steps of all phases of a run */
    bool physical;                   /**< the physical steps were executed (np_merge_options.physical) */
    double wall_seconds;
    np_via via;             /**< as given, for schemes that draw intermediate nodes */
    np_step phase_time;     /**< the fixed time of each phase; 0: phases have none */
    const char *fallback;   /**< the path rule of phase "F", which routes what is left when a phase has not ended in its
                               time;   NULL: there is no such phase */
    uint32_t fallback_runs; /**< runs that needed it */
    np_route_certificate certificate;
} np_route_result;

/**
 * c + L + log2 N of a phase on a leveled network: congestion_destinations, levels, packets. By Theorem 2.9 of Leighton,
 * Maggs, Ranade & Rao 1994 its steps are proportional to this at most. 0 for a phase on another network, or without
 * packets.
 */
double np_phase_run_bound(const np_phase_run *run);

/**
 * The sample that a summary of a phase is of: the measure's value in each run; NaN: the run did not have the phase.
 * @param phase    one of result->phase
 * @param measure  the name of a summary in np_phase_result_fields: "steps"
 * @param values   receives [result->runs]
 * @return NP_ERROR_INPUT: there is no such measure
 */
np_status np_route_sample(const np_route_result *result, const np_phase_result *phase, const char *measure,
                          double *values) NP_CHECKED;

/**
 * With np_route_options.certify: the physical steps of a run over the steps that its packets need at least. NaN: no
 * packet moves. run: < result->runs
 */
double np_route_certified_ratio(const np_route_result *result, uint32_t run);

/** The fields of a phase and of a result; the summaries are the measures of JSON, CSV, tables and charts. */
extern const np_fields np_phase_result_fields, np_route_result_fields;

/** How to route. Initialise with np_route_options_init, then change what you need. */
typedef struct np_route_options {
    size_t size;            /**< of this structure; set by the initialiser */
    const char *scheme;     /**< a name from `netpram list`; NULL: the network's default, or "greedy" if paths is set */
    const char *paths;      /**< a path rule; NULL: the scheme's own */
    const char *queue;      /**< a queue discipline; NULL: the scheme's own */
    const char *fail;       /**< links that are down, as np_network_fail takes them, drawn from `seed`; NULL: none */
    uint64_t seed;          /**< default 1 */
    uint32_t runs;          /**< default 1, at least 1 */
    uint32_t first_run;     /**< number of the first run, default 0; run r is the same run in any call */
    unsigned threads;       /**< 0 (default): one a processor, fewer where there is little to route */
    bool overlap;           /**< a packet starts the next phase when it finishes this one; default: phases wait */
    bool same_traffic;      /**< random traffic is drawn once and used by every run; default: drawn anew */
    uint64_t memory_limit;  /**< bytes; a run that would need more is refused. 0: what is available */
    bool hash;              /**< compute np_step_report.hash */
    np_merge_options merge; /**< how to merge, for schemes that merge */
    uint32_t permutations;  /**< x of the schemes of Ranade 1987a; 0 (default): 1 */
    /**
     * Called after every step of every run, from the thread that calls
     * np_route (runs are then not run in parallel). Non-zero cancels.
     */
    int (*on_step)(void *context, const np_step_report *report);
    /**
     * Gets the events (netpram/engine.h) of every run, run after run, from the thread that calls np_route. No other
     * thread works then. With overlap there is one phase. NULL (default): nobody.
     */
    const np_observer *observer;
    void *context; /**< of on_step */
    /**
     * Is told the runs that are done, after each run, from any one thread at a time; and, unless runs are in parallel,
     * now and then during a run: phases, and the stage in which the paths of a phase are found.
     */
    np_watch watch;
    np_via via; /**< where a scheme that draws intermediate nodes draws them; default: NP_VIA_TERMINALS */
    /**
     * The fixed time of a phase. "24" is steps; "3logN" K log2 N for N terminals; "n+2n^3/4" n + K n^(3/4) on meshes
     * and arrays of side n (Valiant & Brebner 1981, sections 4 and 8). With overlap phase i, from 0 on, starts at i
     * times this time for all packets that have ended phase i - 1 by then, and for others as soon as they have ended
     * it. Without overlap a phase takes exactly this time. If some packet has not ended it then, no other phase of the
     * scheme follows: all packets go from where they are to their destinations by the rule `fallback`, in a last phase
     * "F". NULL (default): phases have no fixed time.
     */
    const char *phase_time;
    const char *fallback; /**< with phase_time, without overlap: a path rule; NULL (default): "greedy" */
    /**
     * The processes that share each run; np_mpi_route (netpram/mpi.h) sets it. NULL (default): this one does it all.
     */
    const np_job *job;
    bool certify; /**< find np_route_result.certificate; not where packets combine, or circuits are switched: there it
                       would be no bound */
} np_route_options;

/** The fields of np_route_options; `memory` is memory_limit. */
extern const np_fields np_route_options_fields;

/** Fills in the defaults. */
static inline void np_route_options_init(np_route_options *options)
{
    np_options_init(&np_route_options_fields, options, sizeof *options);
}

/**
 * Routes `traffic` on `network`, `runs` times.
 *
 * The result is a function of (network, traffic, scheme, paths, queue,
 * overlap, same_traffic, seed, first_run, runs) alone.
 *
 * @param traffic  a traffic spec, drawn for each run
 * @param out      receives the result; free with np_route_result_free; NULL on error
 * @return NP_ERROR_INPUT (unknown name, runs 0, bad traffic), NP_ERROR_APPLY,
 *         NP_ERROR_LIMIT (with the figure), NP_ERROR_MEMORY, NP_ERROR_IO,
 *         NP_ERROR_CANCELLED
 */
np_status np_route(const np_network *network, const char *traffic, const np_route_options *options,
                   np_route_result **out) NP_CHECKED;

/** The same for existing traffic; every run routes it. NP_ERROR_INPUT also: its packets are not the network's (see
 * traffic.h). */
np_status np_route_traffic(const np_network *network, const np_traffic *traffic, const np_route_options *options,
                           np_route_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_route_result_free(np_route_result *result);

/**
 * The bytes that np_route would need at its peak, without the network itself and without traffic files.
 * Five things are not in it, because they are known only when paths are found: the long routes on networks without a
 * formula for the diameter, the candidates of the path rule k-shortest, the paths that certify tries, networks that
 * are unrolled by hops, where it is not known how long paths can be, and the counts of delays of scheme delayed where
 * very many packets start at few nodes. np_route refuses each before it takes more memory
 * than options->memory_limit allows. Fails as np_route does: also if it would need more than the limit. With a limit of
 * 0 it takes what it must to know, as large as it is: the leveled networks of schemes that have them.
 */
np_status np_route_memory(const np_network *network, const char *traffic, const np_route_options *options,
                          uint64_t *bytes) NP_CHECKED;

/** The scheme that np_route uses with these options: theirs; or "greedy" if they name paths; or the default. */
const char *np_route_scheme(const np_route_options *options, const np_network *network);

/** The scheme used when none is named: the first scheme in the list that is made for the network. Never NULL. */
const char *np_scheme_default(const np_network *network);

/**
 * Does the scheme apply to the network?
 * @return NP_OK, NP_ERROR_INPUT (unknown name) or NP_ERROR_APPLY with the reason
 */
np_status np_scheme_applies(const char *scheme, const np_network *network) NP_CHECKED;

/**
 * Does the scheme use an option that only some schemes have?
 * @param option  "overlap", "phase_time", "fallback", "paths", "queue", "via", "permutations", a name of
 *                np_merge_options_fields, "steps" (on_step and hash), "trace" (observer), or "explain"
 *                (np_report_explain); '-' may stand for '_'
 * @return NP_OK, NP_ERROR_INPUT (unknown scheme or option) or NP_ERROR_APPLY (no) with the schemes that use it
 */
np_status np_scheme_heeds(const char *scheme, const char *option) NP_CHECKED;

/* ---- Schemes of one's own ---- */

/** How a scheme moves packets through queues: a path rule, a queue discipline, and where each phase sends packets. */
typedef struct np_queueing {
    const char *paths; /**< the path rule; NULL: np_route_options.paths, else "greedy" */
    const char *queue; /**< the discipline, unless np_route_options.queue names another. Required */

    /**
     * The names of the phases, 7 characters at most. The list ends with NULL. NULL: `phases` and `name` give the
     * names; without these there is one phase, "route".
     */
    const char *const *names;
    unsigned (*phases)(const np_network *network); /**< number of phases, 1 .. 255 */
    void (*name)(const np_network *network, unsigned phase, char name[8]);

    /**
     * to[i] = the node to which the phase sends packet i of the aim, for i below aim->count. The last phase sends all
     * packets to their destinations. Several threads call it at once. What it does depends on its arguments alone, and
     * not on which packets one call has together. NULL: every phase sends packets to their destinations.
     */
    void (*targets)(const np_aim *aim, np_node *to);

    /* The library's own members: 0 and NULL in other schemes. */
    bool uniform;     /**< two phases: to a node drawn uniformly, whatever the packet, and on to the destination */
    const char *told; /**< what results say the paths are; NULL: the path rule */
    const struct np_queueing_tables *tables; /**< tables for targets that depend on all packets of a run */
} np_queueing;

struct np_bound; /* netpram/theory.h */

/**
 * A scheme. The library's own schemes are descriptors of this type, and a program registers others with
 * np_scheme_register. From then on np_route_options.scheme takes their names. They heed the options "queue", "overlap",
 * "steps", "trace" and, if `queueing` names no path rule, "paths". examples/own_scheme.c is an example.
 */
typedef struct np_scheme {
    /** name, help, source and networks (the families it applies to, in words) are required. */
    np_entry info;

    /** NULL if the scheme applies to the network; else the reason why not. Any thread may call it. Required. */
    const char *(*refuses)(const np_network *network);

    /** How packets move. Required. (The library's schemes with other runners have none.) */
    const np_queueing *queueing;

    /* The library's own members: false and NULL in other schemes. */
    bool preferred; /**< a candidate for the default of a network: the first candidate that applies */
    const struct np_runner_ops *runner; /**< instead of queueing, */
    const void *parameters;             /**< and its parameters */
    /**
     * The options heeded, of the options that only some schemes heed, by their names in np_scheme_heeds. The list ends
     * with NULL. NULL: those of `queueing`.
     */
    const char *const *heeds;
    const struct np_theorem *theorems; /**< what is proved of its steps; not looked at in other schemes */
    /** The theorem for the chance that a phase is slow: fills in what np_bound_for says. NULL: none, */
    void (*bound)(const np_network *network, uint32_t h, const char *phase, struct np_bound *out);
    const char *unproved;       /**< and why; NULL: nothing is known */
    const struct np_only *only; /**< the networks that it is for, in place of `refuses` */
} np_scheme;

/**
 * Adds a scheme, which must remain valid until the process ends, with its texts. Any thread may call it at any time.
 *
 * @return NP_ERROR_INPUT: the name or an alias is ill-formed (a letter, then letters, digits and '-', 31 characters at
 *         most) or taken, something that is required is missing, or a member of the library's own is set;
 *         NP_ERROR_LIMIT: 1024 descriptors are registered already. After an error nothing has changed.
 */
np_status np_scheme_register(const np_scheme *scheme) NP_CHECKED;

/*
 * Why the slowest message of the Router was slow (Ranade 1987a, sections 6.1 and 7).
 *
 * A run of the Router is turned into a monotonic run, in which no two messages
 * delay each other and every message arrives at the same time as before (theorem 2).
 * In the monotonic run a distinguished path is traced from the destination of the
 * slowest message to an input of the Router. It consists of parts of the paths of
 * messages M_i of ascending priority i. The messages that delay the M_i, directly or
 * through others, are all different. They are at least as many as the steps that the
 * slowest message waited.
 */

/** Part Q_i of the distinguished path: stages first .. last of the path of message M_i. */
typedef struct np_constrained_segment {
    uint32_t priority;             /**< i, larger is more urgent */
    np_packet message;             /**< M_i */
    uint32_t entered, destination; /**< terminals at which M_i enters the Router and leaves it */
    uint32_t first, last;          /**< stages, counted from 1 at the outputs of the Router: s_i and s'_i */
    uint32_t delay;                /**< D(M_i, s_i): steps that M_i waited from the inputs to stage first */
    uint32_t delaying;             /**< messages in DS(M_i, s) for some s of the part */
} np_constrained_segment;

/** One run, explained. */
typedef struct np_constrained_explanation {
    uint32_t run, stages, sets;
    np_step steps;      /**< of the Router; with overlap since the Randomizer began */
    uint64_t exchanges; /**< exchanges that made the run monotonic */
    np_packet message;  /**< the message that arrives last; of several the first */
    uint32_t delay;     /**< steps that it waited */
    size_t segments;
    np_constrained_segment *segment; /**< [segments] from the outputs to the inputs */
    uint32_t described;              /**< the sum of `delaying` over the segments */
    bool disjoint;                   /**< the delaying messages are all different */
    bool theorem3, corollary1;       /**< they hold for every message on the path, at every stage of its part */
    bool overlap;                    /**< messages enter the Router when they leave the Randomizer */
    np_step released; /**< with overlap: the step after which the message at the end of the path enters the
                                          Router; else 0 */
    uint32_t needed;  /**< messages to be described: steps - stages - released; without overlap `delay` */
} np_constrained_explanation;

/**
 * Routes run `run` of the scheme (options->scheme: "constrained", "total-randomization" or
 * "unrandomized"; NULL: constrained) and explains it.
 *
 * @param out  receives the explanation; free with np_constrained_explanation_free; NULL on error
 * @return as np_route; NP_ERROR_APPLY for another scheme or network; NP_ERROR_INTERNAL if the recorded run is not a run
 *         of the Router
 */
np_status np_constrained_explain(const np_network *network, const char *traffic, const np_route_options *options,
                                 uint32_t run, np_constrained_explanation **out) NP_CHECKED;

/** Frees the explanation. NULL is allowed. */
void np_constrained_explanation_free(np_constrained_explanation *explanation);

/** Prints the explanation as text for people. NP_ERROR_IO if the stream fails. */
np_status np_constrained_explanation_print(const np_constrained_explanation *explanation, FILE *stream) NP_CHECKED;

/*
 * Ranks found deterministically, off line, for a routing of the scheme `ranked` that will be repeated
 * (Leighton, Maggs, Ranade & Rao 1994, section 11).
 *
 * Ranks are for one network, traffic and choice of paths: those of run 0 with the
 * seed. The promise is a number of steps that is known before any rank is known. The
 * bound is the number of steps that the ranks themselves leave possible, by the longest
 * chain of delays. Both are proved for the steps of the merging engine, and the measured
 * steps are checked against both. Phases that set their own ranks are not part of this:
 * they always take the same steps.
 */

/** A phase of the routing, with these ranks. */
typedef struct np_ranking_phase {
    char name[8];
    uint32_t levels;     /**< L */
    uint32_t congestion; /**< c */
    np_packet packets;   /**< packets that move */
    np_step steps;       /**< measured */
    bool own_ranks;      /**< it sets its own ranks: it is not in the sums below */
} np_ranking_phase;

/** Ranks and what is known about them. All pointers are owned by it. */
typedef struct np_ranking {
    const char *network, *traffic, *paths; /**< specs and names */
    const char *file;                      /**< the file that the ranks were loaded from; NULL: they were found */
    uint64_t seed;
    uint32_t queue_size;  /**< q */
    bool freed;           /**< NP_ROOM_FREED */
    np_packet packets;    /**< of the traffic */
    uint32_t range;       /**< R: ranks are in 1..R */
    const uint32_t *rank; /**< [packets] */
    np_step promised; /**< found: steps that the method promised. Loaded: as the file's head says; 0 if it does not */
    np_step bound;    /**< no run with these ranks takes more steps, by the longest possible chain of delays */
    np_step steps;    /**< of run 0 with these ranks */
    bool kept;        /**< bound <= promised, or nothing was promised. Always true for ranks that were found */
    uint32_t rounds;  /**< further attempts that lowered the bound */
    double estimate_first, estimate_last; /**< found: the expected number of chains that break the promise, before any
                                               rank is fixed and at the end. The first is below 1 and the last is 0,
                                               unless all ranks keep the promise. Loaded: 0 */
    np_summary random; /**< steps with random ranks in 1..2^30 on the same paths; count 0: none were asked for */
    size_t phases;
    const np_ranking_phase *phase; /**< [phases] */
} np_ranking;

/** The fields of ranks. */
extern const np_fields np_ranking_fields;

/** How to find or judge ranks. Initialise with np_ranking_options_init. */
typedef struct np_ranking_options {
    size_t size;            /**< of this structure; set by the initialiser */
    np_merge_options merge; /**< only queue_size, room and rank_range have an effect. rank_range 0 (default): to find,
                                 the largest c + L + log2 N of a phase, rounded up (N packets); to load, the largest
                                 rank of the file */
    uint64_t seed;          /**< of traffic and paths; default 1 */
    uint32_t rounds;        /**< most further attempts to lower the bound; default 4 */
    uint32_t contrast;      /**< runs with random ranks, for comparison; default 20 */
    np_watch watch;         /**< is told now and then how far the call is, and may cancel it */
    uint64_t
        memory_limit;  /**< bytes; ranks that need more are refused before allocation. 0 (default): what is available */
    const char *file;  /**< find none, but load the ranks of this file: one of np_ranking_save, or any file of lines
                                 "packet rank"; NULL (default): find them */
    const char *paths; /**< a path rule; NULL (default): as scheme `ranked` */
} np_ranking_options;

extern const np_fields np_ranking_options_fields;

/** Fills in the defaults. */
static inline void np_ranking_options_init(np_ranking_options *options)
{
    np_options_init(&np_ranking_options_fields, options, sizeof *options);
}

/**
 * Finds ranks by conditional expectations, or loads them from options->file, and bounds their steps. The time of each
 * attempt to find them is about packets x R x edges x steps.
 *
 * @param traffic  a traffic spec; where it is random, run 0's
 * @param out      receives the ranks; free with np_ranking_free; NULL on error
 * @return NP_ERROR_INPUT (bad traffic or options), NP_ERROR_APPLY (no such paths on this network; messages of
 *         several packets, combining, no ghosts), NP_ERROR_LIMIT (it would take too long or too much memory, by
 *         memory_limit or our own),
 *         NP_ERROR_IO (a file), NP_ERROR_MEMORY, NP_ERROR_CANCELLED; NP_ERROR_INPUT also, with name and line, for a
 *         file that is not one rank in 1..R for each packet of the traffic
 */
np_status np_ranking_find(const np_network *network, const char *traffic, const np_ranking_options *options,
                          np_ranking **out) NP_CHECKED;

/** The same for existing traffic, which is borrowed for the call. NP_ERROR_INPUT also: its packets are not the
 * network's. */
np_status np_ranking_find_traffic(const np_network *network, const np_traffic *traffic,
                                  const np_ranking_options *options, np_ranking **out) NP_CHECKED;

/** Writes the ranks to a file, which appears when it is whole: see np_output_open. NP_ERROR_IO, NP_ERROR_MEMORY. */
np_status np_ranking_save(const np_ranking *ranking, const char *path) NP_CHECKED;

/** Frees the ranks. NULL is allowed. */
void np_ranking_free(np_ranking *ranking);

/*
 * Off-line schedules: every hop of every packet is fixed before the first packet
 * moves (Sibeyn, lecture notes, off-line routing). The scheme `offline` carries
 * out such a schedule. Here the schedule is a list that can be stored and loaded.
 * An engine that does not know how the list was made checks it hop by hop.
 *
 * Schedules are for one network, traffic and seed: the traffic of run 0.
 */

/** A hop. */
typedef struct np_offline_hop {
    np_step step; /**< from 1 on */
    np_packet packet;
    np_link link;
} np_offline_hop;

/** A phase of a schedule that was found. */
typedef struct np_offline_phase {
    char name[8];
    np_step steps;
    uint64_t hops;
} np_offline_phase;

/** A schedule and the outcome of its replay. All pointers are owned by it. */
typedef struct np_offline {
    const char *network, *traffic; /**< specs */
    const char *rule;              /**< "exchange", "straight" or "fifo" (on complete networks); NULL: it was loaded */
    const char *file;              /**< the file that it was loaded from; NULL: it was found */
    uint64_t seed;
    np_packet packets;
    np_step steps;     /**< the last step in which a packet moves */
    uint64_t bound;    /**< most steps that the method needs for any such traffic; 0: not known, or loaded */
    uint64_t hops;     /**< over all packets */
    np_step delay_max; /**< most steps that one packet waited before it arrived */
    double delay_mean;
    uint32_t congestion;           /**< most packets over one link */
    uint32_t population_max;       /**< most packets at one node at an instant; packets that pass through count, too */
    uint32_t stored_max;           /**< most packets at one node that stay there for a step, or at the end */
    size_t phases;                 /**< 0 if loaded */
    const np_offline_phase *phase; /**< [phases] */
    const np_offline_hop *hop;     /**< [hops] in ascending order of steps; NULL if loaded */
} np_offline;

/** The fields of a schedule. */
extern const np_fields np_offline_fields;

/** How to make a schedule. Initialise with np_offline_options_init. */
typedef struct np_offline_options {
    size_t size;           /**< of this structure; set by the initialiser */
    const char *rule;      /**< "exchange" (NULL, default): never more than one packet at a node; or "straight": no
                                     packet waits */
    uint64_t seed;         /**< of random traffic; default 1 */
    uint64_t memory_limit; /**< bytes; with the hops (24 to 48 each); what needs more is refused. 0 (default): what is
                              available */
    np_watch watch;        /**< is told now and then how far the call is, and may cancel it */
    const char *file;      /**< make none, but load the schedule of this file, on any network, for any traffic; NULL
                                     (default): make one */
    /** Gets the events of the replay, as one phase; what it takes is not counted. Default NULL: nobody observes */
    const np_observer *observer;
} np_offline_options;

extern const np_fields np_offline_options_fields;

/** Fills in the defaults. */
static inline void np_offline_options_init(np_offline_options *options)
{
    np_options_init(&np_offline_options_fields, options, sizeof *options);
}

/**
 * Makes a schedule by edge colouring and lists its hops, or loads it from options->file; and replays and checks it.
 *
 * On products of rows (meshes, tori, arrays, rings, hypercubes) it routes partial permutations within 2 T_B + T_C
 * steps: on an n x n mesh 3n steps by "exchange" and 3n - 3 by "straight". On complete networks it routes any traffic
 * in two phases of ceil(m / P) steps each, where at most m packets are of one node.
 *
 * @param traffic  a traffic spec; where it is random, run 0's
 * @param out      receives the schedule; free with np_offline_free; NULL on error
 * @return NP_ERROR_INPUT (bad traffic or rule), NP_ERROR_APPLY (the network is neither a product nor complete; the
 *         traffic is no partial permutation, with the node), NP_ERROR_LIMIT (with the figure), NP_ERROR_MEMORY,
 *         NP_ERROR_IO (of a file), NP_ERROR_CANCELLED. Of a file that is loaded: NP_ERROR_INPUT with the line, if it is
 *         not of the form "step packet link"; NP_ERROR_APPLY with the line, if the hop is not possible (the packet is
 *         elsewhere, two packets cross one link in one step, ...), or for packets that do not arrive
 */
np_status np_offline_find(const np_network *network, const char *traffic, const np_offline_options *options,
                          np_offline **out) NP_CHECKED;

/** The same for existing traffic, which is borrowed for the call. NP_ERROR_INPUT also: its packets are not the
 * network's. */
np_status np_offline_find_traffic(const np_network *network, const np_traffic *traffic,
                                  const np_offline_options *options, np_offline **out) NP_CHECKED;

/** Writes a schedule that was found, to a file that np_offline_options.file takes. NP_ERROR_IO; NP_ERROR_INPUT if it
 * was loaded. */
np_status np_offline_save(const np_offline *offline, const char *path) NP_CHECKED;

/** Frees the schedule. NULL is allowed. */
void np_offline_free(np_offline *offline);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
