/* See columnsort_routes.h. */
#include "work/sort/columnsort_routes.h"

#include "base/arena.h"
#include "base/memory.h"

typedef struct machine {
    np_sorting *sorting;
    const np_columnsort_host *host;
    np_columnsort plan;
    np_sort_router *router; /* NULL: there is only one column */
    np_node *node;          /* [places] */
    np_node *from, *to;     /* [positions] */
    uint16_t routings;      /* so far */
    void *block;
} machine;

static void layout(void *object, np_arena *arena)
{
    machine *m = object;
    np_arena_array(arena, &m->node, m->sorting->places, sizeof *m->node, "the places");
    np_arena_array(arena, &m->from, m->plan.positions, sizeof *m->from, "the packets' sources");
    np_arena_array(arena, &m->to, m->plan.positions, sizeof *m->to, "the packets' destinations");
}

static np_status sort(void *context, uint32_t *item, uint32_t first, uint32_t columns)
{
    const np_columnsort_host *host = ((machine *)context)->host;
    return host->sort(host->context, item, first, columns);
}

static np_status move(void *context, const char *stage, const uint32_t *to)
{
    machine *m = context;
    np_sorting *sorting = m->sorting;
    uint32_t h = sorting->per_place;
    np_sort_cost cost;
    for (uint32_t q = 0; q < m->plan.positions; q++) {
        m->from[q] = m->node[q / h];
        m->to[q] = m->node[to[q] / h];
    }
    np_status st = np_sort_router_run(m->router, stage, m->plan.positions, m->from, m->to, m->routings++, &cost);
    if (st)
        return st;
    cost.load_max = 2 * h; /* items that have come and items that have not gone */
    np_sort_log_charge(&sorting->log, &sorting->clock, stage, 0, &cost);
    return np_sorting_progress(sorting, stage);
}

static np_status run(machine *m)
{
    const np_columnsort_host *host = m->host;
    const np_columnsort_machine each = {.context = m, .sort = sort, .move = move, .windows = host->windows};
    uint32_t h = m->sorting->per_place;
    np_status st;
    if ((st = np_columnsort_init(&m->plan, host->column * h, host->columns, host->windows ? h : 1)) ||
        (st = np_arena_place(m, layout, "the places of Columnsort", &m->block)) ||
        (host->columns > 1 && (st = np_sort_router_create(m->sorting, &m->router))) ||
        (st = host->nodes(host->context, m->node)))
        return st;
    return np_columnsort_run(&m->plan, &each, m->sorting->item);
}

np_status np_columnsort_on_network(np_sorting *sorting, const np_columnsort_host *host)
{
    machine m = {.sorting = sorting, .host = host};
    np_status st = run(&m);
    np_sort_router_free(m.router);
    np_memory_free(m.block);
    return st;
}
