/*
 * METIS parts into shares with a tolerance (0.1 % at least). Then nodes are
 * moved one by one, always the node whose move costs least, until the sizes are
 * exact. The candidates are in a heap; when a node has moved, its neighbours
 * rise in the heap.
 *
 * METIS seeds and calls rand(), whose state belongs to the whole program. So
 * threads take turns, by a lock, and draw from a state of our own:
 * initstate() puts it in the place of the program's state, and setstate() puts
 * the program's state back (in glibc rand() and random() share their state).
 */
#include "base/account.h"
#include "base/partition.h"

#ifdef NETPRAM_METIS

#include <metis.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"

typedef struct metis_graph {
    idx_t *row, *neighbour, *weight, *side;
} metis_graph;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool np_partition_available(void) { return true; }

static void clear(metis_graph *m) { NP_MEMORY_FREE(m->row, m->neighbour, m->weight, m->side); }

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

/* Parts into shares of `first` nodes and of the others, the best of `trials` partitions. Returns what METIS returns. */
static int call_metis(const np_partition_graph *graph, uint32_t first, unsigned trials, metis_graph *m)
{
    enum { STATE = 128 }; /* as in glibc's own generator */
    idx_t nodes = (idx_t)graph->nodes, constraints = 1, parts = 2, options[METIS_NOPTIONS], cut;
    real_t share = (real_t)first / (real_t)graph->nodes, shares[2] = {share, 1 - share};
    int got = METIS_OK;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NCUTS] = (idx_t)trials;
    options[METIS_OPTION_SEED] = 1;
    pthread_mutex_lock(&lock);
    char state[STATE], *programs = initstate(1, state, sizeof state);
    got = METIS_PartGraphRecursive(&nodes, &constraints, m->row, m->neighbour, NULL, NULL, m->weight, &parts, shares,
                                   NULL, options, &cut, m->side);
    setstate(programs);
    pthread_mutex_unlock(&lock);
    return got;
}

/* METIS takes its own memory. Measured on meshes and hypercubes of 2^14 to 2^20 nodes: no more than this. */
static uint64_t bytes_of_metis(const np_partition_graph *graph)
{
    return 80 * (uint64_t)graph->nodes + 32 * (uint64_t)graph->row[graph->nodes];
}

static np_status part(const np_partition_graph *graph, uint32_t first, unsigned trials, metis_graph *m)
{
    np_status st = np_account_charge(bytes_of_metis(graph), "METIS, to part a graph");
    if (st)
        return st;
    int got = call_metis(graph, first, trials, m);
    np_account_give_back(bytes_of_metis(graph));
    if (got == METIS_ERROR_MEMORY)
        return NP_RAISE(NP_ERROR_MEMORY, "no memory for METIS to part a graph of %u nodes", graph->nodes);
    if (got != METIS_OK) /* METIS catches SIGTERM and SIGABRT while it works */
        return NP_RAISE(NP_ERROR_CANCELLED, "METIS was stopped while it parted a graph of %u nodes", graph->nodes);
    return NP_OK;
}

/* How much the cut shrinks if u changes sides. */
static int64_t gain_of(const np_partition_graph *graph, const uint8_t *side, uint32_t u)
{
    int64_t sum = 0;
    for (uint32_t e = graph->row[u]; e < graph->row[u + 1]; e++)
        sum += side[graph->neighbour[e]] != side[u] ? (int64_t)graph->weight[e] : -(int64_t)graph->weight[e];
    return sum;
}

/* The nodes of the side that has too many. The first node moves next; of two equal ones, the lower number is first. */
typedef struct movers {
    uint32_t count;
    int64_t *gain;          /* [nodes] */
    uint32_t *heap, *place; /* [nodes] heap[place[u]] = u */
} movers;

static bool before(const movers *m, uint32_t u, uint32_t v)
{
    return m->gain[u] != m->gain[v] ? m->gain[u] > m->gain[v] : u < v;
}

static void put(movers *m, uint32_t at, uint32_t u)
{
    m->heap[at] = u;
    m->place[u] = at;
}

static void rise(movers *m, uint32_t u)
{
    uint32_t at = m->place[u];
    for (; at && before(m, u, m->heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(m, at, m->heap[(at - 1) / 2]);
    put(m, at, u);
}

static void sink(movers *m, uint32_t at)
{
    uint32_t u = m->heap[at];
    for (uint32_t child; (child = 2 * at + 1) < m->count; at = child) {
        child += child + 1 < m->count && before(m, m->heap[child + 1], m->heap[child]);
        if (before(m, u, m->heap[child]))
            break;
        put(m, at, m->heap[child]);
    }
    put(m, at, u);
}

/* Moves `moves` nodes away from the side `from`. */
static void move(const np_partition_graph *graph, uint8_t from, uint32_t moves, uint8_t *side, movers *m)
{
    for (uint32_t u = 0; u < graph->nodes; u++)
        if (side[u] == from) {
            m->gain[u] = gain_of(graph, side, u);
            put(m, m->count++, u);
        }
    for (uint32_t at = m->count; at--;)
        sink(m, at);
    while (moves--) {
        uint32_t u = m->heap[0];
        side[u] = !from;
        put(m, 0, m->heap[--m->count]);
        sink(m, 0);
        for (uint32_t e = graph->row[u]; e < graph->row[u + 1]; e++)
            if (side[graph->neighbour[e]] == from) { /* its edge to u is now between the sides */
                m->gain[graph->neighbour[e]] += 2 * (int64_t)graph->weight[e];
                rise(m, graph->neighbour[e]);
            }
    }
}

/* Exactly `first` nodes on side 0. */
static np_status balance(const np_partition_graph *graph, uint32_t first, uint8_t *side)
{
    static const char what[] = "the balance of a partition";
    movers m = {0};
    uint32_t count = 0;
    np_status st = NP_OK;
    for (uint32_t u = 0; u < graph->nodes; u++)
        count += !side[u];
    if (count == first)
        return NP_OK;
    if (!(st = np_memory_array(&m.gain, graph->nodes, sizeof *m.gain, what)) &&
        !(st = np_memory_array(&m.heap, graph->nodes, sizeof *m.heap, what)) &&
        !(st = np_memory_array(&m.place, graph->nodes, sizeof *m.place, what)))
        move(graph, count < first, count < first ? first - count : count - first, side, &m);
    NP_MEMORY_FREE(m.gain, m.heap, m.place);
    return st;
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
        if (!(st = balance(graph, first, side)))
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
