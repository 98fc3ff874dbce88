/*
 * Where was each packet in each step? The library tells an observer of all
 * events. This program takes the moves, writes them as JSON lines, one object
 * a hop, and checks two rules of the model on the way: a link carries at most
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
static int begin_phase(void *context, const np_event_phase *phase)
{
    trace *t = context;
    t->phase = phase->phase;
    for (np_link link = 0; link < np_network_link_numbers(t->network); link++)
        t->crossed[link] = 0;
    return 0;
}

static void write_hop(trace *t, const np_event *hop)
{
    t->violations += t->crossed[hop->link] == hop->step || t->at[hop->packet] != hop->from;
    t->crossed[hop->link] = hop->step;
    t->at[hop->packet] = hop->to;
    t->hops++;
    printf("{\"phase\": %u, \"step\": %u, \"packet\": %u, \"from\": %u, \"to\": %u}\n", t->phase, hop->step,
           hop->packet, hop->from, hop->to);
}

static int write_hops(void *context, size_t count, const np_event *event)
{
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            write_hop(context, &event[i]);
    return 0; /* another number would end the run */
}

static np_status route(const np_network *network, const np_traffic *traffic, trace *t)
{
    const np_observer observer = {
        .kinds = 1 << NP_EVENT_MOVED, .begin = begin_phase, .events = write_hops, .context = t};
    np_route_options options;
    np_route_result *result = NULL;
    np_route_options_init(&options);
    options.scheme = "grid";
    options.observer = &observer;
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
