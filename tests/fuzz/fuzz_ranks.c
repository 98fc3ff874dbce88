/* Files of ranks: refused with "name:line: ...", or every packet has a rank in the range. */
#include "fuzz.h"

#include "base/memory.h"
#include "papers/ranks/ranks_file.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "# $bytes\n$lines|# steps $number\n$lines|$lines"},
    {"lines", "$packet $number\n|$packet $number\n$lines|$packet $number\n$lines|$packet $number\n$lines"},
    {"packet", "0|1|2|3|$number"},
    {NULL, NULL},
};

enum { PACKETS = 4, RANGE = 9 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t *rank;
    np_status st = np_ranks_parse("fuzz", (const char *)data, size, PACKETS, RANGE, &rank);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT && !rank);
        fuzz_check_message("fuzz:");
    } else {
        for (np_packet i = 0; i < PACKETS; i++)
            FUZZ_CHECK(rank[i] >= 1 && rank[i] <= RANGE);
    }
    np_memory_free(rank);
    return 0;
}
