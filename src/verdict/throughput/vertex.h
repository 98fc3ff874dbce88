/*
 * The best weights of paths that there are, as a vertex of a linear program, with its prices of arcs:
 *
 *     least m, where for each arc the sum of amount x weight over its paths is at most width x m,
 *     and the weights of each demand sum up to 1
 *
 * For the small cases whose factor is wanted to more digits than the master reaches.
 */
#pragma once

#include "verdict/throughput/pool.h"

typedef struct np_vertex np_vertex;

/* Can the problem be solved so, in little time? */
bool np_vertex_serves(const np_problem *problem);

/* Free it in any case. NP_ERROR_APPLY, NP_ERROR_MEMORY. */
np_status np_vertex_create(const np_problem *problem, np_vertex **out) NP_CHECKED;
void np_vertex_free(np_vertex *vertex);

/*
 * The weights x of the pool's columns, whose numbers it sets, and price[arcs], which are not negative; the sum of width
 * x price is 1. False: CLP fails, or needs more than these seconds of the processor; INFINITY: no limit.
 */
bool np_vertex_find(np_vertex *vertex, np_path_pool *pool, double seconds, double *price);
