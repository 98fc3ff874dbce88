/*
 * The path layer's inside. A rule is one const descriptor and one line in
 * rules.c. Rules work on batches: arrays of nodes and tickets in, array of
 * ports out, so that one indirect call pays for hundreds of packets.
 */
#ifndef NP_PATH_PATH_H
#define NP_PATH_PATH_H

#include "base/random.h"
#include "base/status.h"
#include "netpram/path.h"
#include "network/network.h"

typedef struct np_path_rule_ops np_path_rule_ops;

struct np_path {
    const np_path_rule_ops *rule;
    const np_network *network;
    void *table; /* the rule's own, from np_memory; freed with the path */
    size_t table_bytes;
};

struct np_path_rule_ops {
    np_entry info;
    bool shortest;   /* its routes are shortest paths: "greedy" stands for the first such rule that applies */
    bool randomized; /* start() draws */
    /*
     * On the n-cube, every route crosses its dimensions in ascending port
     * order, and the ticket's low half is the set of those left, as bits of
     * the node number.
     */
    bool ascending_dimensions;

    /* NULL: applies; else the reason why not, in words that follow "because". */
    const char *(*refuses)(const np_network *network);

    /* Builds path->table. NULL: none. Raises NP_ERROR_LIMIT or NP_ERROR_MEMORY. */
    np_status (*prepare)(np_path *path);

    /*
     * ticket[i] = what takes packet[i] from node at[i] to node to[i]. Random
     * choices come from draws and the packet's number alone.
     */
    void (*start)(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket);

    /*
     * The next port of each packet, which is at node at[i]; advances the
     * ticket past that hop. NP_NONE: the route ends here (and only here).
     */
    void (*next)(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port);

    /*
     * Optional: all of a hop in one pass, for rules that can do it faster than
     * np_path_hop composes it. Arguments as there.
     */
    void (*hop)(const np_path *path, size_t count, const np_link *link, np_ticket *ticket, np_node *from, np_node *at,
                np_link *onward);

    /* Hops still to make from at[i] with ticket[i] (before next is called for the hop). Exact. */
    void (*remaining)(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops);
};

/* A start() for rules whose ticket begins as the target's number and that draw nothing. */
void np_path_start_target(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                          const np_node *at, const np_node *to, np_ticket *ticket);

enum { NP_PATH_BATCH = 512 }; /* most items of np_path_hop: ours, the arrays stay in the first-level cache */

/*
 * Packet i has crossed link[i]: from[i] = the node it has left, at[i] = the
 * node it has reached, onward[i] = the link that it takes next, or NP_NONE if
 * its route ends at node at[i]. The ticket advances. count <= NP_PATH_BATCH.
 */
void np_path_hop(const np_path *path, size_t count, const np_link *link, np_ticket *ticket, np_node *from, np_node *at,
                 np_link *onward);

/* The registry of rules, in rules.c. */
extern const np_registry np_path_rules;

#endif
