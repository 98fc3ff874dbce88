/*
 * Routes that go up and then down, which never wait in a cycle with one class of channels.
 *
 * up-down, on trees: up no higher than a nearest common ancestor of source and destination, and down. On all trees
 * here, between the routers at which packets start and end, these are the shortest paths: so at every hop the ways are
 * the links that lead nearer. Several links up are drawn, all equally likely, or taken as they are free
 * (up-down:adaptive).
 *
 * up*down*, on any network (Schroeder & others 1991, Autonet): table.h. Among the links of shortest legal routes the
 * packet draws, or takes one that is free (up*down*:adaptive). Course: 1, the packet has gone down.
 */
#include <string.h>

#include "model/relation/table.h"

static np_status prepare(np_relation *r, const char *parameter)
{
    r->adaptive = !strcmp(parameter, "adaptive");
    if (*parameter && !r->adaptive)
        return np_relation_refuse_parameter(r, parameter);
    np_status st = np_relation_tabulate(r, (np_table_kind){0});
    r->slow = r->adaptive || (!st && r->table->bytes > 8);
    return st;
}

const np_relation_rule np_relation_up_down = {
    .info = {"up-down", "up to a nearest common ancestor, then down; links up are drawn, or taken as they are free",
             "Leighton, Maggs, Ranade & Rao 1994, section 7", .parameters = "[:adaptive]",
             .example = "up-down:adaptive",
             .networks = "tree, fat-tree, fat-tree-8, fat-tree-2, xgft, kary-tree, leaf-spine, clos, fat-tree:k="},
    .shortest = true,
    .theorem = "no channel up follows one down",
    .only = &(const np_only){NP_KIND_TREE | NP_KIND_FAT_TREE | NP_KIND_BINARY_FAT_TREE | NP_KIND_XGFT, "it is no tree"},
    .prepare = prepare,
    .ways = np_table_ways,
    .take = np_table_take,
};

static np_status prepare_legal(np_relation *r, const char *parameter)
{
    r->adaptive = !strcmp(parameter, "adaptive");
    if (*parameter && !r->adaptive)
        return np_relation_refuse_parameter(r, parameter);
    return np_relation_tabulate(r, (np_table_kind){.legal = true});
}

static unsigned ways_legal(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    return np_table_legal(r->table, at, to, course & 1, out, 0);
}

const np_relation_rule np_relation_up_star_down_star = {
    .info = {"up*down*", "up towards the root of a spanning tree, then down, by a shortest of such routes",
             "Schroeder and others 1991 (Autonet)", .parameters = "[:adaptive]", .example = "up*down*:adaptive",
             .networks = "any but one-way"},
    .theorem = "no channel up follows one down (Schroeder and others 1991)",
    .refuses = np_relation_refuses_one_way,
    .prepare = prepare_legal,
    .ways = ways_legal,
};
