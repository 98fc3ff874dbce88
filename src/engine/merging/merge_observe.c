/* What observers hear of merging (leveled_feed.h). */
#include "engine/merging/merge_inside.h"

/* Does a message of several packets go on when all its packets have come? Else when the first one has. */
static bool goes_whole(const np_merge *merge) { return merge->options.message_mode != NP_MESSAGES_PIPELINED; }

static const np_observer *observer_of(np_merge *merge, np_status *st)
{
    const np_observer *observer = merge->job->observer;
    if (merge->options.message_most == 1 || np_merge_has_lengths(merge))
        return observer;
    *st = np_cycle_feed_renew(&merge->cycles, observer, merge->cycle, merge->packets);
    return *st ? NULL : &merge->cycles->observer;
}

np_status np_merge_observe_begin(np_merge *merge)
{
    static const char *const modes[] = {"cycles", "asynchronous", "pipelined"};
    const np_merge_job *job = merge->job;
    np_status st = NP_OK;
    merge->feed = NULL;
    if (!job->observer)
        return NP_OK;
    np_event_phase phase = *job->phase;
    phase.messages = merge->options.message_most > 1 ? modes[merge->options.message_mode] : NULL;
    const np_observer *observer = observer_of(merge, &st);
    return st ? st
              : np_leveled_feed_open(&merge->held, job->leveled, job->path_set, job->resting, observer, &phase,
                                     merge->options.queue_size, merge->length, &merge->feed);
}

/* A packet of the message crosses its link, or lands, and it is not the one that counts. */
void np_merge_tell_part(np_merge *merge, np_packet packet, uint32_t node)
{
    np_leveled_tell_wait(merge->feed, merge->now, packet, node, NP_NONE, 0, NP_EVENT_LENGTH, NP_NONE);
}

static void tell_moved(np_merge *merge, np_packet packet, uint32_t edge)
{
    np_leveled_tell_move(merge->feed, merge->now, packet, edge, merge->edge[edge].queue.count);
}

static bool is_long(const np_merge *merge, np_packet packet) { return merge->length && merge->length[packet] > 1; }

void np_merge_tell_move(np_merge *merge, np_packet packet, uint32_t edge)
{
    if (is_long(merge, packet) && goes_whole(merge))
        np_merge_tell_part(merge, packet, merge->job->leveled->tail[edge]);
    else
        tell_moved(merge, packet, edge);
}

void np_merge_tell_landing(np_merge *merge, np_packet packet)
{
    if (is_long(merge, packet))
        np_merge_tell_part(merge, packet, merge->destination[packet]);
    else
        np_leveled_tell_landing(merge->feed, merge->now, packet, merge->destination[packet]);
}

void np_merge_tell_sending(np_merge *merge, uint32_t node)
{
    const np_merge_sending *sending = &merge->sending[node];
    np_packet packet = np_merge_packet_of(sending->slot);
    bool lands = sending->edge == NP_NONE;
    if (sending->left && (lands || goes_whole(merge)))
        np_merge_tell_part(merge, packet, node);
    else if (lands)
        np_leveled_tell_landing(merge->feed, merge->now, packet, node);
    else if (goes_whole(merge))
        tell_moved(merge, packet, sending->edge);
    np_merge_tell_waits(merge, node, packet);
}

void np_merge_tell_combining(np_merge *merge, uint32_t node, np_packet kept, np_packet gone)
{
    const np_packet *number = merge->feed->number;
    np_event_feed_put(&merge->feed->feed,
                      np_event_joined(NP_EVENT_COMBINED, merge->now + 1, number[gone], number[kept], node));
}

/* A packet that is still at the node. first: the packet that was selected; NP_NONE: none was. */
static void tell_wait(np_merge *merge, uint32_t node, np_packet packet, uint32_t queue, np_packet first)
{
    const np_path_set *path_set = merge->job->path_set;
    size_t hop = path_set->begin[packet] + merge->position[packet];
    bool ends = hop == path_set->begin[packet + 1];
    np_link edge = ends ? NP_NONE : merge->job->leveled->out[node] + path_set->port[hop];
    np_event_reason reason = first == NP_NONE ? NP_EVENT_ORDER : first == packet ? NP_EVENT_ROOM : NP_EVENT_BEHIND;
    np_leveled_tell_wait(merge->feed, merge->now, packet, node, edge, queue, reason,
                         reason == NP_EVENT_BEHIND ? first : NP_NONE);
}

void np_merge_tell_waits(np_merge *merge, uint32_t node, np_packet first)
{
    const np_leveled *lv = merge->job->leveled;
    bool sends = merge->sending && merge->sending[node].left;
    np_merge_word sent = /* it is in its queue to the end; so are others that become a part of it */
        sends ? np_merge_word_of(merge->sending[node].slot) : NP_MERGE_WAITS;
    if (!np_event_feed_needs(&merge->feed->feed, NP_EVENT_WAITED))
        return;
    for (uint32_t i = merge->initial_at[node]; i < merge->initial_end[node]; i++)
        if (np_merge_word_of(merge->initial[i]) != sent)
            tell_wait(merge, node, np_merge_packet_of(merge->initial[i]), 0, first);
    for (uint32_t i = lv->in[node]; i < lv->in[node + 1]; i++) {
        const np_merge_edge *edge = &merge->edge[lv->entering[i]];
        const np_edge_queue *queue = &edge->queue;
        uint32_t there = queue->count - (queue->count && edge->ready > merge->now); /* the last has not come whole */
        for (uint32_t k = 0; k < there; k++) {
            np_merge_slot slot = merge->slot[np_edge_queue_at(queue, k)];
            if (np_merge_word_of(slot) != sent)
                tell_wait(merge, node, np_merge_packet_of(slot), there + (queue->freed == merge->now), first);
        }
    }
}
