/*
 * On a ring of even side a packet that has to go half of the ring may go either way. The parity of q + x decides, where
 * q is the sum of the coordinates of both ends, divided by the number of colours: q takes turns within a colour.
 */
#include "papers/grids/grid_leg.h"

/* Do all sides have no divisor in common with the number of colours? */
static bool all_coprime(const np_axes *axes, uint32_t colours)
{
    for (uint32_t i = 0; i < axes->count; i++)
        for (uint32_t p = 2; p <= colours; p++)
            if (axes->side[i] % p == 0 && colours % p == 0)
                return false;
    return true;
}

void np_grid_map_layout(np_grid_map *map, const np_collective_job *job, np_grid_style style, np_arena *arena)
{
    size_t nodes = job->network->nodes;
    map->axes = &job->axes;
    map->style = style;
    map->nodes = nodes;
    map->colours = style == NP_GRID_OVERLAY ? job->axes.count : 1;
    np_arena_array(arena, &map->coordinate, nodes * job->axes.count, sizeof *map->coordinate, "coordinates");
    np_arena_array(arena, &map->colour, nodes, sizeof *map->colour, "coordinates");
    np_arena_zeroed(arena, &map->sum, nodes, sizeof *map->sum, "coordinates");
}

void np_grid_map_fill(np_grid_map *map)
{
    const np_axes *axes = map->axes;
    bool numbers = all_coprime(axes, map->colours);
    for (np_node u = 0; u < map->nodes; u++) {
        for (uint32_t i = 0; i < axes->count; i++)
            map->sum[u] += map->coordinate[(size_t)u * axes->count + i] = np_axes_coordinate(axes, u, i);
        map->colour[u] = (numbers ? u : map->sum[u]) % map->colours;
    }
}

static void direct(const np_grid_map *map, np_node from, np_node to, np_grid_leg *leg)
{
    uint32_t ahead = leg->y - leg->x, side = map->axes->side[leg->axis];
    leg->up = leg->y > leg->x;
    leg->hops = leg->up ? ahead : 0 - ahead;
    if (!map->axes->wrap || !leg->hops)
        return;
    ahead += leg->up ? 0 : side;
    leg->up = 2 * ahead < side;
    leg->hops = leg->up ? ahead : side - ahead;
    if (2 * ahead == side)
        leg->up = ((map->sum[from] + map->sum[to]) / map->colours + leg->x) & 1;
}

void np_grid_leg_of(const np_grid_map *map, uint32_t phase, np_node from, np_node to, np_grid_leg *leg)
{
    const np_axes *axes = map->axes;
    uint32_t colour = map->colour[from] + map->colour[to], number = map->style == NP_GRID_SWEEPS ? phase / 2 : phase;
    const uint32_t *x = map->coordinate + (size_t)from * axes->count, *y = map->coordinate + (size_t)to * axes->count;
    leg->node = from;
    leg->axis = colour < map->colours ? colour : colour - map->colours;
    for (uint32_t i = 0; i < number; i++) {
        leg->node += (y[leg->axis] - x[leg->axis]) * axes->stride[leg->axis]; /* modulo 2^32 */
        leg->axis = leg->axis + 1 == axes->count ? 0 : leg->axis + 1;
    }
    leg->x = x[leg->axis];
    leg->y = y[leg->axis];
    direct(map, from, to, leg);
    if (map->style == NP_GRID_SWEEPS && leg->up != (phase & 1))
        leg->hops = 0;
}
