/*
 * Compressed rows: the links of node u are row[u] .. row[u+1]-1, in the order in which they were given. So link row[u]
 * + k is port k of u.
 */
#include "model/network/network.h"

#include <string.h>

#include "base/memory.h"

np_status np_network_take_rows(np_network *network, uint64_t links)
{
    np_status st;
    if (links >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "%llu links: at most %u have numbers of 32 bits", (unsigned long long)links,
                        NP_NONE - 1);
    network->link_numbers = (uint32_t)links;
    network->by_ports = np_divider_of(1); /* not used: rows carry the numbering */
    if ((st = np_memory_zeroed(&network->row, (size_t)network->nodes + 1, sizeof(uint32_t), "the rows of a network")) ||
        (st = np_memory_array(&network->head, links, sizeof(uint32_t), "the heads of the links")))
        return st;
    return np_memory_array(&network->tail, links, sizeof(uint32_t), "the tails of the links");
}

static uint32_t width_of(const np_link_lists *lists, size_t i) { return lists->width ? lists->width[i] : 1; }

/* Is entry i a link back, too? */
static bool leads_back(const np_link_lists *lists, size_t i)
{
    return lists->undirected && lists->from[i] != lists->to[i];
}

static uint64_t count_links(const np_link_lists *lists)
{
    uint64_t links = 0;
    for (size_t i = 0; i < lists->count; i++)
        links += (uint64_t)width_of(lists, i) << leads_back(lists, i);
    return links;
}

static void place(np_network *network, np_node from, np_node to, uint32_t width)
{
    for (; width; width--) {
        uint32_t link = network->row[from]++;
        network->head[link] = to;
        network->tail[link] = from;
    }
}

/* row[u + 1] = links that leave u; then row[u] = the first link of u. */
static void count_rows(np_network *network, const np_link_lists *lists)
{
    uint32_t *row = network->row;
    for (size_t i = 0; i < lists->count; i++) {
        row[lists->from[i] + 1] += width_of(lists, i);
        if (leads_back(lists, i))
            row[lists->to[i] + 1] += width_of(lists, i);
    }
    for (np_node u = 0; u < network->nodes; u++) {
        network->ports = row[u + 1] > network->ports ? row[u + 1] : network->ports;
        row[u + 1] += row[u];
    }
}

/* Counting sort by the node that a link leaves, which keeps the order of the lists within a node. */
np_status np_network_build_rows(np_network *network, const np_link_lists *lists)
{
    uint64_t links = count_links(lists);
    np_status st = np_network_take_rows(network, links);
    uint32_t *row = network->row;
    if (st)
        return st;
    count_rows(network, lists);
    for (size_t i = 0; i < lists->count; i++) { /* row[u] runs from the first link of u to that of u + 1 */
        place(network, lists->from[i], lists->to[i], width_of(lists, i));
        if (leads_back(lists, i))
            place(network, lists->to[i], lists->from[i], width_of(lists, i));
    }
    for (np_node u = network->nodes; u > 0; u--)
        row[u] = row[u - 1];
    row[0] = 0;
    network->terminals = network->input_nodes = network->nodes;
    network->links = links;
    return NP_OK;
}

/* Goes through the entries as np_network_build_rows does. */
np_status np_network_spread(const np_network *network, const np_link_lists *lists, const double *of_entry,
                            double *by_link)
{
    uint32_t *next;
    np_status st = np_memory_array(&next, network->nodes, sizeof *next, "the rows of a network");
    if (st)
        return st;
    memcpy(next, network->row, network->nodes * sizeof *next);
    for (size_t i = 0; i < lists->count; i++) {
        for (uint32_t width = width_of(lists, i); width; width--) {
            by_link[next[lists->from[i]]++] = of_entry[i];
            if (leads_back(lists, i))
                by_link[next[lists->to[i]]++] = of_entry[i];
        }
    }
    np_memory_free(next);
    return NP_OK;
}
