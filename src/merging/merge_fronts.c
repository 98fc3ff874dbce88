/*
 * The method `fronts`: merging node by node, as merge_step.c does it, with the same outcome to the bit. It serves runs
 * that nobody watches closely: messages of one packet, ghosts, room as it is when the step begins.
 *
 * A queue has a front: the one word that the node may select from it in this step. A front is 0 if there is none. So the
 * least front tells a node in one pass, without a branch that no processor foresees, what it selects or that it waits.
 * Queues lie in the order of the nodes that they enter. Nodes act from the last level down. So a node sets the fronts
 * of the queues behind its edges for the next step, after the nodes behind them have taken packets out.
 *
 * Symbols: q queue size.
 */
#include <assert.h>

#include "base/arena.h"
#include "base/hot.h"
#include "merging/merge_inside.h"

static const np_merge_slot END = (np_merge_slot)NP_MERGE_END << 32, GHOST = (np_merge_slot)1 << 32;

/* The queue at the head of an edge. */
typedef struct np_merge_front {
    np_merge_slot front;   /* the first packet, else a ghost or an end that has come, else 0 */
    np_edge_queue queue;   /* of packets, in slot[] */
    uint32_t crossed : 31; /* packets so far */
    uint32_t ended : 1;    /* the end has been sent */
} np_merge_front;

/* What a node has selected, and from which queue (its index in fronts[]; NP_NONE: the initial queue). */
typedef struct selection {
    np_merge_slot slot; /* 0: the node waits */
    uint32_t queue;
} selection;

static bool applies(const np_merge *merge)
{
    const np_merge_options *options = &merge->options;
    return options->room == NP_ROOM_BEGIN && !np_merge_may_starve(options) && !np_merge_has_lengths(merge) &&
           !np_merge_in_cycles(options) && !options->physical && !merge->record && !merge->feed;
}

static void layout(void *object, np_arena *arena)
{
    np_merge *merge = object;
    const np_leveled *lv = merge->job->leveled;
    np_merge_lay_out_steps(merge, arena);
    np_arena_array(arena, &merge->fronts, lv->edges, sizeof *merge->fronts, "edges");
    np_arena_array(arena, &merge->entered, lv->edges, sizeof *merge->entered, "edges");
}

static uint64_t bytes(np_merge *merge) { return np_arena_bytes(merge, 0, layout); }

static void lay_out_queues(np_merge *merge)
{
    const np_leveled *lv = merge->job->leveled;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < lv->edges; i++) {
        uint32_t e = lv->entering[i];
        np_edge_queue queue = np_edge_queue_of(merge->crossing[e], merge->options.queue_size, &sum);
        merge->fronts[i] = (np_merge_front){.queue = queue};
        merge->entered[e] = i;
    }
}

/* The least front; 0 if a queue has none: "If any of these queues are empty, then the node does nothing." */
NP_INLINE selection select_least(const np_merge *merge, uint32_t node)
{
    const uint32_t *in = merge->job->leveled->in;
    uint32_t at = merge->initial_at[node];
    selection best = {at < merge->initial_end[node] ? merge->initial[at] : END, NP_NONE};
    for (uint32_t i = in[node]; i < in[node + 1]; i++) {
        np_merge_slot slot = merge->fronts[i].front;
        bool less = slot < best.slot;
        best.queue = less ? i : best.queue;
        best.slot = less ? slot : best.slot;
    }
    return best;
}

NP_INLINE void pop(np_merge *merge, uint32_t node, uint32_t queue)
{
    if (queue == NP_NONE) {
        merge->initial_at[node]++;
        return;
    }
    np_merge_front *f = &merge->fronts[queue];
    np_edge_queue_pop(&f->queue, merge->now);
    np_merge_slot next = merge->slot[np_edge_queue_head(&f->queue)];
    f->front = f->queue.count ? next : f->ended ? END : 0;
}

/* All heads that equal the selected packet become one with the first of them; see merge_combine.c. */
static selection combine(np_merge *merge, uint32_t node, selection best)
{
    const np_leveled *lv = merge->job->leveled;
    np_merge_word word = np_merge_word_of(best.slot);
    best = np_merge_combine_initial(merge, node, word) ? (selection){merge->initial[merge->initial_at[node]], NP_NONE}
                                                       : (selection){0, 0};
    for (uint32_t i = lv->in[node]; i < lv->in[node + 1]; i++) {
        np_merge_slot slot = merge->fronts[i].front;
        if (np_merge_word_of(slot) != word)
            continue;
        if (!best.slot) {
            best = (selection){slot, i};
        } else {
            np_merge_absorb(merge, node, np_merge_packet_of(best.slot), np_merge_packet_of(slot));
            pop(merge, node, i);
        }
    }
    return best;
}

/* A word goes over the edge, if there is room: `ghost`, or nothing if it is 0. */
NP_INLINE void send_ghost(np_merge *merge, np_merge_front *f, np_merge_slot ghost, bool room)
{
    bool sent = room && ghost;
    uint32_t longer = sent ? f->queue.count + 1 : 0;
    merge->out->ghosts += sent;
    merge->queue_next = longer > merge->queue_next ? longer : merge->queue_next;
    f->front = f->queue.count ? f->front : sent ? ghost : 0;
}

NP_INLINE bool has_room(const np_merge *merge, const np_merge_front *f)
{
    return np_edge_queue_has_room(&f->queue, merge->options.queue_size, NP_ROOM_BEGIN, merge->now);
}

/* All edges but `but` get the ghost if they have room; with q = 1 ghosts need none. */
NP_INLINE void send_ghosts(np_merge *merge, uint32_t node, np_merge_slot ghost, uint32_t but)
{
    const uint32_t *out = merge->job->leveled->out;
    bool always = merge->options.queue_size == 1;
    for (uint32_t e = out[node]; e < out[node + 1]; e++) {
        np_merge_front *f = &merge->fronts[merge->entered[e]];
        if (e != but)
            send_ghost(merge, f, ghost, always | has_room(merge, f));
    }
}

/* The packet crosses its edge. */
NP_INLINE void cross(np_merge *merge, uint32_t node, uint32_t e, np_merge_slot slot)
{
    const np_leveled *lv = merge->job->leveled;
    np_merge_front *f = &merge->fronts[merge->entered[e]];
    assert(!f->queue.count || merge->slot[np_edge_queue_last(&f->queue)] < slot); /* Lemma 2.1 */
    merge->slot[np_edge_queue_push(&f->queue)] = slot;
    f->front = f->queue.count > 1 ? f->front : slot;
    f->crossed++;
    if (f->queue.count > merge->out->queue_real_max)
        merge->out->queue_real_max = f->queue.count;
    if (f->crossed > merge->out->congestion_destinations)
        merge->out->congestion_destinations = f->crossed;
    merge->position[np_merge_packet_of(slot)]++;
    merge->out->hops++;
    merge->population[lv->host[node]]--;
    merge->arrival[merge->arrivals++] = lv->host[lv->head[e]];
}

/* The selected packet is consumed, or crosses its edge if that has room. */
NP_INLINE void send(np_merge *merge, uint32_t node, selection best)
{
    const np_path_set *path_set = merge->job->path_set;
    np_packet packet = np_merge_packet_of(best.slot);
    size_t hop = path_set->begin[packet] + merge->position[packet];
    uint32_t e = NP_NONE;
    if (hop < path_set->begin[packet + 1]) {
        e = merge->job->leveled->out[node] + path_set->port[hop];
        np_merge_front *own = &merge->fronts[merge->entered[e]];
        if (!has_room(merge, own)) {
            send_ghosts(merge, node, best.slot | GHOST, e);
            if (merge->options.queue_size == 1) /* see stay in merge_step.c */
                send_ghost(merge, own, merge->combine ? best.slot - GHOST : best.slot | GHOST, true);
            return;
        }
        cross(merge, node, e, best.slot);
    } else {
        np_merge_consume(merge, packet);
    }
    merge->progress = merge->now;
    pop(merge, node, best.queue);
    send_ghosts(merge, node, best.slot | GHOST, e);
}

/* Sends ends of streams over the edges that have room; true once all are sent. */
static bool send_ends(np_merge *merge, uint32_t node)
{
    const uint32_t *out = merge->job->leveled->out;
    bool all = true, always = merge->options.queue_size == 1;
    for (uint32_t e = out[node]; e < out[node + 1]; e++) {
        np_merge_front *f = &merge->fronts[merge->entered[e]];
        if (f->ended)
            continue;
        bool sent = always || has_room(merge, f);
        f->ended = sent;
        f->front = f->queue.count ? f->front : sent ? END : 0;
        all &= sent;
        merge->progress = sent ? merge->now : merge->progress;
    }
    return all;
}

/* One node's part in the step; false once it has sent all there will ever be. */
NP_INLINE bool act(np_merge *merge, uint32_t node)
{
    selection best = select_least(merge, node);
    bool packet = best.slot && !(best.slot & GHOST) && best.slot != END;
    if (packet && merge->combine)
        best = combine(merge, node, best);
    if (packet)
        send(merge, node, best);
    else if (best.slot == END)
        return !send_ends(merge, node);
    else
        send_ghosts(merge, node, best.slot, NP_NONE);
    return true;
}

static void act_all(np_merge *merge)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < merge->actives; i++) {
        uint32_t node = merge->active[i];
        merge->active[kept] = node;
        kept += act(merge, node);
    }
    merge->actives = kept;
}

static np_status run(np_merge *merge, bool *done)
{
    np_status st;
    *done = true;
    if ((st = np_merge_begin_steps(merge, layout)))
        return st;
    lay_out_queues(merge);
    return np_merge_run_steps(merge, act_all);
}

const np_merge_method np_merge_fronts = {.name = "fronts", .applies = applies, .bytes = bytes, .run = run};
