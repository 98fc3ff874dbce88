/* Specs of networks and of traffic: refused with a message, or good and printed back byte for byte. */
#include "fuzz.h"

#include <string.h>

#include "netpram/netpram.h"

const fuzz_rule fuzz_grammar[] = {
    {"spec", "$networks|$traffic|$networks|$traffic|$family:$sides|$networks$sides|$traffic:$number"},
    {"family", "hypercube|mesh|torus|shuffle|array|ring|complete|tree|star|pancake|butterfly|ccc|cayley|fat-tree|omega|"
               "universal"},
    {"sides", "$number|$number$times$sides|$number,$number|$number:$number"},
    {"times", "x"},
    {NULL, NULL},
};

enum { AUDIT_MOST = 1 << 12, PACKETS_MOST = 1 << 14 };

static void check_network(const char *spec)
{
    np_network *network;
    if (np_network_create(spec, &network)) {
        FUZZ_CHECK(!network);
        fuzz_check_message("");
        return;
    }
    FUZZ_CHECK(!strcmp(np_network_spec(network), spec));
    FUZZ_CHECK(np_network_nodes(network) >= 1 && np_network_links(network) <= np_network_link_numbers(network));
    if (np_network_link_numbers(network) <= AUDIT_MOST)
        FUZZ_CHECK(!np_network_audit(network));
    np_network_free(network);
}

static void check_traffic(const char *spec, const np_network *network)
{
    np_traffic *traffic;
    uint64_t packets;
    bool random;
    if (np_traffic_estimate(spec, network, &packets, &random)) {
        fuzz_check_message("");
        return;
    }
    if (packets > PACKETS_MOST)
        return;
    FUZZ_CHECK(!np_traffic_create(spec, network, 1, 0, &traffic));
    FUZZ_CHECK(!strcmp(np_traffic_spec(traffic), spec) && np_traffic_packets(traffic) == packets);
    for (np_packet i = 0; i < packets; i++)
        FUZZ_CHECK(np_traffic_sources(traffic)[i] < np_network_nodes(network) &&
                   np_traffic_destinations(traffic)[i] < np_network_nodes(network));
    np_traffic_free(traffic);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *spec = malloc(size + 1);
    static np_network *cube;
    if (size)
        memcpy(spec, data, size);
    spec[size] = '\0';
    if (strncmp(spec, "file:", 5)) { /* which would read what it names */
        check_network(spec);
        FUZZ_CHECK(cube || !np_network_create("hypercube:4", &cube));
        check_traffic(spec, cube);
    }
    free(spec);
    return 0;
}
