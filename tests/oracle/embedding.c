/* Slow and obvious: links are looked up by their ends in tables of all pairs of nodes. */
#include "oracle/embedding.h"

#include <stdlib.h>

#include "oracle/graph.h"

/* Follows the path; false if the links form no path. */
static bool follows(const oracle_graph *host, const np_link *link, size_t hops, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < hops; i++) {
        if (link[i] >= host->nodes * host->ports || host->head[link[i]] == ORACLE_NONE || link[i] / host->ports != from)
            return false;
        from = host->head[link[i]];
    }
    return from == to;
}

static bool same_backwards(const oracle_graph *host, const np_link *there, const np_link *back, size_t hops)
{
    for (size_t i = 0; i < hops; i++)
        if (there[i] / host->ports != host->head[back[hops - 1 - i]])
            return false;
    return true;
}

static void judge_path(const np_embedding *e, const oracle_graph *guest, const oracle_graph *host, uint32_t l,
                       oracle_embedding *out, uint32_t *paths)
{
    const np_node *map = np_embedding_map(e);
    const np_link *link, *back;
    uint32_t u = l / guest->ports, v = guest->head[l];
    size_t hops = np_embedding_path(e, l, &link);
    out->connects = out->connects && follows(host, link, hops, map[u], map[v]);
    if (!out->connects)
        return;
    out->dilation = hops > out->dilation ? (uint32_t)hops : out->dilation;
    for (size_t i = 0; i < hops; i++)
        if (++paths[link[i]] > out->congestion)
            out->congestion = paths[link[i]];
    for (uint32_t p = 0; p < guest->ports; p++)
        if (guest->head[v * guest->ports + p] == u)
            out->reverses = out->reverses && np_embedding_path(e, v * guest->ports + p, &back) == hops &&
                            same_backwards(host, link, back, hops);
}

oracle_embedding oracle_embedding_judge(const np_embedding *e)
{
    oracle_graph *guest = oracle_graph_of(np_network_spec(np_embedding_guest(e)));
    oracle_graph *host = oracle_graph_of(np_network_spec(np_embedding_host(e)));
    oracle_embedding out = {.connects = true, .reverses = true};
    const np_node *map = np_embedding_map(e);
    uint32_t *load = calloc(host->nodes, sizeof *load);
    uint32_t *paths = calloc((size_t)host->nodes * host->ports, sizeof *paths);
    for (uint32_t u = 0; u < guest->nodes && out.connects; u++) {
        out.connects = map[u] < host->nodes;
        if (out.connects && ++load[map[u]] > out.load)
            out.load = load[map[u]];
    }
    for (uint32_t l = 0; l < guest->nodes * guest->ports && out.connects; l++)
        if (guest->head[l] != ORACLE_NONE)
            judge_path(e, guest, host, l, &out, paths);
    free(load), free(paths);
    oracle_graph_free(guest);
    oracle_graph_free(host);
    return out;
}

bool oracle_embedding_schedule(const np_embedding *e, const np_step *crossing, uint32_t steps)
{
    np_link links = np_network_link_numbers(np_embedding_host(e));
    np_link paths = np_network_link_numbers(np_embedding_guest(e));
    bool *used = calloc((size_t)links * (steps + 1), sizeof *used), good = true;
    for (np_link l = 0; l < paths; l++) {
        const np_link *link;
        size_t hops = np_embedding_path(e, l, &link);
        np_step now = 0;
        for (size_t i = 0; i < hops && good; i++, crossing++) {
            good = *crossing > now && *crossing <= steps && !used[(size_t)*crossing * links + link[i]];
            if (good)
                used[(size_t)*crossing * links + link[i]] = true;
            now = *crossing;
        }
    }
    free(used);
    return good;
}

static bool extend(const oracle_graph *graph, bool *visited, uint32_t at, uint32_t left)
{
    for (uint32_t p = 0; p < graph->ports; p++) {
        uint32_t v = graph->head[at * graph->ports + p];
        if (v == 0 && !left)
            return true;
        if (v == ORACLE_NONE || visited[v])
            continue;
        visited[v] = true;
        if (extend(graph, visited, v, left - 1))
            return true;
        visited[v] = false;
    }
    return false;
}

bool oracle_hamiltonian(const char *spec)
{
    oracle_graph *graph = oracle_graph_of(spec);
    bool *visited = calloc(graph->nodes, sizeof *visited);
    visited[0] = true;
    bool found = extend(graph, visited, 0, graph->nodes - 1);
    free(visited);
    oracle_graph_free(graph);
    return found;
}
