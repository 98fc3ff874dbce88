/*
 * On a ring of even side a packet that has to go half of the ring may go either way. The parity of q + x decides, where
 * q is the sum of the coordinates of both ends, divided by the number of colours: q takes turns within a colour.
 */
#include "collective/grid_leg.h"

#include "base/memory.h"

/* Do all sides have no divisor in common with the number of colours? */
static bool all_coprime(const np_axes *axes, uint32_t colours)
{
    for (uint32_t i = 0; i < axes->count; i++)
        for (uint32_t p = 2; p <= colours; p++)
            if (axes->side[i] % p == 0 && colours % p == 0)
                return false;
    return true;
}

np_status np_grid_map_init(np_grid_map *map, const np_collective_job *job, np_grid_style style)
{
    size_t nodes = job->network->nodes;
    np_status st;
    *map = (np_grid_map){.axes = &job->axes, .style = style, .nodes = nodes, .colours = 1};
    if (style == NP_GRID_OVERLAY)
        map->colours = job->axes.count;
    bool numbers = all_coprime(&job->axes, map->colours);
    if ((st = np_memory_array(&map->coordinate, nodes * job->axes.count, sizeof *map->coordinate, "coordinates")) ||
        (st = np_memory_array(&map->colour, nodes, sizeof *map->colour, "coordinates")) ||
        (st = np_memory_zeroed(&map->sum, nodes, sizeof *map->sum, "coordinates")))
        return st;
    for (np_node u = 0; u < nodes; u++) {
        for (uint32_t i = 0; i < job->axes.count; i++)
            map->sum[u] += map->coordinate[(size_t)u * job->axes.count + i] = np_axes_coordinate(&job->axes, u, i);
        map->colour[u] = (numbers ? u : map->sum[u]) % map->colours;
    }
    return NP_OK;
}

void np_grid_map_clear(np_grid_map *map)
{
    np_memory_free(map->coordinate);
    np_memory_free(map->sum);
    np_memory_free(map->colour);
    *map = (np_grid_map){0};
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

np_status np_grid_fits(const np_collective_job *job, uint64_t bytes)
{
    if (bytes <= UINT64_C(5) << 30) /* our choice */
        return NP_OK;
    return NP_RAISE(NP_ERROR_LIMIT, "%s: to play %s by '%s' takes %llu MB: take %s", np_network_spec(job->network),
                    job->ops->info.operation, job->ops->info.name, (unsigned long long)(bytes >> 20),
                    job->traffic ? "algorithm 'greedy'" : "a smaller network");
}
