/*
 * One level of a pass over a block, as loops over pairs of rows (w, w + 2^bit). Each row of a pair has a straight edge
 * and an edge across. Words are moved in place: before the loop the rows have the words of the level that the pass
 * leaves, after it the words of the level that the pass reaches. NP_NONE, which is above all words, stands for no word.
 * The loops over 2^bit pairs have no branches, so that compilers vectorise them.
 */
#include "papers/flashsort/block_pass.h"

#include <assert.h>

#include "base/hot.h"

NP_HOT static uint32_t move(uint32_t *word, uint32_t *tag, uint32_t rows, uint32_t bit)
{
    uint32_t half = UINT32_C(1) << bit, crossed = 0, met = 0;
    for (uint32_t base = 0; base < rows; base += 2 * half) {
        uint32_t *low = word + base, *high = low + half, *low_tag = tag + base, *high_tag = low_tag + half;
        for (uint32_t i = 0; i < half; i++) {
            uint32_t x = low[i], y = high[i], s = low_tag[i], t = high_tag[i];
            uint32_t here = x != NP_NONE, there = y != NP_NONE;
            uint32_t up = here & (s >> bit), down = there & ~(t >> bit);
            crossed += up + down;
            met |= (here & there) & (up ^ down); /* one goes where the other stays */
            low[i] = down ? y : up ? NP_NONE : x;
            low_tag[i] = down ? t : s;
            high[i] = up ? x : down ? NP_NONE : y;
            high_tag[i] = up ? s : t;
        }
    }
    assert(!met);
    (void)met;
    return crossed;
}

NP_HOT static uint32_t copy(uint32_t *word, uint32_t rows, uint32_t bit)
{
    uint32_t half = UINT32_C(1) << bit, words = 0, met = 0;
    for (uint32_t base = 0; base < rows; base += 2 * half) {
        uint32_t *low = word + base, *high = low + half;
        for (uint32_t i = 0; i < half; i++) {
            uint32_t x = low[i], y = high[i], one = x < y ? x : y;
            words += one != NP_NONE;
            met |= (x != NP_NONE) & (y != NP_NONE);
            low[i] = high[i] = one;
        }
    }
    assert(!met);
    (void)met;
    return words;
}

NP_HOT static uint32_t part(uint32_t *word, uint32_t *left, uint32_t rows, uint32_t bit)
{
    uint32_t half = UINT32_C(1) << bit, words = 0;
    for (uint32_t base = 0; base < rows; base += 2 * half) {
        uint32_t *low = word + base, *high = low + half, *low_left = left + base, *high_left = low_left + half;
        for (uint32_t i = 0; i < half; i++) {
            uint32_t x = low[i], y = high[i];
            words += (x != NP_NONE) + (y != NP_NONE);
            low_left[i] = high_left[i] = y;
            high[i] = x;
        }
    }
    return words;
}

NP_HOT static void sum(uint32_t *total, uint32_t rows, uint32_t bit)
{
    uint32_t half = UINT32_C(1) << bit;
    for (uint32_t base = 0; base < rows; base += 2 * half) {
        uint32_t *low = total + base, *high = low + half;
        for (uint32_t i = 0; i < half; i++)
            low[i] = high[i] = low[i] + high[i];
    }
}

NP_HOT static void prefix(uint32_t *total, uint32_t *before, uint32_t rows, uint32_t bit)
{
    uint32_t half = UINT32_C(1) << bit;
    for (uint32_t base = 0; base < rows; base += 2 * half) {
        uint32_t *low = total + base, *high = low + half, *high_before = before + base + half;
        for (uint32_t i = 0; i < half; i++) {
            high_before[i] += low[i];
            low[i] = high[i] = low[i] + high[i];
        }
    }
}

NP_HOT void np_block_pass_compare(uint32_t *word, uint32_t rows, uint32_t bit, uint32_t turn)
{
    uint32_t half = UINT32_C(1) << bit;
    for (uint32_t base = 0; base < rows; base += 2 * half) {
        bool turned = base >> turn & 1;
        uint32_t *lesser = word + base + (turned ? half : 0), *greater = word + base + (turned ? 0 : half);
        for (uint32_t i = 0; i < half; i++) {
            uint32_t x = lesser[i], y = greater[i];
            lesser[i] = x < y ? x : y;
            greater[i] = x < y ? y : x;
        }
    }
}

uint32_t np_block_pass_words(const uint32_t *word, uint32_t rows)
{
    uint32_t words = 0;
    for (uint32_t w = 0; w < rows; w++)
        words += word[w] != NP_NONE;
    return words;
}

void np_block_pass_move(const np_block *block, np_sort_cost *cost, const np_block_who *who, uint32_t *tag, uint32_t bit,
                        bool backward, uint32_t words)
{
    if (block->log->teller)
        np_block_tell_move(block, cost, who, tag, bit, backward);
    uint32_t across = move(who->word, tag, who->rows, bit);
    np_block_pass_step(block, cost, bit, words - across, across);
}

void np_block_pass_copy(const np_block *block, np_sort_cost *cost, const np_block_who *who, uint32_t *left,
                        uint32_t bit, bool backward)
{
    np_block_tell_both(block, cost, who, bit, backward, NP_SORT_COPIES);
    uint32_t words = left ? part(who->word, left, who->rows, bit) : copy(who->word, who->rows, bit);
    np_block_pass_step(block, cost, bit, words, words);
}

void np_block_pass_sum(const np_block *block, np_sort_cost *cost, const np_block_who *who, uint32_t *total,
                       uint32_t *before, uint32_t bit, bool backward)
{
    if (block->log->teller)
        np_block_tell_sums(block, cost, who, bit, backward);
    if (before)
        prefix(total, before, who->rows, bit);
    else
        sum(total, who->rows, bit);
    np_block_pass_step(block, cost, bit, who->rows, who->rows);
}
