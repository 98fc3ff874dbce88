/* What the two fuzzers of traffic share: the traffic of a spec is refused in one line, or has its ends on the network. */
#include "traffic_check.h"

#include "fuzz.h"

void traffic_check(const char *spec)
{
    static np_network *network;
    np_traffic *traffic;
    if (!network && np_network_create("hypercube:6", &network))
        fuzz_fail("no network to send on");
    np_status st = np_traffic_create(spec, network, 1, 0, &traffic);
    if (st) {
        fuzz_check_refusal(st, traffic);
        return;
    }
    for (np_packet i = 0; i < np_traffic_packets(traffic); i++)
        if (np_traffic_sources(traffic)[i] >= 64 || np_traffic_destinations(traffic)[i] >= 64)
            fuzz_fail("a packet has an end outside the network");
    np_traffic_free(traffic);
}
