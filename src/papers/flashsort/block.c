/*
 * Counting and concentrating on blocks. Each takes one or two passes that all rows make at once, executed level by
 * level (block_pass.h). The proof that no two words meet is beside the pass that needs it.
 *
 * Symbols: L levels, as in block.h. Sources: Leighton 1992, sections 3.4.2 and 3.4.3, for prefix computations and
 * monotone routing on butterflies.
 */
#include "papers/flashsort/block.h"

#include <string.h>

#include "papers/flashsort/block_pass.h"

size_t np_block_scratch(uint32_t bits) { return (size_t)3 << bits; }

uint32_t np_block_count(const np_block *block, const char *stage, const uint32_t *word)
{
    uint32_t rows = UINT32_C(1) << block->bits, *total = block->scratch;
    np_sort_cost cost = {.packets = rows, .load_max = 1};
    for (uint32_t w = 0; w < rows; w++)
        total[w] = word[w] != NP_NONE;
    np_block_who who = np_block_tell_numbers(block, &cost, rows, 0);
    for (uint32_t bit = block->bits; bit-- > 0;)
        np_block_pass_sum(block, &cost, &who, total, NULL, bit, false);
    np_block_pass_through(block, &cost, &who, true, rows);
    np_block_pass_charge(block, stage, &cost);
    return total[0];
}

/*
 * Words go straight to the outputs, then backward. After bits 0 .. b each row knows the total of the 2^(b+1) rows that
 * agree with it in all other bits, and how much of the total is before the row.
 */
static uint32_t prefix(const np_block *block, const uint32_t *value, uint32_t *before, np_sort_cost *cost)
{
    uint32_t rows = UINT32_C(1) << block->bits, *total = block->scratch;
    memcpy(total, value, rows * sizeof *total);
    memset(before, 0, rows * sizeof *before);
    cost->packets += rows;
    np_block_who who = np_block_tell_numbers(block, cost, rows, 0);
    np_block_pass_through(block, cost, &who, false, rows);
    for (uint32_t bit = 0; bit < block->bits; bit++)
        np_block_pass_sum(block, cost, &who, total, before, bit, true);
    return total[0];
}

uint32_t np_block_prefix(const np_block *block, const char *stage, const uint32_t *value, uint32_t *before)
{
    np_sort_cost cost = {.load_max = 1};
    uint32_t total = prefix(block, value, before, &cost);
    np_block_pass_charge(block, stage, &cost);
    return total;
}

/*
 * Least significant bits first. No two words meet. Take two words at rows u < v with targets s < t. Then t - s <= v -
 * u, since s and t are their numbers among the words. If they met after bits 0 .. b, their targets would agree in the
 * low b + 1 bits, so t - s >= 2^(b+1); and their rows would agree in the high bits, so v - u < 2^(b+1): a
 * contradiction.
 */
uint32_t np_block_concentrate(const np_block *block, const char *stage, uint32_t *word)
{
    uint32_t rows = UINT32_C(1) << block->bits, *target = block->scratch + rows;
    np_sort_cost cost = {.load_max = 1};
    for (uint32_t w = 0; w < rows; w++)
        target[w] = word[w] != NP_NONE;
    uint32_t words = prefix(block, target, target, &cost);
    const np_block_who who = {.rows = rows, .word = word};
    cost.packets += words;
    np_block_pass_through(block, &cost, &who, false, words);
    for (uint32_t bit = 0; bit < block->bits; bit++)
        np_block_pass_move(block, &cost, &who, target, bit, true, words);
    np_block_pass_charge(block, stage, &cost);
    return words;
}

uint64_t np_block_concentrate_steps(const np_block *block)
{
    return (block->hypercube || block->wrapped ? 2 : 4) * (uint64_t)block->bits;
}
