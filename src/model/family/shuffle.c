/*
 * The d-way shuffle (Valiant & Brebner 1981, section 6(i)): N = d^n nodes; a
 * link leads from x to y if the last n-1 d-ary digits of y equal the first
 * n-1 of x. So y = a d^(n-1) + floor(x / d): the digits of x move one place
 * down, and the digit a comes in at the most significant place.
 *
 * Port p inserts the digit a = p. The d self-loops, at the nodes whose digits
 * are all equal, are links, as in the paper.
 *
 * A walk of length k from u to v exists if and only if floor(u / d^k) =
 * v mod d^(n-k). From 0 to a node without a digit 0 this needs k = n: the diameter
 * is n. side[i] = d, stride[i] = d^(n-1-i).
 */
#include "model/network/network.h"

enum { WAYS_MAX = 65535 }; /* d^2 link numbers for n = 1 */

/* The largest n whose d^(n+1) link numbers fit 32 bits. */
static uint64_t dimensions_max(uint64_t d)
{
    uint64_t n = 0;
    for (uint64_t numbers = d * d; numbers < NP_NONE; numbers *= d)
        n++;
    return n;
}

static uint64_t clamp(uint64_t x, uint64_t low, uint64_t high) { return x < low ? low : x > high ? high : x; }

static np_status read_parameters(const char *text, uint64_t *d, uint64_t *n)
{
    uint64_t value[2];
    if (np_parse_sides(text, 2, value) != 2)
        return NP_RAISE(NP_ERROR_INPUT,
                        "shuffle:%s: must be two whole numbers, the digits' base and their number, as in shuffle:4x5",
                        text);
    *d = clamp(value[0], 2, WAYS_MAX);
    uint64_t most = dimensions_max(*d);
    *n = clamp(value[1], 1, most);
    if (*d == value[0] && *n == value[1])
        return NP_OK;
    return NP_RAISE(*d < value[0] || *n < value[1] ? NP_ERROR_LIMIT : NP_ERROR_INPUT,
                    "shuffle:%s: the base must be 2..%d and the digits 1..%llu for base %llu (link numbers have 32 "
                    "bits): try shuffle:%llux%llu",
                    text, WAYS_MAX, (unsigned long long)most, (unsigned long long)*d, (unsigned long long)*d,
                    (unsigned long long)*n);
}

static np_status create(np_network *network, const char *parameters)
{
    uint64_t d = 0, n = 0;
    np_status st = read_parameters(parameters, &d, &n);
    if (st)
        return st;
    uint32_t power = 1;
    for (uint64_t i = n; i--; power *= (uint32_t)d) {
        network->side[i] = (uint32_t)d;
        network->stride[i] = power;
        network->by_side[i] = np_divider_of((uint32_t)d);
        network->by_stride[i] = np_divider_of(power);
    }
    network->dimensions = (uint32_t)n;
    network->nodes = power;
    network->ports = (uint32_t)d;
    return NP_OK;
}

/* At x = x1 x2 .. xn by port a: to a x1 .. x(n-1). */
static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t d = network->ports, top = network->stride[0];
    np_divider by_d = network->by_ports;
    for (size_t i = 0; i < count; i++) {
        np_node x = np_divide(link[i], by_d);
        np_port a = link[i] - x * d;
        head[i] = a * top + np_divide(x, by_d);
    }
}

const np_network_family np_shuffle = {
    .info = {"shuffle", "D-way shuffle, D^N nodes of degree D", "Valiant & Brebner 1981, section 6",
             .parameters = "DxN", .example = "shuffle:4x5", .takes = "D 2..65535, N 1..30"},
    .kind = NP_KIND_SHUFFLE,
    .regular = true,
    .create = create,
    .heads = heads,
    .linear = &(const np_linear){1, 0, 1},
};
