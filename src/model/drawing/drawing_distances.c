/*
 * Any network by its distances: two nodes are drawn as far apart, as nearly as the plane allows, as they have hops
 * between them, where links are crossed both ways.
 *
 * Pivots are nodes from which all distances are searched: each the farthest from those before it (Gonzalez 1985), all
 * nodes if there are at most PIVOTS_MAX. First, classical scaling on the distances to the pivots (Brandes & Pich 2007,
 * "Eigensolver methods for progressive multidimensional scaling of large data"): with D(u, p) the squares of the
 * distances, less the means of their rows and columns, the places are D times the two leading eigenvectors of D'D, by
 * power iteration. Then the places are moved, pair by pair, towards their distance (Zheng, Pawar & Goodman 2019, "Graph
 * drawing by stochastic gradient descent"); the pairs are the links, and each node with each pivot, in a fixed order.
 *
 * Nodes with the same distances to all pivots would stand in one place: each node begins with a small shift of its own.
 */
#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/random.h"
#include "model/drawing/drawing.h"

enum {
    PIVOTS_MAX = 200,
    POWER_STEPS = 100,
    ROUNDS = 40,
    WORK_MAX = 40 * 1000 * 1000 /* pairs moved in all rounds, about */
};
static const double SHIFT = 0.1;

typedef struct drawing {
    np_node nodes;
    uint32_t pivots;
    uint32_t *row, *near;   /* [nodes + 1], [2 links] the neighbours of a node, by links out of it and into it */
    uint32_t *distance;     /* [pivots * nodes] hops between pivot p and node u at p * nodes + u */
    uint32_t *queue, *gap;  /* [nodes] of a search; distance to the nearest pivot */
    np_node *pivot;         /* [pivots] */
    double *centred;        /* [pivots * nodes] */
    double *product;        /* [pivots * pivots] D'D */
    double *vector, *image; /* [2 * pivots] the eigenvectors; [pivots] */
    uint64_t ends;          /* of links */
    void *block;
} drawing;

static void layout(void *object, np_arena *arena)
{
    drawing *d = object;
    size_t table = (size_t)d->pivots * d->nodes;
    np_arena_zeroed(arena, &d->row, (size_t)d->nodes + 1, sizeof *d->row, "rows of neighbours");
    np_arena_array(arena, &d->near, (size_t)d->ends, sizeof *d->near, "neighbours");
    np_arena_array(arena, &d->distance, table, sizeof *d->distance, "distances");
    np_arena_array(arena, &d->queue, d->nodes, sizeof *d->queue, "a search");
    np_arena_array(arena, &d->gap, d->nodes, sizeof *d->gap, "distances to pivots");
    np_arena_array(arena, &d->pivot, d->pivots, sizeof *d->pivot, "pivots");
    np_arena_array(arena, &d->centred, table, sizeof *d->centred, "squares of distances");
    np_arena_array(arena, &d->product, (size_t)d->pivots * d->pivots, sizeof *d->product, "products");
    np_arena_array(arena, &d->vector, 2 * (size_t)d->pivots, sizeof *d->vector, "vectors");
    np_arena_array(arena, &d->image, d->pivots, sizeof *d->image, "a vector");
}

/* ---- Distances ---- */

/* Lists the neighbours, by links out of a node and into it. */
static void list_neighbours(drawing *d, const np_network *network)
{
    for (int pass = 0; pass < 2; pass++) {
        for (np_link l = 0; l < network->link_numbers; l++) {
            np_node to = np_network_link_head(network, l), from = np_network_link_tail(network, l);
            if (to == NP_NONE)
                continue;
            if (pass) {
                d->near[--d->row[from]] = to;
                d->near[--d->row[to]] = from;
            } else {
                d->row[from]++;
                d->row[to]++;
            }
        }
        for (np_node u = 0; !pass && u < d->nodes; u++)
            d->row[u + 1] += d->row[u]; /* the end of each; what is put in goes down to the first */
    }
}

/* Hops from a node; a node that no way leads to is farther than any other. */
static void search(drawing *d, np_node from, uint32_t *distance)
{
    np_node met = 1;
    for (np_node u = 0; u < d->nodes; u++)
        distance[u] = NP_NONE;
    distance[d->queue[0] = from] = 0;
    for (np_node i = 0; i < met; i++) {
        np_node u = d->queue[i];
        for (uint32_t k = d->row[u]; k < d->row[u + 1]; k++)
            if (distance[d->near[k]] == NP_NONE) {
                distance[d->near[k]] = distance[u] + 1;
                d->queue[met++] = d->near[k];
            }
    }
    uint32_t beyond = distance[d->queue[met - 1]] + 2;
    for (np_node u = 0; u < d->nodes; u++)
        distance[u] = distance[u] == NP_NONE ? beyond : distance[u];
}

static void search_from_pivots(drawing *d)
{
    np_node next = 0;
    for (np_node u = 0; u < d->nodes; u++)
        d->gap[u] = NP_NONE;
    for (uint32_t p = 0; p < d->pivots; p++) {
        uint32_t *distance = d->distance + (size_t)p * d->nodes;
        d->pivot[p] = next;
        search(d, next, distance);
        for (np_node u = 0; u < d->nodes; u++) {
            d->gap[u] = distance[u] < d->gap[u] ? distance[u] : d->gap[u];
            next = d->gap[u] > d->gap[next] || (u == 0) ? u : next;
        }
    }
}

/* ---- Classical scaling ---- */

/* The squares of distances, less the means over pivots and over nodes. */
static void centre(drawing *d)
{
    size_t nodes = d->nodes;
    for (size_t i = 0; i < d->pivots * nodes; i++)
        d->centred[i] = (double)d->distance[i] * d->distance[i];
    for (uint32_t p = 0; p < d->pivots; p++) {
        double sum = 0, *line = d->centred + p * nodes;
        for (size_t u = 0; u < nodes; u++)
            sum += line[u];
        for (size_t u = 0; u < nodes; u++)
            line[u] -= sum / nodes;
    }
    for (size_t u = 0; u < nodes; u++) {
        double sum = 0;
        for (uint32_t p = 0; p < d->pivots; p++)
            sum += d->centred[p * nodes + u];
        for (uint32_t p = 0; p < d->pivots; p++)
            d->centred[p * nodes + u] -= sum / d->pivots;
    }
}

static double dot(size_t count, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void normalize(size_t count, double *v)
{
    double length = sqrt(dot(count, v, v));
    for (size_t i = 0; i < count && length > 0; i++)
        v[i] /= length;
}

/* The two leading eigenvectors of D'D, by power iteration; the second stays at right angles to the first. */
static void find_vectors(drawing *d)
{
    uint32_t k = d->pivots;
    np_draws draws = {.purpose = NP_RANDOM_PLACE};
    for (uint32_t p = 0; p < k; p++)
        for (uint32_t q = 0; q < k; q++)
            d->product[p * k + q] = dot(d->nodes, d->centred + (size_t)p * d->nodes, d->centred + (size_t)q * d->nodes);
    for (uint32_t which = 0; which < 2; which++) {
        double *v = d->vector + which * k;
        for (uint32_t p = 0; p < k; p++)
            v[p] = np_random_below(&draws, p, which, 1 << 20) - 524288.0;
        for (int step = 0; step < POWER_STEPS; step++) {
            double along = which ? dot(k, v, d->vector) : 0;
            for (uint32_t p = 0; p < k; p++)
                v[p] -= which ? along * d->vector[p] : 0;
            normalize(k, v);
            for (uint32_t p = 0; p < k; p++)
                d->image[p] = dot(k, d->product + p * k, v);
            for (uint32_t p = 0; p < k; p++)
                v[p] = d->image[p];
        }
        normalize(k, v);
    }
}

static double coordinate(const drawing *d, np_node u, const double *vector)
{
    double sum = 0;
    for (uint32_t p = 0; p < d->pivots; p++)
        sum += d->centred[(size_t)p * d->nodes + u] * vector[p];
    return sum;
}

/* Places by the two vectors, of such a size that the mean distance to the pivots is right; each node a little aside. */
static void scale(drawing *d, np_point *place)
{
    double want = 0, have = 0;
    np_draws draws = {.purpose = NP_RANDOM_PLACE, .phase = 1};
    for (np_node u = 0; u < d->nodes; u++)
        place[u] = (np_point){coordinate(d, u, d->vector), coordinate(d, u, d->vector + d->pivots)};
    for (uint32_t p = 0; p < d->pivots; p++)
        for (np_node u = 0; u < d->nodes; u++) {
            double x = place[u].x - place[d->pivot[p]].x, y = place[u].y - place[d->pivot[p]].y;
            have += sqrt(x * x + y * y);
            want += d->distance[(size_t)p * d->nodes + u];
        }
    for (np_node u = 0; u < d->nodes; u++) {
        place[u].x = place[u].x * (have > 0 ? want / have : 1) + SHIFT * np_random_below(&draws, u, 0, 1024) / 1024;
        place[u].y = place[u].y * (have > 0 ? want / have : 1) + SHIFT * np_random_below(&draws, u, 1, 1024) / 1024;
    }
}

/* ---- Descent ---- */

/* Moves both nodes towards their distance, by a share of what is wrong: at most half of it each. */
static void move(np_point *a, np_point *b, double want, double rate)
{
    double x = a->x - b->x, y = a->y - b->y, have = sqrt(x * x + y * y);
    double share = rate / (want * want) < 1 ? rate / (want * want) : 1;
    double by = have > 0 ? share * (have - want) / (2 * have) : 0;
    a->x -= by * x;
    a->y -= by * y;
    b->x += by * x;
    b->y += by * y;
}

static void descend(drawing *d, np_point *place)
{
    double work = (double)d->pivots * d->nodes + (double)d->ends, rate = 4, most = WORK_MAX / work;
    int rounds = most < 1 ? 1 : most < ROUNDS ? (int)most : ROUNDS;
    for (int round = 0; round < rounds; round++, rate *= 0.85) {
        for (uint32_t p = 0; p < d->pivots; p++)
            for (np_node u = 0; u < d->nodes; u++)
                if (u != d->pivot[p])
                    move(&place[u], &place[d->pivot[p]], d->distance[(size_t)p * d->nodes + u], rate);
        for (np_node u = 0; u < d->nodes; u++)
            for (uint32_t k = d->row[u]; k < d->row[u + 1]; k++)
                if (d->near[k] > u)
                    move(&place[u], &place[d->near[k]], 1, rate);
    }
}

static np_status place(const np_network *network, np_point *place)
{
    drawing d = {.nodes = network->nodes,
                 .pivots = network->nodes < PIVOTS_MAX ? network->nodes : PIVOTS_MAX,
                 .ends = 2 * network->links};
    np_status st = np_arena_place(&d, layout, "a drawing", &d.block);
    if (st)
        return st;
    list_neighbours(&d, network);
    search_from_pivots(&d);
    centre(&d);
    find_vectors(&d);
    scale(&d, place);
    descend(&d, place);
    np_memory_free(d.block);
    return NP_OK;
}

const np_drawing np_drawing_distances = {
    .info = {"distances", "any network: nodes are as far apart as they have hops between them",
             "Brandes & Pich 2007; Zheng, Pawar & Goodman 2019"},
    .place = place,
};
