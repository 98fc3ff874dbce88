/* Map files: refused with "name:line: ...", or every guest node has a host node, of its own if asked. */
#include "fuzz.h"

#include <string.h>

#include "embed/embedding.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    np_network *ring, *cube;
    np_node map[6];
    FUZZ_CHECK(!np_network_create("ring:6", &ring) && !np_network_create("hypercube:3", &cube));
    for (int injective = 0; injective < 2; injective++) {
        np_status st = np_map_parse("fuzz", (const char *)data, size, ring, cube, injective, map);
        uint32_t taken = 0;
        if (st) {
            FUZZ_CHECK(st == NP_ERROR_INPUT);
            FUZZ_CHECK(!strncmp(np_last_error(), "fuzz:", 5) && !strchr(np_last_error(), '\n'));
            continue;
        }
        for (int i = 0; i < 6; i++) {
            FUZZ_CHECK(map[i] < 8 && !(injective && taken >> map[i] & 1));
            taken |= UINT32_C(1) << map[i];
        }
    }
    np_network_free(ring);
    np_network_free(cube);
    return 0;
}
