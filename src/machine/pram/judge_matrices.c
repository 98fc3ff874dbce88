/* Judges of problems on matrices. Sums wrap around 2^64. */
#include <string.h>

#include "machine/pram/judge.h"

static np_status judge_matrix_product(np_case *c)
{
    const np_given *a = &c->given[0], *b = &c->given[1];
    np_word *row;
    if (!np_case_sized(c, a->rows * b->columns))
        return NP_OK;
    np_status st = np_workspace_array(c->work, &row, b->columns, sizeof *row);
    bool right = !st;
    for (size_t i = 0; i < a->rows && right; i++) {
        for (size_t j = 0; j < b->columns; j++)
            row[j] = 0;
        for (size_t k = 0; k < a->columns && k < b->rows; k++)
            for (size_t j = 0; j < b->columns; j++)
                row[j] = (np_word)((uint64_t)row[j] +
                                   (uint64_t)a->word[i * a->columns + k] * (uint64_t)b->word[k * b->columns + j]);
        for (size_t j = 0; j < b->columns && right; j++)
            right = np_case_word(c, i * b->columns + j, row[j]);
    }
    return st;
}

const np_judge np_judge_matrix_product = {
    .entry = {"matrix-product", "the entries of A B by rows", "", .takes = "matrix matrix"},
    .judge = judge_matrix_product};

/* ---- Cellular automata ---- */

/* One generation on a torus: from the cells at `now` to those at `next`. */
static void live(size_t rows, size_t columns, const np_word *now, np_word *next)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            np_word around = -now[i * columns + j];
            for (size_t k = 0; k < 9; k++)
                around += now[(i + rows + k / 3 - 1) % rows * columns + (j + columns + k % 3 - 1) % columns];
            next[i * columns + j] = around == 3 || (around == 2 && now[i * columns + j] == 1);
        }
}

static np_status judge_life(np_case *c)
{
    const np_given *g = c->given;
    np_word *now, *next;
    np_status st;
    if (!np_case_sized(c, g->count))
        return NP_OK;
    if ((st = np_workspace_array(c->work, &now, g->count, sizeof *now)) ||
        (st = np_workspace_array(c->work, &next, g->count, sizeof *next)))
        return st;
    memcpy(now, g->word, g->count * sizeof *now);
    for (np_word step = np_case_option(c, "steps", 1); step > 0; step--) {
        live(g->rows, g->columns, now, next);
        memcpy(now, next, g->count * sizeof *now);
    }
    np_case_words(c, g->count, now);
    return NP_OK;
}

const np_judge np_judge_life = {.entry = {"life",
                                          "the cells of Conway's game after as many generations as option steps says",
                                          "", .takes = "matrix"},
                                .judge = judge_life};
