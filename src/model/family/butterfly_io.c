/*
 * The butterfly that packets cross once: n + 1 levels of N = 2^n rows, with links
 * from level l to level l + 1 only. The nodes of level 0 are the inputs, the nodes
 * of level n the outputs.
 *
 * Node l 2^n + w is row w at level l. Ports: 0 straight, to (w, l+1); 1 cross,
 * to (w with bit n-1-l flipped, l+1): the (l+1)-st most significant bit, as
 * between levels l and l+1 of the wrapped butterfly. Nodes of level n have no links.
 *
 * There is one way from an input to an output: it sets the bits of the row in turn.
 */
#include "model/family/parameter.h"

enum { LEVELS_MIN = 1, LEVELS_MAX = 26 }; /* 2 (n+1) 2^n link numbers */

static np_status create(np_network *network, const char *parameters)
{
    uint32_t n;
    np_status st = np_parameter_whole(network, "the levels of links", parameters, LEVELS_MIN, LEVELS_MAX, &n);
    if (st)
        return st;
    network->dimensions = n;
    network->nodes = (n + 1) << n;
    network->ports = 2;
    network->terminals = network->input_nodes = UINT32_C(1) << n;
    network->output_first = n << n;
    return NP_OK;
}

/* At (w, l): to (w, l + 1), or to (w with bit n-1-l flipped, l + 1). */
static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t n = network->dimensions, top = UINT32_C(1) << (n - 1);
    for (size_t i = 0; i < count; i++) {
        np_node x = link[i] >> 1;
        uint32_t level = x >> n, flip = link[i] & 1 ? top >> level : 0; /* level n: unused, see below */
        head[i] = level < n ? (x ^ flip) + (top << 1) : NP_NONE;
    }
}

static uint64_t count_links(const np_network *network)
{
    return (uint64_t)network->dimensions << (network->dimensions + 1);
}

const np_network_family np_butterfly_io = {
    .info = {"butterfly-io", "butterfly crossed once, 2^N inputs to 2^N outputs by N links",
             "Leighton, Maggs, Ranade & Rao 1994, section 4", .parameters = "N", .example = "butterfly-io:12",
             .takes = "N 1..26"},
    .kind = NP_KIND_BUTTERFLY_IO,
    .one_way = true,
    .create = create,
    .heads = heads,
    .count_links = count_links,
};
