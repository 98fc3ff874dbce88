/* Layouts of guests: refused with "fuzz: ..." or "fuzz:line: ...", or all nodes are at different places of the least
 * box. */
#include "fuzz.h"

#include <string.h>

#include "papers/universal/guest.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$line\n|$line\n$file|$line\n$file|$line\n$file"},
    {"line", "$node $place|$node $place # $bytes|# $bytes|"},
    {"node", "0|1|2|3|$number"},
    {"place", "$number $number|$number $number $number|$number,$number"},
    {NULL, NULL},
};

static void check_places(const np_guest *guest)
{
    for (uint32_t i = 0; i < guest->nodes; i++) {
        for (int k = 0; k < 3; k++)
            FUZZ_CHECK(guest->point[i].at[k] < guest->extent[k]);
        for (uint32_t j = 0; j < i; j++)
            FUZZ_CHECK(guest->point[i].node != guest->point[j].node &&
                       memcmp(guest->point[i].at, guest->point[j].at, sizeof guest->point[i].at));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static np_network *ring;
    FUZZ_CHECK(ring || !np_network_create("ring:4", &ring));
    for (int volume = 0; volume < 2; volume++) {
        np_guest guest = {0};
        FUZZ_CHECK(!np_guest_of_network(ring, volume, &guest));
        np_status st = np_guest_parse_layout(&guest, volume, "fuzz", (const char *)data, size);
        if (st) {
            FUZZ_CHECK(st == NP_ERROR_INPUT);
            fuzz_check_message("fuzz:");
        } else {
            FUZZ_CHECK(guest.map == NP_UNIVERSAL_LAYOUT && (volume || guest.extent[2] == 1));
            check_places(&guest);
        }
        np_guest_clear(&guest);
    }
    return 0;
}
