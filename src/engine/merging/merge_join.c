/*
 * Messages of several packets that combine while they go: "message combining can also be made to work with pipelining"
 * (Leighton, Maggs, Ranade & Rao 1994, section 2.3.2, which refers to Ranade's thesis and to the Fluent machine).
 *
 * A node selects a message when all of its queues have something at their heads, and then knows all messages for this
 * destination that will ever come to it: they are at the heads, too, or follow in the initial queue. When the selected
 * message goes, they all go in step. The k-th packet that the node sends (or consumes) is made of the k-th packets of
 * all of them, so no link carries more than one packet in a step, and nobody waits for the end of a message. If there
 * is no room ahead, nothing combines, and all stay where they are.
 *
 * The paper leaves three things open. Ours:
 *   - messages of different lengths: the longest (of equals the first, in the order of the node's queues) goes on, and
 *     the others become parts of it. So the length of a message never changes;
 *   - a message leaves its queue with its own last packet, and the longest one when the node is done;
 *   - a pipelined message may begin to combine when its first packet has come. Packets come and go without a break, so
 *     its k-th packet is there in the step in which the k-th packets of the others go.
 */
#include "engine/merging/merge_inside.h"

/* The end of the messages with this word in the initial queue. */
static uint32_t initial_equals(const np_merge *merge, uint32_t node, np_merge_word word)
{
    uint32_t end = merge->initial_at[node];
    while (end < merge->initial_end[node] && np_merge_word_of(merge->initial[end]) == word)
        end++;
    return end;
}

static uint32_t length_of(const np_merge *merge, np_merge_slot slot) { return merge->length[np_merge_packet_of(slot)]; }

np_merge_selection np_merge_longest(const np_merge *merge, uint32_t node, np_merge_word word)
{
    const np_leveled *lv = merge->job->leveled;
    np_merge_selection best = {NP_MERGE_NO_SLOT, NP_NONE};
    uint32_t most = 0;
    for (uint32_t i = merge->initial_at[node], end = initial_equals(merge, node, word); i < end; i++)
        if (length_of(merge, merge->initial[i]) > most) {
            best.slot = merge->initial[i];
            most = length_of(merge, best.slot);
        }
    for (uint32_t i = lv->in[node]; i < lv->in[node + 1]; i++) {
        np_merge_slot slot = np_merge_head(merge, &merge->edge[lv->entering[i]]);
        if (np_merge_word_of(slot) == word && length_of(merge, slot) > most) {
            best = (np_merge_selection){slot, i};
            most = length_of(merge, slot);
        }
    }
    return best;
}

static void join(np_merge *merge, np_packet kept, np_merge_slot slot)
{
    if (np_merge_packet_of(slot) != kept)
        np_merge_count_combined(merge, kept, np_merge_packet_of(slot));
}

void np_merge_join(np_merge *merge, uint32_t node, np_merge_slot kept)
{
    const np_leveled *lv = merge->job->leveled;
    np_merge_word word = np_merge_word_of(kept);
    np_packet packet = np_merge_packet_of(kept);
    for (uint32_t i = merge->initial_at[node], end = initial_equals(merge, node, word); i < end; i++)
        join(merge, packet, merge->initial[i]);
    for (uint32_t i = lv->in[node]; i < lv->in[node + 1]; i++) {
        np_merge_slot slot = np_merge_head(merge, &merge->edge[lv->entering[i]]);
        if (np_merge_word_of(slot) == word)
            join(merge, packet, slot);
    }
    np_merge_join_part(merge, node, kept, 1);
}

/* The sent-th packet of the message at `slot` goes; true if it is the last one, and not the kept message's. */
static bool part_of(np_merge *merge, uint32_t node, np_packet kept, np_merge_slot slot, uint32_t sent)
{
    np_packet gone = np_merge_packet_of(slot);
    if (gone == kept || merge->length[gone] < sent)
        return false;
    if (merge->length[gone] == sent)
        np_merge_end_combined(merge, node, kept, gone);
    else if (merge->feed)
        np_merge_tell_part(merge, gone, node);
    return merge->length[gone] == sent;
}

void np_merge_join_part(np_merge *merge, uint32_t node, np_merge_slot kept, uint32_t sent)
{
    const np_leveled *lv = merge->job->leveled;
    np_merge_word word = np_merge_word_of(kept);
    np_packet packet = np_merge_packet_of(kept);
    for (uint32_t i = merge->initial_at[node], end = initial_equals(merge, node, word); i < end; i++)
        part_of(merge, node, packet, merge->initial[i], sent);
    for (uint32_t i = lv->in[node]; i < lv->in[node + 1]; i++) {
        np_edge_queue *queue = &merge->edge[lv->entering[i]].queue;
        np_merge_slot slot = queue->count ? merge->slot[np_edge_queue_head(queue)] : NP_MERGE_NO_SLOT;
        if (np_merge_word_of(slot) == word && part_of(merge, node, packet, slot, sent))
            np_edge_queue_pop(queue, merge->now);
    }
}

void np_merge_leave_initial(np_merge *merge, uint32_t node, np_merge_word word)
{
    merge->initial_at[node] = initial_equals(merge, node, word);
}
