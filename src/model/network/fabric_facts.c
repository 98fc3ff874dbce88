/*
 * What people buy for a network of switches, and what it gives them: radix, cables, the mean distance between hosts,
 * and hosts that are cut off.
 *
 * A cable is a link with one that leads back, or a link that has none. Distances are those between different hosts, or
 * between different switches where there are no hosts. A host with one neighbour is one hop beyond it, and no way leads
 * through such a host: one search from the neighbour serves all of its hosts.
 */
#include <string.h>

#include "base/memory.h"
#include "model/network/facts.h"

static const char too_long[] = "not measured: more link visits than the effort allowed";

typedef struct measure {
    np_search *search;
    const np_network *network;
    np_fabric_facts *facts;
    uint32_t *scratch; /* [nodes] */
    uint32_t *weight;  /* [nodes] hosts whose distances the search from a node gives */
    uint32_t *beyond;  /* [nodes] how many hops they are beyond it: 1 or 0 */
} measure;

static bool is_end(const np_network *network, np_node u) { return !network->host || np_network_is_host(network, u); }

/* The only neighbour of a node with one link out and one link in, both from and to it; else NP_NONE. */
static np_node only_neighbour(const np_search *search, np_node u)
{
    np_link link = np_network_first_link(search->network, u);
    if (np_search_degree(search, u) != 1 || search->in_row[u + 1] - search->in_row[u] != 1)
        return NP_NONE;
    while (search->head[link] == NP_NONE)
        link++;
    np_node v = np_network_link_tail(search->network, search->in[search->in_row[u]]);
    return search->head[link] == v && v != u ? v : NP_NONE;
}

/* ---- Switches and cables ---- */

static void count_cable(const measure *m, np_node u, np_node v)
{
    bool to_host = m->network->host && (is_end(m->network, u) || is_end(m->network, v));
    ++*(to_host ? &m->facts->host_cables : &m->facts->cables);
}

/* Adds the cables from u to the nodes behind it. met: [nodes], zeros, before and after */
static void count_cables(const measure *m, np_node u, uint32_t *met)
{
    const np_search *search = m->search;
    np_link begin = np_network_first_link(m->network, u), end = np_network_first_link(m->network, u + 1);
    for (np_link link = begin; link < end; link++)
        if (search->head[link] != NP_NONE && search->head[link] >= u) {
            count_cable(m, u, search->head[link]);
            met[search->head[link]]++;
        }
    /* Of links into u, those that no link out of u goes with. */
    for (uint32_t j = search->in_row[u]; j < search->in_row[u + 1]; j++) {
        np_node v = np_network_link_tail(m->network, search->in[j]);
        if (v > u && met[v])
            met[v]--;
        else if (v > u)
            count_cable(m, u, v);
    }
    for (np_link link = begin; link < end; link++)
        if (search->head[link] != NP_NONE)
            met[search->head[link]] = 0;
}

static void count_parts(const measure *m)
{
    const np_network *network = m->network;
    np_fabric_facts *facts = m->facts;
    memset(m->scratch, 0, network->nodes * sizeof *m->scratch);
    for (np_node u = 0; u < network->nodes; u++) {
        uint64_t degree = np_search_degree(m->search, u);
        if (!network->host || !np_network_is_host(network, u))
            facts->radix = degree > facts->radix ? degree : facts->radix;
        count_cables(m, u, m->scratch);
    }
}

/* Hosts that are not in the part that has most of them. */
static void count_cut_off(const measure *m)
{
    const np_network *network = m->network;
    uint32_t *hosts = m->weight, most = 0, all = 0;
    np_search_parts(m->search, m->scratch);
    memset(hosts, 0, network->nodes * sizeof *hosts);
    for (np_node u = 0; u < network->nodes; u++)
        if (is_end(network, u)) {
            uint32_t here = ++hosts[m->scratch[u]];
            most = here > most ? here : most;
            all++;
        }
    m->facts->cut_off = all - most;
}

/* ---- Distances ---- */

/* From which nodes to search, and for how many hosts each. Returns the number of searches. */
static uint32_t choose_sources(const measure *m)
{
    const np_network *network = m->network;
    uint32_t searches = 0;
    memset(m->weight, 0, network->nodes * sizeof *m->weight);
    memset(m->beyond, 0, network->nodes * sizeof *m->beyond);
    if (!network->host && network->family->node_symmetric) {
        m->weight[0] = 1;
        return 1;
    }
    for (np_node u = 0; u < network->nodes; u++) {
        if (!is_end(network, u))
            continue;
        np_node v = network->host ? only_neighbour(m->search, u) : NP_NONE;
        bool hangs = v != NP_NONE && !np_network_is_host(network, v);
        m->beyond[hangs ? v : u] = hangs;
        searches += !m->weight[hangs ? v : u]++;
    }
    return searches;
}

/* The distances of the hosts of node s. One that hangs on s would count itself, 2 hops away and back. */
static void add_distances(const measure *m, np_node s)
{
    uint64_t sum = 0, count = 0, weight = m->weight[s], beyond = m->beyond[s];
    np_search_distances(m->search, s, false, m->scratch);
    for (np_node v = 0; v < m->network->nodes; v++)
        if (is_end(m->network, v) && v != s && m->scratch[v] != NP_NONE) {
            sum += m->scratch[v] + beyond;
            count++;
        }
    m->facts->distance_sum += weight * (sum - 2 * beyond);
    m->facts->distance_pairs += weight * (count - beyond);
}

static void measure_distances(const measure *m, uint64_t effort)
{
    uint64_t visits = (uint64_t)choose_sources(m) * (m->network->links + m->network->nodes);
    if (visits > effort) {
        m->facts->note = too_long;
        m->facts->needs = visits;
        return;
    }
    for (np_node s = 0, done = 0; s < m->network->nodes && !np_search_cancelled(m->search); s++)
        if (m->weight[s]) {
            add_distances(m, s);
            if (++done % 64 == 0) /* ours: some hundredths of a second */
                np_search_tell(m->search, "the mean distance", (double)s / m->network->nodes);
        }
}

np_status np_fabric_measure(np_search *search, uint64_t effort, np_fabric_facts *facts)
{
    const np_network *network = search->network;
    measure m = {.search = search, .network = network, .facts = facts};
    size_t nodes = network->nodes;
    np_status st;
    if (!(st = np_memory_array(&m.scratch, nodes, sizeof *m.scratch, "distances")) &&
        !(st = np_memory_array(&m.weight, nodes, sizeof *m.weight, "distances")) &&
        !(st = np_memory_array(&m.beyond, nodes, sizeof *m.beyond, "distances"))) {
        facts->measured = true;
        count_parts(&m);
        count_cut_off(&m);
        measure_distances(&m, effort);
    }
    NP_MEMORY_FREE(m.scratch, m.weight, m.beyond);
    return st;
}
