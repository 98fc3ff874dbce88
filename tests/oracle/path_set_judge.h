/*
 * Judges leveled networks and the paths chosen on them, one obvious loop a
 * rule. It shares no code with src/leveled; it fails the test by itself.
 */
#ifndef NP_TESTS_PATH_SET_JUDGE_H
#define NP_TESTS_PATH_SET_JUDGE_H

#include "leveled/leveled_routing.h"
#include "netpram/merging.h"

/*
 * Every edge goes up one level; in[] lists what out[] does; every walk is a
 * connected way over links of the network from host(tail) to host(head).
 */
void judge_leveled(const np_network *network, const np_leveled *leveled);

/* What the judge saw of one phase. */
typedef struct judged_path_set {
    np_packet packets;
    uint32_t congestion;              /* most packets over one edge */
    uint32_t congestion_destinations; /* most destinations over one edge */
    uint32_t shortest, longest;       /* path; 0 if there is no packet */
} judged_path_set;

/*
 * Selects twice, and again after another seed's selection: the same each time. Every path
 * begins at a logical node of its packet's source, follows edges, and ends at one
 * of its destination; the number of its target is the destination. If packets
 * combine, those of one target leave a node by one port. seen[packet] counts the packets chosen. For
 * small cases: the congestion is counted edge by edge.
 */
judged_path_set judge_path_set(const np_leveled_routing *routing, const np_selection *selection, uint32_t *seen);

/* Every phase of the leveled routing: all networks, all paths; each packet moves in one phase, one for its own node in none.
 */
judged_path_set judge_leveled_routing(const np_leveled_routing *routing, const np_traffic *traffic, uint64_t seed,
                                      bool combine);

/*
 * Routes every phase to its end with queues of q packets: no deadlock, no queue over q, as many hops as the
 * paths have, at least as many steps as the longest path has nodes; where packets combine, every destination gets the
 * sum of ones that is its number of packets.
 */
void judge_routing(const np_leveled_routing *routing, const np_traffic *traffic, uint64_t seed, uint32_t q,
                   bool combine);

#endif
