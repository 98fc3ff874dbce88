/*
 * Shearsort on a mesh of R rows and C columns (Scherson, Sen & Shamir 1986; Leighton 1992, section 1.6.2). All rows are
 * sorted, even rows to the right and odd rows to the left, then all columns downward, and so on, by odd-even
 * transposition. Proof for zeros and ones: call a row dirty if it has both. A sort of the rows and then of the columns
 * cleans one of every two neighbouring dirty rows. So after ceil(log2 R) times at most one dirty row is left, and a
 * last sort of the rows puts it in order along the snake. Steps: C (ceil(log2 R) + 1) + R ceil(log2 R), times h with h
 * keys a place.
 *
 * Lines do not depend on each other. So a strip of some lines is sorted at a time, through all stages, by any thread.
 * In a strip the i-th places of its lines are side by side, and vector instructions compare them with the next places.
 *
 * Places are along the snake: place r C + i is column i of row r, or C-1-i where r is odd.
 */
#include <string.h>

#include "base/hot.h"
#include "base/arena.h"
#include "base/memory.h"
#include "base/threads.h"
#include "work/sort/comparators.h"
#include "model/network/axes.h"
#include "work/sort/sorter.h"

enum {
    STRIP = 32, /* lines: some vector registers; for 32 lines the compiler makes vector instructions */
    SWEEP = 16  /* stages at a time: the places of a strip that they need stay in the nearest cache */
};

typedef struct shear {
    np_sorting *sorting;
    uint32_t rows, columns, h;
    unsigned workers;
    uint32_t *strip;   /* [workers][longest line][STRIP][h] */
    uint32_t *scratch; /* [workers][2 h] */
    void *block;       /* the arrays */
} shear;

static const char *refuses(const np_network *network)
{
    if (!np_network_is(network, NP_KIND_GRIDS))
        return "it is no mesh or torus";
    return network->dimensions == 2 ? NULL : "it has not two dimensions";
}

static np_status plan(np_sorting *sorting) { return np_sorting_plan(sorting, sorting->network->nodes); }

static np_node node(const np_sorting *sorting, uint32_t place) { return np_network_snake(sorting->network, place); }

static uint32_t longest(const shear *s) { return s->rows > s->columns ? s->rows : s->columns; }

/* The i-th place of a row, or of a column. */
static uint32_t place_of(const shear *s, bool is_row, uint32_t line, uint32_t i)
{
    if (is_row)
        return line * s->columns + i;
    return i * s->columns + (i % 2 ? s->columns - 1 - line : line);
}

static void copy(const shear *s, bool is_row, uint32_t first, uint32_t lines, uint32_t *strip, bool in)
{
    uint32_t length = is_row ? s->columns : s->rows;
    size_t h = s->h;
    for (uint32_t i = 0; i < length; i++)
        for (uint32_t line = 0; line < lines; line++) {
            uint32_t *place = s->sorting->item + place_of(s, is_row, first + line, i) * h;
            uint32_t *word = strip + ((size_t)i * STRIP + line) * h;
            memcpy(in ? word : place, in ? place : word, h * sizeof *word);
        }
}

static inline void compare_ones(uint32_t *restrict low, uint32_t *restrict high)
{
    for (uint32_t line = 0; line < STRIP; line++) { /* lines that the strip lacks compare old values, without effect */
        uint32_t a = low[line], b = high[line];
        low[line] = a < b ? a : b;
        high[line] = a < b ? b : a;
    }
}

/*
 * Stages first, first + 1, .. of all lines in one sweep. Each stage follows one place behind the stage before it, so
 * that the items that it needs are still in the cache.
 */
NP_HOT static void sweep_ones(uint32_t (*strip)[STRIP], uint32_t length, uint32_t first, uint32_t stages)
{
    for (uint32_t p = first % 2; p + 2 < length + stages; p += 2)
        for (uint32_t t = p + 1 < length ? 0 : p + 2 - length; t < stages && t <= p; t++)
            compare_ones(strip[p - t], strip[p - t + 1]);
}

static void sweep_splits(const shear *s, uint32_t *strip, uint32_t length, uint32_t lines, uint32_t first,
                         uint32_t *scratch)
{
    size_t h = s->h;
    for (uint32_t i = first % 2; i + 1 < length; i += 2)
        for (uint32_t line = 0; line < lines; line++) {
            uint32_t *low = strip + ((size_t)i * STRIP + line) * h;
            np_sort_merge_split(low, low + STRIP * h, s->h, scratch);
        }
}

static void tell(const shear *s, bool is_row, uint32_t line, const uint32_t *word, uint32_t length, uint32_t stage)
{
    const np_sorting *sorting = s->sorting;
    size_t h = s->h;
    for (uint32_t i = stage % 2; i + 1 < length; i += 2) {
        np_node a = node(sorting, place_of(s, is_row, line, i)), b = node(sorting, place_of(s, is_row, line, i + 1));
        np_sort_tell_pair(sorting->log.teller, stage * h, a, b, word + i * STRIP * h, word + (i + 1) * STRIP * h, s->h,
                          0);
    }
}

/* Sorts the lines first, first + 1, .. Returns the number of comparators. */
static uint64_t sort_strip(const shear *s, bool is_row, uint32_t first, uint32_t lines, unsigned worker)
{
    uint32_t length = is_row ? s->columns : s->rows, h = s->h;
    uint32_t *strip = s->strip + (size_t)worker * longest(s) * STRIP * h;
    uint32_t *scratch = s->scratch + (size_t)worker * 2 * h;
    uint64_t comparators = 0;
    copy(s, is_row, first, lines, strip, true);
    for (uint32_t stage = 0, stages; stage < length; stage += stages) {
        stages = h > 1 || s->sorting->log.teller ? 1 : length - stage < SWEEP ? length - stage : SWEEP;
        for (uint32_t line = 0; s->sorting->log.teller && line < lines; line++)
            tell(s, is_row, first + line, strip + (size_t)line * h, length, stage);
        if (h == 1)
            sweep_ones((uint32_t(*)[STRIP])strip, length, stage, stages);
        else
            sweep_splits(s, strip, length, lines, stage, scratch);
        for (uint32_t i = stage; i < stage + stages; i++)
            comparators += (uint64_t)((length - i % 2) / 2) * lines;
    }
    copy(s, is_row, first, lines, strip, false);
    return comparators;
}

/* All rows, or all columns. */
typedef struct strips {
    const shear *s;
    bool is_row;
    uint32_t lines;
    _Atomic uint64_t comparators;
} strips;

static void sort_one(void *context, unsigned thread, uint32_t strip)
{
    strips *all = context;
    uint32_t first = strip * STRIP, left = all->lines - first;
    all->comparators += sort_strip(all->s, all->is_row, first, left < STRIP ? left : STRIP, thread);
}

/* Sorts all rows, or all columns, at the same time. */
static np_status sort_lines(const shear *s, bool is_row)
{
    const char *name = is_row ? "rows" : "columns";
    uint32_t lines = is_row ? s->rows : s->columns, length = is_row ? s->columns : s->rows;
    strips all = {s, is_row, lines, 0};
    np_threads_each(s->workers, (lines + STRIP - 1) / STRIP, sort_one, &all);
    const uint64_t comparators = all.comparators;
    np_sort_cost cost = {.steps = (uint64_t)length * s->h, .comparators = comparators};
    cost.packets = cost.hops = 2 * comparators * s->h;
    cost.load_max = 2 * s->h;
    cost.congestion = (length + 1) / 2 * s->h; /* every second stage */
    np_sorting_charge(s->sorting, name, &cost);
    return np_sorting_progress(s->sorting, name);
}

static void layout(void *object, np_arena *arena)
{
    shear *s = object;
    np_arena_zeroed(arena, &s->strip, (size_t)s->workers * longest(s) * STRIP, s->h * sizeof *s->strip, "the strips");
    np_arena_array(arena, &s->scratch, (size_t)s->workers * 2 * s->h, sizeof *s->scratch, "the merges");
}

static shear shear_of(const np_sorting *sorting)
{
    const np_network *network = sorting->network;
    shear s = {.rows = network->side[0], .columns = network->side[1], .h = sorting->per_place};
    s.workers = sorting->log.teller || !sorting->workers ? 1 : sorting->workers;
    if (s.workers > longest(&s) / STRIP + 1)
        s.workers = longest(&s) / STRIP + 1;
    return s;
}

static np_status run(np_sorting *sorting)
{
    shear s = shear_of(sorting);
    np_status st = np_arena_place(&s, layout, "the lines of shearsort", &s.block);
    if (st)
        return st;
    s.sorting = sorting;
    for (uint32_t p = 0; p < sorting->places; p++)
        np_sort_locally(sorting->item + (size_t)p * s.h, s.h);
    for (uint32_t phase = np_log2_up(s.rows); phase-- && !st;)
        if (!(st = sort_lines(&s, true)))
            st = sort_lines(&s, false);
    if (!st)
        st = sort_lines(&s, true);
    np_memory_free(s.block);
    return st;
}

static void predict(const np_sorting *sorting, np_sort_prediction *out)
{
    uint64_t r = sorting->network->side[0], c = sorting->network->side[1], phases = np_log2_up(r);
    *out = (np_sort_prediction){.steps = sorting->per_place * (c * (phases + 1) + r * phases),
                                .comparators = r * np_comparators_transposition((uint32_t)c) * (phases + 1) +
                                               c * np_comparators_transposition((uint32_t)r) * phases,
                                .formula = "h (C (ceil(log2 R) + 1) + R ceil(log2 R)), R rows of C"};
}

const np_sorter_ops np_sorter_shearsort = {
    .info = {"shearsort", "rows and columns in turn by odd-even transposition",
             "Scherson, Sen & Shamir 1986; Leighton 1992, section 1.6.2",
             .networks = "mesh and torus of two dimensions"},
    .indexing = "along the snake of rows",
    .oblivious = true,
    .heeds = "trace",
    .refuses = refuses,
    .plan = plan,
    .node = node,
    .run = run,
    .predict = predict,
};
