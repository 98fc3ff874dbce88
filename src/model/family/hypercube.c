/*
 * The Boolean n-cube (Valiant & Brebner 1981, section 4(i)): N = 2^n nodes,
 * links (x, x//i) where x//i differs from x in the i-th most significant bit.
 *
 * Port p = i - 1 flips bit n - 1 - p, so ascending ports are ascending
 * dimensions of the paper.
 */
#include "base/hot.h"
#include "model/network/network.h"

static np_status create(np_network *network, const char *parameters)
{
    uint64_t n;
    if (!np_parse_whole(parameters, 0, UINT64_MAX, &n))
        return NP_RAISE(NP_ERROR_INPUT, "hypercube:%s: the dimension must be a whole number, as in hypercube:10",
                        parameters);
    if (n < 1 || n > 27)
        return NP_RAISE(n < 1 ? NP_ERROR_INPUT : NP_ERROR_LIMIT,
                        "hypercube:%s: the dimension must be 1..27 (link numbers have 32 bits): try hypercube:%d",
                        parameters, n < 1 ? 1 : 27);
    network->dimensions = (uint32_t)n;
    network->nodes = UINT32_C(1) << n;
    network->ports = (uint32_t)n;
    return NP_OK;
}

/*
 * The division is done in doubles, which vectorise: (link + 1/2) / n is at least 1 / (2 n) away from a whole number,
 * n <= 27, and the product's relative error of 2^-51 moves a quotient below 2^32 by less.
 */
NP_HOT static void heads(const np_network *network, size_t count, const np_link *restrict link, np_node *restrict head)
{
    uint32_t n = network->ports, top = UINT32_C(1) << (n - 1);
    double inverse = 1.0 / n;
    for (size_t i = 0; i < count; i++) {
        np_node x = (np_node)(((double)link[i] + 0.5) * inverse);
        head[i] = x ^ top >> (link[i] - x * n);
    }
}

static bool bisection(const np_network *network, uint64_t *out)
{
    *out = network->nodes / 2;
    return true;
}

static np_node relative(const np_network *network, np_node u, np_node v)
{
    (void)network;
    return u ^ v;
}

const np_network_family np_hypercube = {
    .info = {"hypercube", "Boolean n-cube, 2^N nodes of degree N", "Valiant & Brebner 1981, section 4",
             .parameters = "N", .example = "hypercube:10", .takes = "N 1..27"},
    .kind = NP_KIND_HYPERCUBE,
    .regular = true,
    .node_symmetric = true,
    .create = create,
    .heads = heads,
    .linear = &(const np_linear){1, 0, 1},
    .bisection = bisection,
    .relative = relative,
};
