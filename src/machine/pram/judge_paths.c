/* Judges of problems on all pairs of vertices, and on the places of a text. */
#include "machine/pram/judge.h"

/* Warshall 1962: which vertices are reached over the first k vertices alone. */
static np_status judge_closure(np_case *c)
{
    const np_given *g = c->given;
    size_t n = g->rows;
    np_word *reached;
    if (!np_case_sized(c, n * n))
        return NP_OK;
    np_status st = np_workspace_array(c->work, &reached, n * n, sizeof *reached);
    if (st)
        return st;
    for (size_t i = 0; i < n * n; i++)
        reached[i] = i / n == i % n || g->word[i] == 1;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n && reached[i * n + k]; j++)
                reached[i * n + j] |= reached[k * n + j];
    np_case_words(c, n * n, reached);
    return NP_OK;
}

const np_judge np_judge_closure = {
    .entry = {"closure", "the reflexive and transitive closure of a relation, as a matrix of 0 and 1", "",
              .takes = "matrix"},
    .judge = judge_closure};

enum { NONE = -1 };

/* Floyd 1962: the shortest paths over the first k vertices alone. Weights are from 0. */
static np_status judge_all_pairs(np_case *c)
{
    const np_graph *g = &c->given->graph;
    size_t n = g->vertices;
    np_word *length;
    if (!np_case_sized(c, n * n))
        return NP_OK;
    np_status st = np_workspace_array(c->work, &length, n * n, sizeof *length);
    if (st)
        return st;
    for (size_t i = 0; i < n * n; i++)
        length[i] = i / n == i % n ? 0 : NONE;
    for (size_t a = 0; a < g->arcs; a++)
        length[g->tail[a] * n + g->head[a]] = c->given->weight[a];
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n && length[i * n + k] != NONE; j++) {
                np_word way = length[i * n + k] + length[k * n + j], *best = &length[i * n + j];
                if (length[k * n + j] != NONE && (*best == NONE || way < *best))
                    *best = way;
            }
    np_case_words(c, n * n, length);
    return NP_OK;
}

const np_judge np_judge_all_pairs = {
    .entry = {"all-pairs", "the lengths of shortest paths between all pairs of vertices, by rows; -1: none", "",
              .takes = "graph"},
    .judge = judge_all_pairs,
    .weighs = true};

/* ---- Texts ---- */

static np_status judge_occurrences(np_case *c)
{
    const np_given *g = c->given;
    size_t m = (size_t)np_case_option(c, "m", 1);
    bool right = np_case_sized(c, g->count);
    m = m < g->count ? m : g->count;
    for (size_t i = 0; i < g->count && right; i++) {
        size_t same = 0;
        while (same < m && i + same < g->count && g->word[i + same] == g->word[same])
            same++;
        right = np_case_word(c, i, same == m);
    }
    return NP_OK;
}

const np_judge np_judge_occurrences = {
    .entry = {"occurrences", "for each letter of a text 1 if its first letters, as many as option m says, stand there",
              "", .takes = "text"},
    .judge = judge_occurrences};
