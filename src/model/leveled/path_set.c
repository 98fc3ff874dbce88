/* See path_set.h. */
#include "model/leveled/path_set.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

enum {
    COUNTED = 1 << 16
}; /* nodes whose edges are counted at a time: ours; the counts stay in the second-level cache */

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the packets' paths";
    np_path_set *set = object;
    np_arena_array(arena, &set->packet, set->room, sizeof *set->packet, what);
    np_arena_array(arena, &set->origin, set->room, sizeof *set->origin, what);
    np_arena_array(arena, &set->target, set->room, sizeof *set->target, what);
    np_arena_array(arena, &set->rank, set->room, sizeof *set->rank, what);
    np_arena_array(arena, &set->begin, set->room + 1, sizeof *set->begin, what);
    np_arena_array(arena, &set->port, set->hops, sizeof *set->port, what);
}

uint64_t np_path_set_bytes(size_t packets, size_t hops)
{
    np_path_set set = {.room = packets, .hops = hops};
    return np_arena_bytes(&set, 0, layout);
}

np_status np_path_set_reset(np_path_set *path_set, size_t packets, size_t hops)
{
    np_status st;
    path_set->packets = 0;
    path_set->room = packets;
    path_set->hops = hops;
    if ((st = np_arena_renew(path_set, layout, "the packets' paths", &path_set->block, &path_set->block_room)))
        return st;
    path_set->begin[0] = 0;
    return NP_OK;
}

void np_path_set_clear(np_path_set *path_set)
{
    np_memory_free(path_set->block);
    *path_set = (np_path_set){0};
}

void np_path_set_drop(np_path_set *path_set, const uint8_t *gone)
{
    np_packet kept = 0;
    size_t end = 0;
    for (np_packet i = 0; i < path_set->packets; i++) {
        size_t begin = path_set->begin[i], hops = path_set->begin[i + 1] - begin;
        if (gone[path_set->packet[i]])
            continue;
        path_set->packet[kept] = path_set->packet[i];
        path_set->origin[kept] = path_set->origin[i];
        path_set->target[kept] = path_set->target[i];
        path_set->rank[kept] = path_set->rank[i];
        memmove(path_set->port + end, path_set->port + begin, hops);
        path_set->begin[kept++] = end; /* at or before begin[i], which has been read */
        end += hops;
    }
    path_set->begin[kept] = end;
    path_set->packets = kept;
}

static np_status no_port(const np_path_set *path_set, np_packet i, uint32_t node, uint32_t port)
{
    return NP_RAISE(NP_ERROR_INTERNAL, "packet %u leaves logical node %u by port %u, which is none",
                    path_set->packet[i], node, port);
}

/* A packet's way through columns, from level to level. */
typedef struct way {
    uint32_t level, row;
    size_t hop;
} way;

/* Follows packet i up to level `last`, counting the edges that it crosses. */
static inline np_status follow_levels(const np_path_set *path_set, const np_leveled *lv, uint32_t *count, np_packet i,
                                      uint32_t last, way *at)
{
    for (; at->hop < path_set->begin[i + 1] && at->level < last; at->hop++, at->level++) {
        uint32_t port = path_set->port[at->hop], cross = at->level < lv->depth ? lv->cross[at->level] : 0;
        if (at->level >= lv->depth || port > (cross != 0))
            return no_port(path_set, i, at->level * lv->rows + at->row, port);
        count[lv->out[at->level * lv->rows] + at->row * (cross ? 2 : 1) + port]++;
        at->row ^= port ? cross : 0;
    }
    return NP_OK;
}

/*
 * On columns: computes nodes and edges by arithmetic, so that no memory access waits for another, and goes through few
 * levels at a time, so that their counts stay in the cache. Then destination[] has the nodes reached so far.
 */
static np_status follow_columns(const np_path_set *path_set, const np_leveled *lv, uint32_t *count,
                                uint32_t *destination)
{
    uint32_t most = COUNTED / lv->rows + 1, levels = destination ? most : lv->depth + 1;
    unsigned shift = (unsigned)__builtin_ctz(lv->rows); /* rows are a power of two */
    for (uint32_t first = 0; first <= lv->depth; first += levels)
        for (np_packet i = 0; i < path_set->packets; i++) {
            np_status st;
            uint32_t origin = path_set->origin[i] >> shift, v = origin >= first ? path_set->origin[i] : destination[i];
            way at = {v >> shift, v & (lv->rows - 1), path_set->begin[i] + (v >> shift) - origin};
            uint32_t last = lv->depth - first < levels ? UINT32_MAX : first + levels;
            if ((st = follow_levels(path_set, lv, count, i, last, &at)))
                return st;
            if (destination)
                destination[i] = at.level * lv->rows + at.row;
        }
    return NP_OK;
}

static np_status follow_edges(const np_path_set *path_set, const np_leveled *lv, uint32_t *count, uint32_t *destination)
{
    for (np_packet i = 0; i < path_set->packets; i++) {
        uint32_t v = path_set->origin[i];
        for (size_t k = path_set->begin[i]; k < path_set->begin[i + 1]; k++) {
            uint32_t e = lv->out[v] + path_set->port[k];
            if (e >= lv->out[v + 1])
                return no_port(path_set, i, v, path_set->port[k]);
            count[e]++;
            v = lv->head[e];
        }
        if (destination)
            destination[i] = v;
    }
    return NP_OK;
}

np_status np_path_set_follow(const np_path_set *path_set, const np_leveled *lv, uint32_t *count, uint32_t *destination,
                             uint32_t *congestion)
{
    np_status st;
    memset(count, 0, lv->edges * sizeof *count);
    st = lv->rows ? follow_columns(path_set, lv, count, destination) : follow_edges(path_set, lv, count, destination);
    if (st)
        return st;
    *congestion = 0;
    for (uint32_t e = 0; e < lv->edges; e++)
        if (count[e] > *congestion)
            *congestion = count[e];
    return NP_OK;
}
