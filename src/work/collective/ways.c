/* See ways.h. Pairs are sorted, so that a pair is found by halving. */
#include "work/collective/ways.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/path/routes.h"

static const char what[] = "the ways of messages";

np_status np_pair_ways_add(np_pair_ways *ways, np_node from, np_node to)
{
    if (ways->added == ways->most) {
        size_t most = ways->most ? 2 * ways->most : 1024;
        np_status st = np_memory_grow(&ways->room, ways->added, most, sizeof *ways->room, what);
        if (st)
            return st;
        ways->most = most;
    }
    ways->room[ways->added++] = np_ways_pair(from, to);
    return NP_OK;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_pairs(np_pair_ways *ways)
{
    if (ways->added)
        qsort(ways->room, ways->added, sizeof *ways->room, by_number);
    ways->pair = ways->room;
    ways->room = NULL;
    for (size_t i = 0; i < ways->added; i++)
        if (!i || ways->pair[i] != ways->pair[ways->pairs - 1])
            ways->pair[ways->pairs++] = ways->pair[i];
}

/* Appends the links of all pairs. path: bound to the routes. */
static np_status follow_all(np_pair_ways *ways, const np_path *path, const np_draws *draws, const np_demand *demand)
{
    size_t longest = np_path_longest(path), room = 0;
    np_link *links;
    longest = longest ? longest : path->network->nodes;
    np_status st = np_memory_array(&links, longest, sizeof *links, what);
    for (size_t i = 0; i < ways->pairs && !st; i++) {
        size_t hops = 0, count = ways->first[i];
        if (demand->from[i] != demand->to[i])
            st = np_path_follow(path, draws, (np_packet)i, demand->from[i], demand->to[i], longest, links, &hops);
        if (!st && count + hops > room) {
            size_t more = 2 * (count + hops);
            st = np_memory_grow(&ways->link, count, more, sizeof *ways->link, what);
            room = more;
        }
        for (size_t h = 0; h < hops && !st; h++)
            ways->link[count + h] = links[h];
        ways->first[i + 1] = count + hops;
    }
    np_memory_free(links);
    return st;
}

static np_status find(np_pair_ways *ways, const np_path *path, uint64_t seed, const np_watch *watch, np_node *from,
                      np_node *to)
{
    const np_draws draws = {.seed = seed, .purpose = NP_RANDOM_TICKET};
    const np_demand demand = {.draws = draws, .count = ways->pairs, .from = from, .to = to, .watch = watch};
    np_routes *routes = NULL;
    np_path bound;
    for (size_t i = 0; i < ways->pairs; i++) {
        from[i] = (np_node)(ways->pair[i] >> 32);
        to[i] = (np_node)ways->pair[i];
    }
    np_status st = np_routes_for(path, &demand, &bound, &routes);
    if (!st)
        st = follow_all(ways, &bound, &draws, &demand);
    np_routes_free(routes);
    return st;
}

np_status np_pair_ways_find(np_pair_ways *ways, const np_network *network, const char *rule, uint64_t seed,
                            const np_watch *watch)
{
    np_node *from = NULL, *to = NULL;
    np_path *path = NULL;
    np_status st;
    sort_pairs(ways);
    if (ways->pairs >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "%zu pairs of hosts are too many", ways->pairs);
    if (!(st = np_memory_zeroed(&ways->first, ways->pairs + 1, sizeof *ways->first, what)) &&
        !(st = np_memory_array(&from, ways->pairs, sizeof *from, what)) &&
        !(st = np_memory_array(&to, ways->pairs, sizeof *to, what)) &&
        !(st = np_path_create(rule ? rule : "greedy", network, &path)))
        st = find(ways, path, seed, watch, from, to);
    np_path_free(path);
    np_memory_free(from);
    np_memory_free(to);
    return st;
}

size_t np_pair_ways_of(const np_pair_ways *ways, np_node from, np_node to)
{
    uint64_t pair = np_ways_pair(from, to);
    size_t low = 0, high = ways->pairs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ways->pair[middle] < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void np_pair_ways_clear(np_pair_ways *ways)
{
    np_memory_free(ways->pair);
    np_memory_free(ways->room);
    np_memory_free(ways->first);
    np_memory_free(ways->link);
    *ways = (np_pair_ways){0};
}
