/*
 * The master of the search with paths: a saddle point of
 *
 *     sum over arcs of price x load,   the weights of each demand's paths summing up to 1, all prices to 1
 *
 * where the load of an arc is over its width, and its price times its width.
 */
#pragma once

#include "verdict/throughput/pool.h"

typedef struct np_master {
    const np_problem *problem;
    double *price, *price_next, *price_mean; /* [arcs] */
    double *load, *load_next, *load_mean;    /* [arcs] */
    double *length;                          /* [arcs] price over width */
    double step, ratio;                      /* of both sides; of the side of the prices to that of the weights */
    uint32_t steps, since;                   /* in all; since both sides began anew at their means */
    double *cost, *next;                     /* [room] of the pool's columns */
    size_t room;
    void *block;
} np_master;

/* Clear it in any case. */
np_status np_master_init(np_master *master, const np_problem *problem) NP_CHECKED;
void np_master_clear(np_master *master);

/* One step: columns' x and mean, prices and loads. NP_ERROR_MEMORY. */
np_status np_master_step(np_master *master, np_path_pool *pool) NP_CHECKED;

/* The loads again, after columns came or went. */
void np_master_load(np_master *master, const np_path_pool *pool);

/* Both sides begin anew at their means. */
void np_master_restart(np_master *master, np_path_pool *pool);
