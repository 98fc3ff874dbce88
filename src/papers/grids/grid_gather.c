/*
 * Gather on a grid, one dimension after the other: first along the columns to the row of the root, then along this row.
 * It uses all links of the present dimension at once (the broadcast of Sibeyn's notes, mirrored). When the lines of an
 * axis begin, each of their nodes has m packets, where m is the product of the sides that are done. A node passes on
 * its own m packets first, then in turn the packets from behind it, without a gap. L nodes on one side of the root take
 * m L rounds. If the root is a corner, N - 1 rounds in all, since the root receives over one link at a time.
 */
#include <stdio.h>

#include "work/collective/collective.h"

static uint64_t axis_rounds(const np_collective_job *job, uint32_t axis)
{
    const np_axes *axes = &job->axes;
    uint64_t done = job->network->nodes / ((uint64_t)axes->stride[axis] * axes->side[axis]);
    uint32_t up, down;
    np_axes_reach(axes, axis, job->options.root, &up, &down);
    return done * (up > down ? up : down);
}

/*
 * Round t, from 1, on one side of the root, which has `length` nodes. The node at distance i sends packet (t - 1) mod m
 * of the node (t - 1) / m behind it, if there is one.
 */
static np_status send(np_collective_job *job, uint32_t axis, bool above, uint32_t length, uint64_t round)
{
    const np_axes *axes = &job->axes;
    uint32_t stride = axes->stride[axis], side = axes->side[axis], block = stride * side;
    uint32_t done = job->network->nodes / block, packet = (uint32_t)((round - 1) % done);
    uint64_t behind = (round - 1) / done;
    np_node root = job->options.root, corner = root / block * block;
    uint32_t c = np_axes_coordinate(axes, root, axis);
    np_status st = NP_OK;
    for (uint32_t i = 1; i + behind <= length; i++) {
        uint32_t origin = (uint32_t)(i + behind), x = (above ? c + i : c + side - i) % side;
        uint32_t z = (above ? c + origin : c + side - origin) % side;
        np_port port = np_axes_port(axes, axis, !above);
        for (uint32_t low = 0; low < stride && !st; low++) {
            np_node u = corner + x * stride + low;
            st = np_round_add(&job->round, u * job->network->ports + port, packet * block + z * stride + low);
        }
    }
    return st;
}

/* job->count: rounds done; the axis follows from it. */
static np_status next(np_collective_job *job)
{
    uint64_t round = job->count + UINT64_C(1);
    uint32_t axis = 0, up, down;
    while (axis < job->axes.count && round > axis_rounds(job, axis))
        round -= axis_rounds(job, axis++);
    if (axis == job->axes.count)
        return NP_OK;
    job->count++;
    np_axes_reach(&job->axes, axis, job->options.root, &up, &down);
    np_status st = send(job, axis, true, up, round);
    return st ? st : send(job, axis, false, down, round);
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    for (uint32_t axis = 0; axis < job->axes.count; axis++)
        out->rounds += axis_rounds(job, axis);
    out->steps = out->rounds;
    snprintf(out->text, sizeof out->text,
             "sum over the sides of m far, m the product of those before: N - 1 from a corner");
    return NP_OK;
}

const np_collective_ops np_grid_gather = {
    .info = {"dimension-order", "all columns, then the row of the root", "after Sibeyn, lecture notes",
             .operation = "gather", .networks = "array, ring, mesh, torus", .ports = "uni-axial"},
    .kind = NP_GATHER,
    .ports = NP_UNI_AXIAL,
    .single = true,
    .refuses = np_collective_but_grids,
    .next = next,
    .formula = formula,
};
