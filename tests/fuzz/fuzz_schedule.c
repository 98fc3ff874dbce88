/* Files of schedules: refused with "name:line: ...", or every hop was carried out. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "route/schedule_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const np_node source[] = {0, 1, 2, 3}, destination[] = {3, 2, 1, 0};
    np_network *network;
    np_traffic *traffic;
    np_replay *replay;
    np_phase_run run;
    uint32_t stored;
    if (np_network_create("mesh:2x2", &network) ||
        np_traffic_from_arrays(network, 4, source, destination, NULL, &traffic) ||
        np_replay_create(network, traffic, &replay))
        abort();
    np_status st = np_schedule_parse("fuzz", (const char *)data, size, NULL, replay);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT || st == NP_ERROR_APPLY);
        FUZZ_CHECK(!strncmp(np_last_error(), "fuzz:", 5) && !strchr(np_last_error(), '\n'));
    } else if (!np_replay_end(replay, &run, &stored)) {
        FUZZ_CHECK(run.hops >= 8 && run.steps >= 2 && stored >= 1 && stored <= run.population_max);
    }
    np_replay_free(replay);
    np_traffic_free(traffic);
    np_network_free(network);
    return 0;
}
