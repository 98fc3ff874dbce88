/* Files of graphs in all formats: refused with "name:line: ...", or a network that passes its audit. */
#define _GNU_SOURCE /* memmem */
#include "fuzz.h"

#include <string.h>

#include "base/memory.h"
#include "netpram/report.h"
#include "network/links.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$lines|$lines|$csv|$dense|$dimacs|$metis|$matrix|$node-link|$graphml"},
    {"lines", "$line\n|$line\n$lines|$line\n$lines|$line\n$lines|$line"},
    {"line", "$node $node|$node $node $number|nodes $number|$node;$node|$node $node $node $node|\"$node $node\" "
             "$node|# $bytes|"},
    {"node", "$number|$number|a|b|c|h1|s 1|$odd"},
    {"odd", "\"a b\"|\"a|#x|%|--|\xc3\xa9|'q|(0, 1)|(0|a:|{'w': 1}|{|nodes|source|1.5|-1|,|;|\t|$bytes"},
    {"dense", "$cells\n$cells\n$cells\n|,a,b\na,$cell,$cell\nb,$cell,$cell\n|a $cells\nb $cells\nc $cells\n"},
    {"cells", "$cell $cell $cell|$cell $cell $cell|$cell $cells|$cell,$cell,$cell"},
    {"cell", "0|0|1|$number|$node"},
    {"csv", "source,target,$attribute\n$pairs|from,to\n$pairs"},
    {"pairs", "$node,$node,$number\n|$node,$node,$number\n$pairs|\"$node\",$node\n$pairs"},
    {"attribute", "weight|width|kind|x"},
    {"dimacs", "p $problem $number $number\n$arcs|c $bytes\np $problem $number $number\n$arcs"},
    {"problem", "edge|sp|max|col"},
    {"arcs", "e $number $number\n|e $number $number\n$arcs|a $number $number $number\n$arcs"},
    {"metis", "$number $number\n$rows|$number $number $number $number\n$rows"},
    {"rows", "$row\n|$row\n$rows|$row\n$rows"},
    {"row", "$number|$number $row|$number $row"},
    {"matrix", "%%MatrixMarket matrix coordinate $kind\n$number $number $number\n$rows"},
    {"kind", "real general|pattern symmetric|integer skew-symmetric"},
    {"node-link", "{\"directed\": $truth, \"nodes\": [$nodes], \"$links\": [$edges]}"},
    {"truth", "true|false|$value"},
    {"links", "links|edges"},
    {"nodes", "$vertex|$vertex, $nodes|$vertex, $nodes"},
    {"vertex", "{\"id\": $value}|{\"id\": $value, \"kind\": \"host\"}|{\"$attribute\": $value}"},
    {"edges", "$edge|$edge, $edges|$edge, $edges"},
    {"edge",
     "{\"source\": $value, \"target\": $value}|{\"source\": $value, \"target\": $value, \"$attribute\": $value}"},
    {"value", "$number|\"a\"|\"b\"|[$number, $number]|null|true|\"$bytes\"|[$value]|0|1"},
    {"graphml", "<graphml><graph edgedefault=\"$direction\">$elements</graph></graphml>"},
    {"direction", "directed|undirected|$bytes"},
    {"elements", "$element|$element$elements|$element$elements"},
    {"element", "<node id=\"$node\"/>|<edge source=\"$node\" target=\"$node\"/>|<key id=\"$node\" for=\"edge\" "
                "attr.name=\"w\"><default>$number</default></key>|<edge source=\"a\" target=\"b\"><data "
                "key=\"$node\">$number</data></edge>|<!-- $bytes -->"},
    {NULL, NULL},
};

enum { LIMIT = 1 << 12 };

/* Between each two neighbours in the numbers of terminals, and across. */
static void route(const np_network *network)
{
    enum { MOST = 64 };
    np_node from[2 * MOST], to[2 * MOST], terminals = np_network_terminals(network);
    np_traffic *traffic;
    if (terminals > MOST)
        return;
    for (np_node i = 0; i < terminals; i++) {
        from[2 * i] = from[2 * i + 1] = np_network_input(network, i);
        to[2 * i] = np_network_output(network, (i + 1) % terminals);
        to[2 * i + 1] = np_network_output(network, terminals - 1 - i);
    }
    FUZZ_CHECK(!np_traffic_from_arrays(network, 2 * (size_t)terminals, from, to, NULL, &traffic));
    fuzz_check_routing(network, traffic);
    np_traffic_free(traffic);
}

/* A width is a number of parallel links, which are made: a large one is left alone. */
static bool has_large_width(const uint8_t *data, size_t size)
{
    unsigned digits = 0;
    bool large = false;
    for (size_t i = 0; i < size && !large; i++) {
        bool digit = data[i] >= '0' && data[i] <= '9';
        large = digits + digit > 4 || (digits && (data[i] | 0x20) == 'e');
        digits = digit ? digits + 1 : 0;
    }
    return large && memmem(data, size, "width", 5);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (has_large_width(data, size))
        return 0;
    static const np_network_family family = {.info = {.name = "file"}};
    np_network *network = calloc(1, sizeof *network);
    network->family = &family;
    network->spec = np_memory_text("fuzz");
    FUZZ_CHECK(!np_report_formats());
    np_status st = np_links_parse("fuzz", (const char *)data, size, NULL, LIMIT, network);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT || st == NP_ERROR_LIMIT || st == NP_ERROR_APPLY);
        fuzz_check_message("fuzz:");
    } else {
        FUZZ_CHECK(np_network_nodes(network) <= LIMIT && np_network_links(network) >= 1);
        FUZZ_CHECK(!np_network_audit(network));
        route(network);
    }
    np_network_free(network);
    return 0;
}
