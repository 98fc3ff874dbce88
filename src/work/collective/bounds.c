/*
 * Lower bounds for the rounds and for the steps of every schedule, each by itself. A round has at least one step. If
 * the messages of the algorithm have one packet each, its rounds are compared with schedules of one-packet messages,
 * which have as many rounds as steps.
 *
 * Packets that move: the farthest packet must cover its distance. The links must carry all hops: on grids the links of
 * each dimension carry the hops of this dimension; if uni-axial, one dimension after the other. With one port a node
 * sends one packet a step. Few links cross the middle of a mesh, and they carry all packets that cross it. A message
 * may have many packets only on complete networks. There, the rounds are at least log2 of the number of nodes of which
 * a node must hear.
 *
 * Broadcast: the distance. With one port, at most twice as many nodes know the last of f flits after each round, after
 * it has left the root.
 *
 * Gather: the root receives N - 1 packets, over its ports.
 *
 * Gossip: max{D, ceil(log P) + odd(P)} rounds in the telephone model (Sibeyn). Steps: every node receives N - 1
 * packets, one a step and port. If more than half of the nodes have no neighbours among themselves, not all of them can
 * receive at once.
 */
#include <stdio.h>

#include "base/memory.h"
#include "work/collective/collective.h"
#include "model/network/search.h"

enum { SMALL = 64 }; /* ours: nodes of a network whose diameter is measured */

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t quotient_up(uint64_t a, uint64_t b) { return b ? (a + b - 1) / b : 0; }

static void say(np_collective_figure *out, uint64_t value, const char *text)
{
    if (value <= out->steps && *out->text)
        return;
    out->steps = value;
    snprintf(out->text, sizeof out->text, "%s", text);
}

/* What packets need in each dimension of a grid. */
typedef struct loads {
    uint64_t hops[NP_MAX_DIMENSIONS];
    uint64_t farthest, all;
    uint64_t *cross; /* [2 sides in all] packets that go up from x, then packets that go down to x: the difference
                        from x - 1 */
    size_t first[NP_MAX_DIMENSIONS + 1];
} loads;

/* Counts `packets` packets from coordinate x of an axis to y. Returns the hops of one packet. */
static uint32_t count_legs(const np_axes *axes, loads *l, uint32_t axis, uint32_t x, uint32_t y, uint64_t packets)
{
    uint32_t hops = np_axes_distance(axes, axis, x, y);
    l->hops[axis] += hops * packets;
    l->all += hops * packets;
    if (axes->wrap)
        return hops;
    uint64_t *cross = l->cross + 2 * l->first[axis];
    cross += y < x ? axes->side[axis] : 0;
    cross[x < y ? x : y] += packets; /* modulo 2^64, until summed up */
    cross[x < y ? y : x] -= packets;
    return hops;
}

static void count_piece(const np_collective_job *job, loads *l, uint32_t piece)
{
    const np_axes *axes = &job->axes;
    np_node from = np_collective_source(job, piece), to = np_collective_destination(job, piece);
    uint64_t distance = 0;
    for (uint32_t a = 0; a < axes->count; a++)
        distance += count_legs(axes, l, a, np_axes_coordinate(axes, from, a), np_axes_coordinate(axes, to, a), 1);
    l->farthest = most(l->farthest, distance);
}

/* All-to-all: as many packets go between any two coordinates of an axis as there are pairs of lines. */
static void count_all_pairs(const np_collective_job *job, loads *l)
{
    const np_axes *axes = &job->axes;
    for (uint32_t a = 0; a < axes->count; a++) {
        uint64_t lines = job->network->nodes / axes->side[a], distance = 0;
        for (uint32_t x = 0; x < axes->side[a]; x++)
            for (uint32_t y = 0; y < axes->side[a]; y++)
                distance = most(distance, count_legs(axes, l, a, x, y, lines * lines));
        l->farthest += distance;
    }
}

/* Steps that the links of an axis need. */
static uint64_t axis_load(const np_collective_job *job, const loads *l, uint32_t axis)
{
    const np_axes *axes = &job->axes;
    uint32_t side = axes->side[axis], lines = job->network->nodes / side;
    uint64_t load =
        quotient_up(l->hops[axis], axes->wrap ? 2 * (uint64_t)job->network->nodes : 2 * (uint64_t)lines * (side - 1));
    uint64_t cross = 0; /* 0 again after the last coordinate from which packets go up */
    for (uint32_t z = 0; !axes->wrap && z < 2 * side; z++)
        load = most(load, quotient_up(cross += l->cross[2 * l->first[axis] + z], lines));
    return load;
}

/*
 * On an array a node must send all packets that must pass it, one packet a step. By telephone its two links are used in
 * turn, each as long as its busier direction.
 */
static uint64_t node_load(const np_collective_job *job, const loads *l)
{
    uint32_t side = job->axes.side[0];
    uint64_t up = 0, down = 0, least = 0;
    for (uint32_t x = 0; x < side; x++) {
        uint64_t up_before = up, down_before = down; /* over the link below x; then over the link above it */
        up += l->cross[x];
        down += l->cross[side + x];
        least = most(least, job->ports == NP_TELEPHONE ? most(up_before, down_before) + most(up, down)
                                                       : most(up + down_before, up_before + down));
    }
    return least;
}

static np_status bound_grid(const np_collective_job *job, np_collective_figure *out)
{
    const np_axes *axes = &job->axes;
    loads l = {0};
    uint64_t load = 0;
    for (uint32_t a = 0; a < axes->count; a++)
        l.first[a + 1] = l.first[a] + axes->side[a];
    np_status st = np_memory_zeroed(&l.cross, 2 * l.first[axes->count], sizeof *l.cross, "a bound");
    if (st)
        return st;
    if (job->ops->kind == NP_ALL_TO_ALL)
        count_all_pairs(job, &l);
    for (uint32_t piece = 0; job->traffic && piece < job->pieces; piece++)
        count_piece(job, &l, piece);
    for (uint32_t a = 0; a < axes->count; a++)
        load = job->ports == NP_UNI_AXIAL ? load + axis_load(job, &l, a) : most(load, axis_load(job, &l, a));
    say(out, l.farthest, "the farthest packet");
    say(out, load,
        job->ports == NP_UNI_AXIAL ? "the links across each dimension, one after the other"
                                   : "the links across a dimension");
    if (job->ports == NP_ONE_PORT || job->ports == NP_TELEPHONE)
        say(out, quotient_up(l.all, job->network->nodes), "all hops, one a node and step");
    if ((job->ports == NP_ONE_PORT || job->ports == NP_TELEPHONE) && axes->count == 1 && !axes->wrap && !axes->cube)
        say(out, node_load(job, &l), "what a node sends or receives, one a step");
    np_memory_free(l.cross);
    return NP_OK;
}

static bool by_searches(const np_network *network)
{
    return (uint64_t)network->nodes * network->link_numbers <= UINT64_C(1) << 28; /* our choice: about a second */
}

/* The bound of permutation and k-k on other networks: by searches from all sources, if this is quick. */
static np_status bound_traffic(const np_collective_job *job, np_collective_figure *out)
{
    const np_network *network = job->network;
    uint64_t all = 0, farthest = 0;
    uint32_t *distance = NULL;
    np_search search = {0};
    np_status st;
    if (!by_searches(network))
        return say(out, 1, "a packet moves"), NP_OK;
    if ((st = np_search_init(&search, network)) ||
        (st = np_memory_array(&distance, network->nodes, sizeof *distance, "distances")))
        goto out;
    np_node from = NP_NONE;
    for (uint32_t piece = 0; piece < job->pieces; piece++) {
        if (np_collective_source(job, piece) != from)
            np_search_distances(&search, from = np_collective_source(job, piece), false, distance);
        uint32_t hops = distance[np_collective_destination(job, piece)];
        farthest = most(farthest, hops);
        all += hops;
    }
    say(out, farthest, "the farthest packet");
    say(out, quotient_up(all, network->links), "all hops over all links");
out:
    np_search_clear(&search);
    np_memory_free(distance);
    return st;
}

/* The largest distance to or from the root. */
static np_status eccentricity(const np_collective_job *job, np_node root, bool backwards, uint64_t *out)
{
    uint32_t *distance = NULL;
    np_search search = {0};
    np_status st;
    *out = 1;
    if (np_collective_complete(job->network))
        return NP_OK;
    if (!(st = np_search_init(&search, job->network)) &&
        !(st = np_memory_array(&distance, job->network->nodes, sizeof *distance, "distances"))) {
        np_search_distances(&search, root, backwards, distance);
        *out = distance[search.order[search.reached - 1]];
    }
    np_search_clear(&search);
    np_memory_free(distance);
    return st;
}

static uint32_t ports_of(const np_network *network, np_node u)
{
    uint32_t count = 0;
    for (np_port port = 0; port < network->ports; port++)
        count += np_network_link_at(network, u, port) != NP_NONE;
    return count;
}

/* Links into the root, and the fewest into any node. */
static np_status links_in(const np_network *network, np_node root, uint32_t *of_root, uint32_t *fewest)
{
    uint32_t *count;
    *of_root = *fewest = network->nodes - 1;
    if (np_collective_complete(network))
        return NP_OK;
    np_status st = np_memory_zeroed(&count, network->nodes, sizeof *count, "a bound");
    if (st)
        return st;
    for (np_link link = 0; link < network->link_numbers; link++) {
        np_node head = np_network_link_head(network, link);
        if (head != NP_NONE)
            count[head]++;
    }
    *of_root = *fewest = count[root];
    for (np_node u = 0; u < network->nodes; u++)
        *fewest = count[u] < *fewest ? count[u] : *fewest;
    np_memory_free(count);
    return NP_OK;
}

/* How many of u's `links` links may be used at once: all, or those of one dimension. */
static uint32_t usable(const np_collective_job *job, np_node u, uint32_t links)
{
    const np_axes *axes = &job->axes;
    uint32_t of_one = 1;
    if (job->ports != NP_UNI_AXIAL)
        return links;
    for (uint32_t a = 0; a < axes->count && !axes->cube; a++) {
        uint32_t x = np_axes_coordinate(axes, u, a);
        of_one = axes->wrap || (x && x + 1 < axes->side[a]) ? 2 : of_one;
    }
    return of_one;
}

static bool one_port(const np_collective_job *job) { return job->ports == NP_ONE_PORT || job->ports == NP_TELEPHONE; }

static np_status bound_broadcast(const np_collective_job *job, np_collective_figure *out)
{
    uint64_t farthest, flits = job->pieces, log = np_log2_up(job->network->nodes);
    uint32_t ports = ports_of(job->network, job->options.root), fewest;
    bool reduce = job->ops->kind == NP_REDUCE;
    np_status st = eccentricity(job, job->options.root, reduce, &farthest);
    if (st || (reduce && (st = links_in(job->network, job->options.root, &ports, &fewest))))
        return st;
    uint64_t sent = one_port(job) ? flits : quotient_up(flits, usable(job, job->options.root, ports));
    say(out, sent - 1 + farthest, "the last packet to leave the root, and the farthest node");
    if (one_port(job))
        say(out, sent - 1 + log, "the last packet to leave the root, and who knows it doubles a round at most");
    out->rounds = job->ops->single ? out->steps : most(farthest, one_port(job) ? log : 0);
    return NP_OK;
}

static np_status bound_gather(const np_collective_job *job, np_collective_figure *out)
{
    uint64_t farthest, nodes = job->network->nodes;
    uint32_t ports, fewest;
    np_status st = eccentricity(job, job->options.root, true, &farthest);
    if (st || (st = links_in(job->network, job->options.root, &ports, &fewest)))
        return st;
    ports = one_port(job) ? 1 : usable(job, job->options.root, ports);
    say(out, farthest, "the farthest node");
    say(out, quotient_up(nodes - 1, ports), "what the root receives over its ports");
    out->rounds = job->ops->single ? out->steps : most(farthest, one_port(job) ? np_log2_up(nodes) : 0);
    return NP_OK;
}

/* If the nodes of odd and of even coordinate sums are the two sides of a bipartite graph: the nodes of the larger side;
   else 0. */
static uint64_t larger_side(const np_collective_job *job)
{
    uint64_t even = 1, odd = 0; /* sums, over the axes so far */
    if (!job->axes.count || job->axes.wrap)
        return 0;
    for (uint32_t a = 0; a < job->axes.count; a++) {
        uint64_t evens = (job->axes.side[a] + 1) / 2, odds = job->axes.side[a] / 2, was = even;
        even = even * evens + odd * odds;
        odd = was * odds + odd * evens;
    }
    return most(even, odd);
}

static np_status diameter(const np_collective_job *job, uint64_t *out)
{
    np_network_facts facts;
    np_status st = np_network_measure(job->network, job->network->nodes <= SMALL ? 1000000 : 0, &facts);
    *out = st ? 0 : facts.diameter.has_formula ? facts.diameter.formula : facts.diameter.measured;
    return st;
}

static np_status bound_gossip(const np_collective_job *job, np_collective_figure *out)
{
    uint64_t farthest, nodes = job->network->nodes, side = larger_side(job);
    np_status st = diameter(job, &farthest);
    if (st)
        return st;
    if (!one_port(job)) {
        uint32_t of_root, fewest;
        if ((st = links_in(job->network, 0, &of_root, &fewest)))
            return st;
        out->rounds = farthest;
        say(out, farthest, "the diameter");
        say(out, quotient_up(nodes - 1, usable(job, 0, fewest)), "what a node receives over its ports");
        out->rounds = job->ops->single ? out->steps : farthest;
        return NP_OK;
    }
    bool telephone = job->ports == NP_TELEPHONE;
    out->rounds = most(farthest, np_log2_up(nodes) + (telephone ? nodes % 2 : 0));
    out->steps =
        most(most(out->rounds, nodes - 1), telephone && side ? quotient_up(side * (nodes - 1), nodes - side) : 0);
    if (telephone && job->axes.count == 1 && !job->axes.wrap && nodes > 2) /* node 1 calls one neighbour at a time */
        out->steps = most(out->steps, nodes - 1 + most(2, nodes - 2));
    if (telephone && nodes % 2)
        out->steps = most(out->steps, nodes); /* all are idle in some round: N (N - 1) packets, N - 1 a step */
    snprintf(out->text, sizeof out->text, telephone ? "max{D, ceil(log2 P) + odd(P)}" : "max{D, ceil(log2 P)}");
    return NP_OK;
}

static np_status bound_complete(const np_collective_job *job, np_collective_figure *out)
{
    uint64_t nodes = job->network->nodes;
    if (!one_port(job))
        say(out, nodes > 1, "a packet moves");
    else if (job->ports == NP_ONE_PORT)
        say(out, nodes - 1, "what a node receives, one a step");
    else
        say(out, quotient_up(nodes * (nodes - 1), nodes - nodes % 2),
            "what all receive, one a step, but who is left over");
    out->rounds = job->ops->single || !one_port(job) ? out->steps : np_log2_up(nodes);
    return NP_OK;
}

/* With one port: the most packets that a node sends or receives. */
static np_status bound_ends(const np_collective_job *job, np_collective_figure *out)
{
    uint32_t *count, nodes = job->network->nodes, most_packets = 0;
    np_status st = np_memory_zeroed(&count, 2 * (size_t)nodes, sizeof *count, "a bound");
    if (st)
        return st;
    for (uint32_t piece = 0; piece < job->pieces; piece++) {
        np_node from = np_collective_source(job, piece), to = np_collective_destination(job, piece);
        if (from == to)
            continue;
        count[from]++;
        count[nodes + to]++;
    }
    for (size_t i = 0; i < 2 * (size_t)nodes; i++)
        most_packets = count[i] > most_packets ? count[i] : most_packets;
    say(out, most_packets, "what a node sends or receives, one a step");
    np_memory_free(count);
    return NP_OK;
}

/*
 * Among ranks, on the complete network of them. A piece that is combined reaches its place over P - 1 links at least,
 * and over as many again if all are to have it: one-way gossip takes 2 P - 2 messages. With one port the P nodes send
 * P messages at a time, else P (P - 1).
 */
static np_status bound_ranks(const np_collective_job *job, np_collective_figure *out)
{
    uint64_t nodes = job->network->nodes, links = one_port(job) ? 1 : nodes - 1,
             log = one_port(job) ? np_log2_up(nodes) : 1;
    np_collective_kind kind = job->ops->kind;
    uint64_t all = (kind == NP_ALL_REDUCE ? 2 : 1) * (nodes - 1) * job->pieces;
    say(out, log, "of whom a rank must hear doubles a round at most");
    if (kind == NP_SCATTER)
        say(out, quotient_up(nodes - 1, links), "what the root sends over its ports");
    else if (kind == NP_ALL_REDUCE || kind == NP_REDUCE_SCATTER)
        say(out, quotient_up(all, nodes * links), "what all must send of undivided packets");
    out->rounds = job->ops->single ? out->steps : log;
    return NP_OK;
}

static np_status bound_moves(const np_collective_job *job, np_collective_figure *out)
{
    np_status st = job->axes.count ? bound_grid(job, out) : bound_traffic(job, out);
    if (!st && one_port(job))
        st = bound_ends(job, out);
    out->rounds = job->among_ranks && !job->ops->single ? out->steps > 0 : out->steps;
    return st;
}

np_status np_collective_bound(const np_collective_job *job, np_collective_figure *out)
{
    np_status st;
    switch (job->ops->kind) {
    case NP_BROADCAST:
    case NP_REDUCE: /* backwards */
        st = bound_broadcast(job, out);
        break;
    case NP_GATHER:
        st = bound_gather(job, out);
        break;
    case NP_GOSSIP:
        st = bound_gossip(job, out);
        break;
    case NP_ALL_REDUCE:
    case NP_REDUCE_SCATTER:
    case NP_SCATTER:
    case NP_SCAN:
    case NP_BARRIER:
        st = bound_ranks(job, out);
        break;
    default:
        st = job->ops->kind == NP_ALL_TO_ALL && np_collective_complete(job->network) ? bound_complete(job, out)
                                                                                     : bound_moves(job, out);
    }
    out->cost = np_collective_cost(job, out->steps, out->rounds, 0);
    return st;
}
