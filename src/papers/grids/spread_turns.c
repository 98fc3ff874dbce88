/*
 * Paths for known demands on meshes of two dimensions, with queues of constant size: a packet goes along its column to
 * some row, along this row to the column of its destination, and along this column to its destination (Sibeyn, lecture
 * notes, routing on arrays: "much more sophisticated algorithms have shown that it is possible to achieve the same time
 * with constant queue size"; the notes name none of them).
 *
 * Greedy routing piles up packets where they turn: n packets of a transpose turn at the same node. Here the rows are
 * chosen for all packets together, so that few packets turn at a node, and so that no path is longer than the diameter.
 *
 *   The rows of a packet. On a x b nodes, a packet from row r to row r', over c columns, may go by every row x with
 *   |r - x| + |x - r'| <= a + b - 2 - c. As c <= b - 1, the right side is at least a - 1. So these are the rows whose
 *   distance from the middle of r and r' is at most (a-1)/2: wherever the middle is, at least h = ceil(a/2) rows.
 *
 *   The choice. The graph has a node for each column on either side, and an edge for each packet that changes its
 *   column. Let D be the largest degree, a for a permutation. An edge colouring with D colours is cut into groups of h
 *   colours. Each group is a graph of degree at most h whose edges have lists of at least h rows. Such a graph has an
 *   edge colouring from the lists (Galvin 1995): of one group, each row has at most one packet from each column, and
 *   one to each column. Galvin's proof is an algorithm. For one row after another it takes a stable matching of the
 *   edges that have the row in their lists and are still without one. On the left an edge of a higher old colour is
 *   preferred, on the right one of a lower old colour. Each edge that is left out has an end where the matching has a
 *   preferred edge. An edge of old colour k has at most h - 1 - k such edges on the left and k on the right. So fewer
 *   than h rows pass it by.
 *
 * Let q = ceil(D / h): 2 for a permutation. At most q packets turn from a column into a row at a node, and at most q
 * from a row into a column. A link takes a packet in every step in which some packet waits for it. So its queue grows
 * only by packets that turn or start there: at most 1 + q wait for a link of a row, and 2 + q for a link of a column if
 * one packet starts at each node. At no time are more than 6 + 2q packets at a node of a permutation: one from each of
 * the four neighbours, 2q that turn, one that started there, one that has ended there. For q = 2 this is 10, whatever
 * the side and the queue discipline. For k packets from and to each node q = 2k.
 *
 * The time is not bounded by 2n - 2: rotation by n(n+1)/2 takes 2.5n - 4 steps (docs/meshes.md). With farthest-first
 * the packets with the longest ways left go first. The choice is made off line, in O(D a b) time. It draws nothing.
 *
 * Symbols: a rows, b columns, h, q, D as above; x a row; "old" colour: of the first colouring.
 */
#include "papers/offline/colouring.h"
#include "base/order.h"
#include "papers/grids/grid_queues.h"
#include "papers/grids/submeshes.h"
#include "model/path/finding.h"

#define NONE UINT32_MAX

typedef struct turns {
    const np_network *network;
    const np_demand *demand;
    uint32_t rows, columns, reach; /* a, b, a + b - 2 */
    uint32_t edges, most;          /* edges; packets of the demand, which are not fewer */
    void *block;
    uint32_t *packet;       /* [most] of an edge */
    uint32_t *left, *right; /* [most] of an edge */
    uint32_t *old;          /* [most] its old colour */
    uint32_t *via;          /* [most] its row */
    uint32_t *order;        /* [most] the edges by left end, then the highest old colour first */
    uint32_t *begin;        /* [columns + 1] in order[]: the edges of a left end */
    uint32_t *first, *end;  /* [columns] in order[]: those of the group that have no row yet */
    uint32_t *next;         /* [columns] the next one to ask for */
    uint32_t *held;         /* [columns] the edge that a right end holds; NONE */
    uint32_t *free;         /* [columns] left ends that have to ask on */
} turns;

static void layout(void *object, np_arena *arena)
{
    turns *t = object;
    static const char what[] = "the rows of packets";
    NP_ARENA_WORDS(arena, t->most, what, &t->packet, &t->left, &t->right, &t->old, &t->via, &t->order);
    np_arena_array(arena, &t->begin, (size_t)t->columns + 1, sizeof *t->begin, what);
    NP_ARENA_WORDS(arena, t->columns, what, &t->first, &t->end, &t->next, &t->held, &t->free);
}

static turns sizes_of(const np_network *network, size_t packets)
{
    uint32_t rows = network->side[0], columns = network->side[1];
    return (turns){
        .network = network, .rows = rows, .columns = columns, .reach = rows + columns - 2, .most = (uint32_t)packets};
}

/* What finding the rows takes, at most. */
static uint64_t bytes(const np_path *path, size_t packets)
{
    turns t = sizes_of(path->network, packets);
    return np_arena_bytes(&t, 0, layout) + np_bipartite_bytes(t.columns, packets, packets);
}

static uint32_t row_of(const turns *t, np_node u) { return np_network_coordinate(t->network, u, 0); }

static uint32_t column_of(const turns *t, np_node u) { return np_network_coordinate(t->network, u, 1); }

/* ---- The old colours ---- */

static void list_edges(turns *t)
{
    const np_demand *demand = t->demand;
    t->edges = 0;
    for (size_t i = 0; i < demand->count; i++) {
        uint32_t from = column_of(t, demand->from[i]), to = column_of(t, demand->to[i]);
        if (from == to)
            continue;
        t->packet[t->edges] = (uint32_t)i;
        t->left[t->edges] = from;
        t->right[t->edges++] = to;
    }
}

/* By two counting sorts: of the old colours, and of the left ends. via[] and next[] serve. */
static np_status sort_edges(turns *t, uint32_t colours)
{
    uint32_t *count, *by_colour = t->via;
    np_status st = np_memory_array(&count, (size_t)colours + 1, sizeof *count, "the rows of packets");
    if (st)
        return st;
    np_order_rows(colours, t->edges, t->old, count, by_colour);
    np_memory_free(count);
    for (uint32_t v = 0; v <= t->columns; v++)
        t->begin[v] = 0;
    for (uint32_t e = 0; e < t->edges; e++)
        t->begin[t->left[e] + 1]++;
    for (uint32_t v = 0; v < t->columns; v++) {
        t->begin[v + 1] += t->begin[v];
        t->next[v] = t->begin[v];
    }
    for (uint32_t i = t->edges; i-- > 0;) /* from the highest colour down */
        t->order[t->next[t->left[by_colour[i]]]++] = by_colour[i];
    return NP_OK;
}

/* ---- A stable matching for each row ---- */

static bool has_row(const turns *t, uint32_t e, uint32_t x)
{
    uint32_t i = t->packet[e];
    np_node from = t->demand->from[i], to = t->demand->to[i];
    return np_grid_between(row_of(t, from), x) + np_grid_between(x, row_of(t, to)) +
               np_grid_between(t->left[e], t->right[e]) <=
           t->reach;
}

/*
 * Left end v asks on, until a right end holds its edge. Returns the left end that loses its place, NONE if none does.
 */
static uint32_t ask(turns *t, uint32_t v, uint32_t x)
{
    while (t->next[v] < t->end[v]) {
        uint32_t e = t->order[t->next[v]++], w = t->right[e], other = t->held[w];
        if ((other != NONE && t->old[other] < t->old[e]) || !has_row(t, e, x))
            continue;
        t->held[w] = e;
        return other == NONE ? NONE : t->left[other];
    }
    return NONE;
}

/* The edges of the group that have no row yet, without those that have it now. */
static void drop_matched(turns *t, uint32_t v)
{
    uint32_t kept = t->end[v];
    for (uint32_t k = t->end[v]; k > t->first[v]; k--)
        if (t->via[t->order[k - 1]] == NONE)
            t->order[--kept] = t->order[k - 1];
    t->first[v] = kept;
}

static uint32_t match(turns *t, uint32_t x)
{
    uint32_t matched = 0;
    for (uint32_t v = 0; v < t->columns; v++) {
        t->next[v] = t->first[v];
        t->held[v] = NONE;
    }
    for (uint32_t v = 0; v < t->columns; v++)
        for (uint32_t asks = v; asks != NONE;)
            asks = ask(t, asks, x);
    for (uint32_t w = 0; w < t->columns; w++)
        if (t->held[w] != NONE) {
            t->via[t->held[w]] = x;
            matched++;
        }
    for (uint32_t v = 0; v < t->columns; v++)
        drop_matched(t, v);
    return matched;
}

/*
 * The edges of old colours `low` and up get their rows; those of higher groups have them. Returns how many there are.
 */
static uint32_t take_group(turns *t, uint32_t low)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < t->columns; v++) {
        t->first[v] = t->end[v];
        while (t->end[v] < t->begin[v + 1] && t->old[t->order[t->end[v]]] >= low)
            t->end[v]++;
        count += t->end[v] - t->first[v];
    }
    return count;
}

static np_status choose_rows(np_finding *f, turns *t, uint32_t colours)
{
    uint32_t h = (t->rows + 1) / 2, groups = (colours + h - 1) / h;
    for (uint32_t v = 0; v < t->columns; v++)
        t->end[v] = t->begin[v];
    for (uint32_t e = 0; e < t->edges; e++)
        t->via[e] = NONE;
    for (uint32_t g = groups; g > 0 && !atomic_load(&f->stop); g--) {
        uint32_t left = take_group(t, (g - 1) * h);
        for (uint32_t x = 0; x < t->rows && left; x++)
            left -= match(t, x);
        if (left)
            return NP_RAISE(NP_ERROR_INTERNAL, "%u packets of a group have no row to go by", left);
        np_finding_tell(f, (np_node)((uint64_t)(groups - g) * (t->network->nodes - 1) / groups));
    }
    return NP_OK;
}

/* ---- The paths ---- */

static uint32_t go(np_port *port, uint32_t hops, uint32_t from, uint32_t to, np_port less, np_port more)
{
    for (uint32_t k = np_grid_between(from, to); k > 0; k--)
        port[hops++] = from < to ? more : less;
    return hops;
}

static void keep(np_finding *f, const turns *t, uint32_t i, uint32_t via)
{
    np_node from = t->demand->from[i], to = t->demand->to[i];
    np_port *port = f->routes->seeker[0].port;
    uint32_t hops = go(port, 0, row_of(t, from), via, NP_GRID_UP, NP_GRID_DOWN);
    hops = go(port, hops, column_of(t, from), column_of(t, to), NP_GRID_LEFT, NP_GRID_RIGHT);
    np_finding_keep(f, i, go(port, hops, via, row_of(t, to), NP_GRID_UP, NP_GRID_DOWN), port);
}

static np_status find(np_finding *f, turns *t)
{
    uint32_t colours = 0;
    np_status st;
    list_edges(t);
    np_bipartite graph = {t->columns, t->columns, t->edges, t->left, t->right};
    if ((st = np_bipartite_colour(&graph, &colours, t->old)) || (st = sort_edges(t, colours)) ||
        (st = choose_rows(f, t, colours)))
        return st;
    for (size_t i = 0; i < t->demand->count; i++)
        if (t->demand->from[i] != t->demand->to[i] &&
            column_of(t, t->demand->from[i]) == column_of(t, t->demand->to[i]))
            keep(f, t, (uint32_t)i, row_of(t, t->demand->to[i]));
    for (uint32_t e = 0; e < t->edges && !atomic_load(&f->stop); e++)
        keep(f, t, t->packet[e], t->via[e]);
    return NP_OK;
}

static void pass(np_finding *f)
{
    turns t = sizes_of(f->routes->graph->network, f->demand->count);
    t.demand = f->demand;
    np_status st = np_arena_place(&t, layout, "the rows of packets", &t.block);
    if (!st)
        st = find(f, &t);
    np_memory_free(t.block);
    if (st)
        np_finding_fail(f, st);
}

const np_path_rule np_path_spread_turns = {
    .info = {"spread-turns", "column, row, column: at most two packets of a permutation turn at a node",
             "after Sibeyn, lecture notes, routing; Galvin 1995", .networks = "mesh of two dimensions"},
    .refuses = np_submeshes_refuses,
    .chooser = &(const np_chooser){.together = true, .pass = pass, .bytes = bytes, .within = true},
    .start = np_routes_start,
    .next = np_routes_next,
    .remaining = np_routes_remaining,
};
