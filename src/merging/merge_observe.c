/* What observers hear of merging (leveled_feed.h). */
#include "merging/merge_inside.h"

np_status np_merge_observe_begin(np_merge *merge)
{
    const np_merge_job *job = merge->job;
    merge->feed = NULL;
    if (job->observer && merge->options.message_most > 1)
        return NP_RAISE(NP_ERROR_APPLY, "events are told of messages of one packet, not of %u: try message length 1",
                        merge->options.message_most);
    return np_leveled_feed_open(&merge->held, job->leveled, job->path_set, job->observer, job->phase,
                                merge->options.queue_size, &merge->feed);
}

void np_merge_tell_move(np_merge *merge, np_packet packet, uint32_t edge)
{
    np_leveled_tell_move(merge->feed, merge->now, packet, edge, merge->edge[edge].queue.count);
}

void np_merge_tell_landing(np_merge *merge, np_packet packet)
{
    np_leveled_tell_landing(merge->feed, merge->now, packet, merge->destination[packet]);
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
    if (!np_event_feed_needs(&merge->feed->feed, NP_EVENT_WAITED))
        return;
    for (uint32_t i = merge->initial_at[node]; i < merge->initial_end[node]; i++)
        tell_wait(merge, node, np_merge_packet_of(merge->initial[i]), 0, first);
    for (uint32_t i = lv->in[node]; i < lv->in[node + 1]; i++) {
        const np_edge_queue *queue = &merge->edge[lv->entering[i]].queue;
        for (uint32_t k = 0; k < queue->count; k++)
            tell_wait(merge, node, np_merge_packet_of(merge->slot[np_edge_queue_at(queue, k)]),
                      queue->count + (queue->freed == merge->now), first);
    }
}
