/*
 * The agenda: a tree of 16 ways over the times of the items. Each node has the least time of its sixteen. A change
 * goes up only while it changes the least.
 */
#include "engine/flows/inside.h"

/* The levels of a tree for so many items; returns how many times it has in all. */
static size_t lay_out(np_agenda *agenda, size_t items)
{
    size_t count = items, total = 0;
    agenda->top = 0;
    for (;;) {
        agenda->at[agenda->top] = total;
        if (count == 1)
            return total + 1;
        count = (count + NP_AGENDA_WAYS - 1) / NP_AGENDA_WAYS;
        total += count * NP_AGENDA_WAYS;
        agenda->top++;
    }
}

NP_INLINE np_fair_time least_of(const np_fair_time *time)
{
    np_fair_time least = time[0];
    for (unsigned i = 1; i < NP_AGENDA_WAYS; i++)
        least = time[i] < least ? time[i] : least;
    return least;
}

np_status np_agenda_grow(np_agenda *agenda, size_t items)
{
    np_agenda grown = {.items = items};
    size_t total = lay_out(&grown, items);
    np_status st = np_memory_array(&grown.time, total, sizeof *grown.time, "the times of flows");
    if (st)
        return st;
    for (size_t i = 0; i < total; i++)
        grown.time[i] = i < agenda->items ? agenda->time[i] : NP_FAIR_NEVER;
    for (unsigned level = 0; level < grown.top; level++)
        for (size_t i = 0; grown.at[level] + i * NP_AGENDA_WAYS < grown.at[level + 1]; i++)
            grown.time[grown.at[level + 1] + i] = least_of(&grown.time[grown.at[level] + i * NP_AGENDA_WAYS]);
    np_memory_free(agenda->time);
    *agenda = grown;
    return NP_OK;
}

void np_agenda_set(np_agenda *agenda, size_t item, np_fair_time time)
{
    for (unsigned level = 0;; level++, item /= NP_AGENDA_WAYS) {
        np_fair_time *place = &agenda->time[agenda->at[level] + item], before = *place;
        *place = time;
        if (level == agenda->top)
            return;
        np_fair_time above = agenda->time[agenda->at[level + 1] + item / NP_AGENDA_WAYS];
        if (time < above)
            continue;
        if (before != above || time == before)
            return; /* it was not the least, and is not now */
        time = least_of(&agenda->time[agenda->at[level] + item / NP_AGENDA_WAYS * NP_AGENDA_WAYS]);
        if (time == above)
            return;
    }
}

/* Goes up until a node to the right has the least time, and down to its first item. */
size_t np_agenda_find(const np_agenda *agenda, size_t from)
{
    np_fair_time least = np_agenda_least(agenda);
    unsigned level = 0;
    size_t i = from, end = agenda->items;
    while (i < end && agenda->time[agenda->at[level] + i] != least) {
        i++;
        while (i % NP_AGENDA_WAYS == 0 && level < agenda->top) {
            i /= NP_AGENDA_WAYS;
            level++;
        }
        end = level == agenda->top ? 1 : (agenda->at[level + 1] - agenda->at[level]);
    }
    if (i >= end)
        return agenda->items;
    while (level) {
        i *= NP_AGENDA_WAYS;
        level--;
        while (agenda->time[agenda->at[level] + i] != least)
            i++;
    }
    return i;
}
