/*
 * See master.h. A step from weights x and prices y, with A the loads of unit weights:
 *
 *     x' = the point of the simplices nearest to x - step/ratio A^T y
 *     y' = the point of the simplex nearest to y + step ratio A (2 x' - x)
 *
 * It stands if step <= (ratio |x' - x|^2 + |y' - y|^2 / ratio) / (2 |(y' - y) A (x' - x)|); else it is taken again,
 * shorter (PDLP). Means have the weight MEAN/(k + MEAN): early steps count little. Constants are ours, by trial on
 * random regular graphs, tori and dragonflies.
 */
#include "verdict/throughput/master.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

#define RATIO 3.0
#define MEAN 4.0

/* ---- Memory ---- */

static void layout(void *object, np_arena *arena)
{
    np_master *m = object;
    size_t arcs = m->problem->arcs;
    np_arena_array(arena, &m->price, arcs, sizeof *m->price, "the prices of arcs");
    np_arena_array(arena, &m->price_next, arcs, sizeof *m->price, "the prices of arcs");
    np_arena_array(arena, &m->price_mean, arcs, sizeof *m->price, "the mean prices of arcs");
    np_arena_array(arena, &m->load, arcs, sizeof *m->load, "the loads of arcs");
    np_arena_array(arena, &m->load_next, arcs, sizeof *m->load, "the loads of arcs");
    np_arena_array(arena, &m->load_mean, arcs, sizeof *m->load, "the mean loads of arcs");
    np_arena_array(arena, &m->length, arcs, sizeof *m->length, "the lengths of arcs");
}

np_status np_master_init(np_master *m, const np_problem *p)
{
    uint32_t most = 1;
    *m = (np_master){.problem = p, .ratio = RATIO * sqrt(2.0 / p->arcs / (double)p->demands)};
    np_status st = np_arena_place(m, layout, "the prices of arcs", &m->block);
    if (st)
        return st;
    for (size_t d = 0; d < p->demands; d++)
        most = p->amount[d] > most ? p->amount[d] : most;
    m->step = 1.0 / most;
    for (uint32_t a = 0; a < p->arcs; a++)
        m->price[a] = m->price_mean[a] = 1.0 / p->arcs;
    return NP_OK;
}

void np_master_clear(np_master *m) { NP_MEMORY_FREE(m->cost, m->next, m->block); }

/* ---- A step ---- */

/* The nearest point whose coordinates are not negative and sum up to 1 (Michelot 1986). */
static void project(double *v, size_t count)
{
    double sum = 0;
    size_t above = count, before;
    for (size_t i = 0; i < count; i++)
        sum += v[i];
    double level = (sum - 1) / (double)count, next = level;
    do {
        level = next > level ? next : level;
        before = above;
        above = 0;
        sum = 0;
        for (size_t i = 0; i < count; i++)
            if (v[i] > level) {
                sum += v[i];
                above++;
            }
        next = above ? (sum - 1) / (double)above : level;
    } while (above && above < before && next > level);
    for (size_t i = 0; i < count; i++)
        v[i] = v[i] > level ? v[i] - level : 0;
}

static void find_costs(np_master *m, const np_path_pool *pool)
{
    const np_problem *p = m->problem;
    for (uint32_t a = 0; a < p->arcs; a++)
        m->length[a] = m->price[a] / p->width[a];
    for (size_t d = 0; d < p->demands; d++)
        for (size_t c = pool->first[d]; c < pool->first[d + 1]; c++)
            m->cost[c] = p->amount[d] * np_path_pool_length(pool, &pool->column[c], m->length);
}

/* Moves the weights; returns the square of how far. */
static double move_weights(np_master *m, const np_path_pool *pool)
{
    double step = m->step / m->ratio, moved = 0;
    for (size_t d = 0; d < m->problem->demands; d++) {
        size_t first = pool->first[d], end = pool->first[d + 1];
        for (size_t c = first; c < end; c++)
            m->next[c] = pool->column[c].x - step * m->cost[c];
        project(&m->next[first], end - first);
        for (size_t c = first; c < end; c++)
            moved += (m->next[c] - pool->column[c].x) * (m->next[c] - pool->column[c].x);
    }
    np_path_pool_loads(pool, m->problem, m->next, sizeof *m->next, m->load_next);
    return moved;
}

/* Moves the prices; *product: of both moves. */
static double move_prices(np_master *m, double *product)
{
    uint32_t arcs = m->problem->arcs;
    double step = m->step * m->ratio, moved = 0;
    *product = 0;
    for (uint32_t a = 0; a < arcs; a++)
        m->price_next[a] = m->price[a] + step * (2 * m->load_next[a] - m->load[a]);
    project(m->price_next, arcs);
    for (uint32_t a = 0; a < arcs; a++) {
        double by = m->price_next[a] - m->price[a];
        moved += by * by;
        *product += by * (m->load_next[a] - m->load[a]);
    }
    return moved;
}

/* Tries a step, and chooses the size of the next one. True: it stands. */
static bool try_step(np_master *m, const np_path_pool *pool)
{
    double product, taken = m->step, weights = move_weights(m, pool), prices = move_prices(m, &product);
    double shrink = 1 / sqrt(m->steps + 2.0);
    double most =
        product < 0 || product > 0 ? (m->ratio * weights + prices / m->ratio) / (2 * fabs(product)) : INFINITY;
    double longer = taken * (1 + shrink), shorter = most * (1 - 0.5 * shrink);
    m->step = longer < shorter ? longer : shorter;
    return taken <= most;
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

/* What was tried becomes what is, and counts in the means. */
static void take_step(np_master *m, np_path_pool *pool)
{
    double weight = MEAN / (m->since + MEAN);
    swap(&m->price, &m->price_next);
    swap(&m->load, &m->load_next);
    for (size_t c = 0; c < pool->columns; c++) {
        np_path_column *column = &pool->column[c];
        column->x = m->next[c];
        column->mean += weight * (column->x - column->mean);
    }
    for (uint32_t a = 0; a < m->problem->arcs; a++) {
        m->price_mean[a] += weight * (m->price[a] - m->price_mean[a]);
        m->load_mean[a] += weight * (m->load[a] - m->load_mean[a]);
    }
    m->since++;
    m->steps++;
}

np_status np_master_step(np_master *m, np_path_pool *pool)
{
    if (m->room < pool->columns) {
        size_t room = 2 * pool->columns;
        NP_MEMORY_FREE(m->cost, m->next);
        m->cost = m->next = NULL;
        m->room = 0;
        np_status st;
        if ((st = np_memory_array(&m->cost, room, sizeof *m->cost, "the costs of paths")) ||
            (st = np_memory_array(&m->next, room, sizeof *m->next, "the weights of paths")))
            return st;
        m->room = room;
    }
    find_costs(m, pool);
    while (!try_step(m, pool)) {
    }
    take_step(m, pool);
    return NP_OK;
}

void np_master_load(np_master *m, const np_path_pool *pool)
{
    np_path_pool_loads(pool, m->problem, &pool->column->x, sizeof *pool->column, m->load);
    np_path_pool_loads(pool, m->problem, &pool->column->mean, sizeof *pool->column, m->load_mean);
}

void np_master_restart(np_master *m, np_path_pool *pool)
{
    size_t bytes = m->problem->arcs * sizeof *m->price;
    memcpy(m->price, m->price_mean, bytes);
    memcpy(m->load, m->load_mean, bytes);
    for (size_t c = 0; c < pool->columns; c++)
        pool->column[c].x = pool->column[c].mean;
    m->since = 0;
}
