/*
 * The sort of K > N / 2^lightness items (Leighton, Maggs, Ranade & Rao 1994, Theorem 8.10), at all nodes.
 *
 *   sample      about N / 2^lightness items are candidates. They go to distinct rows at level 0, and the subroutine
 *               sorts them. The splitters among them are distributed over the first t levels of the network
 *   random rows every item goes along its row to level n, which is level 0, and backward to a random row of level 0
 *   intervals   from there the splitters direct every item to level t: to the rows of a group of 2^(n-t) rows
 *   refine      groups are split further, by candidates of their own (flashsort_refine.c)
 *   finish      groups of `group` rows are sorted, and all items are sent to their places (flashsort_finish.c)
 *
 * Departures. The paper takes 1 / log^(alpha+1) N of N log N items as candidates and leaves groups of
 * log^(alpha+1) N rows to Columnsort. But so many columns of log N items are too many for Columnsort, which needs
 * r >= 2 (s-1)^2. So we split groups once more. If a sample has more candidates than the subroutine takes, or so few
 * that they yield no splitters, it is drawn again; after `redraws` redraws the sort goes on without splitters. Uneven
 * intervals cost steps, but nothing fails because of them: a group takes as many items a node as it needs.
 *
 * All groups take part in a stage at the same time. The stage ends for all groups when it ends for the last one. All
 * nodes know K.
 */
#include "work/sort/flashsort.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLE = NP_FLASHSORT_FULL,
    SAMPLE_ROWS,
    RANDOM_ROWS,
    INTERVALS,
    SAMPLES = NP_FLASHSORT_FULL + 256
};                        /* phases */
enum { GROUP_MOST = 64 }; /* rows, our choice: Columnsort pads 64 rows to 63 * 126 items each */

void np_flashsort_charge(np_flashsort *flash, const char *stage, const np_sort_cost *cost)
{
    np_sort_log_charge(&flash->sorting->log, &flash->sorting->clock, stage, 0, cost);
}

np_status np_flashsort_stage(np_flashsort *flash, const char *stage, const np_rows_way *way, bool ranked,
                             uint16_t phase)
{
    np_sort_cost cost;
    np_status st = np_rows_run(&flash->rows, way, ranked, phase, 0, &cost);
    if (!st)
        np_flashsort_charge(flash, stage, &cost);
    return st;
}

void np_flashsort_tell_copy(np_flashsort *flash, uint32_t item, uint32_t row, uint32_t level)
{
    np_sort_teller *teller = flash->sorting->log.teller;
    if (teller)
        np_sort_teller_put(teller, 0, np_sort_teller_copy(teller, item, 1), np_rows_node(&flash->rows, row, level));
}

uint32_t np_flashsort_number(np_flashsort *flash, const char *stage, uint32_t bits, uint32_t *total)
{
    np_sort_clock begin = flash->sorting->clock, clock = begin;
    uint32_t most = 0;
    memset(flash->count, 0, sizeof *flash->count << flash->rows.n);
    for (uint32_t i = 0; i < flash->items.count; i++)
        flash->count[flash->items.row[i]]++;
    np_block block = np_flashsort_block(flash, 0, bits, 0, &clock);
    for (uint32_t i = 0; i < UINT32_C(1) << (flash->rows.n - bits); i++) {
        size_t first = (size_t)i << bits;
        block.first = (uint32_t)first;
        clock = begin;
        total[i] = np_block_prefix(&block, stage, flash->count + first, flash->before + first);
        most = total[i] > most ? total[i] : most;
    }
    flash->sorting->clock = clock; /* all groups take equally long */
    return most;
}

/* Gathers the items of all places. row[] = the number of the place, for now. */
static void gather(np_flashsort *flash)
{
    const np_sorting *sorting = flash->sorting;
    np_flashsort_items *items = &flash->items;
    uint32_t h = sorting->per_place;
    items->count = 0;
    for (uint32_t place = 0; place < sorting->places; place++)
        for (uint32_t k = 0; k < h; k++) {
            uint32_t item = sorting->item[(size_t)place * h + k];
            if (item == NP_NONE)
                continue;
            items->item[items->count] = item;
            items->row[items->count++] = place;
        }
}

/* Sends the candidates of a draw, among flash->items, to level 0 of their rows. flash->before[] = the number of
   candidates before each row. */
static np_status collect(np_flashsort *flash, uint32_t attempt, double expected, uint32_t *candidates)
{
    np_rows_way way = np_rows_over(&flash->rows, 0);
    np_flashsort_items all = flash->items, *items = &flash->items;
    np_draws draws = np_draws_for(flash->sorting->draws, NP_RANDOM_CANDIDATE);
    double p = expected / all.count;
    uint64_t below = p < 1 ? (uint64_t)ldexp(p, 64) : UINT64_MAX;
    np_sort_cost cost;
    np_status st = np_rows_empty(&flash->rows, &way, all.count);
    if (st)
        return st;
    draws.phase = SAMPLE;
    items->item = flash->sample.item;
    items->row = flash->sample.row;
    items->count = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        uint32_t row = all.row[i] / flash->rows.width;
        if (np_random_u64(&draws, i, attempt) >= below)
            continue;
        np_flashsort_tell_copy(flash, all.item[i], row, all.row[i] % flash->rows.width);
        np_rows_send_part(&flash->rows, &way, i, all.item[i], row, row,
                          np_rows_begin(&flash->rows, all.row[i] % flash->rows.width), np_rows_way_levels(&way));
        items->item[items->count] = all.item[i];
        items->row[items->count++] = row;
    }
    if (!flash->rows.hypercube && items->count) {
        if ((st = np_rows_run(&flash->rows, &way, false, (uint16_t)(SAMPLES + attempt % 256), 0, &cost)))
            goto out;
        np_flashsort_charge(flash, "sample", &cost);
    }
    np_flashsort_number(flash, "sample-number", flash->rows.n, candidates);
out:
    flash->sample = *items;
    flash->items = all;
    return st;
}

/* Sends the candidates to distinct rows, evenly spread: flash->word. */
static np_status spread_sample(np_flashsort *flash)
{
    np_rows_way way = np_rows_there_and_back(&flash->rows, flash->rows.n, 0, flash->rows.n);
    np_flashsort_items *sample = &flash->sample;
    np_status st = np_rows_empty(&flash->rows, &way, sample->count);
    if (st)
        return st;
    memset(flash->word, 0xff, sizeof *flash->word << flash->rows.n); /* NP_NONE */
    for (uint32_t i = 0; i < sample->count; i++) {
        uint32_t row = sample->row[i],
                 to = (uint32_t)(((uint64_t)flash->before[row]++ << flash->rows.n) / sample->count);
        np_rows_send(&flash->rows, &way, i, sample->item[i], row, to);
        flash->word[to] = sample->item[i];
    }
    return np_flashsort_stage(flash, "sample-rows", &way, false, SAMPLE_ROWS);
}

/* The levels t that can be given splitters by a sample of the expected size, with `oversampling` candidates for each of
   2^t parts. */
static uint32_t sample_levels(const np_flashsort *flash, uint32_t group, double expected)
{
    uint32_t levels = 0;
    while (levels + group < flash->rows.n &&
           ldexp(1, (int)levels + 1) * flash->sorting->options->constants.oversampling <= expected)
        levels++;
    return levels;
}

/* As many as the subroutine takes, less three standard deviations. So a draw hardly ever has too many candidates. */
static double expected_sample(const np_flashsort *flash)
{
    double most = ldexp(1, (int)flash->rows.n - (int)flash->sorting->options->constants.lightness);
    return most >= 36 ? most - 3 * sqrt(most) : most / 2;
}

/* Draws samples until one is good, and distributes its splitters over *levels levels. *levels = 0: no sample was good.
   All items are copies meanwhile. */
static np_status sample_copies(np_flashsort *flash, uint32_t *levels)
{
    const np_sort_constants *constants = &flash->sorting->options->constants;
    double most = ldexp(1, (int)flash->rows.n - (int)constants->lightness), expected = expected_sample(flash);
    np_block block = np_flashsort_block(flash, 0, flash->rows.n, 0, &flash->sorting->clock);
    uint32_t candidates = 0, attempt = 0;
    np_status st;
    for (; *levels; attempt++) {
        if ((st = collect(flash, attempt, expected, &candidates)))
            return st;
        np_flashsort_event_sample(flash, candidates, expected);
        if (candidates <= most && candidates >= expected / 2 && candidates + UINT64_C(1) >= UINT64_C(1) << *levels)
            break;
        if (attempt == constants->redraws) {
            flash->sorting->log.fallbacks++;
            *levels = 0;
            return NP_OK;
        }
        flash->sorting->log.redraws++;
    }
    if ((st = spread_sample(flash)) || (st = np_flashsort_rows(flash, candidates)) ||
        (st = np_flashsort_room_splitters(flash, (size_t)*levels << flash->rows.n)))
        return st;
    np_block_distribute(&block, "all-splitters", candidates, flash->word, *levels, flash->splitter);
    return NP_OK;
}

static np_status sample(np_flashsort *flash, uint32_t *levels)
{
    flash->rows.kind = 1;
    np_status st = sample_copies(flash, levels);
    flash->rows.kind = 0;
    return st;
}

static np_status to_random_rows(np_flashsort *flash)
{
    uint32_t n = flash->rows.n;
    np_rows_way way = np_rows_over(&flash->rows, n);
    np_flashsort_items *items = &flash->items;
    np_draws draws = np_draws_for(flash->sorting->draws, NP_RANDOM_TARGET);
    np_status st = np_rows_empty(&flash->rows, &way, items->count);
    if (st)
        return st;
    draws.phase = RANDOM_ROWS;
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t to = np_random_below(&draws, i, 0, UINT32_C(1) << n);
        np_rows_send_part(&flash->rows, &way, i, items->item[i], items->row[i] / flash->rows.width, to,
                          np_rows_begin(&flash->rows, items->row[i] % flash->rows.width), np_rows_way_levels(&way));
        items->row[i] = to;
    }
    return np_flashsort_stage(flash, "all-random-rows", &way, false, RANDOM_ROWS);
}

np_status np_flashsort_intervals(np_flashsort *flash, const char *stage, uint32_t bits, uint32_t levels, uint16_t phase)
{
    np_rows_way way = {.bits = (uint8_t)flash->rows.n,
                       .begin = (uint8_t)(flash->rows.n - bits),
                       .leg = {{(uint8_t)levels, false, true}}};
    np_flashsort_items *items = &flash->items;
    uint32_t mask = (UINT32_C(1) << bits) - 1;
    np_status st = np_rows_empty(&flash->rows, &way, items->count);
    if (st)
        return st;
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t row = items->row[i], first = row & ~mask;
        const uint32_t *splitter = flash->splitter + (size_t)first * levels;
        uint32_t to = first + np_flashsort_direct(splitter, bits, levels, row - first, items->item[i]);
        np_rows_send(&flash->rows, &way, i, items->item[i], row, to);
        items->row[i] = to;
    }
    return np_flashsort_stage(flash, stage, &way, false, phase);
}

np_status np_flashsort_full(np_flashsort *flash)
{
    const np_sort_constants *constants = &flash->sorting->options->constants;
    uint32_t n = flash->rows.n, group = np_log2_up(constants->group);
    np_status st;
    if (constants->group > GROUP_MOST)
        return NP_RAISE(NP_ERROR_LIMIT, "groups of %u rows: at most %d", constants->group, GROUP_MOST);
    group = group < n ? group : n;
    uint32_t levels = sample_levels(flash, group, expected_sample(flash));
    gather(flash);
    if ((levels && (st = sample(flash, &levels))) || (st = np_sorting_progress(flash->sorting, "sample")) ||
        (st = to_random_rows(flash)) ||
        (levels && (st = np_flashsort_intervals(flash, "all-intervals", n, levels, INTERVALS))) ||
        (n - levels > group && (st = np_flashsort_refine(flash, n - levels, group))) ||
        (st = np_sorting_progress(flash->sorting, "intervals")))
        return st;
    return np_flashsort_finish(flash, group);
}
