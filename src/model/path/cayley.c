/*
 * Shortest paths on networks that look the same from every node, and have a
 * formula for this: relative(u, v) is the image of v under an automorphism that
 * takes u to node 0 and keeps port numbers. So at u, destination v, the next hop
 * crosses the port that leads from 0 towards relative(u, v). One table serves all
 * pairs: the first ports of shortest paths from node 0, and the distances. It is
 * built by one breadth-first search from node 0.
 *
 * The ticket is relative(at, destination). A hop over port p goes from u to u',
 * and g is the neighbour of 0 over p. Then relative(u', v) = relative(g,
 * relative(u, v)): both are images under automorphisms that take u' to 0 and keep
 * port numbers, and there is only one such automorphism of a connected network.
 * The table has this node, too, for its first port: so only a start uses the
 * formula, which ranks permutations on star and pancake graphs.
 *
 * Of several shortest paths the route takes, at every hop, the lowest port:
 * nodes of one distance leave the search's queue in the order of their first
 * ports, so the search first meets a node by its lowest first port.
 *
 * Table: 8 bytes a node, so that a look-up is one cache line. Ports and distances
 * are at most 255.
 */
#include "model/path/path.h"

#include "base/memory.h"

enum { BYTE_MAX = 255, UNKNOWN = 255 };

typedef struct table_entry {
    np_node left;     /* the ticket after the first hop */
    uint8_t port;     /* of the first hop from node 0 */
    uint8_t distance; /* from node 0; UNKNOWN in the search: not met */
} table_entry;

static const char *refuses(const np_network *network)
{
    uint64_t diameter;
    if (!network->family->relative)
        return "one table for all nodes needs a network that looks the same from every node";
    if (network->ports > BYTE_MAX)
        return "its table has one byte a port number";
    if (!np_network_diameter_by_formula(network, &diameter))
        diameter = network->reach ? network->reach : UNKNOWN;
    if (diameter >= UNKNOWN)
        return "its table has one byte a distance";
    return NULL;
}

static void search(const np_network *network, table_entry *table, np_node *queue)
{
    uint32_t ports = network->ports;
    np_link link[BYTE_MAX];
    np_node head[BYTE_MAX];
    for (np_node x = 0; x < network->nodes; x++)
        table[x].distance = UNKNOWN;
    table[0] = (table_entry){0};
    queue[0] = 0;
    for (np_node first = 0, last = 1; first < last; first++) {
        np_node x = queue[first];
        for (np_port p = 0; p < ports; p++)
            link[p] = x * ports + p;
        np_network_heads(network, ports, link, head);
        for (np_port p = 0; p < ports; p++) {
            if (table[head[p]].distance != UNKNOWN)
                continue;
            table[head[p]].port = x ? table[x].port : (uint8_t)p;
            table[head[p]].distance = (uint8_t)(table[x].distance + 1);
            queue[last++] = head[p];
        }
    }
}

/* What is left of each way after its first hop. */
static void find_left(const np_network *network, table_entry *table)
{
    for (np_node x = 1; x < network->nodes; x++)
        if (table[x].distance != UNKNOWN)
            table[x].left = network->family->relative(network, np_network_link_head(network, table[x].port), x);
}

static np_status prepare(np_path *path)
{
    const np_network *network = path->network;
    np_node *queue = NULL;
    np_status st;
    table_entry *table;
    if ((st = np_path_allocate(path, network->nodes * sizeof *table, &table)))
        return st;
    if ((st = np_memory_array(&queue, network->nodes, sizeof *queue, "the search for shortest paths")))
        return st; /* the table is freed with the path */
    search(network, table, queue);
    find_left(network, table);
    np_memory_free(queue);
    return NP_OK;
}

static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++)
        ticket[i] = path->network->family->relative(path->network, at[i], to[i]);
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    const table_entry *table = path->table;
    (void)at;
    for (size_t i = 0; i < count; i++) {
        table_entry entry = table[ticket[i]];
        port[i] = ticket[i] ? entry.port : NP_NONE;
        ticket[i] = entry.left;
    }
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    const table_entry *table = path->table;
    (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = table[ticket[i]].distance;
}

const np_path_rule np_path_cayley = {
    .info = {"cayley", "shortest paths by one table of first ports, lowest port first", "",
             .networks = "ccc, butterfly, star, pancake, cayley, and small hypercube, torus, ring, complete"},
    .shortest = true,
    .refuses = refuses,
    .prepare = prepare,
    .start = start,
    .next = next,
    .remaining = remaining,
    .memoryless = true,
};
