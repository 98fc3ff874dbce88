/*
 * Paths from a file (src/model/path/listed.h), hop by hop. A packet draws one of the paths of its ends at its source,
 * in proportion to their weights; its state names the path. No path visits a node twice, so that its place on the path
 * is known from the node. Of parallel links it takes the lowest port, unless the file says which.
 *
 * Where hosts are told from switches the file has paths from host to host. Relations are asked for routers: so all
 * pairs of hosts of two routers that the file names must have the same paths.
 *
 * State: the highest 32 bits are the number of the path.
 */
#include "model/relation/listed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/relation/routers.h"

static np_node head_of(const np_network *network, np_node u, np_port port)
{
    return np_network_link_head(network, np_network_link_at(network, u, port));
}

static np_status refuse_way(const np_relation *r, const np_listed_way *way, const char *why, np_node node)
{
    const np_network *network = r->network;
    return NP_RAISE(NP_ERROR_INPUT, "%.200s: the path from %.60s to %.60s %s%.60s", r->file,
                    NP_NODE_NAME(network, (np_node)(way->ends >> 32)), NP_NODE_NAME(network, (np_node)way->ends), why,
                    NP_NODE_NAME(network, node));
}

/* The path passes routers alone, each once. seen: [nodes] the last path that was there, plus 1. */
static np_status check_way(const np_relation *r, const np_listed_way *way, uint32_t *seen, uint32_t number)
{
    const np_network *network = r->network;
    np_node at = (np_node)(way->ends >> 32);
    seen[at] = number + 1;
    for (uint32_t i = 0; i < way->hops; i++) {
        at = head_of(network, at, r->listed->port[way->place + i]);
        if (seen[at] == number + 1)
            return refuse_way(r, way, "goes in circles: twice by ", at);
        if (i + 1 < way->hops && !np_network_is_router(network, at))
            return refuse_way(r, way, "goes on from a host: ", at);
        seen[at] = number + 1;
    }
    return NP_OK;
}

static np_status check_ways(const np_relation *r)
{
    const np_listed *listed = r->listed;
    uint32_t *seen = NULL;
    np_status st = np_memory_zeroed(&seen, r->network->nodes, sizeof *seen, "nodes of paths");
    for (size_t i = 0; i < listed->ways && !st; i++)
        if (!(st = check_way(r, &listed->way[i], seen, (uint32_t)i)) && r->network->host &&
            !np_network_serves(r->network, (np_node)(listed->way[i].ends >> 32), (np_node)listed->way[i].ends))
            st = refuse_way(r, &listed->way[i], "is not from host to host, but of ",
                            (np_node)(listed->way[i].ends >> 32));
    np_memory_free(seen);
    return st;
}

/* ---- From hosts to routers ---- */

static uint64_t routers_of(const np_network *network, uint64_t ends)
{
    return (uint64_t)np_relation_router(network, (np_node)(ends >> 32)) << 32 |
           np_relation_router(network, (np_node)ends);
}

/* The paths become those between the routers. They stay in their order, in which those of two hosts are together. */
static void strip(const np_relation *r)
{
    for (size_t i = 0; i < r->listed->ways; i++) {
        np_listed_way *way = &r->listed->way[i];
        way->ends = routers_of(r->network, way->ends);
        way->place++;
        way->hops -= 2;
    }
}

static bool same(const np_listed *listed, const np_listed_way *a, const np_listed_way *b)
{
    return a->upto == b->upto && a->hops == b->hops &&
           !memcmp(&listed->port[a->place], &listed->port[b->place], a->hops * sizeof *listed->port);
}

/* The paths from i on that have its ends, and its place among those of two hosts. */
static size_t run_of(const np_listed *listed, size_t i)
{
    size_t end = i + 1;
    while (end < listed->ways && listed->way[end].ends == listed->way[i].ends &&
           listed->way[end].line == listed->way[i].line)
        end++;
    return end;
}

/* Keeps one pair of hosts of two routers. `line` is the place among the paths of two hosts. */
static np_status merge(const np_relation *r)
{
    np_listed *listed = r->listed;
    size_t kept = 0, pairs = 0;
    for (size_t i = 0, end; i < listed->ways; i = end) {
        const np_listed_way *way = &listed->way[i];
        end = run_of(listed, i);
        pairs = way->line ? pairs : end - i;
        for (size_t j = i; j < end; j++)
            if (end - i != pairs || !same(listed, way, &listed->way[j]))
                return refuse_way(r, way, "is not that of all their hosts: routes hop by hop are of routers, as of ",
                                  (np_node)(way->ends >> 32));
        if (way->hops)
            listed->way[kept++] = *way;
    }
    listed->ways = kept;
    return NP_OK;
}

static np_status take_routers(const np_relation *r)
{
    np_listed *listed = r->listed;
    uint32_t place = 0;
    uint64_t before = UINT64_MAX;
    for (size_t i = 0; i < listed->ways; i++) {
        place = listed->way[i].ends == before ? place + 1 : 0;
        before = listed->way[i].ends;
        listed->way[i].line = place;
    }
    strip(r);
    qsort(listed->way, listed->ways, sizeof *listed->way, np_listed_order);
    return merge(r);
}

static np_status prepare(np_relation *r, const char *parameter)
{
    np_graph *graph = NULL;
    np_status st;
    if (!*parameter)
        return NP_RAISE(NP_ERROR_INPUT, "paths 'file' lack a path: write file:PATH, as in file:paths.txt");
    r->file = parameter;
    if (!(st = np_graph_create(r->network, &graph)) && !(st = np_listed_read(parameter, graph, &r->listed)) &&
        !(st = check_ways(r)) && r->network->host)
        st = take_routers(r);
    r->file = NULL;
    np_graph_free(graph);
    return st;
}

unsigned np_listed_way_of(const np_relation *r, np_node at, uint32_t number, np_candidate *out)
{
    const np_listed_way *way = &r->listed->way[number];
    if (number >= r->listed->ways)
        return 0;
    np_node node = (np_node)(way->ends >> 32);
    for (uint32_t i = 0; i < way->hops; i++) {
        np_port port = r->listed->port[way->place + i];
        if (node == at) {
            out[0] = (np_candidate){.port = port};
            return 1;
        }
        node = head_of(r->network, node, port);
    }
    return 0;
}

/* By the number of the path that the packet draws: np_listed_way_of. */
static unsigned ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    (void)r, (void)at, (void)to, (void)course, (void)out;
    return 0;
}

static uint64_t start(const np_relation *r, const np_draws *draws, uint64_t number, np_node from, np_node to,
                      const np_pressure *pressure)
{
    np_draws mine = np_draws_for(*draws, NP_RANDOM_ROUTE);
    size_t count;
    const np_listed_way *way = np_listed_find(r->listed, from, to, &count);
    (void)pressure;
    if (!way)
        return (uint64_t)r->listed->ways << 32; /* of one router */
    mine.phase = (uint16_t)(mine.phase + (number >> 32));
    unsigned __int128 place = np_random_u64(&mine, from, (uint32_t)number);
    uint64_t weight = (uint64_t)(place * way[count - 1].upto >> 64);
    while (weight >= way->upto)
        way++;
    return (uint64_t)(way - r->listed->way) << 32;
}

const np_relation_rule np_relation_file = {
    .info = {"file", "paths of files: lines 'node [/port] ... [@ weight]'; packets draw among those of their ends", "",
             .parameters = ":PATH", .example = "file:paths.txt", .networks = "any"},
    .one_router = true,
    .prepare = prepare,
    .ways = ways,
    .start = start,
};
