/* See courses.h. */
#include "leveled/courses.h"

#include <string.h>

#include "base/memory.h"

np_status np_courses_reset(np_courses *courses, size_t packets, size_t hops)
{
    static const char *const what = "the packets' paths";
    np_status st;
    courses->packets = 0;
    if (packets > courses->packets_room || !courses->begin) {
        if ((st = np_memory_grow(&courses->packet, 0, packets, sizeof *courses->packet, what)) ||
            (st = np_memory_grow(&courses->origin, 0, packets, sizeof *courses->origin, what)) ||
            (st = np_memory_grow(&courses->target, 0, packets, sizeof *courses->target, what)) ||
            (st = np_memory_grow(&courses->rank, 0, packets, sizeof *courses->rank, what)) ||
            (st = np_memory_grow(&courses->begin, 0, packets + 1, sizeof *courses->begin, what)))
            return st;
        courses->packets_room = packets;
    }
    if (hops > courses->hops_room) {
        if ((st = np_memory_grow(&courses->port, 0, hops, sizeof *courses->port, what)))
            return st;
        courses->hops_room = hops;
    }
    courses->begin[0] = 0;
    return NP_OK;
}

void np_courses_clear(np_courses *courses)
{
    np_memory_free(courses->packet);
    np_memory_free(courses->origin);
    np_memory_free(courses->target);
    np_memory_free(courses->rank);
    np_memory_free(courses->begin);
    np_memory_free(courses->port);
    *courses = (np_courses){0};
}

void np_courses_drop(np_courses *courses, const uint8_t *gone)
{
    np_packet kept = 0;
    size_t end = 0;
    for (np_packet i = 0; i < courses->packets; i++) {
        size_t begin = courses->begin[i], hops = courses->begin[i + 1] - begin;
        if (gone[courses->packet[i]])
            continue;
        courses->packet[kept] = courses->packet[i];
        courses->origin[kept] = courses->origin[i];
        courses->target[kept] = courses->target[i];
        courses->rank[kept] = courses->rank[i];
        memmove(courses->port + end, courses->port + begin, hops);
        courses->begin[kept++] = end; /* at or before begin[i], which has been read */
        end += hops;
    }
    courses->begin[kept] = end;
    courses->packets = kept;
}

static np_status no_port(const np_courses *courses, np_packet i, uint32_t node, uint32_t port)
{
    return NP_RAISE(NP_ERROR_INTERNAL, "packet %u leaves logical node %u by port %u, which is none", courses->packet[i],
                    node, port);
}

/* On columns: computes nodes and edges by arithmetic, so that no memory access waits for another. */
static np_status follow_columns(const np_courses *courses, const np_leveled *lv, uint32_t *count, uint32_t *destination)
{
    uint32_t rows = lv->rows; /* a power of two */
    unsigned shift = (unsigned)__builtin_ctz(rows);
    for (np_packet i = 0; i < courses->packets; i++) {
        uint32_t level = courses->origin[i] >> shift, row = courses->origin[i] & (rows - 1);
        for (size_t k = courses->begin[i]; k < courses->begin[i + 1]; k++, level++) {
            uint32_t port = courses->port[k], cross = level < lv->depth ? lv->cross[level] : 0;
            if (level >= lv->depth || port > (cross != 0))
                return no_port(courses, i, level * rows + row, port);
            count[lv->out[level * rows] + row * (cross ? 2 : 1) + port]++;
            row ^= port ? cross : 0;
        }
        if (destination)
            destination[i] = level * rows + row;
    }
    return NP_OK;
}

static np_status follow_edges(const np_courses *courses, const np_leveled *lv, uint32_t *count, uint32_t *destination)
{
    for (np_packet i = 0; i < courses->packets; i++) {
        uint32_t v = courses->origin[i];
        for (size_t k = courses->begin[i]; k < courses->begin[i + 1]; k++) {
            uint32_t e = lv->out[v] + courses->port[k];
            if (e >= lv->out[v + 1])
                return no_port(courses, i, v, courses->port[k]);
            count[e]++;
            v = lv->head[e];
        }
        if (destination)
            destination[i] = v;
    }
    return NP_OK;
}

np_status np_courses_follow(const np_courses *courses, const np_leveled *lv, uint32_t *count, uint32_t *destination,
                            uint32_t *congestion)
{
    np_status st;
    memset(count, 0, lv->edges * sizeof *count);
    st = lv->rows ? follow_columns(courses, lv, count, destination) : follow_edges(courses, lv, count, destination);
    if (st)
        return st;
    *congestion = 0;
    for (uint32_t e = 0; e < lv->edges; e++)
        if (count[e] > *congestion)
            *congestion = count[e];
    return NP_OK;
}
