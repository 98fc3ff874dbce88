/* Links of a network as the engine has them, and the paths of flows over them. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/room.h"
#include "model/network/attributes.h"
#include "run/flows/flows.h"

/* ---- Links ---- */

/* Parallel links become one: first[v] is the first link from the present node to v, by the stamp of the node. */
static np_status join_links(np_ways *w)
{
    const np_network *network = w->network;
    np_link *first;
    np_status st = np_memory_array(&first, np_network_nodes(network), sizeof *first, "parallel links");
    if (st)
        return st;
    memset(first, 0xff, np_network_nodes(network) * sizeof *first);
    for (np_node u = 0; u < np_network_nodes(network); u++) {
        np_link begin = np_network_first_link(network, u), end = np_network_first_link(network, u + 1);
        for (np_link l = begin; l < end; l++) {
            np_node head = np_network_link_head(network, l);
            w->trunk[l] = l;
            if (head == NP_NONE)
                continue;
            if (first[head] == NP_NONE || first[head] < begin)
                first[head] = l;
            w->trunk[l] = first[head];
            w->width[first[head]]++;
        }
    }
    np_memory_free(first);
    return NP_OK;
}

static np_status check_unit(const np_link_attribute *a, const np_flows_units *units)
{
    if (units->bytes && strcmp(a->unit, "s"))
        return NP_RAISE(NP_ERROR_INPUT,
                        "delay '%.40s' is no time: with a link rate delays are seconds: write them as in 5us", a->name);
    if (!units->bytes && *a->unit)
        return NP_RAISE(NP_ERROR_INPUT, "delay '%.40s' is in %s: without a link rate delays are steps", a->name,
                        a->unit);
    return NP_OK;
}

/* In seconds or steps, fractions of them, too: a flow has no steps. */
static np_status read_delays(np_ways *w, const np_flows_units *units)
{
    const np_link_attribute *a = np_network_delay(w->network);
    np_link links = np_network_link_numbers(w->network);
    np_status st;
    if (!a)
        return NP_OK;
    if ((st = check_unit(a, units)) ||
        (st = np_memory_zeroed(&w->delay, links, sizeof *w->delay, "the delays of links")))
        return st;
    for (np_link l = 0; l < links; l++) {
        double delay = isnan(a->value[l]) ? 0 : a->value[l];
        if (!(delay >= 0))
            return NP_RAISE(NP_ERROR_INPUT, "delay '%.40s': that of link %u is below 0", a->name, l);
        w->delay[l] = np_flows_ticks(units, delay);
    }
    return NP_OK;
}

np_status np_ways_init(np_ways *w, const np_network *network, const np_flows_options *options,
                       const np_flows_units *units)
{
    np_link links = np_network_link_numbers(network);
    np_status st;
    *w = (np_ways){.network = network, .draws = {.seed = options->seed, .purpose = NP_RANDOM_TICKET}};
    if (options->split && (st = np_attributes_heeded(network, "split", NP_HEEDS_DELAYS)))
        return st;
    if ((st = np_path_create(options->paths, network, &w->path)) ||
        (st = np_memory_array(&w->trunk, links, sizeof *w->trunk, "the links of flows")) ||
        (st = np_memory_zeroed(&w->width, links, sizeof *w->width, "the links of flows")) || (st = join_links(w)))
        return st;
    if ((st = read_delays(w, units)))
        return st;
    return options->split ? np_dividing_create(network, &w->dividing) : NP_OK;
}

void np_ways_clear(np_ways *w)
{
    NP_MEMORY_FREE(w->trunk, w->width, w->delay, w->link, w->share);
    np_dividing_free(w->dividing);
    np_routes_free(w->routes);
    np_path_free(w->path);
    *w = (np_ways){.network = NULL};
}

/* All units of the widest link must fit. */
static unsigned find_width_bits(const np_ways *w)
{
    uint32_t most = 1;
    unsigned bits = 50;
    for (np_link l = 0; l < np_network_link_numbers(w->network); l++)
        most = w->width[l] > most ? w->width[l] : most;
    while (most >> (NP_FAIR_CAPACITY_BITS - bits))
        bits--;
    return bits;
}

np_status np_ways_capacities(const np_ways *w, uint64_t **capacity, unsigned *bits)
{
    np_link links = np_network_link_numbers(w->network);
    np_status st = np_memory_array(capacity, links, sizeof **capacity, "the capacities of links");
    *bits = find_width_bits(w);
    for (np_link l = 0; !st && l < links; l++)
        (*capacity)[l] = (uint64_t)w->width[l] << *bits;
    return st;
}

/* ---- Paths ---- */

np_status np_ways_find(np_ways *w, const np_flow_set *set, const np_watch *watch)
{
    const np_demand demand = {
        .draws = w->draws, .count = set->flows, .from = set->source, .to = set->destination, .watch = watch};
    w->bound = *w->path;
    return set->flows && !w->dividing ? np_routes_for(w->path, &demand, &w->bound, &w->routes) : NP_OK;
}

np_status np_ways_of(np_ways *w, const np_flow_set *set, size_t i, uint32_t *hops, np_fair_time *delay)
{
    size_t count = 0;
    np_status st;
    *hops = 0;
    *delay = 0;
    if (set->source[i] == set->destination[i])
        return NP_OK;
    if (w->dividing)
        return np_ways_divide(w, set->source[i], set->destination[i], hops, delay);
    for (;;) {
        st = np_path_follow(&w->bound, &w->draws, (np_packet)i, set->source[i], set->destination[i], w->room, w->link,
                            &count);
        if (st || count <= w->room)
            break;
        if ((st = np_memory_need(&w->link, 0, count, &w->room, sizeof *w->link, "the path of a flow")))
            break;
    }
    for (size_t h = 0; !st && h < count; h++) {
        *delay += w->delay ? w->delay[w->link[h]] : 0;
        w->link[h] = w->trunk[w->link[h]];
    }
    *hops = (uint32_t)count;
    return st;
}
