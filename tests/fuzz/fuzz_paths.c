/* Files of paths: refused with "name:line: ...", or every path is a way over links between its ends. */
#include "fuzz.h"

#include "model/path/listed.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$line\n|$line\n$file|$line\n$file|$line\n$file"},
    {"line", "$way|$way @ $number|$way @|# $bytes|"},
    {"way", "$node $node|$node $node|$node $way"},
    {"node", "0|1|2|3|$number"},
    {NULL, NULL},
};

/* A ring of four, one way round, with a chord and a parallel link. */
static const np_node from[] = {0, 1, 2, 3, 2, 2}, to[] = {1, 2, 3, 0, 0, 3};

static void check(const np_listed *listed, const np_graph *graph)
{
    FUZZ_CHECK(listed->ways > 0);
    for (size_t i = 0; i < listed->ways; i++) {
        const np_listed_way *way = &listed->way[i];
        np_node at = (np_node)(way->ends >> 32);
        bool follows = i && listed->way[i - 1].ends == way->ends;
        FUZZ_CHECK(way->hops >= 1 && way->hops < graph->nodes && way->place + way->hops <= listed->ports);
        FUZZ_CHECK(!i || listed->way[i - 1].ends <= way->ends);
        FUZZ_CHECK(way->upto > (follows ? listed->way[i - 1].upto : 0));
        for (uint32_t k = 0; k < way->hops; k++) {
            np_link link = graph->row[at] + listed->port[way->place + k];
            FUZZ_CHECK(link < graph->row[at + 1]);
            at = graph->head[link];
        }
        FUZZ_CHECK(at == (np_node)way->ends);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static np_network *network;
    static np_graph *graph;
    np_listed *listed;
    if (!network) {
        FUZZ_CHECK(!np_network_from_links(4, sizeof from / sizeof *from, from, to, &network));
        FUZZ_CHECK(!np_graph_create(network, &graph));
    }
    np_status st = np_listed_parse("fuzz", (const char *)data, size, graph, &listed);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT && !listed);
        fuzz_check_message("fuzz:");
    } else
        check(listed, graph);
    np_listed_free(listed);
    return 0;
}
