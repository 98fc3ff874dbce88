/* Judges of problems on numbers. Sums wrap around 2^64. */
#include <string.h>

#include "machine/pram/judge.h"

static np_status judge_any(np_case *c)
{
    np_word any = 0;
    for (size_t i = 0; i < c->given->count; i++)
        any |= c->given->word[i] != 0;
    (void)(np_case_sized(c, 1) && np_case_word(c, 0, any));
    return NP_OK;
}

const np_judge np_judge_any = {.entry = {"any", "1 if some number is not 0, else 0", "", .takes = "array"},
                               .judge = judge_any};

static np_status judge_maximum(np_case *c)
{
    np_word most = c->given->count ? c->given->word[0] : 0;
    for (size_t i = 1; i < c->given->count; i++)
        most = c->given->word[i] > most ? c->given->word[i] : most;
    (void)(np_case_sized(c, 1) && np_case_word(c, 0, most));
    return NP_OK;
}

const np_judge np_judge_maximum = {.entry = {"maximum", "the largest number", "", .takes = "array"},
                                   .judge = judge_maximum};

static np_status judge_prefix_sums(np_case *c)
{
    uint64_t sum = 0;
    bool right = np_case_sized(c, c->given->count);
    for (size_t i = 0; i < c->given->count && right; i++)
        right = np_case_word(c, i, (np_word)(sum += (uint64_t)c->given->word[i]));
    return NP_OK;
}

const np_judge np_judge_prefix_sums = {.entry = {"prefix-sums", "x[0] + ... + x[i] for every i", "", .takes = "array"},
                                       .judge = judge_prefix_sums};

/* ---- Order ---- */

static np_status judge_sort(np_case *c)
{
    const np_given *x = c->given;
    np_word *sorted;
    if (!np_case_sized(c, x->count))
        return NP_OK;
    np_status st = np_workspace_array(c->work, &sorted, x->count, sizeof *sorted);
    if (st)
        return st;
    memcpy(sorted, x->word, x->count * sizeof *sorted);
    np_sort_words(x->count, sorted);
    np_case_words(c, x->count, sorted);
    return NP_OK;
}

/* The inputs are in order: of two heads the smaller one is next. */
static np_status judge_merge(np_case *c)
{
    const np_given *a = &c->given[0], *b = &c->given[1];
    size_t i = 0, j = 0;
    bool right = np_case_sized(c, a->count + b->count);
    while (right && i + j < a->count + b->count) {
        bool first = j == b->count || (i < a->count && a->word[i] <= b->word[j]);
        right = np_case_word(c, i + j, first ? a->word[i] : b->word[j]);
        i += first;
        j += !first;
    }
    return NP_OK;
}

const np_judge np_judge_sort = {.entry = {"sort", "the numbers in order", "", .takes = "array"}, .judge = judge_sort};
const np_judge np_judge_merge = {
    .entry = {"merge", "the numbers of two arrays, which are in order, in order", "", .takes = "array array"},
    .judge = judge_merge};

/* ---- Bins ---- */

enum { BINS = 16 };

static np_status judge_histogram(np_case *c)
{
    np_word bins = np_case_option(c, "bins", BINS), *count;
    size_t n = c->given->count;
    if (bins < 1 || bins > (np_word)(1 << 24) || !np_case_sized(c, (size_t)bins + n))
        return NP_OK;
    np_status st = np_workspace_take(c->work, &count, (size_t)bins, sizeof *count);
    bool right = !st;
    for (size_t i = 0; i < n && right; i++)
        right = np_case_word(c, (size_t)bins + i, count[(c->given->word[i] % bins + bins) % bins]++);
    for (size_t b = 0; b < (size_t)bins && right; b++)
        right = np_case_word(c, b, count[b]);
    return st;
}

const np_judge np_judge_histogram = {
    .entry = {"histogram",
              "how many numbers there are in each of 16 bins (option bins), by the remainder; then the rank of each "
              "number in its bin",
              "", .takes = "array"},
    .judge = judge_histogram};
