/* The transfers of a round, and logs of many rounds. */
#include <string.h>

#include "base/memory.h"
#include "work/collective/collective.h"

void np_round_layout(np_round *round, np_arena *arena)
{
    NP_ARENA_WORDS(arena, round->capacity, "a round", &round->link, &round->piece);
}

np_status np_round_add(np_round *round, np_link link, uint32_t piece)
{
    if (round->count == round->capacity)
        return NP_RAISE(NP_ERROR_INTERNAL, "a round has more than %zu transfers", round->capacity);
    round->link[round->count] = link;
    round->piece[round->count++] = piece;
    return NP_OK;
}

static const char rounds[] = "the rounds that are kept";

np_status np_round_log_init(np_round_log *log)
{
    *log = (np_round_log){.round_room = 64};
    np_status st = np_memory_array(&log->first, log->round_room, sizeof *log->first, rounds);
    if (!st)
        log->first[0] = 0;
    return st;
}

np_status np_round_log_add(np_round_log *log, const np_round *round)
{
    size_t count = log->first[log->rounds], room = 2 * (count + round->count);
    np_status st;
    if (log->rounds + 2 > log->round_room) {
        if ((st = np_memory_grow(&log->first, log->rounds + 1, 2 * log->round_room, sizeof *log->first, rounds)))
            return st;
        log->round_room *= 2;
    }
    if (count + round->count > log->room) {
        if ((st = np_memory_grow(&log->link, count, room, sizeof *log->link, rounds)) ||
            (st = np_memory_grow(&log->piece, count, room, sizeof *log->piece, rounds)))
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
    NP_MEMORY_FREE(log->first, log->link, log->piece);
    *log = (np_round_log){0};
}
