/*
 * Is a network node-symmetric: does some automorphism take any node to any
 * other? An automorphism is a permutation of the nodes that keeps the number
 * of links from each node to each other; ports may change.
 *
 * Every node then has as many links as any other: a network that is not regular
 * needs no search. Else:
 *
 * Colours: two copies of the network are coloured alike, but node 0 of the
 * first and node v of the second get a colour of their own. A node's next
 * colour is made from its colour and those of its neighbours, each direction
 * apart; rounds go on while the number of colours grows (colour refinement). An
 * automorphism that takes 0 to v keeps all colours, so if the copies differ in
 * how often some colour occurs there is none. If every node has a colour of its
 * own, the colours give the only candidate, which is then tried link by link.
 * Else take the rarest colour that several nodes share: one of its nodes gets a
 * colour of its own in the first copy, and each of its nodes in turn gets the
 * same new colour in the second copy: backtracking.
 *
 * Colours are hashes that do not depend on the numbers of nodes: two colours
 * that collide make the search longer, never wrong. A yes is an automorphism
 * that was checked, a no is a search that was exhausted.
 *
 * Automorphisms found are joined: a node to which they take 0, in any number of
 * steps, needs no search of its own (union-find).
 */
#include "model/network/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"

static const char more_kinds[] = "nodes differ in the number of their links";
static const char no_automorphism[] = "no automorphism takes node 0 to some other node, by exhaustive search";
static const char by_automorphisms[] = "automorphisms found by search take node 0 to every node";
static const char search_too_long[] = "not measured: the search for automorphisms takes more than the effort allowed";

enum {
    ROUNDS_MIN = 4,  /* ours: with less effort than for so many rounds the search is not begun */
    LEVELS_MAX = 512 /* ours: the search goes no deeper. Each level takes stack, and two colours a node */
};

typedef enum verdict { NONE, FOUND, GIVEN_UP } verdict;

typedef struct symmetry {
    size_t links, ports;                          /* of the network */
    void *block;                                  /* the arrays, but in_row */
    uint32_t nodes, *out_row, *out, *in_row, *in; /* the links; of each node the heads ascend */
    uint64_t left, effort;                        /* of the effort, and all of it */
    unsigned level;                               /* of the recursion */
    const np_search *search;
    uint64_t *forth, *back, *scratch; /* [nodes] */
    np_keyed *sorted[2];              /* [nodes] a copy's nodes by colour */
    np_node *map, *images;            /* [nodes], [largest out-degree] */
    np_node *orbit;                   /* [nodes] union-find */
    np_status status;                 /* of the allocations in the search */
} symmetry;

static inline uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the search for automorphisms";
    symmetry *s = object;
    np_arena_array(arena, &s->out_row, (size_t)s->nodes + 1, sizeof *s->out_row, what);
    NP_ARENA_WORDS(arena, s->links, what, &s->out, &s->in);
    np_arena_array(arena, &s->forth, s->nodes, sizeof *s->forth, what);
    np_arena_array(arena, &s->back, s->nodes, sizeof *s->back, what);
    np_arena_array(arena, &s->scratch, s->nodes, sizeof *s->scratch, what);
    np_arena_array(arena, &s->sorted[0], s->nodes, sizeof *s->sorted[0], what);
    np_arena_array(arena, &s->sorted[1], s->nodes, sizeof *s->sorted[1], what);
    NP_ARENA_WORDS(arena, s->nodes, what, &s->map, &s->orbit);
    np_arena_array(arena, &s->images, s->ports, sizeof *s->images, what);
}

static np_status init(symmetry *s, const np_search *search, uint64_t effort)
{
    const np_network *network = search->network;
    uint32_t end = 0;
    *s = (symmetry){.links = (size_t)network->links,
                    .ports = network->ports,
                    .nodes = network->nodes,
                    .left = effort,
                    .effort = effort,
                    .search = search,
                    .in_row = search->in_row};
    np_status st = np_arena_place(s, layout, "the search for automorphisms", &s->block);
    if (st)
        return st;
    for (np_node u = 0; u < s->nodes; u++) {
        np_link last = np_network_first_link(network, u + 1);
        s->out_row[u] = end;
        for (np_link link = np_network_first_link(network, u); link < last; link++)
            if (search->head[link] != NP_NONE)
                s->out[end++] = search->head[link];
        qsort(s->out + s->out_row[u], end - s->out_row[u], sizeof *s->out, np_order_numbers);
        s->orbit[u] = u;
    }
    s->out_row[s->nodes] = end;
    np_network_tails(network, s->links, search->in, s->in);
    return NP_OK;
}

/* False once the effort is spent. */
static bool spend(symmetry *s, uint64_t visits)
{
    np_search_tell(s->search, "automorphisms", 1 - (double)s->left / (double)s->effort);
    s->left -= visits < s->left ? visits : s->left;
    return s->left > 0;
}

/* One round: every colour from the old ones around it. */
static void recolour(symmetry *s, uint64_t *colour)
{
    for (np_node u = 0; u < s->nodes; u++) {
        s->forth[u] = mix(colour[u] + UINT64_C(0x9e3779b97f4a7c15));
        s->back[u] = mix(colour[u] + UINT64_C(0xd1b54a32d192ed03));
    }
    for (np_node u = 0; u < s->nodes; u++) {
        uint64_t sum = colour[u];
        for (uint32_t j = s->out_row[u]; j < s->out_row[u + 1]; j++)
            sum += s->forth[s->out[j]];
        for (uint32_t j = s->in_row[u]; j < s->in_row[u + 1]; j++)
            sum += s->back[s->in[j]];
        s->scratch[u] = mix(sum);
    }
    memcpy(colour, s->scratch, s->nodes * sizeof *colour);
}

/* Sorts a copy's nodes by colour. Returns the number of colours. */
static uint32_t sort(symmetry *s, const uint64_t *colour, np_keyed *sorted)
{
    uint32_t colours = 1;
    for (np_node u = 0; u < s->nodes; u++)
        sorted[u] = (np_keyed){colour[u], u};
    qsort(sorted, s->nodes, sizeof *sorted, np_order_keyed);
    for (uint32_t i = 1; i < s->nodes; i++)
        colours += sorted[i].key != sorted[i - 1].key;
    return colours;
}

static bool alike(const symmetry *s)
{
    for (uint32_t i = 0; i < s->nodes; i++)
        if (s->sorted[0][i].key != s->sorted[1][i].key)
            return false;
    return true;
}

/* What a round costs: both copies' links, and the sorting, where a comparison counts as two visits. */
static uint64_t round_visits(uint64_t nodes, uint64_t links)
{
    uint64_t bits = 1;
    while (nodes >> bits)
        bits++;
    return 4 * links + 4 * nodes * bits;
}

/* Refines both copies; false if they differ or the effort is spent. *colours = how many there are. */
static bool refine(symmetry *s, uint64_t *first, uint64_t *second, uint32_t *colours)
{
    uint64_t visits = round_visits(s->nodes, s->out_row[s->nodes]);
    *colours = 0;
    for (;;) {
        uint32_t now = sort(s, first, s->sorted[0]);
        sort(s, second, s->sorted[1]);
        if (!spend(s, visits) || !alike(s))
            return false;
        if (now <= *colours || now == s->nodes) {
            *colours = now > *colours ? now : *colours;
            return true;
        }
        *colours = now;
        recolour(s, first);
        recolour(s, second);
    }
}

/* Does the map, node by node of the same place in both sorted lists, keep the links? */
static bool keeps_links(symmetry *s)
{
    for (uint32_t i = 0; i < s->nodes; i++)
        s->map[s->sorted[0][i].item] = s->sorted[1][i].item;
    for (np_node u = 0; u < s->nodes; u++) {
        uint32_t degree = s->out_row[u + 1] - s->out_row[u], image = s->map[u];
        if (s->out_row[image + 1] - s->out_row[image] != degree)
            return false;
        for (uint32_t j = 0; j < degree; j++)
            s->images[j] = s->map[s->out[s->out_row[u] + j]];
        qsort(s->images, degree, sizeof *s->images, np_order_numbers);
        if (memcmp(s->images, s->out + s->out_row[image], degree * sizeof *s->images))
            return false;
    }
    return true;
}

/* The first and one past the last place of the rarest colour that is shared. */
static void rarest(const symmetry *s, uint32_t *first, uint32_t *end)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0, j; i < s->nodes; i = j) {
        for (j = i + 1; j < s->nodes && s->sorted[0][j].key == s->sorted[0][i].key;)
            j++;
        if (j - i > 1 && j - i < least) {
            least = j - i;
            *first = i;
            *end = j;
        }
    }
}

static verdict match(symmetry *s, const uint64_t *first, const uint64_t *second, np_node u, np_node v);

/*
 * Tries all images of one node of a shared colour. Those that continue a
 * rotation of the node numbers by `shift` come first: families have many.
 */
static verdict branch(symmetry *s, const uint64_t *first, const uint64_t *second, uint32_t shift)
{
    uint32_t begin = 0, end = 0, count, start = 0;
    np_node u, *candidate;
    verdict v = NONE;
    if (s->level == LEVELS_MAX)
        return GIVEN_UP;
    rarest(s, &begin, &end);
    count = end - begin;
    u = s->sorted[0][begin].item;
    if ((s->status = np_memory_array(&candidate, count, sizeof *candidate, "the search for automorphisms")))
        return GIVEN_UP;
    np_node wish = (np_node)(((uint64_t)u + shift) % s->nodes);
    for (uint32_t i = 0; i < count; i++) {
        candidate[i] = s->sorted[1][begin + i].item;
        start += candidate[i] < wish;
    }
    s->level++;
    for (uint32_t i = 0; i < count && v == NONE; i++)
        v = match(s, first, second, u, candidate[(start + i) % count]);
    s->level--;
    np_memory_free(candidate);
    return v;
}

/* Is there an automorphism that keeps the colours and takes u to v? Then it is left in s->map. */
static verdict match(symmetry *s, const uint64_t *first, const uint64_t *second, np_node u, np_node v)
{
    static const char what[] = "the search for automorphisms";
    uint64_t *a = NULL, *b = NULL;
    uint32_t colours;
    verdict found = NONE;
    if ((s->status = np_memory_array(&a, s->nodes, sizeof *a, what)) ||
        (s->status = np_memory_array(&b, s->nodes, sizeof *b, what))) {
        np_memory_free(a);
        return GIVEN_UP;
    }
    memcpy(a, first, s->nodes * sizeof *a);
    memcpy(b, second, s->nodes * sizeof *b);
    a[u] = b[v] = mix(a[u] + 1);
    if (!refine(s, a, b, &colours))
        found = s->left ? NONE : GIVEN_UP;
    else if (colours == s->nodes)
        found = keeps_links(s) ? FOUND : NONE;
    else
        found = branch(s, a, b, (v + s->nodes - u) % s->nodes);
    NP_MEMORY_FREE(a, b);
    return found;
}

static np_node root(symmetry *s, np_node u)
{
    while (s->orbit[u] != u)
        u = s->orbit[u] = s->orbit[s->orbit[u]];
    return u;
}

static void join_orbits(symmetry *s)
{
    for (np_node u = 0; u < s->nodes; u++) {
        np_node a = root(s, u), b = root(s, s->map[u]);
        s->orbit[a > b ? a : b] = a > b ? b : a; /* 0 stays a root */
    }
}

static verdict all_alike(symmetry *s, np_figure *figure)
{
    uint64_t *colour;
    verdict found = FOUND;
    if ((s->status = np_memory_zeroed(&colour, s->nodes, sizeof *colour, "the search for automorphisms")))
        return GIVEN_UP;
    for (np_node v = 1; v < s->nodes && found == FOUND; v++) {
        if (root(s, v) == 0)
            continue;
        found = match(s, colour, colour, 0, v);
        if (found == FOUND)
            join_orbits(s);
        else if (found == NONE)
            figure->note = no_automorphism;
    }
    np_memory_free(colour);
    return found;
}

np_status np_symmetry_measure(const np_search *search, uint64_t effort, np_network_facts *facts)
{
    symmetry s;
    np_figure *figure = &facts->symmetry;
    if (!facts->regular) {
        figure->measured_known = true;
        figure->note = more_kinds;
        return NP_OK;
    }
    figure->note = search_too_long;
    figure->needs = ROUNDS_MIN * round_visits(search->network->nodes, search->network->links);
    if (effort < figure->needs)
        return NP_OK;
    figure->needs = 0; /* no longer known: it depends on where the search goes */
    np_status st = init(&s, search, effort);
    if (!st) {
        figure->note = by_automorphisms;
        verdict v = all_alike(&s, figure);
        st = s.status;
        figure->measured_known = v != GIVEN_UP;
        figure->measured = v == FOUND;
        if (v == GIVEN_UP)
            figure->note = search_too_long;
    }
    np_memory_free(s.block);
    return st;
}
