/*
 * Flashsort (Leighton, Maggs, Ranade & Rao 1994, section 8) on the wrapped butterfly, and on the hypercube, whose node
 * w does what row w does.
 *
 * Up to N / 2^lightness items are one a row, at level 0: place i is row i. The recursive subroutine alone sorts them.
 * More items are at all nodes, row by row and level by level: place i is node i, with as many items as are needed. The
 * full sort sorts them.
 *
 * Arrays of any dimension have another algorithm, from section 10: array_flashsort.c. On the shuffle-exchange
 * Columnsort has butterflies sort its columns, as in section 9: flashsort_columns.c.
 */
#include "papers/flashsort/flashsort.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

static const char *refuses(const np_network *network)
{
    return np_sort_host_refuses("flashsort", network, "it splits subbutterflies and subarrays");
}

static const char *refuses_rows(const np_network *network)
{
    return network->dimensions > 26 ? "it has more than 2^26 rows" : NULL;
}

/* Few enough for the subroutine. */
static bool is_light(const np_sorting *sorting)
{
    uint32_t n = sorting->network->dimensions, lightness = sorting->options->constants.lightness;
    return lightness <= n && sorting->items <= UINT32_C(1) << (n - lightness);
}

static np_status plan(np_sorting *sorting)
{
    const np_network *network = sorting->network;
    bool light = sorting->items && is_light(sorting);
    return np_sorting_plan(sorting, light ? UINT64_C(1) << network->dimensions : network->nodes);
}

static np_node node(const np_sorting *sorting, uint32_t place)
{
    bool by_rows = sorting->places < sorting->network->nodes;
    return by_rows ? place * sorting->network->dimensions : place;
}

static void layout(void *object, np_arena *arena)
{
    np_flashsort *flash = object;
    size_t rows = (size_t)1 << flash->rows.n, items = flash->sorting->items;
    np_arena_array(arena, &flash->word, rows, sizeof *flash->word, "the rows' items");
    np_arena_array(arena, &flash->scratch, np_block_scratch(flash->rows.n), sizeof *flash->scratch, "a block");
    np_arena_array(arena, &flash->picked, rows, sizeof *flash->picked, "the candidates");
    NP_ARENA_WORDS(arena, rows, "the rows' counts", &flash->count, &flash->before);
    np_arena_array(arena, &flash->items.item, items, sizeof *flash->items.item, "the items");
    np_arena_array(arena, &flash->items.row, items, sizeof *flash->items.row, "the items' rows");
    np_arena_array(arena, &flash->sample.item, items, sizeof *flash->sample.item, "the sample");
    np_arena_array(arena, &flash->sample.row, items, sizeof *flash->sample.row, "the sample's rows");
}

np_status np_flashsort_init(np_flashsort *flash, np_sorting *sorting)
{
    *flash = (np_flashsort){.sorting = sorting};
    np_status st = np_rows_init(&flash->rows, sorting);
    return st ? st : np_arena_place(flash, layout, "the items of flashsort", &flash->block);
}

void np_flashsort_clear(np_flashsort *flash)
{
    np_rows_clear(&flash->rows);
    NP_MEMORY_FREE(flash->splitter, flash->block);
}

np_status np_flashsort_room_splitters(np_flashsort *flash, size_t count)
{
    np_status st;
    if (count <= flash->splitters)
        return NP_OK;
    if ((st = np_memory_grow(&flash->splitter, 0, count, sizeof *flash->splitter, "the splitters")))
        return st;
    flash->splitters = count;
    return NP_OK;
}

np_block np_flashsort_block(np_flashsort *flash, uint32_t first, uint32_t bits, uint32_t depth, np_sort_clock *clock)
{
    return (np_block){.bits = bits,
                      .hypercube = flash->rows.hypercube,
                      .wrapped = bits == flash->rows.n,
                      .depth = depth,
                      .first = first,
                      .kind = flash->rows.kind,
                      .log = &flash->sorting->log,
                      .clock = clock,
                      .scratch = flash->scratch};
}

np_block np_flashsort_whole(np_flashsort *flash)
{
    return np_flashsort_block(flash, 0, flash->rows.n, 0, &flash->sorting->clock);
}

static np_status sort_rows(np_flashsort *flash)
{
    size_t bytes = sizeof *flash->word << flash->rows.n;
    memcpy(flash->word, flash->sorting->item, bytes);
    np_status st = np_flashsort_rows(flash, NP_NONE);
    memcpy(flash->sorting->item, flash->word, bytes);
    return st;
}

static np_status run(np_sorting *sorting)
{
    np_flashsort flash;
    np_sorting_number_infinite(sorting, false); /* they take part in nothing */
    np_status st = np_flashsort_init(&flash, sorting);
    if (!st)
        st = is_light(sorting) ? sort_rows(&flash) : np_flashsort_full(&flash);
    np_flashsort_clear(&flash);
    return st;
}

const np_sort_host np_flashsort_butterflies = {
    .sorters = "flashsort",
    .networks = NP_KIND_BUTTERFLY | NP_KIND_HYPERCUBE,
    .refuses = refuses_rows,
    .plan = plan,
    .node = node,
    .run = run,
};

const np_sorter_ops np_sorter_flashsort = {
    .info = {"flashsort", "random splitters direct packets to smaller and smaller subbutterflies or subarrays",
             "Leighton, Maggs, Ranade & Rao 1994, sections 8 to 10",
             .networks = "butterfly, hypercube, shuffle-exchange, mesh, torus, array, ring"},
    .indexing =
        "rows, each from level 0 up, butterfly by butterfly; of an array, a snake along its shortest side first",
    .heeds = "queue_size, room, candidates, oversampling, lightness, cutoff, redraws, group, string_bits, trace",
    .refuses = refuses,
    NP_SORT_BY_HOSTS,
};
