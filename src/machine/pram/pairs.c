/* See pairs.h. */
#include "machine/pram/pairs.h"

#include "base/room.h"

np_pairs np_pairs_of(np_memory_layout kind, const np_modules *modules)
{
    return (np_pairs){.kind = kind, .modules = modules, .missed = NP_NO_CELL};
}

static void forget(np_pairs *layout)
{
    NP_MEMORY_FREE(layout->table, layout->pair, layout->begin);
    layout->table = layout->begin = NULL;
    layout->pair = NULL;
    layout->cells = 0;
}

void np_pairs_clear(np_pairs *layout)
{
    forget(layout);
    *layout = (np_pairs){0};
}

/* ---- Searches ---- */

typedef struct stretch {
    uint64_t first, count; /* pairs of a place in one module, from the beginning of its overflow area */
} stretch;

/* Where the word of a place says that its pairs are in column c. */
static stretch pairs_in(const np_pairs *layout, uint64_t word, uint32_t c)
{
    uint32_t n = layout->modules->n;
    if (layout->kind == NP_LAYOUT_PRELIMINARY)
        return (stretch){word, layout->modules->search};
    uint64_t g = word >> 32, count = (uint32_t)word,
             skipped = (c + n - g % n) % n; /* pair g + skipped is the first in c */
    return (stretch){(g + skipped) / n, count > skipped ? (count - skipped + n - 1) / n : 0};
}

np_word *np_pairs_find(const np_pairs *layout, np_address x, uint32_t *module, uint64_t *probes)
{
    const np_modules *modules = layout->modules;
    uint32_t place = modules->place[x], row = np_modulo(place, modules->modules) & (modules->rows - 1);
    uint64_t word = layout->table[place];
    for (uint32_t c = modules->n; c-- > 0;) {
        stretch s = pairs_in(layout, word, c);
        np_pair *pair = &layout->pair[layout->begin[(uint64_t)c * modules->rows + row] + s.first];
        for (uint64_t i = 0; i < s.count; i++) {
            ++*probes;
            if (pair[i].cell == x) {
                *module = c * modules->rows + row;
                return &pair[i].word;
            }
        }
    }
    return NULL;
}

np_word *np_pairs_search(np_pairs *layout, np_address x)
{
    uint64_t probes = 0;
    uint32_t module;
    np_word *word = np_pairs_find(layout, x, &module, &probes);
    layout->searches++;
    layout->probes += probes;
    layout->probes_max = probes > layout->probes_max ? probes : layout->probes_max;
    return word;
}

/* ---- Filing ---- */

/* The pairs of a module: those of every place of its row, used or not; or every n-th one of the row's cells. */
static uint64_t room_of(const np_pairs *layout, uint32_t module)
{
    const np_modules *m = layout->modules;
    uint64_t cells = m->row_cells[module & (m->rows - 1)], c = module / m->rows;
    if (layout->kind == NP_LAYOUT_PRELIMINARY)
        return m->search * (m->table / m->rows);
    return cells > c ? (cells - c + m->n - 1) / m->n : 0;
}

static np_status make_areas(np_pairs *layout)
{
    const np_modules *m = layout->modules;
    uint32_t modules = m->modules.divisor;
    np_status st;
    if ((st = np_memory_zeroed(&layout->table, m->table + 1, sizeof *layout->table, "hash table areas")) ||
        (st = np_memory_array(&layout->begin, (size_t)modules + 1, sizeof *layout->begin, "overflow areas")))
        return st;
    layout->begin[0] = 0;
    for (uint32_t v = 0; v < modules; v++)
        layout->begin[v + 1] = layout->begin[v] + room_of(layout, v);
    if ((st = np_memory_array(&layout->pair, layout->begin[modules] + 1, sizeof *layout->pair, "overflow areas")))
        return st;
    for (uint64_t i = 0; i < layout->begin[modules]; i++)
        layout->pair[i] = (np_pair){NP_NO_CELL, 0};
    return NP_OK;
}

/*
 * Puts cell x where it belongs, if it is there, and makes the word of its place say so. Cells of a place come in order.
 */
static void put(np_pairs *layout, np_address x, bool there, np_word word, const np_modules_location *at)
{
    const np_modules *m = layout->modules;
    uint64_t index = at->address - m->table / m->modules.divisor, *place = &layout->table[m->place[x]];
    if (there)
        layout->pair[layout->begin[at->module] + index] = (np_pair){x, word};
    if (layout->kind == NP_LAYOUT_PRELIMINARY)
        *place = index / m->search * m->search;
    else if ((uint32_t)*place)
        ++*place;
    else
        *place = (index * m->n + at->module / m->rows) << 32 | 1;
}

/* Is the module in the row of the cell's place? */
static bool is_in_row(const np_modules *m, np_address x, uint32_t module)
{
    return module != NP_NONE && ((module ^ np_modules_of(m, x)) & (m->rows - 1)) == 0;
}

np_status np_pairs_file(np_pairs *layout, const np_word *word, const uint32_t *module)
{
    const np_modules *m = layout->modules;
    np_modules_location *location = NULL;
    forget(layout);
    np_status st = np_memory_array(&location, m->cells + 1, sizeof *location, "places of cells");
    if (!st && !(st = np_modules_locate(m, layout->kind == NP_LAYOUT_IMPROVED, location)))
        st = make_areas(layout);
    for (uint64_t x = 0; !st && x < m->cells; x++)
        put(layout, x, is_in_row(m, x, module[x]), word[x], &location[x]);
    if (!st)
        layout->cells = m->cells;
    np_memory_free(location);
    return st;
}

/* ---- Going to new places ---- */

static const char on_their_way[] = "cells on their way";

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

static void drop(np_settlement *s)
{
    NP_MEMORY_FREE(s->at, s->holder);
    s->at = NULL;
    s->holder = NULL;
}

void np_settlement_clear(np_settlement *settlement)
{
    drop(settlement);
    NP_MEMORY_FREE(settlement->word, settlement->module, settlement->carried);
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
    if ((st = np_memory_array(&s->at, s->before + 1, sizeof *s->at, on_their_way)) ||
        (st = np_memory_array(&s->holder, s->before + 1, sizeof *s->holder, on_their_way)) ||
        (st = np_memory_array(&s->word, cells + 1, sizeof *s->word, on_their_way)) ||
        (st = np_memory_array(&s->module, cells + 1, sizeof *s->module, on_their_way)))
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
    np_status st = np_memory_need(&s->carried, 0, count, &s->room, sizeof *s->carried, on_their_way);
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
    drop(settlement);
    np_memory_free(settlement->carried);
    settlement->carried = NULL;
    settlement->room = 0;
    np_status st = np_pairs_file(settlement->layout, settlement->word, settlement->module);
    np_settlement_clear(settlement);
    return st;
}
