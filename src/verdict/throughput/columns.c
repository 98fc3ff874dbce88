/*
 * See columns.h. An iteration is STEPS steps of the master, and then
 *
 *     low = max(low, 1 / max load of the means and of the last weights)
 *     for the mean prices and the last ones in turn as lengths: distances, high = min(high, ...), and for each demand
 *     whose shortest path is shorter than all it has, a random shortest path joins its paths; where they are few,
 *     also one whose every hop is by 2^-SLACK of what is left longer at most
 *     paths that are 1% too long and carry nothing leave
 *
 * When the mean is so much better than where it began that the gap has shrunk to RESTART of what it was, both sides
 * begin anew at their means. All of it is in doubles in a fixed order; only the distances are found by several threads.
 */
#include "verdict/throughput/columns.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/room.h"
#include "verdict/throughput/master.h"
#include "verdict/throughput/vertex.h"

#define RESTART 0.7
#define LONGER 1.01     /* a path this much longer than the shortest one may leave */
#define LEAST_MEAN 1e-4 /* if it carries no more on average */

enum {
    WALKS = 8,     /* paths of a demand to begin with */
    PATHS = 12,    /* of a demand: more get one new path at a time */
    SLACK = 7,     /* binary logarithm: of the second new path */
    STEPS = 10,    /* of the master, an iteration */
    FEW = 32,      /* demands a target, on average: more are dense */
    SMALL = 20000, /* targets x arcs that the search by lengths does in no time */
    STALLED = 50,  /* iterations of the search by lengths that bring nothing */
    MANY = 250000, /* demands: more take too long, and too much memory */
    LONG = 300,    /* iterations, after which linear programs are tried */
    BEFORE = 4     /* iterations of the search by lengths: symmetric networks need no more */
};

/* A path that a thread has found for a demand. */
typedef struct candidate {
    size_t place; /* in the arcs of the thread */
    uint32_t hops;
    unsigned thread;
} candidate;

/* What a thread has found. */
typedef struct finds {
    uint32_t *arc;
    size_t arcs, room;
    np_status status;
    char message[256];
} finds;

struct np_path_columns {
    np_concurrent *search;
    np_path_pool pool, other;
    np_master master;
    np_vertex *vertex;    /* of a search by linear programs; else NULL */
    double *length;       /* [arcs] as real numbers */
    candidate *candidate; /* [WALKS * demands] */
    uint64_t *shortest;   /* [demands] of the paths that it has; UINT64_MAX: none */
    finds *finds;         /* [threads] */
    uint32_t round, walks;
    double gap; /* of the means, when both sides began anew */
};

/* ---- Paths ---- */

/* Does the arc lead nearer, in a lane, by a way that is longer by `slack` at most? */
static bool leads(const np_problem *p, const int32_t *length, const np_lanes *lanes, uint32_t lane, uint32_t a,
                  int32_t slack)
{
    int32_t here = lanes->distance[p->tail[a]][lane], next = lanes->distance[p->head[a]][lane];
    return next < here && length[a] + next - here <= slack;
}

/* The arc by which a random path goes on from u. */
static uint32_t go_on(const np_problem *p, const int32_t *length, const np_lanes *lanes, uint32_t lane, np_node u,
                      int32_t slack, const np_draws *draws, size_t demand, uint32_t draw)
{
    uint32_t ties = 0, a = p->row[u];
    for (uint32_t b = a; b < p->row[u + 1]; b++)
        ties += leads(p, length, lanes, lane, b, slack);
    uint32_t rank = ties > 1 ? np_draw_below(draws, (uint32_t)demand, draw, ties) : 0;
    while (!leads(p, length, lanes, lane, a, slack) || rank--)
        a++;
    return a;
}

static np_status walk(np_path_columns *c, finds *f, const np_lanes *lanes, uint32_t lane, np_node target, size_t demand,
                      uint32_t number)
{
    const np_problem *p = c->search->problem;
    const np_draws draws = {c->search->options->seed, c->round, 0, NP_RANDOM_COLUMN};
    candidate *found = &c->candidate[demand * WALKS + number];
    found->place = f->arcs;
    for (np_node u = p->source[demand]; u != target;) {
        np_status st = np_memory_room(&f->arc, f->arcs, &f->room, sizeof *f->arc, "paths");
        if (st)
            return st;
        uint32_t draw = number << 28 ^ found->hops++;
        int32_t slack = c->walks < WALKS && number ? lanes->distance[u][lane] >> SLACK : 0;
        uint32_t a = go_on(p, c->search->other, lanes, lane, u, slack, &draws, demand, draw);
        f->arc[f->arcs++] = a;
        u = p->head[a];
    }
    return NP_OK;
}

/* Looks for paths to a block of targets. */
static void visit(void *visitor, unsigned thread, uint32_t first, const np_lanes *lanes)
{
    np_path_columns *c = visitor;
    const np_problem *p = c->search->problem;
    finds *f = &c->finds[thread];
    for (uint32_t i = 0; i < np_lanes_count(p, first); i++)
        for (size_t d = p->first[first + i]; d < p->first[first + i + 1] && !f->status; d++) {
            for (uint32_t w = 0; w < WALKS; w++)
                c->candidate[d * WALKS + w] = (candidate){.thread = thread};
            if ((uint64_t)lanes->distance[p->source[d]][i] >= c->shortest[d])
                continue;
            for (uint32_t w = 0; w < c->walks && !f->status; w++)
                if ((f->status = walk(c, f, lanes, i, p->target[first + i], d, w)))
                    snprintf(f->message, sizeof f->message, "%s", np_last_error());
        }
}

/* The lengths, in whole numbers, of the shortest paths that demands have; a little less, so that others gain by it. */
static void find_shortest(np_path_columns *c, const int32_t *length)
{
    const np_path_pool *pool = &c->pool;
    for (size_t d = 0; d < c->search->problem->demands; d++) {
        uint64_t least = UINT64_MAX;
        for (size_t k = pool->first[d]; k < pool->first[d + 1]; k++) {
            uint64_t sum = 0;
            for (uint32_t i = 0; i < pool->column[k].hops; i++)
                sum += (uint64_t)length[pool->arc[pool->column[k].place + i]];
            least = sum < least ? sum : least;
        }
        c->shortest[d] = least == UINT64_MAX || c->vertex ? least : least - least / 500;
    }
}

/* Those of a demand's paths that stay. What those that leave had on average goes to the largest. */
static np_status keep_paths(np_path_columns *c, size_t d)
{
    np_path_pool *pool = &c->pool, *to = &c->other;
    double least = INFINITY, lost = 0;
    size_t largest = to->columns;
    np_status st;
    for (size_t k = pool->first[d]; k < pool->first[d + 1]; k++) {
        double length = np_path_pool_length(pool, &pool->column[k], c->length);
        least = length < least ? length : least;
    }
    for (size_t k = pool->first[d]; k < pool->first[d + 1]; k++) {
        const np_path_column *column = &pool->column[k];
        if (!c->vertex && !(column->x > 0) && column->mean < LEAST_MEAN && !(column->best > 0) &&
            np_path_pool_length(pool, column, c->length) > LONGER * least) {
            lost += column->mean;
            continue;
        }
        if ((st = np_path_pool_add(to, column, &pool->arc[column->place])))
            return st;
        if (column->mean > to->column[largest].mean)
            largest = to->columns - 1;
    }
    if (lost > 0)
        to->column[largest].mean += lost;
    return NP_OK;
}

static np_status join_paths(np_path_columns *c, size_t d)
{
    np_path_pool *to = &c->other;
    np_status st = NP_OK;
    for (uint32_t w = 0; w < c->walks && !st; w++) {
        if (w && c->walks < WALKS && to->columns - to->first[d] >= PATHS)
            return NP_OK;
        const candidate *found = &c->candidate[d * WALKS + w];
        const uint32_t *arc = &c->finds[found->thread].arc[found->place];
        np_path_column column = {.hops = found->hops};
        if (!found->hops)
            continue;
        column.hash = np_path_pool_hash(arc, found->hops);
        bool known = false;
        for (size_t k = to->first[d]; k < to->columns; k++)
            known |= to->column[k].hash == column.hash;
        if (!known)
            st = np_path_pool_add(to, &column, arc);
    }
    return st;
}

static np_status renew_pool(np_path_columns *c)
{
    size_t demands = c->search->problem->demands;
    np_status st = NP_OK;
    c->other.columns = c->other.arcs = 0;
    for (size_t d = 0; d < demands && !st; d++) {
        c->other.first[d] = c->other.columns;
        if (!(st = keep_paths(c, d)))
            st = join_paths(c, d);
    }
    c->other.first[demands] = c->other.columns;
    np_path_pool old = c->pool;
    c->pool = c->other;
    c->other = old;
    return st;
}

/* Distances at the lengths in search->other; new paths; old ones, by c->length, leave. */
static np_status look(np_path_columns *c)
{
    np_concurrent *s = c->search;
    np_pass found;
    find_shortest(c, s->other);
    for (unsigned t = 0; t < s->threads; t++)
        c->finds[t].arcs = 0;
    s->visit = visit;
    s->visitor = c;
    np_status st = np_concurrent_pass(s, s->other, 0, &found);
    s->visit = NULL;
    for (unsigned t = 0; t < s->threads && !st; t++)
        if (c->finds[t].status)
            st = NP_RAISE(c->finds[t].status, "%s", c->finds[t].message);
    c->round++;
    if (st)
        return st;
    np_concurrent_improve(s, s->other, &found);
    return renew_pool(c);
}

/* Prices, times widths, are lengths. */
static np_status look_by(np_path_columns *c, const double *price)
{
    const np_problem *p = c->search->problem;
    for (uint32_t a = 0; a < p->arcs; a++)
        c->length[a] = price[a] / p->width[a];
    np_concurrent_scale(c->search, c->length, c->search->other);
    return look(c);
}

/* ---- Life ---- */

static np_status begin_paths(np_path_columns *c)
{
    np_concurrent *s = c->search;
    for (uint32_t a = 0; a < s->problem->arcs; a++) {
        s->other[a] = 1;
        c->length[a] = 1;
    }
    c->walks = WALKS;
    np_status st = look(c);
    c->walks = 2;
    for (size_t d = 0; d < s->problem->demands && !st; d++) {
        size_t first = c->pool.first[d], end = c->pool.first[d + 1];
        for (size_t k = first; k < end; k++)
            c->pool.column[k].x = c->pool.column[k].mean = 1.0 / (double)(end - first);
    }
    if (!st)
        np_master_load(&c->master, &c->pool);
    return st;
}

static np_status create(np_concurrent *s)
{
    np_path_columns *c;
    size_t demands = s->problem->demands;
    np_status st = np_memory_zeroed(&c, 1, sizeof *c, "paths");
    if (st)
        return st;
    s->columns = c;
    c->search = s;
    c->gap = 1;
    if ((st = np_path_pool_init(&c->pool, s->problem)) || (st = np_path_pool_init(&c->other, s->problem)) ||
        (st = np_master_init(&c->master, s->problem)) ||
        (st = np_memory_array(&c->length, s->problem->arcs, sizeof *c->length, "the lengths of arcs")) ||
        (st = np_memory_zeroed(&c->candidate, WALKS * demands, sizeof *c->candidate, "new paths")) ||
        (st = np_memory_array(&c->shortest, demands, sizeof *c->shortest, "the lengths of paths")) ||
        (st = np_memory_zeroed(&c->finds, s->threads, sizeof *c->finds, "new paths")))
        return st;
    return begin_paths(c);
}

void np_path_columns_free(np_path_columns *c)
{
    if (!c)
        return;
    for (unsigned t = 0; c->finds && t < c->search->threads; t++)
        np_memory_free(c->finds[t].arc);
    NP_MEMORY_FREE(c->finds, c->candidate, c->shortest, c->length);
    np_vertex_free(c->vertex);
    np_master_clear(&c->master);
    np_path_pool_clear(&c->pool);
    np_path_pool_clear(&c->other);
    np_memory_free(c);
}

/* ---- The search ---- */

/* Linear programs end what has come near, and what comes near too slowly. */
static bool turns_to_simplex(const np_concurrent *s)
{
    return s->simplex && s->iteration >= BEFORE &&
           (s->low >= s->high * (1 - NP_PATH_COLUMNS_NEAR) || s->iteration >= LONG);
}

bool np_path_columns_wanted(const np_concurrent *s)
{
    const np_problem *p = s->problem;
    bool few = p->demands <= (size_t)FEW * p->targets && (uint64_t)p->targets * p->arcs >= SMALL;
    bool stalled = s->columns || (!s->far && s->iteration - s->marked >= STALLED && p->demands <= MANY);
    if (turns_to_simplex(s))
        return true;
    return s->iteration >= BEFORE && (few || stalled);
}

/* The flow of these weights may be the best. */
static void offer(np_path_columns *c, const double *load, bool mean)
{
    if (!np_concurrent_improve_low(c->search, load, c->search->iteration))
        return;
    c->search->by_columns = true;
    for (size_t k = 0; k < c->pool.columns; k++)
        c->pool.column[k].best = mean ? c->pool.column[k].mean : c->pool.column[k].x;
}

static double most_of(const np_path_columns *c, const double *load)
{
    double most = 0;
    for (uint32_t a = 0; a < c->search->problem->arcs; a++)
        most = load[a] > most ? load[a] : most;
    return most;
}

static void consider_restart(np_path_columns *c, double most)
{
    double gap = 1 - 1 / most / c->search->high;
    if (gap >= RESTART * c->gap)
        return;
    c->gap = gap;
    np_master_restart(&c->master, &c->pool);
}

/* An iteration by linear programs: lengths as exact as can be, because distances must fit. */
static np_status iterate_vertex(np_path_columns *c)
{
    np_concurrent *s = c->search;
    size_t before = c->pool.columns;
    double most = 0;
    s->over |= !np_vertex_find(c->vertex, &c->pool, np_concurrent_seconds_left(s), c->master.price);
    if (s->over)
        return NP_OK;
    np_master_load(&c->master, &c->pool);
    offer(c, c->master.load, false);
    for (uint32_t a = 0; a < s->problem->arcs; a++)
        most = c->master.price[a] > most ? c->master.price[a] : most;
    for (uint32_t a = 0; a < s->problem->arcs; a++) {
        s->other[a] = (int32_t)(c->master.price[a] / most * s->most);
        s->other[a] += !s->other[a];
    }
    np_status st = look(c);
    s->over |= c->pool.columns == before; /* no path is shorter: this is the optimum */
    s->iteration++;
    return st;
}

np_status np_path_columns_iterate(np_concurrent *s)
{
    np_status st = s->columns ? NP_OK : create(s);
    np_path_columns *c = s->columns;
    if (!st && !c->vertex && turns_to_simplex(s))
        st = np_vertex_create(s->problem, &c->vertex);
    if (!st && c->vertex)
        return iterate_vertex(c);
    for (int i = 0; i < STEPS && !st; i++)
        st = np_master_step(&c->master, &c->pool);
    if (st)
        return st;
    double most = most_of(c, c->master.load_mean);
    offer(c, c->master.load_mean, true);
    offer(c, c->master.load, false);
    if ((st = look_by(c, s->iteration % 2 ? c->master.price : c->master.price_mean)))
        return st;
    np_master_load(&c->master, &c->pool);
    consider_restart(c, most);
    s->iteration++;
    return NP_OK;
}

/* ---- The certificate ---- */

enum { FINE_BITS = 29 }; /* of weights, where a gap of 1e-6 is asked for */

/* Weights of a demand, rounded down; the rest to the largest. */
static void write_weights(const np_path_pool *pool, size_t first, size_t end, uint32_t units, uint32_t *weight)
{
    uint32_t left = units;
    size_t largest = first;
    for (size_t k = first; k < end; k++) {
        weight[k - first] = (uint32_t)(pool->column[k].best * units);
        weight[k - first] = weight[k - first] < left ? weight[k - first] : left;
        left -= weight[k - first];
        largest = pool->column[k].best > pool->column[largest].best ? k : largest;
    }
    weight[largest - first] += left;
}

np_status np_path_columns_write(const np_concurrent *s, np_certificate *out)
{
    const np_path_columns *c = s->columns;
    const np_path_pool *pool = &c->pool;
    np_status st;
    if ((st = np_memory_array(&out->ways_of, s->problem->demands, sizeof *out->ways_of, "paths of a certificate")) ||
        (st = np_memory_array(&out->way_weight, pool->columns, sizeof *out->way_weight, "paths of a certificate")) ||
        (st = np_memory_array(&out->way_hops, pool->columns, sizeof *out->way_hops, "paths of a certificate")) ||
        (st = np_memory_array(&out->way_arc, pool->arcs, sizeof *out->way_arc, "paths of a certificate")))
        return st;
    size_t arcs = 0, ways = 0;
    out->way_bits = c->vertex ? FINE_BITS : NP_CLAIM_UNITS;
    for (size_t d = 0; d < s->problem->demands; d++) {
        size_t first = pool->first[d], end = pool->first[d + 1], kept = ways;
        write_weights(pool, first, end, UINT32_C(1) << out->way_bits, &out->way_weight[ways]);
        for (size_t k = first, from = ways; k < end; k++) { /* weights move up over those that are 0 */
            const np_path_column *column = &pool->column[k];
            uint32_t weight = out->way_weight[from + (k - first)];
            if (!weight)
                continue;
            out->way_weight[ways] = weight;
            out->way_hops[ways++] = column->hops;
            memcpy(&out->way_arc[arcs], &pool->arc[column->place], column->hops * sizeof *out->way_arc);
            arcs += column->hops;
        }
        out->ways_of[d] = (uint32_t)(ways - kept);
    }
    out->ways = ways;
    out->way_arcs = arcs;
    return NP_OK;
}
