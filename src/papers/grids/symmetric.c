/*
 * All-to-all on hypercubes and tori by d uni-axial algorithms at the same time (Sibeyn). By the bisection it is
 * optimal: n^(d+1)/8 steps on a torus whose d sides are n, N/2 steps on a hypercube of N nodes.
 *
 * All nodes do the same. For a difference r, the packets from every s to s + r move together, in each step all over the
 * same port. A packet needs the hops of r on each axis, up or down, in any order. So the algorithm decides which r uses
 * which port in which step. This is an edge colouring of the bipartite multigraph of the differences and the ports. Its
 * edges are the hops and its colours are the steps: no r and no port may have two edges of one colour. As many colours
 * are enough as a node has edges at most (König 1916; papers/offline/colouring.h): the hops over the busiest port, or
 * the hops of the farthest packet.
 *
 * Sibeyn's notes give every k-th packet to each of k algorithms. But k does not divide N - 1 in general, and the k
 * orders, which are rotations of r, leave links idle where r is periodic. With the colouring, links are idle only where
 * ports have different numbers of hops.
 *
 * A packet that has to go half of a ring of even side n may go up or down. The N/n differences with such a tie take
 * turns. If N/n is odd, one port has n/4 hops more than half of the hops of both ports. The algorithm misses the bound
 * by these hops, and only in this case.
 */
#include <stdio.h>

#include "papers/offline/colouring.h"
#include "base/memory.h"
#include "work/collective/collective.h"

typedef struct symmetric {
    uint32_t nodes, ports, colours, step; /* colours: the steps */
    uint32_t *address;                    /* [ports][colours] the r that uses the port in the step; NP_NONE: none */
    np_node *done;                        /* [N] where the packet of r that set out at node 0 is */
    np_node *from, *to;                   /* [N] of a step: all nodes, moved by one difference each */
} symmetric;

static uint64_t steps_of(const np_collective_job *job);

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    symmetric counted, *c = np_collective_own(job, arena, &counted, sizeof *c);
    c->nodes = job->network->nodes;
    c->ports = job->network->ports;
    c->colours = (uint32_t)steps_of(job);
    np_arena_array(arena, &c->address, (size_t)c->ports * c->colours, sizeof *c->address, "the differences' steps");
    np_arena_zeroed(arena, &c->done, c->nodes, sizeof *c->done, "the packets of a node");
    NP_ARENA_WORDS(arena, c->nodes, "a step", &c->from, &c->to);
}

/* The hops of all differences, as edges of a bipartite graph. */
typedef struct hop_list {
    uint32_t edges, *difference, *port, *colour; /* [edges] */
    void *block;
} hop_list;

static void hops_layout(void *object, np_arena *arena)
{
    hop_list *h = object;
    np_arena_array(arena, &h->difference, h->edges, sizeof *h->difference, "the differences");
    np_arena_array(arena, &h->port, h->edges, sizeof *h->port, "the ports");
    np_arena_array(arena, &h->colour, h->edges, sizeof *h->colour, "the colours");
}

/* The hops of r on an axis, and the port. *ties counts the differences of half a ring, which go up and down in turn. */
static uint32_t leg(const np_axes *axes, uint32_t r, uint32_t axis, uint32_t *ties, np_port *port)
{
    uint32_t x = np_axes_coordinate(axes, r, axis), side = axes->side[axis];
    bool tie = 2 * x == side && axes->wrap, up = tie ? !((*ties)++ & 1) : 2 * x < side;
    *port = np_axes_port(axes, axis, up);
    return np_axes_distance(axes, axis, 0, x);
}

/* Lists the hops of all differences as edges. Returns how many there are. difference NULL: only counts them. */
static uint32_t list_hops(const np_collective_job *job, uint32_t *difference, uint32_t *over)
{
    uint32_t ties[NP_MAX_DIMENSIONS] = {0}, edges = 0;
    for (uint32_t r = 0; r < job->network->nodes; r++)
        for (uint32_t axis = 0; axis < job->axes.count; axis++) {
            np_port port;
            for (uint32_t hops = leg(&job->axes, r, axis, &ties[axis], &port); hops; hops--, edges++) {
                if (!difference)
                    continue;
                difference[edges] = r;
                over[edges] = port;
            }
        }
    return edges;
}

/* Colours the hops, and keeps which difference uses which port in which step. */
static np_status colour_hops(const np_collective_job *job, symmetric *c, hop_list *h)
{
    np_status st;
    list_hops(job, h->difference, h->port);
    np_bipartite graph = {c->nodes, c->ports, h->edges, h->difference, h->port};
    uint32_t colours;
    if ((st = np_bipartite_colour(&graph, &colours, h->colour)))
        return st;
    if (colours != c->colours)
        return NP_RAISE(NP_ERROR_INTERNAL, "%u steps by colours, %u by formula", colours, c->colours);
    for (size_t i = 0; i < (size_t)c->ports * c->colours; i++)
        c->address[i] = NP_NONE;
    for (uint32_t i = 0; i < h->edges; i++)
        c->address[(size_t)h->port[i] * c->colours + h->colour[i]] = h->difference[i];
    return NP_OK;
}

static np_status begin(np_collective_job *job)
{
    hop_list h = {.edges = list_hops(job, NULL, NULL)};
    np_status st = np_arena_place(&h, hops_layout, "the hops of a schedule", &h.block);
    if (!st)
        st = colour_hops(job, job->own, &h);
    np_memory_free(h.block);
    return st;
}

static size_t transfers(const np_collective_job *job) { return (size_t)job->network->nodes * job->network->ports; }

/* out[s] = s + by, coordinate by coordinate, for all s. Works axis by axis, since each axis repeats the pattern of the
   later axes. */
static void translate(const np_axes *axes, np_node by, np_node *out)
{
    uint32_t block = 1;
    out[0] = by;
    for (uint32_t axis = axes->count; axis--; block *= axes->side[axis])
        for (uint32_t x = 1, at = np_axes_coordinate(axes, by, axis); x < axes->side[axis]; x++) {
            bool last = at + 1 == axes->side[axis];
            uint32_t step = last ? 0 - at * axes->stride[axis] : axes->stride[axis]; /* modulo 2^32 */
            at = last ? 0 : at + 1;
            for (uint32_t i = 0; i < block; i++)
                out[x * block + i] = out[(x - 1) * block + i] + step;
        }
}

static np_status next(np_collective_job *job)
{
    symmetric *c = job->own;
    const np_axes *axes = &job->axes;
    uint32_t nodes = job->network->nodes;
    np_round *round = &job->round;
    if (c->step == c->colours)
        return NP_OK;
    for (uint32_t port = 0; port < c->ports; port++) {
        uint32_t r = c->address[(size_t)port * c->colours + c->step];
        if (r == NP_NONE)
            continue;
        translate(axes, c->done[r], c->from);
        translate(axes, r, c->to);
        for (uint32_t s = 0; s < nodes; s++) {
            round->link[round->count] = c->from[s] * c->ports + port;
            round->piece[round->count++] = s * nodes + c->to[s];
        }
        c->done[r] = np_axes_step(axes, c->done[r], np_axes_of_port(axes, port), axes->cube || port & 1);
    }
    c->step++;
    return NP_OK;
}

/* The steps of an axis of side n: a node has floor(n^2/4) hops to the nodes of its line, half of them each way. */
static uint64_t axis_steps(const np_collective_job *job, uint32_t axis)
{
    uint64_t side = job->axes.side[axis], lines = job->network->nodes / side;
    return job->axes.cube ? lines : (side * side / 4 * lines + (side % 2 ? 0 : lines % 2 * (side / 2))) / 2;
}

/* The hops over the busiest port. */
static uint64_t busiest(const np_collective_job *job)
{
    uint64_t most = 0;
    for (uint32_t axis = 0; axis < job->axes.count; axis++)
        most = axis_steps(job, axis) > most ? axis_steps(job, axis) : most;
    return most;
}

static uint64_t farthest_of(const np_axes *axes)
{
    uint64_t farthest = 0;
    for (uint32_t axis = 0; axis < axes->count; axis++)
        farthest += axes->side[axis] / 2;
    return farthest;
}

static uint64_t steps_of(const np_collective_job *job)
{
    uint64_t farthest = farthest_of(&job->axes), most = busiest(job);
    return farthest > most ? farthest : most;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    const np_axes *axes = &job->axes;
    bool even = true;
    out->rounds = out->steps = steps_of(job);
    for (uint32_t axis = 0; axis < axes->count; axis++)
        even = even && axes->side[axis] == axes->side[0] && axes->side[axis] % 2 == 0;
    if (axes->cube)
        snprintf(out->text, sizeof out->text, "N/2");
    else if (even && out->steps == busiest(job))
        snprintf(out->text, sizeof out->text, "n^%u/8 (n = %u, d = %u)", axes->count + 1, axes->side[0], axes->count);
    else
        snprintf(out->text, sizeof out->text,
                 "hops over the busiest port: N floor(n^2/4) / (2 n), of the longest side n");
    return NP_OK;
}

static const char *refuses(const np_network *network)
{
    np_axes axes = np_axes_of(network);
    return axes.cube || (axes.wrap && axes.count > 1) ? NULL : "it is neither a hypercube nor a torus";
}

const np_collective_ops np_symmetric_all_to_all_overlay = {
    .info = {"overlay", "d orders of the dimensions at once, no link idle: n^3/8 on n x n, N/2",
             "Sibeyn, lecture notes", .operation = "all-to-all", .networks = "torus, hypercube", .ports = "full-port"},
    .kind = NP_ALL_TO_ALL,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = refuses,
    .transfers = transfers,
    .own = layout,
    .begin = begin,
    .next = next,
    .formula = formula,
};
