/*
 * Simulations prepared off line (Leighton, Maggs, Ranade & Rao 1994, section 11). The links of a guest join the same
 * processors in every step. So paths and ranks are found once, deterministically, and used again and again.
 *
 * Paths. The paper asks for congestion O(lambda + log M) in polynomial time. We take the random choice of its section
 * 7, a label for each group, uniform at the root, and fix the labels one after the other by conditional expectations
 * (Raghavan 1988, Spencer 1987). Channel C has cap(C) links; d_e groups go over link e so far; u_C groups must pass
 * through C and have no label yet. Then the estimate is
 *
 *     Phi = sum over channels C, links e of C:  (1 + delta)^d_e (1 + delta / cap(C))^u_C
 *
 * which is the expectation of the sum over all links of (1 + delta)^(groups over the link). We choose the label with
 * the least estimate after it, so the estimate never increases. In the end (1 + delta)^c <= Phi, so the congestion is
 * c <= ln Phi_0 / ln(1 + delta). With delta = 1 this is at most (lambda + ln(links)) / ln 2, where lambda and the links
 * include the chains. Of several values of delta we take the one that promises least. Groups that go highest get their
 * labels first.
 *
 * The chains of a vertex count as one more channel, for the groups that turn at the vertex. It has as many links as the
 * vertex has nodes. These groups come by the 2^fan channels of the children, so there are at most O(lambda) a link.
 *
 * The label's residue modulo cap(C) is the link of C that the group takes. So labels form a tree of choices, which
 * branches from the leaves' level upwards, and the best label is found from the top level downwards: cost[l][r] becomes
 * the least cost, on levels l and above, of a label that is r modulo cap on level l. All terms are computed relative to
 * Phi_0, so no term is above 1.
 *
 * Ranks. Conditional expectations over delay chains (papers/ranks/offline_ranks.h) give the ranks where this takes a
 * second or two. Where it takes longer, or gives more steps, we take the best of some settings, which are a fixed
 * function of the seed. This search promises nothing beforehand. But its result is used again in every step, so the
 * number of steps is known. Where packets combine, ranks are by group, and the search is over hash functions.
 */
#include "papers/universal/plan.h"

#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/real.h"
#include "base/watch.h"
#include "model/family/fat_tree.h"

/* A chain counts as a channel of the level below it. Its capacity is the number of its vertex's nodes. */
enum { DOWN, UP, CHAIN, KINDS };

enum { TRIES = 16, DELTAS = 11 };

#define PATH_OPERATIONS_MAX 2e10 /* ours: some minutes */

static const uint32_t RANK_RANGE = UINT32_C(1) << 30;
static const char what[] = "off-line paths";

/* ---- paths ---- */

typedef struct finder {
    const np_shape *shape;
    uint32_t channels, links;                /* counts for each kind */
    uint32_t first[NP_SHAPE_HEIGHT_MAX + 1]; /* the channel above the first vertex of level l */
    uint32_t first_link[NP_SHAPE_HEIGHT_MAX + 1];
    uint32_t *open[KINDS];                                     /* [channels] u_C */
    uint32_t *used[KINDS];                                     /* [links] d_e */
    double *cost[NP_SHAPE_HEIGHT_MAX];                         /* [cap on level l] */
    double log_used, log_open[NP_SHAPE_HEIGHT_MAX], log_start; /* ln(1 + delta), ln(1 + delta / cap), ln Phi_0 */
    uint32_t highest;                                          /* 1 + the highest level of a group's channels */
    uint32_t label;                                            /* the group's label */
    double operations;
    void *block;
} finder;

static uint32_t capacity(const finder *f, uint32_t l) { return UINT32_C(1) << f->shape->grow * (l + 1); }

static void finder_layout(void *object, np_arena *arena)
{
    finder *f = object;
    for (uint32_t l = 0; l < f->shape->m; l++)
        np_arena_array(arena, &f->cost[l], capacity(f, l), sizeof *f->cost[l], "the costs");
    for (int kind = 0; kind < KINDS; kind++) {
        np_arena_zeroed(arena, &f->open[kind], f->channels, sizeof *f->open[kind], "the channels");
        np_arena_zeroed(arena, &f->used[kind], f->links, sizeof *f->used[kind], "the links");
    }
}

static void finder_size(finder *f, const np_shape *shape)
{
    *f = (finder){.shape = shape};
    for (uint32_t l = 0; l < shape->m; l++) {
        uint32_t vertices = UINT32_C(1) << shape->fan * (shape->m - l);
        f->first[l] = f->channels;
        f->first_link[l] = f->links;
        f->channels += vertices;
        f->links += vertices * capacity(f, l);
    }
}

static np_status finder_init(finder *f, const np_shape *shape)
{
    finder_size(f, shape);
    return np_arena_place(f, finder_layout, what, &f->block);
}

/*
 * Is called with everything that the packets of a group pass through: the channels, and the chains of the vertices
 * where packets turn. The root has no chains.
 */
typedef void visitor(void *context, uint32_t level, uint32_t vertex, int kind);

typedef struct visit {
    visitor *each;
    void *context;
} visit;

static void visit_channel(void *context, uint32_t level, uint32_t vertex, bool up)
{
    const visit *v = context;
    v->each(v->context, level, vertex, up ? UP : DOWN);
}

static void each_channel(const np_spread *spread, const np_shape *shape, uint32_t group, visitor *each, void *context)
{
    uint32_t home = spread->home[group], turned = 0; /* bit l: a packet turned at level l */
    np_spread_visit(spread, shape, group, visit_channel, &(visit){each, context});
    for (uint32_t i = spread->row[group]; i < spread->row[group + 1]; i++) {
        uint32_t top = np_fat_tree_meet(shape->fan, spread->leaf[i], home);
        if (top && top < shape->m && !(turned >> top & 1))
            each(context, top - 1, home >> shape->fan * top, CHAIN);
        turned |= UINT32_C(1) << top;
    }
}

static void count_channel(void *context, uint32_t level, uint32_t vertex, int kind)
{
    finder *f = context;
    f->open[kind][f->first[level] + vertex]++;
    f->operations += capacity(f, level);
}

/* ln Phi_0 for this delta. */
static double log_estimate(const finder *f, double delta)
{
    double most = 0, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t l = 0; l < f->shape->m; l++)
            for (uint32_t i = f->first[l]; i < f->first[l] + (UINT32_C(1) << f->shape->fan * (f->shape->m - l)); i++)
                for (int kind = 0; kind < KINDS; kind++) {
                    double term = np_log(capacity(f, l)) + f->open[kind][i] * np_log1p(delta / capacity(f, l));
                    if (!f->open[kind][i])
                        continue; /* no group ever comes there */
                    if (pass)
                        sum += np_exp(term - most);
                    else
                        most = term > most ? term : most;
                }
    return most + np_log(sum);
}

/* Chooses the best delta of 1/32 .. 32 and returns the congestion that it promises. */
static uint32_t choose_delta(finder *f)
{
    double best = INFINITY;
    if (f->operations == 0)
        return 0; /* no group goes anywhere */
    for (int k = 0; k < DELTAS; k++) {
        double delta = ldexp(1, k - DELTAS / 2), log_start = log_estimate(f, delta),
               bound = log_start / np_log1p(delta);
        if (bound >= best)
            continue;
        best = bound;
        f->log_start = log_start;
        f->log_used = np_log1p(delta);
        for (uint32_t l = 0; l < f->shape->m; l++)
            f->log_open[l] = np_log1p(delta / capacity(f, l));
    }
    return (uint32_t)(best * (1 + 1e-9));
}

static uint32_t *links_of(finder *f, uint32_t level, uint32_t vertex, int kind)
{
    return f->used[kind] + f->first_link[level] + (size_t)vertex * capacity(f, level);
}

/* Closes the group in the channel, and adds the cost of each of the channel's links, any of which it may take. */
static void price_channel(void *context, uint32_t level, uint32_t vertex, int kind)
{
    finder *f = context;
    const uint32_t *used = links_of(f, level, vertex, kind);
    double base = --f->open[kind][f->first[level] + vertex] * f->log_open[level] - f->log_start;
    for (; f->highest <= level; f->highest++)
        for (uint32_t r = 0; r < capacity(f, f->highest); r++)
            f->cost[f->highest][r] = 0;
    for (uint32_t r = 0; r < capacity(f, level); r++)
        f->cost[level][r] += np_exp(base + used[r] * f->log_used);
}

static void take_channel(void *context, uint32_t level, uint32_t vertex, int kind)
{
    finder *f = context;
    links_of(f, level, vertex, kind)[f->label & (capacity(f, level) - 1)]++;
}

/* Of the residues on a level that are r modulo `step`: the cheapest, the least of several. */
static uint32_t cheapest(const finder *f, uint32_t level, uint32_t r, uint32_t step)
{
    uint32_t best = r;
    for (uint32_t i = r + step; i < capacity(f, level); i += step)
        best = f->cost[level][i] < f->cost[level][best] ? i : best;
    return best;
}

static void choose_label(finder *f)
{
    for (uint32_t l = f->highest; l-- > 1;)
        for (uint32_t r = 0; r < capacity(f, l - 1); r++)
            f->cost[l - 1][r] += f->cost[l][cheapest(f, l, r, capacity(f, l - 1))];
    f->label = 0;
    for (uint32_t l = 0; l < f->highest; l++)
        f->label = l ? cheapest(f, l, f->label, capacity(f, l - 1)) : cheapest(f, 0, 0, 1);
}

static void note_height(void *context, uint32_t level, uint32_t vertex, int kind)
{
    uint32_t *height = context;
    (void)vertex, (void)kind;
    *height = level >= *height ? level + 1 : *height;
}

np_status np_plan_paths(const np_spread *spread, const np_shape *shape, uint32_t *label, uint32_t *promised,
                        uint32_t *congestion)
{
    finder f;
    np_status st = finder_init(&f, shape);
    *congestion = 0;
    for (uint32_t g = 0; !st && g < spread->groups; g++)
        each_channel(spread, shape, g, count_channel, &f);
    if (!st && f.operations > PATH_OPERATIONS_MAX)
        st = NP_RAISE(NP_ERROR_LIMIT,
                      "off-line paths on a fat-tree of height %u need %s operations, at most %s: take "
                      "random ones, or a smaller guest",
                      shape->m, NP_REAL(f.operations, 2), NP_REAL(PATH_OPERATIONS_MAX, 2));
    if (st)
        goto out;
    *promised = choose_delta(&f);
    for (uint32_t top = shape->m + 1; top-- > 0;)
        for (uint32_t g = 0; g < spread->groups; g++) {
            uint32_t height = 0;
            each_channel(spread, shape, g, note_height, &height);
            if (height != top)
                continue;
            f.highest = 0;
            each_channel(spread, shape, g, price_channel, &f);
            choose_label(&f);
            each_channel(spread, shape, g, take_channel, &f);
            label[g] = f.label;
        }
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t i = 0; i < f.links; i++)
            *congestion = f.used[kind][i] > *congestion ? f.used[kind][i] : *congestion;
    if (*congestion > *promised)
        st = NP_RAISE(NP_ERROR_INTERNAL, "off-line paths of congestion %u, promised was %u", *congestion, *promised);
out:
    np_memory_free(f.block);
    return st;
}

/* ---- ranks ---- */

void np_plan_clear(np_plan *plan)
{
    NP_MEMORY_FREE(plan->label, plan->rank);
    *plan = (np_plan){0};
}

static void draw_ranks(uint64_t seed, uint32_t run, uint32_t groups, uint32_t *rank)
{
    np_draws draws = np_draws_for((np_draws){.seed = seed, .run = run}, NP_RANDOM_RANK);
    for (uint32_t g = 0; g < groups; g++)
        rank[g] = 1 + np_random_below(&draws, g, 0, RANK_RANGE);
}

/* Tries the settings and keeps the best. Then plan->rank holds the ranks of run plan->run. */
static np_status search(np_tree_router *router, const np_guest *guest, const np_universal_options *options,
                        np_plan *plan)
{
    uint64_t seed = options->seed;
    np_phase_run run;
    np_status st = NP_OK;
    for (uint32_t i = 0; !st && i < TRIES; i++) {
        if ((st = np_watch_share(&options->watch, "ranks", (double)i / TRIES)))
            break;
        if (plan->rank)
            draw_ranks(seed, i, guest->groups, plan->rank);
        st = np_tree_router_run(
            router, &(np_tree_choice){.draws = {.seed = seed, .run = i}, .label = plan->label, .rank = plan->rank},
            &run);
        if (!st && (!i || run.steps < plan->found.steps)) {
            plan->found.steps = run.steps;
            plan->run = i;
        }
    }
    if (plan->rank)
        draw_ranks(seed, plan->run, guest->groups, plan->rank);
    plan->found.tries = TRIES;
    return st;
}

/* Ranks by conditional expectations. They are kept if a step with them is no longer than with the search's ranks. */
static np_status derandomize(np_tree_router *router, const np_guest *guest, np_plan *plan)
{
    np_offline_ranks ranks = {0};
    uint32_t *rank = NULL;
    np_phase_run run;
    np_status st = np_tree_router_find_ranks(router, plan->label, &ranks);
    if (st == NP_ERROR_APPLY)
        return NP_OK; /* too many packets for conditional expectations */
    if (st || (st = np_memory_array(&rank, guest->groups, sizeof *rank, "ranks")))
        goto out;
    for (uint32_t g = 0; g < guest->groups; g++)
        rank[g] = 1;
    for (np_packet i = 0; i < ranks.packets; i++)
        rank[np_tree_router_group(router, i)] = ranks.rank[i];
    if ((st = np_tree_router_run(router, &(np_tree_choice){.label = plan->label, .rank = rank}, &run)))
        goto out;
    plan->found.steps_promised = ranks.promised;
    plan->found.steps_expectations = run.steps;
    if (run.steps <= plan->found.steps) {
        uint32_t *other = plan->rank;
        plan->rank = rank;
        rank = other;
        plan->found.steps = run.steps;
        plan->found.expectations = true;
    }
out:
    np_offline_ranks_clear(&ranks);
    np_memory_free(rank);
    return st;
}

np_status np_plan_find(np_tree_router *router, const np_guest *guest, const np_spread *spread, const np_shape *shape,
                       const np_universal_options *options, np_plan *out)
{
    np_status st;
    *out = (np_plan){0};
    if ((st = np_memory_array(&out->label, guest->groups, sizeof *out->label, what)) ||
        (!guest->buses && (st = np_memory_array(&out->rank, guest->groups, sizeof *out->rank, "ranks"))) ||
        (st = np_plan_paths(spread, shape, out->label, &out->found.congestion_promised, &out->found.congestion)))
        return st;
    if (!np_tree_router_packets(router))
        return NP_OK;
    if ((st = search(router, guest, options, out)))
        return st;
    return guest->buses ? NP_OK : derandomize(router, guest, out);
}
