/*
 * Optimal gossip schedules of small networks in the telephone model. A schedule is a sequence of matchings, each with
 * the number l of packets that a call may carry each way, and a choice of packets for each call.
 */
#pragma once

#include "work/collective/collective.h"

enum { NP_SEARCH_NODES = 12, NP_SEARCH_EDGES = 66, NP_SEARCH_ROUNDS = 64, NP_SEARCH_MATCHINGS = 4096 };

typedef uint16_t np_search_set; /* of packets, a bit each */

/* A round of a schedule that was found: what every node knows after it, and who called whom. */
typedef struct np_search_round {
    uint32_t matching, steps;
    np_search_set known[NP_SEARCH_NODES];
} np_search_round;

typedef struct np_gossip_graph {
    uint32_t nodes, edges, matchings;
    uint8_t u[NP_SEARCH_EDGES], v[NP_SEARCH_EDGES];
    uint8_t distance[NP_SEARCH_NODES][NP_SEARCH_NODES];
    uint32_t largest;      /* pairs in a largest matching */
    np_search_set side;    /* the larger side of a bipartite graph, else all nodes */
    uint32_t side_matched; /* nodes of the side that a largest matching matches */
    uint8_t matching[NP_SEARCH_MATCHINGS]
                    [NP_SEARCH_NODES]; /* the partner of each node, itself if none: the maximal ones */
} np_gossip_graph;

/* search_graph.c: NULL, or why the network is not for searching. */
const char *np_gossip_graph_refuses(const np_network *network);
np_status np_gossip_graph_init(np_gossip_graph *graph, const np_network *network) NP_CHECKED;

/*
 * search_counts.c: can all nodes come to know all packets in `rounds` rounds and `steps` steps, if a call that carries
 * l packets always teaches min(l, the number of packets that the other knows)? The search looks only at how many
 * packets each node knows, so the answer no is a proof.
 */
typedef struct np_counts np_counts;
void np_counts_layout(np_counts **counts, np_arena *arena);
void np_counts_begin(np_counts *counts, const np_gossip_graph *graph);
bool np_counts_suffice(np_counts *counts, const uint8_t *known, uint32_t rounds, uint32_t steps);
/* Were all answers so far searched for to the end? If not, some answers yes are guesses. */
bool np_counts_sure(const np_counts *counts);
