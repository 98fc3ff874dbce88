/*
 * Shortest paths on any network, hop by hop, with the tables of table.h. At u, the next hop crosses a link to a router
 * that is one hop nearer to the destination: which one is as the path rules of the same names have it
 * (src/model/path/shortest.c). One class of channels: on networks with cycles packets may wait for each other.
 */
#include "model/relation/table.h"

static np_status prepare_with(np_relation *r, const char *parameter, np_table_kind kind)
{
    np_status st = *parameter ? np_relation_refuse_parameter(r, parameter) : np_relation_tabulate(r, kind);
    r->slow = !st && r->table->bytes > 8;
    return st;
}

static np_status prepare(np_relation *r, const char *parameter)
{
    return prepare_with(r, parameter, (np_table_kind){0});
}

static np_status prepare_shares(np_relation *r, const char *parameter)
{
    return prepare_with(r, parameter, (np_table_kind){.share = true});
}

static unsigned first_way(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    return np_table_ways(r, at, to, course, out) > 0;
}

/* A way's share of the shortest paths: that of the router it leads to. */
static float share(const np_relation *r, np_node to, const np_candidate *way)
{
    const np_routers *g = &r->table->routers;
    return r->table->share[(size_t)g->number[to] * g->count + (way->state >> NP_COURSE_BITS)];
}

const np_relation_rule np_relation_shortest = {
    .info = {"shortest", "each packet draws one of all its shortest paths, all equally likely", "", .networks = "any"},
    .shortest = true,
    .prepare = prepare_shares,
    .ways = np_table_ways,
    .share = share,
};

const np_relation_rule np_relation_spray = {
    .info = {"spray", "each packet draws among the links of shortest paths at every hop, all equally likely", "",
             .networks = "any"},
    .shortest = true,
    .prepare = prepare,
    .ways = np_table_ways,
    .take = np_table_take,
};

const np_relation_rule np_relation_ecmp = {
    .info = {"ecmp", "as spray, but drawn once for all packets from a router to another", "", .networks = "any"},
    .shortest = true,
    .by_pair = true,
    .prepare = prepare,
    .ways = np_table_ways,
    .take = np_table_take,
};

const np_relation_rule np_relation_lowest_port = {
    .info = {"lowest-port", "shortest paths, at every hop by the lowest port", "", .networks = "any"},
    .shortest = true,
    .first = true,
    .prepare = prepare,
    .ways = first_way,
};
