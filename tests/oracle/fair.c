#include "oracle/fair.h"

#include <stdlib.h>

typedef __float128 wide;

/* ---- In numbers of 113 bits ---- */

typedef struct world {
    const oracle_flows *in;
    bool *there;  /* [flows] it has started and has not ended */
    bool *filled; /* [flows] its rate is known */
    wide *left, *rate;
} world;

static unsigned crossings(const oracle_flows *in, size_t f, uint32_t link)
{
    unsigned count = 0;
    for (size_t i = in->first[f]; i < in->first[f + 1]; i++)
        count += in->path[i] == link;
    return count;
}

/* What the flow takes of the link at a rate of 1. */
static wide taken(const oracle_flows *in, size_t f, uint32_t link)
{
    wide sum = 0;
    for (size_t i = in->first[f]; i < in->first[f + 1]; i++)
        if (in->path[i] == link)
            sum += in->share ? (wide)in->share[i] : 1;
    return sum;
}

/* By how much can all flows that still grow on the link grow? -1: none grows. */
static wide room_of(const world *w, uint32_t link, wide *used)
{
    wide growing = 0;
    *used = 0;
    for (size_t f = 0; f < w->in->flows; f++)
        if (w->there[f]) {
            wide times = taken(w->in, f, link);
            *used += times * w->rate[f];
            growing += w->filled[f] ? 0 : times;
        }
    return growing > 0 ? ((wide)w->in->capacity[link] - *used) / growing : -1;
}

static void fill(world *w)
{
    const oracle_flows *in = w->in;
    wide *room = calloc(in->links + 1, sizeof *room), used;
    for (size_t f = 0; f < in->flows; f++) {
        w->filled[f] = !w->there[f];
        w->rate[f] = 0;
    }
    for (;;) {
        wide least = -1;
        for (uint32_t l = 0; l < in->links; l++) {
            room[l] = room_of(w, l, &used);
            if (room[l] >= 0 && (least < 0 || room[l] < least))
                least = room[l];
            else if (room[l] < 0 && room[l] > -0.5) /* rounded below 0 */
                least = room[l] = 0;
        }
        if (least < 0)
            break;
        for (size_t f = 0; f < in->flows; f++)
            w->rate[f] += w->filled[f] ? 0 : least;
        for (uint32_t l = 0; l < in->links; l++)
            if (room[l] >= 0 && room[l] <= least + (wide)in->capacity[l] * 1e-28Q)
                for (size_t f = 0; f < in->flows; f++)
                    w->filled[f] |= crossings(in, f, l) > 0;
    }
    free(room);
}

static wide next_event(const world *w, wide now)
{
    wide next = -1;
    for (size_t f = 0; f < w->in->flows; f++) {
        wide at = w->in->start[f] > now           ? (wide)w->in->start[f]
                  : w->there[f] && w->rate[f] > 0 ? now + w->left[f] / w->rate[f]
                                                  : -1;
        if (at >= 0 && (next < 0 || at < next))
            next = at;
    }
    return next;
}

static void arrive(world *w, size_t f, long double *finish)
{
    if (w->in->first[f] == w->in->first[f + 1] || w->in->size[f] == 0)
        finish[f] = (long double)w->in->start[f];
    else
        w->there[f] = true;
    w->left[f] = w->in->size[f];
}

static void advance(world *w, wide from, wide now, long double *finish)
{
    for (size_t f = 0; f < w->in->flows; f++) {
        if (w->there[f]) {
            w->left[f] -= w->rate[f] * (now - from);
            if (w->left[f] <= (wide)w->in->size[f] * 1e-25Q) {
                w->there[f] = false;
                finish[f] = (long double)now;
            }
        }
        if ((wide)w->in->start[f] > from && (wide)w->in->start[f] <= now)
            arrive(w, f, finish);
    }
}

void oracle_fair_play(const oracle_flows *in, long double *finish)
{
    world w = {in, calloc(in->flows + 1, 1), calloc(in->flows + 1, 1), calloc(in->flows + 1, sizeof(wide)),
               calloc(in->flows + 1, sizeof(wide))};
    for (size_t f = 0; f < in->flows; f++) {
        finish[f] = -1;
        if (in->start[f] == 0)
            arrive(&w, f, finish);
    }
    for (wide now = 0, next;; now = next) {
        fill(&w);
        if ((next = next_event(&w, now)) < 0)
            break;
        advance(&w, now, next, finish);
    }
    free(w.there);
    free(w.filled);
    free(w.left);
    free(w.rate);
}

/* ---- Exact ---- */

static __int128 divisor(__int128 a, __int128 b) { return b ? divisor(b, a % b) : a < 0 ? -a : a; }

static oracle_fraction fraction(__int128 top, __int128 bottom)
{
    __int128 d = divisor(top, bottom);
    return d ? (oracle_fraction){top / d, bottom / d} : (oracle_fraction){0, 1};
}

static oracle_fraction add(oracle_fraction a, oracle_fraction b, int sign)
{
    return fraction(a.top * b.bottom + sign * b.top * a.bottom, a.bottom * b.bottom);
}

static bool is_less(oracle_fraction a, oracle_fraction b) { return a.top * b.bottom < b.top * a.bottom; }

/* (capacity - what filled flows take) / crossings of the others; false: there are none. */
static bool find_level(const oracle_flows *in, const bool *filled, const oracle_fraction *rate, uint32_t l,
                       oracle_fraction *level)
{
    oracle_fraction rest = {(__int128)in->capacity[l], 1};
    unsigned others = 0;
    for (size_t f = 0; f < in->flows; f++) {
        unsigned times = crossings(in, f, l);
        others += filled[f] ? 0 : times;
        for (unsigned i = 0; filled[f] && i < times; i++)
            rest = add(rest, rate[f], -1);
    }
    if (others)
        *level = fraction(rest.top, rest.bottom * others);
    return others > 0;
}

void oracle_fair_rates(const oracle_flows *in, oracle_fraction *rate)
{
    bool *filled = calloc(in->flows + 1, 1);
    for (;;) {
        oracle_fraction least = {0, 0}, level;
        uint32_t where = 0;
        for (uint32_t l = 0; l < in->links; l++)
            if (find_level(in, filled, rate, l, &level) && (!least.bottom || is_less(level, least))) {
                least = level;
                where = l;
            }
        if (!least.bottom)
            break;
        for (size_t f = 0; f < in->flows; f++)
            if (!filled[f] && crossings(in, f, where)) {
                filled[f] = true;
                rate[f] = least;
            }
    }
    free(filled);
}
