/*
 * Sorting by ranks (Nassimi & Sahni 1982): every word meets every other word, and goes to the row of its rank.
 *
 * Symbols: a, the least number with 2^a >= count; row (h, i) = h 2^a + i of the first 2^(2a), 0 <= h, i < 2^a. Words
 * begin at rows (0, i), level 0.
 *   1. They walk straight to level L - 2a, then forward across the a bits of h: word i is at all (h, i), level L - a,
 *      and stays there.
 *   2. From (h, h) one copy walks on straight to the outputs and backward across the bits of i: word h is at all
 *      (h, i).
 *   3. (h, i) compares its two words. The outcomes go forward across the bits of i, with word h: each (h, i) at the
 *      outputs knows how many words are below word h.
 *   4. Where i is this number, word h goes backward, straight over the bits of i and to 0 in the bits of h: to (0, i),
 *      and then straight to level 0. No two words meet, since no two have the same rank.
 * L + a + a + L steps, or a for each part on a hypercube.
 */
#include <assert.h>
#include <string.h>

#include "papers/flashsort/block_pass.h"

uint32_t np_block_rank_sort_most(const np_block *block) { return UINT32_C(1) << (block->bits / 2); }

/* Brings two words to each (h, i): word i to mine[], word h to theirs[]. */
static void meet(const np_block *block, uint32_t count, const uint32_t *word, uint32_t a, uint32_t *mine,
                 uint32_t *theirs, np_sort_cost *cost)
{
    uint32_t rows = UINT32_C(1) << 2 * a, L = block->bits;
    const np_block_who own = {.rows = rows, .word = mine}, copies = {.rows = rows, .word = theirs, .stays = true};
    memset(mine, 0xff, rows * sizeof *mine); /* NP_NONE */
    memset(theirs, 0xff, rows * sizeof *theirs);
    memcpy(mine, word, count * sizeof *mine);
    np_block_pass_straight(block, cost, &own, 0, L - 2 * a, count);
    for (uint32_t bit = 2 * a; bit-- > a;)
        np_block_pass_copy(block, cost, &own, NULL, bit, false);
    for (uint32_t h = 0; h < count; h++)
        theirs[(h << a) + h] = mine[(h << a) + h];
    np_block_pass_straight(block, cost, &copies, L - a, L, count);
    for (uint32_t bit = 0; bit < a; bit++)
        np_block_pass_copy(block, cost, &copies, NULL, bit, true);
}

/* rank[(h, i)] = how many words are below word h. Rows without a word h send nothing. */
static void count_below(const np_block *block, uint32_t count, const uint32_t *mine, uint32_t *theirs, uint32_t a,
                        uint32_t *rank, np_sort_cost *cost)
{
    uint32_t sending = count << a;
    const np_block_who outcomes = {.rows = sending, .word = theirs}; /* they go with the words h */
    for (uint32_t w = 0; w < UINT32_C(1) << 2 * a; w++)
        rank[w] = mine[w] < theirs[w];
    cost->comparators = (uint64_t)count * (count - 1);
    for (uint32_t bit = a; bit-- > 0;)
        np_block_pass_sum(block, cost, &outcomes, rank, NULL, bit, false);
}

/* Word h goes from (h, rank) to (0, rank). */
static void send(const np_block *block, uint32_t count, uint32_t *word, uint32_t a, uint32_t *rank, np_sort_cost *cost)
{
    uint32_t rows = UINT32_C(1) << 2 * a, low = (UINT32_C(1) << a) - 1, L = block->bits;
    const np_block_who who = {.rows = rows, .word = word};
    for (uint32_t w = 0; w < rows; w++)
        word[w] = rank[w] == (w & low) ? word[w] : NP_NONE;
    assert(np_block_pass_words(word, rows) == count); /* else not all were distinct */
    np_block_pass_straight(block, cost, &who, L, L - a, count);
    for (uint32_t bit = a; bit < 2 * a; bit++)
        np_block_pass_move(block, cost, &who, rank, bit, true, count);
    np_block_pass_straight(block, cost, &who, L - 2 * a, 0, count);
}

void np_block_rank_sort(const np_block *block, const char *stage, uint32_t count, uint32_t *word)
{
    assert(count <= np_block_rank_sort_most(block));
    if (count < 2)
        return;
    uint32_t a = np_log2_up(count);
    uint32_t *mine = block->scratch, *theirs = mine + ((size_t)1 << 2 * a), *rank = theirs + ((size_t)1 << 2 * a);
    np_sort_cost cost = {.packets = count, .load_max = 2};
    meet(block, count, word, a, mine, theirs, &cost);
    count_below(block, count, mine, theirs, a, rank, &cost);
    send(block, count, theirs, a, rank, &cost);
    memcpy(word, theirs, count * sizeof *word);
    np_block_pass_charge(block, stage, &cost);
}

uint64_t np_block_rank_sort_steps(const np_block *block, uint32_t count)
{
    uint64_t a = count < 2 ? 0 : np_log2_up(count);
    return block->hypercube ? 4 * a : a ? 2 * block->bits + 2 * a : 0;
}
