/*
 * The points of a curve, on all threads.
 *
 * Without a list of loads: ten loads from `from` to `to`, evenly; then, while the bracket of saturation is wider than
 * the resolution, three loads within it at once, whatever the number of threads is. A point has the seed and the run
 * number 0: neighbours of a curve meet the same randomness, which makes it smooth.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/account.h"
#include "base/decimal.h"
#include "base/room.h"
#include "base/runs.h"
#include "base/threads.h"
#include "run/load/load.h"

enum { GRID = 10, WITHIN = 3 /* ours */, TRACE_CYCLES = 1000 };

typedef struct stage {
    const np_loading *l;
    const char *paths;
    np_load_point *point; /* [runs.of] */
    const double *load;
    np_load_links *links; /* of the last one; NULL: nobody asks */
    np_runs runs;
    unsigned threads; /* of a point */
    bool *done;       /* [runs.of] */
    uint32_t told;
    double from, to;
    pthread_mutex_t lock;
    atomic_bool cancelled;
} stage;

static np_status measure(stage *r, uint32_t i, bool watches)
{
    const np_loading *l = r->l;
    np_open_options open = l->open;
    np_arrivals *arrivals = NULL;
    bool windows = l->options->window != NULL;
    double each = (r->to - r->from) / r->runs.of, rate = windows ? 0 : r->load[i] / np_arrivals_length(l->arrivals);
    np_status st = np_arrivals_at(l->arrivals, rate, 0, &arrivals);
    if (st)
        return st;
    open.arrivals = arrivals;
    if (open.book && (st = np_open_book_begin(open.book, l->options->observer, &open, l->model == &np_open_flits,
                                              l->options->trace_cycles ? l->options->trace_cycles : TRACE_CYCLES))) {
        np_arrivals_free(arrivals);
        return st;
    }
    open.threads = r->threads;
    open.inner = l->model;
    open.window = windows ? (uint32_t)r->load[i] : 0;
    np_measuring how = {.model = windows ? &np_open_closed : l->model,
                        .open = &open,
                        .offered = windows ? NAN : r->load[i],
                        .precision = l->options->precision,
                        .cycles = l->options->cycles,
                        .unloaded = l->unloaded,
                        .links = i + 1 == r->runs.of ? r->links : NULL,
                        .watch = watches ? &l->options->watch : NULL,
                        .from = r->from + each * i,
                        .to = r->from + each * (i + 1),
                        .cancelled = &r->cancelled};
    st = np_arrivals_trace(arrivals) ? np_measure_trace(&how, &r->point[i]) : np_measure(&how, &r->point[i]);
    np_arrivals_free(arrivals);
    return st;
}

/* Tells of the points that are done, in their order. */
static void tell(stage *r, uint32_t i)
{
    const np_load_options *o = r->l->options;
    pthread_mutex_lock(&r->lock);
    r->done[i] = true;
    for (; r->told < r->runs.of && r->done[r->told]; r->told++)
        if (o->on_point)
            o->on_point(o->context, r->paths, &r->point[r->told]);
    pthread_mutex_unlock(&r->lock);
}

static void work(void *context, unsigned thread, uint32_t item)
{
    stage *r = context;
    uint32_t i;
    (void)item;
    while (np_runs_next(&r->runs, &i)) {
        np_status st = measure(r, i, thread == 0);
        if (!st)
            tell(r, i);
        np_runs_settle(&r->runs, i, st);
    }
}

/* Of a point with so many threads. window: the largest; 0: packets over time. */
static uint64_t bytes_of(const np_loading *l, uint32_t window, unsigned threads)
{
    np_open_options open = l->open;
    open.arrivals = l->arrivals;
    open.threads = threads;
    open.inner = l->model;
    open.window = window;
    return (window ? &np_open_closed : l->model)->bytes(&open);
}

/* Threads that points share, by their number and by memory, which must suffice for one point and one thread. */
static np_status share_threads(const np_loading *l, size_t points, uint32_t window, unsigned *at_once, unsigned *each)
{
    const char *advice = l->open.source_flits ? "a smaller network or fewer source-flits"
                         : window             ? "a smaller network or a smaller window"
                                              : "a smaller network";
    uint64_t bytes = bytes_of(l, window, 1), room = np_account_room();
    np_status st = np_account_allow(bytes, advice, "points of %.80s under load", np_network_spec(l->network));
    if (st)
        return st;
    uint64_t most = bytes ? room / bytes : 1;
    *at_once = points < l->threads ? (unsigned)points : l->threads;
    *at_once = *at_once < most ? *at_once : (unsigned)most;
    *each = *at_once > 1 || !np_account_has_room(bytes_of(l, window, l->threads)) ? 1 : l->threads;
    return NP_OK;
}

static int by_load(const void *a, const void *b)
{
    const np_load_point *x = a, *y = b;
    return x->window != y->window ? (x->window > y->window) - (x->window < y->window)
                                  : (x->offered > y->offered) - (x->offered < y->offered);
}

/* Measures these loads, and puts the points among the others. */
static np_status run_round(const np_loading *l, size_t loads, const double *load, double from, double to,
                           np_load_made *made)
{
    static const np_watch nobody;
    stage r = {.l = l,
               .paths = made->paths,
               .load = load,
               .links = made->links.flits && !made->curve.count ? &made->links : NULL,
               .runs = {.watch = &nobody, .of = (uint32_t)loads},
               .from = l->from + (l->to - l->from) * from,
               .to = l->from + (l->to - l->from) * to};
    unsigned at_once = 1;
    uint32_t window = l->options->window ? (uint32_t)load[loads - 1] : 0;
    np_status st = share_threads(l, loads, window, &at_once, &r.threads);
    if (st ||
        (st = np_memory_need(&made->points, made->curve.count, made->curve.count + loads, &made->room,
                             sizeof *made->points, "a curve")) ||
        (st = np_memory_zeroed(&r.done, loads, sizeof *r.done, "a curve")))
        return st;
    r.point = made->points + made->curve.count;
    pthread_mutex_init(&r.lock, NULL);
    if (at_once > 1)
        np_threads_each(at_once, at_once, work, &r);
    else
        work(&r, 0, 0);
    pthread_mutex_destroy(&r.lock);
    np_memory_free(r.done);
    made->curve.points = made->points;
    if ((st = np_runs_outcome(&r.runs)))
        return st;
    made->curve.count += loads;
    qsort(made->points, made->curve.count, sizeof *made->points, by_load);
    return NP_OK;
}

static void find_bracket(np_load_curve *c)
{
    c->saturation = (np_load_saturation){NAN, NAN, NAN};
    for (size_t i = 0; i < c->count && isnan(c->saturation.high); i++)
        *(c->points[i].saturated ? &c->saturation.high : &c->saturation.low) = c->points[i].offered;
    c->saturation.load = (c->saturation.low + c->saturation.high) / 2;
}

/* Six decimals: people type them. */
static double rounded(double load) { return floor(load * 1e6 + 0.5) / 1e6; }

/* From `from` to `to`, ascending, each once: fewer than GRID where these are close to each other. */
static size_t make_grid(double from, double to, double *grid)
{
    size_t count = 0;
    grid[count++] = from;
    for (int i = 1; i < GRID - 1; i++) {
        double load = rounded(from + (to - from) * i / (GRID - 1));
        if (load > grid[count - 1] && load < to)
            grid[count++] = load;
    }
    if (to > from)
        grid[count++] = to;
    return count;
}

/* Can terminals send so much? */
static np_status check_load(const np_loading *l, double load)
{
    np_arrivals *arrivals;
    np_status st = np_arrivals_at(l->arrivals, load / np_arrivals_length(l->arrivals), 0, &arrivals);
    np_arrivals_free(arrivals);
    return st;
}

/* A network that has not filled cannot be told from one that fills without end. */
static np_status check_cycles(const np_loading *l)
{
    if (4 * l->unloaded <= (double)l->options->cycles)
        return NP_OK;
    return NP_RAISE(
        NP_ERROR_INPUT, "cycles is %llu, and a packet that meets nobody takes %s: measure for %llu cycles or more",
        (unsigned long long)l->options->cycles, NP_REAL(l->unloaded, 5), (unsigned long long)ceil(16 * l->unloaded));
}

np_status np_load_measure(const np_loading *l, size_t loads, const double *load, np_load_made *made)
{
    const np_load_options *o = l->options;
    np_load_saturation *s = &made->curve.saturation;
    double grid[GRID], within[WITHIN];
    s->load = s->low = s->high = NAN;
    if (o->window)
        return run_round(l, loads, load, 0, 1, made);
    if (np_arrivals_trace(l->arrivals))
        return run_round(l, 1, &(double){0}, 0, 1, made);
    np_status checked = check_load(l, loads ? load[loads - 1] : o->to);
    if (checked || (checked = check_cycles(l)))
        return checked;
    if (loads) {
        np_status st = run_round(l, loads, load, 0, 1, made);
        find_bracket(&made->curve);
        return st;
    }
    size_t count = make_grid(o->from, o->to, grid);
    np_status st = run_round(l, count, grid, 0, 0.6, made);
    find_bracket(&made->curve);
    for (double done = 0.6; !st && s->high - s->low > o->resolution; done = (1 + done) / 2) {
        for (int i = 0; i < WITHIN; i++)
            within[i] = rounded(s->low + (s->high - s->low) * (i + 1) / (WITHIN + 1));
        st = run_round(l, WITHIN, within, done, (1 + done) / 2, made);
        find_bracket(&made->curve);
    }
    return st;
}
