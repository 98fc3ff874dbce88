/* See measure.h. */
#include "run/load/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/watch.h"
#include "engine/open/observed.h"

enum {
    FIRST = 1000,       /* cycles of the first warm-up, at least: ours */
    FILLS = 8,          /* packets' ways that it takes, too: on a line the longest way is three times the mean */
    AT_ONCE = 100,      /* cycles between two looks of the watch */
    SLICE = 10,         /* cycles between two looks at first: ours */
    SLICES_MOST = 4096, /* then two become one */
    BATCHES = 32,       /* and half as many more */
    BEFORE = 2          /* windows whose intervals count, too; ours */
};
#define GROWS 0.005     /* what waits, from quarter to quarter, as a share of what is created: ours, as the next two */
#define REFUSES 0.02    /* of what is offered, above which a point is saturated */
#define GROWS_FAST 0.05 /* so much is believed after three windows */
#define CHANCE 4        /* standard deviations of what is created */
#define LONG 2          /* mean latencies that a batch takes: ours. Shorter ones are alike beyond their neighbours */
#define PERSISTS 0.6    /* of the growth in the window before */
#define STEADY 0.75     /* of that in the stretch before, which is half as long; of a link that is just full: 0.71 */

/* A stretch of time. */
typedef struct slice {
    uint64_t created, refused;              /* flits, in it */
    uint64_t delivered, packets, sum, hops; /* flits of them that have arrived, packets, latencies, links */
    uint64_t waiting, ejected;              /* flits at its end */
} slice;

typedef struct series {
    int64_t begin;
    uint64_t width;
    size_t count, complete, room; /* slices; those all of whose packets have arrived */
    slice *slice;
    uint64_t created, refused; /* flits, until the end of the last slice */
} series;

typedef struct point {
    const np_measuring *how;
    void *model;
    np_open_counts counts;
    series series;
    enum { WARM_UP, WINDOW, SATURATED } mode;
    int64_t end;                 /* of the window: packets created from here on are in `later` */
    np_histogram latency;        /* of packets created in the window */
    np_histogram later, arrived; /* of those behind it; of those that arrived since it began */
    uint64_t arrived_sum, arrived_hops;
    uint64_t *before, *after; /* [terminals] accepted() at the begin and the end of the window */
    uint64_t *links_before;   /* [link numbers] links() at its begin; NULL: nobody asks */
    double growth;            /* of the window before */
    double spread[BEFORE];    /* of the last windows: see widest() */
    bool reached;             /* the precision, in the window before */
    unsigned grown;           /* windows that grew one after the other, until that one */
    unsigned steady;          /* stretches of the warm-up that grew so one after the other */
    double told;              /* to the watch: share of the point */
    np_status status;         /* of deliver() */
    char message[256];        /* of that failure; the model raises another one */
} point;

/* ---- What the model tells ---- */

static np_status take(point *p, const np_delivery *d)
{
    uint64_t latency = (uint64_t)(d->arrived - d->created);
    series *s = &p->series;
    np_status st = NP_OK;
    if (p->mode == SATURATED) {
        p->arrived_sum += latency;
        p->arrived_hops += d->hops;
        st = np_histogram_add(&p->arrived, latency, 1);
    }
    if (st || d->created < s->begin)
        return st;
    size_t i = (uint64_t)(d->created - s->begin) / s->width;
    if (i >= s->room && (st = np_memory_reach(&s->slice, i, &s->room, sizeof *s->slice, "a window")))
        return st;
    s->slice[i].delivered += d->flits;
    s->slice[i].packets++;
    s->slice[i].sum += latency;
    s->slice[i].hops += d->hops;
    return p->mode != WINDOW ? NP_OK : np_histogram_add(d->created < p->end ? &p->latency : &p->later, latency, 1);
}

static int deliver(void *context, size_t count, const np_delivery *d)
{
    point *p = context;
    for (size_t i = 0; i < count && !p->status; i++)
        p->status = take(p, &d[i]);
    if (p->status)
        snprintf(p->message, sizeof p->message, "%s", np_last_error());
    return p->status != NP_OK;
}

/* ---- Time ---- */

np_status np_measure_tell(const np_measuring *how, double done)
{
    double share = how->from + (how->to - how->from) * done;
    if (how->watch && np_watch_tell(how->watch, (np_progress){.stage = "load", .share = share}) && how->cancelled)
        atomic_store(how->cancelled, true);
    return how->cancelled && atomic_load(how->cancelled) ? NP_RAISE(NP_ERROR_CANCELLED, "cancelled under load") : NP_OK;
}

/* Windows grow: what is done of one is told only if it is more than was told before. */
static np_status look(point *p, double done)
{
    p->told = done > p->told ? done : p->told;
    return np_measure_tell(p->how, p->told);
}

/* Notes what has been accepted, and carried, at the begin or the end of the window. */
static void note(point *p, bool end)
{
    np_load_links *links = p->how->links;
    p->how->model->accepted(p->model, end ? p->after : p->before);
    if (!links)
        return;
    p->how->model->links(p->model, end ? links->flits : p->links_before);
    *(end ? &links->end : &links->begin) = p->counts.now;
}

static void join_slices(series *s)
{
    for (size_t i = 0; i < s->room; i++) {
        slice two = s->slice[i], *one = &s->slice[i / 2];
        if (i % 2 == 0) {
            *one = two;
            continue;
        }
        one->created += two.created;
        one->refused += two.refused;
        one->delivered += two.delivered;
        one->packets += two.packets;
        one->sum += two.sum;
        one->hops += two.hops;
        one->waiting = two.waiting;
        one->ejected = two.ejected;
    }
    memset(&s->slice[(s->room + 1) / 2], 0, s->room / 2 * sizeof *s->slice);
    s->width *= 2;
    s->count /= 2;
    s->complete /= 2;
}

static void begin_series(point *p, uint64_t width)
{
    series *s = &p->series;
    if (s->room)
        memset(s->slice, 0, s->room * sizeof *s->slice);
    s->begin = p->counts.now;
    s->width = width;
    s->count = s->complete = 0;
    s->created = p->counts.created;
    s->refused = p->counts.refused;
}

/* One slice more. done: share of the point, for the watch. */
static np_status advance(point *p, double done)
{
    series *s = &p->series;
    int64_t end = p->counts.now + (int64_t)s->width;
    np_status st = np_memory_reach(&s->slice, s->count, &s->room, sizeof *s->slice, "a window");
    for (int64_t t = p->counts.now; t < end && !st && !p->status; t += AT_ONCE)
        if (!(st = look(p, done)))
            st = p->how->model->advance(p->model, t + AT_ONCE < end ? t + AT_ONCE : end);
    if (p->status || st)
        return p->status ? NP_RAISE(p->status, "%s", p->message) : st;
    p->how->model->counts(p->model, &p->counts);
    slice *last = &s->slice[s->count++];
    last->created = p->counts.created - s->created;
    last->refused = p->counts.refused - s->refused;
    last->waiting = p->counts.waiting;
    last->ejected = p->counts.ejected;
    s->created = p->counts.created;
    s->refused = p->counts.refused;
    while (s->complete < s->count && s->slice[s->complete].delivered >= s->slice[s->complete].created)
        s->complete++;
    return NP_OK;
}

/* ---- Judging ---- */

static uint64_t created_in(const series *s, size_t from, size_t to)
{
    uint64_t sum = 0;
    for (size_t i = from; i < to; i++)
        sum += s->slice[i].created;
    return sum;
}

static uint64_t refused_in(const series *s, size_t from, size_t to)
{
    uint64_t sum = 0;
    for (size_t i = from; i < to; i++)
        sum += s->slice[i].refused;
    return sum;
}

/* More than REFUSES of what is offered is refused, and by more than chance: where room is bounded, nothing else grows.
 */
static bool refuses(const point *p, size_t slices)
{
    double refused = (double)refused_in(&p->series, 0, slices),
           offered = refused + (double)created_in(&p->series, 0, slices);
    return refused - REFUSES * offered > CHANCE * sqrt(refused * np_arrivals_length(p->how->open->arrivals));
}

static double waiting_in(const series *s, size_t from, size_t to)
{
    uint64_t sum = 0;
    for (size_t i = from; i < to; i++)
        sum += s->slice[i].waiting;
    return (double)sum / (double)(to - from);
}

/*
 * How fast what waits grows, as a share of what is created: from the first quarter of the slices from..to to the last
 * one; 0 if it does not grow from quarter to quarter, or by no more than a sum of as many random packets may.
 */
static double growth_in(const point *p, size_t from, size_t to)
{
    const series *s = &p->series;
    size_t quarter = (to - from) / 4;
    double mean[4], created = (double)created_in(s, from, to);
    for (size_t i = 0; i < 4; i++)
        mean[i] = waiting_in(s, from + i * quarter, from + (i + 1) * quarter);
    double chance = CHANCE * sqrt(created * np_arrivals_length(p->how->open->arrivals)),
           by = (mean[3] - mean[0]) / 0.75;
    return mean[0] < mean[1] && mean[1] < mean[2] && mean[2] < mean[3] && by > chance ? by / created : 0;
}

/* Is it saturated, by this window and those before? */
static bool judge_growth(point *p, double growth)
{
    bool again = growth > GROWS && growth >= PERSISTS * p->growth;
    p->grown = again ? p->grown + 1 : growth > GROWS;
    p->growth = growth;
    return p->grown >= (growth > GROWS_FAST ? 3 : 5) || p->counts.stuck;
}

/*
 * The same in the warm-up, whose stretches do not overlap: each is as long as all before it. So three that grow at one
 * pace tell as much as five windows.
 */
static bool judge_stretch(point *p, double growth)
{
    bool again = growth > GROWS && growth >= STEADY * p->growth;
    p->steady = again ? p->steady + 1 : growth > GROWS;
    return judge_growth(p, growth) || p->steady >= 3;
}

/* ---- Warm-up ---- */

static np_status has_settled(const series *s, bool *settled)
{
    double *value;
    size_t count = s->complete;
    np_status st = np_memory_array(&value, 2 * count + 1, sizeof *value, "a warm-up");
    if (st)
        return st;
    double before = 0;
    for (size_t i = 0; i < count; i++) {
        if (s->slice[i].packets)
            before = (double)s->slice[i].sum / (double)s->slice[i].packets;
        value[i] = before;
        value[count + i] = (double)s->slice[i].waiting;
    }
    *settled = 2 * count >= s->count && np_mser(count, value) < count && np_mser(count, value + count) < count;
    np_memory_free(value);
    return NP_OK;
}

static np_status warm_up(point *p, bool *saturated)
{
    bool settled = false;
    np_status st = NP_OK;
    uint64_t most = p->how->cycles / 2 / SLICE * SLICE;
    uint64_t fills = (uint64_t)(FILLS * p->how->unloaded) / SLICE * SLICE, first = fills > FIRST ? fills : FIRST;
    begin_series(p, SLICE);
    for (uint64_t length = first < most ? first : most; !st && !settled && !*saturated; length *= 2) {
        while (!st && p->counts.now < (int64_t)length && !p->counts.stuck) {
            if (p->series.count == SLICES_MOST)
                join_slices(&p->series);
            st = advance(p, 0);
        }
        if (st || (st = has_settled(&p->series, &settled)))
            return st;
        settled |= 2 * length > most; /* the window tells */
        /* the packets that are on their way grow, too, while the network fills */
        *saturated = judge_stretch(p, growth_in(p, p->series.count / 2, p->series.count));
    }
    return st;
}

/* ---- The window ---- */

double np_measure_fairness(const np_measuring *how, const uint64_t *before, const uint64_t *after)
{
    const np_arrivals *arrivals = how->open->arrivals;
    double worst = INFINITY, all = 0;
    for (np_node t = 0; t < np_network_terminals(how->open->network); t++) {
        double share = np_arrivals_share(arrivals, t), got = (double)(after[t] - before[t]);
        all += got;
        if (share > 0 && got / share < worst)
            worst = got / share;
    }
    return all > 0 ? worst * np_arrivals_shares(arrivals) / all : 0;
}

static void tell(const point *p, size_t slices, uint64_t ejected_before, uint64_t ejected, np_load_point *out)
{
    const np_measuring *how = p->how;
    double shares = np_arrivals_shares(how->open->arrivals);
    out->warmup = (uint64_t)p->series.begin;
    out->measured = slices * p->series.width;
    out->accepted = (double)(ejected - ejected_before) / ((double)out->measured * shares);
    if (how->open->source_flits)
        out->refused = (double)refused_in(&p->series, 0, slices) / ((double)out->measured * shares);
    np_measure_stuck(how, p->model, &p->counts, out);
    out->fairness = np_measure_fairness(how, p->before, p->after);
}

void np_measure_stuck(const np_measuring *how, void *model, const np_open_counts *counts, np_load_point *out)
{
    np_waiting wait[NP_WAITING_SHOWN];
    size_t length = counts->stuck ? how->model->waits(model, NP_WAITING_SHOWN, wait) : 0;
    out->stuck = counts->stuck;
    np_waiting_write(how->open->network, length, wait, "channel", sizeof out->waits, out->waits);
}

void np_measure_latency(const np_histogram *h, uint64_t sum, uint64_t hops, np_load_point *out)
{
    double packets = (double)h->values;
    out->packets = h->values;
    out->latency = (np_load_latency){.mean = h->values ? (double)sum / packets : NAN,
                                     .ci95 = NAN,
                                     .p50 = np_histogram_quantile(h, 50, 100),
                                     .p99 = np_histogram_quantile(h, 99, 100),
                                     .p999 = np_histogram_quantile(h, 999, 1000),
                                     .max = h->max};
    out->hops = h->values ? (double)hops / packets : NAN;
}

/* As long as all before it, but no longer than a window may be. */
static np_status measure_saturated(point *p, np_load_point *out)
{
    uint64_t ejected = p->counts.ejected, width = ((uint64_t)p->counts.now + BATCHES - 1) / BATCHES;
    np_status st = NP_OK;
    begin_series(p, BATCHES * width > p->how->cycles ? p->how->cycles / BATCHES : width);
    p->mode = SATURATED;
    note(p, false);
    do
        st = advance(p, (double)p->series.count / BATCHES);
    while (!st && p->series.count < BATCHES && !p->counts.stuck);
    if (st)
        return st;
    note(p, true);
    out->saturated = !p->how->open->window; /* what is on its way in a closed loop does not grow: cycles are few */
    tell(p, p->series.count, ejected, p->counts.ejected, out);
    np_measure_latency(&p->arrived, p->arrived_sum, p->arrived_hops, out);
    return NP_OK;
}

/* The interval of the mean of the first so many slices. */
static double interval_of(const series *s, size_t slices)
{
    double sum[2 * BATCHES], size[2 * BATCHES];
    for (size_t i = 0; i < slices; i++) {
        sum[i] = (double)s->slice[i].sum;
        size[i] = (double)s->slice[i].packets;
    }
    return np_batch_interval(slices, sum, size);
}

/*
 * An interval is no narrower than the windows before make one expect, as it narrows by the root of their length. Where
 * latencies happen to be low they are alike, too, and a window would stop there: of M/D/1 at 0.9, 89.5% of 200 such
 * intervals held the mean, and 94% of 300 of these.
 */
static double widest(point *p, double ci95, uint64_t cycles)
{
    double root = sqrt((double)cycles), spread = ci95 * root, most = spread;
    for (size_t i = 0; i < BEFORE; i++)
        most = p->spread[i] > most ? p->spread[i] : most;
    memmove(p->spread + 1, p->spread, (BEFORE - 1) * sizeof *p->spread);
    *p->spread = spread;
    return most / root;
}

/* Plays until all packets of the first so many slices have arrived. *drained = false: they do not. */
static np_status drain(point *p, size_t slices, bool *drained)
{
    series *s = &p->series;
    np_status st = NP_OK;
    while (!st && s->complete < slices && s->count < 3 * slices && !p->counts.stuck) {
        st = advance(p, 0.9 * (double)s->complete / (double)slices);
        if (s->count == slices)
            note(p, true);
    }
    *drained = s->complete >= slices;
    return st;
}

/*
 * 32, 48, 64, 96, .. slices. A window has at least all that were played to drain the one before: so none of the packets
 * that have arrived meanwhile is behind its end.
 */
static size_t next_window(const series *s, size_t slices)
{
    size_t step = BATCHES / 2;
    do {
        while (slices >= 4 * step)
            step *= 2;
        slices += step;
    } while (slices < s->count);
    return slices;
}

/* The next window. Of 64 slices and more, two become one. */
static np_status lengthen(point *p, size_t *slices)
{
    np_status st = NP_OK;
    *slices = next_window(&p->series, *slices);
    for (; *slices >= 2 * BATCHES && !st; *slices /= 2) {
        if (p->series.count % 2)
            st = advance(p, 0.5);
        join_slices(&p->series);
    }
    return st;
}

typedef struct verdict {
    uint64_t sum, packets, hops;
    double ci95;
    bool saturated, reached, done;
} verdict;

static verdict judge(point *p, size_t slices, bool drained)
{
    const series *s = &p->series;
    double growth = growth_in(p, 0, slices);
    bool last = next_window(s, slices) * s->width > p->how->cycles;
    verdict v = {.ci95 = widest(p, interval_of(s, slices), slices * s->width)};
    for (size_t i = 0; i < slices; i++) {
        v.sum += s->slice[i].sum;
        v.packets += s->slice[i].packets;
        v.hops += s->slice[i].hops;
    }
    v.reached = v.packets && (double)s->width * (double)v.packets >= LONG * (double)v.sum &&
                v.ci95 <= p->how->precision * (double)v.sum / (double)v.packets;
    v.saturated = judge_growth(p, growth) || !drained || (last && growth > GROWS) || refuses(p, slices);
    v.done = v.saturated || last || (v.reached && p->reached && growth <= GROWS);
    p->reached = v.reached;
    return v;
}

static np_status measure_window(point *p, np_load_point *out, bool *saturated)
{
    uint64_t ejected = p->counts.ejected;
    size_t slices = BATCHES;
    bool drained = true;
    verdict v = {.done = false};
    np_status st = NP_OK;
    begin_series(p, ((uint64_t)p->counts.now / 2 + BATCHES - 1) / BATCHES);
    p->mode = WINDOW;
    p->growth = p->grown = 0;
    memset(p->spread, 0, sizeof p->spread);
    note(p, false);
    while (!st && !v.done) {
        p->end = p->series.begin + (int64_t)(slices * p->series.width);
        if ((st = np_histogram_move(&p->latency, &p->later)) || (st = drain(p, slices, &drained)))
            return st;
        v = judge(p, slices, drained);
        if (!v.done)
            st = lengthen(p, &slices);
    }
    *saturated = v.saturated;
    if (st || v.saturated)
        return st;
    out->reached = v.reached;
    tell(p, slices, ejected, p->series.slice[slices - 1].ejected, out);
    np_measure_latency(&p->latency, v.sum, v.hops, out);
    out->latency.ci95 = v.ci95;
    return NP_OK;
}

/* ---- A point ---- */

/* What links carried until the window is not the window's. */
static void tell_links(const point *p)
{
    np_link links = np_network_link_numbers(p->how->open->network);
    for (np_link e = 0; e < links; e++)
        p->how->links->flits[e] -= p->links_before[e];
    p->how->links->offered = p->how->offered;
}

static np_status measure(point *p, np_load_point *out)
{
    np_node terminals = np_network_terminals(p->how->open->network);
    np_link links = np_network_link_numbers(p->how->open->network);
    np_open_options options = *p->how->open;
    bool saturated = false;
    np_status st;
    options.deliver = deliver;
    options.context = p;
    options.counts_links = p->how->links;
    if ((st = np_memory_zeroed(&p->before, terminals, sizeof *p->before, "a point under load")) ||
        (st = np_memory_zeroed(&p->after, terminals, sizeof *p->after, "a point under load")) ||
        (p->how->links &&
         (st = np_memory_zeroed(&p->links_before, links, sizeof *p->links_before, "what links carry"))) ||
        (st = p->how->model->create(&options, &p->model)) || (st = warm_up(p, &saturated)))
        return st;
    if (!saturated && (st = measure_window(p, out, &saturated)))
        return st;
    return saturated ? measure_saturated(p, out) : NP_OK;
}

np_status np_measure(const np_measuring *how, np_load_point *out)
{
    point p = {.how = how};
    *out = (np_load_point){.offered = how->offered, .window = how->open->window, .refused = NAN};
    np_status st = measure(&p, out);
    if (!st && how->open->book)
        st = np_open_book_end(how->open->book, p.counts.now);
    if (!st && how->links)
        tell_links(&p);
    if (p.model)
        how->model->free(p.model);
    NP_MEMORY_FREE(p.series.slice, p.before, p.after, p.links_before);
    np_histogram_clear(&p.latency);
    np_histogram_clear(&p.later);
    np_histogram_clear(&p.arrived);
    return st;
}
