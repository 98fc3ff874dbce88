/*
 * How a block is split (Leighton, Maggs, Ranade & Rao 1994, Figure 6, steps 2 to 8). Its items are at distinct
 * inputs, and end at distinct inputs of the 2^t blocks of their intervals.
 *
 * Candidates are sorted by ranks. This is possible for 2^floor(L/2) candidates; so fewer are expected, by
 * constants.candidates. Their number C decides (step 4) which of them are the 2^t - 1 splitters, at even distances. t
 * is fixed beforehand: it is as large as possible with `oversampling` candidates for each splitter, if as many
 * candidates come as are expected.
 *
 * Step 6 goes forward to a random row of the outputs, and straight back by the other links. Step 8 counts, by a prefix
 * computation, the items of each row and the items before it in its block. The k-th of m items goes to input
 * floor(k M' / m) of the M' inputs, forward to the row and straight back. The items are spread evenly so that few meet.
 * Ranks in merging are drawn there too: k would also serve as a rank, but takes a little longer.
 *
 * Before step 8 moves items, all rows must know that every interval fits. The rows of an interval know it from the
 * prefix computation; a pass over the t levels that split the block tells the others. If an interval does not fit, the
 * items go back: over the edges by which they came, to their random rows, and once all are there, home. An item carries
 * both rows. Going back is two routings of their own, with ranks of their own, and no node remembers when an item came.
 *
 * Symbols: the block has L = bits and M rows; t = levels split; the blocks into which it is split have L' = L - t and
 * M' rows.
 */
#include "papers/flashsort/flashsort.h"

#include <math.h>
#include <string.h>

#include "papers/flashsort/block_pass.h"

static double expected_candidates(const np_flashsort *flash, uint32_t bits)
{
    return flash->sorting->options->constants.candidates * (double)(UINT32_C(1) << bits / 2);
}

uint32_t np_flashsort_split_levels(const np_flashsort *flash, uint32_t bits)
{
    double parts = expected_candidates(flash, bits) / flash->sorting->options->constants.oversampling;
    uint32_t levels = 0;
    while (levels + 1 < bits && ldexp(1, (int)levels + 1) <= parts)
        levels++;
    return levels;
}

/* The phases of an attempt: 0 random rows, 1 splitter-directed, 2 distinct inputs. */
static uint16_t phase_of(const np_flashsort_part *part, uint32_t attempt, uint32_t what)
{
    return np_recursion_phase(part->block.depth * 64, attempt, what);
}

/* Step 2: picked[] = the candidates, where they are. */
static void draw_candidates(np_flashsort *flash, const np_flashsort_part *part, uint32_t attempt, double expected)
{
    np_draws draws = np_draws_for(flash->sorting->draws, NP_RANDOM_CANDIDATE);
    draws.phase = phase_of(part, 0, 0);
    for (uint32_t row = 0; row < UINT32_C(1) << part->block.bits; row++)
        flash->picked[row] = part->word[row] != NP_NONE && np_recursion_draws(&draws, part->block.first + row, attempt,
                                                                              expected / part->items)
                                 ? part->word[row]
                                 : NP_NONE;
}

/* Steps 2 to 5. *good = splitters have been distributed over `levels` levels. */
static np_status place_splitters(np_flashsort *flash, const np_flashsort_part *part, uint32_t attempt, uint32_t levels,
                                 bool *good)
{
    np_block copies = part->block;
    const np_block *block = &copies;
    double expected = expected_candidates(flash, block->bits);
    copies.kind++; /* candidates are copies of the items */
    if (expected > part->items)
        expected = part->items;
    draw_candidates(flash, part, attempt, expected);
    np_block_tell_copies(block, flash->picked);
    uint32_t candidates = np_block_concentrate(block, "candidates", flash->picked);
    np_recursion_candidates(flash->sorting, candidates, expected);
    *good = candidates >= expected / 2 && candidates <= np_block_rank_sort_most(block) &&
            UINT64_C(1) << levels <= candidates + UINT64_C(1);
    if (!*good)
        return NP_OK;
    np_status st = np_flashsort_room_splitters(flash, (size_t)levels << block->bits);
    if (st)
        return st;
    np_block_rank_sort(block, "sort-candidates", candidates, flash->picked);
    np_block_distribute(block, "splitters", candidates, flash->picked, levels, flash->splitter);
    return NP_OK;
}

static void gather(np_flashsort *flash, const np_flashsort_part *part)
{
    np_flashsort_items *items = &flash->sample;
    items->count = 0;
    for (uint32_t row = 0; row < UINT32_C(1) << part->block.bits; row++)
        if (part->word[row] != NP_NONE) {
            items->item[items->count] = part->word[row];
            items->row[items->count++] = row;
        }
}

/* A routing on the way to intervals has been done. */
static void note_congestion(np_flashsort *flash, uint32_t bits, uint32_t congestion)
{
    np_sort_log_event(&flash->sorting->log, "congestion", "Lemma 8.5", "packets over a link in steps 6 and 7, by log M",
                      congestion / (double)bits, 0);
}

/* Charges a routing that is done, and counts its steps beyond the levels. */
static void charge(np_flashsort_part *part, const char *stage, uint32_t levels, const np_sort_cost *cost)
{
    uint32_t least = levels + 1;
    np_sort_log_charge(part->block.log, part->block.clock, stage, part->block.depth, cost);
    part->excess += cost->steps > least ? cost->steps - least : 0;
}

/* A routing of the packets that were sent. */
static np_status run_stage(np_flashsort_part *part, const char *stage, const np_rows_way *way, uint16_t phase,
                           np_sort_cost *cost)
{
    np_status st = np_rows_run(&part->flash->rows, way, false, phase, 0, cost);
    if (!st)
        charge(part, stage, np_rows_way_levels(way), cost);
    return st;
}

/* The random row of step 6, of the item that begins at row `from`. */
static uint32_t random_row(const np_flashsort *flash, const np_flashsort_part *part, uint32_t attempt, uint32_t from)
{
    np_draws draws = np_draws_for(flash->sorting->draws, NP_RANDOM_TARGET);
    draws.phase = phase_of(part, attempt, 0);
    return np_random_below(&draws, part->block.first + from, 0, UINT32_C(1) << part->block.bits);
}

/* Step 6. The number of a packet is the number of its row in the network, also in the steps that follow. */
static np_status to_random_rows(np_flashsort *flash, np_flashsort_part *part, uint32_t attempt)
{
    uint32_t bits = part->block.bits;
    np_rows_way way = np_rows_there_and_back(&flash->rows, bits, flash->rows.n - bits, bits);
    way.first = part->block.first;
    np_flashsort_items *items = &flash->sample;
    np_sort_cost cost;
    np_status st = np_rows_empty(&flash->rows, &way, items->count);
    if (st)
        return st;
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t to = random_row(flash, part, attempt, items->row[i]);
        np_rows_send(&flash->rows, &way, part->block.first + items->row[i], items->item[i], items->row[i], to);
        items->row[i] = to;
    }
    if (!(st = run_stage(part, "random-rows", &way, phase_of(part, attempt, 0), &cost)))
        note_congestion(flash, bits, cost.congestion);
    return st;
}

/* Where the splitters of the first levels of a group, [level << bits | row], send an item at row. An item goes to the
   upper half if it is greater than the splitter. */
static uint32_t direct(const uint32_t *splitter, uint32_t bits, uint32_t levels, uint32_t row, uint32_t item)
{
    for (uint32_t level = 0; level < levels; level++) {
        uint32_t bit = UINT32_C(1) << (bits - 1 - level);
        row = item > splitter[((size_t)level << bits) + row] ? row | bit : row & ~bit;
    }
    return row;
}

np_status np_flashsort_intervals(np_flashsort *flash, const np_block *block, np_flashsort_items *items, uint32_t bits,
                                 uint32_t levels, uint16_t phase, np_sort_cost *cost)
{
    const np_rows_way way = {.bits = (uint8_t)block->bits,
                             .begin = (uint8_t)(flash->rows.n - bits),
                             .leg = {{(uint8_t)levels, false, true}},
                             .first = block->first};
    uint32_t mask = (UINT32_C(1) << bits) - 1;
    np_status st = np_rows_empty(&flash->rows, &way, items->count);
    if (st)
        return st;
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t row = items->row[i], first = row & ~mask;
        const uint32_t *splitter = flash->splitter + (size_t)first * levels;
        uint32_t to = first + direct(splitter, bits, levels, row - first, items->item[i]);
        np_rows_send(&flash->rows, &way, block->first + i, items->item[i], row, to);
        items->row[i] = to;
    }
    return np_rows_run(&flash->rows, &way, false, phase, 0, cost);
}

/* Step 7. */
static np_status to_intervals(np_flashsort *flash, np_flashsort_part *part, uint32_t attempt, uint32_t levels)
{
    uint32_t bits = part->block.bits;
    np_sort_cost cost;
    np_status st =
        np_flashsort_intervals(flash, &part->block, &flash->sample, bits, levels, phase_of(part, attempt, 1), &cost);
    if (st)
        return st;
    charge(part, "intervals", levels, &cost);
    note_congestion(flash, bits, cost.congestion);
    return NP_OK;
}

uint32_t np_flashsort_number(np_flashsort *flash, const np_block *block, const np_flashsort_items *items,
                             const char *stage, uint32_t bits, uint32_t *total)
{
    const np_sort_clock begin = *block->clock;
    uint32_t most = 0, rows = UINT32_C(1) << bits;
    memset(flash->count, 0, sizeof *flash->count << block->bits);
    for (uint32_t i = 0; i < items->count; i++)
        flash->count[items->row[i]]++;
    for (uint32_t i = 0; i < UINT32_C(1) << (block->bits - bits); i++) {
        np_block group = np_flashsort_block(flash, block->first + i * rows, bits, block->depth, block->clock);
        *block->clock = begin; /* all groups take equally long */
        total[i] = np_block_prefix(&group, stage, flash->count + (size_t)i * rows, flash->before + (size_t)i * rows);
        most = total[i] > most ? total[i] : most;
    }
    return most;
}

/* All rows learn whether every block has room. The number of blocks without room is summed up over the t levels that
   split, and goes straight back. */
static bool fits(np_flashsort *flash, np_flashsort_part *part, uint32_t levels, const uint32_t *child)
{
    const np_block *block = &part->block;
    uint32_t rows = UINT32_C(1) << block->bits, bits = block->bits - levels, *full = flash->count;
    np_sort_cost cost = {.packets = rows, .load_max = 1};
    for (uint32_t row = 0; row < rows; row++)
        full[row] = child[row >> bits] > UINT32_C(1) << bits;
    np_block_who who = np_block_tell_numbers(block, &cost, rows, block->bits - bits);
    for (uint32_t bit = bits; bit < block->bits; bit++)
        np_block_pass_sum(block, &cost, &who, full, NULL, bit, true);
    np_block_pass_straight(block, &cost, &who, 0, levels, rows);
    np_block_pass_charge(block, "check", &cost);
    return !full[0];
}

/* Step 8: to distinct inputs of the blocks. */
static np_status spread(np_flashsort *flash, np_flashsort_part *part, uint32_t attempt, uint32_t levels,
                        const uint32_t *child)
{
    uint32_t bits = part->block.bits - levels;
    np_rows_way way = np_rows_there_and_back(&flash->rows, part->block.bits, flash->rows.n - bits, bits);
    way.first = part->block.first;
    np_flashsort_items *items = &flash->sample;
    np_sort_cost cost;
    np_status st = np_rows_empty(&flash->rows, &way, items->count);
    if (st)
        return st;
    memset(part->word, 0xff, ((size_t)1 << part->block.bits) * sizeof *part->word); /* NP_NONE */
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t row = items->row[i], block = row >> bits, k = flash->before[row]++;
        uint32_t to = (block << bits) + (uint32_t)(((uint64_t)k << bits) / child[block]);
        np_rows_send(&flash->rows, &way, part->block.first + to, items->item[i], row, to);
        part->word[to] = items->item[i];
    }
    return run_stage(part, "distinct-inputs", &way, phase_of(part, attempt, 2), &cost);
}

/* A leg of the way back, which the items of part->word go: to their random rows, or home from there. */
static np_status go_back(np_flashsort *flash, const np_flashsort_part *part, uint32_t attempt, const np_rows_way *way,
                         bool home, np_sort_cost *sum)
{
    np_flashsort_items *items = &flash->sample;
    uint16_t phase = (uint16_t)(NP_FLASHSORT_BACK + phase_of(part, attempt, home));
    np_sort_cost cost;
    np_status st = np_rows_empty(&flash->rows, way, items->count);
    if (st)
        return st;
    for (uint32_t row = 0, i = 0; row < UINT32_C(1) << part->block.bits; row++) {
        if (part->word[row] == NP_NONE)
            continue;
        uint32_t to = home ? row : random_row(flash, part, attempt, row);
        np_rows_send(&flash->rows, way, part->block.first + row, items->item[i], items->row[i], to);
        items->row[i++] = to;
    }
    if ((st = np_rows_run(&flash->rows, way, false, phase, sum->steps, &cost)))
        return st;
    sum->packets = cost.packets;
    np_sort_cost_add(sum, &cost);
    return NP_OK;
}

/* After step 7: back over the t levels, then straight to the outputs and backward over all levels. */
static np_status send_back(np_flashsort *flash, const np_flashsort_part *part, uint32_t attempt, uint32_t levels)
{
    const np_block *block = &part->block;
    uint32_t inputs = flash->rows.n - block->bits;
    bool straight = !block->hypercube && !block->wrapped;
    np_rows_way to_random = {.bits = (uint8_t)block->bits,
                             .begin = (uint8_t)(inputs + levels),
                             .leg = {{(uint8_t)levels, true, true}},
                             .first = block->first};
    np_rows_way home = {
        .bits = (uint8_t)block->bits,
        .begin = (uint8_t)(straight ? inputs : flash->rows.n),
        .leg = {{(uint8_t)(straight ? block->bits : 0), false, false}, {(uint8_t)block->bits, true, true}},
        .first = block->first};
    np_sort_cost cost = {0};
    np_status st;
    if ((st = go_back(flash, part, attempt, &to_random, false, &cost)) ||
        (st = go_back(flash, part, attempt, &home, true, &cost)))
        return st;
    np_sort_log_charge(block->log, block->clock, "return", block->depth, &cost);
    return NP_OK;
}

/* Lemmas 8.2 and 8.4, with the largest interval. The first leaves its constant open. */
static void note_intervals(const np_flashsort_part *part, uint32_t largest, uint32_t inputs)
{
    np_sort_log *log = &part->flash->sorting->log;
    double unit = part->items * (double)part->flash->rows.n / sqrt(ldexp(1, (int)part->block.bits));
    np_sort_log_event(log, "delta-split", "Lemma 8.2", "largest interval, by n log N / sqrt(M)", largest / unit, 0);
    np_sort_log_event(log, "fitting", "Lemma 8.4", "largest interval, by the inputs of its block",
                      largest / (double)inputs, 1);
}

np_status np_flashsort_split(void *context, uint32_t attempt, uint32_t *blocks, uint32_t *child)
{
    np_flashsort_part *part = context;
    np_flashsort *flash = part->flash;
    uint32_t t = np_flashsort_split_levels(flash, part->block.bits), inputs = UINT32_C(1) << (part->block.bits - t);
    bool good;
    np_status st = place_splitters(flash, part, attempt, t, &good);
    *blocks = 0;
    if (st || !good)
        return st;
    gather(flash, part);
    if ((st = to_random_rows(flash, part, attempt)) || (st = to_intervals(flash, part, attempt, t)))
        return st;
    uint32_t most = np_flashsort_number(flash, &part->block, &flash->sample, "number", part->block.bits - t, child);
    note_intervals(part, most, inputs);
    if (!fits(flash, part, t, child))
        return send_back(flash, part, attempt, t);
    *blocks = UINT32_C(1) << t;
    return spread(flash, part, attempt, t, child);
}
