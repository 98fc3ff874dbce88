/*
 * Gossip on grids in the telephone model, one dimension after the other (Sibeyn). On a line of side n two matchings
 * take turns, (0,1)(2,3).. and (1,2)(3,4).. With n even, all nodes know all after n - 1 rounds; with n odd, after n
 * rounds, as the two ends are idle in turn. So an n x .. x n mesh takes d (n - 1) rounds with n even, and d n with n
 * odd. On a ring of even side the same two matchings, now closed, take n/2 rounds. On a ring of odd side a matching
 * leaves one node out, and the node that is left out moves round the ring: (n + 3)/2 rounds.
 *
 * What a node knows on its line is an interval around it: `below` and `above` say how far the interval reaches. If a
 * node knows more on a side than its partner, it sends what the partner lacks, and nothing that the partner has. Later
 * dimensions send all that the earlier ones have brought: N_d packets for each coordinate, where N_d is the product of
 * the sides that are done.
 */
#include <stdio.h>
#include <string.h>

#include "work/collective/collective.h"

/* One line of an axis; all lines of the axis do the same. */
typedef struct line {
    uint32_t side, round; /* round: how many matchings are done */
    bool wrap;
    uint32_t *below, *above; /* [side] */
} line;

typedef struct grid_gossip {
    uint32_t axis; /* of the present phase; d before the first */
    uint64_t done; /* product of the sides of the phases before */
    line line;
} grid_gossip;

/* The coordinate that is matched with x in the next matching; NP_NONE if there is none. */
static uint32_t partner(const line *l, uint32_t x)
{
    uint32_t n = l->side, first = l->round % 2;
    if (!l->wrap || n == 2)
        return (x + first) % 2 ? (x ? x - 1 : NP_NONE) : x + 1 < n && x >= first ? x + 1 : NP_NONE;
    if (n % 2 == 0)
        return (x + first) % 2 ? (x + n - 1) % n : (x + 1) % n;
    uint32_t turn = (x + n - l->round % n) % n; /* counted from the node that is left out */
    return !turn ? NP_NONE : turn % 2 ? (x + 1) % n : (x + n - 1) % n;
}

static uint32_t known(const line *l, uint32_t x) { return l->below[x] + l->above[x] + 1; }

/*
 * What x tells its partner y, one up or down: how many coordinates below and above the interval that y knows, the
 * nearest first. On a ring both sides may meet: then not more than y lacks.
 */
static void news(const line *l, uint32_t x, bool up, uint32_t y, uint32_t *below, uint32_t *above)
{
    uint32_t lacks = l->side - known(l, y);
    int64_t low = (int64_t)l->below[x] + (up ? 1 : -1) - l->below[y];
    int64_t high = (int64_t)l->above[x] - (up ? 1 : -1) - l->above[y];
    *below = low > 0 ? (uint32_t)low : 0;
    *above = high > 0 ? (uint32_t)high : 0;
    *below = *below < lacks ? *below : lacks;
    *above = *above < lacks - *below ? *above : lacks - *below;
}

static bool goes_up(const line *l, uint32_t x, uint32_t y)
{
    return l->wrap && l->side > 2 ? (x + 1) % l->side == y : y > x;
}

/* All nodes learn. Returns the most coordinates that one node told another. */
static uint32_t learn(line *l, uint32_t *below, uint32_t *above)
{
    uint32_t most = 0;
    for (uint32_t y = 0; y < l->side; y++) {
        uint32_t x = partner(l, y);
        below[y] = above[y] = 0;
        if (x != NP_NONE)
            news(l, x, goes_up(l, x, y), y, &below[y], &above[y]);
        most = below[y] + above[y] > most ? below[y] + above[y] : most;
    }
    for (uint32_t y = 0; y < l->side; y++) {
        l->below[y] += below[y];
        l->above[y] += above[y];
    }
    l->round++;
    return most;
}

static bool all_known(const line *l)
{
    for (uint32_t x = 0; x < l->side; x++)
        if (known(l, x) < l->side)
            return false;
    return true;
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    grid_gossip counted, *g = np_collective_own(job, arena, &counted, sizeof *g);
    size_t longest = 0;
    for (uint32_t a = 0; a < job->axes.count; a++)
        longest = job->axes.side[a] > longest ? job->axes.side[a] : longest;
    np_arena_zeroed(arena, &g->line.below, 2 * longest, sizeof *g->line.below, "a line");
    np_arena_zeroed(arena, &g->line.above, 2 * longest, sizeof *g->line.above, "a line");
}

/* A node learns of at most two coordinates in a round; in the last phase a coordinate has most packets. */
static size_t transfers(const np_collective_job *job)
{
    size_t nodes = job->network->nodes, most = 0, done = 1;
    for (uint32_t a = job->axes.count; a--; done *= job->axes.side[a]) {
        size_t learned = nodes * done * (job->axes.side[a] > 2 ? 2 : 1);
        most = learned > most ? learned : most;
    }
    return most;
}

static np_status begin(np_collective_job *job)
{
    ((grid_gossip *)job->own)->axis = job->axes.count;
    return NP_OK;
}

static void begin_axis(const np_axes *axes, grid_gossip *g)
{
    line *l = &g->line;
    g->done = g->axis == axes->count ? 1 : g->done * axes->side[g->axis];
    l->side = axes->side[--g->axis];
    l->wrap = axes->wrap;
    l->round = 0;
    memset(l->below, 0, l->side * sizeof *l->below);
    memset(l->above, 0, l->side * sizeof *l->above);
}

/* u sends the packets from coordinate z of its line: those of all nodes that agree with u on the axes to come. */
static np_status send_coordinate(np_collective_job *job, const grid_gossip *g, np_node u, np_link link, uint32_t z)
{
    uint32_t block = (uint32_t)g->done; /* the axes that are done are the last ones: numbers 0 .. done-1 */
    np_node first = np_axes_with(&job->axes, u, g->axis, z) / block * block;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < block && !st; i++)
        st = np_round_add(&job->round, link, first + i);
    return st;
}

/* u tells v what v lacks: `below` coordinates under those that v knows, and `above` coordinates over them. */
static np_status tell(np_collective_job *job, const grid_gossip *g, np_node u, np_node v, uint32_t below,
                      uint32_t above)
{
    const line *l = &g->line;
    uint32_t y = np_axes_coordinate(&job->axes, v, g->axis);
    np_link link = np_collective_link(job->network, u, v);
    np_status st = NP_OK;
    for (uint32_t i = 1; i <= below && !st; i++)
        st = send_coordinate(job, g, u, link, (y + 2 * l->side - l->below[y] - i) % l->side);
    for (uint32_t i = 1; i <= above && !st; i++)
        st = send_coordinate(job, g, u, link, (y + l->above[y] + i) % l->side);
    return st;
}

static np_status next(np_collective_job *job)
{
    grid_gossip *g = job->own;
    line *l = &g->line;
    np_status st = NP_OK;
    while (!l->side || all_known(l)) {
        if (!g->axis)
            return NP_OK;
        begin_axis(&job->axes, g);
    }
    for (np_node v = 0; v < job->network->nodes && !st; v++) {
        uint32_t y = np_axes_coordinate(&job->axes, v, g->axis), x = partner(l, y), below, above;
        if (x == NP_NONE)
            continue;
        news(l, x, goes_up(l, x, y), y, &below, &above);
        st = tell(job, g, np_axes_with(&job->axes, v, g->axis, x), v, below, above);
    }
    learn(l, l->below + l->side, l->above + l->side);
    return st;
}

/* The rounds and steps of a line on which each coordinate has one packet. */
static void line_figure(const np_axes *axes, uint32_t axis, uint64_t *rounds, uint64_t *steps)
{
    uint32_t n = axes->side[axis];
    if (n == 2)
        *rounds = *steps = 1;
    else if (!axes->wrap) {
        *rounds = n - 1 + n % 2;
        *steps = 2 * (uint64_t)n - 3 + n % 2;
    } else {
        *rounds = n % 2 ? (n + 3) / 2 : n / 2;
        *steps = n % 2 ? (3 * (uint64_t)n - 1) / 2 : n - 1;
    }
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    uint64_t done = 1;
    for (uint32_t a = job->axes.count; a--;) {
        uint64_t rounds, steps;
        line_figure(&job->axes, a, &rounds, &steps);
        out->rounds += rounds;
        out->steps += done * steps;
        done *= job->axes.side[a];
    }
    snprintf(out->text, sizeof out->text, "%s",
             job->axes.wrap ? "sum over the sides of n/2 rounds, or (n + 3)/2 if n is odd"
                            : "sum over the sides of n - 1 rounds, or n if n is odd");
    return NP_OK;
}

const np_collective_ops np_grid_gossip = {
    .info = {"dimension-order", "two matchings in turn on each dimension: d (n - 1) rounds, d n if n is odd",
             "Sibeyn, lecture notes", .operation = "gossip", .networks = "array, ring, mesh, torus",
             .ports = "telephone"},
    .kind = NP_GOSSIP,
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .refuses = np_collective_but_grids,
    .transfers = transfers,
    .own = layout,
    .begin = begin,
    .next = next,
    .formula = formula,
};
