/*
 * Simulations prepared off line (Leighton, Maggs, Ranade & Rao 1994, section 11): the links of a guest join the same
 * processors in every step, so paths and ranks are found once, deterministically, and used again and again.
 *
 * Paths. The paper asks for congestion O(lambda + log M) in polynomial time. We take the random choice of its section
 * 7, a label for each group, uniform at the root, and fix the labels one after the other by conditional expectations
 * (Raghavan 1988, Spencer 1987). With cap(C) links in channel C, d_e groups over link e so far and u_C groups that must
 * pass through C and have no label yet, the estimate is
 *
 *     Phi = sum over channels C, links e of C:  (1 + delta)^d_e (1 + delta / cap(C))^u_C
 *
 * the expectation of the sum over all links of (1 + delta)^(groups over it). The label that leaves the least does not
 * increase it. In the end (1 + delta)^c <= Phi, so c <= ln Phi_0 / ln(1 + delta): with delta = 1 this is at most
 * (lambda + ln(links)) / ln 2, chains counted in both. We take the delta of some that promises least. Groups that go
 * highest come first.
 *
 * A vertex's chains count as a channel, too: of as many links as it has nodes, for the groups that turn there. They
 * come by 2^fan channels of children, so that there are at most O(lambda) a link.
 *
 * The label's residue modulo cap(C) is the link of C, so labels are a tree of choices, from the leaves' level up, and
 * the best one is found from its top down: cost[l][r] becomes the least cost on levels l and above of a label that is r
 * modulo cap on level l. All is computed relative to Phi_0: no term is above 1.
 *
 * Ranks. By conditional expectations over delay chains (explain/offline_ranks.h) where that takes a second or two; and
 * else, or if that is better, the best of some settings, which are a fixed function of the seed. That is a search,
 * without a promise, but as what is found is used again in every step, its steps are known. Where packets combine ranks
 * are by group, and the search is over hash functions.
 */
#include "universal/plan.h"

#include <math.h>

#include "base/memory.h"

/* A chain is as a channel of the level below it: its capacity is the number of its vertex's nodes. */
enum { DOWN, UP, CHAIN, KINDS };

enum { TRIES = 16, DELTAS = 11 };

#define PATH_OPERATIONS_MAX 2e10 /* ours: some minutes */

static const uint32_t RANK_RANGE = UINT32_C(1) << 30;
static const char what[] = "off-line paths";

/* ---- paths ---- */

typedef struct finder {
    const np_shape *shape;
    uint32_t channels, links;                /* of each kind */
    uint32_t first[NP_SHAPE_HEIGHT_MAX + 1]; /* channel above the first vertex of level l */
    uint32_t first_link[NP_SHAPE_HEIGHT_MAX + 1];
    uint32_t *open[KINDS];                                     /* [channels] u_C */
    uint32_t *used[KINDS];                                     /* [links] d_e */
    double *cost[NP_SHAPE_HEIGHT_MAX];                         /* [cap on the level] */
    double log_used, log_open[NP_SHAPE_HEIGHT_MAX], log_start; /* ln(1 + delta), ln(1 + delta / cap), ln Phi_0 */
    uint32_t highest;                                          /* 1 + the highest level of a group's channels */
    uint32_t label;                                            /* of the group */
    double operations;
} finder;

static uint32_t capacity(const finder *f, uint32_t l) { return UINT32_C(1) << f->shape->grow * (l + 1); }

static void finder_clear(finder *f)
{
    for (int kind = 0; kind < KINDS; kind++) {
        np_memory_free(f->open[kind]);
        np_memory_free(f->used[kind]);
    }
    for (uint32_t l = 0; l < NP_SHAPE_HEIGHT_MAX; l++)
        np_memory_free(f->cost[l]);
}

static np_status finder_init(finder *f, const np_shape *shape)
{
    np_status st;
    *f = (finder){.shape = shape};
    for (uint32_t l = 0; l < shape->m; l++) {
        uint32_t vertices = UINT32_C(1) << shape->fan * (shape->m - l);
        f->first[l] = f->channels;
        f->first_link[l] = f->links;
        f->channels += vertices;
        f->links += vertices * capacity(f, l);
        if ((st = np_memory_array(&f->cost[l], capacity(f, l), sizeof *f->cost[l], what)))
            return st;
    }
    for (int kind = 0; kind < KINDS; kind++)
        if ((st = np_memory_zeroed(&f->open[kind], f->channels, sizeof *f->open[kind], what)) ||
            (st = np_memory_zeroed(&f->used[kind], f->links, sizeof *f->used[kind], what)))
            return st;
    return NP_OK;
}

/* Calls with all that the group's packets pass through: the channels, and the chains where they turn, but the root has
 * none. */
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
    uint32_t home = spread->home[group], turned = 0; /* bit l: at level l */
    np_spread_visit(spread, shape, group, visit_channel, &(visit){each, context});
    for (uint32_t i = spread->row[group]; i < spread->row[group + 1]; i++) {
        uint32_t top = np_spread_meet(shape, spread->leaf[i], home);
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

/* ln Phi_0 for that delta. */
static double log_estimate(const finder *f, double delta)
{
    double most = 0, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t l = 0; l < f->shape->m; l++)
            for (uint32_t i = f->first[l]; i < f->first[l] + (UINT32_C(1) << f->shape->fan * (f->shape->m - l)); i++)
                for (int kind = 0; kind < KINDS; kind++) {
                    double term = log(capacity(f, l)) + f->open[kind][i] * log1p(delta / capacity(f, l));
                    if (!f->open[kind][i])
                        continue; /* no group ever comes there */
                    if (pass)
                        sum += exp(term - most);
                    else
                        most = term > most ? term : most;
                }
    return most + log(sum);
}

/* The promise, for the best delta of 1/32 .. 32. */
static uint32_t choose_delta(finder *f)
{
    double best = INFINITY;
    if (f->operations == 0)
        return 0; /* no group goes anywhere */
    for (int k = 0; k < DELTAS; k++) {
        double delta = ldexp(1, k - DELTAS / 2), log_start = log_estimate(f, delta), bound = log_start / log1p(delta);
        if (bound >= best)
            continue;
        best = bound;
        f->log_start = log_start;
        f->log_used = log1p(delta);
        for (uint32_t l = 0; l < f->shape->m; l++)
            f->log_open[l] = log1p(delta / capacity(f, l));
    }
    return (uint32_t)(best * (1 + 1e-9));
}

static uint32_t *links_of(finder *f, uint32_t level, uint32_t vertex, int kind)
{
    return f->used[kind] + f->first_link[level] + (size_t)vertex * capacity(f, level);
}

/* The group is not open in the channel any more, and may take any of its links. */
static void price_channel(void *context, uint32_t level, uint32_t vertex, int kind)
{
    finder *f = context;
    const uint32_t *used = links_of(f, level, vertex, kind);
    double base = --f->open[kind][f->first[level] + vertex] * f->log_open[level] - f->log_start;
    for (; f->highest <= level; f->highest++)
        for (uint32_t r = 0; r < capacity(f, f->highest); r++)
            f->cost[f->highest][r] = 0;
    for (uint32_t r = 0; r < capacity(f, level); r++)
        f->cost[level][r] += exp(base + used[r] * f->log_used);
}

static void take_channel(void *context, uint32_t level, uint32_t vertex, int kind)
{
    finder *f = context;
    links_of(f, level, vertex, kind)[f->label & (capacity(f, level) - 1)]++;
}

/* The cheapest of the residues on a level that are r modulo `step`; the least of those. */
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
                      "off-line paths on a fat-tree of height %u need %.1e operations, at most %.1e: take "
                      "random ones, or a smaller guest",
                      shape->m, f.operations, PATH_OPERATIONS_MAX);
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
    finder_clear(&f);
    return st;
}

/* ---- ranks ---- */

void np_plan_clear(np_plan *plan)
{
    np_memory_free(plan->label);
    np_memory_free(plan->rank);
    *plan = (np_plan){0};
}

static void draw_ranks(uint64_t seed, uint32_t run, uint32_t groups, uint32_t *rank)
{
    np_draws draws = np_draws_for((np_draws){.seed = seed, .run = run}, NP_RANDOM_RANK);
    for (uint32_t g = 0; g < groups; g++)
        rank[g] = 1 + np_random_below(&draws, g, 0, RANK_RANGE);
}

/* The best of the settings; those of run plan->run. */
static np_status search(np_tree_router *router, const np_guest *guest, uint64_t seed, np_plan *plan)
{
    np_phase_run run;
    np_status st = NP_OK;
    for (uint32_t i = 0; !st && i < TRIES; i++) {
        if (plan->rank)
            draw_ranks(seed, i, guest->groups, plan->rank);
        st = np_tree_router_run(router, &(np_tree_choice){{.seed = seed, .run = i}, plan->label, plan->rank}, &run);
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

/* By conditional expectations, and taken if a step takes no more than with those of the search. */
static np_status derandomize(np_tree_router *router, const np_guest *guest, np_plan *plan)
{
    np_offline_ranks ranks = {0};
    uint32_t *rank = NULL;
    np_phase_run run;
    np_status st = np_tree_router_find_ranks(router, plan->label, &ranks);
    if (st == NP_ERROR_LIMIT)
        return NP_OK; /* too many for it */
    if (st || (st = np_memory_array(&rank, guest->groups, sizeof *rank, "ranks")))
        goto out;
    for (uint32_t g = 0; g < guest->groups; g++)
        rank[g] = 1;
    for (np_packet i = 0; i < ranks.packets; i++)
        rank[np_tree_router_group(router, i)] = ranks.rank[i];
    if ((st = np_tree_router_run(router, &(np_tree_choice){{0}, plan->label, rank}, &run)))
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
    if ((st = search(router, guest, options->seed, out)))
        return st;
    return guest->buses ? NP_OK : derandomize(router, guest, out);
}
