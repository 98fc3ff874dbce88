/*
 * See six_phases.h. The columns of the six phases on the levels of butterfly:n:
 *
 *   columns 0 .. 3n    column c is level c, links up; from n+i on, the link that crosses is that of bit i
 *   columns 3n .. 6n   column c is level 6n - c, links down; from 4n+j on, that of bit n-1-j
 *
 * (levels mod n, bits of the engine's rows). So a node of level 0 plays seven switches, the others play six.
 */
#include "model/leveled/six_phases.h"

enum { UP, UP_CROSS, DOWN, DOWN_CROSS }; /* ports of the family */

static np_leveled sizes_of(uint64_t n, uint64_t links, uint32_t host_links)
{
    const uint64_t nodes = (6 * n + 1) << n, edges = 8 * n << n;
    np_leveled sizes =
        np_leveled_sizes((uint32_t)(6 * n), nodes, edges, links ? edges : 0, (uint32_t)(n << n), host_links);
    sizes.rows = UINT32_C(1) << n;
    return sizes;
}

np_leveled np_six_phases_sizes(const np_network *network)
{
    return sizes_of(network->dimensions, 1, network->link_numbers);
}

static np_node host_of(uint32_t n, uint32_t column, uint32_t row)
{
    uint32_t level = (column < 3 * n ? column : 6 * n - column) % n;
    return np_six_phases_row(n, row) * n + level;
}

/* network: NULL if edges cross no links. */
static void add_edge(np_leveled *lv, const np_network *network, uint32_t node, uint32_t head, unsigned port)
{
    np_link link = network ? np_network_link_at(network, lv->host[node], port) : NP_NONE;
    np_leveled_add_edge(lv, node, head, network != NULL, &link);
}

static void add_edges(np_leveled *lv, const np_network *network, uint32_t n, uint32_t column, uint32_t row)
{
    uint32_t rows = UINT32_C(1) << n, node = column * rows + row;
    bool down = column >= 3 * n, crosses = down ? column >= 4 * n && column < 5 * n : column >= n && column < 2 * n;
    uint32_t flip = UINT32_C(1) << (down ? n - 1 - (column - 4 * n) % n : column % n);
    add_edge(lv, network, node, node + rows, down ? DOWN : UP);
    if (crosses)
        add_edge(lv, network, node, (column + 1) * rows + (row ^ flip), down ? DOWN_CROSS : UP_CROSS);
}

static np_status make(const np_leveled *sizes, uint32_t n, const np_network *network, np_leveled **out)
{
    uint32_t rows = UINT32_C(1) << n;
    np_status st = np_leveled_create(sizes, out);
    if (st)
        return st;
    for (uint32_t column = 0; column <= 6 * n; column++)
        for (uint32_t row = 0; row < rows; row++)
            np_leveled_add_node(*out, column, host_of(n, column, row));
    for (uint32_t column = 0; column < 6 * n; column++)
        for (uint32_t row = 0; row < rows && !(*out)->status; row++)
            add_edges(*out, network, n, column, row);
    if ((st = np_leveled_finish(*out))) {
        np_leveled_free(*out);
        *out = NULL;
    }
    return st;
}

np_status np_six_phases_create(const np_network *network, np_leveled **out)
{
    const np_leveled sizes = np_six_phases_sizes(network);
    return make(&sizes, network->dimensions, network, out);
}

np_status np_six_phases_alone(uint32_t n, np_leveled **out)
{
    const np_leveled sizes = sizes_of(n, 0, 0);
    return make(&sizes, n, NULL, out);
}
