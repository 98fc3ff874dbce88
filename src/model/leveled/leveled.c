/* The object and its building; see leveled.h. */
#include "model/leveled/leveled.h"

#include "base/arena.h"
#include "base/memory.h"

enum { NODES_MAX = 0x7ffffffe, EDGES_MAX = 0x7ffffffe };
#define LINKS_MAX UINT32_MAX /* places in `walk` have 32 bits */

static const char *const what = "a leveled network";

static uint32_t number(uint64_t count) { return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX; }

np_leveled np_leveled_sizes(uint32_t depth, uint64_t nodes, uint64_t edges, uint64_t links, uint32_t host_nodes,
                            uint32_t host_links)
{
    return (np_leveled){.depth = depth,
                        .nodes = number(nodes),
                        .edges = number(edges),
                        .host_nodes = host_nodes,
                        .host_links = host_links,
                        .room_nodes = nodes,
                        .room_edges = edges,
                        .room_links = links};
}

static void layout(void *object, np_arena *arena)
{
    np_leveled *lv = object;
    np_arena_zeroed(arena, &lv->first, (size_t)lv->depth + 2, sizeof *lv->first, "levels");
    np_arena_zeroed(arena, &lv->cross, (size_t)lv->depth + 1, sizeof *lv->cross, "levels");
    np_arena_array(arena, &lv->host, lv->room_nodes, sizeof *lv->host, "logical nodes");
    np_arena_zeroed(arena, &lv->out, lv->room_nodes + 1, sizeof *lv->out, "logical nodes");
    np_arena_zeroed(arena, &lv->in, lv->room_nodes + 2, sizeof *lv->in, "logical nodes");
    NP_ARENA_WORDS(arena, lv->room_edges, "logical edges", &lv->tail, &lv->head, &lv->entering);
    np_arena_array(arena, &lv->walk, lv->room_edges + 1, sizeof *lv->walk, "logical edges");
    np_arena_array(arena, &lv->link, lv->room_links, sizeof *lv->link, "links of logical edges");
}

uint64_t np_leveled_bytes(const np_leveled *lv)
{
    np_leveled sizes = *lv;
    return np_arena_bytes(&sizes, sizeof sizes, layout);
}

np_status np_leveled_create(const np_leveled *sizes, np_leveled **out)
{
    np_leveled made = np_leveled_sizes(sizes->depth, sizes->room_nodes, sizes->room_edges, sizes->room_links,
                                       sizes->host_nodes, sizes->host_links);
    *out = NULL;
    if (made.room_nodes > NODES_MAX || made.room_edges > EDGES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "a leveled network of %llu logical nodes and %llu logical edges: at most %d",
                        (unsigned long long)made.room_nodes, (unsigned long long)made.room_edges, NODES_MAX);
    if (made.room_links > LINKS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "a leveled network whose edges cross %llu links together: at most %u",
                        (unsigned long long)made.room_links, LINKS_MAX);
    made.nodes = made.edges = 0;
    return np_arena_create(&made, sizeof made, layout, what, out);
}

void np_leveled_free(np_leveled *lv) { np_memory_free(lv); }

static void fail(np_leveled *lv, np_status status)
{
    if (!lv->status)
        lv->status = status;
}

uint32_t np_leveled_add_node(np_leveled *lv, uint32_t level, np_node host)
{
    if (lv->status)
        return 0;
    if (lv->nodes == lv->room_nodes)
        fail(lv, NP_RAISE(NP_ERROR_INTERNAL, "a leveled network has room for %u logical nodes", lv->nodes));
    else if (level > lv->depth || level < lv->building || host >= lv->host_nodes)
        fail(lv, NP_RAISE(NP_ERROR_INTERNAL, "a logical node on level %u (the last was on %u, of %u), host %u of %u",
                          level, lv->building, lv->depth, host, lv->host_nodes));
    else {
        lv->building = level;
        lv->first[level + 1]++; /* a count, until np_leveled_finish */
        lv->host[lv->nodes] = host;
    }
    return lv->nodes++;
}

void np_leveled_add_edge(np_leveled *lv, uint32_t tail, uint32_t head, uint32_t links, const np_link *link)
{
    if (lv->status)
        return;
    if (lv->edges == lv->room_edges || lv->links + links > lv->room_links) {
        fail(lv, NP_RAISE(NP_ERROR_INTERNAL, "a leveled network has room for %llu logical edges over %llu links",
                          (unsigned long long)lv->room_edges, (unsigned long long)lv->room_links));
        return;
    }
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

static void index_edges(np_leveled *lv)
{
    for (uint32_t e = 0; e < lv->edges; e++) {
        lv->out[lv->tail[e] + 1]++;
        lv->in[lv->head[e] + 2]++;
    }
    accumulate(lv->out, lv->nodes);
    accumulate(lv->in, (size_t)lv->nodes + 1);
    for (uint32_t e = 0; e < lv->edges; e++)
        lv->entering[lv->in[lv->head[e] + 1]++] = e; /* shifts in[] to its place */
    lv->walk[lv->edges] = lv->links;
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
    index_edges(lv);
    if ((st = check_levels(lv)))
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

uint32_t np_leveled_load(const np_leveled *lv, const uint32_t *edge, uint32_t count, uint32_t part, uint32_t *load,
                         uint32_t most)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = edge ? edge[i] : i, at = lv->walk[e] + part;
        if (at < lv->walk[e + 1] && ++load[lv->link[at]] > most)
            most = load[lv->link[at]];
    }
    return most;
}

void np_leveled_unload(const np_leveled *lv, const uint32_t *edge, uint32_t count, uint32_t part, uint32_t *load)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = edge ? edge[i] : i, at = lv->walk[e] + part;
        if (at < lv->walk[e + 1])
            load[lv->link[at]]--;
    }
}

/* *steps = physical steps of a logical step in which each edge is crossed: at least 1. */
static np_status play_all(const np_leveled *lv, uint32_t *steps)
{
    uint32_t *load, most;
    np_status st;
    *steps = 0;
    if ((st = np_memory_zeroed(&load, lv->host_links, sizeof *load, "counts of the emulation")))
        return st;
    for (uint32_t part = 0; (most = np_leveled_load(lv, NULL, lv->edges, part, load, 0)); part++) {
        *steps += most;
        np_leveled_unload(lv, NULL, lv->edges, part, load);
    }
    np_memory_free(load);
    *steps += *steps == 0;
    return NP_OK;
}

np_status np_leveled_emulation(const np_leveled *lv, np_emulation *out)
{
    np_status st;
    if ((st = most_frequent(lv->host, lv->nodes, lv->host_nodes, &out->nodes_per_node)) ||
        (st = most_frequent(lv->link, lv->links, lv->host_links, &out->links_per_link)))
        return st;
    return play_all(lv, &out->steps);
}
