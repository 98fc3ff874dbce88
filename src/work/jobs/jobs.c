/*
 * np_jobs_play: jobs are placed, their rounds are listed, and the engine of flows plays them, first all together, then
 * each by itself.
 *
 * A job's start is a flow of no size, which ends when it starts; when the last message of a round ends, the next
 * round's are added. Ticks and units are those of run/flows; if a message is smaller than a packet or byte, ticks are
 * shorter, so that the smallest of all takes 2^30 of them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "base/watch.h"
#include "run/flows/flows.h"
#include "work/collective/collective.h"
#include "work/collective/lanes.h"
#include "work/jobs/jobs.h"

enum { WATCHED = 1024 /* batches from one look of the watch to the next */, ALL = -1 };

/* A job under way. */
typedef struct turn {
    size_t round, left; /* the present round, and messages of it that have not ended */
    np_fair_time finish;
} turn;

/* A call. */
typedef struct play {
    const np_network *network;
    const np_flows_options *options;
    const np_jobs_item *item; /* [count] */
    size_t count;
    np_flows_units units;
    np_jobs_track *track; /* [count] */
    turn *turn;           /* [count] */
    np_lane_list lanes;
    int bits; /* a moment is 2^bits ticks */
    np_fair *fair;
    size_t batches;
    double done, all; /* messages, together and alone */
    np_rates *rates;  /* [count] of the jobs together; NULL: nobody asks */
    np_wide *rate;    /* [count] of each now */
    bool recording;
} play;

typedef struct made {
    np_jobs_result result; /* first: the caller's pointer is this one */
    np_jobs_outcome *outcome;
    char **name, *paths, *link_rate; /* name: [count] */
    double *rate;
} made;

static const char what[] = "jobs";

/* ---- The driver ---- */

static double ticks_a_time(const play *p) { return ldexp(p->units.moments, p->bits); }

static np_fair_time delay_of(const play *p, size_t lane)
{
    return p->lanes.delay ? (np_fair_time)(p->lanes.delay[lane] * ticks_a_time(p)) : 0;
}

static np_status add_round(play *p, size_t j)
{
    const np_jobs_track *t = &p->track[j];
    size_t round = p->turn[j].round;
    np_status st = NP_OK;
    p->turn[j].left = t->first[round + 1] - t->first[round];
    for (size_t m = t->first[round]; !st && m < t->first[round + 1]; m++) {
        size_t lane = t->from[m], first = p->lanes.first[lane];
        const np_fair_flow flow = {.name = j,
                                   .path = p->lanes.link + first,
                                   .hops = (uint32_t)(p->lanes.first[lane + 1] - first),
                                   .start = np_fair_now(p->fair),
                                   .delay = delay_of(p, lane),
                                   .size = (np_fair_size)ldexp(t->pieces[m] * t->part, p->bits + (int)p->lanes.bits)};
        st = np_fair_add(p->fair, &flow);
    }
    return st;
}

/* Names from `count` on are starts. */
static np_status finished(void *self, uint64_t name, np_fair_time now)
{
    play *p = self;
    size_t j = name < p->count ? name : name - p->count;
    turn *t = &p->turn[j];
    if (name < p->count) {
        p->done++;
        if (--t->left)
            return NP_OK;
        t->round++;
    }
    if (t->round < p->track[j].rounds)
        return add_round(p, j);
    t->finish = now;
    return NP_OK;
}

static np_status settled(void *self, np_fair_time now)
{
    play *p = self;
    for (size_t j = 0; p->recording && j < p->count; j++)
        np_rates_add(&p->rates[j], now, p->rate[j]);
    return ++p->batches % WATCHED ? NP_OK : np_watch_share(&p->options->watch, "flows", p->done / p->all);
}

static np_status start(play *p, size_t j)
{
    p->turn[j] = (turn){.finish = NP_FAIR_NEVER};
    const np_fair_flow alarm = {.name = p->count + j, .start = (np_fair_time)(p->item[j].start * ticks_a_time(p))};
    return np_fair_add(p->fair, &alarm);
}

/* Plays one job, or ALL. */
static np_status run(play *p, long only, uint64_t *events)
{
    const np_fair_driver driver = {.self = p, .finished = finished, .settled = settled};
    np_status st = np_fair_create(np_network_link_numbers(p->network), p->lanes.capacity, &p->fair);
    p->recording = p->rates && only == ALL;
    if (!st && p->recording)
        np_fair_tell_rates(p->fair, p->count, p->rate);
    for (size_t j = 0; !st && j < p->count; j++)
        if (only == ALL || j == (size_t)only)
            st = start(p, j);
    if (!st && !(st = np_fair_run(p->fair, &driver)) && np_fair_standing(p->fair))
        st = NP_RAISE(NP_ERROR_LIMIT, "more flows over a link than can be told apart");
    if (!st)
        *events = np_fair_counted(p->fair).batches;
    np_fair_free(p->fair);
    p->fair = NULL;
    return st;
}

/* ---- Before it ---- */

static np_status find_lanes(play *p)
{
    np_status st = NP_OK;
    for (size_t j = 0; j < p->count; j++)
        for (size_t m = 0; m < p->track[j].messages; m++) {
            np_jobs_track *t = &p->track[j];
            if ((st = np_lane_list_add(&p->lanes, t->host[t->from[m]], t->host[t->to[m]])))
                return st;
        }
    const np_lane_options o = {p->options->paths, p->options->seed, p->units.bytes, &p->options->watch};
    if ((st = np_lane_list_find(&p->lanes, p->network, &o)))
        return st;
    for (size_t j = 0; j < p->count; j++)
        for (size_t m = 0; m < p->track[j].messages; m++) {
            np_jobs_track *t = &p->track[j];
            t->from[m] = (uint32_t)np_lane_list_place(&p->lanes, t->host[t->from[m]], t->host[t->to[m]]);
        }
    return NP_OK;
}

/* The least and the most pieces of a message. */
static void span_pieces(const np_jobs_track *t, uint32_t *least, uint32_t *most)
{
    *least = UINT32_MAX;
    *most = 0;
    for (size_t m = 0; m < t->messages; m++) {
        *least = t->pieces[m] < *least ? t->pieces[m] : *least;
        *most = t->pieces[m] > *most ? t->pieces[m] : *most;
    }
}

/* How short ticks are; do all sizes and starts fit the bits that count them? */
static np_status find_ticks(play *p)
{
    uint32_t least, most;
    p->bits = NP_FLOWS_MOMENT_BITS;
    for (size_t j = 0; j < p->count; j++) {
        span_pieces(&p->track[j], &least, &most);
        while (p->track[j].part > 0 && ldexp(least * p->track[j].part, p->bits) < ldexp(1, NP_FLOWS_MOMENT_BITS))
            p->bits++;
    }
    for (size_t j = 0; j < p->count; j++) {
        const np_jobs_track *t = &p->track[j];
        span_pieces(t, &least, &most);
        if (most * t->part >= ldexp(1, NP_FAIR_SIZE_BITS - p->bits - (int)p->lanes.bits))
            return NP_RAISE(NP_ERROR_LIMIT, "job %s: a message of %s is too large", t->name,
                            NP_REAL(most * t->part, 6));
        if (!(p->item[j].start >= 0 && p->item[j].start * ticks_a_time(p) < ldexp(1, NP_FAIR_TIME_BITS - 1)))
            return NP_RAISE(NP_ERROR_INPUT, "job %s: its start must be 0 or more, and less than %s", t->name,
                            NP_REAL(ldexp(1, NP_FAIR_TIME_BITS - 1) / ticks_a_time(p), 3));
    }
    return NP_OK;
}

static np_status check_options(const np_flows_options *o)
{
    const struct {
        const char *name;
        bool given;
    } unheeded[] = {
        {"split", o->split},       {"size", o->flow_size},   {"sizes", o->flow_sizes}, {"load", o->load > 0},
        {"arrivals", o->arrivals}, {"flows", o->flows_file}, {"links", o->links_file},
    };
    for (size_t i = 0; i < sizeof unheeded / sizeof *unheeded; i++)
        if (unheeded[i].given)
            return NP_RAISE(NP_ERROR_APPLY, "%s is not heeded by jobs: leave it out", unheeded[i].name);
    return NP_OK;
}

static np_status prepare(play *p)
{
    np_status st;
    if ((st = check_options(p->options)) || (st = np_flows_read_rate(p->options->link_rate, &p->units)) ||
        (st = np_memory_zeroed(&p->track, p->count + 1, sizeof *p->track, what)) ||
        (st = np_memory_zeroed(&p->turn, p->count + 1, sizeof *p->turn, what)))
        return st;
    for (size_t j = 0; j < p->count; j++)
        if (p->item[j].name)
            snprintf(p->track[j].name, sizeof p->track[j].name, "'%.36s'", p->item[j].name);
        else
            snprintf(p->track[j].name, sizeof p->track[j].name, "%zu", j);
    if ((st = np_jobs_place(p->network, p->count, p->item, p->options->seed, p->track)))
        return st;
    for (size_t j = 0; !st && j < p->count; j++)
        if (!(st = np_jobs_list(&p->item[j], p->options, &p->track[j])))
            p->all += 2 * (double)p->track[j].messages;
    return st || (st = find_lanes(p)) ? st : find_ticks(p);
}

/* ---- The result ---- */

static np_status describe(const play *p, made *m, size_t j)
{
    const np_jobs_item *item = &p->item[j];
    const np_jobs_track *t = &p->track[j];
    char number[24];
    snprintf(number, sizeof number, "%zu", j);
    if (!(m->name[j] = np_memory_text(item->name ? item->name : number)))
        return np_status_last();
    m->outcome[j] = (np_jobs_outcome){.name = m->name[j],
                                      .collective = np_collective_name(item->collective),
                                      .algorithm = t->algorithm,
                                      .size = item->size,
                                      .ranks = item->ranks,
                                      .rounds = t->rounds,
                                      .messages = t->messages,
                                      .start = item->start};
    return NP_OK;
}

static np_status make_result(const play *p, made *m)
{
    const np_flows_options *o = p->options;
    np_status st;
    if ((st = np_memory_zeroed(&m->outcome, p->count + 1, sizeof *m->outcome, what)) ||
        (st = np_memory_zeroed(&m->name, p->count + 1, sizeof *m->name, what)))
        return st;
    m->result.count = p->count;
    m->result.job = m->outcome;
    if (!(m->paths = np_memory_text(o->paths)) || (o->link_rate && !(m->link_rate = np_memory_text(o->link_rate))))
        return np_status_last();
    m->result.paths = m->paths;
    m->result.link_rate = m->link_rate;
    m->result.seed = o->seed;
    for (size_t j = 0; !st && j < p->count; j++)
        st = describe(p, m, j);
    return st;
}

/* A time by the play that has just ended. */
static double took(const play *p, size_t j)
{
    np_fair_time began = (np_fair_time)(p->item[j].start * ticks_a_time(p));
    return (double)(p->turn[j].finish - began) / ticks_a_time(p);
}

static np_status init_rates(play *p)
{
    np_status st;
    if (!p->options->record_rates)
        return NP_OK;
    if ((st = np_memory_zeroed(&p->rate, p->count + 1, sizeof *p->rate, what)) ||
        (st = np_memory_zeroed(&p->rates, p->count + 1, sizeof *p->rates, what)))
        return st;
    for (size_t j = 0; j < p->count && !st; j++)
        st = np_rates_init(&p->rates[j]);
    return st;
}

/* All jobs have the same steps, since all hear of the same moments. */
static np_status finish_rates(const play *p, made *m)
{
    np_jobs_result *r = &m->result;
    double scale = ldexp(p->units.moments, -(int)p->lanes.bits);
    np_fair_time end = 0;
    np_status st;
    for (size_t j = 0; p->rates && j < p->count; j++)
        end = p->rates[j].end > end ? p->rates[j].end : end;
    if (!end)
        return NP_OK;
    for (size_t j = 0; j < p->count; j++)
        r->rate_count = np_rates_means(&p->rates[j], end, scale);
    if ((st = np_memory_array(&m->rate, p->count * r->rate_count, sizeof *m->rate, what)))
        return st;
    for (size_t j = 0; j < p->count; j++)
        memcpy(m->rate + j * r->rate_count, p->rates[j].sent, r->rate_count * sizeof *m->rate);
    r->rate = m->rate;
    r->rate_step = ldexp(1, (int)p->rates[0].step_bits) / ticks_a_time(p);
    r->rate_start = (double)p->rates[0].start / ticks_a_time(p);
    return NP_OK;
}

static np_status play_all(play *p, made *m)
{
    uint64_t alone = 0;
    np_status st = init_rates(p);
    if (st || (st = run(p, ALL, &m->result.events)) || (st = finish_rates(p, m)))
        return st;
    for (size_t j = 0; !st && j < p->count; j++) {
        np_jobs_outcome *o = &m->outcome[j];
        o->time = o->alone = took(p, j);
        o->finish = (double)p->turn[j].finish / ticks_a_time(p);
        m->result.makespan = o->finish > m->result.makespan ? o->finish : m->result.makespan;
    }
    for (size_t j = 0; !st && j < p->count; j++) {
        np_jobs_outcome *o = &m->outcome[j];
        if (p->count > 1 && !(st = run(p, (long)j, &alone)))
            o->alone = took(p, j);
        o->slowdown = o->alone > 0 ? o->time / o->alone : (double)NAN;
    }
    return st;
}

static void clear(play *p)
{
    for (size_t j = 0; p->track && j < p->count; j++)
        np_jobs_track_clear(&p->track[j]);
    for (size_t j = 0; p->rates && j < p->count; j++)
        np_memory_free(p->rates[j].sent);
    NP_MEMORY_FREE(p->rates, p->rate, p->track, p->turn);
    np_lane_list_clear(&p->lanes);
}

np_status np_jobs_play(const np_network *network, size_t count, const np_jobs_item *jobs, const np_flows_options *given,
                       np_jobs_result **out)
{
    np_flows_options options;
    double began = np_clock_seconds();
    made *m;
    *out = NULL;
    np_status st = np_options_take(&np_flows_options_fields, given, &options);
    if (st)
        return st;
    NP_ACCOUNT(options.memory_limit, "a smaller network or fewer jobs");
    if ((st = np_memory_zeroed(&m, 1, sizeof *m, what)))
        return st;
    play p = {.network = network, .options = &options, .item = jobs, .count = count};
    m->result.network = network;
    if (!(st = prepare(&p)) && !(st = make_result(&p, m)))
        st = play_all(&p, m);
    clear(&p);
    m->result.wall_seconds = np_clock_seconds() - began;
    if (st)
        np_jobs_free(&m->result);
    else
        *out = &m->result;
    return st;
}

void np_jobs_free(np_jobs_result *result)
{
    made *m = (made *)result;
    if (!m)
        return;
    for (size_t j = 0; m->name && j < m->result.count; j++)
        np_memory_free(m->name[j]);
    NP_MEMORY_FREE(m->name, m->outcome, m->paths, m->link_rate, m->rate, m);
}
