/* Paths of demands, with weights: the columns of columns.h. */
#pragma once

#include "verdict/throughput/problem.h"

typedef struct np_path_column {
    size_t place; /* of its first arc */
    uint32_t hops;
    uint32_t number;      /* in a linear program (vertex.h); 0: it is not there */
    uint64_t hash;        /* of its arcs: paths of a demand with the same one are the same */
    double x, mean, best; /* its part of the demand: now, on average, and in the best flow */
} np_path_column;

/* The paths of each demand stand together, in the order of the demands. */
typedef struct np_path_pool {
    size_t *first; /* [demands + 1] */
    np_path_column *column;
    uint32_t *arc;
    size_t columns, arcs, column_room, arc_room;
} np_path_pool;

/* Empty, with room for the demands. Clear it in any case. */
np_status np_path_pool_init(np_path_pool *pool, const np_problem *problem) NP_CHECKED;
void np_path_pool_clear(np_path_pool *pool);

/* Adds a path to the end. arc: [hops] */
np_status np_path_pool_add(np_path_pool *pool, const np_path_column *column, const uint32_t *arc) NP_CHECKED;

uint64_t np_path_pool_hash(const uint32_t *arc, uint32_t hops);

/* load[arcs] = what the weights, which begin at `weight` and are `stride` bytes apart, bring to each arc, over the
 * width. */
void np_path_pool_loads(const np_path_pool *pool, const np_problem *problem, const double *weight, size_t stride,
                        double *load);

static inline double np_path_pool_length(const np_path_pool *pool, const np_path_column *column, const double *length)
{
    double sum = 0;
    for (uint32_t i = 0; i < column->hops; i++)
        sum += length[pool->arc[column->place + i]];
    return sum;
}
