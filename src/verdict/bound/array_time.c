/*
 * The time of any traffic on a linear array under farthest-first (Sibeyn, lecture notes, using randomization: a lemma
 * that is given there without proof). r(i,j) packets must go from node i or below to node j or above.
 *
 * Proof. Call the packets for j or beyond urgent. They precede all other packets that want a link below j. For v < j
 * let L(v) be the step in which the last urgent packet crosses the link (v, v+1). Let b be the first step of the
 * unbroken run of steps up to L(v) in which urgent packets cross this link. If b = 1 then L(v) = r(v,j), because r(v,j)
 * urgent packets cross the link in all. Else no urgent packet was at v when step b-1 began. The urgent packets still to
 * come reach v over the link from v-1, one a step, and leave v in the step after: L(v) = L(v-1) + 1. Neither value can
 * be more than L(v), so L(v) is the larger of the two, and L(j-1) = max over i < j of r(i,j) + j - i - 1. The last
 * packet of all is urgent for its own destination j and arrives in step L(j-1). The condition r(i,j) > 0 is needed,
 * which the notes do not say: without it no packets at all would need n - 2 steps.
 *
 * On a ring no packet goes further than floor(n/2). Go back from j over v, v-1, .. to the last node that packets for j
 * or beyond may be at: this node comes before the way has gone round the ring. So the proof holds as it stands (which
 * the notes do not say). The ring is cut open and laid out twice, with every packet once in either copy. A node i of
 * the second copy sees all of its packets; a node i of the first copy sees at most these.
 *
 * Method. Let i ascend. A tree of ranges keeps f(j) = r(i,j) + j for all j: a packet from i to d adds one to f(0 .. d).
 * The value for i is the largest f among i+1 .. (the farthest destination so far), minus i + 1. The way downwards is
 * the mirror image.
 */
#include "netpram/theory.h"

#include "base/memory.h"

/* A range of nodes. The largest f of the range is `most` plus the `more` of all ranges above it in the tree. */
typedef struct range {
    uint32_t most, more; /* more: added to every f of the range */
} range;

/* Leaves are size .. 2 size - 1, the children of k are 2k and 2k + 1. */
typedef struct ranges {
    uint32_t size; /* power of two, at least nodes */
    range *at;     /* [2 size] */
} ranges;

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void reset(ranges *tree)
{
    for (uint32_t j = 0; j < tree->size; j++)
        tree->at[tree->size + j] = (range){j, 0};
    for (uint32_t k = tree->size - 1; k; k--)
        tree->at[k] = (range){tree->at[2 * k + 1].most, 0};
}

/* Adds one to f(0 .. last): to leaf `last` and, on the way up from it, to every range on its left. */
static void add(ranges *tree, uint32_t last)
{
    uint32_t k = tree->size + last;
    tree->at[k].most++;
    tree->at[k].more++;
    for (; k > 1; k /= 2) {
        if (k & 1) {
            tree->at[k - 1].most++;
            tree->at[k - 1].more++;
        }
        tree->at[k / 2].most = larger(tree->at[k].most, tree->at[k ^ 1].most) + tree->at[k / 2].more;
    }
}

/* The largest of f(first .. last) within the range low .. high of k. */
static uint32_t largest(const ranges *tree, uint32_t k, uint32_t low, uint32_t high, uint32_t first, uint32_t last)
{
    uint32_t middle = low + (high - low) / 2, most = 0;
    if (first <= low && high <= last)
        return tree->at[k].most;
    if (first <= middle)
        most = largest(tree, 2 * k, low, middle, first, last);
    if (last > middle)
        most = larger(most, largest(tree, 2 * k + 1, middle + 1, high, first, last));
    return most + tree->at[k].more;
}

/* Packets by the node where they start: order[begin[u]] .. order[begin[u+1] - 1]. */
typedef struct by_source {
    uint32_t *begin, *order;
} by_source;

static void sort(np_node nodes, size_t packets, const np_node *source, by_source *s)
{
    for (size_t p = 0; p < packets; p++)
        s->begin[source[p] + 2]++;
    for (np_node u = 0; u < nodes; u++)
        s->begin[u + 2] += s->begin[u + 1];
    for (size_t p = 0; p < packets; p++)
        s->order[s->begin[source[p] + 1]++] = (uint32_t)p;
}

/* Node u, counted from the end where the way begins. */
static np_node seen(np_node nodes, np_node u, bool down) { return down ? nodes - 1 - u : u; }

static np_step steps_one_way(np_node nodes, const np_node *destination, const by_source *s, ranges *tree, bool down)
{
    uint32_t farthest = 0;
    np_step steps = 0;
    reset(tree);
    for (uint32_t i = 0; i < nodes; i++) {
        np_node u = seen(nodes, i, down);
        for (uint32_t k = s->begin[u]; k < s->begin[u + 1]; k++) {
            uint32_t d = seen(nodes, destination[s->order[k]], down);
            if (d <= i)
                continue;
            add(tree, d);
            farthest = larger(farthest, d);
        }
        if (farthest > i)
            steps = larger(steps, largest(tree, 1, 0, tree->size - 1, i + 1, farthest) - i - 1);
    }
    return steps;
}

static np_status check(np_node nodes, size_t packets, const np_node *source, const np_node *destination)
{
    if (!nodes)
        return NP_RAISE(NP_ERROR_INPUT, "an array of 0 nodes: at least 1 is needed");
    if (nodes > UINT32_C(1) << 31 || packets >= (UINT32_C(1) << 31) - 1)
        return NP_RAISE(NP_ERROR_LIMIT, "an array of %u nodes and %zu packets: at most 2^31 nodes and 2^31 - 2 packets",
                        nodes, packets);
    for (size_t p = 0; p < packets; p++)
        if (source[p] >= nodes || destination[p] >= nodes)
            return NP_RAISE(NP_ERROR_INPUT, "packet %zu from %u to %u: nodes are 0..%u", p, source[p], destination[p],
                            nodes - 1);
    return NP_OK;
}

np_status np_array_time(np_node nodes, size_t packets, const np_node *source, const np_node *destination,
                        np_array_steps *out)
{
    by_source s = {NULL, NULL};
    ranges tree = {1, NULL};
    np_status st = check(nodes, packets, source, destination);
    *out = (np_array_steps){0, 0};
    if (st)
        return st;
    while (tree.size < nodes)
        tree.size *= 2;
    if ((st = np_memory_array(&tree.at, 2 * (size_t)tree.size, sizeof *tree.at, "ranges of nodes")) ||
        (st = np_memory_zeroed(&s.begin, (size_t)nodes + 2, sizeof *s.begin, "packets by source")) ||
        (st = np_memory_array(&s.order, packets, sizeof *s.order, "packets by source")))
        goto out;
    sort(nodes, packets, source, &s);
    out->up = steps_one_way(nodes, destination, &s, &tree, false);
    out->down = steps_one_way(nodes, destination, &s, &tree, true);
out:
    NP_MEMORY_FREE(tree.at, s.begin, s.order);
    return st;
}

/*
 * Lays out both copies of the packets that go one way: upwards from u, or downwards in the mirror image. Returns the
 * number of packets laid out.
 */
static size_t lay_out(np_node nodes, size_t packets, const np_node *source, const np_node *destination, bool down,
                      np_node *from, np_node *to)
{
    size_t count = 0;
    for (size_t p = 0; p < packets; p++) {
        np_node ahead = destination[p] >= source[p] ? destination[p] - source[p] : destination[p] + nodes - source[p];
        bool up = ahead <= nodes - ahead;
        if (!ahead || up == down)
            continue;
        np_node u = seen(nodes, source[p], down), hops = up ? ahead : nodes - ahead;
        for (np_node copy = 0; copy < 2; copy++) {
            from[count] = u + copy * nodes;
            to[count++] = u + copy * nodes + hops;
        }
    }
    return count;
}

np_status np_ring_time(np_node nodes, size_t packets, const np_node *source, const np_node *destination,
                       np_array_steps *out)
{
    np_node *from = NULL, *to = NULL;
    np_array_steps steps = {0, 0};
    np_status st = check(nodes, packets, source, destination);
    *out = steps;
    if (st)
        return st;
    if (nodes > UINT32_C(1) << 29 || packets > UINT32_C(1) << 29)
        return NP_RAISE(NP_ERROR_LIMIT, "a ring of %u nodes and %zu packets: at most 2^29 of either", nodes, packets);
    if (!(st = np_memory_array(&from, 2 * packets, sizeof *from, "packets of a ring")) &&
        !(st = np_memory_array(&to, 2 * packets, sizeof *to, "packets of a ring"))) {
        np_node length = 2 * nodes + nodes / 2;
        size_t count = lay_out(nodes, packets, source, destination, false, from, to);
        if (!(st = np_array_time(length, count, from, to, &steps))) {
            out->up = steps.up;
            count = lay_out(nodes, packets, source, destination, true, from, to);
            if (!(st = np_array_time(length, count, from, to, &steps)))
                out->down = steps.up;
        }
    }
    NP_MEMORY_FREE(from, to);
    return st;
}
