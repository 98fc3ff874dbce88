/* Map files: refused with "name:line: ...", or every guest node has a host node, of its own if asked. */
#include "fuzz.h"

#include "papers/embed/embedding.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$line\n|$line\n$file|$line\n$file|$line\n$file|$line\n$file"},
    {"line", "$node $host|$node $host|# $bytes|"},
    {"node", "0|1|2|3|4|5|$number"},
    {"host", "0|1|2|3|4|5|6|7|$number"},
    {NULL, NULL},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static np_network *ring, *cube;
    np_node map[6];
    FUZZ_CHECK(ring || (!np_network_create("ring:6", &ring) && !np_network_create("hypercube:3", &cube)));
    for (int injective = 0; injective < 2; injective++) {
        np_status st = np_map_parse("fuzz", (const char *)data, size, ring, cube, injective, map);
        uint32_t taken = 0;
        if (st) {
            FUZZ_CHECK(st == NP_ERROR_INPUT);
            fuzz_check_message("fuzz:");
            continue;
        }
        for (int i = 0; i < 6; i++) {
            FUZZ_CHECK(map[i] < 8 && !(injective && taken >> map[i] & 1));
            taken |= UINT32_C(1) << map[i];
        }
    }
    return 0;
}
