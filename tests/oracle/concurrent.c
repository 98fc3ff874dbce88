/*
 * Variables: f, and a flow for each simple path of each demand. Constraints, all "at most":
 *
 *     amount f - sum of the flows of the demand's paths <= 0     a row for each demand
 *     sum of the flows of the paths over a pair of nodes <= links from the one to the other
 *
 * The flow 0 is feasible, so the slack variables are the first basis. Bland's rule, so that no basis comes twice.
 */
#include "oracle/concurrent.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "support.h"

enum { NODES = 7, PATHS = 20000 };

typedef long double real;

typedef struct program {
    np_node nodes;
    int links[NODES][NODES], amount[NODES][NODES];
    size_t rows, columns, room; /* columns: f and the paths; then the slack variables, and the right side */
    real *cell;                 /* [rows + 1][room] the last row: minus the objective */
    size_t *basis;              /* [rows] */
    struct {
        int demand, hops;
        np_node node[NODES];
    } * path; /* [columns - 1] */
} program;

static void find_paths(program *p, int demand, np_node target, np_node *node, int hops, unsigned seen)
{
    np_node u = node[hops];
    if (u == target) {
        assert(p->columns < PATHS);
        p->path[p->columns - 1].demand = demand;
        p->path[p->columns - 1].hops = hops;
        memcpy(p->path[p->columns - 1].node, node, ((size_t)hops + 1) * sizeof *node);
        p->columns++;
        return;
    }
    for (np_node v = 0; v < p->nodes; v++)
        if (p->links[u][v] && !(seen >> v & 1)) {
            node[hops + 1] = v;
            find_paths(p, demand, target, node, hops + 1, seen | 1u << v);
        }
}

static real *at(program *p, size_t row, size_t column) { return &p->cell[row * p->room + column]; }

static void fill(program *p)
{
    size_t row = 0, of_pair[NODES][NODES];
    for (np_node u = 0; u < p->nodes; u++)
        for (np_node v = 0; v < p->nodes; v++)
            if (p->amount[u][v])
                *at(p, row++, 0) = p->amount[u][v];
    for (np_node u = 0; u < p->nodes; u++)
        for (np_node v = 0; v < p->nodes; v++)
            if (p->links[u][v]) {
                of_pair[u][v] = row;
                *at(p, row++, p->room - 1) = p->links[u][v];
            }
    for (size_t c = 1; c < p->columns; c++) {
        *at(p, (size_t)p->path[c - 1].demand, c) = -1;
        for (int h = 0; h < p->path[c - 1].hops; h++)
            *at(p, of_pair[p->path[c - 1].node[h]][p->path[c - 1].node[h + 1]], c) = 1;
    }
    for (size_t r = 0; r < p->rows; r++) {
        *at(p, r, p->columns + r) = 1;
        p->basis[r] = p->columns + r;
    }
    *at(p, p->rows, 0) = -1;
}

static void pivot(program *p, size_t row, size_t column)
{
    real by = *at(p, row, column);
    for (size_t c = 0; c < p->room; c++)
        *at(p, row, c) /= by;
    for (size_t r = 0; r <= p->rows; r++) {
        real times = *at(p, r, column);
        for (size_t c = 0; r != row && times != 0 && c < p->room; c++)
            *at(p, r, c) -= times * *at(p, row, c);
    }
    p->basis[row] = column;
}

/* False: the basis is the best. */
static bool improve(program *p)
{
    const real tiny = 1e-13L;
    size_t column = 0, row = p->rows;
    while (column < p->room - 1 && *at(p, p->rows, column) > -tiny)
        column++;
    if (column == p->room - 1)
        return false;
    real least = 0;
    for (size_t r = 0; r < p->rows; r++)
        if (*at(p, r, column) > tiny) {
            real step = *at(p, r, p->room - 1) / *at(p, r, column);
            if (row == p->rows || step < least - tiny || (step < least + tiny && p->basis[r] < p->basis[row])) {
                least = step;
                row = r;
            }
        }
    assert(row < p->rows);
    pivot(p, row, column);
    return true;
}

double oracle_concurrent(const np_network *network, const np_traffic *traffic)
{
    program p = {.nodes = np_network_nodes(network), .columns = 1};
    int demand = 0;
    assert(p.nodes <= NODES);
    for (np_link l = 0; l < np_network_link_numbers(network); l++)
        if (np_network_link_head(network, l) != np_network_link_tail(network, l) &&
            np_network_link_head(network, l) != NP_NONE)
            p.links[np_network_link_tail(network, l)][np_network_link_head(network, l)]++;
    for (np_packet i = 0; i < np_traffic_packets(traffic); i++)
        if (np_traffic_sources(traffic)[i] != np_traffic_destinations(traffic)[i])
            p.amount[np_traffic_sources(traffic)[i]][np_traffic_destinations(traffic)[i]]++;
    p.path = calloc(PATHS, sizeof *p.path);
    for (np_node u = 0; u < p.nodes; u++)
        for (np_node v = 0; v < p.nodes; v++) {
            np_node node[NODES] = {u};
            p.rows += p.links[u][v] > 0;
            if (p.amount[u][v])
                find_paths(&p, demand++, v, node, 0, 1u << u);
        }
    p.rows += (size_t)demand;
    p.room = p.columns + p.rows + 1;
    p.cell = calloc((p.rows + 1) * p.room, sizeof *p.cell);
    p.basis = calloc(p.rows, sizeof *p.basis);
    fill(&p);
    while (improve(&p)) {
    }
    double factor = (double)*at(&p, p.rows, p.room - 1);
    free(p.path);
    free(p.cell);
    free(p.basis);
    return factor;
}

/* ---- Instances ---- */

static uint32_t draw(uint64_t seed, uint32_t item, uint32_t number, uint32_t bound)
{
    const np_draws draws = {seed, 0, 0, NP_RANDOM_TRAFFIC};
    return np_draw_below(&draws, item, number, bound);
}

void oracle_concurrent_draw(uint64_t seed, np_network **network, np_traffic **traffic)
{
    np_node nodes = 2 + draw(seed, 0, 0, 5), from[30], to[30], source[60], goal[60];
    size_t links = nodes + draw(seed, 0, 1, 16), packets = 0;
    for (uint32_t i = 0; i < links; i++) {
        from[i] = i < nodes ? i : draw(seed, 1, i, nodes);
        to[i] = i < nodes ? (i + 1) % nodes : draw(seed, 2, i, nodes);
    }
    for (uint32_t i = 0; i < 10; i++)
        for (uint32_t k = 0; k <= draw(seed, 5, i, 5); k++, packets++) {
            source[packets] = draw(seed, 3, i, nodes);
            goal[packets] = draw(seed, 4, i, nodes);
        }
    assert_ok(np_network_from_links(nodes, links, from, to, network));
    assert_ok(np_traffic_from_arrays(*network, packets, source, goal, NULL, traffic));
}
