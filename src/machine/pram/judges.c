/* The problems that programs solve, in the order of netpram list. */
#include "machine/pram/judge.h"

#include <stdarg.h>
#include <stdio.h>

extern const np_judge np_judge_any, np_judge_maximum, np_judge_prefix_sums, np_judge_sort, np_judge_merge,
    np_judge_histogram, np_judge_list_ranking, np_judge_tree, np_judge_components, np_judge_distances,
    np_judge_matrix_product, np_judge_life, np_judge_spanning_forest, np_judge_independent_set, np_judge_list_colouring,
    np_judge_closure, np_judge_all_pairs, np_judge_occurrences, np_judge_hull, np_judge_transform, np_judge_expression;

const np_registry np_judges = {
    .list = "problems",
    .title = "problems whose answers are judged (solves, in a program's text)",
    .what = "problem",
    .built_in = NP_ENTRIES(
        &np_judge_any.entry, &np_judge_maximum.entry, &np_judge_prefix_sums.entry, &np_judge_sort.entry,
        &np_judge_merge.entry, &np_judge_histogram.entry, &np_judge_list_ranking.entry, &np_judge_tree.entry,
        &np_judge_components.entry, &np_judge_distances.entry, &np_judge_matrix_product.entry, &np_judge_life.entry,
        &np_judge_spanning_forest.entry, &np_judge_independent_set.entry, &np_judge_list_colouring.entry,
        &np_judge_closure.entry, &np_judge_all_pairs.entry, &np_judge_occurrences.entry, &np_judge_hull.entry,
        &np_judge_transform.entry, &np_judge_expression.entry),
};

np_status np_judge_find(const char *name, const np_judge **out) { return np_registry_find(&np_judges, name, out); }

bool np_case_wrong(np_case *c, const char *format, ...)
{
    va_list arguments;
    if (!c->correct)
        return false;
    c->correct = false;
    va_start(arguments, format);
    vsnprintf(c->wrong, sizeof c->wrong, format, arguments);
    va_end(arguments);
    return false;
}

bool np_case_word_wrong(np_case *c, size_t i, const char *right)
{
    char name[NP_SCRIPT_CELL];
    c->name(c->named, i, name);
    return np_case_wrong(c, "%.200s is %lld, and not %s", name, (long long)c->answer[i], right);
}

bool np_case_word(np_case *c, size_t i, np_word right)
{
    char text[32];
    if (c->answer[i] == right)
        return true;
    snprintf(text, sizeof text, "%lld", (long long)right);
    return np_case_word_wrong(c, i, text);
}

bool np_case_sized(np_case *c, size_t words)
{
    return c->answers == words || np_case_wrong(c, "the outputs have %zu words, and not %zu", c->answers, words);
}

void np_case_words(np_case *c, size_t count, const np_word *right)
{
    for (size_t i = 0; i < count && np_case_word(c, i, right[i]);)
        i++;
}

np_word np_case_option(const np_case *c, const char *name, np_word preset)
{
    np_word value;
    return c->option(c->context, name, &value) ? value : preset;
}
