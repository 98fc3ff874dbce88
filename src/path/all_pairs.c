/*
 * Shortest paths on any network, by a table of next ports for every pair.
 *
 * At u, destination v, the next hop crosses port next[v][u]: the lowest port
 * of u that leads to a node one hop nearer to v. One search against the links
 * from each v fills its row; N^2 entries of as few bytes as a port needs.
 *
 * Ticket: low half the destination, high half the hops left. start() counts
 * the hops by following the table once, so that no table of distances is
 * kept, and next() counts them down: at 0 the route ends.
 *
 * A route cannot report that no path exists. So a network on which some node
 * cannot reach some other node is refused when the path is made.
 */
#include "path/path.h"

#include "base/memory.h"
#include "network/search.h"

#define TABLE_LIMIT ((uint64_t)4 << 30) /* bytes; ours: 65,536 nodes of at most 256 ports */

static const char *refuses(const np_network *network)
{
    (void)network;
    return NULL;
}

static size_t entry_size(const np_network *network)
{
    if (network->ports <= UINT64_C(1) << 8)
        return 1;
    return network->ports <= UINT64_C(1) << 16 ? 2 : 4;
}

static inline np_port read_entry(const void *table, size_t size, size_t index)
{
    if (size == 1)
        return ((const uint8_t *)table)[index];
    return size == 2 ? ((const uint16_t *)table)[index] : ((const uint32_t *)table)[index];
}

static inline void write_entry(void *table, size_t size, size_t index, np_port port)
{
    if (size == 1)
        ((uint8_t *)table)[index] = (uint8_t)port;
    else if (size == 2)
        ((uint16_t *)table)[index] = (uint16_t)port;
    else
        ((uint32_t *)table)[index] = port;
}

static np_port next_port(const np_path *path, np_node at, np_node to)
{
    const np_network *network = path->network;
    return read_entry(path->table, entry_size(network), (size_t)to * network->nodes + at);
}

static np_status refuse_pair(const np_network *network, np_node from, np_node to)
{
    return NP_RAISE(NP_ERROR_APPLY, "paths 'all-pairs' do not apply to %s: there is no way from node %u to node %u",
                    np_network_spec(network), from, to);
}

static np_node first_unreached(const np_network *network, const uint32_t *distance)
{
    np_node u = 0;
    while (u < network->nodes && distance[u] != NP_NONE)
        u++;
    return u;
}

/* Strongly connected, if node 0 reaches all and is reached by all. distance: [nodes], scratch. */
static np_status check_connection(np_search *search, uint32_t *distance)
{
    const np_network *network = search->network;
    np_search_distances(search, 0, false, distance);
    if (search->reached < network->nodes)
        return refuse_pair(network, 0, first_unreached(network, distance));
    np_search_distances(search, 0, true, distance);
    if (search->reached < network->nodes)
        return refuse_pair(network, first_unreached(network, distance), 0);
    return NP_OK;
}

/* The lowest port of u to a node one hop nearer than u. u is not the destination. */
static np_port nearer_port(const np_search *search, const uint32_t *distance, np_node u)
{
    np_link first = np_network_first_link(search->network, u), link = first;
    while (search->head[link] == NP_NONE || distance[search->head[link]] != distance[u] - 1)
        link++;
    return link - first;
}

static void fill_row(np_path *path, const np_search *search, const uint32_t *distance, np_node to)
{
    const np_network *network = path->network;
    size_t size = entry_size(network), row = (size_t)to * network->nodes;
    for (np_node u = 0; u < network->nodes; u++)
        write_entry(path->table, size, row + u, u == to ? 0 : nearer_port(search, distance, u));
}

static np_status fill_table(np_path *path, np_search *search, uint32_t *distance)
{
    const np_network *network = path->network;
    np_status st = check_connection(search, distance);
    if (st)
        return st;
    void *table; /* as path->table */
    if ((st = np_path_allocate(path, (size_t)network->nodes * network->nodes * entry_size(network), &table)))
        return st;
    for (np_node to = 0; to < network->nodes; to++) {
        np_search_distances(search, to, true, distance);
        fill_row(path, search, distance, to);
    }
    return NP_OK;
}

static np_status prepare(np_path *path)
{
    const np_network *network = path->network;
    uint64_t entries = (uint64_t)network->nodes * network->nodes;
    np_search search = {0};
    uint32_t *distance = NULL;
    np_status st;
    if (entries > TABLE_LIMIT / entry_size(network))
        return NP_RAISE(NP_ERROR_LIMIT, "paths 'all-pairs' on %s need a table of %.1f GB: at most %llu GB are allowed",
                        np_network_spec(network), (double)entries * (double)entry_size(network) / (1 << 30),
                        (unsigned long long)(TABLE_LIMIT >> 30));
    if (!(st = np_search_init(&search, network)) &&
        !(st = np_memory_array(&distance, network->nodes, sizeof *distance, "distances")))
        st = fill_table(path, &search, distance);
    np_search_clear(&search);
    np_memory_free(distance);
    return st;
}

static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    const np_network *network = path->network;
    (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++) {
        uint64_t hops = 0;
        for (np_node u = at[i]; u != to[i]; hops++)
            u = np_network_link_head(network, np_network_first_link(network, u) + next_port(path, u, to[i]));
        ticket[i] = hops << 32 | to[i];
    }
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    for (size_t i = 0; i < count; i++) {
        if (!(ticket[i] >> 32)) {
            port[i] = NP_NONE;
            continue;
        }
        port[i] = next_port(path, at[i], (np_node)ticket[i]);
        ticket[i] -= UINT64_C(1) << 32;
    }
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = (uint32_t)(ticket[i] >> 32);
}

const np_path_rule np_path_all_pairs = {
    .info = {"all-pairs", "shortest paths by a table, lowest port first", "",
             .networks = "any network of up to 65536 nodes"},
    .shortest = true,
    .refuses = refuses,
    .prepare = prepare,
    .start = start,
    .next = next,
    .remaining = remaining,
};
