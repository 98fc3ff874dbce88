/*
 * Rail-optimized clusters of accelerators: servers of g accelerators each. The accelerators of a server are joined by a
 * switch of the server, and accelerator k has a cable to leaf switch k, its rail. The leaves are joined to all spines.
 *
 * Nodes: the servers' switches, then the g leaves, then the spines; then the hosts, which are the accelerators, server
 * by server: accelerator k of server S is sS.hk.
 *
 * Diameter, for at least two servers and two rails: accelerators of different servers and rails are 4 hops apart
 * (through the other accelerator of the server, or through a spine), and so are a server's switch and a spine at most.
 * Two spines are 2 apart.
 */
#include "model/family/fabric.h"
#include "model/family/named.h"

enum { COUNT_MAX = 1 << 26 }; /* ours */

static np_status create(np_network *network, const char *parameters)
{
    np_named named[] = {NP_NAMED_NEEDED("servers", 1, COUNT_MAX), NP_NAMED_NEEDED("g", 1, COUNT_MAX),
                        NP_NAMED_NEEDED("spines", 0, COUNT_MAX)};
    char room[NP_NAMED_ROOM];
    np_fabric fabric;
    np_status st = np_named_read(network, parameters, room, 3, named);
    if (st)
        return st;
    uint64_t servers = named[0].value, g = named[1].value, spines = named[2].value;
    if ((st = np_fabric_begin(&fabric, network, servers + g + spines, servers * g, 2 * servers * g + g * spines)))
        return st;
    for (unsigned i = 0; i < 3; i++)
        network->side[i] = (uint32_t)named[i].value;
    for (np_node server = 0; server < servers; server++)
        np_fabric_hang(&fabric, server, (uint32_t)g);
    for (np_node host = 0; host < servers * g; host++)
        np_fabric_join(&fabric, fabric.switches + host, (np_node)(servers + host % g));
    for (np_node leaf = 0; leaf < g; leaf++)
        for (np_node spine = 0; spine < spines; spine++)
            np_fabric_join(&fabric, (np_node)servers + leaf, (np_node)(servers + g) + spine);
    return np_fabric_end(&fabric, network);
}

static uint64_t degree(const np_network *network)
{
    uint64_t servers = network->side[0], g = network->side[1], spines = network->side[2];
    uint64_t leaf = servers + spines, most = g > leaf ? g : leaf;
    return most > 2 ? most : 2;
}

const np_network_family np_rail = {
    .info = {"rail", "servers of G accelerators, a leaf switch for each rail, all leaves joined to all spines",
             "NVIDIA DGX SuperPOD reference architecture",
             .parameters = "servers=,g=,spines=", .example = "rail:servers=4,g=4,spines=2",
             .takes = "servers 1..67108864, g 1..67108864, spines 0..67108864"},
    .kind = NP_KIND_FABRIC | NP_KIND_TIERS,
    .create = create,
    .degree = degree,
};
