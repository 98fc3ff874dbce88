/*
 * The recursive subroutine of flashsort (Leighton, Maggs, Ranade & Rao 1994, section 8.1, Figure 6). It sorts at most
 * N / 2^lightness items, one a row, on the levels and rows of the whole network. The blocks of 2^L rows into which a
 * block is split do the same, all at the same time.
 *
 * Departures. Items are counted (step 1) at the root only: the blocks below know their numbers from step 8. A block
 * ends the recursion by a sort by ranks (Nassimi & Sahni) if it has few enough items, sqrt(M), and this takes fewer
 * steps than odd-even merging. It ends the recursion by odd-even merging if it has at most `cutoff` rows, or so few
 * rows that they do not yield splitters. A draw of candidates fails if they are too few, or more than can be sorted by
 * ranks, or if an interval has more items than its block has inputs. Then the block draws again, and after `redraws`
 * redraws it sorts by odd-even merging, which sorts every input. The paper gives the probability of a failure, but not
 * what is done then. After the recursion the items are in order with gaps, at the inputs of their blocks. On a
 * butterfly they walk straight to level n, which is level 0. Then a pass over the whole network closes the gaps.
 */
#include "papers/flashsort/flashsort.h"

#include "papers/flashsort/block_pass.h"

static np_status sort_part(np_flashsort_part *part);

static np_status sort_child(void *context, uint32_t i, const uint32_t *count, np_sort_clock *clock)
{
    np_flashsort_part *part = context;
    np_flashsort *flash = part->flash;
    uint32_t bits = part->block.bits - np_flashsort_split_levels(flash, part->block.bits), row = i << bits;
    np_flashsort_part own = {.flash = flash,
                             .block =
                                 np_flashsort_block(flash, part->block.first + row, bits, part->block.depth + 1, clock),
                             .word = part->word + row,
                             .items = count[i],
                             .excess = part->excess};
    part->gaps = true;
    return sort_part(&own);
}

/* The paper's second case: its items, moved together and sorted by ranks. */
static bool sorts_by_ranks(const np_flashsort_part *part)
{
    const np_block *block = &part->block;
    return part->items <= np_block_rank_sort_most(block) &&
           np_block_concentrate_steps(block) + np_block_rank_sort_steps(block, part->items) <
               np_block_odd_even_merge_steps(block);
}

/* Returns true if it has sorted the block, without recursion. */
static bool sort_at_once(np_flashsort_part *part)
{
    const np_sort_constants *constants = &part->flash->sorting->options->constants;
    const np_block *block = &part->block;
    if (part->items < 2) {
        part->gaps = true;
        return true;
    }
    if (sorts_by_ranks(part)) {
        np_block_concentrate(block, "concentrate", part->word);
        np_block_rank_sort(block, "rank-sort", part->items, part->word);
        return true;
    }
    if (UINT64_C(1) << block->bits > constants->cutoff && np_flashsort_split_levels(part->flash, block->bits))
        return false;
    np_block_odd_even_merge(block, "odd-even-merge", part->word);
    return true;
}

/* The words of a block are at its inputs, and go straight to level n, which is level 0, where the gaps are closed. */
static void walk_out(const np_flashsort_part *part)
{
    const np_block *block = &part->block;
    const np_block_who who = {.rows = UINT32_C(1) << block->bits, .word = part->word};
    uint32_t words = np_block_pass_words(part->word, who.rows);
    np_sort_cost cost = {.packets = words, .load_max = 1};
    if (block->hypercube || block->wrapped)
        return;
    np_block_pass_straight(block, &cost, &who, 0, block->bits, words);
    np_block_pass_charge(block, "walk", &cost);
}

static np_status end(void *context, bool *ended)
{
    np_flashsort_part *part = context;
    np_flashsort *flash = part->flash;
    if (!(*ended = sort_at_once(part)))
        return NP_OK;
    walk_out(part);
    np_sort_log_event(&flash->sorting->log, "cumulative-delay", "Lemma 8.9",
                      "steps beyond the levels on a branch of the recursion, by log N",
                      (double)part->excess / flash->rows.n, 0);
    return NP_OK;
}

static np_status fall_back(void *context)
{
    const np_flashsort_part *part = context;
    np_block_odd_even_merge(&part->block, "fallback", part->word);
    walk_out(part);
    return NP_OK;
}

static np_status sort_part(np_flashsort_part *part)
{
    static const np_recursion_ops blocks = {end, np_flashsort_split, sort_child, fall_back};
    np_sorting *sorting = part->flash->sorting;
    uint32_t most = UINT32_C(1) << np_flashsort_split_levels(part->flash, part->block.bits);
    np_status st = np_recursion_sort(sorting, &blocks, part, most, part->block.clock);
    return st ? st : np_sorting_progress(sorting, "subroutine");
}

np_status np_flashsort_rows(np_flashsort *flash, uint32_t items)
{
    np_flashsort_part root = {.flash = flash, .block = np_flashsort_whole(flash), .word = flash->word, .items = items};
    if (items == NP_NONE)
        root.items = np_block_count(&root.block, "count", flash->word);
    np_status st = sort_part(&root);
    if (!st && root.gaps)
        np_block_concentrate(&root.block, "close-gaps", flash->word);
    return st;
}
