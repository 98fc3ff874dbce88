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
 *
 * With runs of h words a row, a comparator is a merge-split, and a level takes h steps.
 */
#include "papers/flashsort/block_pass.h"

/* Runs of h words a row, slot by slot: the words of slot k are the k-th of all rows. */
typedef struct runs {
    const np_block *block;
    uint32_t h, *word; /* [rows][h] */
    uint32_t words;    /* in all, if h is 1 */
    np_sort_cost *cost;
} runs;

static np_block_who slot(const runs *r, uint32_t k)
{
    return (np_block_who){.rows = UINT32_C(1) << r->block->bits, .word = r->word + k, .apart = r->h};
}

static uint32_t words_of(const runs *r, const np_block_who *who)
{
    uint32_t words = 0;
    for (uint32_t row = 0; row < who->rows && r->h > 1; row++)
        words += who->word[(size_t)row * r->h] != NP_NONE;
    return r->h > 1 ? words : r->words;
}

/* The words of all rows walk from level to level. */
static void walk(const runs *r, uint32_t from, uint32_t to)
{
    uint32_t next;
    for (uint32_t level = from; level != to; level = next) {
        next = level < to ? level + 1 : level - 1;
        for (uint32_t k = 0; k < r->h; k++) {
            const np_block_who who = slot(r, k);
            np_block_pass_straight(r->block, r->cost, &who, level, next, words_of(r, &who));
        }
    }
}

static void compare(const runs *r, uint32_t k, uint32_t bit, uint32_t *scratch)
{
    uint32_t rows = UINT32_C(1) << r->block->bits, half = UINT32_C(1) << bit;
    size_t h = r->h;
    if (h == 1)
        np_block_pass_compare(r->word, rows, bit, k);
    for (uint32_t row = 0; row < rows && h > 1; row++) {
        uint32_t turned = row >> k & 1 ? half : 0; /* the second of two runs that will be merged is sorted in reverse */
        if (!(row & half))
            np_sort_merge_split(r->word + (row + turned) * h, r->word + (row + half - turned) * h, r->h, scratch);
    }
}

/* Forward from level L - k to L. Each word goes straight and across, and each row keeps one half of the words that
 * come.
 */
static void merge(const runs *r, uint32_t k, uint32_t *scratch)
{
    for (uint32_t bit = k; bit-- > 0;) {
        for (uint32_t i = 0; i < r->h; i++) {
            const np_block_who who = slot(r, i);
            uint32_t words = words_of(r, &who);
            np_block_tell_both(r->block, r->cost, &who, bit, false, NP_SORT_COMPARES);
            np_block_pass_step(r->block, r->cost, bit, words, words);
        }
        compare(r, k, bit, scratch);
        r->cost->comparators += (UINT32_C(1) << r->block->bits) / 2;
    }
}

void np_block_odd_even_merge_runs(const np_block *block, uint32_t h, uint32_t *word, uint32_t *scratch,
                                  np_sort_cost *cost)
{
    uint32_t rows = UINT32_C(1) << block->bits, L = block->bits;
    const runs r = {block, h, word, h > 1 ? 0 : np_block_pass_words(word, rows), cost};
    for (uint32_t row = 0; row < rows && h > 1; row++)
        np_sort_locally(word + (size_t)row * h, h);
    for (uint32_t k = 1; k <= L; k++) {
        walk(&r, k > 1 || block->wrapped ? L : 0, k > 1 ? L - k : L - 1); /* wrapped: level L is level 0 */
        merge(&r, k, scratch);
    }
    if (!block->wrapped)
        walk(&r, L, 0);
}

void np_block_odd_even_merge(const np_block *block, const char *stage, uint32_t *word)
{
    np_sort_cost cost = {.packets = np_block_pass_words(word, UINT32_C(1) << block->bits), .load_max = 1};
    if (!block->bits)
        return;
    np_block_odd_even_merge_runs(block, 1, word, NULL, &cost);
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
