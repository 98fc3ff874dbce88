/* See lanes.h. Pairs are sorted, so that one is found by halving. */
#include "work/collective/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/room.h"
#include "run/flows/flows.h"

#define SECOND 1048576.0 /* delays in seconds are told apart to 2^-50 s */

static const char what[] = "the paths of messages";

static uint64_t number(np_node from, np_node to) { return (uint64_t)from << 32 | to; }

np_status np_lane_list_add(np_lane_list *pairs, np_node from, np_node to)
{
    np_status st = np_memory_room(&pairs->pair, pairs->added, &pairs->most, sizeof *pairs->pair, what);
    if (st)
        return st;
    pairs->pair[pairs->added++] = number(from, to);
    return NP_OK;
}

static void sort(np_lane_list *p)
{
    if (p->added)
        qsort(p->pair, p->added, sizeof *p->pair, np_order_words);
    for (size_t i = 0; i < p->added; i++)
        if (!i || p->pair[i] != p->pair[p->pairs - 1])
            p->pair[p->pairs++] = p->pair[i];
}

/* The pairs as flows. */
static np_status list(const np_lane_list *p, np_flow_set *set)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < p->pairs && !st; i++)
        st = np_flow_set_add(set, (np_node)(p->pair[i] >> 32), (np_node)p->pair[i], 0, 0);
    return st;
}

/* Appends the links of all pairs. */
static np_status follow_all(np_lane_list *p, np_ways *ways, const np_flow_set *set, const np_flows_units *units)
{
    np_fair_time delay;
    uint32_t hops;
    for (size_t i = 0; i < p->pairs; i++) {
        size_t count = p->first[i];
        np_status st = np_ways_of(ways, set, i, &hops, &delay);
        if (st || (count + hops > p->room &&
                   (st = np_memory_need(&p->link, count, 2 * (count + hops), &p->room, sizeof *p->link, what))))
            return st;
        if (hops)
            memcpy(p->link + count, ways->link, hops * sizeof *p->link);
        p->first[i + 1] = count + hops;
        if (p->delay)
            p->delay[i] = np_flows_time(units, delay);
    }
    return NP_OK;
}

np_status np_lane_list_find(np_lane_list *pairs, const np_network *network, const np_lane_options *o)
{
    const np_flows_units units = {o->seconds ? SECOND : 1, o->seconds};
    np_flow_set set = {0};
    np_ways ways = {0};
    np_flows_options options;
    np_status st;
    np_flows_options_init(&options);
    options.paths = o->rule ? o->rule : "greedy";
    options.seed = o->seed;
    sort(pairs);
    if (!(st = np_memory_zeroed(&pairs->first, pairs->pairs + 1, sizeof *pairs->first, what)) &&
        !(st = list(pairs, &set)) && !(st = np_ways_init(&ways, network, &options, &units)) &&
        (!np_network_delay(network) ||
         !(st = np_memory_array(&pairs->delay, pairs->pairs, sizeof *pairs->delay, what))) &&
        !(st = np_ways_find(&ways, &set, o->watch)) && !(st = follow_all(pairs, &ways, &set, &units)))
        st = np_ways_capacities(&ways, &pairs->capacity, &pairs->bits);
    np_ways_clear(&ways);
    np_flow_set_clear(&set);
    return st;
}

size_t np_lane_list_place(const np_lane_list *pairs, np_node from, np_node to)
{
    return np_order_keys_below(pairs->pairs, pairs->pair, sizeof *pairs->pair, number(from, to));
}

void np_lane_list_clear(np_lane_list *pairs)
{
    NP_MEMORY_FREE(pairs->pair, pairs->first, pairs->link, pairs->delay, pairs->capacity);
    *pairs = (np_lane_list){0};
}
