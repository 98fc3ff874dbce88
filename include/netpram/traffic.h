/*
 * Traffic: a list of packets, each with a source and a destination.
 * Immutable after creation: any number of threads may use it at once.
 *
 * Traffic may go to any network on which all its packets start and end at
 * terminals. Calls that take traffic refuse others with NP_ERROR_INPUT.
 */
#ifndef NETPRAM_TRAFFIC_H
#define NETPRAM_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct np_traffic np_traffic;

/**
 * Makes the traffic that a spec names, on a network: "identity", "random",
 * "bit-reversal", "rotation:3", "hotspot:0", "file:pairs.txt", ...;
 * `netpram list` names all. Packets are ordered by source if the generator
 * makes a fixed number a node, else in the order of the file.
 *
 * Generators and files name nodes. On networks where only terminals send and
 * receive they name terminals; then the packets' sources are input nodes and
 * their destinations are output nodes.
 *
 * @param seed,run  random generators draw from these and nothing else
 * @param out       receives the traffic, which the caller frees; NULL on error
 * @return NP_ERROR_INPUT (unknown generator, bad parameter, bad line of a
 *         file, destination out of range); NP_ERROR_APPLY (the pattern does not
 *         exist on this network, such as bit-reversal when the number of nodes
 *         is no power of two); NP_ERROR_LIMIT (2^31 packets or more);
 *         NP_ERROR_IO; NP_ERROR_MEMORY
 */
np_status np_traffic_create(const char *spec, const np_network *network, uint64_t seed, uint32_t run,
                            np_traffic **out) NP_CHECKED;

/**
 * Makes traffic from arrays, which are copied.
 *
 * @param source,destination [packets], nodes of the network: inputs and outputs
 * @param priority           [packets], smaller is more urgent; NULL: all equal
 */
np_status np_traffic_from_arrays(const np_network *network, size_t packets, const np_node *source,
                                 const np_node *destination, const uint32_t *priority, np_traffic **out) NP_CHECKED;

/** Frees the traffic. NULL is allowed. */
void np_traffic_free(np_traffic *traffic);

/** The spec that makes this traffic again ("arrays" if from arrays). Owned by the traffic. */
const char *np_traffic_spec(const np_traffic *traffic);
/** Number of packets T. */
np_packet np_traffic_packets(const np_traffic *traffic);
/**
 * What people should know of the traffic, one line: what a file's demands became ("m.csv: 12 demands are 3400 packets
 * ..."), how near to the longest a longest-matching of many nodes is; NULL: nothing. The traffic owns it.
 */
const char *np_traffic_note(const np_traffic *traffic);
/** May traffic of this spec have a note? Whoever talks to people then makes it first. */
bool np_traffic_notes(const char *spec);
/** [packets] sources. Owned by the traffic. */
const np_node *np_traffic_sources(const np_traffic *traffic);
/** [packets] destinations. Owned by the traffic. */
const np_node *np_traffic_destinations(const np_traffic *traffic);
/** [packets] priorities, smaller is more urgent; NULL if all are equal. Owned by the traffic. */
const uint32_t *np_traffic_priorities(const np_traffic *traffic);
/**
 * The least h for which the traffic is a partial h-relation (section 1 of Valiant & Brebner 1981): no terminal sends or
 * receives more than h packets. A packet knows only its first node: terminals that share a node share what the node
 * sends. Time O(N + T).
 */
np_status np_traffic_relation(const np_traffic *traffic, const np_network *network, uint32_t *h) NP_CHECKED;

/**
 * How many packets a spec will make on a network, and whether they depend on
 * the seed, without making them (files are not read: their count is 0).
 * Fails as np_traffic_create does.
 */
np_status np_traffic_estimate(const char *spec, const np_network *network, uint64_t *packets, bool *random) NP_CHECKED;

/* ---- Traffic of one's own ---- */

/** What a spec asks of a generator on a network. plan() completes it before anything is allocated. */
typedef struct np_traffic_plan {
    const np_network *network;
    np_node terminals;      /**< N: generators name terminals, 0 .. N-1 */
    const char *ends;       /**< what messages call terminals: "nodes" or "terminals" */
    const char *name;       /**< of the generator */
    const char *parameters; /**< the text after "name:"; NULL if there is no colon */
    uint64_t packets;       /**< N at first; plan() may set another number, below 2^31 - 1 */
    bool random;            /**< false at first; plan() sets it if the packets depend on the seed */

    /* For the generator's use: plan() writes, image() and make() read. */
    uint64_t number; /**< as K of "rotation:K" */
    uint64_t share;
    uint32_t base, digits;
} np_traffic_plan;

/**
 * A generator of traffic. The library's own generators are descriptors of this type, and a program registers others
 * with np_traffic_register. From then on every function that takes the spec of a traffic takes their specs.
 * examples/own_discipline.c is an example.
 *
 * Threads: several threads call the callbacks at once. What a callback does depends on its arguments alone.
 */
typedef struct np_traffic_generator {
    /** name, help, source and parameters (":K", or "" if there are none) are required. */
    np_entry info;

    /**
     * Reads the parameters. If info.parameters is "", specs with parameters are refused before plan() is called. NULL:
     * there is nothing to read, and the packets do not depend on the seed.
     * @return NP_OK, or an error raised with np_status_raise: NP_ERROR_INPUT or NP_ERROR_APPLY
     */
    np_status (*plan)(np_traffic_plan *plan);

    /** One packet a terminal, in the order of the terminals: the destination of the packet from u. NULL: see make(). */
    np_node (*image)(const np_traffic_plan *plan, np_node u);

    /**
     * Fills source and destination with terminals, [plan->packets] each. Random choices come from np_draw and
     * np_draw_below. Exactly one of image and make is required. np_traffic_create refuses terminals that are out of
     * range with NP_ERROR_INPUT.
     */
    np_status (*make)(const np_traffic_plan *plan, const np_draws *draws, np_node *source, np_node *destination);

    /* The library's own members: NULL and false in other generators. */
    /** Instead of image and make: traffic whose size is known only when it is made. */
    np_status (*build)(const np_traffic_plan *plan, const np_draws *draws, np_traffic *traffic);
    bool places_itself; /**< build() gives nodes, not terminals */
    /** Beside make, or alone: fills in the terminals of packets first .. first + count - 1 only, [count] each. */
    np_status (*part)(const np_traffic_plan *plan, const np_draws *draws, np_packet first, np_packet count,
                      np_node *source, np_node *destination);
    bool notes; /**< build() may leave a note */
    /** part() draws each packet by itself, a fixed number a terminal: over time they are drawn anew, one by one */
    bool anew;
    /** With anew, where part() draws evenly: among `*count` terminals, as many for each u, from `*first` on; N - 1 is
     * followed by 0 */
    void (*among)(const np_traffic_plan *plan, np_node u, np_node *first, np_node *count);
} np_traffic_generator;

/**
 * Adds a generator, which must remain valid until the process ends, with its texts. Any thread may call it at any time.
 *
 * @return NP_ERROR_INPUT: the name or an alias is ill-formed (a letter, then letters, digits and '-', 31 characters at
 *         most) or taken, something that is required is missing, or a member of the library's own is set;
 *         NP_ERROR_LIMIT: 1024 descriptors are registered already. After an error nothing has changed.
 */
np_status np_traffic_register(const np_traffic_generator *generator) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
