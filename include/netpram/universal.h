/*
 * Area-universal networks (Leighton, Maggs, Ranade & Rao 1994, section 7). U is a
 * fat-tree with meshes at its leaves and chains at its nodes. It simulates any
 * network of equal area, the guest, step by step.
 *
 * The nodes of the guest are mapped to U once, by dividing the guest in halves
 * again and again. In a step of the guest each of its links carries a packet. U
 * routes each packet from the processor of the link's tail to the processor of its
 * head, in three stages:
 *   gather   in the mesh of each leaf, to the leaf, or to the destination if it is in the same mesh
 *   route    over the fat-tree, by merging (netpram/merging.h)
 *   scatter  in the meshes, from the leaves to the destinations
 * Each stage begins when the stage before has ended. The slowdown is the sum of the
 * steps of the three stages. Instead, a guest may have a program of its own, which
 * says for each of its steps which links carry a packet. A step of the guest without
 * packets takes no step of U.
 *
 * A guest may have shared buses instead of links. In a step of the guest every node
 * writes to all its buses; with a program, some nodes write to some buses. Then all
 * nodes on these buses read them. Packets to the same bus combine where they meet.
 * The combined value of the bus goes back the same ways in reverse, in the same
 * number of steps.
 */
#ifndef NETPRAM_UNIVERSAL_H
#define NETPRAM_UNIVERSAL_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/engine.h"
#include "netpram/field.h"
#include "netpram/merging.h"
#include "netpram/network.h"
#include "netpram/traffic.h"
#include "netpram/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** How the guest was divided. */
typedef enum np_universal_map {
    NP_UNIVERSAL_COORDINATES, /**< by the coordinates of a mesh, torus, array or ring */
    NP_UNIVERSAL_LAYOUT,      /**< by the coordinates in a file */
    NP_UNIVERSAL_METIS        /**< by cutting few links, with METIS */
} np_universal_map;

/** The name of a map: "coordinates", "layout", "metis". */
const char *np_universal_map_name(np_universal_map map);

/** How to simulate. Initialise with np_universal_options_init. */
typedef struct np_universal_options {
    size_t size;        /**< of this structure; set by the initialiser */
    const char *layout; /**< file: lines "node x y" (or with volume "node x y z"), one for each node, all at different
                           places; NULL: none. Borrowed */
    /**
     * What the guest sends in each of its steps; at most one of `steps`, `schedule` and `traffic`:
     *   steps     a file of lines "step from to"
     *   schedule  a file of lines "step packet link", as np_offline_save writes them
     *   traffic   a traffic spec; it is routed on the guest with the seed, by the path rule `paths` (NULL: "greedy",
     *             shortest paths) and queues, first come first served
     * In the files, steps count from 1 and are in any order, and a link of the guest is used at most once in a step.
     * A guest of buses takes only `steps`, with lines "step node bus": the node writes to the bus, numbered from 0 as
     * in the file of the buses, and all nodes on the bus read it. All NULL (default): every link carries a packet, and
     * all nodes of a bus write and read it. Borrowed
     */
    const char *steps, *schedule, *traffic, *paths;
    bool offline;           /**< find paths and ranks once, without random bits, for all steps (section 11) */
    bool partition;         /**< divide by METIS even if there are coordinates */
    bool volume;            /**< the volume-universal network, for guests in space */
    uint32_t height;        /**< m of U; 0 (default): the smallest. See np_universal_simulate */
    uint64_t seed;          /**< default 1 */
    uint32_t runs;          /**< how often to simulate the guest's step, or steps, each time with new random paths and
                                 ranks; default 1 */
    np_merge_options merge; /**< queue_size and room are heeded */
    uint64_t memory_limit;  /**< bytes; more is refused before the map is made, and before anything is routed. 0
                               (default):  no limit */
    np_watch watch;         /**< is told now and then what is done, and how far it is; it may cancel the call */
    /**
     * Gets the events of the routings on U. A step of the guest is a run: run t runs + i is step t (from 0) of the i-th
     * simulation. Its phases are 0 `gather route`, 1 `tree route` and 2 `scatter route`; the meshes are routed once for
     * all simulations, in the first. The packet of a guest link has the number of the link. What is charged and not
     * routed has no events: how the nodes of buses hear what was written.
     * Default NULL: nobody observes
     */
    const np_observer *observer;
    const np_traffic *packets; /**< of the guest, instead of `traffic`; borrowed. Default NULL: they are made */
} np_universal_options;

extern const np_fields np_universal_options_fields;

/** Fills in the defaults. */
static inline void np_universal_options_init(np_universal_options *options)
{
    np_options_init(&np_universal_options_fields, options, sizeof *options);
}

/** The load of a channel of the fat-tree. */
typedef struct np_universal_load {
    double factor;     /**< lambda = load / capacity; 0 if nothing moves on any channel */
    uint64_t load;     /**< packets that must pass through the channel; if packets combine, different buses */
    uint32_t capacity; /**< links of the channel */
    bool up;           /**< towards the root */
    uint32_t level;    /**< of its lower end; the leaves are on level 0 */
    uint32_t vertex;   /**< number of its lower end on the level */
} np_universal_load;

/** A step of the guest, simulated. */
typedef struct np_universal_step {
    uint32_t run, step;              /**< run from 0, step of the guest from 1 */
    uint64_t packets, local;         /**< packets; local: the packets that stay in the mesh of a leaf */
    np_universal_load load;          /**< the largest: no routing takes fewer steps */
    uint32_t gather, route, scatter; /**< steps */
    uint32_t slowdown;               /**< their sum */
    uint32_t congestion; /**< most packets over one link of the fat-tree or its chains; if packets combine, different
                            buses */
    uint64_t combined;   /**< times that two packets became one */
} np_universal_step;

/** What was found off line. */
typedef struct np_universal_offline {
    uint32_t congestion;          /**< of the fat-tree and its chains, when all links carry a packet */
    uint32_t congestion_promised; /**< known before any path was chosen: O(lambda + log M) */
    uint32_t steps;               /**< on the fat-tree, when all links carry a packet; with buses: one way */
    uint32_t tries;               /**< settings of the ranks that were tried */
    bool expectations;            /**< the ranks are those of conditional expectations; else the best setting tried */
    uint32_t steps_promised; /**< steps promised by conditional expectations before any rank was fixed; 0: the method
                                  would have taken too long */
    uint32_t steps_expectations; /**< steps on the fat-tree with the ranks of conditional expectations; 0 likewise */
} np_universal_offline;

/** The outcome of np_universal_simulate. All pointers are owned by the result. */
typedef struct np_universal_result {
    const char *guest;                 /**< its spec, or the file of its buses */
    uint64_t guest_nodes, guest_links; /**< directed, self-loops not counted; 0 with buses */
    uint64_t guest_buses, guest_pins;  /**< pins: the nodes on each bus, summed over the buses; 0 with links */
    uint64_t guest_area; /**< points of the least rectangle (with volume: box) around its nodes; 0: it has no
                              coordinates */
    np_universal_map map;
    bool combining; /**< the guest has buses */

    bool volume;
    uint32_t height, root; /**< m, and M = 2^m; with volume 4^m */
    uint64_t processors;   /**< N = 4^m m^2; with volume 8^m s^3, s = sqrt(2m) rounded up */
    uint64_t nodes, links; /**< of U, with meshes, fat-tree and chains; links are directed */
    uint64_t area; /**< of the least rectangle around the layout of U, counted; see docs/universal.md. With volume 0 */
    uint64_t area_formula;
    uint64_t volume_counted; /**< with volume: of the least box around the layout of U, counted; else 0 */
    uint64_t volume_formula;
    uint64_t wire_length; /**< of the layout of U */

    const np_node *place; /**< [guest_nodes] the processor of U that simulates the node: all different */
    uint32_t used_leaves; /**< leaves with a node */
    uint32_t load_leaf;   /**< most nodes at one leaf */

    bool program;                  /**< the guest's steps were given */
    uint32_t guest_steps;          /**< T: the last step of the program; 1 without a program */
    size_t rows;                   /**< T runs: T times the number of runs */
    const np_universal_step *step; /**< [rows] run by run */
    size_t slowest;                /**< the first row with the largest slowdown */

    uint64_t packets, local;                                    /**< of all T steps */
    np_universal_load load;                                     /**< the largest of any step */
    double load_per_log_n;                                      /**< load.factor / log2 N */
    np_summary load_factor, gather, route, scatter, congestion; /**< over the rows */
    np_summary slowdown;       /**< steps of U for a step of the guest, over the rows */
    double slowdown_per_log_n; /**< slowdown.mean / log2 N */
    double total;              /**< steps of U for all T steps of the guest, mean over the runs */
    uint64_t combined;         /**< in the first run */
    bool offline;
    np_universal_offline found;

    uint64_t seed;
    uint32_t runs;
    double map_seconds, wall_seconds;
} np_universal_result;

/** The fields of a step; of a result, without its map; and the last fields of a report. */
extern const np_fields np_universal_step_fields, np_universal_result_fields, np_universal_end_fields;

/**
 * Maps a guest to U and simulates steps of it.
 *
 * U has the given height. Without a height, U is the smallest one with at least as
 * many processors as the area of the guest. For a guest without coordinates, U is
 * the smallest one with a processor for each node and a load factor of at most
 * log2 N: the proof of Theorem 7.3 needs no more of the map.
 *
 * METIS draws from the C library's rand(), with a state of its own; the program's state is put back afterwards. Threads
 * of netpram take turns there. The map can change only if another thread of the program calls rand() or srand() at the
 * same time.
 *
 * @param guest   a network of at least 2 nodes, all of them terminals
 * @param out     receives the result; free with np_universal_result_free; NULL on error
 * @return NP_ERROR_INPUT: runs 0, or several with offline, a guest that is not connected, a bad layout or bad steps
 *         ("file:line: ..."), bad traffic, or a height that is too small (with the least height); NP_ERROR_APPLY: no
 *         coordinates and no METIS, or traffic or paths that the guest does not have; NP_ERROR_LIMIT: U would be too
 *         large, or no U has such a load factor; NP_ERROR_IO; NP_ERROR_MEMORY
 */
np_status np_universal_simulate(const np_network *guest, const np_universal_options *options,
                                np_universal_result **out) NP_CHECKED;

/**
 * The same for a guest of shared buses, in a file of lines "name: node node ...", one for each bus. Nodes are numbered
 * from 0; the largest number in the file is the last node.
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
