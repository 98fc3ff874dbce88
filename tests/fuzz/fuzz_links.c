/* Files of graphs in all formats: refused with "name:line: ...", or a network that passes its audit. */
#define _GNU_SOURCE /* memmem */
#include "fuzz.h"

#include <string.h>

#include "base/memory.h"
#include "netpram/report.h"
#include "model/format/links.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$lines|$lines|$csv|$dense|$dimacs|$metis|$matrix|$node-link|$graphml|$dot|$gml|$gexf"},
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
    {"gexf",
     "<gexf><graph defaultedgetype=\"$direction\"><attributes class=\"edge\"><attribute id=\"0\" title=\"$attribute\">"
     "<default>$number</default></attribute></attributes><nodes>$vertices</nodes><edges>$arrows</edges></graph></"
     "gexf>"},
    {"vertices", "$vertex-of|$vertex-of$vertices|$vertex-of$vertices"},
    {"vertex-of", "<node id=\"$number\" label=\"$node\"/>|<node id=\"$node\"><nodes>$vertices</nodes></node>"},
    {"arrows", "$arrow|$arrow$arrows|$arrow$arrows"},
    {"arrow",
     "<edge source=\"$number\" target=\"$number\" weight=\"$number\"/>|<edge source=\"0\" target=\"1\" type=\"mutual\">"
     "<attvalues><attvalue for=\"0\" value=\"$number\"/></attvalues></edge>"},
    {"dot", "$graph $node {$statements}|strict $graph {$statements}|$graph {$statements} $bytes"},
    {"graph", "graph|digraph"},
    {"statements", "$statement|$statement; $statements|$statement\n$statements"},
    {"statement",
     "$ends $edge-of $ends|$ends $edge-of $ends $edge-of $ends $list|$node $list|edge $list|node $list|$group|"
     "rank=same|/* $bytes */|// $bytes\n|# $bytes\n"},
    {"edge-of", "--|->"},
    {"ends", "$node|$group|\"$bytes\"|\"a\" + \"b\"|<$bytes>|$node:$node:ne|$node, $node"},
    {"group", "{$statements}|subgraph $node {$statements}|subgraph a {}"},
    {"list", "[$attribute=$number]|[label=\"$bytes\", $attribute=\"$number\"]|[key=$node; dir=both][]"},
    {"gml", "graph [ directed $number $items ]|Creator \"$bytes\" graph [ $items ] $node $number"},
    {"items", "$item|$item $items|$item\n$items"},
    {"item",
     "node [ id $number ]|node [ label \"$bytes&#$number;\" id $number host 1 ]|edge [ source $number target "
     "$number $attribute $number ]|edge [ target 0 source 1 x [ y $number z \"&eacute;\" ] ]|node [ id 0 ] node [ id "
     "1 ]|# $bytes\n"},
    {"tool", "$anynet|$fabric|$slurm|$repetita|$sndlib|$map|$relations|$brite|$inet|$htsim"},
    {"anynet", "$router\n|$router\n$anynet|$router\n$anynet"},
    {"router", "router $number|$router $module $number|$router $module $number $number|node $number router $number"},
    {"module", "router|node"},
    {"fabric",
     "Switch 8 \"s\" # \"$bytes\"\n$ports\nCa 2 \"h\"\n$ports|vendid=0x2c9\nSwitch 9 \"s\"\n[1] \"h\"[1]($number) # "
     "\"h\" lid 1 4xEDR\nCa 1 \"h\"\n[1]($number) \"s\"[1]\n"},
    {"ports", "[$number] \"$end\"[$number]\n|[$number][ext 1] \"$end\"\n$ports|[1] \"$end\"[1] w=$number\n$ports"},
    {"end", "s|h|$bytes"},
    {"slurm",
     "SwitchName=$node Nodes=$hostlist\n|SwitchName=$node Nodes=$hostlist LinkSpeed=$number\n$slurm|SwitchName=s "
     "Switches=$hostlist\\\n,$node\n$slurm"},
    {"minus", "-"},
    {"hostlist",
     "$node|$node,$hostlist|n[$number$minus$number]|n[$number,$number$minus$number]x[0-3]|$hostlist[$number]"},
    {"repetita", "NODES $number\nlabel x y\n$places\nEDGES $number\nlabel src dest weight bw delay\n$roads|NODES "
                 "2\nlabel\na 0 0\nb 1 1\n"
                 "EDGES 1\nlabel\ne 0 1 1 $number 1\n"},
    {"places", "$node $number -$number\n|$node $number $number\n$places"},
    {"roads", "e $number $number 1 $number 3\n|e $number $number 1 1 1\n$roads"},
    {"sndlib", "?SNDlib native format; type: network; version: 1.0\n$sections"},
    {"sections", "$section\n|$section\n$sections|$section\n$sections"},
    {"section",
     "NODES ( a ( $number -1.5 ) b ( 0 0 ) $node )|LINKS ( L ( a b ) 0 0 $number 0 ( ) )|LINKS ( L ( a $node ) 1 1 1 1 "
     "( 2 "
     "$number ) )|DEMANDS ( D ( a b ) 1 $number UNLIMITED )|META (\n$bytes\n)|ADMISSIBLE_PATHS ( ( $node ) )|# $bytes"},
    {"map", "1 @A+$bytes (1) -> <2> =x r1\n2 @T + bb (1) &1 -> <1> {-$number} =y! r5\n|$number @? ($number) -> $angles "
            "=z r1\n$map|-$number "
            "=z r1\n|Oslo,+Norway1 London$number $number\n$map"},
    {"angles", "<$number>|<$number> $angles|{-$number}"},
    {"relations", "# x\n$relation|$number|$number|-1\n$relation"},
    {"relation", "$number|$number|0\n|$number|$number|-1|bgp\n$relation|$number|$number|$number\n$relation"},
    {"brite", "Topology: ( $number Nodes, $number Edges )\nModel ($bytes)\nNodes: ( $number )\n$spots\nEdges: ( "
              "$number )\n$wires|Topology: ( 2 "
              "Nodes, 1 Edges )\nNodes: ( 2 )\n4 1 1 1 1 -1 N\n5 1 1 1 1 -1 N\nEdges: ( 1 )\n0 4 5 1 1 1 -1 -1 E U\n"},
    {"spots", "$number 1 1 1 1 -1 N\n|$number 1 1 1 1 -1 N\n$spots"},
    {"wires", "0 $number $number 1 1 1 -1 -1 E D\n|0 $number $number 1 1 1 -1 -1 E\n$wires"},
    {"inet", "3 2\n0 1 1\n1 2 2\n2 $number -3\n0 $number 1\n2 1 1\n|$number $number\n0 1 1\n1 1 1\n$rows"},
    {"htsim", "Nodes 4\nTiers 2\nPodsize 4\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 1\nOversubscribed "
              "2\nTier 1\n"
              "Downlink_speed_Gbps 100\nRadix_Down 2\n|Nodes $number\nTiers 2\nPodsize $number\n$tier$tier|Nodes "
              "2\nConnections 1\n"},
    {"tier", "Tier $number\nDownlink_speed_Gbps $number\nRadix_Down $number\nRadix_Up $number\nBundle $number\n|Tier "
             "0\nRadix_Down "
             "$number\nRadix_Up 1\nDownlink_Latency_ns $number\n"},
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
