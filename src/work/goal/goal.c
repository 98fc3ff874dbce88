/* See goal.h: lists that grow, and the edges sorted by their first item. */
#include "work/goal/goal.h"

#include "base/room.h"

static const char what[] = "a schedule of ranks";

static uint32_t more(uint32_t units, uint32_t number) { return number >= units ? number + 1 : units; }

np_status np_goal_add(np_goal *goal, const np_goal_item *item, uint32_t *number)
{
    if (goal->items >= NP_NONE / 2)
        return NP_RAISE(NP_ERROR_LIMIT, "2^31 items and more are too many for a schedule of ranks");
    np_status st = np_memory_room(&goal->item, goal->items, &goal->item_room, sizeof *goal->item, what);
    if (st)
        return st;
    goal->item[goal->items] = *item;
    goal->cpus = more(goal->cpus, item->cpu);
    goal->nics = more(goal->nics, item->nic);
    *number = (uint32_t)goal->items++;
    return NP_OK;
}

np_status np_goal_wait(np_goal *goal, uint32_t item, uint32_t for_item, bool started)
{
    np_status st = np_memory_room(&goal->edge, goal->edges, &goal->edge_room, sizeof *goal->edge, what);
    if (st)
        return st;
    goal->edge[goal->edges++] = (np_goal_edge){for_item, item, started};
    goal->item[item].waits++;
    return NP_OK;
}

/* Counting sort, which keeps the order of those with one first item. */
np_status np_goal_finish(np_goal *goal)
{
    np_goal_edge *sorted;
    np_status st = np_memory_zeroed(&goal->next, goal->items + 2, sizeof *goal->next, what);
    if (st || (st = np_memory_array(&sorted, goal->edges + 1, sizeof *sorted, what)))
        return st;
    for (size_t e = 0; e < goal->edges; e++)
        goal->next[goal->edge[e].from + 2]++;
    for (size_t i = 1; i <= goal->items; i++)
        goal->next[i + 1] += goal->next[i];
    for (size_t e = 0; e < goal->edges; e++)
        sorted[goal->next[goal->edge[e].from + 1]++] = goal->edge[e];
    np_memory_free(goal->edge);
    goal->edge = sorted;
    return NP_OK;
}

void np_goal_clear(np_goal *goal)
{
    NP_MEMORY_FREE(goal->item, goal->edge, goal->next);
    *goal = (np_goal){0};
}
