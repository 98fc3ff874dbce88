/*
 * On a ring of even side a packet may go half of it either way: such ties are split by the sum of the coordinates of
 * both ends, over the number of colours, which takes turns within a colour, and by x.
 */
#include "collective/grid_leg.h"

static uint32_t sum_of(const np_axes *axes, np_node u)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < axes->count; i++)
        sum += np_axes_coordinate(axes, u, i);
    return sum;
}

static void direct(const np_axes *axes, uint32_t tie, np_grid_leg *leg)
{
    leg->hops = np_axes_distance(axes, leg->axis, leg->x, leg->y);
    leg->up = leg->y > leg->x;
    if (!axes->wrap || !leg->hops)
        return;
    uint32_t side = axes->side[leg->axis], ahead = leg->y > leg->x ? leg->y - leg->x : leg->y + side - leg->x;
    leg->up = 2 * ahead == side ? (tie + leg->x) & 1 : 2 * ahead < side;
}

np_grid_leg np_grid_leg_of(const np_collective_job *job, np_grid_style style, uint32_t phase, uint32_t piece)
{
    const np_axes *axes = &job->axes;
    np_node from = np_collective_source(job, piece), to = np_collective_destination(job, piece);
    uint32_t sum = sum_of(axes, from) + sum_of(axes, to), colours = style == NP_GRID_OVERLAY ? axes->count : 1;
    uint32_t colour = sum % colours, number = style == NP_GRID_SWEEPS ? phase / 2 : phase;
    np_grid_leg leg = {.node = from, .axis = (colour + number) % axes->count};
    for (uint32_t i = 0; i < number; i++) {
        uint32_t done = (colour + i) % axes->count;
        leg.node = np_axes_with(axes, leg.node, done, np_axes_coordinate(axes, to, done));
    }
    leg.x = np_axes_coordinate(axes, from, leg.axis);
    leg.y = np_axes_coordinate(axes, to, leg.axis);
    direct(axes, sum / colours, &leg);
    if (style == NP_GRID_SWEEPS && leg.up != (phase & 1))
        leg.hops = 0;
    return leg;
}

np_status np_grid_fits(const np_collective_job *job, uint64_t bytes)
{
    if (bytes <= UINT64_C(1) << 32) /* ours */
        return NP_OK;
    return NP_RAISE(NP_ERROR_LIMIT, "%s: to play %s by '%s' takes %llu MB: take %s", np_network_spec(job->network),
                    job->ops->info.operation, job->ops->info.name, (unsigned long long)(bytes >> 20),
                    job->traffic ? "algorithm 'greedy'" : "a smaller network");
}
