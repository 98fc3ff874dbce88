/*
 * Where was each packet in each step? The library calls `on_hops` with the
 * hops of every step. This program writes them as JSON lines, one object a
 * hop, and checks two rules of the model on the way: a link carries at most
 * one packet in a step, and a packet leaves the node that it reached before.
 *
 *     ./trace > hops.jsonl
 */
#include <stdio.h>
#include <stdlib.h>

#include <netpram/netpram.h>

/* What the callback keeps between its calls. */
typedef struct {
    const np_network *network;
    np_node *at;      /* [packets] the node of each packet */
    np_step *crossed; /* [link numbers] the last step in which the link carried a packet; steps count from 1 */
    unsigned phase;
    unsigned long hops, violations;
} trace;

/* Steps begin again at 1 with each phase. */
static void begin_phase(trace *t, unsigned phase)
{
    t->phase = phase;
    for (np_link link = 0; link < np_network_link_numbers(t->network); link++)
        t->crossed[link] = 0;
}

static void write_hops(void *context, unsigned phase, np_step step, size_t count, const np_packet *packet,
                       const np_link *link)
{
    trace *t = context;
    if (phase != t->phase)
        begin_phase(t, phase);
    for (size_t i = 0; i < count; i++) {
        np_node from = np_network_link_tail(t->network, link[i]), to = np_network_link_head(t->network, link[i]);
        t->violations += t->crossed[link[i]] == step || t->at[packet[i]] != from;
        t->crossed[link[i]] = step;
        t->at[packet[i]] = to;
        t->hops++;
        printf("{\"phase\": %u, \"step\": %u, \"packet\": %u, \"from\": %u, \"to\": %u}\n", phase, step, packet[i],
               from, to);
    }
}

static np_status route(const np_network *network, const np_traffic *traffic, trace *t)
{
    np_route_options options;
    np_route_result *result = NULL;
    np_route_options_init(&options);
    options.scheme = "grid";
    options.on_hops = write_hops;
    options.context = t;
    np_status st = np_route_traffic(network, traffic, &options, &result);
    np_route_result_free(result);
    return st;
}

/* Packets that are not where they wanted to go. */
static unsigned long lost(const np_traffic *traffic, const trace *t)
{
    unsigned long count = 0;
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        count += t->at[p] != np_traffic_destinations(traffic)[p];
    return count;
}

int main(void)
{
    np_network *network = NULL;
    np_traffic *traffic = NULL;
    trace t = {0};
    np_status st;
    if ((st = np_network_create("mesh:4x4", &network)) ||
        (st = np_traffic_create("transpose", network, 1, 0, &traffic)))
        goto out;
    np_packet packets = np_traffic_packets(traffic);
    t.network = network;
    t.at = malloc(packets * sizeof *t.at);
    t.crossed = calloc(np_network_link_numbers(network), sizeof *t.crossed);
    if (!t.at || !t.crossed) {
        st = NP_ERROR_MEMORY;
        goto out;
    }
    for (np_packet p = 0; p < packets; p++)
        t.at[p] = np_traffic_sources(traffic)[p];
    if ((st = route(network, traffic, &t)))
        goto out;
    fprintf(stderr, "%lu hops, %lu violations, %lu packets lost\n", t.hops, t.violations, lost(traffic, &t));
    if (t.violations || lost(traffic, &t))
        st = NP_ERROR_INTERNAL;
out:
    if (st && *np_last_error())
        fprintf(stderr, "trace: %s\n", np_last_error());
    free(t.crossed);
    free(t.at);
    np_traffic_free(traffic);
    np_network_free(network);
    return st != NP_OK;
}
