/* See columnsort_routes.h. */
#include "work/sort/columnsort_routes.h"

#include "base/arena.h"
#include "base/memory.h"

static void layout(void *object, np_arena *arena)
{
    np_columnsort_routes *r = object;
    np_arena_array(arena, &r->node, r->places, sizeof *r->node, "the places");
    np_arena_array(arena, &r->from, r->positions, sizeof *r->from, "the packets' sources");
    np_arena_array(arena, &r->to, r->positions, sizeof *r->to, "the packets' destinations");
}

static np_columnsort_routes plan(const np_sorting *sorting)
{
    return (np_columnsort_routes){.places = sorting->places, .positions = (size_t)sorting->places * sorting->per_place};
}

np_status np_columnsort_routes_init(np_columnsort_routes *routes, np_sorting *sorting, uint32_t columns)
{
    np_status st;
    *routes = plan(sorting);
    routes->sorting = sorting;
    if ((st = np_arena_place(routes, layout, "the places of Columnsort", &routes->block)))
        return st;
    return columns > 1 ? np_sort_router_create(sorting, &routes->router) : NP_OK;
}

void np_columnsort_routes_clear(np_columnsort_routes *routes)
{
    np_sort_router_free(routes->router);
    np_memory_free(routes->block);
}

np_status np_columnsort_routes_move(np_columnsort_routes *routes, uint32_t depth, const char *stage, uint32_t count,
                                    const uint32_t *from, const uint32_t *to)
{
    np_sorting *sorting = routes->sorting;
    np_sort_cost cost;
    np_status st;
    for (uint32_t i = 0; i < count; i++) {
        routes->from[i] = routes->node[from[i] / sorting->per_place];
        routes->to[i] = routes->node[to[i] / sorting->per_place];
    }
    if ((st = np_sort_router_run(routes->router, stage, count, routes->from, routes->to, routes->routings++, &cost)))
        return st;
    cost.load_max = 2 * sorting->per_place; /* items that have come and items that have not gone */
    np_sort_log_charge(&sorting->log, &sorting->clock, stage, depth, &cost);
    return np_sorting_progress(sorting, stage);
}
