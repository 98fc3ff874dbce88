/*
 * Area-universal networks: a fat-tree with meshes at its leaves and chains at
 * its nodes, U, on which any network of equal area, the guest, is simulated step by step
 * (Leighton, Maggs, Ranade & Rao 1994, section 7).
 *
 * A step of the guest: each of its links carries a packet. Its nodes are mapped
 * to U once, by dividing the guest in halves again and again; in every step
 * the packets are routed on U from where the one end of a link is to where the other is:
 *   gather   in the mesh of each leaf, to the leaf, or to their destination if it is in the same mesh
 *   route    over the fat-tree, by merging (netpram/merging.h)
 *   scatter  in the meshes, from the leaves to the destinations
 * Each begins when the one before has ended; the slowdown is the sum of their steps. A guest may have a program of its
 * own instead: the links that carry a packet in each of its steps. A step without packets takes none.
 *
 * A guest may have shared buses instead of links. In a step of its every node
 * writes to all its buses, or with a program some do to some, and then all on these read them. Packets to the same bus
 * combine where they meet; what the bus comes to goes back the same ways in reverse, in as many steps again.
 */
#ifndef NETPRAM_UNIVERSAL_H
#define NETPRAM_UNIVERSAL_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/field.h"
#include "netpram/merging.h"
#include "netpram/network.h"
#include "netpram/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** How the guest was divided. */
typedef enum np_universal_map {
    NP_UNIVERSAL_COORDINATES, /**< by those of a mesh, torus, array or ring */
    NP_UNIVERSAL_LAYOUT,      /**< by those of a file */
    NP_UNIVERSAL_METIS        /**< by cutting few links, with METIS */
} np_universal_map;

/** The name of it: "coordinates", "layout", "metis". */
const char *np_universal_map_name(np_universal_map map);

/** How to simulate. Initialise with np_universal_options_init. */
typedef struct np_universal_options {
    const char *layout; /**< file: lines "node x y" (or with volume "node x y z"), one for each node, all at different
                           places; NULL: none. Borrowed */
    /**
     * What each step of the guest sends, in a file: lines "step from to" (`steps`), or "step packet link" as
     * np_offline_save writes them (`schedule`): steps from 1 on, in any order, links of the guest, each at most once in
     * a step. Or a traffic spec, which is routed on the guest with that seed by paths of the rule (NULL: "greedy",
     * shortest) and queues, first come first served. One of them at most. For buses steps alone, of lines "step node
     * bus": the node writes to the bus, numbered from 0 as in the file, and all on it hear. All NULL (default): every
     * link carries a packet, every bus is written and read by all its nodes. Borrowed
     */
    const char *steps, *schedule, *traffic, *paths;
    bool offline;           /**< paths and ranks found once, without random bits, for all steps (section 11) */
    bool partition;         /**< divide by METIS even if there are coordinates */
    bool volume;            /**< the volume-universal network, for guests in space */
    uint32_t height;        /**< m of U; 0 (default): the smallest. See np_universal_simulate */
    uint64_t seed;          /**< default 1 */
    uint32_t runs;          /**< how often to simulate the guest's step, or steps, each with new random paths and ranks;
                        default 1 */
    np_merge_options merge; /**< queue_size and room are heeded */
    uint64_t memory_limit;  /**< bytes; a U whose fat-tree needs more is refused before allocation. 0 (default):
                                no limit */
} np_universal_options;

extern const np_fields np_universal_options_fields;

/** Fills in the defaults. */
void np_universal_options_init(np_universal_options *options);

/** The load of a channel of the fat-tree. */
typedef struct np_universal_load {
    double factor;     /**< lambda = load / capacity; 0 if nothing moves on any channel */
    uint64_t load;     /**< packets that must pass through it; where they combine, different buses */
    uint32_t capacity; /**< links */
    bool up;           /**< to the root */
    uint32_t level;    /**< of its lower end; the leaves are on 0 */
    uint32_t vertex;   /**< its lower end, among those of the level */
} np_universal_load;

/** A step of the guest, simulated. */
typedef struct np_universal_step {
    uint32_t run, step;              /**< run from 0, step of the guest from 1 */
    uint64_t packets, local;         /**< of those that stay in the mesh of a leaf */
    np_universal_load load;          /**< the largest: no routing takes fewer steps */
    uint32_t gather, route, scatter; /**< steps */
    uint32_t slowdown;               /**< their sum */
    uint32_t congestion; /**< most packets over one link of the fat-tree or its chains; where packets combine, different
                            buses */
    uint64_t combined;   /**< times that two packets became one */
} np_universal_step;

/** What was found off line. */
typedef struct np_universal_offline {
    uint32_t congestion;          /**< of the fat-tree and its chains, when all links carry a packet */
    uint32_t congestion_promised; /**< known before any path was chosen: O(lambda + log M) */
    uint32_t steps;               /**< on the fat-tree, when all links carry a packet; of buses one way */
    uint32_t tries;               /**< settings of the ranks that were tried */
    bool expectations;       /**< ranks are those of conditional expectations; else the best of the settings tried */
    uint32_t steps_promised; /**< by conditional expectations, before any rank was fixed; 0: it would have taken
                                  too long */
    uint32_t steps_expectations; /**< on the fat-tree with these ranks; 0 likewise */
} np_universal_offline;

/** The outcome of np_universal_simulate. All pointers are owned by the result. */
typedef struct np_universal_result {
    const char *guest;                 /**< its spec, or the file of its buses */
    uint64_t guest_nodes, guest_links; /**< directed, self-loops not counted; 0 with buses */
    uint64_t guest_buses, guest_pins;  /**< and nodes on buses, summed; 0 with links */
    uint64_t guest_area; /**< points of the least rectangle (with volume: box) around its nodes; 0: it has no
                              coordinates */
    np_universal_map map;
    bool combining; /**< the guest has buses */

    bool volume;
    uint32_t height, root; /**< m, and M = 2^m; with volume 4^m */
    uint64_t processors;   /**< N = 4^m m^2; with volume 8^m s^3, s = sqrt(2m) rounded up */
    uint64_t nodes, links; /**< of U, with fat-tree and chains; links are directed */
    uint64_t area; /**< of the least rectangle around the layout of U, counted; see docs/universal.md. With volume 0 */
    uint64_t area_formula;
    uint64_t volume_counted; /**< with volume: of the least box around the layout of U, counted; else 0 */
    uint64_t volume_formula;
    uint64_t wire_length; /**< of that layout */

    const np_node *place; /**< [guest_nodes] processor of U that plays the node: all different */
    uint32_t used_leaves; /**< leaves with a node */
    uint32_t load_leaf;   /**< most nodes at one leaf */

    bool program;                  /**< the guest's steps were given */
    uint32_t guest_steps;          /**< T: the last of them; 1 else */
    size_t rows;                   /**< T runs */
    const np_universal_step *step; /**< [rows] run by run */
    size_t slowest;                /**< of them the first with the largest slowdown */

    uint64_t packets, local;                                    /**< of all T steps */
    np_universal_load load;                                     /**< the largest of any step */
    double load_per_log_n;                                      /**< its factor / log2 N */
    np_summary load_factor, gather, route, scatter, congestion; /**< over the rows */
    np_summary slowdown;       /**< steps of U for a step of the guest, over the rows */
    double slowdown_per_log_n; /**< mean / log2 N */
    double total;              /**< steps of U for all T, mean over the runs */
    uint64_t combined;         /**< in the first run */
    bool offline;
    np_universal_offline found;

    uint64_t seed;
    uint32_t runs;
    double map_seconds, wall_seconds;
} np_universal_result;

/** The fields of a step; of a result, without its map; and what a report says last. */
extern const np_fields np_universal_step_fields, np_universal_result_fields, np_universal_end_fields;

/**
 * Maps a guest to U and simulates steps of it.
 *
 * U is the one of the height given, or the smallest that has at least as many
 * processors as the guest has area; for guests without coordinates the smallest
 * with a processor a node and a load factor of at most log2 N, which is what the
 * proof of Theorem 7.3 needs of the map.
 *
 * METIS draws from the C library's rand(), from a state of its own: threads take turns there, and only a rand() or
 * srand() that the program itself calls at the same time in another thread can change the map.
 *
 * @param guest   a network whose nodes all are terminals, at least 2
 * @param out     receives the result; free with np_universal_result_free; NULL on error
 * @return NP_ERROR_INPUT: runs 0, a guest that is not connected, a bad layout or steps ("file:line: ..."), bad traffic,
 * or a height that is too small (with the least); NP_ERROR_APPLY: no coordinates and no METIS, traffic or paths that do
 * not exist there; NP_ERROR_LIMIT: U would be too large, or no U has that load
 * factor; NP_ERROR_IO; NP_ERROR_MEMORY
 */
np_status np_universal_simulate(const np_network *guest, const np_universal_options *options,
                                np_universal_result **out) NP_CHECKED;

/**
 * The same for a guest of shared buses, of a file: lines "name: node node ...", a bus each; nodes are 0 .. the largest.
 * @return also NP_ERROR_INPUT: a bad line, with file and line
 */
np_status np_universal_simulate_buses(const char *file, const np_universal_options *options,
                                      np_universal_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_universal_result_free(np_universal_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
