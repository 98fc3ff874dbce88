/* Traffic files: refused with "name:line: ...", or every packet is within the network and the limit. */
#include "fuzz.h"

#include <string.h>

#include "traffic/pairs.h"

enum { LIMIT = 1 << 14 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    np_network *cube;
    np_traffic *traffic = calloc(1, sizeof *traffic);
    FUZZ_CHECK(!np_network_create("hypercube:6", &cube));
    np_status st = np_pairs_parse("fuzz", (const char *)data, size, cube, NULL, LIMIT, traffic);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT || st == NP_ERROR_LIMIT);
        FUZZ_CHECK(!strncmp(np_last_error(), "fuzz:", 5) && !strchr(np_last_error(), '\n'));
    } else {
        FUZZ_CHECK(traffic->packets <= LIMIT);
        for (np_packet i = 0; i < traffic->packets; i++)
            FUZZ_CHECK(traffic->source[i] < 64 && traffic->destination[i] < 64);
    }
    np_traffic_free(traffic);
    np_network_free(cube);
    return 0;
}
