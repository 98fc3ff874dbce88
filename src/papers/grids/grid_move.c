/*
 * Packets that move on grids, dimension by dimension (grid_leg.h): permutations, all-to-all and k-k routing. Each phase
 * waits for the phase before it. A link sends the packet first that has farthest to go (Sibeyn).
 *
 * All-to-all: n packets go between any two coordinates of a line of an n x n mesh. So n (n/2)^2 packets cross the
 * middle link of the line. A phase takes n^3/4 steps, and two phases take n^3/2. Two overlaid algorithms, with half of
 * the packets each, take n^3/4 steps, which is optimal by the bisection. With n even, the colours share every line
 * evenly. With n odd, n^2/4 becomes (n^2-1)/4, and the halves are (n+1)/2 and (n-1)/2 packets.
 *
 * In calls every other link of a line is used at once, both ways. This takes at most twice the steps of the uni-axial
 * algorithm; at most three times on a ring of odd side, which needs three matchings. Rounds in which a matching has
 * nothing to carry are left out. On a hypercube every dimension is a matching by itself.
 */
#include <stdio.h>

#include "papers/grids/grid_lines.h"

typedef struct grid_move {
    uint32_t phase; /* the present one, from 0 */
    np_grid_map map;
    np_grid_lines lines;
} grid_move;

static np_grid_style style_of(const np_collective_job *job) { return (np_grid_style)job->ops->variant; }

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    grid_move counted, *g = np_collective_own(job, arena, &counted, sizeof *g);
    np_grid_map_layout(&g->map, job, style_of(job), arena);
    np_grid_lines_layout(&g->lines, job, arena);
}

static size_t transfers(const np_collective_job *job) { return 2 * (size_t)job->network->nodes * job->axes.count; }

static np_status begin(np_collective_job *job)
{
    grid_move *g = job->own;
    np_grid_map_fill(&g->map);
    np_grid_lines_fill(&g->lines, job);
    np_grid_lines_load(&g->lines, job, &g->map, 0);
    return NP_OK;
}

static np_status next(np_collective_job *job)
{
    grid_move *g = job->own;
    for (;;) {
        np_grid_lines_next(&g->lines, job, g->map.style == NP_GRID_CALLS);
        if (job->round.count || ++g->phase >= np_grid_phases(&job->axes, g->map.style))
            return NP_OK;
        np_grid_lines_load(&g->lines, job, &g->map, g->phase);
    }
}

/* The closed form of Sibeyn's notes for all-to-all on a mesh whose sides are all n, with n even. */
static bool closed_form(const np_collective_job *job, np_collective_figure *out)
{
    const np_axes *axes = &job->axes;
    np_grid_style style = style_of(job);
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

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    np_status st;
    if (job->axes.wrap)
        return NP_OK;
    if ((st = np_grid_time(job, style_of(job), &out->rounds)))
        return st;
    out->steps = out->rounds;
    snprintf(out->text, sizeof out->text, "sum over the phases of max r_ij + j - i - 1 of the slowest line");
    closed_form(job, out);
    return NP_OK;
}

static const char *refuses(const np_network *network)
{
    return np_axes_of(network).count ? NULL : "it has no dimensions";
}

/* On symmetric networks the overlay of all-to-all is the algorithm of symmetric.c. */
static const char *refuses_symmetric(const np_network *network)
{
    np_axes axes = np_axes_of(network);
    bool symmetric = axes.cube || (axes.wrap && axes.count > 1);
    return !axes.count ? "it has no dimensions" : symmetric ? "all its nodes are alike" : NULL;
}

#define GRIDS "array, ring, mesh, torus"
#define ALL_GRIDS GRIDS ", hypercube"
#define NOTES "Sibeyn, lecture notes"
#define PLAYS .single = true, .transfers = transfers, .own = layout, .begin = begin, .next = next

/* The ways to move: of which operation, and what is said of it. */
#define DIMENSION_ORDER(of, word, says)                                                                                \
    .info = {"dimension-order", says, NOTES, .operation = (word), .networks = ALL_GRIDS, .ports = "uni-axial"},        \
    .kind = (of), .ports = NP_UNI_AXIAL, .calls_on_cubes = true, .variant = NP_GRID_UNI_AXIAL, .refuses = refuses,     \
    .formula = formula, PLAYS
#define OVERLAY(of, word, says, on, refusal)                                                                           \
    .info = {"overlay", says, NOTES, .operation = (word), .networks = (on), .ports = "full-port"}, .kind = (of),       \
    .ports = NP_FULL_PORT, .variant = NP_GRID_OVERLAY, .refuses = (refusal), .formula = formula, PLAYS
#define SWEEPS(of, word, says)                                                                                         \
    .info = {"sweeps", says, "after " NOTES, .operation = (word), .networks = GRIDS, .ports = "one-port"},             \
    .kind = (of), .ports = NP_ONE_PORT, .uni_axial = true, .variant = NP_GRID_SWEEPS,                                  \
    .refuses = np_collective_but_grids, .formula = formula, PLAYS
#define CALLS(of, word)                                                                                                \
    .info = {"calls",           "every other link of a dimension in turn, both ways",                                  \
             "after " NOTES,    .operation = (word),                                                                   \
             .networks = GRIDS, .ports = "telephone"},                                                                 \
    .kind = (of), .ports = NP_TELEPHONE, .uni_axial = true, .variant = NP_GRID_CALLS,                                  \
    .refuses = np_collective_but_grids, PLAYS

const np_collective_ops np_grid_permutation_dimension_order = {DIMENSION_ORDER(
    NP_PERMUTATION, "permutation", "one dimension after the other, farthest first: at most 2n - 2 on n x n")};

const np_collective_ops np_grid_permutation_overlay = {
    OVERLAY(NP_PERMUTATION, "permutation", "d colours of packets, each in its own order of the dimensions", ALL_GRIDS,
            refuses)};

const np_collective_ops np_grid_permutation_sweeps = {
    SWEEPS(NP_PERMUTATION, "permutation", "down, then up each dimension")};

const np_collective_ops np_grid_permutation_calls = {CALLS(NP_PERMUTATION, "permutation")};

const np_collective_ops np_grid_all_to_all_dimension_order = {
    DIMENSION_ORDER(NP_ALL_TO_ALL, "all-to-all", "one dimension after the other, farthest first: n^3/2 on n x n")};

const np_collective_ops np_grid_all_to_all_overlay = {OVERLAY(
    NP_ALL_TO_ALL, "all-to-all", "d colours of packets, each in its own order of the dimensions: n^3/4 on n x n",
    "array, ring, mesh", refuses_symmetric)};

const np_collective_ops np_grid_all_to_all_sweeps = {
    SWEEPS(NP_ALL_TO_ALL, "all-to-all", "down, then up each dimension: n^3 on n x n")};

const np_collective_ops np_grid_all_to_all_calls = {CALLS(NP_ALL_TO_ALL, "all-to-all")};

const np_collective_ops np_grid_k_k_dimension_order = {
    DIMENSION_ORDER(NP_K_K, "k-k", "one dimension after the other, farthest first")};

const np_collective_ops np_grid_k_k_overlay = {
    OVERLAY(NP_K_K, "k-k", "d colours of packets, each in its own order of the dimensions", ALL_GRIDS, refuses)};

const np_collective_ops np_grid_k_k_sweeps = {SWEEPS(NP_K_K, "k-k", "down, then up each dimension")};

const np_collective_ops np_grid_k_k_calls = {CALLS(NP_K_K, "k-k")};
