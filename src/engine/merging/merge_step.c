/*
 * The method `stepping`: merging on any leveled network, node by node (Leighton,
 * Maggs, Ranade & Rao 1994, section 2.2; what a step is: netpram/merging.h).
 *
 * A step goes from the last level down to the first; edge_queue.h says what a node
 * then sees of its queues. A ghost needs no room and no removal: it is a word
 * beside the queue, good in one step only.
 *
 * Symbols: q queue size, L depth, s a message's length.
 * Invariants (Lemma 2.1): every queue is in order of words from head to tail, and
 * so is what a node sends. Debug builds audit the order of queues.
 */
#include <assert.h>

#include "base/memory.h"
#include "engine/merging/merge_inside.h"
#include "base/room.h"

/*
 * A queue never holds more packets than use its edge, so all queues together need no more places than there are hops.
 */
static uint64_t places_of(const np_merge *merge)
{
    uint64_t full = (uint64_t)merge->job->leveled->edges * merge->options.queue_size;
    return full < merge->job->path_set->hops ? full : merge->job->path_set->hops;
}

static void merge_lay_out_steps(np_merge *merge, np_arena *arena)
{
    const np_leveled *lv = merge->job->leveled;
    size_t packets = merge->job->path_set->room;
    np_arena_array(arena, &merge->slot, places_of(merge), sizeof *merge->slot, "queues");
    np_arena_zeroed(arena, &merge->position, packets, sizeof *merge->position, "packets on their way");
    np_arena_array(arena, &merge->active, lv->nodes, sizeof *merge->active, "nodes");
    np_arena_zeroed(arena, &merge->wakes, lv->nodes, sizeof *merge->wakes, "nodes");
    np_arena_array(arena, &merge->arrival, packets, sizeof *merge->arrival, "packets on their way");
}

static void layout(void *object, np_arena *arena)
{
    np_merge *merge = object;
    const np_leveled *lv = merge->job->leveled;
    merge_lay_out_steps(merge, arena);
    np_arena_array(arena, &merge->edge, lv->edges, sizeof *merge->edge, "edges");
    merge->sending = NULL;
    if (np_merge_has_lengths(merge))
        np_arena_zeroed(arena, &merge->sending, lv->nodes, sizeof *merge->sending, "nodes");
    if (np_merge_in_cycles(&merge->options))
        np_arena_array(arena, &merge->going, lv->nodes, sizeof *merge->going, "nodes");
}

static uint64_t bytes(np_merge *merge) { return np_arena_bytes(merge, 0, layout); }

static void lay_out_queues(np_merge *merge)
{
    uint64_t sum = 0;
    for (uint32_t e = 0; e < merge->job->leveled->edges; e++) {
        np_edge_queue queue = np_edge_queue_of(merge->crossing[e], merge->options.queue_size, &sum);
        merge->edge[e] = (np_merge_edge){.queue = queue, .ghost_from = NP_NONE, .end_from = NP_NONE};
    }
}

/*
 * A node can only wait until something may be in all of its queues. This is a step after the last
 * of the nodes before it can first do more than wait. wakes[v] = the least such step of v and of
 * all nodes behind v, so wakes[] ascends.
 */
static void set_wakes(np_merge *merge)
{
    const np_leveled *lv = merge->job->leveled;
    uint32_t *wakes = merge->wakes;
    for (uint32_t v = 0; v < lv->nodes; v++)
        for (uint32_t e = lv->out[v]; e < lv->out[v + 1]; e++)
            wakes[lv->head[e]] = wakes[lv->head[e]] > wakes[v] ? wakes[lv->head[e]] : wakes[v] + 1;
    for (uint32_t v = lv->nodes; v-- > 1;)
        wakes[v - 1] = wakes[v - 1] < wakes[v] ? wakes[v - 1] : wakes[v];
}

/* Puts the nodes that wake up before the others, so that the last ones still come first. */
static void wake(np_merge *merge)
{
    while (merge->woken < merge->job->leveled->nodes &&
           (merge->record || merge->feed || merge->wakes[merge->woken] <= merge->now)) {
        *--merge->active = merge->woken++;
        merge->actives++;
    }
}

/* "If any of these queues are empty, then the node does nothing." */
static inline np_merge_selection select_least(const np_merge *merge, uint32_t node)
{
    const np_leveled *lv = merge->job->leveled;
    uint32_t at = merge->initial_at[node];
    np_merge_selection best = {at < merge->initial_end[node] ? merge->initial[at] : NP_MERGE_END_SLOT, NP_NONE};
    for (uint32_t i = lv->in[node]; i < lv->in[node + 1]; i++) {
        np_merge_slot slot = np_merge_head(merge, &merge->edge[lv->entering[i]]);
        if (slot == NP_MERGE_NO_SLOT)
            return (np_merge_selection){NP_MERGE_NO_SLOT, 0};
        if (slot < best.slot)
            best = (np_merge_selection){slot, i};
    }
    return best;
}

static inline void pop(np_merge *merge, uint32_t node, uint32_t queue)
{
    if (queue == NP_NONE) {
        merge->initial_at[node]++;
        return;
    }
    np_edge_queue_pop(&merge->edge[merge->job->leveled->entering[queue]].queue, merge->now);
}

static inline bool has_room(const np_merge *merge, const np_merge_edge *edge)
{
    return np_edge_queue_has_room(&edge->queue, merge->options.queue_size, merge->options.room, merge->now);
}

static void push(np_merge *merge, np_merge_edge *edge, np_merge_slot slot, np_step ready)
{
    assert(!edge->queue.count || merge->slot[np_edge_queue_last(&edge->queue)] < slot); /* Lemma 2.1 */
    merge->slot[np_edge_queue_push(&edge->queue)] = slot;
    edge->ready = ready;
    edge->crossed++;
    if (edge->queue.count > merge->out->queue_real_max)
        merge->out->queue_real_max = edge->queue.count;
    if (edge->crossed > merge->out->congestion_destinations)
        merge->out->congestion_destinations = edge->crossed;
}

/* With q = 1 ghosts and ends need no room (netpram/merging.h). */
static inline bool are_free(const np_merge *merge)
{
    return merge->options.queue_size == 1 && merge->options.ghosts == NP_GHOSTS_FREE;
}

static inline bool has_room_for_word(const np_merge *merge, const np_merge_edge *edge)
{
    return are_free(merge) || has_room(merge, edge);
}

static inline void send_ghost(np_merge *merge, np_merge_edge *edge, np_merge_slot ghost)
{
    edge->ghost = ghost;
    edge->ghost_from = merge->now + 1;
    merge->out->ghosts++;
    if (merge->options.physical)
        np_physical_signal(&merge->physical, (uint32_t)(edge - merge->edge));
    if (edge->queue.count + 1 > merge->queue_next)
        merge->queue_next = edge->queue.count + 1;
}

/* A ghost of the slot's packet goes over all edges out with room, but not over the packet's own edge `but`. */
static inline void send_ghosts(np_merge *merge, uint32_t node, np_merge_slot slot, uint32_t but)
{
    const np_leveled *lv = merge->job->leveled;
    if (merge->options.no_ghosts)
        return;
    for (uint32_t e = lv->out[node]; e < lv->out[node + 1]; e++) {
        np_merge_edge *edge = &merge->edge[e];
        if (e != but && has_room_for_word(merge, edge))
            send_ghost(merge, edge, slot | (np_merge_slot)1 << 32);
    }
}

/*
 * The packet stays, but it sends ghosts over the other edges (Lemma 2.2), and with q = 1 also over its own edge. Where
 * packets combine, the node at the end of its own edge must still expect a packet with this key: the ghost has the word
 * before the packet's word.
 */
static void stay(np_merge *merge, uint32_t node, np_merge_slot slot, uint32_t own)
{
    send_ghosts(merge, node, slot, own);
    if (are_free(merge) && !merge->options.no_ghosts)
        send_ghost(merge, &merge->edge[own],
                   merge->combine ? slot - ((np_merge_slot)1 << 32) : slot | (np_merge_slot)1 << 32);
}

/* Sends ends of streams over the edges that have room; true once all are sent. */
static bool send_ends(np_merge *merge, uint32_t node)
{
    const np_leveled *lv = merge->job->leveled;
    bool all = true;
    for (uint32_t e = lv->out[node]; e < lv->out[node + 1]; e++) {
        np_merge_edge *edge = &merge->edge[e];
        if (edge->end_from != NP_NONE)
            continue;
        if (has_room_for_word(merge, edge)) {
            edge->end_from = merge->now + 1;
            if (merge->options.physical)
                np_physical_signal(&merge->physical, e);
            merge->progress = merge->now;
        } else {
            all = false;
        }
    }
    return all;
}

static inline void note_left(np_merge *merge, np_packet packet)
{
    if (merge->record)
        merge->record->left[merge->job->path_set->begin[packet] + packet + merge->position[packet]] = merge->now;
}

static void consume_message(np_merge *merge, np_packet packet, uint32_t length)
{
    uint32_t hop = merge->options.message_mode == NP_MESSAGES_PIPELINED ? 1 : length;
    merge->delay[packet] = merge->now - merge->position[packet] * hop;
    if (merge->combine)
        merge->delivered[packet] = 1;
    if (merge->now + length > merge->out->steps)
        merge->out->steps = merge->now + length;
    merge->remaining--;
    if (merge->in_cycle)
        np_merge_go_in_cycle(merge, packet, NP_NONE);
    if (merge->feed)
        np_merge_tell_landing(merge, packet);
    note_left(merge, packet);
    merge->progress = merge->now;
}

static void cross(np_merge *merge, uint32_t node, uint32_t e, np_merge_slot slot, uint32_t length)
{
    const np_leveled *lv = merge->job->leveled;
    np_packet packet = np_merge_packet_of(slot);
    np_node from = lv->host[node], to = lv->host[lv->head[e]];
    bool whole = merge->options.message_mode != NP_MESSAGES_PIPELINED;
    note_left(merge, packet);
    merge->position[packet]++;
    push(merge, &merge->edge[e], slot, merge->now + (whole ? length : 1));
    merge->out->hops++;
    if (merge->in_cycle)
        np_merge_go_in_cycle(merge, packet, e);
    else if (merge->options.physical)
        np_physical_packet(&merge->physical, e);
    if (merge->feed)
        np_merge_tell_move(merge, packet, e);
    merge->progress = merge->now;
    merge->population[from]--;
    merge->arrival[merge->arrivals++] = to;
}

/* A packet or message has left the node. */
static inline void leave(np_merge *merge, uint32_t node, uint32_t queue, np_merge_slot slot)
{
    if (np_merge_joins(merge))
        np_merge_leave_initial(merge, node, np_merge_word_of(slot));
    if (queue != NP_NONE || !np_merge_joins(merge))
        pop(merge, node, queue);
}

/* A message of several packets goes on. */
static void go_on(np_merge *merge, uint32_t node)
{
    np_merge_sending *sending = &merge->sending[node];
    merge->progress = merge->now;
    sending->left--;
    if (np_merge_joins(merge))
        np_merge_join_part(merge, node, sending->slot,
                           merge->length[np_merge_packet_of(sending->slot)] - sending->left);
    if (!sending->left)
        leave(merge, node, sending->queue, sending->slot);
    if (merge->options.physical && sending->edge != NP_NONE)
        np_physical_packet(&merge->physical, sending->edge);
    send_ghosts(merge, node, sending->slot, sending->edge);
    if (merge->feed)
        np_merge_tell_sending(merge, node);
}

static void send(np_merge *merge, uint32_t node, np_merge_selection best)
{
    const np_leveled *lv = merge->job->leveled;
    const np_path_set *path_set = merge->job->path_set;
    np_packet packet = np_merge_packet_of(best.slot);
    size_t hop = path_set->begin[packet] + merge->position[packet];
    uint32_t length = merge->length ? merge->length[packet] : 1, e = NP_NONE;
    if (hop < path_set->begin[packet + 1]) {
        e = lv->out[node] + path_set->port[hop];
        if (!has_room(merge, &merge->edge[e])) {
            stay(merge, node, best.slot, e);
            return;
        }
    }
    if (np_merge_joins(merge))
        np_merge_join(merge, node, best.slot);
    if (e != NP_NONE)
        cross(merge, node, e, best.slot, length);
    else
        consume_message(merge, packet, length);
    if (length > 1)
        merge->sending[node] = (np_merge_sending){length - 1, best.queue, e, best.slot};
    else
        leave(merge, node, best.queue, best.slot);
    send_ghosts(merge, node, best.slot, e);
}

static inline void note_selected(np_merge *merge, uint32_t node, np_merge_slot slot)
{
    uint32_t *selected = &merge->record->selected[(size_t)merge->now * merge->job->leveled->nodes + node];
    if (slot == NP_MERGE_NO_SLOT)
        *selected = NP_MERGE_WAITS;
    else if (slot == NP_MERGE_END_SLOT)
        *selected = NP_MERGE_END;
    else
        *selected = 2 * np_merge_packet_of(slot) + (np_merge_word_of(slot) & 1);
}

/* Lemma 2.3: a packet waits for an empty queue only up to the step that is the level of its node. */
static void count_starved(np_merge *merge, uint32_t node)
{
    const np_leveled *lv = merge->job->leveled;
    bool holds = merge->initial_at[node] < merge->initial_end[node];
    if (merge->now <= np_leveled_level(lv, node))
        return;
    for (uint32_t i = lv->in[node]; i < lv->in[node + 1]; i++)
        holds |= merge->edge[lv->entering[i]].queue.count > 0;
    merge->out->starved += holds;
}

/* One node's part in the step; false once it has sent all there will ever be. */
static inline bool act(np_merge *merge, uint32_t node)
{
    if (merge->sending && merge->sending[node].left) {
        if (merge->record)
            note_selected(merge, node, merge->sending[node].slot);
        go_on(merge, node);
        return true;
    }
    np_merge_selection best = select_least(merge, node);
    if (best.slot == NP_MERGE_NO_SLOT && np_merge_may_starve(&merge->options))
        count_starved(merge, node);
    bool real = best.slot != NP_MERGE_NO_SLOT && best.slot != NP_MERGE_END_SLOT && !(np_merge_word_of(best.slot) & 1);
    if (merge->combine && real)
        best = merge->length ? np_merge_longest(merge, node, np_merge_word_of(best.slot))
                             : np_merge_combine(merge, node, best);
    if (merge->record)
        note_selected(merge, node, best.slot);
    if (real)
        send(merge, node, best);
    else if (best.slot != NP_MERGE_NO_SLOT && best.slot != NP_MERGE_END_SLOT)
        send_ghosts(merge, node, best.slot, NP_NONE);
    if (merge->feed)
        np_merge_tell_waits(merge, node, real ? np_merge_packet_of(best.slot) : NP_NONE);
    return best.slot != NP_MERGE_END_SLOT || !send_ends(merge, node);
}

static np_status grow_record(np_merge *merge)
{
    np_merge_record *record = merge->record;
    size_t nodes = merge->job->leveled->nodes, used = merge->now * nodes;
    np_status st =
        np_memory_need(&record->selected, used, used + nodes, &record->room, sizeof *record->selected, "a record");
    for (size_t i = 0; i < nodes && !st; i++)
        record->selected[used + i] = NP_MERGE_END; /* of nodes that have finished */
    return st;
}

/* All nodes that are listed, from the last level down. Nodes that have finished leave the list. */
static void act_all(np_merge *merge)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < merge->actives; i++) {
        uint32_t node = merge->active[i];
        if (act(merge, node))
            merge->active[kept++] = node;
    }
    merge->actives = kept;
}

/* Nodes that cannot begin yet are not listed. */
static void step(np_merge *merge)
{
    wake(merge);
    act_all(merge);
    np_hosts_arrive(merge->arrival, merge->arrivals, merge->population, &merge->out->population_max);
    merge->arrivals = 0;
}

static bool applies(const np_merge *merge)
{
    (void)merge;
    return true;
}

static np_status merge_begin_steps(np_merge *merge, np_layout *arrays)
{
    const np_leveled *lv = merge->job->leveled;
    np_status st;
    if (places_of(merge) > UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%llu places in queues: at most 2^32", (unsigned long long)places_of(merge));
    if ((st = np_arena_renew(merge, arrays, "merging by steps", &merge->method_block, &merge->method_room)))
        return st;
    set_wakes(merge);
    merge->active += lv->nodes;
    merge->actives = merge->woken = 0;
    merge->arrivals = merge->goings = 0;
    merge->progress = 0;
    merge->queue_next = 0;
    return NP_OK;
}

static np_status run_steps(np_merge *merge)
{
    np_step patience = 2 * (merge->job->leveled->depth + 2); /* ours: within L + 1 steps every node has something in
                                                                every queue */
    np_status st;
    for (merge->now = 0; merge->remaining || merge->now < merge->out->steps; merge->now++) {
        if (merge->record && (st = grow_record(merge)))
            return st;
        merge->out->queue_max = merge->queue_next; /* what the last step sent is in no queue when a step begins */
        step(merge);
        if (merge->in_cycle)
            np_merge_play_cycle(merge);
        else if (merge->options.physical)
            np_physical_step(&merge->physical);
        if (merge->feed && !np_event_feed_flush(&merge->feed->feed))
            return NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", merge->now + 1);
        if ((st = np_merge_tell_progress(merge)))
            return st;
        if (merge->now - merge->progress > patience)
            return NP_RAISE(NP_ERROR_DEADLOCK, "deadlock: %u of %u packets wait for each other since step %u",
                            merge->remaining, merge->packets, merge->progress);
    }
    if (merge->out->queue_real_max > merge->out->queue_max)
        merge->out->queue_max = merge->out->queue_real_max;
    return NP_OK;
}

static np_status run(np_merge *merge, bool *done)
{
    np_status st;
    *done = true;
    if ((st = merge_begin_steps(merge, layout)))
        return st;
    lay_out_queues(merge);
    return run_steps(merge);
}

const np_merge_method np_merge_stepping = {.name = "stepping", .applies = applies, .bytes = bytes, .run = run};
