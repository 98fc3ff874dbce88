/*
 * See lines_packets.h. Upwards: only its own packets feed the queue at place 0, so
 * all that it ever sends is known at once. Its own packets and this stream feed
 * the queue at place 1, and so on. Downwards is the mirror image. s counts places
 * from the end where the way begins.
 *
 * At instant t a queue holds its own packets and the packets that came at t or before, and the next
 * one leaves in step t + 1. Packets come one a step, so an empty queue to which a packet comes
 * sends just this packet on. This is the case for most hops. Other packets wait in lists, one for
 * each bucket, under a tree of sets of 64.
 *
 * The first order of a queue is drawn as stepping draws it. It matters only among packets of one
 * bucket.
 */
#include "engine/queueing/lines_packets.h"

#include <string.h>

#include "base/hot.h"
#include "base/memory.h"
#include "engine/queueing/inside.h"

enum { FEW = 16 };                       /* packets of a queue that are compared with one another: ours */
#define CROSSED_MAX (UINT64_C(64) << 20) /* ours: the most bytes of crossed[], unless it begins with more */

static uint32_t words_for(uint32_t bits) { return bits / 64 + 1; }

static uint32_t words_at_first(uint32_t longest) { return words_for(longest + longest / 4); }

/* 40 n instants; or n + m, which nearly always do, if the m packets of a line are all there at first. packets: m, 0:
   not known. */
static uint32_t words_at_most(uint32_t longest, uint64_t packets)
{
    uint32_t words = words_at_first(longest);
    uint64_t most = 32 * (uint64_t)words, all = (longest + packets) / 64 + 1;
    uint64_t limit = CROSSED_MAX / (2 * (uint64_t)longest * sizeof(uint64_t));
    limit = packets && all < limit ? all : limit;
    most = most < limit ? most : limit;
    return most > words ? (uint32_t)most : words;
}

void np_lines_sweep_layout(np_lines_sweep *line, uint64_t packets, np_arena *arena)
{
    uint32_t bits = line->longest + 2;
    np_arena_array(arena, &line->tail, bits, sizeof *line->tail, "a line of nodes");
    for (int i = 0; i < 3; i++, bits = words_for(bits))
        np_arena_zeroed(arena, &line->set[i], words_for(bits), sizeof *line->set[i], "a line of nodes");
    line->words = words_at_first(line->longest);
    line->words_max = words_at_most(line->longest, packets);
}

static np_status make_crossed(np_lines_sweep *line)
{
    np_memory_free(line->crossed);
    line->crossed = NULL;
    return np_memory_array(&line->crossed, 2 * (size_t)line->longest * line->words, sizeof *line->crossed,
                           "a line of nodes");
}

static void clear_room(np_lines_sweep *line)
{
    NP_MEMORY_FREE(line->time, line->in, line->out, line->next, line->first, line->began);
    line->time = NULL;
    line->in = line->out = NULL;
    line->next = line->first = line->began = NULL;
    line->room = 0;
}

void np_lines_sweep_clear(np_lines_sweep *line)
{
    clear_room(line);
    np_memory_free(line->crossed);
    line->crossed = NULL;
}

uint64_t np_lines_sweep_bytes(uint32_t longest, uint64_t room, uint64_t packets)
{
    return room * 32 + longest * (UINT64_C(16) * words_at_most(longest, packets));
}

static np_status reserve(np_lines_sweep *line, size_t entries)
{
    static const char what[] = "packets of a line";
    np_status st;
    if (!line->crossed && (st = make_crossed(line)))
        return st;
    if (line->room >= entries && line->time)
        return NP_OK;
    clear_room(line);
    if ((st = np_memory_array(&line->time, entries, sizeof *line->time, what)) ||
        (st = np_memory_array(&line->in, entries, sizeof *line->in, what)) ||
        (st = np_memory_array(&line->out, entries, sizeof *line->out, what)) ||
        (st = np_memory_array(&line->next, entries, sizeof *line->next, what)) ||
        (st = np_memory_array(&line->first, entries, sizeof *line->first, what)) ||
        (st = np_memory_array(&line->began, entries, sizeof *line->began, what)))
        return st;
    line->room = entries;
    return NP_OK;
}

/* ---- Waiting packets ---- */

static void enter(np_lines_sweep *line, uint32_t bucket, uint32_t e)
{
    uint64_t *word = &line->set[0][bucket >> 6], bit = UINT64_C(1) << (bucket & 63);
    if (*word & bit) {
        uint32_t last = line->tail[bucket];
        line->next[e] = line->next[last];
        line->next[last] = e;
    } else {
        line->next[e] = e;
        *word |= bit;
        line->set[1][bucket >> 12] |= UINT64_C(1) << (bucket >> 6 & 63);
        line->set[2][0] |= UINT64_C(1) << (bucket >> 12);
    }
    line->tail[bucket] = e;
}

static uint32_t highest(uint64_t word) { return 63 - (uint32_t)__builtin_clzll(word); }

/* Takes the first packet of the highest bucket; there is one. */
static uint32_t leave(np_lines_sweep *line)
{
    uint32_t top = highest(line->set[2][0]), middle = top << 6 | highest(line->set[1][top]);
    uint32_t bucket = middle << 6 | highest(line->set[0][middle]);
    uint32_t last = line->tail[bucket], e = line->next[last];
    line->next[last] = line->next[e];
    if (e == last && !(line->set[0][middle] &= ~(UINT64_C(1) << (bucket & 63))) &&
        !(line->set[1][top] &= ~(UINT64_C(1) << (middle & 63))))
        line->set[2][0] &= ~(UINT64_C(1) << top);
    return e;
}

/* ---- First orders ---- */

static bool alike(const np_lines_sweep *line, size_t count)
{
    if (line->order != NP_LINES_FARTHEST || count > FEW)
        return count > 1;
    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (line->entry[line->first[i]].to == line->entry[line->first[j]].to)
                return true;
    return false;
}

/* first[] = the packets that begin at place v and go this way, in the order in which they enter; returns how many. */
static size_t first_order(np_lines_sweep *line, uint32_t v, bool down)
{
    size_t count = 0;
    for (uint32_t e = line->begin[v]; e < line->begin[v + 1]; e++) {
        uint32_t own = e - line->begin[0];
        line->first[count] = own;
        line->began[own] = v;
        count += (line->entry[own].to < v) == down;
    }
    if (alike(line, count)) {
        np_link link = line->first_link + v * line->step_link - (down ? line->down_link : 0);
        for (size_t i = count; i > 1; i--) {
            size_t j = np_engine_order_draw(&line->draws, link, i);
            uint32_t swap = line->first[i - 1];
            line->first[i - 1] = line->first[j];
            line->first[j] = swap;
        }
    }
    return count;
}

/* ---- One way ---- */

static inline uint32_t bucket_of(const np_lines_sweep *line, uint32_t e, bool down, bool moved)
{
    uint32_t place;
    switch (line->order) {
    case NP_LINES_FARTHEST:
        place = line->entry[e].to;
        break;
    case NP_LINES_NEAREST:
        place = line->began[e];
        break;
    case NP_LINES_MOVED:
        return moved;
    default:
        return 0;
    }
    return down ? line->nodes - 1 - place : place;
}

/*
 * Finishes the queue of place v: its own packets are first[0 .. own-1], and the stream that comes
 * is in[0 .. *stream-1]. out[] and *stream receive the packets that go past the next place. False:
 * the queue takes longer than there is room for.
 */
NP_HOT static bool pass(np_lines_sweep *line, uint32_t v, bool down, size_t own, size_t *stream)
{
    uint64_t *crossed = line->crossed + ((size_t)down * line->nodes + v) * line->words;
    const np_lines_item *in = line->in;
    np_lines_item *out = line->out;
    const np_lines_entry *entry = line->entry;
    uint32_t next = down ? v - 1 : v + 1, waiting = (uint32_t)own, most = waiting, count = 0;
    np_step *time = line->time, t = 0, limit = line->words * 64 - 1;
    size_t i = 0, come = *stream, gone = 0, at = 0; /* at: the word of the present instants */
    uint64_t word = 0;
    for (size_t k = 0; k < own; k++)
        enter(line, bucket_of(line, line->first[k], down, false), line->first[k]);
    while (waiting || i < come) {
        uint32_t e;
        if (!waiting) {
            t = in[i].time;
            e = in[i++].entry;
        } else {
            if (i < come && in[i].time == t) {
                enter(line, bucket_of(line, in[i].entry, down, true), in[i].entry);
                i++;
                waiting++;
            }
            most = waiting > most ? waiting : most;
            e = leave(line);
            waiting--;
        }
        if (t >= limit)
            return false;
        t++;
        if (t >> 6 != at) {
            crossed[at] = word;
            at = t >> 6;
            word = 0;
        }
        word |= UINT64_C(1) << (t & 63);
        count++;
        time[e] = t; /* written at each link of the way: the last value is the arrival */
        out[gone] = (np_lines_item){t, e};
        gone += entry[e].to != next;
    }
    crossed[at] = word;
    *stream = gone;
    line->queue_max = most > line->queue_max ? most : line->queue_max;
    line->congestion = count > line->congestion ? count : line->congestion;
    line->steps = count && t > line->steps ? t : line->steps;
    return true;
}

static bool run_way(np_lines_sweep *line, bool down)
{
    size_t stream = 0;
    for (uint32_t s = 0; s + 1 < line->nodes; s++) {
        uint32_t v = down ? line->nodes - 1 - s : s;
        size_t own = first_order(line, v, down);
        if (!own && !stream)
            continue;
        if (!pass(line, v, down, own, &stream))
            return false;
        np_lines_item *swap = line->in;
        line->in = line->out;
        line->out = swap;
    }
    return true;
}

/* Makes more room after a line that took longer than there was room for, and empties the sets of waiting packets. */
static np_status grow(np_lines_sweep *line)
{
    uint32_t bits = line->nodes + 2;
    line->words = 2 * line->words < line->words_max ? 2 * line->words : line->words_max;
    for (int i = 0; i < 3; i++, bits = words_for(bits))
        memset(line->set[i], 0, words_for(bits) * sizeof *line->set[i]);
    return make_crossed(line);
}

np_status np_lines_sweep_run(np_lines_sweep *line, bool *done)
{
    np_status st = reserve(line, line->begin[line->nodes] - line->begin[0]);
    *done = false;
    while (!st) {
        memset(line->crossed, 0, 2 * (size_t)line->nodes * line->words * sizeof *line->crossed);
        if ((*done = run_way(line, false) && run_way(line, true)) || line->words == line->words_max)
            break;
        st = grow(line); /* maxima stay: what has been counted so far is counted again */
    }
    return st;
}
