/*
 * Leveled networks in columns, the first level on the left: butterflies, cube-connected cycles, Omega and Benes
 * networks. A hypercube has the number of ones as its levels. A crossbar is drawn as its grid of switches, with the PUs
 * on its left.
 */
#include "base/memory.h"
#include "model/drawing/drawing.h"

enum {
    LEVELED = NP_KIND_BUTTERFLY | NP_KIND_BUTTERFLY_IO | NP_KIND_CCC | NP_KIND_OMEGA | NP_KIND_INVERSE_OMEGA |
              NP_KIND_BENES | NP_KIND_HYPERCUBE
};

static uint32_t level_of(const np_network *network, np_node u)
{
    if (np_network_is(network, NP_KIND_HYPERCUBE))
        return (uint32_t)__builtin_popcount(u);
    if (np_network_is(network, NP_KIND_BUTTERFLY_IO))
        return u >> network->dimensions;
    if (np_network_is(network, NP_KIND_OMEGA | NP_KIND_INVERSE_OMEGA | NP_KIND_BENES))
        return (u < network->output_first ? u : network->output_first) / network->input_nodes;
    return np_modulo(u, network->by_side[0]); /* of a row's cycle */
}

np_status np_drawing_rows(np_node nodes, uint32_t rows, const uint32_t *row, np_point *place)
{
    uint32_t *count, *met, most = 0;
    np_status st = np_memory_zeroed(&count, 2 * (size_t)rows, sizeof *count, "the rows of a drawing");
    if (st)
        return st;
    met = count + rows;
    for (np_node u = 0; u < nodes; u++)
        count[row[u]]++;
    for (uint32_t r = 0; r < rows; r++)
        most = count[r] > most ? count[r] : most;
    double apart = 0.8 * most / rows > 1 ? 0.8 * most / rows : 1;
    for (np_node u = 0; u < nodes; u++) {
        uint32_t r = row[u];
        place[u] = (np_point){(met[r]++ + 0.5) * most / count[r] - 0.5, r * apart};
    }
    np_memory_free(count);
    return NP_OK;
}

np_status np_drawing_rows_by(const np_network *network, uint32_t (*row_of)(const np_network *network, np_node u),
                             np_point *place)
{
    uint32_t *row, rows = 0;
    np_status st = np_memory_array(&row, network->nodes, sizeof *row, "the rows of a drawing");
    if (st)
        return st;
    for (np_node u = 0; u < network->nodes; u++) {
        row[u] = row_of(network, u);
        rows = row[u] >= rows ? row[u] + 1 : rows;
    }
    st = np_drawing_rows(network->nodes, rows, row, place);
    np_memory_free(row);
    return st;
}

static void turn(np_node nodes, np_point *place)
{
    for (np_node u = 0; u < nodes; u++)
        place[u] = (np_point){place[u].y, place[u].x};
}

/* PU i left of row i; rows count from below, because packets go north. */
static void place_crossbar(const np_network *network, np_point *place)
{
    uint32_t side = network->terminals;
    for (np_node u = 0; u < network->nodes; u++) {
        uint32_t s = u - side;
        place[u] = u < side ? (np_point){-1.5, u} : (np_point){s % side, s / side};
    }
}

static np_status place(const np_network *network, np_point *place)
{
    if (np_network_is(network, NP_KIND_CROSSBAR)) {
        place_crossbar(network, place);
        return NP_OK;
    }
    np_status st = np_drawing_rows_by(network, level_of, place);
    if (!st)
        turn(network->nodes, place);
    return st;
}

const np_drawing np_drawing_levels = {
    .info = {"levels", "level by level in columns: butterflies, Omega networks, cubes by ones; the crossbar's grid",
             "ours"},
    .only = &(const np_only){LEVELED | NP_KIND_CROSSBAR, "it has no levels"},
    .place = place,
};
