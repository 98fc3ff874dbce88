/* Files of buses: refused with "fuzz: ..." or "fuzz:line: ...", or every bus has two different nodes and every node a
 * bus. */
#include "fuzz.h"

#include "papers/universal/guest.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$bus|$bus\n$file"},
    {"bus", "$name: $nodes|$name:$nodes|# $bytes"},
    {"name", "a|b|bus7|x_1"},
    {"nodes", "$number|$number $nodes|$number $nodes|$number\t$nodes"},
    {NULL, NULL},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    np_guest guest = {0};
    np_status st = np_guest_parse_buses("fuzz", (const char *)data, size, &guest);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT);
        fuzz_check_message("fuzz:");
    } else {
        uint32_t largest = 0;
        FUZZ_CHECK(guest.groups > 0 && guest.row[0] == 0);
        for (uint32_t g = 0; g < guest.groups; g++) {
            FUZZ_CHECK(guest.row[g + 1] >= guest.row[g] + 2);
            for (uint32_t i = guest.row[g]; i < guest.row[g + 1]; i++) {
                FUZZ_CHECK(i == guest.row[g] || guest.member[i] > guest.member[i - 1]);
                largest = guest.member[i] > largest ? guest.member[i] : largest;
            }
        }
        FUZZ_CHECK(guest.nodes == largest + 1 && guest.row[guest.groups] >= guest.nodes);
    }
    np_guest_clear(&guest);
    return 0;
}
