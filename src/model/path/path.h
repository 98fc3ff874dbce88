/*
 * The inside of the path layer. A rule is one const descriptor (netpram/path.h) and
 * one entry in rules.c. Rules work on batches: they read arrays of nodes and tickets
 * and write an array of ports, so that one indirect call serves hundreds of packets.
 */
#pragma once

#include "base/random.h"
#include "netpram/path.h"
#include "model/network/network.h"

struct np_path {
    const np_path_rule *rule;
    const np_network *network;
    void *table; /* owned by the rule, from np_path_allocate; freed with the path */
    size_t table_bytes;
    char *spec;               /* the rule's name and its parameter; NULL: it has no parameter */
    struct np_graph *graph;   /* of a rule that finds routes: the network's links; else NULL */
    struct np_listed *listed; /* of a rule that reads a file, the paths there; else NULL */
    struct np_path *inner;    /* where hosts hang on every switch, the rule of the switches (hosted.h); else NULL */
    uint32_t number;          /* of a rule with a number, that one */
    const struct np_routes *routes; /* of a rule that finds routes: those of the packets to come, or NULL */
};

/* NULL if the rule applies to the network; else the reason why not. */
static inline const char *np_path_refuses(const np_path_rule *rule, const np_network *network)
{
    return np_only_refuses(rule->only, rule->refuses, network);
}

/* start() for rules whose tickets begin as the number of the target. It draws nothing. */
void np_path_start_target(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                          const np_node *at, const np_node *to, np_ticket *ticket);

/* remaining() for rules whose tickets count the hops that remain in their upper half. */
void np_path_remaining_counted(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                               uint32_t *hops);

enum { NP_PATH_BATCH = 512 }; /* most items of np_path_hop; ours: the arrays stay in the first-level cache */

/*
 * Packet i has left its node over link[i]: at[i] = the node it has reached, port[i] = the port that it takes next
 * there, or NP_NONE if its route ends. The ticket advances. count <= NP_PATH_BATCH.
 */
void np_path_hop(const np_path *path, size_t count, const np_link *link, np_ticket *ticket, np_node *at, np_port *port);

/*
 * As np_path_walk, of a path whose routes are found, if it needs any (np_routes_for), and of ends that it serves. The
 * draws are of NP_RANDOM_TICKET.
 */
np_status np_path_follow(const np_path *path, const np_draws *draws, np_packet packet, np_node from, np_node to,
                         size_t capacity, np_link *links, size_t *hops) NP_CHECKED;

/* Is there such a rule, and does it apply? Fails as np_path_create. */
np_status np_path_check(const char *rule, const np_network *network) NP_CHECKED;

/* The registry of rules, in rules.c. */
extern const np_registry np_path_rules;

/* The most links of a path that are known before paths are; 0: nothing is known. */
uint32_t np_path_longest(const np_path *path);
