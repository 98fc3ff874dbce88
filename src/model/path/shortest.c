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
 *   cheapest     as spray, by a number of the links that the parameter names
 * Parallel links count as different paths. With the first two rules, packets
 * take parallel links in turn, so that they are shared evenly.
 *
 * Where links have costs, which the network says or the last rule's parameter, paths are the shortest whose sum of
 * costs is least, and of these those of the fewest hops (seek.h). Then no turns are taken.
 */
#include "base/hot.h"
#include "model/path/finding.h"
#include "model/path/routes.h"

#define SURE (UINT64_C(1) << 32) /* so many paths are told apart by one draw of 64 bits */

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

/* A packet on its way. */
typedef struct walker {
    np_node at;
    uint32_t left;  /* hops */
    uint64_t place; /* the number of its path among those from here */
    np_port *port;  /* of the next hop */
    bool *parallel; /* has it crossed one of several parallel links? */
} walker;

/*
 * The link in whose share the place lies, which is found before the node's links end. The place becomes the one among
 * the paths behind the link, of which there are *paths. sure: all counts are exact.
 */
NP_INLINE np_link pick(const np_seeker *seeker, np_node at, uint64_t *place, uint64_t *paths, bool sure)
{
    const np_node *head = seeker->graph->head;
    np_link base = seeker->graph->row[at], link;
    uint64_t set = np_seeker_word(seeker, base), left = *place, weight;
    for (;; left -= weight, set &= set - 1) {
        while (!set)
            set = np_seeker_word(seeker, base += 64);
        link = base + (unsigned)__builtin_ctzll(set);
        weight = sure ? seeker->count[head[link]] : weight_of(seeker, at, head[link]);
        if (left < weight)
            break;
    }
    *place = left;
    *paths = weight;
    return link;
}

/* Takes a hop. */
NP_INLINE void step(const np_seeker *seeker, walker *w, bool sure)
{
    uint64_t paths;
    np_link link = pick(seeker, w->at, &w->place, &paths, sure);
    *w->port++ = link - seeker->graph->row[w->at];
    if (np_graph_parallel(seeker->graph, link))
        *w->parallel = true;
    w->at = seeker->graph->head[link];
    w->left--;
}

/* Too many paths for one draw, which draws hop by hop at first. */
static void begin_large(const np_seeker *seeker, walker *w, np_dice *dice)
{
    while (w->left) {
        uint64_t paths = weight_of_all(seeker, w->at);
        w->place = paths > 1 ? np_dice_far_below(dice, paths) : 0;
        if (paths <= SURE && !seeker->exponent[w->at])
            return;
        step(seeker, w, false);
    }
}

/* Draws the number of the packet's path. */
static inline void begin(const np_seeker *seeker, walker *w, np_dice *dice)
{
    uint64_t paths = seeker->count[w->at];
    if (paths > SURE || seeker->exponent[w->at])
        begin_large(seeker, w, dice);
    else if (paths > 1)
        w->place = np_dice_far_below(dice, paths);
}

/* All of them one hop, again and again: the memory is asked for many next hops at the same time. */
NP_HOT static void walk(const np_seeker *seeker, walker *walking, uint32_t count)
{
    while (count > 0) {
        uint32_t left = 0;
        for (uint32_t j = 0; j < count; j++) {
            walker w = walking[j];
            step(seeker, &w, true);
            __builtin_prefetch(&seeker->graph->head[seeker->graph->row[w.at]]); /* for the next hop */
            walking[left] = w;
            left += w.left > 0;
        }
        count = left;
    }
}

static void choose_path(np_seeker *seeker, np_batch *batch)
{
    walker walking[NP_BATCH];
    uint32_t count = 0;
    for (uint32_t b = 0; b < batch->count; b++) {
        walker *w = &walking[count];
        *w = (walker){
            .at = batch->from[b], .left = batch->hops[b], .port = batch->port[b], .parallel = &batch->parallel[b]};
        np_seeker_count(seeker, w->at);
        begin(seeker, w, &batch->dice[b]);
        count += w->left > 0;
    }
    walk(seeker, walking, count);
}

static void chance_of_paths(np_seeker *seeker, np_node u, double *chance)
{
    const np_graph *graph = seeker->graph;
    np_seeker_count(seeker, u);
    double all = (double)weight_of_all(seeker, u);
    for (np_link link = graph->row[u]; link < graph->row[u + 1]; link++)
        *chance++ = np_seeker_nearer(seeker, u, link) ? (double)weight_of(seeker, u, graph->head[link]) / all : 0;
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

static void choose_hops(np_seeker *seeker, np_batch *batch)
{
    const np_graph *graph = seeker->graph;
    for (uint32_t b = 0; b < batch->count; b++)
        for (np_node u = batch->from[b], k = 0; k < batch->hops[b]; k++) {
            uint32_t rank = np_dice_below(&batch->dice[b], np_seeker_width(seeker, u));
            np_link link = link_of_rank(seeker, u, rank);
            batch->port[b][k] = link - graph->row[u];
            batch->parallel[b] |= np_graph_parallel(graph, link);
            u = graph->head[link];
        }
}

static void chance_of_hops(np_seeker *seeker, np_node u, double *chance)
{
    const np_graph *graph = seeker->graph;
    double each = 1.0 / np_seeker_width(seeker, u);
    for (np_link link = graph->row[u]; link < graph->row[u + 1]; link++)
        *chance++ = np_seeker_nearer(seeker, u, link) ? each : 0;
}

static void choose_lowest(np_seeker *seeker, np_batch *batch)
{
    const np_graph *graph = seeker->graph;
    for (uint32_t b = 0; b < batch->count; b++)
        for (np_node u = batch->from[b], k = 0; k < batch->hops[b]; k++) {
            np_link link = graph->row[u];
            while (!np_seeker_nearer(seeker, u, link))
                link++;
            batch->port[b][k] = link - graph->row[u];
            u = graph->head[link];
        }
}

static void chance_of_lowest(np_seeker *seeker, np_node u, double *chance)
{
    const np_graph *graph = seeker->graph;
    double left = 1;
    for (np_link link = graph->row[u]; link < graph->row[u + 1]; link++)
        if ((*chance++ = np_seeker_nearer(seeker, u, link) ? left : 0) > 0)
            left = 0;
}

#define FOUND .shortest = true, .start = np_routes_start, .next = np_routes_next, .remaining = np_routes_remaining

const np_path_rule np_path_shortest = {
    .info = {"shortest", "each packet draws one of all its shortest paths, all equally likely", "", .networks = "any"},
    .randomized = true,
    .chooser = &(const np_chooser){.draws = true,
                                   .shares = true,
                                   .weighs = true,
                                   .choose = choose_path,
                                   .through = np_finding_through,
                                   .chance = chance_of_paths},
    FOUND,
};

const np_path_rule np_path_spray = {
    .info = {"spray", "each packet draws among the links of shortest paths at every hop, all equally likely", "",
             .networks = "any"},
    .randomized = true,
    .even = true,
    .chooser = &(const np_chooser){.draws = true,
                                   .shares = true,
                                   .weighs = true,
                                   .choose = choose_hops,
                                   .through = np_finding_through,
                                   .chance = chance_of_hops},
    FOUND,
};

const np_path_rule np_path_ecmp = {
    .info = {"ecmp", "as spray, but drawn once for all packets from a node to another", "", .networks = "any"},
    .randomized = true,
    .even = true,
    .chooser = &(const np_chooser){.draws = true,
                                   .by_pair = true,
                                   .weighs = true,
                                   .choose = choose_hops,
                                   .through = np_finding_through,
                                   .chance = chance_of_hops},
    FOUND,
};

const np_path_rule np_path_lowest_port = {
    .info = {"lowest-port", "shortest paths, at every hop by the lowest port", "", .networks = "any",
             .aliases = "all-pairs"},
    .chooser =
        &(const np_chooser){
            .weighs = true, .choose = choose_lowest, .through = np_finding_through, .chance = chance_of_lowest},
    FOUND,
};

static const char *refuses_cheapest(const np_network *network)
{
    const np_link_attribute *attribute;
    return np_network_attributes(network, &attribute) ? NULL : "its links have no numbers, as those of some files have";
}

const np_path_rule np_path_cheapest = {
    .info = {"cheapest", "the least sum of a number of the links, such as a delay; then the fewest hops",
             "Dijkstra 1959", .parameters = "ATTRIBUTE", .example = "cheapest:delay", .networks = "files with numbers"},
    .randomized = true,
    .even = true,
    .refuses = refuses_cheapest,
    .chooser = &(const np_chooser){.draws = true,
                                   .costs = true,
                                   .choose = choose_hops,
                                   .through = np_finding_through,
                                   .chance = chance_of_hops},
    .start = np_routes_start,
    .next = np_routes_next,
    .remaining = np_routes_remaining,
};
