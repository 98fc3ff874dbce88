/*
 * Shortest paths on any network, found for the packets of a phase before it
 * begins (routes.h). At u, the next hop crosses a link to a node that is one hop
 * nearer to the target. The rules differ in which one:
 *   shortest     every shortest path is as likely as any other, for each packet:
 *                a link's chance is in proportion to the number of shortest
 *                paths from the node it leads to
 *   spray        every such link is as likely as any other, for each packet
 *   ecmp         the same, but one choice for all packets from a node to another
 *   lowest-port  the link of the lowest port
 * Parallel links count as different paths. With the first two rules, packets
 * take parallel links in turn, so that they are shared evenly.
 */
#include "path/routes.h"

#define SURE (UINT64_C(1) << 32) /* so many paths are told apart by one draw of 64 bits */

static const char *refuses(const np_network *network)
{
    (void)network;
    return NULL;
}

/* ---- By the number of paths ---- */

/* The share of a node's paths that begins with a link to v, in units of 2^exponent of the node. */
static inline uint64_t weight_of(const np_seeker *seeker, np_node u, np_node v)
{
    uint32_t shift;
    if (!seeker->exponent[u])
        return seeker->count[v];
    shift = seeker->exponent[u] - seeker->exponent[v];
    return shift < 64 ? seeker->count[v] >> shift : 0;
}

static uint64_t weight_of_all(const np_seeker *seeker, np_node u)
{
    const np_graph *graph = seeker->graph;
    np_link end = graph->row[u + 1];
    uint64_t sum = 0;
    if (!seeker->exponent[u])
        return seeker->count[u];
    for (np_link link = graph->row[u]; link < end; link += NP_SEEKER_SET)
        for (uint32_t set = np_seeker_set(seeker, link, end); set; set &= set - 1)
            sum += weight_of(seeker, u, graph->head[link + (unsigned)__builtin_ctz(set)]);
    return sum;
}

/* The link in whose share *place lies; *place becomes the place in that share. */
static inline np_link link_at(const np_seeker *seeker, np_node u, uint64_t *place)
{
    const np_graph *graph = seeker->graph;
    for (np_link base = graph->row[u];; base += NP_SEEKER_SET)
        for (uint32_t set = np_seeker_set(seeker, base, graph->row[u + 1]); set; set &= set - 1) {
            np_link link = base + (unsigned)__builtin_ctz(set);
            uint64_t weight = weight_of(seeker, u, graph->head[link]);
            if (*place < weight)
                return link;
            *place -= weight;
        }
}

static void choose_path(np_seeker *seeker, np_node from, np_dice *dice)
{
    const np_graph *graph = seeker->graph;
    uint64_t place = 0;
    bool drawn = false; /* place is the number of a path from here, whose numbers begin at 0 */
    np_seeker_count(seeker, from);
    for (np_node u = from, k = 0, hops = seeker->mark[from] - 1; k < hops; k++) {
        uint64_t paths = drawn ? 0 : weight_of_all(seeker, u);
        if (!drawn)
            place = paths > 1 ? np_dice_far_below(dice, paths) : 0;
        drawn = drawn || (paths <= SURE && !seeker->exponent[u]);
        np_link link = link_at(seeker, u, &place);
        seeker->port[k] = link - graph->row[u];
        u = graph->head[link];
    }
}

/* ---- Hop by hop ---- */

/* The link of this rank, from 0, among those that lead nearer. */
static np_link link_of_rank(const np_seeker *seeker, np_node u, uint32_t rank)
{
    for (np_link base = seeker->graph->row[u];; base += NP_SEEKER_SET)
        for (uint32_t set = np_seeker_set(seeker, base, seeker->graph->row[u + 1]); set; set &= set - 1)
            if (!rank--)
                return base + (unsigned)__builtin_ctz(set);
}

static void choose_hops(np_seeker *seeker, np_node from, np_dice *dice)
{
    const np_graph *graph = seeker->graph;
    for (np_node u = from, k = 0; seeker->mark[u] > 1; k++) {
        uint32_t rank = np_dice_below(dice, np_seeker_width(seeker, u));
        np_link link = link_of_rank(seeker, u, rank);
        seeker->port[k] = link - graph->row[u];
        u = graph->head[link];
    }
}

static void choose_lowest(np_seeker *seeker, np_node from, np_dice *dice)
{
    const np_graph *graph = seeker->graph;
    (void)dice;
    for (np_node u = from, k = 0; seeker->mark[u] > 1; k++) {
        np_link link = graph->row[u];
        while (!np_seeker_nearer(seeker, u, link))
            link++;
        seeker->port[k] = link - graph->row[u];
        u = graph->head[link];
    }
}

#define FOUND                                                                                                          \
    .shortest = true, .refuses = refuses, .start = np_routes_start, .next = np_routes_next,                            \
    .remaining = np_routes_remaining

const np_path_rule np_path_shortest = {
    .info = {"shortest", "each packet draws one of all its shortest paths, all equally likely", "", .networks = "any"},
    .randomized = true,
    .chooser = &(const np_chooser){.draws = true, .shares = true, .choose = choose_path},
    FOUND,
};

const np_path_rule np_path_spray = {
    .info = {"spray", "each packet draws among the links of shortest paths at every hop, all equally likely", "",
             .networks = "any"},
    .randomized = true,
    .chooser = &(const np_chooser){.draws = true, .shares = true, .choose = choose_hops},
    FOUND,
};

const np_path_rule np_path_ecmp = {
    .info = {"ecmp", "as spray, but drawn once for all packets from a node to another", "", .networks = "any"},
    .randomized = true,
    .chooser = &(const np_chooser){.draws = true, .by_pair = true, .choose = choose_hops},
    FOUND,
};

const np_path_rule np_path_lowest_port = {
    .info = {"lowest-port", "shortest paths, at every hop by the lowest port", "", .networks = "any",
             .aliases = "all-pairs"},
    .chooser = &(const np_chooser){.choose = choose_lowest},
    FOUND,
};
