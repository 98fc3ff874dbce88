/* See vertex.h. Column 0 of the linear program is m, row a is arc a, and the rows of the demands follow. */
#include "verdict/throughput/vertex.h"

#include <math.h>

#include "base/linear.h"
#include "base/memory.h"

enum { ROWS = 5000 }; /* ours */

struct np_vertex {
    const np_problem *problem;
    np_linear *program;
    uint32_t columns;
    double *bound; /* [2 * rows]; then the values of a column */
    int *row;      /* [rows] of a column */
};

bool np_vertex_serves(const np_problem *p) { return p->arcs + p->demands <= ROWS && np_linear_available(); }

/* The cost makes prices about 1. */
static np_status begin(np_vertex *v)
{
    const np_problem *p = v->problem;
    size_t rows = p->arcs + p->demands;
    for (size_t i = 0; i < rows; i++) {
        v->bound[i] = i < p->arcs ? -INFINITY : 1;
        v->bound[rows + i] = i < p->arcs ? 0 : 1;
    }
    np_status st = np_linear_create((int)rows, v->bound, v->bound + rows, &v->program);
    if (st)
        return st;
    for (uint32_t a = 0; a < p->arcs; a++) {
        v->row[a] = (int)a;
        v->bound[a] = -(double)p->width[a];
    }
    np_linear_add(v->program, p->arcs, (int)p->arcs, v->row, v->bound);
    v->columns = 1;
    return NP_OK;
}

np_status np_vertex_create(const np_problem *p, np_vertex **out)
{
    size_t rows = p->arcs + p->demands;
    np_status st = np_memory_zeroed(out, 1, sizeof **out, "a linear program");
    if (st)
        return st;
    (*out)->problem = p;
    if ((st = np_memory_array(&(*out)->bound, 2 * rows, sizeof *(*out)->bound, "a linear program")) ||
        (st = np_memory_array(&(*out)->row, rows, sizeof *(*out)->row, "a linear program")))
        return st;
    return begin(*out);
}

void np_vertex_free(np_vertex *v)
{
    if (!v)
        return;
    np_linear_free(v->program);
    NP_MEMORY_FREE(v->bound, v->row, v);
}

static void add(np_vertex *v, const np_path_pool *pool, np_path_column *column, size_t demand)
{
    for (uint32_t i = 0; i < column->hops; i++) {
        v->row[i] = (int)pool->arc[column->place + i];
        v->bound[i] = v->problem->amount[demand];
    }
    v->row[column->hops] = (int)(v->problem->arcs + demand);
    v->bound[column->hops] = 1;
    np_linear_add(v->program, 0, (int)column->hops + 1, v->row, v->bound);
    column->number = v->columns++;
}

/* The weights of a demand, without what tolerances leave. */
static void take(const np_path_pool *pool, size_t first, size_t end, const double *value)
{
    double sum = 0;
    for (size_t k = first; k < end; k++) {
        double x = value[pool->column[k].number];
        sum += pool->column[k].x = x > 0 ? x : 0;
    }
    for (size_t k = first; k < end; k++)
        pool->column[k].x /= sum;
}

bool np_vertex_find(np_vertex *v, np_path_pool *pool, double seconds, double *price)
{
    const np_problem *p = v->problem;
    const double *value, *dual;
    double sum = 0;
    for (size_t d = 0; d < p->demands; d++)
        for (size_t k = pool->first[d]; k < pool->first[d + 1]; k++)
            if (!pool->column[k].number)
                add(v, pool, &pool->column[k], d);
    if (!np_linear_solve(v->program, seconds, &value, &dual))
        return false;
    for (size_t d = 0; d < p->demands; d++)
        take(pool, pool->first[d], pool->first[d + 1], value);
    for (uint32_t a = 0; a < p->arcs; a++) {
        price[a] = dual[a] < 0 ? -dual[a] : 0;
        sum += p->width[a] * price[a];
    }
    for (uint32_t a = 0; a < p->arcs; a++)
        price[a] /= sum;
    return true;
}
