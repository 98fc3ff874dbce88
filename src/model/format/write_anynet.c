/*
 * BookSim 2's anynet (Jiang et al. 2013): switches are routers, hosts are nodes; where hosts are not told from
 * switches, all are routers. Both kinds are numbered from 0. A channel has both directions and is one link each way.
 *
 *   router 0 node 0 router 1 15
 */
#include "base/memory.h"
#include "base/order.h"
#include "model/format/writer.h"

/* What is wrong with the links of node u; NULL: nothing. seen: [nodes] */
static const char *fault(const np_listing *l, np_node u, np_node *seen)
{
    const np_network *network = l->network;
    bool host = l->hosts && np_network_is_host(network, u);
    size_t count = 0;
    for (np_link link = np_network_first_link(network, u); link < np_network_first_link(network, u + 1); link++) {
        np_node v = np_network_link_head(network, link);
        if (v == NP_NONE)
            continue;
        if (v == u)
            return "a link to itself";
        if (seen[v] == u)
            return "parallel links";
        if (np_network_link_between(network, v, u) == NP_NONE)
            return "a link that does not lead back";
        if (host && (count++ || np_network_is_host(network, v)))
            return "a host with several links, or with a link to a host";
        seen[v] = u;
    }
    return NULL;
}

static np_status refuses(const np_listing *l)
{
    const np_network *network = l->network;
    char room[NP_NAME_ROOM];
    np_node *seen;
    np_status st = np_memory_array(&seen, network->nodes, sizeof *seen, "the nodes met");
    for (np_node u = 0; u < network->nodes && !st; u++)
        seen[u] = NP_NONE;
    for (np_node u = 0; u < network->nodes && !st; u++) {
        const char *reason = fault(l, u, seen);
        if (reason)
            st = NP_RAISE(NP_ERROR_APPLY, "node %.60s has %s, which BookSim's anynet cannot say: write .graphml",
                          np_listing_name(l, u, room), reason);
    }
    np_memory_free(seen);
    return st;
}

/* A reader has the hosts first, and the links of a node by their heads. */
static void numbers(const np_listing *l, bool *nodes, bool *links)
{
    const np_network *network = l->network;
    *nodes = !l->hosts || network->host[network->terminals - 1] == network->terminals - 1;
    *links = *nodes;
    for (np_link link = 1; link < network->link_numbers; link++)
        if (np_network_link_tail(network, link) == np_network_link_tail(network, link - 1))
            *links &= np_network_link_head(network, link) > np_network_link_head(network, link - 1);
}

/* How many hosts have smaller numbers than the node. */
static np_node hosts_below(const np_network *network, np_node u)
{
    return network->host ? (np_node)np_order_below(network->terminals, network->host, u) : 0;
}

/* "node 3" or "router 0": the number among those of its kind. */
static void put(const np_listing *l, FILE *stream, np_node u)
{
    np_node below = hosts_below(l->network, u);
    bool host = l->hosts && np_network_is_host(l->network, u);
    fprintf(stream, host ? "node %u" : "router %u", host ? below : u - below);
}

static void write(const np_listing *l, FILE *stream)
{
    const np_network *network = l->network;
    for (np_node u = 0; u < network->nodes; u++) {
        put(l, stream, u);
        for (np_link link = np_network_first_link(network, u); link < np_network_first_link(network, u + 1); link++) {
            np_node v = np_network_link_head(network, link);
            if (v == NP_NONE)
                continue;
            fputc(' ', stream);
            put(l, stream, v);
        }
        fputc('\n', stream);
    }
}

const np_graph_writer np_writer_anynet = {
    .info = {"anynet", "BookSim's anynet", "Jiang et al. 2013"},
    .ending = ".anynet",
    .keeps = NP_KEEPS_HOSTS | NP_KEEPS_NODES,
    .refuses = refuses,
    .numbers = numbers,
    .write = write,
};
