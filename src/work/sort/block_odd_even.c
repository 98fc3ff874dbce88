/*
 * Batcher's odd-even merge sort on blocks (Batcher 1968; Leighton 1992, section 3.5): stage k = 1 .. L makes ascending
 * runs of 2^k words out of two of 2^(k-1).
 *
 * The merge of A and B merges the evens of A with the odds of B, and the odds of A with the evens of B, and then
 * compares neighbours. For this, B crosses at every level on the way backward over the k bits, and A goes straight:
 * this reverses B. The comparators are on the way forward. We do not reverse B by walking, but sort it in reverse:
 * stage k turns the comparators of the rows whose bit k is 1, the second runs of stage k + 1. So all words walk
 * straight backward over k levels, then forward over as many levels with comparators. This saves a hypercube half of
 * its steps, and a butterfly none.
 *
 * The words begin at level 0, so stage 1 needs no walk backward: its comparators are on the last level of the first
 * walk forward.
 */
#include "work/sort/block_pass.h"

/* Forward from level L - k to L. Each word goes straight and across, and each row keeps one of the two words that come.
 */
static void merge(const np_block *block, uint32_t *word, uint32_t k, uint64_t words, np_sort_cost *cost)
{
    uint32_t rows = UINT32_C(1) << block->bits;
    const np_block_who who = {.rows = rows, .word = word};
    for (uint32_t bit = k; bit-- > 0;) {
        np_block_tell_both(block, cost, &who, bit, false, NP_SORT_COMPARES);
        np_block_pass_compare(word, rows, bit, k);
        np_block_pass_step(block, cost, bit, words, words);
        cost->comparators += rows / 2;
    }
}

void np_block_odd_even_merge(const np_block *block, const char *stage, uint32_t *word)
{
    uint32_t rows = UINT32_C(1) << block->bits, L = block->bits, words = np_block_pass_words(word, rows);
    const np_block_who who = {.rows = rows, .word = word};
    np_sort_cost cost = {.packets = words, .load_max = 1};
    if (!L)
        return;
    if (block->wrapped) /* level L is level 0 */
        np_block_pass_straight(block, &cost, &who, L, L - 1, words);
    else
        np_block_pass_straight(block, &cost, &who, 0, L - 1, words);
    merge(block, word, 1, words, &cost);
    for (uint32_t k = 2; k <= L; k++) {
        np_block_pass_straight(block, &cost, &who, L, L - k, words);
        merge(block, word, k, words, &cost);
    }
    np_block_pass_through(block, &cost, &who, true, words);
    np_block_pass_charge(block, stage, &cost);
}

uint64_t np_block_odd_even_merge_steps(const np_block *block)
{
    uint64_t L = block->bits;
    if (block->hypercube)
        return L * (L + 1) / 2;
    if (block->wrapped || !L)
        return L * (L + 1);
    return L * L + 3 * L - 2;
}
