/*
 * What the algorithms on blocks are made of: what all rows do on one level of a pass, between rows that differ in one
 * bit; and what that costs. `rows` is a multiple of 2^(bit+1): rows behind them take no part.
 */
#ifndef NP_SORT_BLOCK_PASS_H
#define NP_SORT_BLOCK_PASS_H

#include "sort/block.h"

/* Each word that is there crosses if its tag has another bit than its row; the tag goes with it. No two may meet.
   Returns how many crossed. */
uint32_t np_block_pass_move(uint32_t *word, uint32_t *tag, uint32_t rows, uint32_t bit);

/* Both of a pair get the word that one of them has. Returns how many words there were. */
uint32_t np_block_pass_copy(uint32_t *word, uint32_t rows, uint32_t bit);

/* Both leave behind the upper row's word, in left[], and both get the lower row's. Returns how many words there were.
 */
uint32_t np_block_pass_part(uint32_t *word, uint32_t *left, uint32_t rows, uint32_t bit);

/* Both get the sum of their totals. */
void np_block_pass_sum(uint32_t *total, uint32_t rows, uint32_t bit);

/* The same, and the upper row counts the lower one's total as before it. */
void np_block_pass_prefix(uint32_t *total, uint32_t *before, uint32_t rows, uint32_t bit);

/* The lower row gets the lesser word; the greater, in rows whose bit `turn` is set. turn > bit. */
void np_block_pass_compare(uint32_t *word, uint32_t rows, uint32_t bit, uint32_t turn);

/* The words that are not NP_NONE. */
uint32_t np_block_pass_words(const uint32_t *word, uint32_t rows);

/* A step over one level: so many words went straight, so many across. */
static inline void np_block_pass_step(const np_block *block, np_sort_cost *cost, uint64_t straight, uint64_t across)
{
    cost->steps++;
    cost->hops += across + (block->hypercube ? 0 : straight);
}

/* So many words walk straight over so many levels. */
static inline void np_block_pass_straight(const np_block *block, np_sort_cost *cost, uint32_t levels, uint64_t words)
{
    if (block->hypercube)
        return;
    cost->steps += levels;
    cost->hops += levels * words;
}

/* ... from the inputs to the outputs, or back. */
static inline void np_block_pass_through(const np_block *block, np_sort_cost *cost, uint64_t words)
{
    if (!block->wrapped)
        np_block_pass_straight(block, cost, block->bits, words);
}

/* The call is over. */
static inline void np_block_pass_charge(const np_block *block, const char *stage, const np_sort_cost *cost)
{
    np_sort_log_charge(block->log, block->clock, stage, block->depth, cost);
}

#endif
