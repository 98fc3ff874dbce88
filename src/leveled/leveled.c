/* The object and its building; see leveled.h. */
#include "leveled/leveled.h"

#include <string.h>

#include "base/memory.h"

enum { NODES_MAX = 0x7ffffffe, EDGES_MAX = 0x7ffffffe, ROOM_FIRST = 1024 };

static const char *const what = "a leveled network";

np_status np_leveled_create(uint32_t depth, uint32_t host_nodes, uint32_t host_links, np_leveled **out)
{
    np_leveled *lv;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&lv, 1, sizeof *lv, what)))
        return st;
    lv->depth = depth;
    lv->host_nodes = host_nodes;
    lv->host_links = host_links;
    if ((st = np_memory_zeroed(&lv->first, (size_t)depth + 2, sizeof *lv->first, what)) ||
        (st = np_memory_zeroed(&lv->cross, (size_t)depth + 1, sizeof *lv->cross, what))) {
        np_leveled_free(lv);
        return st;
    }
    *out = lv;
    return NP_OK;
}

void np_leveled_free(np_leveled *lv)
{
    if (!lv)
        return;
    void *const parts[] = {lv->first,    lv->out,  lv->tail, lv->head, lv->in,
                           lv->entering, lv->host, lv->walk, lv->link, lv->cross};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        np_memory_free(parts[i]);
    np_memory_free(lv);
}

np_status np_leveled_reserve(np_leveled *lv, size_t nodes, size_t edges, size_t links)
{
    np_status st;
    if ((st = np_memory_grow(&lv->host, 0, nodes, sizeof *lv->host, what)) ||
        (st = np_memory_grow(&lv->tail, 0, edges, sizeof *lv->tail, what)) ||
        (st = np_memory_grow(&lv->head, 0, edges, sizeof *lv->head, what)) ||
        (st = np_memory_grow(&lv->walk, 0, edges + 1, sizeof *lv->walk, what)) ||
        (st = np_memory_grow(&lv->link, 0, links, sizeof *lv->link, what)))
        return st;
    lv->room_nodes = nodes;
    lv->room_edges = edges;
    lv->room_links = links;
    return NP_OK;
}

static size_t more(size_t room) { return room ? 2 * room : ROOM_FIRST; }

static void fail(np_leveled *lv, np_status status)
{
    if (!lv->status)
        lv->status = status;
}

static void grow_nodes(np_leveled *lv)
{
    size_t room = more(lv->room_nodes);
    np_status st;
    if (lv->nodes == NODES_MAX)
        fail(lv, NP_RAISE(NP_ERROR_LIMIT, "a leveled network of more than %d logical nodes", NODES_MAX));
    else if ((st = np_memory_grow(&lv->host, lv->nodes, room, sizeof *lv->host, what)))
        fail(lv, st);
    else
        lv->room_nodes = room;
}

uint32_t np_leveled_add_node(np_leveled *lv, uint32_t level, np_node host)
{
    if (lv->nodes == lv->room_nodes || lv->nodes == NODES_MAX)
        grow_nodes(lv);
    if (lv->status)
        return 0;
    if (level > lv->depth || level < lv->building || host >= lv->host_nodes)
        fail(lv, NP_RAISE(NP_ERROR_INTERNAL, "a logical node on level %u (the last was on %u, of %u), host %u of %u",
                          level, lv->building, lv->depth, host, lv->host_nodes));
    else {
        lv->building = level;
        lv->first[level + 1]++; /* a count, until np_leveled_finish */
        lv->host[lv->nodes] = host;
    }
    return lv->nodes++;
}

static void grow_edges(np_leveled *lv)
{
    size_t room = more(lv->room_edges);
    np_status st;
    if (lv->edges == EDGES_MAX)
        fail(lv, NP_RAISE(NP_ERROR_LIMIT, "a leveled network of more than %d logical edges", EDGES_MAX));
    else if ((st = np_memory_grow(&lv->tail, lv->edges, room, sizeof *lv->tail, what)) ||
             (st = np_memory_grow(&lv->head, lv->edges, room, sizeof *lv->head, what)) ||
             (st = np_memory_grow(&lv->walk, lv->edges, room + 1, sizeof *lv->walk, what)))
        fail(lv, st);
    else
        lv->room_edges = room;
}

static void grow_links(np_leveled *lv, uint32_t links)
{
    size_t room = more(lv->room_links > links ? lv->room_links : links);
    np_status st = np_memory_grow(&lv->link, lv->links, room, sizeof *lv->link, what);
    if (st)
        fail(lv, st);
    else
        lv->room_links = room;
}

void np_leveled_add_edge(np_leveled *lv, uint32_t tail, uint32_t head, uint32_t links, const np_link *link)
{
    if (lv->edges == lv->room_edges)
        grow_edges(lv);
    if (lv->links + links > lv->room_links && !lv->status)
        grow_links(lv, links);
    if (lv->status)
        return;
    if (tail >= lv->nodes || head >= lv->nodes || (lv->edges && tail < lv->tail[lv->edges - 1])) {
        fail(lv, NP_RAISE(NP_ERROR_INTERNAL, "logical edge %u -> %u out of order or range", tail, head));
        return;
    }
    lv->tail[lv->edges] = tail;
    lv->head[lv->edges] = head;
    lv->walk[lv->edges] = lv->links;
    for (uint32_t i = 0; i < links; i++)
        lv->link[lv->links++] = link[i];
    lv->edges++;
}

/* first[i + 1] holds the count of i; afterwards first[i] is where i begins. */
static void accumulate(uint32_t *first, size_t count)
{
    for (size_t i = 0; i < count; i++)
        first[i + 1] += first[i];
}

static np_status index_edges(np_leveled *lv)
{
    np_status st;
    if ((st = np_memory_zeroed(&lv->out, (size_t)lv->nodes + 1, sizeof *lv->out, what)) ||
        (st = np_memory_zeroed(&lv->in, (size_t)lv->nodes + 2, sizeof *lv->in, what)) ||
        (st = np_memory_array(&lv->entering, lv->edges, sizeof *lv->entering, what)) ||
        (!lv->walk && (st = np_memory_zeroed(&lv->walk, 1, sizeof *lv->walk, what))))
        return st;
    for (uint32_t e = 0; e < lv->edges; e++) {
        lv->out[lv->tail[e] + 1]++;
        lv->in[lv->head[e] + 2]++;
    }
    accumulate(lv->out, lv->nodes);
    accumulate(lv->in, (size_t)lv->nodes + 1);
    for (uint32_t e = 0; e < lv->edges; e++)
        lv->entering[lv->in[lv->head[e] + 1]++] = e; /* shifts in[] to its place */
    lv->walk[lv->edges] = lv->links;
    return NP_OK;
}

static np_status check_levels(const np_leveled *lv)
{
    uint32_t level = 0;
    for (uint32_t v = 0; v < lv->nodes; v++) {
        while (v >= lv->first[level + 1])
            level++;
        if (lv->out[v + 1] - lv->out[v] > NP_LEVELED_PORTS_MAX)
            return NP_RAISE(NP_ERROR_INTERNAL, "logical node %u has more than %d ports", v, NP_LEVELED_PORTS_MAX);
        for (uint32_t e = lv->out[v]; e < lv->out[v + 1]; e++)
            if (level == lv->depth || lv->head[e] < lv->first[level + 1] || lv->head[e] >= lv->first[level + 2])
                return NP_RAISE(NP_ERROR_INTERNAL, "logical edge %u from level %u does not lead to the next", e, level);
    }
    for (uint32_t i = 0; i < lv->links; i++)
        if (lv->link[i] >= lv->host_links)
            return NP_RAISE(NP_ERROR_INTERNAL, "a logical edge crosses link %u of %u", lv->link[i], lv->host_links);
    return NP_OK;
}

/* Are the level's edges edges of a column? Sets cross[level]. */
static bool is_column(np_leveled *lv, uint32_t level, uint32_t rows)
{
    uint32_t begin = lv->first[level], next = lv->first[level + 1];
    uint32_t ports = lv->out[begin + 1] - lv->out[begin];
    if (ports != 1 && ports != 2)
        return false;
    uint32_t cross = ports == 2 ? lv->head[lv->out[begin] + 1] - next : 0;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t v = begin + row, e = lv->out[v];
        if (lv->out[v + 1] - e != ports || lv->head[e] != next + row ||
            (ports == 2 && lv->head[e + 1] != next + (row ^ cross)))
            return false;
    }
    lv->cross[level] = cross;
    return ports == 1 || (cross && !(cross & (cross - 1)));
}

static void find_columns(np_leveled *lv)
{
    uint32_t rows = lv->first[1];
    if (!rows || (rows & (rows - 1)) || !lv->depth)
        return;
    for (uint32_t level = 0; level <= lv->depth; level++)
        if (lv->first[level + 1] - lv->first[level] != rows)
            return;
    for (uint32_t level = 0; level < lv->depth; level++)
        if (!is_column(lv, level, rows))
            return;
    lv->rows = rows;
}

np_status np_leveled_finish(np_leveled *lv)
{
    np_status st;
    if (lv->status)
        return lv->status;
    accumulate(lv->first, (size_t)lv->depth + 1);
    if ((st = index_edges(lv)) || (st = check_levels(lv)))
        return st;
    find_columns(lv);
    return NP_OK;
}

uint32_t np_leveled_level(const np_leveled *lv, uint32_t node)
{
    uint32_t low = 0, high = lv->depth;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (lv->first[middle] <= node)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

uint32_t np_leveled_degree(const np_leveled *lv)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < lv->nodes; v++) {
        uint32_t leaving = lv->out[v + 1] - lv->out[v], enter = lv->in[v + 1] - lv->in[v];
        most = leaving > most ? leaving : most;
        most = enter > most ? enter : most;
    }
    return most;
}

/* *most = how often the most frequent number in value[0..count) occurs; all numbers are below `numbers`. */
static np_status most_frequent(const uint32_t *value, size_t count, uint32_t numbers, uint32_t *most)
{
    uint32_t *times;
    np_status st;
    *most = 0;
    if ((st = np_memory_zeroed(&times, numbers, sizeof *times, "counts of the emulation")))
        return st;
    for (size_t i = 0; i < count; i++)
        if (++times[value[i]] > *most)
            *most = times[value[i]];
    np_memory_free(times);
    return NP_OK;
}

np_status np_leveled_emulation(const np_leveled *lv, np_emulation *out)
{
    np_status st;
    if ((st = most_frequent(lv->host, lv->nodes, lv->host_nodes, &out->nodes_per_node)))
        return st;
    return most_frequent(lv->link, lv->links, lv->host_links, &out->links_per_link);
}

uint64_t np_leveled_bytes_most(uint64_t nodes, uint64_t edges)
{
    enum { A_NODE = 16, AN_EDGE = 36 }; /* in all arrays, with the room that growing leaves */
    return nodes * A_NODE + edges * AN_EDGE;
}

uint64_t np_leveled_bytes(const np_leveled *lv)
{
    return ((uint64_t)lv->room_nodes + 2 * ((uint64_t)lv->nodes + 2)) * sizeof *lv->out +
           ((uint64_t)lv->room_edges * 3 + lv->edges + 1) * sizeof *lv->tail +
           (uint64_t)lv->room_links * sizeof *lv->link + 2 * ((uint64_t)lv->depth + 2) * sizeof *lv->first + sizeof *lv;
}
