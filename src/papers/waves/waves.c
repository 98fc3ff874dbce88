/*
 * Routing by waves on leveled networks with bounded queues.
 *
 * Source: Maggs & Sitaraman, "Simple algorithms for routing on butterfly
 * networks with bounded queues" (STOC 1992; SIAM J. Comput. 28(3), 1999). We had
 * the abstract alone.
 *
 *   of the abstract  log N packets from each input of a butterfly to random
 *                    outputs, with queues of constant size, in O(log N) steps with
 *                    high probability; no ghost messages; no comparison of ranks
 *                    or destinations as packets pass through switches; no deadlock
 *   ours             what a step is in waves.h (waves drawn at random, a token
 *                    after each, FIFO queues, the turn), and every leveled network
 *                    instead of the butterfly
 *
 * We could not check our part against the paper, and we claim none of its theorems
 * for it.
 *
 * Purpose of a wave: packets of later waves never delay packets of earlier waves,
 * though nothing is compared. The price, on the one-pass butterfly of 2^10 rows
 * with q >= 2, is one step and a half to two steps for each wave. One wave is FIFO
 * with bounded queues and nothing else. On random traffic on butterflies we found
 * one wave faster than many waves, and faster than ranks. (The abstract also has
 * O(log N) steps for any greedy protocol, with one random packet an input and
 * queues of some constant size; and it has permutations that are slow under any
 * deterministic protocol.)
 *
 * Symbols: q queue size, W waves, w(v) the wave that node v works on.
 *
 * No deadlock, for any q >= 1: until all nodes have done W waves, something
 * moves in every step (run_steps checks it). Suppose that nothing moves. Let w be
 * the least w(v) of nodes that have not done all waves, and let v be on the lowest
 * level among the nodes with w(v) = w.
 *   1. A node x with w(x) = w owes nothing: it would owe the token of wave
 *      w - 1 to a node that, still without it, would be on wave w - 1 or before.
 *   2. Nodes with edges into v are on lower levels, so past wave w: they have
 *      sent v the token of w, or owe it. No edge that is owed it has an empty
 *      queue: the token would go. So no queue of v is empty; the heads are
 *      packets and tokens of w, since v has had all that came before.
 *   3. If all are tokens, v removes them, by 1. So one is a packet. It is not at
 *      its end, and its next edge is owed no token, by 1: the queue there is full.
 *   4. Let that be a queue of node x. v has not sent the token of w, so
 *      w(x) <= w, and w(x) = w by the choice of w. What is queued there are
 *      packets of wave w, since x has had the tokens before. So 3 holds for x
 *      and the head of this queue, and so on, one level up each time: but the
 *      last level has no next edge.
 * In a step without a move nothing leaves a queue, so both rules of room agree.
 *
 * Invariants: an edge is owed at most one token, because a node that owes a token
 * does not close a wave. At most one item enters a queue in a step: a token that had
 * to wait goes when one place is free, and fills it; in the step in which a node
 * closes a wave, the node sends nothing else. What a node sees of its queues:
 * edge_queue.h.
 */
#include "papers/waves/waves.h"

#include <assert.h>

#include "base/hot.h"
#include "base/log2.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/watch.h"
#include "model/leveled/physical.h"
#include "engine/merging/edge_queue.h"
#include "engine/merging/leveled_feed.h"

/* What a queue holds: the number of a packet in the path set, or one of these. */
static const uint32_t TOKEN = UINT32_MAX, EMPTY = UINT32_MAX - 1;

/* One edge and the queue at its head. */
typedef struct stream {
    np_edge_queue queue; /* of packets and tokens, in slot[] */
    uint32_t tokens;     /* in the queue */
    bool owed;           /* the edge is owed a token, before anything else */
} stream;

typedef struct station {
    uint32_t wave;    /* the wave that it works on; W: it has finished */
    uint32_t turn;    /* the queue to start at: 0 is the initial one, i the queue of the i-th edge in */
    uint32_t owing;   /* edges out that are owed a token */
    uint32_t at, end; /* its part of initial[], from the present head on */
} station;

/* What a node has served in a step. */
typedef struct service {
    uint32_t packet; /* EMPTY: none */
    uint32_t queue;
} service;

struct np_waves {
    np_waves_options options;
    void *block;           /* the arrays of the run */
    size_t room;           /* its bytes */
    np_leveled_feed *held; /* NULL: no run has been observed */

    /* The present run. */
    const np_waves_job *job;
    np_leveled_feed *feed; /* NULL: nobody observes */
    np_phase_run *out;
    np_physical physical; /* with options.physical */
    uint32_t waves;       /* W */
    uint32_t packets, remaining;
    stream *edge;       /* [edges] */
    station *node;      /* [nodes] */
    uint32_t *slot;     /* [places_of] the edge queues' places */
    uint32_t *initial;  /* [packets] the initial queues, each by wave */
    uint32_t *wave;     /* [packets] */
    uint32_t *position; /* [packets] hops made */
    uint32_t *delay;    /* [packets] */
    uint32_t *active;   /* [nodes] nodes that have something to do, highest level first */
    uint32_t actives;
    uint32_t *population; /* [host nodes] */
    np_node *arrival;     /* [packets] hosts that got packets in this step */
    uint32_t *begin;      /* [waves + 1] where waves begin in the order of waves */
    uint32_t *crossing;   /* [edges] packets whose paths use the edge */
    uint32_t arrivals;
    np_step now;
    bool moved; /* something has moved in this step */
};

static np_status check_options(const np_waves_options *options)
{
    if (!options->queue_size)
        return NP_RAISE(NP_ERROR_INPUT, "queues of 0 packets: at least 1 is needed");
    if (options->waves > NP_WAVES_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "%u waves: at most %d", options->waves, NP_WAVES_MAX);
    return NP_OK;
}

np_status np_waves_create(const np_waves_options *options, np_waves **out)
{
    np_status st;
    *out = NULL;
    if ((st = check_options(options)) || (st = np_memory_zeroed(out, 1, sizeof **out, "the waves engine")))
        return st;
    (*out)->options = *options;
    return NP_OK;
}

void np_waves_free(np_waves *waves)
{
    if (!waves)
        return;
    NP_MEMORY_FREE(waves->block, waves->held, waves);
}

/* ---- before the first step ---- */

static uint32_t waves_of(const np_waves_options *options, const np_waves_job *job, size_t packets)
{
    uint32_t count = options->waves ? options->waves : np_log2_up(packets);
    return job->one_wave || !count ? 1 : count;
}

/* A queue never holds more than what crosses its edge: packets, and W tokens. */
static uint64_t places_of(const np_waves *waves)
{
    uint64_t edges = waves->job->leveled->edges, full = edges * waves->options.queue_size;
    uint64_t all = waves->job->path_set->hops + edges * waves->waves;
    return full < all ? full : all;
}

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the waves engine";
    np_waves *waves = object;
    const np_leveled *lv = waves->job->leveled;
    size_t packets = waves->job->path_set->room;
    np_arena_array(arena, &waves->edge, lv->edges, sizeof *waves->edge, what);
    np_arena_zeroed(arena, &waves->node, lv->nodes, sizeof *waves->node, what);
    np_arena_array(arena, &waves->slot, places_of(waves), sizeof *waves->slot, what);
    NP_ARENA_WORDS(arena, packets, what, &waves->initial, &waves->wave);
    np_arena_zeroed(arena, &waves->position, packets, sizeof *waves->position, what);
    np_arena_zeroed(arena, &waves->delay, packets, sizeof *waves->delay, what);
    np_arena_array(arena, &waves->active, lv->nodes, sizeof *waves->active, what);
    np_arena_zeroed(arena, &waves->population, lv->host_nodes, sizeof *waves->population, what);
    np_arena_array(arena, &waves->arrival, packets, sizeof *waves->arrival, what);
    np_arena_array(arena, &waves->begin, (size_t)waves->waves + 1, sizeof *waves->begin, what);
    np_arena_array(arena, &waves->crossing, lv->edges, sizeof *waves->crossing, what);
    if (waves->options.physical)
        np_physical_lay_out(&waves->physical, lv, arena);
}

uint64_t np_waves_bytes(const np_waves_options *options, const np_leveled *leveled, np_packet packets, bool observed)
{
    np_path_set path_set = {.room = packets, .hops = (size_t)packets * leveled->depth};
    np_waves_job job = {.leveled = leveled, .path_set = &path_set};
    np_waves waves = {.options = *options, .job = &job, .waves = waves_of(options, &job, packets)};
    return np_arena_bytes(&waves, sizeof waves, layout) + (observed ? sizeof(np_leveled_feed) : 0);
}

static void draw_waves(np_waves *waves)
{
    const np_waves_job *job = waves->job;
    const np_draws draws = np_draws_for(job->draws, NP_RANDOM_RANK);
    for (uint32_t i = 0; i < waves->packets; i++)
        waves->wave[i] = np_random_below(&draws, job->path_set->packet[i], 0, waves->waves);
}

static void fill_initial(np_waves *waves)
{
    const uint32_t *origin = waves->job->path_set->origin;
    uint32_t *by_wave = waves->arrival; /* scratch until the first step */
    uint32_t sum = 0;
    np_order_rows(waves->waves, waves->packets, waves->wave, waves->begin, by_wave);
    for (uint32_t i = 0; i < waves->packets; i++)
        waves->node[origin[i]].end++;
    for (uint32_t v = 0; v < waves->job->leveled->nodes; v++) {
        uint32_t count = waves->node[v].end;
        waves->node[v].at = waves->node[v].end = sum;
        sum += count;
    }
    for (uint32_t k = 0; k < waves->packets; k++)
        waves->initial[waves->node[origin[by_wave[k]]].end++] = by_wave[k];
}

static np_status lay_out_queues(np_waves *waves)
{
    const np_waves_job *job = waves->job;
    uint64_t sum = 0;
    uint32_t *end = waves->arrival; /* scratch until the first step */
    np_status st = np_path_set_follow(job->path_set, job->leveled, waves->crossing, end, &waves->out->congestion);
    for (uint32_t e = 0; e < job->leveled->edges && !st; e++) {
        uint64_t all = (uint64_t)waves->crossing[e] + waves->waves;
        waves->edge[e] = (stream){.queue = np_edge_queue_of(all, waves->options.queue_size, &sum)};
    }
    return st;
}

static void settle_origins(np_waves *waves)
{
    const np_leveled *lv = waves->job->leveled;
    np_hosts_settle(lv, waves->job->path_set, waves->job->resting, waves->population, &waves->out->population_max);
    for (uint32_t i = 0; i < lv->nodes; i++)
        waves->active[i] = lv->nodes - 1 - i;
    waves->actives = lv->nodes;
}

static np_status observe(np_waves *waves)
{
    const np_waves_job *job = waves->job;
    return np_leveled_feed_open(&waves->held, job->leveled, job->path_set, job->resting, job->observer, job->phase,
                                waves->options.queue_size, NULL, &waves->feed);
}

/* ---- queues ---- */

static inline uint32_t queues_of(const np_leveled *lv, uint32_t v) { return 1 + lv->in[v + 1] - lv->in[v]; }

static inline stream *stream_into(const np_waves *waves, uint32_t v, uint32_t queue)
{
    const np_leveled *lv = waves->job->leveled;
    return &waves->edge[lv->entering[lv->in[v] + queue - 1]];
}

static inline uint32_t head_in(const np_waves *waves, const stream *s)
{
    return s->queue.count ? waves->slot[np_edge_queue_head(&s->queue)] : EMPTY;
}

/* The head of queue `queue` of node v. In the initial one a token stands wherever the wave changes. */
static inline uint32_t head_of(const np_waves *waves, uint32_t v, uint32_t queue)
{
    if (queue)
        return head_in(waves, stream_into(waves, v, queue));
    const station *node = &waves->node[v];
    bool more = node->at < node->end && waves->wave[waves->initial[node->at]] == node->wave;
    return more ? waves->initial[node->at] : TOKEN;
}

static inline void pop(np_waves *waves, stream *s)
{
    s->tokens -= waves->slot[np_edge_queue_head(&s->queue)] == TOKEN;
    np_edge_queue_pop(&s->queue, waves->now);
    waves->moved = true;
}

static inline uint32_t packets_in(const stream *s) { return s->queue.count - s->tokens; }

static inline void push(np_waves *waves, stream *s, uint32_t item)
{
    waves->slot[np_edge_queue_push(&s->queue)] = item;
    s->tokens += item == TOKEN;
    waves->moved = true;
    if (packets_in(s) > waves->out->queue_real_max)
        waves->out->queue_real_max = packets_in(s);
}

static inline bool has_room(const np_waves *waves, const stream *s)
{
    return np_edge_queue_has_room(&s->queue, waves->options.queue_size, waves->options.room, waves->now);
}

/* ---- a step ---- */

static void pay(np_waves *waves, uint32_t v)
{
    const np_leveled *lv = waves->job->leveled;
    for (uint32_t e = lv->out[v]; waves->node[v].owing && e < lv->out[v + 1]; e++) {
        stream *s = &waves->edge[e];
        if (!s->owed || !has_room(waves, s))
            continue;
        push(waves, s, TOKEN);
        s->owed = false;
        waves->node[v].owing--;
        waves->out->tokens++;
        if (waves->options.physical)
            np_physical_signal(&waves->physical, e);
    }
}

NP_INLINE bool wave_is_over(const np_waves *waves, uint32_t v)
{
    const np_leveled *lv = waves->job->leveled;
    bool over = head_of(waves, v, 0) == TOKEN;
    for (uint32_t i = lv->in[v]; over && i < lv->in[v + 1]; i++)
        over = head_in(waves, &waves->edge[lv->entering[i]]) == TOKEN;
    return over;
}

NP_INLINE void close_wave(np_waves *waves, uint32_t v)
{
    const np_leveled *lv = waves->job->leveled;
    for (uint32_t i = 1; i < queues_of(lv, v); i++)
        pop(waves, stream_into(waves, v, i));
    for (uint32_t e = lv->out[v]; e < lv->out[v + 1]; e++)
        waves->edge[e].owed = true;
    waves->node[v].owing = lv->out[v + 1] - lv->out[v];
    waves->node[v].wave++;
    waves->moved = true;
    pay(waves, v);
}

NP_INLINE void consume(np_waves *waves, uint32_t packet)
{
    uint32_t delay = waves->delay[packet] = waves->now - waves->position[packet];
    waves->out->delay_sum += delay;
    if (delay > waves->out->delay_max)
        waves->out->delay_max = delay;
    waves->remaining--;
    waves->moved = true;
}

NP_INLINE void cross(np_waves *waves, uint32_t v, uint32_t e, uint32_t packet)
{
    const np_leveled *lv = waves->job->leveled;
    push(waves, &waves->edge[e], packet);
    waves->position[packet]++;
    waves->out->hops++;
    if (waves->options.physical)
        np_physical_packet(&waves->physical, e);
    waves->population[lv->host[v]]--;
    waves->arrival[waves->arrivals++] = lv->host[lv->head[e]];
}

/* Sends the packet on or consumes it. False: it must stay. */
NP_INLINE bool forward(np_waves *waves, uint32_t v, uint32_t packet, bool seen)
{
    const np_path_set *path_set = waves->job->path_set;
    size_t hop = path_set->begin[packet] + waves->position[packet];
    if (hop == path_set->begin[packet + 1]) {
        consume(waves, packet);
        if (seen)
            np_leveled_tell_landing(waves->feed, waves->now, packet, v);
        return true;
    }
    uint32_t e = waves->job->leveled->out[v] + path_set->port[hop];
    if (!has_room(waves, &waves->edge[e]))
        return false;
    assert(!waves->edge[e].owed); /* else it had no room when the node paid, in this step */
    cross(waves, v, e, packet);
    if (seen)
        np_leveled_tell_move(waves->feed, waves->now, packet, e, packets_in(&waves->edge[e]));
    return true;
}

/* Serves the first packet that can go, from the queue of the turn on. */
NP_INLINE service serve(np_waves *waves, uint32_t v, bool seen)
{
    station *node = &waves->node[v];
    uint32_t queues = queues_of(waves->job->leveled, v), queue = node->turn;
    for (uint32_t i = 0; i < queues; i++, queue = queue + 1 == queues ? 0 : queue + 1) {
        uint32_t item = head_of(waves, v, queue);
        if (item == TOKEN || item == EMPTY || !forward(waves, v, item, seen))
            continue;
        if (queue)
            pop(waves, stream_into(waves, v, queue));
        else
            node->at++;
        node->turn = queue + 1 == queues ? 0 : queue + 1;
        return (service){item, queue};
    }
    return (service){EMPTY, 0};
}

/* ---- what observers hear ---- */

/* A packet that is still at the node. */
static void tell_wait(np_waves *waves, uint32_t v, uint32_t packet, uint32_t queue, np_event_reason reason,
                      uint32_t other)
{
    const np_path_set *path_set = waves->job->path_set;
    size_t hop = path_set->begin[packet] + waves->position[packet];
    bool ends = hop == path_set->begin[packet + 1];
    np_link edge = ends ? NP_NONE : waves->job->leveled->out[v] + path_set->port[hop];
    np_leveled_tell_wait(waves->feed, waves->now, packet, v, edge, queue, reason, other);
}

/*
 * The items of a queue in order, one at a time. If the node served a packet, all others waited behind it. Else the
 * head, if it is a packet of the wave, found no room, and the others of the wave are behind it; those of later waves
 * wait for what goes before.
 */
static void tell_item(np_waves *waves, uint32_t v, uint32_t item, uint32_t queue, uint32_t served, uint32_t *head)
{
    if (served != EMPTY)
        tell_wait(waves, v, item, queue, NP_EVENT_BEHIND, served);
    else if (*head == TOKEN)
        tell_wait(waves, v, item, queue, NP_EVENT_ORDER, NP_NONE);
    else if (*head != EMPTY)
        tell_wait(waves, v, item, queue, NP_EVENT_BEHIND, *head);
    else
        tell_wait(waves, v, *head = item, queue, NP_EVENT_ROOM, NP_NONE);
}

/* After the node's part in a step. closed: it closed a wave, so what is left is of later waves. */
static void tell_waits(np_waves *waves, uint32_t v, service served, bool closed)
{
    const station *node = &waves->node[v];
    uint32_t head = closed ? TOKEN : EMPTY;
    if (!np_event_feed_needs(&waves->feed->feed, NP_EVENT_WAITED))
        return;
    for (uint32_t i = node->at; i < node->end; i++) {
        if (waves->wave[waves->initial[i]] != node->wave)
            head = TOKEN;
        tell_item(waves, v, waves->initial[i], 0, served.packet, &head);
    }
    for (uint32_t queue = 1; queue < queues_of(waves->job->leveled, v); queue++) {
        const stream *s = stream_into(waves, v, queue);
        uint32_t length = packets_in(s) + (served.packet != EMPTY && served.queue == queue);
        head = closed ? TOKEN : EMPTY;
        for (uint32_t k = 0; k < s->queue.count; k++) {
            uint32_t item = waves->slot[np_edge_queue_at(&s->queue, k)];
            if (item == TOKEN)
                head = TOKEN;
            else
                tell_item(waves, v, item, length, served.packet, &head);
        }
    }
}

/* ---- the steps ---- */

/* One node's part in the step; false once it has sent all there will ever be. seen: somebody observes. */
NP_INLINE bool act(np_waves *waves, uint32_t v, bool seen)
{
    station *node = &waves->node[v];
    service served = {EMPTY, 0};
    bool closed = false;
    if (node->owing)
        pay(waves, v);
    if (node->wave < waves->waves) {
        closed = !node->owing && wave_is_over(waves, v);
        if (closed)
            close_wave(waves, v);
        else
            served = serve(waves, v, seen);
    }
    if (seen)
        tell_waits(waves, v, served, closed);
    return node->wave < waves->waves || node->owing;
}

NP_INLINE void step(np_waves *waves, bool seen)
{
    uint32_t *active = waves->active, actives = waves->actives, kept = 0;
    for (uint32_t i = 0; i < actives; i++) {
        uint32_t v = active[i];
        if (act(waves, v, seen))
            active[kept++] = v;
    }
    waves->actives = kept;
}

static void step_seen(np_waves *waves) { step(waves, true); }
static void step_unseen(np_waves *waves) { step(waves, false); }

static np_status run_steps(np_waves *waves)
{
    void (*const one)(np_waves *) = waves->feed ? step_seen : step_unseen;
    const size_t hops = waves->job->path_set->begin[waves->packets];
    np_status st;
    for (waves->now = 0; waves->remaining; waves->now++) {
        waves->moved = false;
        one(waves);
        if (waves->options.physical)
            np_physical_step(&waves->physical);
        if (waves->feed && !np_event_feed_flush(&waves->feed->feed))
            return NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", waves->now + 1);
        np_hosts_arrive(waves->arrival, waves->arrivals, waves->population, &waves->out->population_max);
        waves->arrivals = 0;
        if ((st = np_watch_share(waves->job->watch, NULL, hops ? (double)waves->out->hops / (double)hops : 1)))
            return st;
        if (!waves->moved) /* the file's head says why this cannot be */
            return NP_RAISE(NP_ERROR_INTERNAL, "waves: %u of %u packets stand still since step %u", waves->remaining,
                            waves->packets, waves->now);
    }
    return NP_OK;
}

np_status np_waves_run(np_waves *waves, const np_waves_job *job, np_phase_run *out)
{
    np_status st;
    if (job->path_set->packets >= EMPTY)
        return NP_RAISE(NP_ERROR_LIMIT, "%u packets in waves: at most %u", job->path_set->packets, EMPTY - 1);
    waves->job = job;
    waves->out = out;
    waves->packets = waves->remaining = job->path_set->packets;
    waves->waves = waves_of(&waves->options, job, waves->packets);
    *out = (np_phase_run){.packets = waves->packets, .levels = job->leveled->depth};
    if (places_of(waves) > UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%llu places in queues: at most 2^32", (unsigned long long)places_of(waves));
    if ((st = np_arena_renew(waves, layout, "the waves engine", &waves->block, &waves->room)))
        return st;
    np_physical_begin(&waves->physical, job->leveled);
    draw_waves(waves);
    fill_initial(waves);
    if ((st = lay_out_queues(waves)))
        return st;
    settle_origins(waves);
    if ((st = observe(waves)) || (st = run_steps(waves)))
        return st;
    out->steps = waves->now;
    out->physical_steps = waves->physical.steps;
    out->queue_max = out->queue_real_max;
    out->congestion_destinations = out->congestion;
    out->node_steps = (uint64_t)job->leveled->nodes * out->steps;
    return waves->feed ? np_event_feed_end(&waves->feed->feed, out) : NP_OK;
}

const uint32_t *np_waves_delays(const np_waves *waves) { return waves->delay; }
