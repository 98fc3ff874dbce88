/* What observers hear of merging: edges and nodes are those of the leveled network, and step t of the engine is t + 1. */
#include "base/memory.h"
#include "merging/merge_inside.h"

static np_packet number_of(const np_merge *merge, np_packet packet) { return merge->job->path_set->packet[packet]; }

np_status np_merge_observe_begin(np_merge *merge)
{
    const np_merge_job *job = merge->job;
    const np_leveled *lv = job->leveled;
    np_event_phase phase;
    np_status st;
    merge->feed = NULL;
    if (!job->observer)
        return NP_OK;
    if (merge->options.message_most > 1)
        return NP_RAISE(NP_ERROR_APPLY, "events are told of messages of one packet, not of %u",
                        merge->options.message_most);
    if (lv->host_links != np_network_link_numbers(job->phase->network))
        return NP_RAISE(NP_ERROR_APPLY, "events of merging on %s are not told: its leveled network numbers links anew",
                        np_network_spec(job->phase->network));
    if (!merge->held && (st = np_memory_array(&merge->held, 1, sizeof *merge->held, "an observed run")))
        return st;
    phase = *job->phase;
    phase.queue_size = merge->options.queue_size;
    merge->feed = merge->held;
    merge->observed = (np_event_leveled){lv->nodes, lv->edges, lv->tail, lv->head, lv->host, lv->walk, lv->link};
    phase.leveled = &merge->observed;
    if ((st = np_event_feed_begin(merge->feed, job->observer, &phase)))
        return st;
    for (np_packet i = 0; i < merge->packets; i++)
        np_event_feed_put(merge->feed,
                          np_event_injected(number_of(merge, i), job->path_set->origin[i], merge->destination[i]));
    return NP_OK;
}

void np_merge_tell_move(np_merge *merge, np_packet packet, uint32_t edge)
{
    const np_leveled *lv = merge->job->leveled;
    np_event_feed_put(merge->feed, np_event_moved(merge->now + 1, number_of(merge, packet), lv->tail[edge],
                                                  lv->head[edge], edge, merge->edge[edge].queue.count));
}

void np_merge_tell_landing(np_merge *merge, np_packet packet)
{
    np_event_feed_put(merge->feed,
                      np_event_landed(merge->now + 1, number_of(merge, packet), merge->destination[packet]));
}

void np_merge_tell_combining(np_merge *merge, uint32_t node, np_packet kept, np_packet gone)
{
    np_event_feed_put(merge->feed, np_event_joined(NP_EVENT_COMBINED, merge->now + 1, number_of(merge, gone),
                                                   number_of(merge, kept), node));
}

/* A packet that is still at the node. first: the packet that was selected; NP_NONE: none was. */
static void tell_wait(np_merge *merge, uint32_t node, np_packet packet, uint32_t queue, np_packet first)
{
    const np_path_set *path_set = merge->job->path_set;
    size_t hop = path_set->begin[packet] + merge->position[packet];
    bool ends = hop == path_set->begin[packet + 1];
    np_link edge = ends ? NP_NONE : merge->job->leveled->out[node] + path_set->port[hop];
    np_event_reason reason = first == NP_NONE ? NP_EVENT_ORDER : first == packet ? NP_EVENT_ROOM : NP_EVENT_BEHIND;
    np_event_feed_put(merge->feed, np_event_waited(merge->now + 1, number_of(merge, packet), node, edge, queue, reason,
                                                   reason == NP_EVENT_BEHIND ? number_of(merge, first) : NP_NONE));
}

void np_merge_tell_waits(np_merge *merge, uint32_t node, np_packet first)
{
    const np_leveled *lv = merge->job->leveled;
    for (uint32_t i = merge->initial_at[node]; i < merge->initial_end[node]; i++)
        tell_wait(merge, node, np_merge_packet_of(merge->initial[i]), 0, first);
    for (uint32_t i = lv->in[node]; i < lv->in[node + 1]; i++) {
        const np_edge_queue *queue = &merge->edge[lv->entering[i]].queue;
        for (uint32_t k = 0; k < queue->count; k++) {
            uint32_t at = queue->head + k;
            at = queue->begin + (at >= queue->room ? at - queue->room : at);
            tell_wait(merge, node, np_merge_packet_of(merge->slot[at]), queue->count + (queue->freed == merge->now),
                      first);
        }
    }
}
