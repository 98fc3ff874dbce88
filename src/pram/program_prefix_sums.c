/*
 * Prefix sums in place: x[i] becomes x[0] + ... + x[i]. The sums go up a binary tree, then down
 * (Brent & Kung 1982; Ladner & Fischer 1980): O(log n) steps and O(n) work. Doubling would take n
 * log n work.
 *
 *   up    s = 1, 2, 4, ...   x[i] += x[i-s] for i = 2s-1, 4s-1, 6s-1, ...
 *   down  s = ..., 4, 2, 1   x[i] += x[i-s] for i = 3s-1, 5s-1, 7s-1, ...
 *
 * After "up" with s, cells 2s-1, 4s-1, ... hold prefix sums; after it cells s-1, 2s-1, 3s-1, ...
 * do. No two processors touch one cell: EREW. n need not be a power of 2.
 */
#include "pram/program.h"

typedef struct state {
    const np_problem *p;
    np_pram *pram;
    size_t n;
    np_address x;
    np_address *at; /* [n/2 + 1] one processor for each addition: first x[i-s], then x[i] */
    np_word *left, *right;
} state;

static size_t answers(const np_problem *p) { return p->n; }

/* x[i] += x[i-s] for i = first, first + stride, ... below n. */
static np_status add(const state *s, size_t first, size_t stride, size_t distance)
{
    size_t count = first < s->n ? (s->n - 1 - first) / stride + 1 : 0;
    np_status st;
    if (!count)
        return NP_OK;
#pragma omp parallel for num_threads(np_program_team(s->p, count))
    for (size_t k = 0; k < count; k++)
        s->at[k] = s->x + first - distance + k * stride;
    if ((st = np_pram_read(s->pram, count, s->at, NULL, s->left, "read x[i-s]")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, count))
    for (size_t k = 0; k < count; k++)
        s->at[k] += distance;
    if ((st = np_pram_read(s->pram, count, s->at, NULL, s->right, "read x[i]")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, count))
    for (size_t k = 0; k < count; k++)
        s->right[k] = (np_word)((uint64_t)s->left[k] + (uint64_t)s->right[k]);
    return np_pram_write(s->pram, count, s->at, NULL, s->right, "write x[i-s] + x[i]");
}

static np_status take(np_problem *p, state *s)
{
    size_t most = s->n / 2 + 1;
    np_status st;
    if ((st = np_program_load(s->pram, s->n, p->number, "x", &s->x)) ||
        (st = np_workspace_array(&p->work, &s->at, most, sizeof *s->at)) ||
        (st = np_workspace_array(&p->work, &s->left, most, sizeof *s->left)))
        return st;
    return np_workspace_array(&p->work, &s->right, most, sizeof *s->right);
}

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    state tree = {.p = p, .pram = pram, .n = p->n};
    np_status st = take(p, &tree);
    size_t s;
    for (s = 1; !st && 2 * s <= p->n; s *= 2)
        st = add(&tree, 2 * s - 1, 2 * s, s);
    for (s /= 2; !st && s; s /= 2)
        st = add(&tree, 3 * s - 1, 2 * s, s);
    return st ? st : np_pram_get(pram, tree.x, p->n, answer);
}

static np_status expect(np_problem *p, np_word *expected)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->n; i++)
        expected[i] = (np_word)(sum += (uint64_t)p->number[i]);
    return NP_OK;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    out->cells = p->n;
    out->processors = p->n / 2;
    out->steps = 6 * np_program_rounds(p->n);
    np_program_take(out, 3, p->n / 2 + 1, sizeof(np_word));
}

const np_program_ops np_program_prefix_sums = {
    .info = {.entry = {"prefix-sums",
                       "x[0] + ... + x[i] for every i, up and down a tree: about 6 log n steps, 6 n accesses",
                       "Brent & Kung 1982", .rule = "erew"},
             .size = "numbers",
             .rule = NP_RULE_EREW,
             .input = NP_INPUT_NUMBERS,
             .n = 1024,
             .n_max = UINT64_C(1) << 27},
    .bound = 1000,
    .in_place = true,
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
};
