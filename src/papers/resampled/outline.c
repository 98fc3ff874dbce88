/*
 * Outlines of O(c + d) times, with O(1) hops over each link at each time, for any paths: Rothvoss's proof (2013) of the
 * theorem of Leighton, Maggs & Rao 1994, made an algorithm by the resampling of Moser & Tardos 2010. We had the
 * abstract of Rothvoss's paper only. What follows is the idea of it, rebuilt; lengths and constants are ours.
 *
 * Waits. The path of each packet is divided into intervals, on several levels: on level 0 it is one interval; on level
 * l >= 1 they have I_l hops, and those of the next level divide them. The I_l shrink by square roots, so there are
 * O(log log (c + d)) levels. In each interval of level l a packet waits W_l - 1 times in all: w of them, drawn from
 * 0 .. W_l - 1, when the interval begins, and the others when it ends. So what a packet draws in one interval moves the
 * times of this interval alone. Hop j has the time
 *
 *     j + sum over l of (W_l - 1) * (intervals of level l before hop j's) + sum over l of (w of hop j's interval of
 *     level l)
 *
 * Length. W_0 is c / 2, and W_l is the square root of I_l. So all times are below
 * c / 2 + d * (1 + the sum of 1 / sqrt(I_l)) + O(sqrt c) = O(c + d).
 *
 * Loads. When the waits of levels 0 .. l are drawn, the expected load of link e at time t, over the waits of later
 * levels, is the number of its hops weighted by the chances that their times will be t. The later waits of all hops
 * have one distribution, a sum of uniform ones, so that the expected loads are sliding sums of the times known so far:
 * exact whole numbers, in units of 1 / (the product of the later W). Before anything is drawn they are at most c / W_0
 * = 2. The levels are drawn one after the other. Where an expected load exceeds a limit, all packets that can be over e
 * at time t draw their waits of this level anew, until no expected load exceeds it. What is drawn on level l depends on
 * few others: on those that meet it within an interval. So the Local Lemma says that a limit a little above the one of
 * the level before can be kept, by a factor whose product over all levels is bounded; and the resampling finds such
 * waits in a number of draws in proportion to the number of events. On the last level expected loads are loads.
 *
 * Limits. The proof's constants are for paths that no computer holds. Here each level begins with the limit of the
 * level before. When a quarter as many events as there are intervals have been resampled, the limit is raised a little.
 * So it always ends, with the least limit that it found quickly.
 *
 * Bad events at times that are far apart have no packets in common: those of one link are resampled together.
 *
 * Symbols: c, d, l, I_l, W_l, e, t as above. `reach`: the most that later levels add to a time.
 */
#include "papers/resampled/outline.h"

#include <string.h>

#include "base/arena.h"
#include "base/log2.h"
#include "base/memory.h"
#include "base/watch.h"

enum {
    LEVELS_MAX = 8,
    SHORTEST = 4,       /* log2 of the least I_l; ours: shorter intervals add more times than they spread */
    UNITS = 8,          /* limits are multiples of 1 / UNITS hops */
    PATIENCE = 4,       /* a limit is raised after so many times fewer events than intervals */
    TELL_EVERY = 1 << 8 /* links that are looked at between calls of the watch */
};

typedef struct level {
    uint32_t shift;  /* log2 of I_l; 31 for the whole path */
    uint32_t window; /* W_l */
} level;

typedef struct search {
    const np_path_list *paths;
    level level[LEVELS_MAX];
    unsigned levels, now;
    uint64_t length;  /* of the outline */
    size_t intervals; /* the most of a level */

    uint32_t *base;  /* [packets + 1] the first interval of each packet */
    uint32_t *wait;  /* [intervals] w */
    uint32_t *drawn; /* [intervals] how often w was drawn */
    uint64_t *load;  /* [length + 1] of a link, expected */
    uint8_t *bad;    /* [length] hops at this time draw anew */
    np_link *queue;  /* [links] a ring of links to look at, */
    bool *queued;    /* [links] which are in it, */
    np_link head, count;

    np_outline *outline;
    np_draws draws;
    const np_watch *watch;
    uint32_t serial; /* of the first interval of the level */
    uint64_t limit;  /* of expected loads, in 1 / UNITS */
    uint64_t events; /* resampled since the limit was raised */
    uint64_t looks;  /* at links */
} search;

static void layout_outline(void *object, np_arena *arena)
{
    np_outline *o = object;
    np_arena_array(arena, &o->time, o->hops, sizeof *o->time, "an outline");
}

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the search for an outline";
    search *s = object;
    size_t links = s->paths->links;
    np_arena_array(arena, &s->base, (size_t)s->paths->packets + 1, sizeof *s->base, what);
    NP_ARENA_WORDS(arena, s->intervals, what, &s->wait, &s->drawn);
    np_arena_zeroed(arena, &s->load, s->length + 1, sizeof *s->load, what);
    np_arena_zeroed(arena, &s->bad, s->length, sizeof *s->bad, what);
    np_arena_array(arena, &s->queue, links, sizeof *s->queue, what);
    np_arena_array(arena, &s->queued, links, sizeof *s->queued, what);
}

/* ---- Sizes ---- */

/* The levels for c and d. Level 0 spreads the packets over c / 2 times. */
static void plan_levels(search *s)
{
    uint32_t c = s->paths->congestion, d = s->paths->dilation;
    s->level[0] = (level){31, c / 2 + 1};
    s->levels = 1;
    for (uint32_t shift = (np_log2_up(c > d ? c : d) + 1) / 2; shift >= SHORTEST; shift = (shift + 1) / 2)
        s->level[s->levels++] = (level){shift, UINT32_C(1) << shift / 2};
}

/* Intervals of the level on a path of so many hops, at least one. */
static uint32_t intervals_of(const level *l, uint32_t hops) { return ((hops - 1) >> l->shift) + 1; }

static void size_up(search *s)
{
    const np_path_list *paths = s->paths;
    plan_levels(s);
    s->intervals = paths->packets;
    if (s->levels > 1)
        s->intervals += paths->hops >> s->level[s->levels - 1].shift;
    s->length = paths->dilation;
    for (unsigned l = 0; l < s->levels && paths->dilation; l++)
        s->length += (uint64_t)(s->level[l].window - 1) * intervals_of(&s->level[l], paths->dilation);
}

uint64_t np_outline_length(const np_path_list *sizes)
{
    search s = {.paths = sizes};
    size_up(&s);
    return s.length;
}

uint64_t np_outline_bytes(const np_path_list *sizes)
{
    np_outline outline = {.hops = sizes->hops};
    search s = {.paths = sizes};
    size_up(&s);
    return np_arena_bytes(&outline, sizeof outline, layout_outline) + np_arena_bytes(&s, 0, layout);
}

/* ---- Waits ---- */

static uint32_t interval_of(const search *s, uint32_t hop)
{
    np_packet packet = s->paths->of[hop];
    return s->base[packet] + ((hop - s->paths->first[packet]) >> s->level[s->now].shift);
}

/* The hops of the interval that has this one: first .. end - 1. */
static void hops_beside(const search *s, uint32_t hop, uint32_t *first, uint32_t *end)
{
    np_packet packet = s->paths->of[hop];
    uint32_t begin = s->paths->first[packet], last = s->paths->first[packet + 1];
    uint32_t size = UINT32_C(1) << s->level[s->now].shift;
    *first = begin + ((hop - begin) & ~(size - 1));
    *end = last - *first > size ? *first + size : last;
}

/* Draws w of the hop's interval, again if it was drawn before, and moves the hops of the interval. */
static void draw(search *s, uint32_t hop, bool again)
{
    uint32_t interval = interval_of(s, hop), first, end;
    uint32_t before = again ? s->wait[interval] : 0;
    s->drawn[interval] = again ? s->drawn[interval] + 1 : 0;
    s->wait[interval] = np_random_below(&s->draws, s->serial + interval, s->drawn[interval], s->level[s->now].window);
    hops_beside(s, hop, &first, &end);
    for (uint32_t h = first; h < end; h++)
        s->outline->time[h] += s->wait[interval] - before;
}

/* The times without any w. */
static void begin_times(const search *s)
{
    const np_path_list *paths = s->paths;
    for (np_packet i = 0; i < paths->packets; i++)
        for (uint32_t hop = paths->first[i]; hop < paths->first[i + 1]; hop++) {
            uint32_t j = hop - paths->first[i];
            s->outline->time[hop] = j;
            for (unsigned l = 0; l < s->levels; l++)
                s->outline->time[hop] += (s->level[l].window - 1) * (j >> s->level[l].shift);
        }
}

/* ---- Loads ---- */

/* The most that later levels add to a time. *units: the product of their windows. */
static np_step reach_of(const search *s, uint64_t *units)
{
    np_step reach = 0;
    *units = 1;
    for (unsigned l = s->now + 1; l < s->levels; l++) {
        reach += s->level[l].window - 1;
        *units *= s->level[l].window;
    }
    return reach;
}

/* load[i] becomes the sum of load[i - window + 1 .. i]. */
static void slide(uint64_t *load, np_step length, uint32_t window)
{
    for (np_step i = 1; i < length; i++)
        load[i] += load[i - 1];
    for (np_step i = length; i-- > window;)
        load[i] -= load[i - window];
}

/*
 * Puts the expected loads of the link at the times *begin .. *begin + length - 1 into s->load, which is zero before,
 * but for later waits. Returns the length.
 */
static np_step expect(const search *s, np_link link, np_step reach, np_step *begin)
{
    const uint32_t *over = s->paths->over, end = s->paths->begin[link + 1];
    np_step least = NP_NONE, most = 0;
    for (uint32_t i = s->paths->begin[link]; i < end; i++) {
        np_step time = s->outline->time[over[i]];
        least = time < least ? time : least;
        most = time > most ? time : most;
    }
    for (uint32_t i = s->paths->begin[link]; i < end; i++)
        s->load[s->outline->time[over[i]] - least]++;
    for (unsigned l = s->now + 1; l < s->levels; l++)
        slide(s->load, most - least + 1 + reach, s->level[l].window);
    *begin = least;
    return most - least + 1 + reach;
}

/*
 * Can an expected load of the link exceed the limit? It is at most the hops of reach + 1 times in a row, by the largest
 * chance of a time, 1 / (the largest later window). These hops are in two parts of reach + 1 times that are neighbours.
 */
static bool may_exceed(const search *s, np_link link, np_step reach)
{
    const uint32_t *over = s->paths->over + s->paths->begin[link];
    uint32_t hops = s->paths->begin[link + 1] - s->paths->begin[link], window = 1;
    uint64_t most = 0;
    for (unsigned l = s->now + 1; l < s->levels; l++)
        window = s->level[l].window > window ? s->level[l].window : window;
    for (uint32_t i = 0; i < hops; i++) {
        uint64_t *part = &s->load[s->outline->time[over[i]] / (reach + 1)], here = ++*part;
        uint64_t before = part > s->load ? here + part[-1] : here, after = here + part[1];
        most = before > most ? before : most;
        most = after > most ? after : most;
    }
    for (uint32_t i = 0; i < hops; i++)
        s->load[s->outline->time[over[i]] / (reach + 1)] = 0;
    return most * UNITS > s->limit * window;
}

/* ---- Resampling ---- */

static void enqueue(search *s, np_link link)
{
    np_link place = s->head + s->count;
    if (s->queued[link])
        return;
    s->queued[link] = true;
    s->queue[place < s->head || place >= s->paths->links ? place - s->paths->links : place] = link;
    s->count++;
}

static np_link dequeue(search *s)
{
    np_link link = s->queue[s->head];
    s->head = s->head + 1 == s->paths->links ? 0 : s->head + 1;
    s->count--;
    s->queued[link] = false;
    return link;
}

/* Marks the times of hops that draw anew, for events that have no hops in common. Returns how many events these are. */
static uint64_t mark_bad(search *s, np_step length, np_step reach, uint64_t limit)
{
    uint64_t events = 0;
    for (np_step t = 0; t < length; t++)
        if (s->load[t] * UNITS > limit) {
            np_step first = t > reach ? t - reach : 0;
            memset(s->bad + first, 1, t - first + 1);
            events++;
            t += reach;
        }
    memset(s->load, 0, length * sizeof *s->load);
    return events;
}

/* The same on the last level, where loads are at times of hops only. The loads become zero. */
static uint64_t mark_loads(search *s, np_link link, np_step begin, uint64_t limit)
{
    const np_path_list *paths = s->paths;
    uint64_t events = 0;
    for (uint32_t i = paths->begin[link]; i < paths->begin[link + 1]; i++) {
        np_step place = s->outline->time[paths->over[i]] - begin;
        s->bad[place] |= s->load[place] * UNITS > limit;
        events += s->load[place] * UNITS > limit;
        s->load[place] = 0;
    }
    return events;
}

/*
 * All hops of the link at marked times draw anew. The links of the packets in these intervals are to be looked at: this
 * one, too.
 */
static void redraw(search *s, np_link link, np_step begin, np_step length)
{
    const np_path_list *paths = s->paths;
    for (uint32_t i = paths->begin[link]; i < paths->begin[link + 1]; i++) {
        uint32_t hop = paths->over[i], first, end;
        np_step place = s->outline->time[hop] - begin;
        if (place >= length || !s->bad[place])
            continue;
        draw(s, hop, true);
        hops_beside(s, hop, &first, &end);
        for (uint32_t h = first; h < end; h++)
            enqueue(s, paths->link[h]);
    }
    memset(s->bad, 0, length);
}

/* Raises the limit if it costs too much to keep: on the last level to a whole number. */
static void lose_patience(search *s, uint64_t intervals)
{
    if (s->events < intervals / PATIENCE + 1)
        return;
    s->events = 0;
    s->limit += s->now + 1 == s->levels ? UNITS : 1;
}

static void look_at(search *s, np_link link, uint64_t intervals)
{
    uint64_t units, hops = s->paths->begin[link + 1] - s->paths->begin[link];
    np_step reach = reach_of(s, &units), begin, length;
    if (hops * UNITS <= s->limit || (reach && !may_exceed(s, link, reach)))
        return;
    length = expect(s, link, reach, &begin);
    uint64_t events = reach ? mark_bad(s, length, reach, s->limit * units) : mark_loads(s, link, begin, s->limit);
    if (!events)
        return;
    redraw(s, link, begin, length);
    s->events += events;
    s->outline->resamplings += events;
    lose_patience(s, intervals);
}

/* Draws the waits of the level: how many intervals it has. */
static uint32_t draw_level(search *s)
{
    const np_path_list *paths = s->paths;
    const level *l = &s->level[s->now];
    s->base[0] = 0;
    for (np_packet i = 0; i < paths->packets; i++) {
        uint32_t hops = paths->first[i + 1] - paths->first[i], intervals = intervals_of(l, hops);
        s->base[i + 1] = s->base[i] + intervals;
        for (uint32_t k = 0; k < intervals; k++)
            draw(s, paths->first[i] + (k << l->shift), false);
    }
    return s->base[paths->packets];
}

static np_status settle_level(search *s)
{
    uint32_t intervals = draw_level(s);
    s->events = 0;
    if (s->now + 1 == s->levels)
        s->limit = (s->limit + UNITS - 1) / UNITS * UNITS;
    for (np_link link = 0; link < s->paths->links; link++)
        enqueue(s, link);
    while (s->count) {
        np_status st;
        if (s->looks++ % TELL_EVERY == 0 &&
            (st = np_watch_share(s->watch, NULL, NP_OUTLINE_SHARE * s->now / s->levels)))
            return st;
        look_at(s, dequeue(s), intervals);
    }
    s->serial += intervals;
    return NP_OK;
}

static np_status settle(search *s)
{
    begin_times(s);
    memset(s->queued, 0, s->paths->links * sizeof *s->queued);
    s->limit = UNITS;
    for (s->now = 0; s->now < s->levels; s->now++) {
        np_status st = settle_level(s);
        if (st)
            return st;
    }
    return NP_OK;
}

np_status np_outline_find(const np_path_list *paths, np_draws draws, const np_watch *watch, np_outline **out)
{
    np_outline made = {.hops = paths->hops};
    search s = {.paths = paths, .draws = np_draws_for(draws, NP_RANDOM_WAIT), .watch = watch};
    void *block = NULL;
    np_status st;
    *out = NULL;
    size_up(&s);
    if (s.length > NP_PATH_LIST_HOPS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "paths of congestion %u and dilation %u: a schedule off line has %u steps at most",
                        paths->congestion, paths->dilation, NP_PATH_LIST_HOPS_MAX);
    if ((st = np_arena_create(&made, sizeof made, layout_outline, "an outline", out)) ||
        (st = np_arena_place(&s, layout, "the search for an outline", &block)))
        goto out;
    s.outline = *out;
    s.outline->length = (np_step)s.length;
    st = settle(&s);
out:
    np_memory_free(block);
    if (st) {
        np_outline_free(*out);
        *out = NULL;
    }
    return st;
}

void np_outline_free(np_outline *outline) { np_memory_free(outline); }
