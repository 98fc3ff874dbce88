/*
 * How splitters go from where they were sorted to where they direct packets.
 *
 * Symbols: L levels of the block, t levels that get splitters. Splitter k = 1 .. 2^t - 1 goes forward to row
 * k 2^(L - t) of the outputs, then backward. Let k = (b, 1, 0 .. 0) in t bits, with d bits b before its last 1.
 * Splitter k decides at level d, at the rows whose first d bits are b. At a level l > d it is at all rows whose first l
 * bits are the first l bits of (b, 1, 0 .. 0). Now take two rows that differ only in bit l + 1, counted from the most
 * significant one. At level l + 1 the row with a 1 there has only the splitter that decides at level l (d = l). The row
 * with a 0 has only a splitter that goes on (d < l). So no edge carries two splitters, and of the two that a node gets
 * one stays.
 */
#include <assert.h>
#include <string.h>

#include "papers/flashsort/block_pass.h"

/*
 * Sends every splitter to its row of the outputs. No two meet, since the targets of splitters j < k are at least as far
 * apart as the rows that they come from. (np_block_concentrate in block.c has the mirrored proof.) With count = 2^L the
 * splitters come from the rows just before their targets. With a smaller count, the distance of the rows is
 * floor(k c) - floor(j c) <= ceil((k - j) c) <= (k - j) 2^(L - t), where c = (count + 1) / 2^t.
 */
static void lay_out(const np_block *block, uint32_t count, const uint32_t *sorted, uint32_t levels, uint32_t *word,
                    np_sort_cost *cost)
{
    uint32_t rows = UINT32_C(1) << block->bits, parts = UINT32_C(1) << levels, *target = block->scratch;
    memset(word, 0xff, rows * sizeof *word); /* NP_NONE */
    memset(target, 0, rows * sizeof *target);
    for (uint32_t k = 1; k < parts; k++) {
        uint32_t from = (uint32_t)(((uint64_t)k * (count + 1)) >> levels) - 1;
        word[from] = sorted[from];
        target[from] = k << (block->bits - levels);
    }
    uint32_t words = np_block_pass_words(word, rows); /* an infinite splitter moves nothing */
    cost->packets = words;
    const np_block_who who = {.rows = rows, .word = word};
    for (uint32_t bit = block->bits; bit-- > 0;)
        np_block_pass_move(block, cost, &who, target, bit, false, words);
}

void np_block_distribute(const np_block *block, const char *stage, uint32_t count, const uint32_t *word,
                         uint32_t levels, uint32_t *splitter)
{
    assert(levels <= block->bits && ((uint64_t)1 << levels) <= (uint64_t)count + 1);
    if (!levels)
        return;
    uint32_t rows = UINT32_C(1) << block->bits, *at = block->scratch + rows;
    np_sort_cost cost = {.load_max = block->hypercube ? levels + 1 : 2};
    const np_block_who who = {.rows = rows, .word = at};
    lay_out(block, count, word, levels, at, &cost);
    for (uint32_t level = block->bits; level-- > 0;) {
        uint32_t *left = level < levels ? splitter + ((size_t)level << block->bits) : NULL;
        np_block_pass_copy(block, &cost, &who, left, block->bits - 1 - level, true);
    }
    assert(!np_block_pass_words(at, rows));
    np_block_pass_charge(block, stage, &cost);
}
