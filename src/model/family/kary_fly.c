/*
 * k-ary n-fly: the butterfly network of K x K switches (Dally & Towles 2004, chapter 4). Hosts have addresses of N
 * digits base K, most significant first. There are N stages of K^(N-1) switches, and every cable leads one way: from a
 * host into stage 0, from stage to stage, and from stage N - 1 into a host. A switch of stage s is named by the N - 1
 * digits of an address that are left when digit s is taken out; it can change that digit to any other. So the path from
 * host to host is unique: N + 1 hops, digit s corrected in stage s.
 *
 * Nodes: switch w of stage s is s K^(N-1) + w, then the hosts. Host i sends into switch i mod K^(N-1) of stage 0, which
 * is i without its first digit; port d of a switch changes the digit to d.
 *
 * Diameter 2N: a way that cannot correct a digit any more goes on through a host. The longest is from a host to a
 * switch of stage N - 2 that has another last digit: N + 1 hops to some host and N - 1 from there. For N = 1 two hosts
 * are 2 apart.
 */
#include "model/family/fabric.h"

enum { DIGITS_MAX = 26, NODES_MAX = 1 << 26 }; /* ours */

/* Address `whole` without the digit of weight `unit`. */
static uint32_t without(uint32_t whole, uint32_t base, uint32_t unit)
{
    return whole / (unit * base) * unit + whole % unit;
}

/* Number `rest` of digits with one more put in, of weight `unit`. */
static uint32_t with(uint32_t rest, uint32_t base, uint32_t unit, uint32_t digit)
{
    return (rest / unit * base + digit) * unit + rest % unit;
}

/* Joins the outputs of a stage, whose digit has the weight `unit`, to the next stage or to the hosts. */
static void join_stage(np_fabric *fabric, uint32_t base, uint32_t width, uint32_t stage, uint32_t unit)
{
    for (uint32_t w = 0; w < width; w++)
        for (uint32_t digit = 0; digit < base; digit++) {
            uint32_t wire = with(w, base, unit, digit);
            np_node to = unit == 1 ? fabric->switches + wire : (stage + 1) * width + without(wire, base, unit / base);
            np_fabric_join(fabric, stage * width + w, to);
        }
}

static np_status create(np_network *network, const char *parameters)
{
    uint64_t side[2], hosts = 1;
    np_fabric fabric;
    np_status st;
    if (np_parse_sides(parameters, 2, side) != 2 || side[0] < 2 || side[0] > NODES_MAX || side[1] < 1 ||
        side[1] > DIGITS_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "kary-fly:%.60s: write KxN, with K at least 2 and N in 1..%d, as in %s",
                        parameters, DIGITS_MAX, network->family->info.example);
    for (uint64_t i = 0; i < side[1] && hosts <= NODES_MAX; i++)
        hosts *= side[0];
    if (hosts > NODES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "kary-fly:%.60s: K^N hosts must be at most %d", parameters, NODES_MAX);
    uint32_t base = (uint32_t)side[0], stages = (uint32_t)side[1], width = (uint32_t)hosts / base;
    if ((st = np_fabric_begin(&fabric, network, (uint64_t)stages * width, hosts, (stages + 1) * hosts)))
        return st;
    fabric.one_way = true;
    network->side[0] = base;
    network->dimensions = stages;
    for (uint32_t host = 0; host < hosts; host++)
        np_fabric_join(&fabric, fabric.switches + host, host % width);
    for (uint32_t stage = 0, unit = width; stage < stages; stage++, unit /= base)
        join_stage(&fabric, base, width, stage, unit);
    fabric.hung = hosts;
    return np_fabric_end(&fabric, network);
}

static uint64_t degree(const np_network *network) { return network->side[0]; }

const np_network_family np_kary_fly = {
    .info = {"kary-fly", "K-ary N-fly: K^N hosts, N stages of K x K switches, every cable one way",
             "Dally & Towles 2004, chapter 4", .parameters = "KxN", .example = "kary-fly:2x3",
             .takes = "K 2..67108864, N 1..26"},
    .kind = NP_KIND_FABRIC | NP_KIND_TIERS,
    .create = create,
    .degree = degree,
    .linear = &(const np_linear){2, 0, 1},
};
