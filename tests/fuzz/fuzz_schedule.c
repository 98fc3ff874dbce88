/* Files of schedules: refused with "name:line: ...", or every hop was carried out as the model allows. */
#include "fuzz.h"

#include <string.h>

#include "papers/offline/schedule_file.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$hop\n|$hop\n$file|$hop\n$file|$hop\n$file|$tour|# $bytes\n$file"},
    {"hop", "$step $packet $link|$step $packet $link # $bytes"},
    {"step", "1|2|3|4|$number"},
    {"packet", "0|1|2|3|$number"},
    {"link", "0|1|2|3|4|5|6|7|$number"},
    {"tour", "1 0 $link\n1 1 $link\n1 2 $link\n1 3 $link\n2 0 $link\n2 1 $link\n2 2 $link\n2 3 $link\n"},
    {NULL, NULL},
};

enum { PACKETS = 4, LINKS_MOST = 32 };

static const np_node source[PACKETS] = {0, 1, 2, 3}, destination[PACKETS] = {3, 2, 1, 0};

typedef struct follower {
    const np_network *network;
    np_node at[PACKETS];
    np_step moved[PACKETS], busy[LINKS_MOST]; /* the last step in which the packet moved, and the link was crossed */
    uint64_t hops;
} follower;

static void follow(follower *f, const np_listed_hop *hop)
{
    FUZZ_CHECK(hop->packet < PACKETS && hop->link < np_network_link_numbers(f->network));
    FUZZ_CHECK(f->at[hop->packet] == np_network_link_tail(f->network, hop->link));
    FUZZ_CHECK(hop->step > f->moved[hop->packet] && hop->step > f->busy[hop->link]);
    f->at[hop->packet] = np_network_link_head(f->network, hop->link);
    f->moved[hop->packet] = f->busy[hop->link] = hop->step;
    f->hops++;
}

static void end(np_hop_replay *replay, const follower *f)
{
    np_phase_run run;
    bool arrived = !memcmp(f->at, destination, sizeof destination);
    np_status st = np_hop_replay_end(replay, &run);
    FUZZ_CHECK(arrived == !st);
    if (st)
        fuzz_check_message("");
    else
        FUZZ_CHECK(run.hops == f->hops && run.steps >= 2 && np_hop_replay_stored(replay) >= 1 &&
                   np_hop_replay_stored(replay) <= run.population_max);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static np_network *network;
    static np_traffic *traffic;
    np_hop_replay *replay;
    if (!network)
        FUZZ_CHECK(!np_network_create("mesh:2x2", &network) &&
                   !np_traffic_from_arrays(network, PACKETS, source, destination, NULL, &traffic));
    FUZZ_CHECK(np_network_link_numbers(network) <= LINKS_MOST &&
               !np_hop_replay_create(network, traffic, true, &replay));
    follower f = {.network = network};
    memcpy(f.at, source, sizeof source);
    np_status st = np_schedule_parse("fuzz", (const char *)data, size, NULL, replay);
    for (size_t i = 0; i < np_hop_replay_hops(replay)->count; i++)
        follow(&f, &np_hop_replay_hops(replay)->hop[i]);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT || st == NP_ERROR_APPLY);
        fuzz_check_message("fuzz:");
    } else {
        end(replay, &f);
    }
    np_hop_replay_free(replay);
    return 0;
}
