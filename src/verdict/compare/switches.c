/* See switches.h. */
#include "verdict/compare/switches.h"

#include "base/memory.h"
#include "model/network/network.h"

static bool is_host(const np_network *network, np_node u) { return network->host_number[u] != NP_NONE; }

/*
 * of[u] for all nodes. False: a host has no cable, or more than one, or one to another host. Links that come to a host
 * are those of cables, but where a network has links of one way: `come` counts them.
 */
static bool find_switches(const np_network *network, np_node *of, uint32_t *come)
{
    for (np_node u = 0; u < network->nodes; u++) {
        uint32_t leave = 0;
        of[u] = u;
        for (np_link l = np_network_first_link(network, u); l < np_network_first_link(network, u + 1); l++) {
            np_node v = np_network_link_head(network, l);
            if (v == NP_NONE)
                continue;
            come[v]++;
            leave++;
            of[u] = is_host(network, u) ? v : u;
        }
        if (is_host(network, u) && (leave != 1 || is_host(network, of[u])))
            return false;
    }
    for (np_node i = 0; i < network->terminals; i++)
        if (come[network->host[i]] != 1)
            return false;
    return true;
}

/* Numbers the switches, and joins them. number: [nodes] room */
static np_status join(np_switches *s, const np_network *network, uint32_t *number, np_node *from, np_node *to)
{
    size_t links = 0;
    np_node switches = 0;
    for (np_node u = 0; u < network->nodes; u++)
        number[u] = is_host(network, u) ? NP_NONE : switches++;
    for (np_node u = 0; u < network->nodes; u++)
        s->of[u] = number[s->of[u]];
    for (np_node u = 0; u < network->nodes; u++)
        for (np_link l = np_network_first_link(network, u); l < np_network_first_link(network, u + 1); l++) {
            np_node v = np_network_link_head(network, l);
            if (v == NP_NONE || is_host(network, u) || is_host(network, v))
                continue;
            from[links] = number[u];
            to[links++] = number[v];
        }
    return np_network_from_links(switches, links, from, to, &s->network);
}

np_status np_switches_init(np_switches *s, const np_network *network)
{
    size_t links = network->link_numbers;
    uint32_t *come = NULL, *ends = NULL;
    *s = (np_switches){.nodes = network->nodes};
    if (!network->host_number)
        return NP_OK;
    np_status st = np_memory_array(&s->of, network->nodes, sizeof *s->of, "the switches of hosts");
    if (!st)
        st = np_memory_zeroed(&come, network->nodes, sizeof *come, "the cables of hosts");
    if (!st)
        st = np_memory_array(&ends, 2 * links, sizeof *ends, "cables between switches");
    if (!st && find_switches(network, s->of, come))
        st = join(s, network, come, ends, ends + links);
    np_memory_free(come);
    np_memory_free(ends);
    return st;
}

void np_switches_clear(np_switches *s)
{
    np_network_free(s->network);
    np_memory_free(s->of);
    *s = (np_switches){.network = NULL};
}

np_status np_switches_traffic(const np_switches *s, const np_traffic *traffic, np_traffic **out, uint64_t *most)
{
    const np_node *source = np_traffic_sources(traffic), *destination = np_traffic_destinations(traffic);
    const np_packet packets = np_traffic_packets(traffic);
    np_node *ends = NULL;
    uint32_t *count = NULL;
    size_t kept = 0;
    *most = 0;
    np_status st = np_memory_array(&ends, 2 * (size_t)packets, sizeof *ends, "packets between switches");
    if (!st)
        st = np_memory_zeroed(&count, 2 * (size_t)s->nodes, sizeof *count, "the packets of hosts");
    for (np_packet i = 0; i < packets && !st; i++) {
        np_node from = source[i], to = destination[i];
        if (from == to)
            continue;
        uint32_t sent = ++count[from], got = ++count[s->nodes + to];
        *most = sent > *most ? sent : *most;
        *most = got > *most ? got : *most;
        ends[kept] = s->of[from];
        ends[packets + kept] = s->of[to];
        kept += s->of[from] != s->of[to];
    }
    if (!st)
        st = np_traffic_from_arrays(s->network, kept, ends, ends + packets, NULL, out);
    np_memory_free(ends);
    np_memory_free(count);
    return st;
}
