/*
 * Edge colourings of bipartite multigraphs. Off-line routing uses them: a
 * colour is an intermediate place of a packet.
 *
 * The graph is made d-regular, with as many nodes on the left as on the right.
 * Then it is taken apart.
 *
 *   d even  An Euler split (Gabow 1976). At every node the edges are paired up.
 *           Each edge is in one pair on the left and in one pair on the right,
 *           so the pairs link the edges to cycles. Left and right pairs
 *           alternate on a cycle, so its length is even. Every second edge goes
 *           to one half, and both halves are d/2-regular.
 *   d odd   A perfect matching gets a colour; an even degree remains. Random
 *           walks find the matching (Goel, Kapralov & Khanna 2010, section 2).
 *           A walk starts at a random unmatched node on the left. It takes a
 *           random edge to the right, returns by the matched edge there, and so
 *           on, until it reaches an unmatched node on the right. The walk
 *           without its loops is an augmenting path. With j of n nodes matched
 *           its expected length is at most 2 + n / (n - j), so a matching takes
 *           O(n log n), however many edges there are.
 *
 * An Euler split costs O(1) an edge, and a graph is split log d times. Every
 * part of odd degree takes one matching: a graph of m edges takes at most m / n
 * matchings. The expected sum is O(m log d + m log n). The walks draw from a
 * fixed seed: the colouring is a function of the graph.
 *
 * Irregular graphs are made regular as in Gabow & Kariv 1982. Neighbouring
 * nodes become one node while their degrees add up to at most d: at most
 * 2m/d + 1 nodes remain. Then edges are added until every node has degree d: at
 * most 2m + d edges in all.
 *
 * Symbols: n nodes a side, d degree, m = n d edges. Invariant: in a part of
 * degree d that begins at slot `first`, the edges of left node u are the slots
 * first + u d .. first + u d + d-1.
 */
#include "papers/offline/colouring.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/random.h"

static const uint32_t NONE = UINT32_MAX, EDGES_MAX = INT32_MAX;

/* A regular graph that is being taken apart. */
typedef struct parts {
    uint32_t nodes, slots;  /* n, m */
    void *memory;           /* the arrays */
    uint32_t *right, *edge; /* [m] by slot: the right end, the edge's number */
    uint32_t *spare[2];     /* [m / 2 + 1] right end and edge of the half that is written last */
    uint32_t *mate;         /* [m] by slot: the other edge of its pair on the right */
    uint8_t *second;        /* [m] by slot: which half; also 2: not yet known */
    uint32_t *matched_slot; /* [n] of a left node */
    uint32_t *matched_left; /* [n] of a right node */
    uint32_t *chosen;       /* [n] by left node: the slot by which a walk left it last */
    uint32_t *order;        /* [n] left nodes in random order; for pairs: a right node's slot that has no mate yet */
    np_draws draws;
    uint32_t draw, block[4]; /* random words: block[draw % 4] is next */
    uint32_t *colour;
} parts;

np_status np_bipartite_degree(const np_bipartite *graph, uint32_t *degree)
{
    uint32_t *count, most = 0;
    size_t nodes = (size_t)graph->left_nodes + graph->right_nodes;
    np_status st = np_memory_zeroed(&count, nodes, sizeof *count, "the nodes' degrees");
    for (uint32_t e = 0; e < graph->edges && !st; e++) {
        uint32_t a = ++count[graph->left[e]], b = ++count[graph->left_nodes + graph->right[e]];
        most = a > most ? a : most;
        most = b > most ? b : most;
    }
    np_memory_free(count);
    *degree = most;
    return st;
}

/* ---- d even: the Euler split ---- */

/* Pairs on the left are slots first + 2i, first + 2i+1: as d is even none straddles two nodes. */
static uint32_t left_mate(uint32_t first, uint32_t s) { return first + ((s - first) ^ 1); }

static void pair_right(parts *p, uint32_t first, uint32_t slots)
{
    uint32_t *waits = p->order;
    memset(waits, 0xff, p->nodes * sizeof *waits);
    for (uint32_t s = first; s < first + slots; s++) {
        uint32_t v = p->right[s], other = waits[v];
        if (other == NONE) {
            waits[v] = s;
        } else {
            p->mate[s] = other;
            p->mate[other] = s;
            waits[v] = NONE;
        }
    }
}

static void walk_cycles(parts *p, uint32_t first, uint32_t slots)
{
    memset(p->second + first, 2, slots);
    for (uint32_t begin = first; begin < first + slots; begin += 2)
        for (uint32_t s = begin; p->second[s] == 2; s = p->mate[left_mate(first, s)]) {
            p->second[s] = 0;
            p->second[left_mate(first, s)] = 1;
        }
}

/* The halves become slots first .. and first + slots/2 ..; in both, the edges of a left node stay together. */
static void part_halves(parts *p, uint32_t first, uint32_t slots)
{
    uint32_t count[2] = {0, 0};
    uint32_t *right[2] = {p->right + first, p->spare[0]}, *edge[2] = {p->edge + first, p->spare[1]};
    for (uint32_t s = first; s < first + slots; s++) {
        uint32_t v = p->right[s], e = p->edge[s], half = p->second[s];
        right[half][count[half]] = v; /* at slot s or before it: nothing unread is overwritten */
        edge[half][count[half]++] = e;
    }
    memcpy(p->right + first + slots / 2, right[1], slots / 2 * sizeof *right[1]);
    memcpy(p->edge + first + slots / 2, edge[1], slots / 2 * sizeof *edge[1]);
}

/* ---- d odd: a perfect matching by random walks ---- */

static uint32_t random_below(parts *p, uint32_t bound)
{
    if (p->draw % 4 == 0)
        np_random_block(&p->draws, p->draw / 4, 0, p->block);
    return (uint32_t)((uint64_t)p->block[p->draw++ % 4] * bound >> 32);
}

static void shuffle(parts *p)
{
    for (uint32_t u = 0; u < p->nodes; u++) {
        uint32_t i = random_below(p, u + 1);
        p->order[u] = p->order[i];
        p->order[i] = u;
    }
}

/* Walks from u to an unmatched node on the right; chosen[] leads from u there. */
static void walk(parts *p, uint32_t first, uint32_t d, uint32_t u)
{
    for (;;) {
        uint32_t matched = p->matched_slot[u], begin = first + u * d;
        uint32_t s = begin + random_below(p, matched == NONE ? d : d - 1);
        s += matched != NONE && s >= matched; /* any but that one */
        p->chosen[u] = s;
        if (p->matched_left[p->right[s]] == NONE)
            return;
        u = p->matched_left[p->right[s]];
    }
}

/* From each node takes the edge by which the walk left it last: this skips the walk's loops. */
static void augment(parts *p, uint32_t u)
{
    while (u != NONE) {
        uint32_t v = p->right[p->chosen[u]], next = p->matched_left[v];
        p->matched_slot[u] = p->chosen[u];
        p->matched_left[v] = u;
        u = next;
    }
}

static void match(parts *p, uint32_t first, uint32_t d)
{
    shuffle(p);
    memset(p->matched_slot, 0xff, p->nodes * sizeof *p->matched_slot);
    memset(p->matched_left, 0xff, p->nodes * sizeof *p->matched_left);
    for (uint32_t i = 0; i < p->nodes; i++) {
        walk(p, first, d, p->order[i]);
        augment(p, p->order[i]);
    }
}

/* The part at `first` has degree d and a matching: colours the matching; a part of degree d-1 remains there. */
static void take_matching(parts *p, uint32_t first, uint32_t d, uint32_t colour)
{
    uint32_t to = first;
    for (uint32_t u = 0; u < p->nodes; u++)
        for (uint32_t s = first + u * d; s < first + u * d + d; s++) {
            if (s == p->matched_slot[u]) {
                p->colour[p->edge[s]] = colour;
            } else {
                p->right[to] = p->right[s];
                p->edge[to++] = p->edge[s];
            }
        }
}

/* ---- Together ---- */

/* Colours colour .. colour + d-1 for the part at `first`. */
static void take_apart(parts *p, uint32_t first, uint32_t d, uint32_t colour)
{
    if (d % 2 && d > 1) {
        match(p, first, d);
        take_matching(p, first, d--, colour++);
    }
    uint32_t slots = p->nodes * d;
    if (d <= 1) {
        for (uint32_t s = first; s < first + slots; s++)
            p->colour[p->edge[s]] = colour;
        return;
    }
    pair_right(p, first, slots);
    walk_cycles(p, first, slots);
    part_halves(p, first, slots);
    take_apart(p, first, d / 2, colour);
    take_apart(p, first + slots / 2, d / 2, colour + d / 2);
}

static void layout_parts(void *object, np_arena *arena)
{
    static const char what[] = "an edge colouring";
    parts *p = object;
    NP_ARENA_WORDS(arena, p->slots, what, &p->right, &p->edge);
    np_arena_array(arena, &p->spare[0], p->slots / 2 + 1, sizeof *p->spare[0], what);
    np_arena_array(arena, &p->spare[1], p->slots / 2 + 1, sizeof *p->spare[1], what);
    np_arena_array(arena, &p->mate, p->slots, sizeof *p->mate, what);
    np_arena_array(arena, &p->second, p->slots, sizeof *p->second, what);
    NP_ARENA_WORDS(arena, p->nodes, what, &p->matched_slot, &p->matched_left, &p->chosen);
    np_arena_zeroed(arena, &p->order, p->nodes, sizeof *p->order, what);
}

/* Colours a regular graph with as many nodes on both sides. A counting sort puts each left node's edges together. */
static np_status colour_regular(const np_bipartite *graph, uint32_t d, uint32_t *colour)
{
    parts p = {
        .nodes = graph->left_nodes, .slots = graph->edges, .colour = colour, .draws = {.purpose = NP_RANDOM_COLOUR}};
    np_status st = np_arena_place(&p, layout_parts, "an edge colouring", &p.memory);
    if (!st) {
        for (uint32_t e = 0; e < graph->edges; e++) {
            uint32_t u = graph->left[e], s = u * d + p.order[u]++;
            p.right[s] = graph->right[e];
            p.edge[s] = e;
        }
        take_apart(&p, 0, d, 0);
    }
    np_memory_free(p.memory);
    return st;
}

/* ---- Irregular graphs ---- */

/*
 * Joins neighbouring nodes of one side while their degrees add up to at most d.
 *
 * @param node    [nodes] receives the joined node of each node
 * @param degree  [nodes] the degrees of the nodes; receives the degrees of the joined nodes
 * @param joined  receives the number of joined nodes
 */
static void join(uint32_t nodes, uint32_t d, uint32_t *node, uint32_t *degree, uint32_t *joined)
{
    uint32_t last = 0, sum = 0;
    for (uint32_t u = 0; u < nodes; u++) {
        uint32_t own = degree[u];
        if (sum + own > d) {
            degree[last++] = sum;
            sum = 0;
        }
        sum += own;
        node[u] = last;
    }
    degree[last] = sum;
    *joined = last + 1;
}

/* A regular graph whose first edges are the given ones. At most as many nodes as it has places are joined. */
typedef struct padded {
    size_t places, room;             /* nodes and edges that there is room for */
    void *block;                     /* the arrays */
    uint32_t *node[2], *degree[2];   /* [places + 1] by side */
    uint32_t *left, *right, *colour; /* [room] */
    uint32_t nodes, edges;
} padded;

static void layout_padded(void *object, np_arena *arena)
{
    static const char what[] = "a padded graph";
    padded *p = object;
    for (int side = 0; side < 2; side++) {
        np_arena_zeroed(arena, &p->degree[side], p->places + 1, sizeof *p->degree[side], what);
        np_arena_array(arena, &p->node[side], p->places + 1, sizeof *p->node[side], what);
    }
    NP_ARENA_WORDS(arena, p->room, what, &p->left, &p->right, &p->colour);
}

static void join_sides(const np_bipartite *graph, uint32_t d, padded *p)
{
    const uint32_t nodes[2] = {graph->left_nodes, graph->right_nodes}, *end[2] = {graph->left, graph->right};
    for (int side = 0; side < 2; side++) {
        uint32_t joined;
        for (uint32_t e = 0; e < graph->edges; e++)
            p->degree[side][end[side][e]]++;
        join(nodes[side], d, p->node[side], p->degree[side], &joined);
        memset(p->degree[side] + joined, 0, (p->places + 1 - joined) * sizeof *p->degree[side]);
        p->nodes = joined > p->nodes ? joined : p->nodes;
    }
}

/* The most edges of the padded graph: the head of this file. */
static uint64_t padded_edges(uint64_t edges, uint64_t d) { return 2 * edges + d; }

static np_status pad(const np_bipartite *graph, uint32_t d, padded *p)
{
    uint64_t most = padded_edges(graph->edges, d);
    np_status st;
    if (most > EDGES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "an edge colouring of %llu edges, with those of padding: at most %u",
                        (unsigned long long)most, EDGES_MAX);
    p->places = graph->left_nodes > graph->right_nodes ? graph->left_nodes : graph->right_nodes;
    p->room = (size_t)most;
    if ((st = np_arena_place(p, layout_padded, "a padded graph", &p->block)))
        return st;
    join_sides(graph, d, p);
    p->edges = p->nodes * d;
    for (uint32_t e = 0; e < graph->edges; e++) {
        p->left[e] = p->node[0][graph->left[e]];
        p->right[e] = p->node[1][graph->right[e]];
    }
    for (uint32_t e = graph->edges, u = 0, v = 0; e < p->edges; e++) {
        while (p->degree[0][u] == d)
            u++;
        while (p->degree[1][v] == d)
            v++;
        p->degree[0][p->left[e] = u]++;
        p->degree[1][p->right[e] = v]++;
    }
    return NP_OK;
}

static np_status colour_padded(const np_bipartite *graph, uint32_t d, uint32_t *colour)
{
    padded p = {.nodes = 0};
    np_status st = pad(graph, d, &p);
    if (!st) {
        np_bipartite regular = {p.nodes, p.nodes, p.edges, p.left, p.right};
        st = colour_regular(&regular, d, p.colour);
    }
    if (!st)
        memcpy(colour, p.colour, graph->edges * sizeof *colour);
    np_memory_free(p.block);
    return st;
}

uint64_t np_bipartite_bytes(uint32_t nodes, uint64_t edges, uint64_t degree)
{
    bool regular = nodes * degree == edges;
    uint64_t most = regular ? edges : padded_edges(edges, degree);
    uint64_t slots = most < nodes * degree ? most : nodes * degree;
    padded p = {.places = nodes, .room = most};
    parts taken = {.nodes = nodes, .slots = slots > EDGES_MAX ? EDGES_MAX : (uint32_t)slots};
    return np_arena_bytes(&taken, 0, layout_parts) + (regular ? 0 : np_arena_bytes(&p, 0, layout_padded));
}

np_status np_bipartite_colour(const np_bipartite *graph, uint32_t *colours, uint32_t *colour)
{
    np_status st;
    *colours = 0;
    if (graph->edges > EDGES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "an edge colouring of %u edges: at most %u", graph->edges, EDGES_MAX);
    if ((st = np_bipartite_degree(graph, colours)) || !graph->edges)
        return st;
    bool regular = graph->left_nodes == graph->right_nodes &&
                   (uint64_t)graph->left_nodes * *colours == graph->edges; /* then no degree is less */
    return regular ? colour_regular(graph, *colours, colour) : colour_padded(graph, *colours, colour);
}

/* What the check of one side needs. */
typedef struct side {
    uint32_t nodes, edges, colours;
    void *block;
    uint32_t *row;   /* [nodes + 2] */
    uint32_t *order; /* [edges] by node */
    uint32_t *seen;  /* [colours] the last edge of each */
} side;

static void layout_side(void *object, np_arena *arena)
{
    side *s = object;
    np_arena_zeroed(arena, &s->row, (size_t)s->nodes + 2, sizeof *s->row, "the colours of a node");
    np_arena_array(arena, &s->order, s->edges, sizeof *s->order, "the colours of a node");
    np_arena_array(arena, &s->seen, s->colours, sizeof *s->seen, "the colours of a node");
}

/* Checks one side: sorts the edges by node, then compares the colours at each node. */
static np_status check_side(uint32_t nodes, uint32_t edges, const uint32_t *end, uint32_t colours,
                            const uint32_t *colour, const char *name)
{
    side s = {.nodes = nodes, .edges = edges, .colours = colours};
    np_status st = np_arena_place(&s, layout_side, "the colours of a node", &s.block);
    if (st)
        return st;
    for (uint32_t e = 0; e < edges; e++)
        s.row[end[e] + 2]++;
    for (uint32_t u = 0; u < nodes; u++)
        s.row[u + 2] += s.row[u + 1];
    for (uint32_t e = 0; e < edges; e++)
        s.order[s.row[end[e] + 1]++] = e;
    memset(s.seen, 0xff, colours * sizeof *s.seen);
    for (uint32_t i = 0; i < edges && !st; i++) {
        uint32_t e = s.order[i], c = colour[e];
        if (c >= colours)
            st = NP_RAISE(NP_ERROR_INTERNAL, "edge %u has colour %u of %u", e, c, colours);
        else if (s.seen[c] != NONE && end[s.seen[c]] == end[e])
            st = NP_RAISE(NP_ERROR_INTERNAL, "edges %u and %u share %s node %u and colour %u", s.seen[c], e, name,
                          end[e], c);
        else
            s.seen[c] = e;
    }
    np_memory_free(s.block);
    return st;
}

np_status np_bipartite_check(const np_bipartite *graph, uint32_t colours, const uint32_t *colour)
{
    np_status st = check_side(graph->left_nodes, graph->edges, graph->left, colours, colour, "left");
    return st ? st : check_side(graph->right_nodes, graph->edges, graph->right, colours, colour, "right");
}
