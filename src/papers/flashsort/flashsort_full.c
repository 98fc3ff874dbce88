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
#include "papers/flashsort/flashsort.h"

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

void np_flashsort_pick(np_flashsort *flash, uint32_t item, uint32_t row, uint32_t level)
{
    np_sort_teller *teller = flash->sorting->log.teller;
    np_flashsort_items *sample = &flash->sample;
    if (teller)
        np_sort_teller_put(teller, 0, np_sort_teller_copy(teller, item, 1), np_rows_node(&flash->rows, row, level));
    sample->item[sample->count] = item;
    sample->row[sample->count++] = row;
}

np_status np_flashsort_to_groups(np_flashsort *flash, const char *stage, uint32_t bits, uint32_t levels, uint16_t phase)
{
    const np_block whole = np_flashsort_whole(flash);
    np_sort_cost cost;
    np_status st = np_flashsort_intervals(flash, &whole, &flash->items, bits, levels, phase, &cost);
    if (!st)
        np_flashsort_charge(flash, stage, &cost);
    return st;
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
    const np_flashsort_items *all = &flash->items;
    const np_block whole = np_flashsort_whole(flash);
    np_draws draws = np_draws_for(flash->sorting->draws, NP_RANDOM_CANDIDATE);
    np_status st = np_rows_empty(&flash->rows, &way, all->count);
    if (st)
        return st;
    draws.phase = SAMPLE;
    flash->sample.count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t row = all->row[i] / flash->rows.width, level = all->row[i] % flash->rows.width;
        if (!np_recursion_draws(&draws, i, attempt, expected / all->count))
            continue;
        np_rows_send_part(&flash->rows, &way, i, all->item[i], row, row, np_rows_begin(&flash->rows, level),
                          np_rows_way_levels(&way));
        np_flashsort_pick(flash, all->item[i], row, level);
    }
    if (!flash->rows.hypercube && flash->sample.count &&
        (st = np_flashsort_stage(flash, "sample", &way, false, (uint16_t)(SAMPLES + attempt % 256))))
        return st;
    np_flashsort_number(flash, &whole, &flash->sample, "sample-number", flash->rows.n, candidates);
    return NP_OK;
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
    const np_block block = np_flashsort_whole(flash);
    uint32_t candidates = 0, attempt = 0;
    np_status st;
    for (; *levels; attempt++) {
        if ((st = collect(flash, attempt, expected, &candidates)))
            return st;
        np_sort_log_event(&flash->sorting->log, "sample", "Theorem 8.10",
                          "the full sort's candidates less their expectation, by half of it",
                          2 * fabs(candidates - expected) / expected, 1);
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
        (levels && (st = np_flashsort_to_groups(flash, "all-intervals", n, levels, INTERVALS))) ||
        (n - levels > group && (st = np_flashsort_refine(flash, n - levels, group))) ||
        (st = np_sorting_progress(flash->sorting, "intervals")))
        return st;
    return np_flashsort_finish(flash, group);
}
