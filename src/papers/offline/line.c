/*
 * Permutations on a linear array or a ring of s nodes (Sibeyn, lecture notes,
 * off-line routing: "each phase can be executed in n - 1 steps, and never a PU is
 * storing more than one packet").
 *
 * Both halves of this sentence hold, but not at once if "storing" counts the
 * packets that pass through. Suppose that every node holds exactly one packet at
 * every instant. Then a step on an array is a set of exchanges between
 * neighbours, each node in at most one. The reversal has s(s-1)/2 pairs in the
 * wrong order, and an exchange puts one pair right.
 *
 *   s odd   A step has at most (s-1)/2 exchanges: s steps are needed.
 *   s even  One set has s/2 exchanges; done twice in a row it undoes itself.
 *           Without such repeats s-1 steps put at most (s/2)^2 + (s/2 - 1)^2
 *           pairs right, which is less than s(s-1)/2 for s > 2.
 *
 * So s steps are needed for s > 2, and one step for s = 2. (On a ring the only other
 * move turns the whole ring.)
 *
 * The two rules:
 *
 *   exchange  Odd-even transposition sort by place, in at most s steps (Habermann
 *             1972; Knuth, volume 3, 5.3.4). It may begin with either set of
 *             pairs; we try the second where the first takes s steps. On rings the
 *             link that closes the ring rests.
 *   straight  Packets that go the same way keep their distances. So no two packets
 *             want one link at once, and none waits (Sibeyn). A node holds at most
 *             its own packet at rest and one on its way in either direction.
 *
 * Invariants, checked: one packet a link a step; everything arrives.
 */
#include "papers/offline/line.h"

#include <string.h>

#include "base/arena.h"
#include "base/hot.h"
#include "base/memory.h"

np_step np_line_bound(np_line_rule rule, uint32_t nodes, bool ring)
{
    if (rule == NP_LINE_STRAIGHT)
        return ring ? nodes / 2 : nodes - 1;
    return nodes == 2 ? 1 : nodes;
}

/* Up to so many nodes, the words, hops and steps of exchanges fit in 16 bits. Then a step loads and stores half the
 * bytes. */
enum { NARROW = 1 << 15 };

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "a row of nodes";
    np_line *line = object;
    size_t nodes = line->nodes, links = 2 * nodes;
    NP_ARENA_WORDS(arena, nodes, what, &line->key, &line->began, &line->hops, &line->at, &line->last);
    NP_ARENA_WORDS(arena, links, what, &line->crossed, &line->used);
    np_arena_array(arena, &line->far, 2 * links, sizeof *line->far, what);
    np_arena_array(arena, &line->real, nodes, sizeof *line->real, what);
    np_arena_array(arena, &line->held, nodes, sizeof *line->held, what);
    np_arena_array(arena, &line->narrow, 5 * (nodes < NARROW ? nodes : NARROW), sizeof *line->narrow, what);
}

uint64_t np_line_bytes(uint32_t nodes)
{
    np_line line = {.nodes = nodes};
    return np_arena_bytes(&line, 0, layout);
}

np_status np_line_init(np_line *line, uint32_t nodes, bool ring, np_line_rule rule)
{
    *line = (np_line){.nodes = nodes, .ring = ring, .rule = rule};
    return np_arena_place(line, layout, "a row of nodes", &line->block);
}

void np_line_clear(np_line *line)
{
    np_memory_free(line->block);
    *line = (np_line){0};
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/*
 * ---- exchange: packets are known by where they belong ----
 *
 * What is at a place is a word: twice the place where it belongs, and 1 more if it is a packet. The arrays have the
 * even places first, then the odd places, so that the pairs of a step lie side by side in two rows and are exchanged by
 * vectors, without branches:
 *
 *     pairs (0,1), (2,3), ..    0 2 4 6    pairs (1,2), (3,4), ..      1 3 5
 *                               1 3 5 7                              2 4 6
 */

/* Every other place from some place on. */
typedef struct places {
    uint32_t *word, *hops, *last, *up, *down;
} places;

static size_t index_of(const np_line *line, uint32_t place)
{
    return place / 2 + (place & 1 ? (line->nodes + 1) / 2 : 0);
}

static places places_from(const np_line *line, uint32_t first)
{
    size_t i = index_of(line, first);
    return (places){line->key + i, line->hops + i, line->last + i, line->crossed + i, line->crossed + line->nodes + i};
}

/* One step on the pairs of places low and high; did any exchange? */
NP_HOT static bool exchange_pairs(places low, places high, uint32_t count, np_step step)
{
    uint32_t *restrict low_word = low.word, *restrict low_hops = low.hops, *restrict low_last = low.last;
    uint32_t *restrict high_word = high.word, *restrict high_hops = high.hops, *restrict high_last = high.last;
    uint32_t *restrict up = low.up, *restrict down = high.down, any = 0;
#pragma omp simd reduction(| : any)
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = low_word[i], b = high_word[i], least = a < b ? a : b;
        uint32_t wrong = a == least ? 0 : UINT32_MAX, swap = (low_hops[i] ^ high_hops[i]) & wrong;
        low_word[i] = least;
        high_word[i] = a < b ? b : a;
        low_hops[i] = (low_hops[i] ^ swap) - wrong;
        high_hops[i] = (high_hops[i] ^ swap) - wrong;
        low_last[i] = (low_last[i] & ~wrong) | (step & wrong); /* `?:` would be a store under a mask, which is slow */
        high_last[i] = (high_last[i] & ~wrong) | (step & wrong);
        up[i] += wrong & a & 1;
        down[i] += wrong & b & 1;
        any |= wrong;
    }
    return any;
}

/* The same in words of 16 bits. */
typedef struct narrow_places {
    uint16_t *word, *hops, *last, *up, *down;
} narrow_places;

static narrow_places narrow_from(const np_line *line, uint32_t first)
{
    uint16_t *word = line->narrow + index_of(line, first);
    size_t s = line->nodes;
    return (narrow_places){word, word + s, word + 2 * s, word + 3 * s, word + 4 * s};
}

NP_HOT static bool exchange_narrow(narrow_places low, narrow_places high, uint32_t count, uint16_t step)
{
    uint16_t *restrict low_word = low.word, *restrict low_hops = low.hops, *restrict low_last = low.last;
    uint16_t *restrict high_word = high.word, *restrict high_hops = high.hops, *restrict high_last = high.last;
    uint16_t *restrict up = low.up, *restrict down = high.down, any = 0;
#pragma omp simd reduction(| : any)
    for (uint32_t i = 0; i < count; i++) {
        uint16_t a = low_word[i], b = high_word[i], least = a < b ? a : b;
        uint16_t wrong = a == least ? 0 : UINT16_MAX, swap = (low_hops[i] ^ high_hops[i]) & wrong;
        low_word[i] = least;
        high_word[i] = a < b ? b : a;
        low_hops[i] = (uint16_t)((low_hops[i] ^ swap) - wrong);
        high_hops[i] = (uint16_t)((high_hops[i] ^ swap) - wrong);
        low_last[i] = (uint16_t)((low_last[i] & ~wrong) | (step & wrong));
        high_last[i] = (uint16_t)((high_last[i] & ~wrong) | (step & wrong));
        up[i] = (uint16_t)(up[i] + (wrong & a & 1));
        down[i] = (uint16_t)(down[i] + (wrong & b & 1));
        any |= wrong;
    }
    return any;
}

/* Does all steps in words of 16 bits. */
static void exchange_all_narrow(np_line *line, uint32_t first)
{
    uint32_t s = line->nodes;
    narrow_places all = narrow_from(line, 0);
    memset(all.hops, 0, 4 * (size_t)s * sizeof *all.hops);
    for (uint32_t i = 0; i < s; i++)
        all.word[i] = (uint16_t)line->key[i];
    for (np_step step = 1, idle = 0; idle < 2 && step <= s; step++, first ^= 1) {
        narrow_places low = narrow_from(line, first), high = narrow_from(line, first + 1);
        idle = exchange_narrow(low, high, (s - first) / 2, (uint16_t)step) ? 0 : idle + 1;
    }
    for (uint32_t i = 0; i < s; i++) {
        line->key[i] = all.word[i];
        line->hops[i] = all.hops[i];
        line->last[i] = all.last[i];
        line->crossed[i] = all.up[i];
        line->crossed[s + i] = all.down[i];
    }
}

/* Tells the hops of a step on the pairs (first, first+1), ..., which is still to be made. */
static void tell_exchanges(const np_line *line, np_step step, uint32_t first)
{
    for (uint32_t place = first; place + 1 < line->nodes; place += 2) {
        uint32_t up = line->key[index_of(line, place)], down = line->key[index_of(line, place + 1)];
        if (up > down && (up & 1))
            line->on_hop(line->context, step, line->began[up / 2], place, true);
        if (up > down && (down & 1))
            line->on_hop(line->context, step, line->began[down / 2], place + 1, false);
    }
}

static void exchange_all_wide(np_line *line, uint32_t first, bool tell)
{
    memset(line->hops, 0, line->nodes * sizeof *line->hops);
    memset(line->last, 0, line->nodes * sizeof *line->last);
    memset(line->crossed, 0, 2 * (size_t)line->nodes * sizeof *line->crossed);
    for (np_step step = 1, idle = 0; idle < 2 && step <= line->nodes; step++, first ^= 1) {
        if (tell)
            tell_exchanges(line, step, first);
        places low = places_from(line, first), high = places_from(line, first + 1);
        idle = exchange_pairs(low, high, (line->nodes - first) / 2, step) ? 0 : idle + 1;
    }
}

/* Does all steps, beginning with the pairs at `first`; returns the steps in which packets moved. */
static np_step exchange_all(np_line *line, const uint32_t *to, const bool *real, uint32_t first, bool tell)
{
    np_step steps = 0;
    for (uint32_t i = 0; i < line->nodes; i++)
        line->key[index_of(line, i)] = 2 * to[i] + real[i];
    if (tell || line->nodes > NARROW)
        exchange_all_wide(line, first, tell);
    else
        exchange_all_narrow(line, first);
    for (uint32_t i = 0; i < line->nodes; i++)
        steps = line->key[i] & 1 ? larger(steps, line->last[i]) : steps;
    return steps;
}

static np_status exchange(np_line *line, const uint32_t *to, const bool *real, uint32_t *delay, np_line_run *out)
{
    uint32_t s = line->nodes, first = 0;
    for (uint32_t i = 0; i < s; i++) {
        line->began[to[i]] = i;
        out->population_max |= real[i];
    }
    np_step steps = exchange_all(line, to, real, 0, false);
    if (steps == s && s > 2 && exchange_all(line, to, real, 1, false) < steps)
        first = 1;
    out->steps = line->on_hop || (steps == s && s > 2) ? exchange_all(line, to, real, first, line->on_hop) : steps;
    for (uint32_t k = 0; k < s; k++) {
        size_t i = index_of(line, k);
        if (line->key[i] / 2 != k)
            return NP_RAISE(NP_ERROR_INTERNAL, "after %u exchanges place %u of %u holds the packet for %u", s, k, s,
                            line->key[i] / 2);
        delay[line->began[k]] = line->last[i] - line->hops[i];
        out->hops += line->key[i] & 1 ? line->hops[i] : 0;
    }
    return NP_OK;
}

/*
 * ---- straight: packets are known by where they began ----
 *
 * Where nobody is told, a step is one pass by vectors over all places: the packet that is on its way up at place v
 * began at v - t, and is there if it has so far to go. Else packets go one by one.
 */

/* Up, by the shorter way round on a ring; either where both are equal: then up. */
static bool goes_up(const np_line *line, uint32_t from, uint32_t to)
{
    uint32_t up = to > from ? to - from : to + line->nodes - from;
    return line->ring ? up <= line->nodes - up : to > from;
}

/* One hop of packet p. */
static np_status go(np_line *line, np_step step, uint32_t p, bool up)
{
    uint32_t s = line->nodes, place = line->at[p], link = up ? place : s + place;
    if (line->used[link] == step)
        return NP_RAISE(NP_ERROR_INTERNAL, "step %u: two packets over one link at place %u", step, place);
    line->used[link] = step;
    line->crossed[link]++;
    line->held[place]--;
    line->at[p] = up ? (place + 1 == s ? 0 : place + 1) : (place ? place : s) - 1;
    line->held[line->at[p]]++;
    line->hops[p]++;
    if (line->on_hop)
        line->on_hop(line->context, step, p, place, up);
    return NP_OK;
}

static uint32_t most_held(const np_line *line)
{
    uint8_t most = 0;
    for (uint32_t i = 0; i < line->nodes; i++)
        most = line->held[i] > most ? line->held[i] : most;
    return most;
}

static np_status go_one_by_one(np_line *line, const uint32_t *to, const bool *real, uint32_t *delay, np_line_run *out)
{
    uint32_t s = line->nodes, *moving = line->began, left = 0;
    memset(line->used, 0, 2 * (size_t)s * sizeof *line->used);
    memset(line->hops, 0, s * sizeof *line->hops);
    for (uint32_t i = 0; i < s; i++) {
        line->at[i] = i;
        line->held[i] = real[i];
        line->real[i] = goes_up(line, i, to[i]);
        if (real[i] && to[i] != i)
            moving[left++] = i;
    }
    out->population_max = most_held(line);
    for (np_step step = 1; left; step++) {
        uint32_t still = 0;
        for (uint32_t i = 0; i < left; i++) {
            uint32_t p = moving[i];
            np_status st = go(line, step, p, line->real[p]);
            if (st)
                return st;
            if (line->at[p] != to[p])
                moving[still++] = p;
            else
                delay[p] = step - line->hops[p];
        }
        left = still;
        out->steps = step;
        out->population_max = larger(out->population_max, most_held(line));
    }
    for (uint32_t i = 0; i < s; i++)
        out->hops += line->hops[i];
    return NP_OK;
}

/*
 * The places at an instant t: who is there. up, down: how far the packets go in all that are there if they go so far.
 */
typedef struct instant {
    const uint32_t *up, *down;
    uint32_t *rests, *crossed_up, *crossed_down;
} instant;

/* Those that have come stay, the others go over their next links. *most: at a place. Does any go? */
NP_HOT static bool pass(instant at, uint32_t count, np_step t, uint32_t *most)
{
    const uint32_t *restrict up = at.up, *restrict down = at.down;
    uint32_t *restrict rests = at.rests, *restrict crossed_up = at.crossed_up, *restrict crossed_down = at.crossed_down;
    uint32_t any = 0, held = 0, came = t ? t : UINT32_MAX; /* 0: nobody goes this way */
#pragma omp simd reduction(| : any) reduction(max : held)
    for (uint32_t v = 0; v < count; v++) {
        uint32_t goes_up = up[v] > t, goes_down = down[v] > t;
        uint32_t rest = rests[v] | (up[v] == came) | (down[v] == came), all = rest + goes_up + goes_down;
        rests[v] = rest;
        crossed_up[v] += goes_up;
        crossed_down[v] += goes_down;
        held = all > held ? all : held;
        any |= goes_up | goes_down;
    }
    *most = held > *most ? held : *most;
    return any;
}

/* far[0 .. 2s): up, at the place where it began + s, on rings also s before; far[2s .. 4s): down, and s behind. */
static uint32_t set_out(np_line *line, const uint32_t *to, const bool *real)
{
    uint32_t s = line->nodes, *up = line->far, *down = up + 2 * (size_t)s, packets = 0;
    memset(line->far, 0, 4 * (size_t)s * sizeof *line->far);
    for (uint32_t i = 0; i < s; i++) {
        bool rises = goes_up(line, i, to[i]);
        uint32_t far = real[i] ? (rises ? to[i] - i : i - to[i]) : 0; /* modulo 2^32: on a ring it may pass the end */
        far = far > s ? far + s : far;
        line->key[i] = real[i] && !far;
        packets += real[i];
        if (rises)
            up[s + i] = far, up[i] = line->ring ? far : 0;
        else
            down[i] = far, down[s + i] = line->ring ? far : 0;
    }
    return packets;
}

static np_status go_together(np_line *line, const uint32_t *to, const bool *real, np_line_run *out)
{
    uint32_t s = line->nodes, came = 0, packets = set_out(line, to, real);
    const uint32_t *up = line->far + s, *down = line->far + 2 * (size_t)s;
    instant at = {up, down, line->key, line->crossed, line->crossed + s};
    for (np_step t = 0; t < s && pass(at, s, t, &out->population_max); out->steps = ++t)
        at.up = up - t - 1, at.down = down + t + 1;
    for (uint32_t i = 0; i < s; i++) {
        came += line->key[i];
        out->hops += line->crossed[i] + (uint64_t)line->crossed[s + i];
    }
    return came == packets ? NP_OK : NP_RAISE(NP_ERROR_INTERNAL, "%u of %u packets of a row arrive", came, packets);
}

static np_status straight(np_line *line, const uint32_t *to, const bool *real, uint32_t *delay, np_line_run *out)
{
    memset(line->crossed, 0, 2 * (size_t)line->nodes * sizeof *line->crossed);
    memset(delay, 0, line->nodes * sizeof *delay);
    return line->on_hop ? go_one_by_one(line, to, real, delay, out) : go_together(line, to, real, out);
}

static np_status check_permutation(np_line *line, const uint32_t *to)
{
    memset(line->held, 0, line->nodes * sizeof *line->held);
    for (uint32_t i = 0; i < line->nodes; i++)
        if (to[i] >= line->nodes || line->held[to[i]]++)
            return NP_RAISE(NP_ERROR_INTERNAL, "a row of %u nodes: place %u is %s", line->nodes, to[i],
                            to[i] < line->nodes ? "that of two packets" : "none");
    return NP_OK;
}

np_status np_line_route(np_line *line, const uint32_t *to, const bool *real, uint32_t *delay, np_line_run *out)
{
    np_status st = check_permutation(line, to);
    *out = (np_line_run){0};
    if (!st)
        st = line->rule == NP_LINE_STRAIGHT ? straight(line, to, real, delay, out)
                                            : exchange(line, to, real, delay, out);
    for (uint32_t i = 0; i < 2 * line->nodes && !st; i++)
        out->congestion = larger(out->congestion, line->crossed[i]);
    return st;
}
