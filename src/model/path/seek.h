/*
 * Searches for shortest paths to one node, by one thread.
 *
 * The nodes that a search has met have marks. mark[u] = 1 + the distance from
 * u to the target; 0: not met, or not needed. The links of the shortest paths
 * from u are those to nodes whose mark is one less: np_seeker_nearer. So a
 * route is found by going from mark to mark, and which of the links to take
 * is all that a rule has to say.
 *
 * Where links have costs (np_graph.cost), the shortest paths are those of the
 * least cost, and of these those of the fewest hops. mark[u] = 1 + their hops,
 * and a link of such a path also takes away its cost: all cheapest paths from
 * a node have as many hops, so that all that is said of marks holds. Every
 * search is then a whole one (Dijkstra 1959).
 *
 * np_seek_from searches from both ends, level by level, always on the side
 * with the smaller frontier. Where the two meet, the nodes of the first side
 * that lie on shortest paths get their marks. Its marks are those that
 * np_seek_back would give, so a rule chooses the same in both cases.
 *
 *   state      legal calls
 *   empty      np_seek_begin
 *   begun      np_seek_back, np_seek_from, np_seek_end
 *   found      the same; reading marks; np_seeker_count and the like, one of them for a target
 */
#pragma once

#include "base/arena.h"
#include "model/path/graph.h"

typedef struct np_seeker {
    const np_graph *graph;
    uint32_t *mark;     /* [nodes] */
    uint32_t *back;     /* [nodes] the nodes marked with their distances to the target, nearest first */
    uint32_t *front;    /* [nodes] the nodes met from the source by the last np_seek_from */
    uint32_t *extra;    /* [nodes] those of them that lie on shortest paths; the first `kept` are in back[], too */
    uint64_t *count;    /* [nodes] how many shortest paths: the leading bits of it, and ... */
    uint32_t *exponent; /* [nodes] ... the power of two that multiplies them. 0 and 0: not counted yet */
    uint32_t *counted;  /* [nodes] the nodes counted */
    uint64_t *nearer;   /* [link_numbers / 64 + 2] a bit for each link: of a counted node's, those of shortest paths */
    np_port *port;      /* [nodes] a route */
    uint64_t *cost;     /* [nodes] of the cheapest path from a marked node; NULL: links have no costs */
    struct np_seeker_entry *heap; /* [links + 1] nodes to be settled; entries that are out of date stay */
    uint32_t backs, level;        /* in back[]: how many, and where the farthest begin */
    uint32_t extras, kept;
    uint32_t counts, fresh; /* in counted[]: how many, and where those begin that may lie in extra[] */
    bool whole;             /* every node that reaches the target has been marked */
    uint64_t visits;        /* links looked at in all, to compare the two kinds of search */
} np_seeker;

/* links: the network's link numbers. seeker->graph is set, at least of one whose graph has costs. */
void np_seeker_layout(np_seeker *seeker, uint32_t nodes, uint32_t links, np_arena *arena);

void np_seek_begin(np_seeker *seeker, np_node target);
/* Marks all nodes that are at most as far from the target as the source is. False: there is no way from the source. */
bool np_seek_back(np_seeker *seeker, np_node source);
/* Marks at least the nodes on shortest paths from the source. False: there is no way. */
bool np_seek_from(np_seeker *seeker, np_node source);
/* Forgets the target. */
void np_seek_end(np_seeker *seeker);

/* Does the link from u to v, marked nodes, take away its cost? */
static inline bool np_seeker_pays(const np_seeker *seeker, np_node u, np_node v, np_link link)
{
    return !seeker->cost || seeker->cost[v] + seeker->graph->cost[link] == seeker->cost[u];
}

/* Is the link one of a shortest path from u, where it begins? */
static inline bool np_seeker_nearer(const np_seeker *seeker, np_node u, np_link link)
{
    np_node v = seeker->graph->head[link];
    return v != NP_NONE && seeker->mark[v] + 1 == seeker->mark[u] && seeker->mark[v] &&
           np_seeker_pays(seeker, u, v, link);
}

/*
 * Lists the marked node, if it is not listed, and all nodes on its shortest paths, the farthest from the target first.
 * They are in counted[] from the place that it returns. Their bits in nearer[] are valid from now on; their counts
 * are not.
 */
uint32_t np_seeker_list(np_seeker *seeker, np_node from);

/*
 * Counts the shortest paths from a marked node, and from all nodes on them:
 * count[u] * 2^exponent[u]. Exact below 2^63, and then exponent[u] is 0. Above, the sum
 * over the links of u is rounded down to 63 bits.
 */
void np_seeker_count(np_seeker *seeker, np_node from);

/* Forgets what is listed and counted. */
void np_seeker_forget(np_seeker *seeker);

/* The number of links that lead nearer from a marked node that is not the target. count[u] keeps it. */
uint32_t np_seeker_width(np_seeker *seeker, np_node u);

enum { NP_SEEKER_SET = 32 }; /* the most links whose bits are read at once */

/* The bits of `nearer` of 64 links from `link` on. Those of the links of nodes that are not counted mean nothing. */
static inline uint64_t np_seeker_word(const np_seeker *seeker, np_link link)
{
    const uint64_t *word = seeker->nearer + link / 64;
    return word[0] >> link % 64 | word[1] << 1 << (63 - link % 64);
}

/* The bits of `nearer` of a counted node's links `link` .. end - 1, or of the first NP_SEEKER_SET of them. */
static inline uint32_t np_seeker_set(const np_seeker *seeker, np_link link, np_link end)
{
    uint32_t set = (uint32_t)np_seeker_word(seeker, link);
    return end - link < NP_SEEKER_SET ? set & ((UINT32_C(1) << (end - link)) - 1) : set;
}
