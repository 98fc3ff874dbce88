/* A small network as a graph with masks, and its maximal matchings. */
#include <string.h>

#include "papers/gossip/search.h"

static bool linked(const np_network *network, np_node from, np_node to)
{
    return np_collective_link(network, from, to) != NP_NONE;
}

const char *np_gossip_graph_refuses(const np_network *network)
{
    if (network->nodes < 2 || network->nodes > NP_SEARCH_NODES)
        return "it does not have 2 to 12 nodes";
    for (np_node u = 0; u < network->nodes; u++)
        for (np_node v = 0; v < u; v++)
            if (linked(network, u, v) != linked(network, v, u))
                return "some link leads one way only";
    return np_collective_but_terminals(network);
}

static bool maximal(const np_gossip_graph *graph, const uint8_t *partner)
{
    for (uint32_t e = 0; e < graph->edges; e++)
        if (partner[graph->u[e]] == graph->u[e] && partner[graph->v[e]] == graph->v[e])
            return false;
    return true;
}

/* Lists all matchings of the edges from e on, together with the edges chosen so far. Returns false if they are too
   many.
 */
static bool list_matchings(np_gossip_graph *graph, uint32_t e, uint8_t *partner)
{
    if (e == graph->edges) {
        if (!maximal(graph, partner))
            return true;
        if (graph->matchings == NP_SEARCH_MATCHINGS)
            return false;
        memcpy(graph->matching[graph->matchings++], partner, graph->nodes);
        return true;
    }
    uint8_t u = graph->u[e], v = graph->v[e];
    if (partner[u] == u && partner[v] == v) {
        partner[u] = v;
        partner[v] = u;
        bool fits = list_matchings(graph, e + 1, partner);
        partner[u] = u;
        partner[v] = v;
        if (!fits)
            return false;
    }
    return list_matchings(graph, e + 1, partner);
}

/* The algorithm of Floyd and Warshall. */
static void find_distances(np_gossip_graph *graph)
{
    uint32_t n = graph->nodes;
    memset(graph->distance, NP_SEARCH_NODES, sizeof graph->distance);
    for (uint32_t e = 0; e < graph->edges; e++)
        graph->distance[graph->u[e]][graph->v[e]] = graph->distance[graph->v[e]][graph->u[e]] = 1;
    for (uint32_t k = 0; k < n; k++) {
        graph->distance[k][k] = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                if (graph->distance[i][k] + graph->distance[k][j] < graph->distance[i][j])
                    graph->distance[i][j] = (uint8_t)(graph->distance[i][k] + graph->distance[k][j]);
    }
}

static void find_sides(np_gossip_graph *graph)
{
    np_search_set all = (np_search_set)((1u << graph->nodes) - 1), even = 0;
    for (uint32_t u = 0; u < graph->nodes; u++)
        even |= (np_search_set)((graph->distance[0][u] % 2 == 0) << u);
    graph->side = 2 * __builtin_popcount(even) >= (int)graph->nodes ? even : (np_search_set)(all & ~even);
    for (uint32_t e = 0; e < graph->edges; e++)
        if ((even >> graph->u[e] & 1) == (even >> graph->v[e] & 1))
            graph->side = all;
}

np_status np_gossip_graph_init(np_gossip_graph *graph, const np_network *network)
{
    uint8_t partner[NP_SEARCH_NODES];
    memset(graph, 0, sizeof *graph); /* it is too large for a temporary one on the stack */
    graph->nodes = network->nodes;
    for (uint8_t u = 0; u < network->nodes; u++) {
        partner[u] = u;
        for (uint8_t v = 0; v < u; v++)
            if (linked(network, u, v)) {
                graph->u[graph->edges] = v;
                graph->v[graph->edges++] = u;
            }
    }
    find_distances(graph);
    for (uint32_t u = 0; u < graph->nodes; u++)
        if (graph->distance[0][u] == NP_SEARCH_NODES)
            return NP_RAISE(NP_ERROR_APPLY, "%s is not connected: nodes 0 and %u never hear of each other",
                            np_network_spec(network), u);
    if (!list_matchings(graph, 0, partner))
        return NP_RAISE(NP_ERROR_LIMIT, "%s has more than %d matchings: too many to search, take fewer nodes",
                        np_network_spec(network), NP_SEARCH_MATCHINGS);
    find_sides(graph);
    for (uint32_t m = 0; m < graph->matchings; m++) {
        uint32_t matched = 0, of_side = 0;
        for (uint32_t u = 0; u < graph->nodes; u++) {
            matched += graph->matching[m][u] != u;
            of_side += graph->matching[m][u] != u && graph->side >> u & 1;
        }
        graph->largest = matched / 2 > graph->largest ? matched / 2 : graph->largest;
        graph->side_matched = of_side > graph->side_matched ? of_side : graph->side_matched;
    }
    return NP_OK;
}
