/*
 * Combining (Leighton, Maggs, Ranade & Rao 1994, section 2.3.1): packets for one destination that meet at the head of a
 * node's queues become one packet, at once, even if this packet has to stay. No other packet for the destination will
 * come to the node later, since every queue's head is at or past its rank. Messages of several packets that go by
 * themselves become one while they go: merge_join.c.
 */
#include "base/combine.h"
#include "engine/merging/merge_inside.h"

_Static_assert(NP_COMBINE_OR - NP_COMBINE_SUM == NP_COMBINATION_OR, "both have one order");

static uint64_t combined_value(np_combine rule, uint64_t a, uint64_t b)
{
    return rule < NP_COMBINE_SUM ? a : np_combine_words((np_combination)(rule - NP_COMBINE_SUM), a, b, a < b);
}

void np_merge_combine_values(np_merge *merge, np_packet kept, np_packet gone)
{
    merge->value[kept] = combined_value(merge->options.combine, merge->value[kept], merge->value[gone]);
}

void np_merge_count_combined(np_merge *merge, np_packet kept, np_packet gone)
{
    bool whole = merge->length && merge->options.message_mode != NP_MESSAGES_PIPELINED;
    uint32_t hop = whole ? merge->length[gone] : 1;
    np_merge_combine_values(merge, kept, gone);
    merge->delay[gone] = merge->now - merge->position[gone] * hop;
    if (merge->in_cycle && merge->in_cycle[gone] > merge->in_cycle[kept])
        merge->in_cycle[kept] = merge->in_cycle[gone];
    merge->remaining--;
    merge->out->combined++;
    merge->progress = merge->now;
}

void np_merge_end_combined(np_merge *merge, uint32_t node, np_packet kept, np_packet gone)
{
    merge->population[merge->job->leveled->host[node]]--;
    if (merge->feed)
        np_merge_tell_combining(merge, node, kept, gone);
}

static void merge_absorb(np_merge *merge, uint32_t node, np_packet kept, np_packet gone)
{
    np_merge_count_combined(merge, kept, gone);
    np_merge_end_combined(merge, node, kept, gone);
}

static bool merge_combine_initial(np_merge *merge, uint32_t node, np_merge_word word)
{
    uint32_t at = merge->initial_at[node], end = merge->initial_end[node];
    if (at == end || np_merge_word_of(merge->initial[at]) != word)
        return false;
    np_merge_slot kept = merge->initial[at];
    while (++at < end && np_merge_word_of(merge->initial[at]) == word)
        merge_absorb(merge, node, np_merge_packet_of(kept), np_merge_packet_of(merge->initial[at]));
    merge->initial_at[node] = at - 1;
    merge->initial[at - 1] = kept;
    return true;
}

np_merge_selection np_merge_combine(np_merge *merge, uint32_t node, np_merge_selection best)
{
    const np_leveled *lv = merge->job->leveled;
    np_merge_word word = np_merge_word_of(best.slot);
    best.slot = NP_MERGE_NO_SLOT;
    if (merge_combine_initial(merge, node, word))
        best = (np_merge_selection){merge->initial[merge->initial_at[node]], NP_NONE};
    for (uint32_t i = lv->in[node]; i < lv->in[node + 1]; i++) {
        np_merge_edge *edge = &merge->edge[lv->entering[i]];
        np_merge_slot slot = np_merge_head(merge, edge);
        if (np_merge_word_of(slot) != word)
            continue;
        if (best.slot == NP_MERGE_NO_SLOT) {
            best = (np_merge_selection){slot, i};
        } else {
            merge_absorb(merge, node, np_merge_packet_of(best.slot), np_merge_packet_of(slot));
            np_edge_queue_pop(&edge->queue, merge->now);
        }
    }
    return best;
}
