/*
 * Planes: K copies of a network of switches that share its hosts. A host has the cables that it has in the network once
 * in each copy, to a switch of the copy.
 *
 * Nodes: the switches of copy 0, then those of copy 1, and so on; then the hosts, with the names that they have in the
 * network. Ports of a host: those to copy 0 first.
 */
#include <string.h>

#include "model/family/fabric.h"
#include "model/network/attributes.h"

enum { PLANES_MAX = 1 << 10 }; /* ours */

/* Symbols: side[0] = K, side[1] = the degree of the network by its formula, side[2] = the most links of a host there */

static np_status check(const np_network *one)
{
    if (!one->host)
        return NP_RAISE(NP_ERROR_INPUT, "planes share hosts, and %.200s has none: write %s@4", one->spec, one->spec);
    if (np_network_input(one, 0) != one->nodes - one->terminals)
        return NP_RAISE(NP_ERROR_APPLY, "planes of %.200s: its hosts are not the last of its nodes", one->spec);
    return NP_OK;
}

static uint32_t links_at(const np_network *network, np_node u)
{
    uint32_t count = 0;
    for (np_link link = network->row[u]; link < network->row[u + 1]; link++)
        count += network->head[link] != NP_NONE;
    return count;
}

static void join(const np_network *one, uint32_t planes, np_fabric *fabric)
{
    np_node switches = one->nodes - one->terminals, shift = (planes - 1) * switches;
    for (uint32_t plane = 0; plane < planes; plane++)
        for (np_node u = 0; u < one->nodes; u++)
            for (np_link link = one->row[u]; link < one->row[u + 1]; link++) {
                np_node v = one->head[link];
                if (v != NP_NONE)
                    np_fabric_join(fabric, u < switches ? plane * switches + u : u + shift,
                                   v < switches ? plane * switches + v : v + shift);
            }
}

static np_status make(np_network *network, const np_network *one, uint32_t planes)
{
    uint64_t hosts = one->terminals, switches = one->nodes - hosts;
    np_fabric fabric;
    np_status st = np_fabric_begin(&fabric, network, planes * switches, hosts, planes * one->links);
    if (st)
        return st;
    network->side[0] = planes;
    network->side[1] = one->family->degree ? (uint32_t)one->family->degree(one) : one->ports;
    for (np_node u = (np_node)switches; u < one->nodes; u++) {
        uint32_t degree = links_at(one, u);
        network->side[2] = degree > network->side[2] ? degree : network->side[2];
    }
    fabric.one_way = true; /* every link is one of its own */
    fabric.hung = (size_t)hosts;
    join(one, planes, &fabric);
    return np_fabric_end(&fabric, network);
}

static np_status create(np_network *network, const char *parameters)
{
    const char *comma = strchr(parameters, ',');
    uint64_t planes;
    np_network *one;
    np_status st;
    const char *at = parameters;
    if (!comma || !np_parse_u64(&at, &planes) || at != comma || planes < 1 || planes > PLANES_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "planes:%.60s: write the number of planes, 1..%d, and a network, as in %s",
                        parameters, PLANES_MAX, network->family->info.example);
    if ((st = np_network_create(comma + 1, &one)))
        return np_status_prefix(st, "planes: ");
    if (!(st = check(one)) && !(st = np_attributes_heeded(one, "planes", 0)))
        st = make(network, one, (uint32_t)planes);
    np_network_free(one);
    return st;
}

static uint64_t degree(const np_network *network)
{
    uint64_t host = (uint64_t)network->side[0] * network->side[2];
    return host > network->side[1] ? host : network->side[1];
}

const np_network_family np_planes = {
    .info = {"planes", "K copies of a network of switches that share its hosts", "", .parameters = "K,NETWORK",
             .example = "planes:2,torus:4x4@2", .takes = "K 1..1024, NETWORK: one of switches with hosts"},
    .kind = NP_KIND_FABRIC | NP_KIND_TIERS,
    .create = create,
    .degree = degree,
};
