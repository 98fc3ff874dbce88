/* What a parser made is routed, and the moves are held to the model. */
#include "fuzz.h"

#include <string.h>

#include "netpram/netpram.h"

enum { PACKETS_MOST = 1 << 10, LINKS_MOST = 1 << 13 };

typedef struct follower {
    const np_network *network;
    np_node at[PACKETS_MOST], end[PACKETS_MOST];
    np_step busy[LINKS_MOST]; /* the last step in which the link was crossed */
    uint64_t hops;
    np_packet landed;
} follower;

static void follow(follower *f, const np_event *event)
{
    np_packet p = event->packet;
    if (event->kind == NP_EVENT_INJECTED) {
        f->at[p] = event->from;
    } else if (event->kind == NP_EVENT_MOVED) {
        FUZZ_CHECK(f->at[p] == event->from && event->from == np_network_link_tail(f->network, event->link) &&
                   event->to == np_network_link_head(f->network, event->link));
        FUZZ_CHECK(event->step > f->busy[event->link]);
        f->busy[event->link] = event->step;
        f->at[p] = event->to;
        f->hops++;
    } else if (event->kind == NP_EVENT_LANDED) {
        FUZZ_CHECK(f->at[p] == event->from && f->at[p] == f->end[p]);
        f->landed++;
    }
}

static int follow_all(void *context, size_t count, const np_event *event)
{
    for (size_t i = 0; i < count; i++)
        follow(context, &event[i]);
    return 0;
}

void fuzz_check_routing(const np_network *network, const np_traffic *traffic)
{
    static follower f;
    const np_observer observer = {.events = follow_all, .context = &f};
    np_packet packets = np_traffic_packets(traffic);
    np_route_options options;
    np_route_result *result;
    if (packets > PACKETS_MOST || np_network_link_numbers(network) > LINKS_MOST)
        return;
    f = (follower){.network = network};
    if (packets)
        memcpy(f.end, np_traffic_destinations(traffic), packets * sizeof *f.end);
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.threads = 1;
    options.observer = &observer;
    np_status st = np_route_traffic(network, traffic, &options, &result);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_APPLY || st == NP_ERROR_INPUT || st == NP_ERROR_LIMIT);
        fuzz_check_message("");
        return;
    }
    FUZZ_CHECK(f.landed == packets && f.hops == result->phase->run->hops);
    np_route_result_free(result);
}
