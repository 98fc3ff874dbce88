/*
 * What observers hear of the six phases (leveled_feed.h): where each message is, from what the switches of a column have
 * selected and sent. The columns act from the last to the first. So when a column sends, the queues of the next one have
 * already lost what leaves them in the step.
 */
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "merging/ranade_inside.h"

enum { BLOCK = NP_COLUMN_BLOCK, OWN = 2 }; /* a way: out of the initial queue */

static const char what[] = "an observed run";

static void layout(void *object, np_arena *arena)
{
    np_ranade_seen *s = object;
    np_arena_array(arena, &s->node, s->tags, sizeof *s->node, what);
    np_arena_array(arena, &s->way, s->tags, sizeof *s->way, what);
    np_arena_zeroed(arena, &s->acted, s->tags, sizeof *s->acted, what);
    np_arena_zeroed(arena, &s->selected, s->switches, sizeof *s->selected, what);
    np_arena_array(arena, &s->left, s->switches, sizeof *s->left, what);
}

static np_ranade_seen sizes_of(uint32_t n, size_t tags)
{
    return (np_ranade_seen){.switches = (6 * (size_t)n + 1) << n, .tags = tags};
}

uint64_t np_ranade_observing_bytes(uint32_t n, uint64_t tags)
{
    np_ranade_seen seen = sizes_of(n, tags);
    return np_arena_bytes(&seen, sizeof seen, layout) + sizeof(np_leveled_feed);
}

void np_ranade_seen_free(np_ranade_seen *seen)
{
    if (!seen)
        return;
    np_memory_free(seen->block);
    np_memory_free(seen->feed);
    np_memory_free(seen);
}

np_status np_ranade_observe_begin(np_ranade *ranade)
{
    const np_ranade_job *job = ranade->job;
    np_status st;
    ranade->seen = NULL;
    if (!job->observer)
        return NP_OK;
    if (!ranade->held && (st = np_memory_zeroed(&ranade->held, 1, sizeof *ranade->held, what)))
        return st;
    np_ranade_seen *s = ranade->held, sizes = sizes_of(ranade->n, job->tags);
    s->switches = sizes.switches;
    s->tags = sizes.tags;
    if ((st = np_arena_renew(s, layout, what, &s->block, &s->room)))
        return st;
    for (uint32_t k = 0; k < job->tags; k++) {
        s->node[k] = NP_NONE;
        job->home[k] = NP_NONE;
    }
    if ((st =
             np_leveled_feed_begin(&s->feed, job->leveled, job->number, job->observer, job->phase, ranade->queue_size)))
        return st;
    ranade->seen = s;
    return NP_OK;
}

np_status np_ranade_observe_end(np_ranade *ranade, const np_phase_run *run)
{
    return ranade->seen ? np_event_feed_end(&ranade->seen->feed->feed, run) : NP_OK;
}

/* Where the message ends: the switch in front of its target. */
static uint32_t end_of(const np_ranade *ranade, uint32_t k)
{
    uint32_t target = ranade->job->target[k], row = np_divide(target, ranade->by_n);
    return (6 * ranade->n - (target - row * ranade->n)) * ranade->rows + row;
}

/* A processor of column c sends from step c on: there and then its messages begin. */
static void inject(np_ranade *ranade)
{
    const np_ranade_job *job = ranade->job;
    np_ranade_seen *s = ranade->seen;
    for (uint32_t k = 0; k < job->tags && ranade->now < ranade->n; k++) {
        uint32_t row = np_divide(job->processor[k], ranade->by_n), c = job->processor[k] - row * ranade->n;
        if (c != ranade->now)
            continue;
        s->node[k] = c * ranade->rows + row;
        s->way[k] = OWN;
        np_event event = np_event_injected(job->number[k], s->node[k], end_of(ranade, k));
        event.step = ranade->now;
        np_event_feed_put(&s->feed->feed, event);
    }
}

void np_ranade_observe_step(np_ranade *ranade)
{
    inject(ranade);
    memset(ranade->seen->left, 0, ranade->seen->switches);
}

/* Messages in the queue of a switch at one of its ways in. */
static uint32_t queue_of(const np_ranade *ranade, uint32_t node, unsigned way)
{
    uint32_t r = node % ranade->rows;
    const uint32_t *state = ranade->column[node / ranade->rows].state + (size_t)(r / BLOCK) * ranade->arrays * BLOCK;
    return state[(NP_RANADE_COUNT + way) * BLOCK + r % BLOCK];
}

static void tell_going(np_ranade *ranade, uint32_t k, uint32_t node, unsigned way)
{
    np_ranade_seen *s = ranade->seen;
    const np_leveled *lv = ranade->job->leveled;
    uint32_t edge = lv->out[node] + way, to = lv->head[edge];
    np_leveled_tell_move(s->feed, ranade->now, k, edge, queue_of(ranade, to, way) + 1);
    s->node[k] = to;
    s->way[k] = (uint8_t)way;
}

void np_ranade_observe_column(np_ranade *ranade, uint32_t c)
{
    np_ranade_seen *s = ranade->seen;
    for (uint32_t r = 0; r < ranade->rows; r++) {
        const uint32_t *out = ranade->column[c].state + (size_t)(r / BLOCK) * ranade->arrays * BLOCK + r % BLOCK;
        uint32_t h = ranade->least[r], node = c * ranade->rows + r, k = (h - 2) / 2;
        s->selected[node] = h;
        if (!h || h & 1)
            continue;
        bool straight = out[NP_RANADE_OUT * BLOCK] == h, across = out[(NP_RANADE_OUT + 1) * BLOCK] == h;
        bool home = ranade->job->home[k] == ranade->now;
        if (!straight && !across && !home)
            continue; /* it stays */
        s->left[node] = 1 + s->way[k];
        s->acted[k] = ranade->now + 1;
        if (home)
            np_leveled_tell_landing(s->feed, ranade->now, k, node);
        else
            tell_going(ranade, k, node, across);
        if (home)
            s->node[k] = NP_NONE;
    }
}

/* The edge that the message wants; NP_NONE: it is at its end. */
static np_link wanted(const np_ranade *ranade, uint32_t k)
{
    uint32_t node = ranade->seen->node[k], c = node / ranade->rows, bit = np_ranade_crossing_bit(ranade->n, c);
    uint32_t to = c < 3 * ranade->n ? ranade->row[k] : np_divide(ranade->job->target[k], ranade->by_n);
    uint32_t across = bit == UINT32_MAX ? 0 : (node % ranade->rows ^ to) >> bit & 1;
    return node == end_of(ranade, k) ? NP_NONE : ranade->job->leveled->out[node] + across;
}

static void tell_wait(np_ranade *ranade, uint32_t k)
{
    const np_ranade_seen *s = ranade->seen;
    uint32_t node = s->node[k], h = s->selected[node], way = s->way[k];
    uint32_t queue = way == OWN ? 0 : queue_of(ranade, node, way) + (s->left[node] == 1 + way);
    np_event_reason reason = !h || h & 1 ? NP_EVENT_ORDER : h == 2 * k + 2 ? NP_EVENT_ROOM : NP_EVENT_BEHIND;
    np_leveled_tell_wait(s->feed, ranade->now, k, node, wanted(ranade, k), queue, reason,
                         reason == NP_EVENT_BEHIND ? (h - 2) / 2 : NP_NONE);
}

np_status np_ranade_observe_rest(np_ranade *ranade)
{
    const np_ranade_seen *s = ranade->seen;
    bool waits = np_event_feed_needs(&s->feed->feed, NP_EVENT_WAITED);
    for (uint32_t k = 0; k < ranade->job->tags && waits; k++)
        if (s->node[k] != NP_NONE && s->acted[k] != ranade->now + 1)
            tell_wait(ranade, k);
    if (!np_event_feed_flush(&s->feed->feed))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", ranade->now + 1);
    return NP_OK;
}
