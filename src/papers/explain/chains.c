/*
 * A chain is a sequence of rows, each a packet at a node of its path, as
 * np_explain finds them (Leighton, Maggs, Ranade & Rao 1994, section 2.3):
 *
 *   start    a packet at its destination s.
 *   m-delay  The packet p of the row before waited at a node s of its path, at
 *            the node x of that row or before x. There a packet p' of lesser key
 *            was selected: p' itself, which passes s, or its ghost. p' left the
 *            ghost at a node x' of its path; s is reached from x' by an edge that
 *            is not the next edge of p' (with q = 1 it may be). Lag drops by 1.
 *   f-delay  p waited at s, at x or before x, for room at the end of its next
 *            edge. q packets of lesser keys, in descending order, crossed this
 *            edge; the last of them is the row. Lag drops by 2.
 *
 * A run of T steps makes a chain: the one that np_explain finds. It starts with
 * lag T - 1 - level(s) and ends with a lag of at most 0, so its drops sum up to
 * D >= T - 1 - level(s). We call level(s) + D the chain's index. A run takes at
 * most t steps if there is no chain of index >= t. A chain of index >= t has a
 * first row at which the index is t or more; we count the chains that end at
 * this row.
 *
 * With independent ranks, a chain of distinct packets with given ranks has the
 * product of their probabilities. Rows are in strictly descending order of keys.
 * So one pass over all keys (rank, destination, number), from the greatest
 * down, sums the products over all chains. The state of the pass is, for each
 * index, how much waits where:
 *
 *   waiting  at nodes
 *   reached  the same, at all nodes to which an edge leads
 *   queued   at edges of which j packets of a full queue are found
 *
 * The pass also counts chains in which a packet comes twice, with different
 * ranks. They have probability 0, so this errs on the safe side. The sum is
 * still an estimator that does not increase for some rank of a packet: averaged
 * over the ranks of the packet, products that have it once stay, and products
 * that have it twice vanish.
 *
 * The sum is linear in what a packet at one rank adds. So one pass forward
 * without packet i and one pass backward (the adjoint, as in automatic
 * differentiation), multiplied at the places of i, give the cost of rank r for
 * packet i, for all r at once.
 *
 * Symbols: q queue size, R range of ranks, x of hop k of a path, D limit of
 * indices.
 */
#include "papers/explain/chains.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

static const char *const what = "delay chains";

struct np_chains {
    const np_leveled *leveled;
    const np_path_set *path_set;
    uint32_t q, range, longest; /* longest: hops of a path */
    uint32_t *node;             /* [begin[i] + i + k] of packet i's path */
    uint32_t *edge;             /* [begin[i] + k] */
    np_packet *order;           /* [packets] in descending order of (destination, number) */
    size_t aboves;              /* in the next list */
    uint32_t *above;            /* [above_at[v] .. above_at[v+1]) edges from whose head v is reached */
    size_t *above_at;           /* [nodes + 1] */
    double work;                /* operations of a pass for one rank and one index */

    /* Of the present pass, [..][limit]; forward: weights, backward: their adjoints. */
    uint32_t limit;
    double *waiting; /* [nodes] */
    double *reached; /* [edges] */
    double *queued;  /* [edges][q] */
    double *row;     /* [longest + 1][limit + 2] a packet's rows */
    double *seen;    /* [range][longest + 1 + longest * q] what the packet that is tried meets */
    size_t room, seen_room;
};

static uint32_t hops(const np_chains *c, np_packet i)
{
    return (uint32_t)(c->path_set->begin[i + 1] - c->path_set->begin[i]);
}

/* ---- the graph ---- */

static void layout(void *object, np_arena *arena)
{
    np_chains *c = object;
    size_t packets = c->path_set->packets, hops = c->path_set->begin[packets];
    np_arena_array(arena, &c->node, hops + packets, sizeof *c->node, what);
    np_arena_array(arena, &c->edge, hops, sizeof *c->edge, what);
    np_arena_array(arena, &c->order, packets, sizeof *c->order, what);
    np_arena_array(arena, &c->above, c->aboves, sizeof *c->above, what);
    np_arena_array(arena, &c->above_at, (size_t)c->leveled->nodes + 1, sizeof *c->above_at, what);
}

static void index_paths(np_chains *c)
{
    const np_path_set *path_set = c->path_set;
    for (np_packet i = 0; i < path_set->packets; i++) {
        uint32_t v = path_set->origin[i], hops = 0;
        for (size_t k = path_set->begin[i]; k < path_set->begin[i + 1]; k++, hops++) {
            c->node[k + i] = v;
            c->edge[k] = c->leveled->out[v] + path_set->port[k];
            v = c->leveled->head[c->edge[k]];
        }
        c->node[path_set->begin[i + 1] + i] = v;
        c->longest = hops > c->longest ? hops : c->longest;
    }
}

/* By insertion: instances are small. */
static void sort_packets(np_chains *c)
{
    const uint32_t *target = c->path_set->target;
    for (np_packet i = 0; i < c->path_set->packets; i++) {
        np_packet j = i;
        for (; j > 0 && target[c->order[j - 1]] <= target[i]; j--)
            c->order[j] = c->order[j - 1];
        c->order[j] = i;
    }
}

/* Marks v and the nodes from which v is reached; returns how many edges lead to them. */
static size_t mark_above(const np_leveled *lv, uint32_t v, uint8_t *mark)
{
    size_t edges = 0;
    memset(mark, 0, lv->nodes);
    mark[v] = 1;
    for (uint32_t e = lv->edges; e-- > 0;)
        if (mark[lv->head[e]]) {
            mark[lv->tail[e]] = 1;
            edges++;
        }
    return edges;
}

static void list_above(np_chains *c, uint32_t v, const uint8_t *mark)
{
    const np_leveled *lv = c->leveled;
    size_t used = c->above_at[v];
    for (uint32_t e = 0; e < lv->edges; e++)
        if (mark[lv->head[e]])
            c->above[used++] = e;
    c->above_at[v + 1] = used;
}

/* Counts the edges above all nodes if there is no room for them yet; else lists them. */
static np_status index_above(np_chains *c)
{
    const np_leveled *lv = c->leveled;
    uint8_t *mark;
    np_status st = np_memory_array(&mark, lv->nodes, 1, what);
    if (st)
        return st;
    if (c->above)
        c->above_at[0] = 0;
    for (uint32_t v = 0; v < lv->nodes; v++) {
        size_t more = mark_above(lv, v, mark);
        if (c->above)
            list_above(c, v, mark);
        else
            c->aboves += more;
    }
    np_memory_free(mark);
    return NP_OK;
}

static void sum_work(np_chains *c)
{
    const np_path_set *path_set = c->path_set;
    const np_leveled *lv = c->leveled;
    for (np_packet i = 0; i < path_set->packets; i++)
        for (size_t k = path_set->begin[i] + i; k <= path_set->begin[i + 1] + i; k++) {
            uint32_t v = c->node[k];
            c->work += (double)(c->above_at[v + 1] - c->above_at[v]) + (lv->out[v + 1] - lv->out[v]) + c->q + 4;
        }
}

np_status np_chains_create(const np_leveled *leveled, const np_path_set *path_set, uint32_t queue_size, uint32_t range,
                           np_chains **out)
{
    np_chains sizes = {.leveled = leveled, .path_set = path_set, .q = queue_size, .range = range};
    np_status st;
    *out = NULL;
    if ((st = index_above(&sizes)) || (st = np_arena_create(&sizes, sizeof sizes, layout, what, out)))
        return st;
    index_paths(*out);
    sort_packets(*out);
    if ((st = index_above(*out))) {
        np_chains_free(*out);
        *out = NULL;
        return st;
    }
    sum_work(*out);
    return NP_OK;
}

void np_chains_free(np_chains *c)
{
    if (!c)
        return;
    NP_MEMORY_FREE(c->waiting, c->seen, c);
}

uint32_t np_chains_steps_max(const np_chains *c)
{
    uint32_t others = c->path_set->packets ? c->path_set->packets - 1 : 0;
    return c->leveled->depth + 1 + (c->q == 1 ? 2 * others : others); /* each packet once; a full queue has q packets */
}

double np_chains_cost(const np_chains *c, uint32_t steps) { return c->work * c->range * steps; }

static double cells(const np_chains *c, uint32_t steps)
{
    return ((double)c->leveled->nodes + (double)c->leveled->edges * (c->q + 1.0)) * steps +
           (c->longest + 1.0) * (steps + 2.0);
}

double np_chains_bytes(const np_chains *c, uint32_t steps)
{
    double seen = (double)c->range * (c->longest + 1.0 + (double)c->longest * c->q) * steps;
    return (cells(c, steps) + seen) * sizeof(double);
}

/* ---- a pass ---- */

/* Zeroed state for indices below the limit; sizes were checked by np_chains_bytes. */
static np_status begin_pass(np_chains *c, uint32_t limit)
{
    size_t nodes = c->leveled->nodes, edges = c->leveled->edges, all = (size_t)cells(c, limit);
    if (all > c->room) {
        np_status st = np_memory_grow(&c->waiting, 0, all, sizeof *c->waiting, what);
        if (st)
            return st;
        c->room = all;
    }
    c->limit = limit;
    c->reached = c->waiting + nodes * limit;
    c->queued = c->reached + edges * limit;
    c->row = c->queued + edges * c->q * limit;
    if (all)
        memset(c->waiting, 0, all * sizeof *c->waiting);
    return NP_OK;
}

static uint32_t node_at(const np_chains *c, np_packet i, uint32_t k) { return c->node[c->path_set->begin[i] + i + k]; }
static uint32_t edge_at(const np_chains *c, np_packet i, uint32_t k) { return c->edge[c->path_set->begin[i] + k]; }

static double *waiting(const np_chains *c, uint32_t v) { return c->waiting + (size_t)v * c->limit; }
static double *reached(const np_chains *c, uint32_t e) { return c->reached + (size_t)e * c->limit; }

static double *queued(const np_chains *c, uint32_t e, uint32_t j)
{
    return c->queued + ((size_t)e * c->q + j) * c->limit;
}

/* Indices of rows go to limit + 1: an f-delay drops by 2. */
static double *row(const np_chains *c, uint32_t k) { return c->row + (size_t)k * (c->limit + 2); }

static void add(double *to, const double *from, double factor, uint32_t count)
{
    for (uint32_t d = 0; d < count; d++)
        to[d] += factor * from[d];
}

static double dot(const double *a, const double *b, uint32_t count)
{
    double sum = 0;
    for (uint32_t d = 0; d < count; d++)
        sum += a[d] * b[d];
    return sum;
}

static uint32_t level_of_end(const np_chains *c, np_packet i)
{
    return np_leveled_level(c->leveled, node_at(c, i, hops(c, i)));
}

/* May a ghost that packet i leaves at its k-th node go over the edge? */
static bool takes_ghost(const np_chains *c, np_packet i, uint32_t k, uint32_t edge)
{
    return c->q == 1 || k == hops(c, i) || edge != edge_at(c, i, k);
}

/* to[limit] = everything that packet i or its ghost m-delays at the packet's k-th node. */
static void gather(const np_chains *c, np_packet i, uint32_t k, double *to)
{
    uint32_t v = node_at(c, i, k);
    memcpy(to, waiting(c, v), c->limit * sizeof *to);
    for (uint32_t e = c->leveled->out[v]; e < c->leveled->out[v + 1]; e++)
        if (takes_ghost(c, i, k, e))
            add(to, reached(c, e), 1, c->limit);
}

/* Counts rows: from the limit on; by index, all rows; by index, rows after f-delays. */
typedef struct census {
    double total;        /* of indices from the limit on */
    double *all, *jumps; /* [limit + 2]; NULL: not asked for */
} census;

/* The packet's rows: what the packet adds to chains if it has the present rank with probability p. */
static void make_rows(np_chains *c, np_packet i, double p, census *count)
{
    const uint32_t last = hops(c, i);
    memset(c->row, 0, (size_t)(last + 1) * (c->limit + 2) * sizeof *c->row);
    for (uint32_t k = 0; k <= last; k++) {
        double *to = row(c, k);
        gather(c, i, k, to + 1);
        for (uint32_t d = 1; d <= c->limit; d++)
            to[d] *= p;
        if (k > 0) {
            const double *from = queued(c, edge_at(c, i, k - 1), c->q - 1);
            add(to + 2, from, p, c->limit);
            if (count->jumps)
                add(count->jumps + 2, from, p, c->limit);
        }
    }
    uint32_t start = level_of_end(c, i);
    if (start < c->limit + 2)
        row(c, last)[start] += p;
    for (uint32_t k = 0; k <= last; k++) {
        if (count->all)
            add(count->all, row(c, k), 1, c->limit + 2);
        count->total += row(c, k)[c->limit] + row(c, k)[c->limit + 1];
    }
    if (start >= c->limit + 2)
        count->total += p;
}

/* Forward: chains go on with packet i at the present rank, which it has with probability p. */
static void advance(np_chains *c, np_packet i, double p, census *count)
{
    const uint32_t last = hops(c, i);
    make_rows(c, i, p, count);
    for (uint32_t k = 0; k < last; k++) /* the next packet of a full queue */
        for (uint32_t j = c->q - 1; j-- > 0;)
            add(queued(c, edge_at(c, i, k), j + 1), queued(c, edge_at(c, i, k), j), p, c->limit);
    for (uint32_t k = last + 1; k-- > 0;) {
        uint32_t v = node_at(c, i, k);
        if (k < last) { /* it may have waited here or at any node before its row */
            add(row(c, k), row(c, k + 1), 1, c->limit);
            add(queued(c, edge_at(c, i, k), 0), row(c, k), 1, c->limit);
        }
        add(waiting(c, v), row(c, k), 1, c->limit);
        for (size_t a = c->above_at[v]; a < c->above_at[v + 1]; a++)
            add(reached(c, c->above[a]), row(c, k), 1, c->limit);
    }
}

/* Backward: row(k)[d] = the sum over all chains that go on from a row of packet i at its k-th node with index d. */
static void make_prospects(np_chains *c, np_packet i)
{
    const uint32_t last = hops(c, i);
    memset(c->row, 0, (size_t)(last + 1) * (c->limit + 2) * sizeof *c->row);
    for (uint32_t k = 0; k <= last; k++) {
        uint32_t v = node_at(c, i, k);
        double *to = row(c, k);
        to[c->limit] = to[c->limit + 1] = 1;
        memcpy(to, waiting(c, v), c->limit * sizeof *to);
        for (size_t a = c->above_at[v]; a < c->above_at[v + 1]; a++)
            add(to, reached(c, c->above[a]), 1, c->limit);
        if (k < last)
            add(to, queued(c, edge_at(c, i, k), 0), 1, c->limit);
        if (k > 0)
            add(to, row(c, k - 1), 1, c->limit);
    }
}

static void retreat(np_chains *c, np_packet i, double p)
{
    const uint32_t last = hops(c, i);
    make_prospects(c, i);
    for (uint32_t k = 0; k <= last; k++) {
        uint32_t v = node_at(c, i, k);
        add(waiting(c, v), row(c, k) + 1, p, c->limit);
        for (uint32_t e = c->leveled->out[v]; e < c->leveled->out[v + 1]; e++)
            if (takes_ghost(c, i, k, e))
                add(reached(c, e), row(c, k) + 1, p, c->limit);
        if (k == last)
            break;
        for (uint32_t j = 0; j + 1 < c->q; j++)
            add(queued(c, edge_at(c, i, k), j), queued(c, edge_at(c, i, k), j + 1), p, c->limit);
        add(queued(c, edge_at(c, i, k), c->q - 1), row(c, k + 1) + 2, p, c->limit);
    }
}

/* ---- what the packet that is tried meets ---- */

static size_t seen_size(const np_chains *c, np_packet i)
{
    return (hops(c, i) + 1 + (size_t)hops(c, i) * c->q) * c->limit;
}

static void look(np_chains *c, np_packet i, double *seen)
{
    for (uint32_t k = 0; k <= hops(c, i); k++, seen += c->limit)
        gather(c, i, k, seen);
    for (uint32_t k = 0; k < hops(c, i); k++, seen += c->q * (size_t)c->limit)
        memcpy(seen, queued(c, edge_at(c, i, k), 0), c->q * (size_t)c->limit * sizeof *seen);
}

/* The sum over all chains that have the packet here. */
static double weigh(np_chains *c, np_packet i, const double *seen)
{
    const uint32_t last = hops(c, i), start = level_of_end(c, i);
    make_prospects(c, i);
    double sum = start < c->limit ? row(c, last)[start] : 1;
    for (uint32_t k = 0; k <= last; k++, seen += c->limit)
        sum += dot(seen, row(c, k) + 1, c->limit);
    for (uint32_t k = 0; k < last; k++) {
        for (uint32_t j = 0; j + 1 < c->q; j++, seen += c->limit)
            sum += dot(seen, queued(c, edge_at(c, i, k), j + 1), c->limit);
        sum += dot(seen, row(c, k + 1) + 2, c->limit);
        seen += c->limit;
    }
    return sum;
}

/* ---- passes ---- */

static double chance(const np_chains *c, const uint32_t *rank, np_packet i, uint32_t r)
{
    return !rank[i] ? 1.0 / c->range : rank[i] == r ? 1 : 0;
}

/* All keys from the greatest down. seen keeps what packet `without` (NP_NONE: none) meets at each rank. */
static void forward(np_chains *c, const uint32_t *rank, np_packet without, census *count)
{
    for (uint32_t r = c->range; r > 0; r--)
        for (np_packet k = 0; k < c->path_set->packets; k++) {
            np_packet i = c->order[k];
            double p = chance(c, rank, i, r);
            if (i == without)
                look(c, i, c->seen + (r - 1) * seen_size(c, i));
            else if (p > 0)
                advance(c, i, p, count);
        }
}

static void backward(np_chains *c, const uint32_t *rank, np_packet without, double *cost)
{
    for (uint32_t r = 1; r <= c->range; r++)
        for (np_packet k = c->path_set->packets; k-- > 0;) {
            np_packet i = c->order[k];
            double p = chance(c, rank, i, r);
            if (i == without)
                cost[r - 1] += weigh(c, i, c->seen + (r - 1) * seen_size(c, i));
            else if (p > 0)
                retreat(c, i, p);
        }
}

np_status np_chains_profile(np_chains *c, const uint32_t *rank, uint32_t steps, double *sum)
{
    census count = {0};
    np_status st;
    if ((st = np_memory_zeroed(&count.all, 2 * ((size_t)steps + 2), sizeof *count.all, what)) ||
        (st = begin_pass(c, steps))) {
        np_memory_free(count.all);
        return st;
    }
    count.jumps = count.all + steps + 2;
    forward(c, rank, NP_NONE, &count);
    for (uint32_t t = 0; t < steps; t++) {
        sum[t] = count.all[t] + count.jumps[t + 1];
        for (np_packet i = 0; i < c->path_set->packets; i++)
            sum[t] += level_of_end(c, i) > t; /* a start */
    }
    np_memory_free(count.all);
    return NP_OK;
}

np_status np_chains_try(np_chains *c, const uint32_t *rank, uint32_t steps, np_packet i, double *without, double *cost)
{
    census count = {0};
    np_status st;
    if ((st = begin_pass(c, steps)))
        return st;
    size_t seen = ((size_t)c->longest * (c->q + 1) + 1) * c->limit * c->range; /* of any packet: it grows once */
    if (seen > c->seen_room) {
        if ((st = np_memory_grow(&c->seen, 0, seen, sizeof *c->seen, what)))
            return st;
        c->seen_room = seen;
    }
    forward(c, rank, i, &count);
    *without = count.total;
    if ((st = begin_pass(c, steps)))
        return st;
    backward(c, rank, i, cost);
    return NP_OK;
}
