/*
 * What observers hear of the six phases (leveled_feed.h): where each message is, from what the switches of a column
 * have selected and sent. The columns act from the last to the first. So when a column sends, the queues of the next
 * one have already lost what leaves them in the step.
 *
 * A message is a request, by its place in job->processor: of equal requests of one processor, the first. Where messages
 * of one tag meet, at column c of phases 1 and 2, the one of the highest processor becomes a part of the other. Their
 * reply comes to column 6n - c of the same row, and there the part splits from it again. A reply that is sent two ways
 * keeps its place in the queue until both have gone.
 */
#include <string.h>

#include "base/memory.h"
#include "engine/merging/ranade_queue.h"

uint32_t np_ranade_crossing_bit(uint32_t n, uint32_t c)
{
    if (c >= n && c < 2 * n)
        return c - n;
    if (c >= 4 * n && c < 5 * n)
        return 5 * n - 1 - c;
    return UINT32_MAX;
}

enum { BLOCK = NP_COLUMN_BLOCK, OWN = 2, WAYS = 3 }; /* OWN: a way, out of the initial queue */

#define NOBODY UINT32_MAX

static const char what[] = "an observed run";

static void layout(void *object, np_arena *arena)
{
    np_ranade_seen *s = object;
    NP_ARENA_WORDS(arena, s->messages, what, &s->tag, &s->node, &s->next, &s->part, &s->before, &s->met);
    np_arena_array(arena, &s->way, s->messages, sizeof *s->way, what);
    np_arena_zeroed(arena, &s->acted, s->messages, sizeof *s->acted, what);
    np_arena_array(arena, &s->last, WAYS * s->switches, sizeof *s->last, what);
    np_arena_array(arena, &s->selected, s->switches, sizeof *s->selected, what);
    np_arena_array(arena, &s->left, s->switches, sizeof *s->left, what);
}

static np_ranade_seen sizes_of(uint32_t n, size_t messages)
{
    return (np_ranade_seen){.switches = (6 * (size_t)n + 1) << n, .messages = messages};
}

uint64_t np_ranade_observing_bytes(uint32_t n, uint64_t requests)
{
    np_ranade_seen seen = sizes_of(n, requests);
    return np_arena_bytes(&seen, sizeof seen, layout) + sizeof(np_leveled_feed);
}

void np_ranade_seen_free(np_ranade_seen *seen)
{
    if (!seen)
        return;
    NP_MEMORY_FREE(seen->block, seen->feed, seen);
}

static void number_messages(const np_ranade_job *job, np_ranade_seen *s)
{
    for (uint32_t k = 0; k < job->tags; k++)
        for (uint32_t i = job->begin[k]; i < job->begin[k + 1]; i++) {
            s->tag[i] = k;
            s->node[i] = s->part[i] = s->met[i] = NOBODY;
        }
    memset(s->last, 0xff, WAYS * s->switches * sizeof *s->last);
    s->moves = 0;
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
    np_ranade_seen *s = ranade->held, sizes = sizes_of(ranade->n, job->begin[job->tags]);
    s->switches = sizes.switches;
    s->messages = sizes.messages;
    if ((st = np_arena_renew(s, layout, what, &s->block, &s->room)))
        return st;
    number_messages(job, s);
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

/* ---- Where messages are ---- */

/* A queue is a ring of messages: `last` is the last one, and the one after it the first. */

static uint32_t *last_of(const np_ranade_seen *s, uint32_t node, unsigned way)
{
    return &s->last[(size_t)node * WAYS + way];
}

static uint32_t head_of(const np_ranade_seen *s, uint32_t node, unsigned way)
{
    uint32_t last = *last_of(s, node, way);
    return last == NOBODY ? NOBODY : s->next[last];
}

static void enter(np_ranade_seen *s, uint32_t q, uint32_t node, unsigned way)
{
    uint32_t *last = last_of(s, node, way);
    s->next[q] = *last == NOBODY ? q : s->next[*last];
    if (*last != NOBODY)
        s->next[*last] = q;
    *last = q;
    s->node[q] = node;
    s->way[q] = (uint8_t)way;
}

/* The head of its queue leaves it. heir: the message that takes its place; NOBODY: none does. */
static void leave(np_ranade_seen *s, uint32_t q, uint32_t heir)
{
    uint32_t node = s->node[q], *last = last_of(s, node, s->way[q]), after = s->next[q];
    if (heir != NOBODY) {
        s->next[heir] = after == q ? heir : after;
        after = heir;
    } else
        s->left[node] |= (uint8_t)(1 << s->way[q]);
    if (*last == q)
        *last = heir;
    else
        s->next[*last] = after;
    s->node[q] = NOBODY;
}

/* The processor that gets the reply. */
static uint32_t target_of(const np_ranade *ranade, uint32_t q)
{
    const np_ranade_job *job = ranade->job;
    return job->target ? job->target[ranade->seen->tag[q]] : job->processor[q];
}

/* Where the message ends: the switch in front of this processor. */
static uint32_t end_of(const np_ranade *ranade, uint32_t q)
{
    uint32_t target = target_of(ranade, q), row = np_divide(target, ranade->by_n);
    return (6 * ranade->n - (target - row * ranade->n)) * ranade->rows + row;
}

/* The port over which the message wants to leave a switch that is not its end. */
static unsigned port_of(const np_ranade *ranade, uint32_t q, uint32_t node)
{
    uint32_t c = node / ranade->rows, bit = np_ranade_crossing_bit(ranade->n, c);
    uint32_t to = c < 3 * ranade->n ? ranade->row[ranade->seen->tag[q]] : np_divide(target_of(ranade, q), ranade->by_n);
    return bit == UINT32_MAX ? 0 : (node % ranade->rows ^ to) >> bit & 1;
}

/* Messages in the queue of a switch at one of its ways in. */
static uint32_t queue_of(const np_ranade *ranade, uint32_t node, unsigned way)
{
    uint32_t r = node % ranade->rows;
    const uint32_t *state = ranade->column[node / ranade->rows].state + (size_t)(r / BLOCK) * ranade->arrays * BLOCK;
    return np_ranade_length(ranade, state, way, r % BLOCK);
}

/* ---- Telling ---- */

/* The packet of the message; of a reply that has split from another one, a packet of its own. */
static np_packet packet_of(const np_ranade *ranade, uint32_t q)
{
    const np_ranade_job *job = ranade->job;
    return job->number[q] + (ranade->seen->met[q] == NOBODY ? 0 : job->copies);
}

static void put(np_ranade *ranade, np_event event) { np_event_feed_put(&ranade->seen->feed->feed, event); }

/* A processor of column c sends from step c on: there and then its messages begin. */
static void inject(np_ranade *ranade)
{
    const np_ranade_job *job = ranade->job;
    np_ranade_seen *s = ranade->seen;
    for (uint32_t i = 0; i < s->messages && ranade->now < ranade->n; i++) {
        uint32_t row = np_divide(job->processor[i], ranade->by_n), c = job->processor[i] - row * ranade->n;
        bool first = i == job->begin[s->tag[i]] || job->processor[i] != job->processor[i - 1];
        if (c != ranade->now || !first)
            continue;
        enter(s, i, c * ranade->rows + row, OWN);
        np_event event = np_event_injected(job->number[i], s->node[i], end_of(ranade, i));
        event.step = ranade->now;
        put(ranade, event);
    }
}

void np_ranade_observe_step(np_ranade *ranade)
{
    np_ranade_seen *s = ranade->seen;
    inject(ranade);
    memset(s->left, 0, s->switches * sizeof *s->left);
    memset(s->selected, 0xff, s->switches * sizeof *s->selected);
}

/* The message, which has left its queue, goes over the way that it wants, or to its processor. */
static void go(np_ranade *ranade, uint32_t q, uint32_t node)
{
    np_ranade_seen *s = ranade->seen;
    s->acted[q] = ranade->now + 1;
    if (node == end_of(ranade, q)) {
        put(ranade, np_event_landed(ranade->now + 1, packet_of(ranade, q), node));
        return;
    }
    const np_leveled *lv = ranade->job->leveled;
    unsigned way = port_of(ranade, q, node);
    uint32_t edge = lv->out[node] + way, to = lv->head[edge];
    enter(s, q, to, way);
    s->moves++;
    put(ranade, np_event_moved(ranade->now + 1, packet_of(ranade, q), node, to, edge, queue_of(ranade, to, way) + 1));
}

/* Two messages of one tag have met and go on: q with the other one as its part. */
static void combine(np_ranade *ranade, uint32_t q, uint32_t part, uint32_t node)
{
    np_ranade_seen *s = ranade->seen;
    put(ranade,
        np_event_joined(NP_EVENT_COMBINED, ranade->now + 1, packet_of(ranade, part), packet_of(ranade, q), node));
    leave(s, part, NOBODY);
    s->acted[part] = ranade->now + 1;
    s->met[part] = node;
    s->before[part] = s->part[q];
    s->part[q] = part;
}

/* The reply's part that joined it at the same switch of phases 1 and 2; NOBODY: none did. */
static uint32_t part_at(const np_ranade *ranade, uint32_t q, uint32_t node)
{
    const np_ranade_seen *s = ranade->seen;
    uint32_t part = s->part[q], mirror = (6 * ranade->n - node / ranade->rows) * ranade->rows + node % ranade->rows;
    return part != NOBODY && s->met[part] == mirror ? part : NOBODY;
}

/* Does the switch send the message on in this step? sent: the ways that it sends its tag. A processor takes at once. */
static bool goes(const np_ranade *ranade, uint32_t q, uint32_t node, unsigned sent)
{
    return node == end_of(ranade, q) || sent >> port_of(ranade, q, node) & 1;
}

/* The reply q is for the part, too, which goes another way: the part splits when the first of the two goes. */
static void part_ways(np_ranade *ranade, uint32_t q, uint32_t part, uint32_t node, unsigned sent)
{
    np_ranade_seen *s = ranade->seen;
    bool leaves = goes(ranade, q, node, sent), parts = goes(ranade, part, node, sent);
    if (!leaves && !parts)
        return;
    put(ranade, np_event_joined(NP_EVENT_SPLIT, ranade->now + 1, packet_of(ranade, part), packet_of(ranade, q), node));
    s->part[q] = s->before[part];
    s->node[part] = node;
    s->way[part] = s->way[q];
    if (leaves)
        leave(s, q, parts ? NOBODY : part);
    if (leaves)
        go(ranade, q, node);
    if (parts) {
        s->node[part] = NOBODY;
        go(ranade, part, node);
    }
}

/* The heads of the queues that have the tag: two where messages meet. Returns how many there are. */
static unsigned find_heads(const np_ranade_seen *s, uint32_t node, uint32_t tag, uint32_t *q)
{
    unsigned count = 0;
    for (unsigned way = 0; way < WAYS; way++) {
        uint32_t head = head_of(s, node, way);
        if (head != NOBODY && s->tag[head] == tag)
            q[count++] = head;
    }
    if (count == 2 && q[1] < q[0]) {
        q[WAYS - 1] = q[0];
        q[0] = q[1];
        q[1] = q[WAYS - 1];
    }
    return count;
}

/* The switch has selected a message of the tag. */
static void observe_switch(np_ranade *ranade, uint32_t node, uint32_t tag, unsigned sent)
{
    np_ranade_seen *s = ranade->seen;
    uint32_t q[WAYS];
    unsigned count = find_heads(s, node, tag, q);
    uint32_t part = part_at(ranade, q[0], node);
    s->selected[node] = q[0];
    if (part != NOBODY) {
        part_ways(ranade, q[0], part, node, sent);
        return;
    }
    if (!goes(ranade, q[0], node, sent))
        return;
    if (count == 2)
        combine(ranade, q[0], q[1], node);
    leave(s, q[0], NOBODY);
    go(ranade, q[0], node);
}

void np_ranade_observe_column(np_ranade *ranade, uint32_t c)
{
    for (uint32_t r = 0; r < ranade->rows; r++) {
        const uint32_t *out = ranade->column[c].state + (size_t)(r / BLOCK) * ranade->arrays * BLOCK + r % BLOCK;
        uint32_t h = ranade->least[r];
        if (!h || h & 1)
            continue;
        unsigned sent = (out[NP_RANADE_OUT * BLOCK] == h) | (unsigned)(out[(NP_RANADE_OUT + 1) * BLOCK] == h) << 1;
        observe_switch(ranade, c * ranade->rows + r, (h - 2) / 2, sent);
    }
}

static void tell_wait(np_ranade *ranade, uint32_t q)
{
    const np_ranade_seen *s = ranade->seen;
    uint32_t node = s->node[q], first = s->selected[node], way = s->way[q];
    uint32_t queue = way == OWN ? 0 : queue_of(ranade, node, way) + (s->left[node] >> way & 1);
    np_event_reason reason = first == NOBODY              ? NP_EVENT_ORDER
                             : s->tag[first] == s->tag[q] ? NP_EVENT_ROOM
                                                          : NP_EVENT_BEHIND;
    np_link wanted = node == end_of(ranade, q) ? NP_NONE : ranade->job->leveled->out[node] + port_of(ranade, q, node);
    put(ranade, np_event_waited(ranade->now + 1, packet_of(ranade, q), node, wanted, queue, reason,
                                reason == NP_EVENT_BEHIND ? packet_of(ranade, first) : NP_NONE));
}

np_status np_ranade_observe_rest(np_ranade *ranade)
{
    const np_ranade_seen *s = ranade->seen;
    bool waits = np_event_feed_needs(&s->feed->feed, NP_EVENT_WAITED);
    for (uint32_t q = 0; q < s->messages && waits; q++)
        if (s->node[q] != NOBODY && s->acted[q] != ranade->now + 1)
            tell_wait(ranade, q);
    if (!np_event_feed_flush(&s->feed->feed))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", ranade->now + 1);
    return NP_OK;
}
