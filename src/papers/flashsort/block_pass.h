/*
 * The parts of the algorithms on blocks: what all rows do on one level of a pass, between rows that differ in one bit,
 * and what it costs. `rows` is a multiple of 2^(bit+1); the rows from `rows` on take no part.
 */
#pragma once

#include "papers/flashsort/block.h"

/* The lower row of a pair gets the lesser word, or the greater word if bit `turn` of the rows is set. turn > bit. */
void np_block_pass_compare(uint32_t *word, uint32_t rows, uint32_t bit, uint32_t turn);

/* The words that are not NP_NONE. */
uint32_t np_block_pass_words(const uint32_t *word, uint32_t rows);

/* ---- block_tell.c: what observers hear. Before words move, in the step behind those of the cost. Nobody need observe,
   but where it is said. ---- */

/* Who moves in a pass. */
typedef struct np_block_who {
    uint32_t rows;
    uint32_t *word;  /* [rows, `apart` from each other] NP_NONE: the row has none. NULL: every row has a number */
    uint32_t apart;  /* 0 is 1 */
    uint32_t number; /* the word of the first row's number */
    bool stays;      /* copies walk straight, and the words stay */
} np_block_who;

/* The rows have made numbers, at the level. */
np_block_who np_block_tell_numbers(const np_block *block, const np_sort_cost *cost, uint32_t rows, uint32_t level);

/* All rows have made copies of their words, at the inputs; the words of the block are copies. */
void np_block_tell_copies(const np_block *block, const uint32_t *word);

/* All walk straight from level to level. Requires an observer, and no hypercube. */
void np_block_tell_straight(const np_block *block, const np_sort_cost *cost, const np_block_who *who, uint32_t from,
                            uint32_t to);

/* The words move by their tags, or numbers are summed up. Requires an observer. */
void np_block_tell_move(const np_block *block, const np_sort_cost *cost, const np_block_who *who, const uint32_t *tag,
                        uint32_t bit, bool backward);
void np_block_tell_sums(const np_block *block, const np_sort_cost *cost, const np_block_who *who, uint32_t bit,
                        bool backward);

/* Each word goes straight, and a copy across. how: COPIES or COMPARES. */
void np_block_tell_both(const np_block *block, const np_sort_cost *cost, const np_block_who *who, uint32_t bit,
                        bool backward, np_sort_sending how);

/* A step over the level of the bit: `straight` words went straight, `across` words went across. */
static inline void np_block_pass_step(const np_block *block, np_sort_cost *cost, uint32_t bit, uint64_t straight,
                                      uint64_t across)
{
    cost->steps++;
    cost->hops += across + (block->hypercube ? 0 : straight);
    np_sort_log_edges(block->log, bit, straight, across);
}

/* ---- One level of a pass, played, told and counted ---- */

/* Each of the `words` words crosses if its tag and its row differ in the bit; the tag goes with it. No two may meet. */
void np_block_pass_move(const np_block *block, np_sort_cost *cost, const np_block_who *who, uint32_t *tag, uint32_t bit,
                        bool backward, uint32_t words);

/* Both rows of a pair get the word that one of them has. left: NULL, or they leave the upper row's word behind there,
   and get the lower row's. */
void np_block_pass_copy(const np_block *block, np_sort_cost *cost, const np_block_who *who, uint32_t *left,
                        uint32_t bit, bool backward);

/* Each number goes straight, and across to become a part of the other row's number: both rows of a pair get the sum of
   their totals. before: NULL, or the upper row counts the lower one's total as before it. */
void np_block_pass_sum(const np_block *block, np_sort_cost *cost, const np_block_who *who, uint32_t *total,
                       uint32_t *before, uint32_t bit, bool backward);

/* `words` words walk straight from level to level. If levels are above L, the block is wrapped: they go round. */
static inline void np_block_pass_straight(const np_block *block, np_sort_cost *cost, const np_block_who *who,
                                          uint32_t from, uint32_t to, uint64_t words)
{
    uint64_t levels = from < to ? to - from : from - to;
    if (block->hypercube)
        return;
    if (block->log->teller)
        np_block_tell_straight(block, cost, who, from, to);
    cost->steps += levels;
    cost->hops += levels * words;
    for (uint32_t level = from < to ? from : to, end = level + (uint32_t)levels; level < end; level++)
        np_sort_log_edges(block->log, (2 * block->bits - 1 - level) % block->bits, words, 0);
}

/* `words` words walk straight from the inputs to the outputs, or back. */
static inline void np_block_pass_through(const np_block *block, np_sort_cost *cost, const np_block_who *who,
                                         bool backward, uint64_t words)
{
    if (!block->wrapped)
        np_block_pass_straight(block, cost, who, backward ? block->bits : 0, backward ? 0 : block->bits, words);
}

/* Charges a call, at its end. */
static inline void np_block_pass_charge(const np_block *block, const char *stage, const np_sort_cost *cost)
{
    np_sort_log_charge(block->log, block->clock, stage, block->depth, cost);
}
