/*
 * The time of any traffic on a linear array under farthest-first (Sibeyn,
 * lecture notes, using randomization: a lemma that is given there without proof).
 *
 * Proof. Call packets for j or beyond urgent: of those that want a link below j they precede all others. Let L(v) be
 * the step in which the last urgent packet crosses the link (v, v+1), v < j, and b the first step of the unbroken run
 * of steps in which urgent packets cross it up to L(v). If b = 1 then L(v) = r(v,j), as r(v,j) of them cross it in all.
 * Else no urgent packet was at v when step b-1 began. Those still to come do so over the link from v-1, one a step, and
 * leave in the step after: L(v) = L(v-1) + 1. As neither can be more than L(v), it is the larger of the two, and L(j-1)
 * = max over i < j of r(i,j) + j - i - 1. The last packet of all is urgent for its own destination j and arrives in
 * step L(j-1). The notes do not say that r(i,j) > 0 must be asked for: without it n - 2 steps would be needed for no
 * packets at all.
 *
 * On a ring nobody goes further than floor(n/2), so that the way back from j over v, v-1, .. on which packets for j or
 * beyond may be ends before it comes round, and the proof holds as it stands (which the notes do not say). The ring is
 * cut open and laid out twice, every packet once in either copy: i in the second sees all of its packets, i in the
 * first no more than that.
 *
 * Method. i ascends; f(j) = r(i,j) + j is kept for all j in a tree of ranges: a packet from i to d adds one to f(0 ..
 * d). The largest f among i+1 .. farthest destination so far, minus i + 1, is that of i. Downwards: the mirror image.
 */
#include "netpram/array.h"

#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"

/* Of a range of nodes, f being sums along the way from the root: most = the largest of it, without what ranges above
 * add. */
typedef struct range {
    uint32_t most, more; /* more: added to all of it */
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

/* f(0 .. last) grow by one: on the way up from leaf `last`, all that lies to its left does. */
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

/* The largest of f(first .. last), in the range of k, which is low .. high. */
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
    np_memory_free(tree.at);
    np_memory_free(s.begin);
    np_memory_free(s.order);
    return st;
}

/* Both copies of the packets that go one way: from u upwards, or for those downwards in the mirror image. Returns how
 * many. */
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
    np_memory_free(from);
    np_memory_free(to);
    return st;
}
