/* The transfers of a round, and logs of many rounds. */
#include <string.h>

#include "base/memory.h"
#include "collective/collective.h"

void np_round_layout(np_round *round, np_arena *arena)
{
    np_arena_array(arena, &round->link, round->capacity, sizeof *round->link, "a round");
    np_arena_array(arena, &round->piece, round->capacity, sizeof *round->piece, "a round");
}

np_status np_round_add(np_round *round, np_link link, uint32_t piece)
{
    if (round->count == round->capacity)
        return NP_RAISE(NP_ERROR_INTERNAL, "a round has more than %zu transfers", round->capacity);
    round->link[round->count] = link;
    round->piece[round->count++] = piece;
    return NP_OK;
}

np_status np_round_log_init(np_round_log *log, np_budget *budget)
{
    *log = (np_round_log){.round_room = 64, .budget = budget};
    np_status st = np_budget_grow(budget, &log->first, 0, 0, log->round_room, sizeof *log->first);
    if (!st)
        log->first[0] = 0;
    return st;
}

np_status np_round_log_add(np_round_log *log, const np_round *round)
{
    size_t count = log->first[log->rounds], room = 2 * (count + round->count);
    np_status st;
    if (log->rounds + 2 > log->round_room) {
        if ((st = np_budget_grow(log->budget, &log->first, log->rounds + 1, log->round_room, 2 * log->round_room,
                                 sizeof *log->first)))
            return st;
        log->round_room *= 2;
    }
    if (count + round->count > log->room) {
        if ((st = np_budget_grow(log->budget, &log->link, count, log->room, room, sizeof *log->link)) ||
            (st = np_budget_grow(log->budget, &log->piece, count, log->room, room, sizeof *log->piece)))
            return st;
        log->room = room;
    }
    memcpy(log->link + count, round->link, round->count * sizeof *log->link);
    memcpy(log->piece + count, round->piece, round->count * sizeof *log->piece);
    log->first[++log->rounds] = count + round->count;
    return NP_OK;
}

void np_round_log_clear(np_round_log *log)
{
    np_memory_free(log->first);
    np_memory_free(log->link);
    np_memory_free(log->piece);
    *log = (np_round_log){0};
}
