/*
 * Judges leveled networks and the paths chosen on them, with one obvious loop a
 * rule. It shares no code with src/model/leveled, and fails the test by itself.
 */
#ifndef NP_TESTS_PATH_SET_JUDGE_H
#define NP_TESTS_PATH_SET_JUDGE_H

#include "model/leveled/leveled_routing.h"
#include "netpram/merging.h"

/*
 * Checks that every edge goes up one level, that in[] lists the same edges as out[], and that every walk is a connected
 * way over links of the network from host(tail) to host(head).
 */
void judge_leveled(const np_network *network, const np_leveled *leveled);

/* What the judge counted in one phase. */
typedef struct judged_path_set {
    np_packet packets;
    uint32_t congestion;              /* most packets over one edge */
    uint32_t congestion_destinations; /* most destinations over one edge */
    uint32_t shortest, longest;       /* edges of a path; 0 if there is no packet */
} judged_path_set;

/*
 * Selects twice, and once more after a selection with another seed; the result must be the same each time. Every path
 * must begin at a logical node of its packet's source, follow edges, and end at a logical node of its packet's
 * destination; the number of its target is the destination. If packets combine, all packets of one target must leave a
 * node by one port. seen[packet] counts the packets chosen. For small cases: the congestion is counted edge by edge.
 */
judged_path_set judge_path_set(const np_leveled_routing *routing, const np_selection *selection, uint32_t *seen);

/*
 * Judges every phase of the leveled routing: all networks, all paths. Each packet must move in one phase; a packet for
 * its own node moves in none.
 */
judged_path_set judge_leveled_routing(const np_leveled_routing *routing, const np_traffic *traffic, uint64_t seed,
                                      bool combine);

/*
 * Routes every phase to its end with queues of q packets. It checks: no deadlock, no queue over q, as many hops as the
 * paths have, and at least as many steps as the longest path has nodes. If packets combine, each packet has the value
 * one, and every destination must get its number of packets as the sum.
 */
void judge_routing(const np_leveled_routing *routing, const np_traffic *traffic, uint64_t seed, uint32_t q,
                   bool combine);

/* The network's leveled routing, which must be the one of that name. */
np_leveled_routing *judge_routing_of(const np_network *network, const char *name);

/* judge_routing of several patterns and seeds, with queues of one and of two packets, on a network with that routing.
 */
void judge_routes(const char *network, const char *name);

#endif
