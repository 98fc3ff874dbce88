/* See pool.h. */
#include "verdict/throughput/pool.h"

#include <string.h>

#include "base/memory.h"
#include "base/room.h"

np_status np_path_pool_init(np_path_pool *pool, const np_problem *problem)
{
    *pool = (np_path_pool){.columns = 0};
    return np_memory_zeroed(&pool->first, problem->demands + 1, sizeof *pool->first, "the paths of demands");
}

void np_path_pool_clear(np_path_pool *pool) { NP_MEMORY_FREE(pool->first, pool->column, pool->arc); }

np_status np_path_pool_add(np_path_pool *pool, const np_path_column *column, const uint32_t *arc)
{
    np_status st;
    if ((st = np_memory_room(&pool->column, pool->columns, &pool->column_room, sizeof *pool->column, "paths")) ||
        (st = np_memory_need(&pool->arc, pool->arcs, pool->arcs + column->hops, &pool->arc_room, sizeof *pool->arc,
                             "paths")))
        return st;
    np_path_column *added = &pool->column[pool->columns++];
    *added = *column;
    added->place = pool->arcs;
    memcpy(&pool->arc[pool->arcs], arc, column->hops * sizeof *arc);
    pool->arcs += column->hops;
    return NP_OK;
}

/* FNV-1a, an arc at a time. */
uint64_t np_path_pool_hash(const uint32_t *arc, uint32_t hops)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < hops; i++)
        hash = (hash ^ arc[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void add_loads(const np_path_pool *pool, size_t c, double load, double *loads)
{
    const np_path_column *column = &pool->column[c];
    for (uint32_t i = 0; i < column->hops; i++)
        loads[pool->arc[column->place + i]] += load;
}

void np_path_pool_loads(const np_path_pool *pool, const np_problem *p, const double *weight, size_t stride,
                        double *load)
{
    for (uint32_t a = 0; a < p->arcs; a++)
        load[a] = 0;
    for (size_t d = 0; d < p->demands; d++)
        for (size_t c = pool->first[d]; c < pool->first[d + 1]; c++) {
            double x = *(const double *)(const void *)((const char *)weight + c * stride);
            if (x > 0)
                add_loads(pool, c, x * p->amount[d], load);
        }
    for (uint32_t a = 0; a < p->arcs; a++)
        load[a] /= p->width[a];
}
