/*
 * All-to-all on the hypercube of N = 2^k nodes in N/2 steps, which the bisection makes optimal: k uni-axial algorithms
 * laid over one another (Sibeyn).
 *
 * All nodes do the same: for a relative address r the packets from every s to s xor r move together, each over one
 * dimension in a step, for every bit of r once, in any order. So it is to be decided which r uses which dimension when.
 * That is an edge colouring of the bipartite graph of the addresses r and the k dimensions, whose edges are the bits:
 * no r and no dimension may have two edges of one colour, which is the step. A dimension is a bit of N/2 addresses and
 * no address has more than k <= N/2 bits, so that N/2 colours do (König 1916), found edge by edge, with alternating
 * paths.
 *
 * The notes hand every k-th packet to each of k algorithms; k does not divide N - 1 in general, and rotations of r,
 * which are the k orders, leave links idle where r is periodic. The colouring has none idle.
 */
#include <stdio.h>

#include "base/memory.h"
#include "collective/collective.h"

typedef struct cube_overlay {
    uint32_t k, colours, step;
    uint32_t *address; /* [k][colours] which r uses the dimension in that step */
    uint32_t *colour;  /* [N][k] of the edges; NP_NONE: none yet, or no bit */
    uint32_t *done;    /* [N] the bits of r that its packets have behind them */
} cube_overlay;

/* Bit of the dimension that is port p. */
static uint32_t bit(const cube_overlay *c, uint32_t port) { return UINT32_C(1) << (c->k - 1 - port); }

static uint32_t port_with(const cube_overlay *c, uint32_t r, uint32_t colour)
{
    uint32_t port = 0;
    while (port < c->k && c->colour[r * c->k + port] != colour)
        port++;
    return port;
}

static void set(cube_overlay *c, uint32_t r, uint32_t port, uint32_t colour)
{
    c->colour[r * c->k + port] = colour;
    c->address[port * c->colours + colour] = r;
}

/* Frees colour a at r: on the path of edges a, b, a, .. from r the two are exchanged. It visits a dimension once. */
static void flip(cube_overlay *c, uint32_t r, uint32_t a, uint32_t b)
{
    uint32_t edge_r[2 * 32], edge_port[2 * 32], edges = 0;
    for (uint32_t port; (port = port_with(c, r, a)) < c->k;) {
        edge_r[edges] = r;
        edge_port[edges++] = port;
        if ((r = c->address[port * c->colours + b]) == NP_NONE)
            break;
        edge_r[edges] = r;
        edge_port[edges++] = port;
    }
    for (uint32_t i = 0; i < edges; i++)
        c->address[edge_port[i] * c->colours + (i % 2 ? b : a)] = NP_NONE;
    for (uint32_t i = 0; i < edges; i++)
        set(c, edge_r[i], edge_port[i], i % 2 ? a : b);
}

static void colour_edge(cube_overlay *c, uint32_t r, uint32_t port)
{
    uint32_t a = 0, b = 0;
    while (c->address[port * c->colours + a] != NP_NONE)
        a++;
    while (port_with(c, r, b) < c->k)
        b++;
    if (port_with(c, r, a) < c->k)
        flip(c, r, a, b);
    set(c, r, port, a);
}

static np_status begin(np_collective_job *job)
{
    size_t nodes = job->network->nodes, k = job->axes.count, colours = nodes / 2;
    cube_overlay *c;
    np_status st = np_memory_zeroed(&c, 1, sizeof *c, "a schedule");
    if (st)
        return st;
    job->own = c;
    c->k = (uint32_t)k;
    c->colours = (uint32_t)colours;
    if ((st = np_memory_array(&c->address, k * colours, sizeof *c->address, "a schedule")) ||
        (st = np_memory_array(&c->colour, k * nodes, sizeof *c->colour, "a schedule")) ||
        (st = np_memory_zeroed(&c->done, nodes, sizeof *c->done, "a schedule")))
        return st;
    for (size_t i = 0; i < k * colours; i++)
        c->address[i] = NP_NONE;
    for (size_t i = 0; i < k * nodes; i++)
        c->colour[i] = NP_NONE;
    for (uint32_t r = 1; r < nodes; r++)
        for (uint32_t port = 0; port < k; port++)
            if (r & bit(c, port))
                colour_edge(c, r, port);
    return NP_OK;
}

static void end(np_collective_job *job)
{
    cube_overlay *c = job->own;
    if (!c)
        return;
    np_memory_free(c->address);
    np_memory_free(c->colour);
    np_memory_free(c->done);
    np_memory_free(c);
    job->own = NULL;
}

static np_status next(np_collective_job *job)
{
    cube_overlay *c = job->own;
    uint32_t nodes = job->network->nodes;
    if (c->step == c->colours)
        return NP_OK;
    for (uint32_t port = 0; port < c->k; port++) {
        uint32_t r = c->address[port * c->colours + c->step];
        for (uint32_t s = 0; s < nodes; s++) {
            np_status st = np_round_add(&job->round, (s ^ c->done[r]) * c->k + port, s * nodes + (s ^ r));
            if (st)
                return st;
        }
    }
    for (uint32_t port = 0; port < c->k; port++)
        c->done[c->address[port * c->colours + c->step]] |= bit(c, port);
    c->step++;
    return NP_OK;
}

static np_status formula(const np_collective_job *job, bool *known, np_collective_figure *out)
{
    out->rounds = out->steps = job->network->nodes / 2;
    snprintf(out->text, sizeof out->text, "N/2");
    *known = true;
    return NP_OK;
}

static const char *refuses(const np_network *network) { return np_axes_of(network).cube ? NULL : "it is no hypercube"; }

const np_collective_ops np_cube_all_to_all_overlay = {
    .info = {"all-to-all", "overlay", "hypercube", "full-port",
             "k orders of the dimensions at once, no link ever idle: N/2", "Sibeyn, lecture notes", false},
    .kind = NP_ALL_TO_ALL,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = refuses,
    .begin = begin,
    .next = next,
    .end = end,
    .formula = formula,
};
