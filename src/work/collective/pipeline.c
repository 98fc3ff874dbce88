/*
 * Broadcast dimension by dimension with one port (Sibeyn): first in the row of the root, then in all columns, and so
 * on.
 *
 * Whole packets, from any root: in each phase the root sends first in the direction in which the distance is larger,
 * and one round later in the other direction. A phase takes max(far, near + 1) rounds; all phases take at most 2n - 2
 * rounds on n x n.
 *
 * In f flits, from a corner (every node of a torus or complete network is a corner): along each dimension as along a
 * line, in f + n - 2 rounds. A complete network is treated as a grid of two factors of P that differ least; it has all
 * links of this grid.
 */
#include <stdio.h>

#include "work/collective/collective.h"
#include "model/network/read_node.h"

typedef struct pipeline {
    np_axes axes; /* of the grid that is played */
    uint32_t phase;
    uint64_t round; /* of the phase, from 1 */
} pipeline;

/* The grid for the network: its own, or two factors of the number of nodes. count 0: this number is prime. */
static np_axes grid_of(const np_collective_job *job)
{
    np_axes axes = job->axes;
    uint32_t nodes = job->network->nodes, low = 0;
    if (axes.count)
        return axes;
    for (uint32_t a = 2; (uint64_t)a * a <= nodes; a++)
        if (nodes % a == 0)
            low = a;
    if (!low)
        return axes;
    return np_axes_of_torus(low, nodes / low);
}

static void layout(void *object, np_arena *arena) { np_collective_own(object, arena, NULL, sizeof(pipeline)); }

static np_status begin(np_collective_job *job)
{
    pipeline *p = job->own;
    p->axes = grid_of(job);
    p->phase = p->axes.count; /* the last dimension first: the rows */
    return NP_OK;
}

static uint64_t phase_rounds(const np_axes *axes, uint32_t axis, np_node root)
{
    uint32_t up, down;
    np_axes_reach(axes, axis, root, &up, &down);
    uint32_t far = up >= down ? up : down, near = up >= down ? down : up;
    return near && near + 1 > far ? near + 1 : far;
}

/*
 * All nodes with coordinate x send a flit up or down, on the lines that have begun: the lines that have the root's
 * coordinates in the dimensions to come, which are the more significant ones.
 */
static np_status send(np_collective_job *job, const pipeline *p, uint32_t x, bool up, uint32_t flit)
{
    uint32_t stride = p->axes.stride[p->phase], block = stride * p->axes.side[p->phase];
    np_node first = job->options.root / block * block + x * stride;
    np_status st = NP_OK;
    for (np_node u = first; u < first + stride && !st; u++)
        st = np_round_add(&job->round, np_collective_link(job->network, u, np_axes_step(&p->axes, u, p->phase, up)),
                          flit);
    return st;
}

/* Nodes send the packet on, away from the root's coordinate, in the round after the round in which they got it. */
static np_status send_whole(np_collective_job *job, const pipeline *p)
{
    const np_axes *axes = &p->axes;
    uint32_t up, down, side = axes->side[p->phase], c = np_axes_coordinate(axes, job->options.root, p->phase);
    np_status st = NP_OK;
    np_axes_reach(axes, p->phase, job->options.root, &up, &down);
    for (int way = 0; way < 2 && !st; way++) {
        uint32_t length = way ? up : down, late = way ? down > up : down <= up;
        uint64_t distance = p->round - 1 - late;
        if (p->round > late && distance < length)
            st = send(job, p, (uint32_t)(way ? c + distance : c + side - distance) % side, way, 0);
    }
    return st;
}

/* In round t a node at `distance` from the root's coordinate sends flit t - distance - 1 to the next node. */
static np_status send_flits(np_collective_job *job, const pipeline *p)
{
    const np_axes *axes = &p->axes;
    uint32_t side = axes->side[p->phase], c = np_axes_coordinate(axes, job->options.root, p->phase);
    bool up = axes->wrap || c == 0;
    np_status st = NP_OK;
    for (uint32_t distance = 0; distance + 1 < side && distance < p->round && !st; distance++)
        if (p->round - distance - 1 < job->pieces)
            st = send(job, p, (up ? c + distance : c - distance) % side, up, (uint32_t)(p->round - distance - 1));
    return st;
}

static np_status next(np_collective_job *job)
{
    pipeline *p = job->own;
    for (;;) {
        uint64_t rounds = p->phase == p->axes.count ? 0
                          : job->ops->flits         ? job->pieces + p->axes.side[p->phase] - 2
                                                    : phase_rounds(&p->axes, p->phase, job->options.root);
        if (p->round++ < rounds)
            break;
        if (!p->phase)
            return NP_OK;
        p->phase--;
        p->round = 0;
    }
    return job->ops->flits ? send_flits(job, p) : send_whole(job, p);
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    np_axes axes = grid_of(job);
    for (uint32_t a = 0; a < axes.count; a++)
        out->rounds += job->ops->flits ? job->pieces + axes.side[a] - 2 : phase_rounds(&axes, a, job->options.root);
    out->steps = out->rounds;
    snprintf(out->text, sizeof out->text, "%s",
             job->ops->flits ? axes.count == 2 ? "(c_v l/f + c_a) (2 f + n_1 + n_2 - 4)"
                                               : "(c_v l/f + c_a) times the sum over the sides n of f + n - 2"
                             : "sum over the sides of max(far, near + 1): at most n_1 + n_2 + .. - d");
    return NP_OK;
}

/* On meshes the message names the nearest corner. */
static np_status check_flits(const np_collective_job *job)
{
    const np_axes axes = grid_of(job);
    np_node root = job->options.root, corner = root;
    if (!axes.count)
        return NP_RAISE(NP_ERROR_APPLY,
                        "algorithm 'two-dimensional' does no broadcast on %s because %u nodes form no "
                        "grid: the nearest is complete:%u",
                        np_network_spec(job->network), job->network->nodes,
                        job->network->nodes > 3 ? job->network->nodes - 1 : 4);
    if (axes.wrap || axes.cube)
        return NP_OK;
    for (uint32_t a = 0; a < axes.count; a++) {
        uint32_t x = np_axes_coordinate(&axes, root, a), last = axes.side[a] - 1;
        corner = np_axes_with(&axes, corner, a, 2 * x <= last ? 0 : last);
    }
    if (corner == root)
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY, "root %.80s: 'two-dimensional' begins at a corner of %s: the nearest is %.80s",
                    NP_NODE_NAME(job->network, root), np_network_spec(job->network),
                    NP_NODE_NAME(job->network, corner));
}

static const char *refuses_flits(const np_network *network)
{
    np_axes axes = np_axes_of(network);
    if (np_collective_complete(network))
        return NULL;
    return !axes.count ? "it has no dimensions" : axes.count < 2 ? "it has one dimension only" : NULL;
}

const np_collective_ops np_pipeline_broadcast_dimension_order = {
    .info = {"dimension-order", "the row of the root, then all columns: at most 2n - 2 on n x n",
             "Sibeyn, lecture notes", .operation = "broadcast", .networks = "array, ring, mesh, torus",
             .ports = "telephone"},
    .kind = NP_BROADCAST,
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .single = true,
    .refuses = np_collective_but_grids,
    .own = layout,
    .begin = begin,
    .next = next,
    .formula = formula,
};

const np_collective_ops np_pipeline_broadcast = {
    .info = {"two-dimensional", "flits along the row of the root, then along all columns", "Sibeyn, lecture notes",
             .operation = "broadcast", .networks = "mesh, torus, hypercube, complete", .ports = "one-port"},
    .flits = true,
    .kind = NP_BROADCAST,
    .ports = NP_ONE_PORT,
    .uni_axial = true,
    .single = true,
    .refuses = refuses_flits,
    .check = check_flits,
    .own = layout,
    .begin = begin,
    .next = next,
    .formula = formula,
};
