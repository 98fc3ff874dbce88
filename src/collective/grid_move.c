/*
 * Packets that move on grids, dimension by dimension (grid_leg.h): permutations, all-to-all and k-k routing in
 * phases that wait for one another, in which links send the packet first that has farthest to go (Sibeyn).
 *
 * At every node there is a list of packets for each port and each number of hops left, and a bitmap of the lists that
 * are not empty. A round takes the first packet of the last list of each port.
 *
 * All-to-all: between any two coordinates of a line of an n x n mesh go n packets, so that its middle link is crossed
 * by n (n/2)^2: a phase takes n^3/4 steps, two of them n^3/2. Overlaid, with half of the packets each, n^3/4, which is
 * what the bisection allows. n even: the colours share every line evenly. n odd: (n^2-1)/4 in place of n^2/4, and the
 * halves are (n+1)/2 and (n-1)/2 packets.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "collective/grid_leg.h"

typedef struct grid_move {
    np_grid_style style;
    uint32_t phase;  /* the present one, from 0 */
    uint64_t left;   /* packets on their way in it */
    uint32_t queues; /* 2 a axis: that of axis i downwards is 2 i */
    size_t longest;  /* side: lists of a queue */
    size_t words;    /* of its bitmap */
    uint32_t *list;  /* [nodes][queues][longest] the first packet, NP_NONE */
    uint64_t *busy;  /* [nodes][queues][words] */
    uint32_t *next;  /* [pieces] */
    uint32_t *hops;  /* [nodes][queues] of this round's packets, in order of their transfers */
} grid_move;

static size_t queue_of(const grid_move *g, np_node node, uint32_t axis, bool up)
{
    return (size_t)node * g->queues + 2 * axis + up;
}

static void push(grid_move *g, size_t queue, uint32_t hops, uint32_t piece)
{
    uint32_t *list = &g->list[queue * g->longest + hops];
    g->next[piece] = *list;
    *list = piece;
    g->busy[queue * g->words + hops / 64] |= UINT64_C(1) << hops % 64;
}

/* The packet with most hops to go, and how many; NP_NONE if there is none. */
static uint32_t pop(grid_move *g, size_t queue, uint32_t *hops)
{
    uint64_t *busy = &g->busy[queue * g->words];
    for (size_t i = g->words; i--;) {
        if (!busy[i])
            continue;
        *hops = (uint32_t)(64 * i) + 63 - (uint32_t)__builtin_clzll(busy[i]);
        uint32_t *list = &g->list[queue * g->longest + *hops], piece = *list;
        *list = g->next[piece];
        if (*list == NP_NONE)
            busy[i] &= ~(UINT64_C(1) << *hops % 64);
        return piece;
    }
    return NP_NONE;
}

static void begin_phase(const np_collective_job *job, grid_move *g)
{
    for (uint32_t piece = 0; piece < job->pieces; piece++) {
        np_grid_leg leg = np_grid_leg_of(job, g->style, g->phase, piece);
        if (!leg.hops)
            continue;
        push(g, queue_of(g, leg.node, leg.axis, leg.up), leg.hops, piece);
        g->left++;
    }
}

static np_status begin(np_collective_job *job, np_grid_style style)
{
    size_t nodes = job->network->nodes, lists, queues;
    grid_move *g;
    np_status st = np_memory_zeroed(&g, 1, sizeof *g, "a schedule");
    if (st)
        return st;
    job->own = g;
    g->style = style;
    g->queues = 2 * job->axes.count;
    for (uint32_t i = 0; i < job->axes.count; i++)
        g->longest = job->axes.side[i] > g->longest ? job->axes.side[i] : g->longest;
    g->words = (g->longest + 63) / 64;
    queues = nodes * g->queues;
    lists = queues * g->longest;
    if ((st = np_grid_fits(job, (uint64_t)lists * 4 + queues * g->words * 8)) ||
        (st = np_memory_array(&g->list, lists, sizeof *g->list, "the nodes' lists")) ||
        (st = np_memory_zeroed(&g->busy, queues * g->words, sizeof *g->busy, "the nodes' lists")) ||
        (st = np_memory_array(&g->next, job->pieces, sizeof *g->next, "the packets' lists")) ||
        (st = np_memory_array(&g->hops, queues, sizeof *g->hops, "a round")))
        return st;
    memset(g->list, 0xff, lists * sizeof *g->list); /* NP_NONE */
    begin_phase(job, g);
    return NP_OK;
}

static np_status begin_uni_axial(np_collective_job *job) { return begin(job, NP_GRID_UNI_AXIAL); }

static np_status begin_overlay(np_collective_job *job) { return begin(job, NP_GRID_OVERLAY); }

static np_status begin_sweeps(np_collective_job *job) { return begin(job, NP_GRID_SWEEPS); }

static void end(np_collective_job *job)
{
    grid_move *g = job->own;
    if (!g)
        return;
    np_memory_free(g->list);
    np_memory_free(g->busy);
    np_memory_free(g->next);
    np_memory_free(g->hops);
    np_memory_free(g);
    job->own = NULL;
}

static np_status send(np_collective_job *job, grid_move *g)
{
    const np_axes *axes = &job->axes;
    np_round *round = &job->round;
    for (np_node u = 0; u < job->network->nodes; u++)
        for (uint32_t i = 0; i < g->queues; i++) {
            uint32_t hops = 0, piece = pop(g, (size_t)u * g->queues + i, &hops);
            if (piece == NP_NONE)
                continue;
            g->hops[round->count] = hops;
            np_status st = np_round_add(round, u * job->network->ports + np_axes_port(axes, i / 2, i & 1), piece);
            if (st)
                return st;
        }
    return NP_OK;
}

/* After all have been sent: at the next node they wait for the next round. */
static void receive(const np_collective_job *job, grid_move *g)
{
    const np_axes *axes = &job->axes;
    uint32_t ports = job->network->ports;
    for (size_t i = 0; i < job->round.count; i++) {
        np_node tail = job->round.link[i] / ports;
        np_port port = job->round.link[i] % ports;
        uint32_t axis = np_axes_of_port(axes, port);
        bool up = axes->cube ? !np_axes_coordinate(axes, tail, axis) : port & 1;
        if (g->hops[i] == 1)
            g->left--;
        else
            push(g, queue_of(g, np_axes_step(axes, tail, axis, up), axis, up), g->hops[i] - 1, job->round.piece[i]);
    }
}

static np_status next(np_collective_job *job)
{
    grid_move *g = job->own;
    np_status st;
    while (!g->left && ++g->phase < np_grid_phases(&job->axes, g->style))
        begin_phase(job, g);
    if (!g->left)
        return NP_OK;
    if ((st = send(job, g)))
        return st;
    receive(job, g);
    return NP_OK;
}

/* Of all-to-all on a mesh whose sides all are n, even: the notes' closed form. */
static bool closed_form(const np_collective_job *job, np_grid_style style, np_collective_figure *out)
{
    const np_axes *axes = &job->axes;
    uint32_t n = axes->side[0], d = axes->count;
    for (uint32_t i = 0; i < d; i++)
        if (axes->side[i] != n)
            return false;
    if (job->ops->kind != NP_ALL_TO_ALL || n % 2 || (style == NP_GRID_OVERLAY && n % d))
        return false;
    const char *factor = style == NP_GRID_SWEEPS ? "2 d " : style == NP_GRID_OVERLAY ? "" : "d ";
    snprintf(out->text, sizeof out->text, "%sn^%u/4 (n = %u, d = %u)", factor, d + 1, n, d);
    return true;
}

static np_status formula(const np_collective_job *job, np_grid_style style, bool *known, np_collective_figure *out)
{
    np_status st;
    if (job->axes.wrap)
        return NP_OK;
    if ((st = np_grid_time(job, style, &out->rounds)))
        return st;
    out->steps = out->rounds;
    *known = true;
    snprintf(out->text, sizeof out->text, "sum over the phases of max r_ij + j - i - 1 of the slowest line");
    closed_form(job, style, out);
    return NP_OK;
}

static np_status formula_uni_axial(const np_collective_job *job, bool *known, np_collective_figure *out)
{
    return formula(job, NP_GRID_UNI_AXIAL, known, out);
}

static np_status formula_overlay(const np_collective_job *job, bool *known, np_collective_figure *out)
{
    return formula(job, NP_GRID_OVERLAY, known, out);
}

/* The two sweeps of an axis are two phases. */
static np_status formula_sweeps(const np_collective_job *job, bool *known, np_collective_figure *out)
{
    return formula(job, NP_GRID_SWEEPS, known, out);
}

static const char *refuses(const np_network *network)
{
    return np_axes_of(network).count ? NULL : "it has no dimensions";
}

static const char *refuses_cubes(const np_network *network)
{
    np_axes axes = np_axes_of(network);
    return !axes.count ? "it has no dimensions" : axes.cube ? "it is a hypercube" : NULL;
}

static const char *refuses_but_cubes(const np_network *network)
{
    return np_axes_of(network).cube ? NULL : "it is no hypercube";
}

#define GRIDS "array, ring, mesh, torus"

const np_collective_ops np_grid_all_to_all_dimension_order = {
    .info = {"all-to-all", "dimension-order", GRIDS, "uni-axial",
             "one dimension after the other, farthest first: n^3/2 on n x n", "Sibeyn, lecture notes", false},
    .kind = NP_ALL_TO_ALL,
    .ports = NP_UNI_AXIAL,
    .single = true,
    .refuses = refuses_cubes,
    .begin = begin_uni_axial,
    .next = next,
    .end = end,
    .formula = formula_uni_axial,
};

const np_collective_ops np_grid_all_to_all_cube = {
    .info = {"all-to-all", "dimension-order", "hypercube", "telephone", "one dimension after the other: k N/2",
             "Sibeyn, lecture notes", false},
    .kind = NP_ALL_TO_ALL,
    .ports = NP_TELEPHONE,
    .single = true,
    .refuses = refuses_but_cubes,
    .begin = begin_uni_axial,
    .next = next,
    .end = end,
    .formula = formula_uni_axial,
};

const np_collective_ops np_grid_all_to_all_overlay = {
    .info = {"all-to-all", "overlay", GRIDS, "full-port",
             "d colours of packets, each in its own order of the dimensions: n^3/4 on n x n", "Sibeyn, lecture notes",
             false},
    .kind = NP_ALL_TO_ALL,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = refuses_cubes,
    .begin = begin_overlay,
    .next = next,
    .end = end,
    .formula = formula_overlay,
};

const np_collective_ops np_grid_all_to_all_sweeps = {
    .info = {"all-to-all", "sweeps", GRIDS, "one-port", "down, then up each dimension: n^3 on n x n",
             "after Sibeyn, lecture notes", false},
    .kind = NP_ALL_TO_ALL,
    .ports = NP_ONE_PORT,
    .single = true,
    .refuses = refuses_cubes,
    .begin = begin_sweeps,
    .next = next,
    .end = end,
    .formula = formula_sweeps,
};

const np_collective_ops np_grid_permutation_dimension_order = {
    .info = {"permutation", "dimension-order", GRIDS ", hypercube", "uni-axial",
             "one dimension after the other, farthest first: at most 2n - 2 on n x n", "Sibeyn, lecture notes", false},
    .kind = NP_PERMUTATION,
    .ports = NP_UNI_AXIAL,
    .single = true,
    .refuses = refuses,
    .begin = begin_uni_axial,
    .next = next,
    .end = end,
    .formula = formula_uni_axial,
};

const np_collective_ops np_grid_permutation_overlay = {
    .info = {"permutation", "overlay", GRIDS ", hypercube", "full-port",
             "d colours of packets, each in its own order of the dimensions", "Sibeyn, lecture notes", false},
    .kind = NP_PERMUTATION,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = refuses,
    .begin = begin_overlay,
    .next = next,
    .end = end,
    .formula = formula_overlay,
};

const np_collective_ops np_grid_k_k_dimension_order = {
    .info = {"k-k", "dimension-order", GRIDS ", hypercube", "uni-axial",
             "one dimension after the other, farthest first", "Sibeyn, lecture notes", false},
    .kind = NP_K_K,
    .ports = NP_UNI_AXIAL,
    .single = true,
    .refuses = refuses,
    .begin = begin_uni_axial,
    .next = next,
    .end = end,
    .formula = formula_uni_axial,
};

const np_collective_ops np_grid_k_k_overlay = {
    .info = {"k-k", "overlay", GRIDS ", hypercube", "full-port",
             "d colours of packets, each in its own order of the dimensions", "Sibeyn, lecture notes", false},
    .kind = NP_K_K,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = refuses,
    .begin = begin_overlay,
    .next = next,
    .end = end,
    .formula = formula_overlay,
};
