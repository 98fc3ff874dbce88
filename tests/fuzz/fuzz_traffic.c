/* Traffic files: refused with "name:line: ...", or every packet is within the network and the limit. */
#include "fuzz.h"

#include "base/memory.h"
#include "model/traffic/pairs.h"

const fuzz_rule fuzz_grammar[] = {
    {"file",
     "$lines|$lines|%%MatrixMarket matrix $kind\n$number $number $number\n$lines|$rows|from,to,$amount\n$lines|$tool"},
    {"kind", "coordinate real general|coordinate pattern general|coordinate integer symmetric|coordinate real "
             "skew-symmetric|array real general|array integer symmetric"},
    {"lines", "$line\n|$line\n$lines|$line\n$lines|$line\n$lines"},
    {"line", "$number $number|$number $number $number|$number,$number,$number|# $bytes|% $bytes|"},
    {"amount", "count|packets|priority|weight"},
    {"rows", "$row\n|$row\n$rows|$row\n$rows"},
    {"row", "$number|$number $row|$number $row|$number,$row"},
    {"tool", "DEMANDS $number\nlabel src dest bw\n$demands|?SNDlib native format; type: network; version: 1.0\nDEMANDS "
             "( D ( $number "
             "$number ) 1 $number UNLIMITED )|Nodes $number\nConnections $number\n$connections"},
    {"demands", "d $number $number $number\n|d $number $number $number.5\n$demands"},
    {"arrow", "->"},
    {"connections", "$number$arrow$number start 0 size $number\n|$number$arrow$number id 1 trigger 2 size "
                    "5\n$connections|trigger id 2 oneshot\n"},
    {NULL, NULL},
};

enum { LIMIT = 1 << 14 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static np_network *cube;
    np_traffic *traffic = calloc(1, sizeof *traffic);
    traffic->spec = np_memory_text("fuzz");
    FUZZ_CHECK(cube || !np_network_create("hypercube:6", &cube));
    np_status st = np_pairs_parse("fuzz", (const char *)data, size, cube, NULL, LIMIT, traffic);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT || st == NP_ERROR_LIMIT);
        fuzz_check_message("fuzz:");
    } else {
        FUZZ_CHECK(traffic->packets <= LIMIT);
        for (np_packet i = 0; i < traffic->packets; i++)
            FUZZ_CHECK(traffic->source[i] < 64 && traffic->destination[i] < 64);
        traffic->count = traffic->packets; /* all of them are here */
        fuzz_check_routing(cube, traffic);
    }
    np_traffic_free(traffic);
    return 0;
}
