/*
 * The search: lengths are exponential weights of loads (Plotkin, Shmoys & Tardos 1995; Garg & Konemann 2007), but flow
 * is split softly, over all arcs that lead nearer, and not along one tree of shortest paths. So a few iterations do
 * what needs hundreds with trees. In iteration k
 *
 *     lengths l = mean x arcs x exp(y) / sum of exp(y), whole numbers; theta = THETA mean / (1 + SHRINK k)
 *     loads x of the flow that these lengths make (lanes.h)
 *     high = min(high, sum of width l / sum of amount distance)
 *     low = max(low, 1 / max x, 1 / max of the mean of the loads so far)
 *     speed = MOMENTUM speed + STEP theta min(1, x low - 1);   y += speed
 *
 * and before, as long as that makes the flow of every iteration better, y += RUSH min(1, x low - 1): that suffices on
 * networks whose links are nearly alike. Without the 1, momentum and a link that all flow wants drive each other on.
 *
 * Means have the weights (k + 1)(k + 2), so that early iterations count little. Every fifth iteration also asks what
 * the mean of the lengths proves from above. The momentum is Nesterov's; it halves the iterations of irregular networks
 * many times. Theta shrinks by the clock: by the gap it would lock itself. The constants are ours, by trial on random
 * regular graphs, and on a dragonfly and tori with a tenth of the cables cut.
 *
 * All of this is in doubles, with operations that have the same bits everywhere; loads are whole numbers.
 */
#include "verdict/throughput/concurrent.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/room.h"
#include "base/real.h"
#include "base/threads.h"
#include "base/watch.h"
#include "verdict/throughput/columns.h"
#include "verdict/throughput/vertex.h"

#define THETA 0.3
#define SHRINK 0.01
#define STEP 0.15
#define RUSH 0.2
#define MOMENTUM 0.95
#define SHRUNK 0.98        /* a gap so much smaller is a step forward */
#define DOWN (1.0 - 1e-12) /* more than the roundings of some thousand additions of doubles */

enum {
    MEAN_LENGTH = 1 << 16,
    ROOM = 64,    /* the largest length over the mean one, at least, where distances allow */
    AT_A_TIME = 4 /* blocks a thread, between two questions to the watch */
};

/* ---- Memory ---- */

static void layout(void *object, np_arena *arena)
{
    np_concurrent *s = object;
    size_t arcs = s->problem->arcs;
    np_arena_zeroed(arena, &s->lanes, s->threads, sizeof *s->lanes, "the lanes of threads");
    np_arena_zeroed(arena, &s->found, s->threads, sizeof *s->found, "the passes of threads");
    for (unsigned t = 0; t < s->threads; t++) {
        np_lanes counted = {0}, *lanes = s->lanes ? &s->lanes[t] : &counted;
        lanes->nodes = s->problem->nodes;
        lanes->arcs = s->problem->arcs;
        np_lanes_layout(lanes, arena);
    }
    np_arena_zeroed(arena, &s->y, arcs, sizeof *s->y, "the logarithms of lengths");
    np_arena_zeroed(arena, &s->speed, arcs, sizeof *s->speed, "the speeds of lengths");
    np_arena_array(arena, &s->length, arcs, sizeof *s->length, "the lengths");
    np_arena_array(arena, &s->other, arcs, sizeof *s->other, "other lengths");
    np_arena_array(arena, &s->best_length, arcs, sizeof *s->best_length, "the best lengths");
    np_arena_array(arena, &s->one.length, arcs, sizeof *s->one.length, "the lengths of the best flow");
    np_arena_zeroed(arena, &s->length_mean, arcs, sizeof *s->length_mean, "the mean lengths");
    np_arena_zeroed(arena, &s->load, arcs, sizeof *s->load, "the loads");
    np_arena_zeroed(arena, &s->mean_load, arcs, sizeof *s->mean_load, "the mean loads");
    np_arena_zeroed(arena, &s->best_load, arcs, sizeof *s->best_load, "the best loads");
}

np_status np_concurrent_init(np_concurrent *s, const np_problem *problem, const np_throughput_options *options)
{
    uint32_t blocks = (problem->targets + NP_LANES - 1) / NP_LANES;
    uint64_t work = (uint64_t)blocks * problem->arcs, worth = 1 + work / 20000; /* some 100 microseconds for a thread */
    *s = (np_concurrent){.problem = problem,
                         .options = options,
                         .high = INFINITY,
                         .enough = INFINITY,
                         .mark = INFINITY,
                         .rushing = true};
    s->keeps = options->certificate || options->paths_out;
    s->simplex = options->gap < NP_PATH_COLUMNS_NEAR && np_vertex_serves(problem);
    np_status st = np_threads_choose(options->threads, worth < blocks ? worth : blocks, &s->threads);
    if (st)
        return st;
    /* A load is at most all packets, and little more by rounding up: 2^61 units. */
    for (s->scale = 1; s->scale * (double)(problem->packets + 1) < 0x1p60; s->scale *= 2) {
    }
    return np_arena_place(s, layout, "the search for the throughput", &s->block);
}

void np_concurrent_clear(np_concurrent *s)
{
    for (size_t k = 0; k < s->kept_count; k++)
        np_memory_free(s->kept[k].length);
    np_memory_free(s->kept);
    np_path_columns_free(s->columns);
    np_memory_free(s->cut);
    np_memory_free(s->block);
}

void np_concurrent_begin(np_concurrent *s, const np_pass *first)
{
    s->most = (int32_t)(NP_LANES_LENGTHS / (first->reach + 1));
    s->mean = s->most / ROOM < MEAN_LENGTH ? s->most / ROOM : MEAN_LENGTH;
    s->mean = s->mean > 1 ? s->mean : 1;
}

/* ---- A pass ---- */

typedef struct pass {
    np_concurrent *search;
    const int32_t *length;
    int32_t theta;
    uint32_t block; /* the first one of those that are done now */
} pass;

static void add_distances(const np_problem *p, uint32_t first, const np_lanes *lanes, np_pass *found)
{
    for (uint32_t i = 0; i < np_lanes_count(p, first); i++)
        for (size_t d = p->first[first + i]; d < p->first[first + i + 1]; d++) {
            uint32_t distance = (uint32_t)lanes->distance[p->source[d]][i];
            found->distance += (uint64_t)distance * p->amount[d];
            found->far = distance > found->far ? distance : found->far;
        }
    for (np_node u = 0; u < p->nodes; u++)
        for (uint32_t i = 0; i < np_lanes_count(p, first); i++) {
            uint32_t distance = (uint32_t)lanes->distance[u][i];
            if (distance < NP_LANES_FAR && distance > found->reach)
                found->reach = distance;
        }
}

static void do_block(void *context, unsigned thread, uint32_t item)
{
    pass *x = context;
    np_concurrent *s = x->search;
    uint32_t first = (x->block + item) * NP_LANES;
    np_lanes_distances(s->problem, x->length, first, &s->lanes[thread]);
    add_distances(s->problem, first, &s->lanes[thread], &s->found[thread]);
    if (s->visit && !x->theta)
        s->visit(s->visitor, thread, first, &s->lanes[thread]);
    if (x->theta)
        np_lanes_split(s->problem, x->length, x->theta, s->scale, first, &s->lanes[thread]);
}

/* All blocks, some at a time, so that the watch is asked in between. */
static np_status do_blocks(pass *x)
{
    np_concurrent *s = x->search;
    uint32_t blocks = (s->problem->targets + NP_LANES - 1) / NP_LANES, some = AT_A_TIME * s->threads;
    np_status st = NP_OK;
    for (x->block = 0; x->block < blocks && !st; x->block += some) {
        uint32_t left = blocks - x->block;
        np_threads_each(s->threads, left < some ? left : some, do_block, x);
        st = np_watch_share(&s->options->watch, "the factor", s->share);
    }
    return st;
}

static void add_loads(np_concurrent *s)
{
    for (uint32_t a = 0; a < s->problem->arcs; a++) {
        int64_t load = 0;
        for (unsigned t = 0; t < s->threads; t++)
            load += s->lanes[t].load[a];
        s->load[a] = (double)load / s->scale / s->problem->width[a];
    }
}

np_status np_concurrent_pass(np_concurrent *s, const int32_t *length, int32_t theta, np_pass *all)
{
    pass x = {s, length, theta, 0};
    *all = (np_pass){0};
    for (unsigned t = 0; t < s->threads; t++) {
        s->found[t] = (np_pass){0};
        if (theta)
            memset(s->lanes[t].load, 0, s->problem->arcs * sizeof *s->lanes[t].load);
    }
    np_status st = do_blocks(&x);
    for (unsigned t = 0; t < s->threads; t++) {
        const np_pass *one = &s->found[t];
        all->distance += one->distance;
        all->far = one->far > all->far ? one->far : all->far;
        all->reach = one->reach > all->reach ? one->reach : all->reach;
    }
    if (theta)
        add_loads(s);
    return st;
}

/* ---- Lengths ---- */

void np_concurrent_scale(const np_concurrent *s, const double *value, int32_t *out)
{
    double sum = 0;
    uint32_t arcs = s->problem->arcs;
    for (uint32_t a = 0; a < arcs; a++)
        sum += value[a];
    for (uint32_t a = 0; a < arcs; a++) {
        double length = value[a] / sum * arcs * s->mean;
        out[a] = length < 1 ? 1 : length > s->most ? s->most : (int32_t)length;
    }
}

/* The lengths of this iteration, and their mean. `load` serves as room. */
static void find_lengths(np_concurrent *s, double weight)
{
    double most = s->y[0];
    uint32_t arcs = s->problem->arcs;
    for (uint32_t a = 0; a < arcs; a++)
        most = s->y[a] > most ? s->y[a] : most;
    for (uint32_t a = 0; a < arcs; a++)
        s->load[a] = np_exp(s->y[a] - most);
    np_concurrent_scale(s, s->load, s->length);
    for (uint32_t a = 0; a < arcs; a++)
        s->length_mean[a] += weight * (s->length[a] - s->length_mean[a]);
}

/* ---- Bounds ---- */

void np_concurrent_improve(np_concurrent *s, const int32_t *length, const np_pass *found)
{
    uint64_t top = 0;
    for (uint32_t a = 0; a < s->problem->arcs; a++)
        top += (uint64_t)s->problem->width[a] * (uint64_t)length[a];
    double high = found->distance ? np_exact_ratio(top, found->distance, true) : INFINITY;
    if (high >= s->high)
        return;
    s->high = high;
    s->high_top = top;
    s->high_bottom = found->distance;
    memcpy(s->best_length, length, s->problem->arcs * sizeof *length);
}

bool np_concurrent_improve_low(np_concurrent *s, const double *load, uint32_t from)
{
    double most = 0;
    for (uint32_t a = 0; a < s->problem->arcs; a++)
        most = load[a] > most ? load[a] : most;
    double low = DOWN / most;
    if (low <= s->low)
        return false;
    s->low = low;
    s->low_from = from;
    s->low_to = s->iteration;
    memcpy(s->best_load, load, s->problem->arcs * sizeof *load);
    return true;
}

/* Keeps the lengths, if their flow is to be written. */
static np_status keep(np_concurrent *s, int32_t theta)
{
    size_t count = s->kept_count;
    np_status st;
    if (!s->keeps)
        return NP_OK;
    if ((st = np_memory_room(&s->kept, count, &s->kept_room, sizeof *s->kept, "the flows of a certificate")))
        return st;
    s->kept[count] = (np_flow_lengths){.theta = (uint32_t)theta};
    if ((st = np_memory_array(&s->kept[count].length, s->problem->arcs, sizeof *s->length, "lengths of a flow")))
        return st;
    s->kept_count++;
    memcpy(s->kept[count].length, s->length, s->problem->arcs * sizeof *s->length);
    return NP_OK;
}

static void step(np_concurrent *s, double theta)
{
    double k = s->iteration, momentum = k / (k + 3);
    momentum = momentum < MOMENTUM ? momentum : MOMENTUM;
    for (uint32_t a = 0; a < s->problem->arcs; a++) {
        double over = s->load[a] * s->low - 1;
        over = over < 1 ? over : 1;
        if (s->rushing) {
            s->y[a] += RUSH * over;
        } else {
            s->speed[a] = momentum * s->speed[a] + STEP * theta * over;
            s->y[a] += s->speed[a];
        }
    }
}

static np_status iterate(np_concurrent *s)
{
    double weight = 3.0 / (s->iteration + 3), theta = THETA / (1 + SHRINK * s->iteration);
    int32_t whole = (int32_t)(theta * s->mean);
    np_pass found;
    np_status st;
    whole = whole > 1 ? whole : 1;
    find_lengths(s, weight);
    if ((st = keep(s, whole)))
        return st;
    if ((st = np_concurrent_pass(s, s->length, whole, &found)))
        return st;
    np_concurrent_improve(s, s->length, &found);
    for (uint32_t a = 0; a < s->problem->arcs; a++)
        s->mean_load[a] += weight * (s->load[a] - s->mean_load[a]);
    bool better = np_concurrent_improve_low(s, s->load, s->iteration);
    s->rushing &= better;
    if (better) {
        s->one.theta = (uint32_t)whole;
        memcpy(s->one.length, s->length, s->problem->arcs * sizeof *s->length);
    }
    np_concurrent_improve_low(s, s->mean_load, 0);
    if (s->iteration % 5 == 4) {
        np_concurrent_scale(s, s->length_mean, s->other);
        if ((st = np_concurrent_pass(s, s->other, 0, &found)))
            return st;
        np_concurrent_improve(s, s->other, &found);
    }
    step(s, theta);
    s->iteration++;
    return NP_OK;
}

/* How far the logarithm of the gap is on its way. */
static double share_done(const np_concurrent *s, double first)
{
    double gap = (s->high - s->low) / s->high, least = s->options->gap;
    return gap <= least || first <= gap ? 0 : np_log(first / gap) / np_log(first / least);
}

uint64_t np_concurrent_steps(const np_concurrent *s, uint32_t far)
{
    uint64_t steps = s->high_bottom / s->high_top + (s->high_bottom % s->high_top != 0);
    return steps > far ? steps : far;
}

/* Is the bound of steps the same, however close the two numbers come? A margin: `low` is rounded. */
static bool is_settled(const np_concurrent *s)
{
    return s->far && s->low > 0 && 1 / s->low <= (double)np_concurrent_steps(s, s->far) * (1 - 1e-9);
}

double np_concurrent_seconds_left(const np_concurrent *s)
{
    double limit = s->options->time_limit;
    return limit > 0 ? limit - (np_clock_seconds() - s->began) : INFINITY;
}

/* Ends the search, by what is proved and by the clock? */
static bool is_done(np_concurrent *s, double *first)
{
    double gap = (s->high - s->low) / s->high;
    *first = *first > 0 ? *first : gap;
    s->over |= np_concurrent_seconds_left(s) <= 0;
    s->share = share_done(s, *first);
    if (gap < SHRUNK * s->mark) {
        s->mark = gap;
        s->marked = s->iteration;
    }
    return gap <= s->options->gap || s->low >= s->enough * (1 - s->options->gap) || s->over || is_settled(s);
}

np_status np_concurrent_run(np_concurrent *s)
{
    double first = 0;
    np_status st;
    s->began = s->began > 0 ? s->began : np_clock_seconds();
    while (s->iteration < s->options->iterations) {
        if ((st = np_path_columns_wanted(s) ? np_path_columns_iterate(s) : iterate(s)))
            return st;
        if (is_done(s, &first))
            return NP_OK;
    }
    return NP_OK;
}
