/* See path_set.h. */
#include "model/leveled/path_set.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the packets' paths";
    np_path_set *set = object;
    NP_ARENA_WORDS(arena, set->room, what, &set->packet, &set->origin, &set->target, &set->rank);
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

/* Each packet goes on from its k-th hop by at most so many hops; *moved: the packets that had one left. */
static np_status follow(const np_path_set *path_set, const np_leveled *lv, uint32_t *count, uint32_t *node, size_t k,
                        size_t hops, np_packet *moved)
{
    *moved = 0;
    for (np_packet i = 0; i < path_set->packets; i++) {
        size_t at = path_set->begin[i] + k, end = path_set->begin[i + 1];
        if (at >= end)
            continue;
        for (end = end - at < hops ? end : at + hops; at < end; at++) {
            uint32_t v = node[i], e = lv->out[v] + path_set->port[at];
            if (e >= lv->out[v + 1])
                return no_port(path_set, i, v, path_set->port[at]);
            count[e]++;
            node[i] = lv->head[e];
        }
        ++*moved;
    }
    return NP_OK;
}

/*
 * All packets make their k-th hop before one makes the next: where they start on one level, what a round touches stays
 * in the cache, and no load waits for one before it. One path after the other took 20 times as long on 2^16 rows. When
 * most have arrived, the others go on one by one, so that a few long paths do not cost a round of all for each hop.
 */
static np_status follow_edges(const np_path_set *path_set, const np_leveled *lv, uint32_t *count, uint32_t *node)
{
    np_status st = NP_OK;
    np_packet moved = path_set->packets;
    size_t k = 0;
    memcpy(node, path_set->origin, path_set->packets * sizeof *node);
    while (!st && moved && moved >= path_set->packets / 2)
        st = follow(path_set, lv, count, node, k++, 1, &moved);
    return st || !moved ? st : follow(path_set, lv, count, node, k, SIZE_MAX, &moved);
}

np_status np_path_set_follow(const np_path_set *path_set, const np_leveled *lv, uint32_t *count, uint32_t *destination,
                             uint32_t *congestion)
{
    np_status st;
    memset(count, 0, lv->edges * sizeof *count);
    if ((st = follow_edges(path_set, lv, count, destination)))
        return st;
    *congestion = 0;
    for (uint32_t e = 0; e < lv->edges; e++)
        if (count[e] > *congestion)
            *congestion = count[e];
    return NP_OK;
}
