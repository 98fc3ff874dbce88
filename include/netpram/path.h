/*
 * Path rules: which links a packet takes (stage 1 of Leighton, Maggs, Ranade
 * & Rao 1994). Every rule but "balanced" is oblivious (Valiant & Brebner 1981,
 * section 2(b)): the next port depends on the packet's own ticket and node alone.
 *
 * Rules for any network find the routes of all packets of a phase before the
 * phase begins. np_path_walk has them find the route of one packet, as if it were alone.
 */
#ifndef NETPRAM_PATH_H
#define NETPRAM_PATH_H

#include <stddef.h>

#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct np_path np_path;

/**
 * Binds a path rule to a network.
 *
 * @param rule     "greedy" (the network's shortest paths), "shortest", "k-shortest:8", "file:paths.txt", ...
 * @param network  borrowed: must outlive the path
 * @param out      receives the path, which the caller frees; NULL on error
 * @return NP_ERROR_INPUT: unknown rule; NP_ERROR_APPLY: the rule does not
 *         apply to the network, with the reason; NP_ERROR_LIMIT: its tables
 *         would be too large, with the figure; NP_ERROR_MEMORY
 */
np_status np_path_create(const char *rule, const np_network *network, np_path **out) NP_CHECKED;

/** Frees the path. NULL is allowed. */
void np_path_free(np_path *path);

/** The rule's name. "greedy" gives the name of the rule that it stands for. */
const char *np_path_name(const np_path *path);

/**
 * The whole route of one packet, alone in the network.
 *
 * @param from,to  nodes: an input and an output
 * @param seed,run,phase,packet  what the rule's random choices, if any, are drawn from
 * @param capacity room in `links`
 * @param links    [capacity] receives the link numbers in order; may be NULL if capacity is 0
 * @param hops     receives the number of links of the route, which may exceed capacity
 * @return NP_ERROR_INTERNAL if the rule breaks its contract (a port that does
 *         not exist, a wrong remaining distance)
 */
np_status np_path_walk(const np_path *path, np_node from, np_node to, uint64_t seed, uint32_t run, uint16_t phase,
                       np_packet packet, size_t capacity, np_link *links, size_t *hops) NP_CHECKED;

/* ---- Path rules of one's own ---- */

/**
 * A path rule: how a packet finds its way. The library's own rules are descriptors of this type, and a program
 * registers others with np_path_register. From then on np_path_create and np_route_options.paths take their names.
 * examples/own_network.c is an example.
 *
 * A packet carries a *ticket* of 64 bits. start() makes the ticket, next() moves it past each hop, and the rule chooses
 * what the bits mean. Callbacks work on batches of up to 512 packets; item i of each array belongs to the i-th packet
 * of the batch. Arrays do not overlap.
 *
 * The library trusts a rule. np_path_walk checks one route.
 *
 * Threads: several threads call the callbacks at once. What a callback does depends on its arguments alone.
 */
typedef struct np_path_rule {
    /** name, help, source and networks (the families it applies to, in words) are required. */
    np_entry info;
    bool shortest;   /**< its routes are shortest paths */
    bool randomized; /**< start() draws */

    /** NULL if the rule applies to the network; else the reason, in words that follow "because". Required. */
    const char *(*refuses)(const np_network *network);

    /**
     * Makes the table of a path with np_path_allocate. NULL: the rule needs none.
     * @return NP_OK, or an error raised with np_status_raise: NP_ERROR_LIMIT or NP_ERROR_MEMORY
     */
    np_status (*prepare)(np_path *path);

    /**
     * ticket[i] = what takes packet[i] from node at[i] to node to[i]. Random choices come from np_draw and
     * np_draw_below, with packet[i] as the item. Required.
     */
    void (*start)(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket);

    /**
     * port[i] = the next port of a packet at node at[i]; ticket[i] moves past that hop. NP_NONE where the route ends,
     * and nowhere else. Required.
     */
    void (*next)(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port);

    /** hops[i] = the exact number of hops from at[i] to the end, with the ticket before next(). Required. */
    void (*remaining)(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops);

    /*
     * The library's own member: false in other rules. On the n-cube, every route crosses its dimensions in ascending
     * port order, and the low half of the ticket is the set of the dimensions left, as bits of the node number.
     */
    bool ascending_dimensions;

    /*
     * The library's own member: NULL in other rules. The rule finds the routes of all packets of a phase before the
     * phase begins, and this says how it chooses among shortest paths.
     */
    const struct np_chooser *chooser;

    /*
     * The library's own members: NULL in other rules. Of a rule without a chooser that draws among a few tickets, all
     * equally likely: the number of those from a node to another, and the `way`-th of them, if there are so many.
     */
    uint32_t (*ways)(const np_path *path, np_node at, np_node to, uint32_t way, np_ticket *ticket);
    const struct np_path_rule *drawn; /* the rule of the same name with the parameter "drawn" */

    /*
     * The library's own member: false in other rules. At every hop all links that lead nearer to the destination are
     * equally likely, as with spray. So are a random order of the dimensions of a cube, a random one of those left at
     * every hop, and the bits of a random root of a fat-tree, one link up each.
     */
    bool even;

    /*
     * The library's own member: false in other rules. The next hop depends on the node and the destination alone. (What
     * tickets hold beside these saves looking at the node.)
     */
    bool memoryless;

    /* The library's own member: not looked at in other rules. The networks that it is for, in place of `refuses`. */
    const struct np_only *only;
} np_path_rule;

/**
 * Adds a rule, which must remain valid until the process ends, with its texts. Any thread may call it at any time.
 *
 * @return NP_ERROR_INPUT: the name or an alias is ill-formed (a letter, then letters, digits and '-', 31 characters at
 *         most) or taken, something that is required is missing, or a member of the library's own is set;
 *         NP_ERROR_LIMIT: 1024 descriptors are registered already. After an error nothing has changed.
 */
np_status np_path_register(const np_path_rule *rule) NP_CHECKED;

/** The network of the path. */
const np_network *np_path_network(const np_path *path);

/**
 * For prepare() only, and once for each path. Allocates the path's table, set to zero. np_path_free frees it.
 * @param out  receives a pointer to the table: the address of a pointer to any type
 * @return NP_ERROR_MEMORY
 */
np_status np_path_allocate(np_path *path, size_t bytes, void *out) NP_CHECKED;

/** The table of np_path_allocate; NULL if there is none. */
const void *np_path_table(const np_path *path);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
