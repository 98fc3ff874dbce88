/*
 * Embeddings of one network, the guest, into another, the host (Sibeyn, lecture notes on interconnection networks,
 * embeddings). An embedding gives every guest node a host node, and every guest link a path of host links between the
 * host nodes of its two ends. Four figures say how good an embedding is. All are measured from the map and the paths:
 *
 *   load        most guest nodes at one host node; 1: the map is injective
 *   dilation    most host links on one path
 *   congestion  most paths over one directed host link
 *   expansion   host nodes per guest node
 *
 * Links are directed here: two for each undirected link. The notes count paths of undirected guest links over
 * undirected host links. Both counts are the same number if the path of every guest link is the reversed path of the
 * opposite guest link. All embeddings of the list whose congestion a source states have this property;
 * np_embedding_facts.reverses says whether an embedding has it.
 *
 * np_embedding_create makes an embedding of the list by its name. np_embedding_from_map makes any other embedding from
 * its map, with shortest paths of the host (path rule "greedy"). np_embedding_run runs a step of the guest, in which
 * every guest link carries a packet, on the host.
 *
 *     np_embedding *embedding;
 *     np_embedding_facts facts;
 *     np_embedding_create(NULL, torus, mesh, 0, &embedding);
 *     np_embedding_measure(embedding, &facts);
 */
#ifndef NETPRAM_EMBED_H
#define NETPRAM_EMBED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netpram/engine.h"
#include "netpram/field.h"
#include "netpram/network.h"
#include "netpram/traffic.h"
#include "netpram/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct np_embedding np_embedding;

/**
 * Makes an embedding of the list.
 *
 * @param name       of an embedding; NULL: the first one in the list that embeds this guest in this host
 * @param guest,host borrowed: must outlive the embedding
 * @param memory_limit  bytes; an embedding that needs more, with what finds its paths, is refused before it takes them.
 *                   It holds for np_embedding_measure, too. 0: what is available
 * @param out        receives the embedding, which the caller frees; NULL on error
 * @return NP_ERROR_INPUT: unknown name, with the nearest; NP_ERROR_APPLY: no embedding of the list (or not the named
 *         one) embeds this guest in this host; the message says why, and what the list has for this guest and for this
 *         host; NP_ERROR_LIMIT: the paths have 2^32 links or more, or more bytes than memory_limit; NP_ERROR_MEMORY
 */
np_status np_embedding_create(const char *name, const np_network *guest, const np_network *host, uint64_t memory_limit,
                              np_embedding **out) NP_CHECKED;

/**
 * Makes an embedding from its map; its paths are shortest paths of the host.
 *
 * @param map        [nodes of the guest] nodes of the host, copied
 * @param injective  refuse a map with two guest nodes at one host node
 * @return NP_ERROR_INPUT: the map names no node of the host, or (injective) one host node twice, with the guest nodes;
 *         NP_ERROR_APPLY: the host has no path where one is needed; NP_ERROR_LIMIT, NP_ERROR_MEMORY
 */
np_status np_embedding_from_map(const np_network *guest, const np_network *host, const np_node *map, bool injective,
                                uint64_t memory_limit, np_embedding **out) NP_CHECKED;

/**
 * The same, but the map is in a file: lines 'guest host', every guest node once, in any order; '#' begins a comment.
 *
 * @return NP_ERROR_INPUT with "name:line: ...": a line of another form, a node out of range, a guest node twice or
 *         never, or (injective) a host node twice; NP_ERROR_IO; and as np_embedding_from_map
 */
np_status np_embedding_read(const char *path, const np_network *guest, const np_network *host, bool injective,
                            uint64_t memory_limit, np_embedding **out) NP_CHECKED;

/** Writes the map as np_embedding_read reads it. NP_ERROR_IO, NP_ERROR_MEMORY. */
np_status np_embedding_write(const np_embedding *embedding, const char *path) NP_CHECKED;

/** Frees the embedding. NULL is allowed. */
void np_embedding_free(np_embedding *embedding);

/** The entry of the embedding in the list; NULL if it was made from a map. */
const np_entry *np_embedding_entry(const np_embedding *embedding);
/** The networks that the embedding was made with. */
const np_network *np_embedding_guest(const np_embedding *embedding);
const np_network *np_embedding_host(const np_embedding *embedding);
/** [nodes of the guest] the host nodes. Owned by the embedding. */
const np_node *np_embedding_map(const np_embedding *embedding);
/** The path of a guest link: *links = its host links in order, owned by the embedding. Returns how many there are:
 *  0 for an unused link number, and for a guest link with both ends at one host node. */
size_t np_embedding_path(const np_embedding *embedding, np_link guest_link, const np_link **links);

/**
 * Audits the embedding: The map is in range. Every path consists of host links, and each of them begins where the one
 * before ends. Every path leads from the host node of the guest link's tail to the host node of its head.
 * NP_ERROR_INTERNAL with the first violation.
 */
np_status np_embedding_audit(const np_embedding *embedding) NP_CHECKED;

/** What a source states of an embedding, for this guest and host. 0: the source states nothing. */
typedef struct np_embedding_stated {
    uint32_t load, dilation, congestion;
    double expansion;
} np_embedding_stated;

/** What is measured from map and paths, beside what a source states. */
typedef struct np_embedding_facts {
    uint32_t load, dilation, congestion;
    double expansion;
    np_embedding_stated stated;
    bool agrees;              /**< every stated figure equals the measured one */
    double dilation_mean;     /**< over the guest's links */
    uint64_t guest_links;     /**< paths */
    uint64_t hops;            /**< host links on all paths */
    uint32_t congestion_both; /**< most paths over a host link and its opposite together */
    bool reverses; /**< for every guest link that has an opposite: its path is the opposite's path reversed */
} np_embedding_facts;

/** NP_ERROR_MEMORY. Takes time O(nodes and links of the guest and the host, and hops). */
np_status np_embedding_measure(const np_embedding *embedding, np_embedding_facts *facts) NP_CHECKED;

typedef struct np_embedding_run_options {
    size_t size;           /**< of this structure; set by the initialiser */
    uint32_t steps;        /**< of the guest, default 1 */
    uint64_t seed;         /**< of the order in which packets first enter the queues, default 1 */
    uint32_t tries;        /**< schedules to try off line while none is known to be shortest, default 16 */
    np_watch watch;        /**< is told now and then how far the call is, and may cancel it */
    uint64_t memory_limit; /**< bytes, with those of the embedding; a run that needs more is refused before it begins.
                                0 (default): what is available */
    /**
     * Gets the events on the host. Each phase is a run of its own, and runs count on: phase 0, `queues`, for each guest
     * step, and phase 1, `schedule`, the schedule that is kept. The packet of a guest link has the number of the link.
     * What the observing of a schedule takes is not counted. Default NULL: nobody observes
     */
    const np_observer *observer;
} np_embedding_run_options;

extern const np_fields np_embedding_run_options_fields;

/** Fills in the defaults. */
static inline void np_embedding_run_options_init(np_embedding_run_options *options)
{
    np_options_init(&np_embedding_run_options_fields, options, sizeof *options);
}

/**
 * A guest step on the host, by queues and off line.
 *
 * By queues: host links have FIFO queues at their tails, and packets enter their first queues in random order. The next
 * guest step begins when the last packet of the present one has arrived.
 *
 * Off line: one schedule, in which every crossing has a fixed time, is found beforehand and repeated. It is found by
 * list scheduling. Of the packets at a link, the packet with the longest way left goes first. Ties go in the order of
 * arrival, which is random at first. The shortest of `tries` schedules is kept; the search ends early when a schedule
 * has only `least` steps. If dilation and congestion are at most 2, and 2 steps suffice, then one try finds 2 steps:
 * the first hop of a path of two links must be made in step 1 and the second hop in step 2, and the rule sends the
 * packets in this way.
 */
typedef struct np_embedding_run_result {
    uint32_t guest_steps;
    uint64_t seed;
    np_summary queued; /**< host steps of a guest step, over the guest steps */
    uint64_t queued_total;
    uint32_t queue_max;
    uint32_t scheduled; /**< host steps of the schedule, the same in every guest step */
    uint64_t scheduled_total;
    uint32_t least; /**< no schedule has fewer steps: the larger of congestion and dilation */
    uint32_t tries; /**< schedules tried */
    size_t crossings;
    const np_step *crossing; /**< [crossings] the schedule: the step, from 1, in which the packet crosses each link of
                                  its path; the paths are one after the other, by the number of the guest link */
} np_embedding_run_result;

/**
 * Runs the guest on the host. The result is a function of the embedding and (steps, seed, tries).
 * @param out receives the result; free with np_embedding_run_result_free; NULL on error
 * @return NP_ERROR_INPUT (steps or tries 0), NP_ERROR_LIMIT (a guest of more links than packets can be numbered; more
 *         bytes than memory_limit), NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_embedding_run(const np_embedding *embedding, const np_embedding_run_options *options,
                           np_embedding_run_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_embedding_run_result_free(np_embedding_run_result *result);

/** What the guest runs. Initialise with np_embedding_guest_options_init. */
typedef struct np_embedding_guest_options {
    size_t size;         /**< of this structure; set by the initialiser */
    const char *traffic; /**< of the guest; default "random" */
    const char *scheme;  /**< routes the traffic on the guest: a scheme of the queueing engine, or "offline"; NULL: the
                              guest's default */
    const char *file;    /**< instead of a scheme: a file with a schedule (netpram/route.h) for this traffic and seed;
                              NULL: none */
    uint64_t seed;       /**< of traffic, scheme, and the order in which packets first enter the host's queues;
                              default 1 */
    np_watch watch;      /**< is told now and then how far the call is, and may cancel it */
    uint64_t memory_limit; /**< bytes, with those of the embedding, of `full`, and of the hops of the guest's packets
                              (12 to 24 each); what needs more is refused. 0 (default): what is available */
    /**
     * Likewise, for each guest step in which a packet moves: phase 2, `traffic queues`, and phase 3, `traffic
     * schedule`. The runs count on after those of np_embedding_run. Default NULL: nobody observes
     */
    const np_observer *observer;
    const np_traffic *packets; /**< of the guest, instead of `traffic`; borrowed. Default NULL: they are made */
} np_embedding_guest_options;

extern const np_fields np_embedding_guest_options_fields;

/** Fills in the defaults. */
static inline void np_embedding_guest_options_init(np_embedding_guest_options *options)
{
    np_options_init(&np_embedding_guest_options_fields, options, sizeof *options);
}

/** A guest's packets on the host. The summaries are over the guest's steps in which a packet moves. */
typedef struct np_embedding_guest_result {
    np_packet packets;
    np_step guest_steps;  /**< that the packets take on the guest */
    uint32_t busy_steps;  /**< guest steps in which a packet moves; 0: all summaries are 0 */
    uint64_t hops;        /**< of all packets on the guest */
    np_summary least;     /**< the larger of congestion and dilation of the guest links that the step crosses */
    np_summary scheduled; /**< by the schedule of a full step, without the guest links that the step does not cross */
    np_summary queued;
    uint64_t least_total, scheduled_total, queued_total;
    uint64_t full_total; /**< busy_steps times the steps of a full step's schedule: scheduled_total is at most this */
    uint32_t queue_max;
} np_embedding_guest_result;

/** The fields of the facts, of a run of full steps and of a run of the guest's packets. */
extern const np_fields np_embedding_facts_fields, np_embedding_run_result_fields, np_embedding_guest_result_fields;

/**
 * Routes traffic on the guest and carries out every guest step of this routing on the host. The next guest step begins
 * when the last packet of the present one has arrived. The result is a function of the embedding, `full` and (traffic,
 * scheme, file, seed).
 *
 * @param full  a run of the same embedding; its schedule serves every step; borrowed
 * @param out   the caller's; nothing in it needs to be freed
 * @return as np_route or np_offline_find for the guest (NP_ERROR_APPLY: a scheme without a step-by-step trace), or as
 *         np_offline_find for a file; NP_ERROR_LIMIT (more bytes than memory_limit), NP_ERROR_CANCELLED
 */
np_status np_embedding_run_guest(const np_embedding *embedding, const np_embedding_run_result *full,
                                 const np_embedding_guest_options *options, np_embedding_guest_result *out) NP_CHECKED;

/**
 * Audits a schedule: Every packet crosses the links of its path in order, at most one link a step. No link carries two
 * packets in one step. All crossings are over after `steps` steps. NP_ERROR_INTERNAL with the first violation,
 * NP_ERROR_MEMORY.
 *
 * @param crossing as np_embedding_run_result has it
 */
np_status np_embedding_schedule_audit(const np_embedding *embedding, const np_step *crossing,
                                      uint32_t steps) NP_CHECKED;

/*
 * Indexing schemes: orders of the nodes of a grid (mesh, torus, array, ring). As a map, an indexing puts node i of any
 * guest on the i-th node of the grid. An indexing whose consecutive nodes are adjacent embeds the linear array with
 * dilation 1.
 */

/** NP_OK, NP_ERROR_INPUT (unknown name, with the nearest) or NP_ERROR_APPLY with the reason. */
np_status np_indexing_applies(const char *name, const np_network *grid) NP_CHECKED;

/** node[i] = the node with index i, for all nodes. Fails as np_indexing_applies does. */
np_status np_indexing_nodes(const char *name, const np_network *grid, np_node *node) NP_CHECKED;

/** The index of a node, and the node of an index; NP_NONE if the scheme does not apply or they are out of range. */
np_node np_indexing_index(const char *name, const np_network *grid, np_node node);
np_node np_indexing_node(const char *name, const np_network *grid, np_node index);

/** The number of pairs of consecutive indices whose nodes are neighbours. Fails as np_indexing_applies does. */
np_status np_indexing_adjacent_pairs(const char *name, const np_network *grid, uint64_t *out) NP_CHECKED;

/** The embedding that puts guest node i on the i-th node of the grid. NP_ERROR_APPLY: also if the guest is larger. */
np_status np_embedding_by_indexing(const char *name, const np_network *guest, const np_network *grid,
                                   uint64_t memory_limit, np_embedding **out) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
