/* Checks a schedule step by step, with a stamp on every link that says when it was crossed last. */
#include "base/memory.h"
#include "papers/embed/embedding.h"

/* Checks that the crossings of every path are in order and within the steps. */
static np_status audit_order(const np_embedding *embedding, const np_step *crossing, uint32_t steps)
{
    for (np_link l = 0; l < embedding->guest->link_numbers; l++)
        for (uint32_t i = embedding->row[l], first = i; i < embedding->row[l + 1]; i++)
            if (crossing[i] <= (i > first ? crossing[i - 1] : 0) || crossing[i] > steps)
                return NP_RAISE(NP_ERROR_INTERNAL,
                                "guest link %u: hop %u is in step %u, not after hop %u and within %u steps", l,
                                i - first, crossing[i], i - first - 1, steps);
    return NP_OK;
}

/* Sorts the hops by step: the hops of step t are hop[begin[t]] .. hop[begin[t + 1] - 1]. */
static void sort_hops(const np_step *crossing, uint32_t hops, uint32_t steps, uint32_t *begin, uint32_t *hop)
{
    for (uint32_t i = 0; i < hops; i++)
        begin[crossing[i] + 1]++;
    for (uint32_t t = 0; t <= steps; t++)
        begin[t + 1] += begin[t];
    for (uint32_t i = 0; i < hops; i++)
        hop[begin[crossing[i]]++] = i;
    for (uint32_t t = steps + 1; t; t--)
        begin[t] = begin[t - 1];
    begin[0] = 0;
}

static np_status audit_links(const np_embedding *embedding, uint32_t steps, const uint32_t *begin, const uint32_t *hop,
                             uint32_t *stamp)
{
    for (uint32_t t = 1; t <= steps; t++)
        for (uint32_t i = begin[t]; i < begin[t + 1]; i++) {
            np_link link = embedding->link[hop[i]];
            if (stamp[link] == t)
                return NP_RAISE(NP_ERROR_INTERNAL, "host link %u is crossed twice in step %u", link, t);
            stamp[link] = t;
        }
    return NP_OK;
}

np_status np_embedding_schedule_audit(const np_embedding *embedding, const np_step *crossing, uint32_t steps)
{
    uint32_t hops = embedding->row[embedding->guest->link_numbers], *begin = NULL, *hop = NULL, *stamp = NULL;
    np_status st;
    if ((st = audit_order(embedding, crossing, steps)))
        return st;
    if ((st = np_memory_zeroed(&begin, (size_t)steps + 2, sizeof *begin, "a schedule")) ||
        (st = np_memory_array(&hop, hops, sizeof *hop, "a schedule")) ||
        (st = np_memory_zeroed(&stamp, embedding->host->link_numbers, sizeof *stamp, "a schedule")))
        goto out;
    sort_hops(crossing, hops, steps, begin, hop);
    st = audit_links(embedding, steps, begin, hop, stamp);
out:
    NP_MEMORY_FREE(begin, hop, stamp);
    return st;
}
