/*
 * METIS parts into shares with a tolerance (0.1 % at least); nodes are then
 * moved one by one, always the one whose move costs least, until the sizes are
 * exact.
 */
#include "base/partition.h"

#ifdef NETPRAM_METIS

#include <metis.h>

#include "base/memory.h"

typedef struct metis_graph {
    idx_t *row, *neighbour, *weight, *side;
} metis_graph;

bool np_partition_available(void) { return true; }

static void clear(metis_graph *m)
{
    np_memory_free(m->row);
    np_memory_free(m->neighbour);
    np_memory_free(m->weight);
    np_memory_free(m->side);
}

static np_status copy(const np_partition_graph *graph, metis_graph *m)
{
    static const char what[] = "a graph to part";
    uint32_t edges = graph->row[graph->nodes];
    np_status st;
    if ((st = np_memory_array(&m->row, (size_t)graph->nodes + 1, sizeof(idx_t), what)) ||
        (st = np_memory_array(&m->neighbour, edges, sizeof(idx_t), what)) ||
        (st = np_memory_array(&m->weight, edges, sizeof(idx_t), what)) ||
        (st = np_memory_array(&m->side, graph->nodes, sizeof(idx_t), what)))
        return st;
    for (uint32_t u = 0; u <= graph->nodes; u++)
        m->row[u] = (idx_t)graph->row[u];
    for (uint32_t e = 0; e < edges; e++) {
        m->neighbour[e] = (idx_t)graph->neighbour[e];
        m->weight[e] = (idx_t)graph->weight[e];
    }
    return NP_OK;
}

static np_status part(const np_partition_graph *graph, uint32_t first, unsigned trials, metis_graph *m)
{
    idx_t nodes = (idx_t)graph->nodes, constraints = 1, parts = 2, options[METIS_NOPTIONS], cut;
    real_t share = (real_t)first / (real_t)graph->nodes, shares[2] = {share, 1 - share};
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NCUTS] = (idx_t)trials;
    options[METIS_OPTION_SEED] = 1;
    int got = METIS_PartGraphRecursive(&nodes, &constraints, m->row, m->neighbour, NULL, NULL, m->weight, &parts,
                                       shares, NULL, options, &cut, m->side);
    if (got != METIS_OK)
        return NP_RAISE(NP_ERROR_MEMORY, "no memory for METIS to part a graph of %u nodes", graph->nodes);
    return NP_OK;
}

/* How much the cut shrinks if u changes sides. */
static int64_t gain(const np_partition_graph *graph, const uint8_t *side, uint32_t u)
{
    int64_t sum = 0;
    for (uint32_t e = graph->row[u]; e < graph->row[u + 1]; e++)
        sum += side[graph->neighbour[e]] != side[u] ? (int64_t)graph->weight[e] : -(int64_t)graph->weight[e];
    return sum;
}

static void balance(const np_partition_graph *graph, uint32_t first, uint8_t *side)
{
    uint32_t count = 0;
    for (uint32_t u = 0; u < graph->nodes; u++)
        count += !side[u];
    while (count != first) {
        uint8_t from = count < first; /* the side that has too many */
        uint32_t best = graph->nodes;
        int64_t most = 0;
        for (uint32_t u = 0; u < graph->nodes; u++) {
            if (side[u] != from)
                continue;
            int64_t g = gain(graph, side, u);
            if (best == graph->nodes || g > most)
                best = u, most = g;
        }
        side[best] = !from;
        count += from ? 1 : UINT32_MAX;
    }
}

static uint64_t cut_of(const np_partition_graph *graph, const uint8_t *side)
{
    uint64_t sum = 0;
    for (uint32_t u = 0; u < graph->nodes; u++)
        for (uint32_t e = graph->row[u]; e < graph->row[u + 1]; e++)
            sum += side[u] != side[graph->neighbour[e]] ? graph->weight[e] : 0;
    return sum / 2;
}

np_status np_partition_halves(const np_partition_graph *graph, uint32_t first, unsigned trials, uint8_t *side,
                              uint64_t *cut)
{
    metis_graph m = {0};
    np_status st;
    if (graph->nodes > INT32_MAX || graph->row[graph->nodes] > INT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "a graph of %u nodes and %u edges is too large for METIS: at most %d of each",
                        graph->nodes, graph->row[graph->nodes], INT32_MAX);
    if (!(st = copy(graph, &m)) && !(st = part(graph, first, trials, &m))) {
        for (uint32_t u = 0; u < graph->nodes; u++)
            side[u] = m.side[u] != 0;
        balance(graph, first, side);
        *cut = cut_of(graph, side);
    }
    clear(&m);
    return st;
}

#else

bool np_partition_available(void) { return false; }

np_status np_partition_halves(const np_partition_graph *graph, uint32_t first, unsigned trials, uint8_t *side,
                              uint64_t *cut)
{
    (void)first, (void)trials, (void)side, (void)cut;
    return NP_RAISE(NP_ERROR_APPLY, "a graph of %u nodes cannot be parted: netpram was built without METIS",
                    graph->nodes);
}

#endif
