/*
 * The parts of the algorithms on blocks: what all rows do on one level of a pass, between rows that differ in one bit,
 * and what it costs. `rows` is a multiple of 2^(bit+1); the rows from `rows` on take no part.
 */
#ifndef NP_SORT_BLOCK_PASS_H
#define NP_SORT_BLOCK_PASS_H

#include "sort/block.h"

/* Each word crosses if its tag and its row differ in the bit; the tag goes with it. No two words may meet. Returns how
   many words crossed. */
uint32_t np_block_pass_move(uint32_t *word, uint32_t *tag, uint32_t rows, uint32_t bit);

/* Both rows of a pair get the word that one of them has. Returns how many words there were. */
uint32_t np_block_pass_copy(uint32_t *word, uint32_t rows, uint32_t bit);

/* Both rows of a pair leave the upper row's word behind, in left[], and get the lower row's word. Returns how many
   words there were. */
uint32_t np_block_pass_part(uint32_t *word, uint32_t *left, uint32_t rows, uint32_t bit);

/* Both rows of a pair get the sum of their totals. */
void np_block_pass_sum(uint32_t *total, uint32_t rows, uint32_t bit);

/* The same, and the upper row counts the lower one's total as before it. */
void np_block_pass_prefix(uint32_t *total, uint32_t *before, uint32_t rows, uint32_t bit);

/* The lower row of a pair gets the lesser word, or the greater word if bit `turn` of the rows is set. turn > bit. */
void np_block_pass_compare(uint32_t *word, uint32_t rows, uint32_t bit, uint32_t turn);

/* The words that are not NP_NONE. */
uint32_t np_block_pass_words(const uint32_t *word, uint32_t rows);

/* A step over one level: `straight` words went straight, `across` words went across. */
static inline void np_block_pass_step(const np_block *block, np_sort_cost *cost, uint64_t straight, uint64_t across)
{
    cost->steps++;
    cost->hops += across + (block->hypercube ? 0 : straight);
}

/* `words` words walk straight over `levels` levels. */
static inline void np_block_pass_straight(const np_block *block, np_sort_cost *cost, uint32_t levels, uint64_t words)
{
    if (block->hypercube)
        return;
    cost->steps += levels;
    cost->hops += levels * words;
}

/* `words` words walk straight from the inputs to the outputs, or back. */
static inline void np_block_pass_through(const np_block *block, np_sort_cost *cost, uint64_t words)
{
    if (!block->wrapped)
        np_block_pass_straight(block, cost, block->bits, words);
}

/* Charges a call, at its end. */
static inline void np_block_pass_charge(const np_block *block, const char *stage, const np_sort_cost *cost)
{
    np_sort_log_charge(block->log, block->clock, stage, block->depth, cost);
}

#endif
