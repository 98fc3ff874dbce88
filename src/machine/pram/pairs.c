/* See pairs.h. */
#include "machine/pram/pairs.h"

#include "base/memory.h"

np_pairs np_pairs_of(np_memory_layout kind, const np_modules *modules)
{
    return (np_pairs){.kind = kind, .modules = modules, .missed = NP_NO_CELL};
}

static void forget(np_pairs *layout)
{
    np_memory_free(layout->table);
    np_memory_free(layout->pair);
    np_memory_free(layout->begin);
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

/* Puts cell x where it belongs, if it is there, and makes the word of its place say so. Cells of a place come in order. */
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
