/*
 * The coloured all-to-all (Sibeyn, lecture notes, off-line routing): P nodes,
 * each the source and the destination of at most m packets. The graph with an edge from i on the left to j on the right for each
 * packet from i to j has an edge colouring with m colours. Colour x goes by way of node x mod P.
 *
 * A node has at most one packet of each colour to send, so over a link of phase 1 go at most ceil(m / P); and each node gets at most
 * one of each colour, so the same holds in phase 2. Where m is a multiple of P and all nodes send and receive
 * m, every link carries m / P in both phases. Packets whose way ends in the same node cross no link.
 */
#include "route/offline_complete.h"

#include <string.h>

#include "base/colouring.h"
#include "base/memory.h"

bool np_offline_complete_is(const np_network *network) { return !strcmp(np_network_family_name(network), "complete"); }

void np_offline_complete_init(np_offline_complete *pairs, const np_network *network)
{
    *pairs = (np_offline_complete){.network = network};
}

static void free_engine(np_offline_complete *pairs)
{
    np_engine_free(pairs->engine);
    np_path_free(pairs->path);
    np_memory_free(pairs->colour);
    pairs->engine = NULL;
    pairs->path = NULL;
    pairs->colour = NULL;
    pairs->room = 0;
}

void np_offline_complete_clear(np_offline_complete *pairs) { free_engine(pairs); }

static np_engine_options engine_options(const np_offline_complete *pairs, size_t packets)
{
    return (np_engine_options){.network = pairs->network,
                               .discipline = &np_discipline_fifo,
                               .packets = packets,
                               .workers = 1,
                               .path = pairs->path,
                               .watched = true};
}

uint64_t np_offline_complete_bytes(const np_offline_complete *pairs, uint64_t packets)
{
    np_engine_options options = engine_options(pairs, packets);
    return np_engine_bytes(&options) + packets * (4 + 60);
}

static np_status reserve(np_offline_complete *pairs, size_t packets)
{
    np_status st;
    if (pairs->engine && pairs->room >= packets)
        return NP_OK;
    free_engine(pairs);
    if ((st = np_path_create("greedy", pairs->network, &pairs->path)) ||
        (st = np_memory_array(&pairs->colour, packets, sizeof *pairs->colour, "colours")))
        return st;
    np_engine_options options = engine_options(pairs, packets);
    if ((st = np_engine_create(&options, &pairs->engine)))
        return st;
    pairs->room = packets;
    return NP_OK;
}

np_status np_offline_complete_place(np_offline_complete *pairs, const np_traffic *traffic)
{
    np_packet packets = np_traffic_packets(traffic);
    np_node nodes = np_network_nodes(pairs->network);
    np_bipartite graph = {nodes, nodes, packets, np_traffic_sources(traffic), np_traffic_destinations(traffic)};
    np_status st;
    if ((st = reserve(pairs, packets)))
        return st;
    st = pairs->colouring ? pairs->colouring(nodes, traffic, pairs->colour)
                          : np_bipartite_colour(&graph, &pairs->colours, pairs->colour);
    if (st)
        return st;
    np_engine_place(pairs->engine, traffic);
    return NP_OK;
}

static void targets(const void *context, unsigned phase, const np_draws *draws, size_t count, const np_packet *packet,
                    const np_node *at, const np_node *destination, np_node *to)
{
    const np_offline_complete *pairs = context;
    (void)draws, (void)at;
    for (size_t i = 0; i < count; i++)
        to[i] = phase ? destination[i] : pairs->colour[packet[i]] % np_network_nodes(pairs->network);
}

np_status np_offline_complete_run(np_offline_complete *pairs, unsigned phase, np_draws draws,
                                  const np_engine_watch *watch, np_phase_run *out)
{
    np_engine_plan plan = {.path = pairs->path, .phases = 2, .targets = targets, .context = pairs};
    return np_engine_run(pairs->engine, &plan, phase, draws, watch, out);
}

const uint32_t *np_offline_complete_delays(const np_offline_complete *pairs) { return np_engine_delays(pairs->engine); }
