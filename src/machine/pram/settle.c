/* See settle.h. */
#include "machine/pram/settle.h"

#include "base/room.h"

static const char what[] = "cells on their way";

static np_address cell_of(const np_settlement *s, np_packet message)
{
    return (uint32_t)(s->tags->item[message].key >> 2);
}

/* The pair of an old cell, if its row is this one. */
static bool has_pair(const np_settlement *s, np_address x, uint32_t row)
{
    return x < s->before && s->at[x] != NP_NO_CELL && (s->holder[x] & (s->layout->modules->rows - 1)) == row;
}

/* The message comes to a module, which has the word with it or finds it in its row. */
static void come(np_settlement *s, np_packet message, uint32_t module)
{
    const np_address x = cell_of(s, message);
    const bool old = !s->moved && x < s->before;
    if (old && !has_pair(s, x, module & (s->layout->modules->rows - 1)))
        return;
    s->word[x] = old ? s->layout->pair[s->at[x]].word : s->carried[message];
    s->module[x] = module;
}

/* Does the message leave the column where the module of its cell is? The row is that in which it is. */
static int events(void *context, size_t count, const np_event *event)
{
    np_settlement *s = context;
    const np_modules *m = s->layout->modules;
    for (size_t i = 0; i < count && s->on; i++) {
        if (event[i].kind != NP_EVENT_MOVED)
            continue;
        const uint32_t column = event[i].from / m->rows,
                       wanted = np_modules_of(m, cell_of(s, event[i].packet)) / m->rows;
        if (column == 2 * m->n + wanted)
            come(s, event[i].packet, event[i].from - 2 * m->n * m->rows);
    }
    return 0;
}

void np_settlement_init(np_settlement *settlement, np_pairs *layout, const np_tags *tags, const np_observer *next)
{
    *settlement = (np_settlement){
        .observer = {.kinds = UINT32_C(1) << NP_EVENT_MOVED, .events = events, .context = settlement, .next = next},
        .layout = layout,
        .tags = tags};
}

static void forget(np_settlement *s)
{
    np_memory_free(s->at);
    np_memory_free(s->holder);
    s->at = NULL;
    s->holder = NULL;
}

void np_settlement_clear(np_settlement *settlement)
{
    forget(settlement);
    np_memory_free(settlement->word);
    np_memory_free(settlement->module);
    np_memory_free(settlement->carried);
    settlement->word = settlement->carried = NULL;
    settlement->module = NULL;
    settlement->room = 0;
}

/* Where the pairs are. */
static void find_pairs(np_settlement *s)
{
    const np_pairs *layout = s->layout;
    for (uint64_t x = 0; x < s->before; x++)
        s->at[x] = NP_NO_CELL;
    for (uint32_t v = 0; s->before && v < layout->modules->modules.divisor; v++)
        for (uint64_t i = layout->begin[v]; i < layout->begin[v + 1]; i++)
            if (layout->pair[i].cell != NP_NO_CELL) {
                s->at[layout->pair[i].cell] = i;
                s->holder[layout->pair[i].cell] = v;
            }
}

np_status np_settlement_begin(np_settlement *settlement, uint64_t cells)
{
    np_settlement *s = settlement;
    np_status st;
    np_settlement_clear(s);
    s->cells = cells;
    s->before = s->layout->cells;
    if ((st = np_memory_array(&s->at, s->before + 1, sizeof *s->at, what)) ||
        (st = np_memory_array(&s->holder, s->before + 1, sizeof *s->holder, what)) ||
        (st = np_memory_array(&s->word, cells + 1, sizeof *s->word, what)) ||
        (st = np_memory_array(&s->module, cells + 1, sizeof *s->module, what)))
        return st;
    for (uint64_t x = 0; x < cells; x++)
        s->module[x] = NP_NONE;
    find_pairs(s);
    return NP_OK;
}

void np_settlement_keep(np_settlement *settlement, uint64_t first)
{
    np_settlement *s = settlement;
    for (np_address x = 0; x < first && x < s->before; x++)
        if (s->at[x] != NP_NO_CELL) {
            s->word[x] = s->layout->pair[s->at[x]].word;
            s->module[x] = s->holder[x];
        }
}

np_status np_settlement_send(np_settlement *settlement, size_t count, bool moved)
{
    np_settlement *s = settlement;
    np_status st = np_memory_need(&s->carried, 0, count, &s->room, sizeof *s->carried, what);
    if (st)
        return st;
    for (np_packet i = 0; i < count; i++) {
        const np_address x = cell_of(s, i);
        s->carried[i] = moved && x < s->before && s->at[x] != NP_NO_CELL ? s->layout->pair[s->at[x]].word : 0;
    }
    s->on = true;
    s->moved = moved;
    return NP_OK;
}

void np_settlement_arrive(np_settlement *settlement) { settlement->on = false; }

np_status np_settlement_end(np_settlement *settlement)
{
    forget(settlement);
    np_memory_free(settlement->carried);
    settlement->carried = NULL;
    settlement->room = 0;
    np_status st = np_pairs_file(settlement->layout, settlement->word, settlement->module);
    np_settlement_clear(settlement);
    return st;
}
