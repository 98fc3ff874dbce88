/*
 * Binomial trees (Sibeyn, lecture notes, embeddings): T_k consists of two trees T_(k-1) with connected roots; T_0 is
 * a node. N = 2^k nodes; every edge is directed both ways.
 *
 * Numbers. In the second copy bit k-1 is set. So its root 2^(k-1) is a child of the root 0, and by induction the
 * parent of x is x without its lowest set bit. Let t be the number of this bit, and t = k for the root. Port p < t
 * leads to the child x + 2^p; port t of x != 0 leads to the parent. There are no ports above t: their link numbers are
 * unused. Port p always flips bit p, so T_k is a subgraph of the k-cube.
 *
 * Diameter 2k - 1: the deepest node below the child 2^(k-1) of the root is k levels down, and the deepest node below
 * the child 2^(k-2) is k - 1 levels down (for k = 1 it is the root). Bisection 1: the edge that joins the copies.
 */
#include "model/family/parameter.h"

enum { ORDER_MIN = 1, ORDER_MAX = 27 }; /* k 2^k link numbers */

static np_status create(np_network *network, const char *parameters)
{
    uint32_t k;
    np_status st = np_parameter_whole(network, "the order", parameters, ORDER_MIN, ORDER_MAX, &k);
    if (st)
        return st;
    network->dimensions = k;
    network->nodes = UINT32_C(1) << k;
    network->ports = k;
    return NP_OK;
}

/* At x by port p: bit p flips, if no lower bit is set. */
static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    for (size_t i = 0; i < count; i++) {
        np_node x = np_divide(link[i], network->by_ports);
        np_port port = link[i] - x * network->ports;
        np_node bit = UINT32_C(1) << port;
        head[i] = x & (bit - 1) ? NP_NONE : x ^ bit;
    }
}

static uint64_t count_links(const np_network *network) { return 2 * ((uint64_t)network->nodes - 1); }

static bool bisection(const np_network *network, uint64_t *out)
{
    (void)network;
    *out = 1;
    return true;
}

const np_network_family np_binomial_tree = {
    .info = {"binomial-tree", "binomial tree of order K, 2^K nodes", "Sibeyn, lecture notes, embeddings",
             .parameters = "K", .example = "binomial-tree:10", .takes = "K 1..27"},
    .kind = NP_KIND_BINOMIAL_TREE,
    .create = create,
    .heads = heads,
    .count_links = count_links,
    .linear = &(const np_linear){2, -1, 1},
    .bisection = bisection,
};
