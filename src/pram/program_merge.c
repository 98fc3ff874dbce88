/*
 * Merges two sorted arrays: each number finds by binary search how many numbers of the other array
 * come before it, and its processor writes it to its place. O(log n) steps. Several searches read
 * the same cell: CREW. Of equal numbers, the numbers of the first array come first.
 *
 * The arrays are the two halves of the input; if n is odd, the first half is the longer one. Each
 * is sorted before the program begins.
 */
#include <stdlib.h>

#include "pram/program.h"

static size_t answers(const np_problem *p) { return p->n; }

static size_t first_length(const np_problem *p) { return (p->n + 1) / 2; }

static int by_value(const void *a, const void *b)
{
    np_word x = *(const np_word *)a, y = *(const np_word *)b;
    return (x > y) - (x < y);
}

static np_status prepare(np_problem *p)
{
    size_t first = first_length(p);
    qsort(p->number, first, sizeof *p->number, by_value);
    qsort(p->number + first, p->n - first, sizeof *p->number, by_value);
    return NP_OK;
}

typedef struct state {
    const np_problem *p;
    np_pram *pram;
    size_t n, first;
    np_address x, y;
    np_address *address; /* [n], and so are the rest */
    np_word *own, *got;
    size_t *low, *high; /* numbers of the other array below `low` come before, from `high` on after */
    uint8_t *active;
} state;

static np_status take(np_problem *p, state *s)
{
    np_status st;
    if ((st = np_program_load(s->pram, s->n, p->number, "x", &s->x)) ||
        (st = np_pram_allocate(s->pram, s->n, "merged", &s->y)) ||
        (st = np_workspace_take(&p->work, &s->address, s->n, sizeof *s->address)) ||
        (st = np_workspace_take(&p->work, &s->own, s->n, sizeof *s->own)) ||
        (st = np_workspace_take(&p->work, &s->got, s->n, sizeof *s->got)) ||
        (st = np_workspace_take(&p->work, &s->low, s->n, sizeof *s->low)) ||
        (st = np_workspace_take(&p->work, &s->high, s->n, sizeof *s->high)))
        return st;
    return np_workspace_take(&p->work, &s->active, s->n, sizeof *s->active);
}

static size_t middle(const state *s, size_t i) { return s->low[i] + (s->high[i] - s->low[i]) / 2; }

static np_status search(const state *s)
{
#pragma omp parallel for num_threads(np_program_team(s->p, s->n))
    for (size_t i = 0; i < s->n; i++) {
        size_t other = i < s->first ? s->first : 0; /* where the other array begins */
        s->active[i] = s->low[i] < s->high[i];
        s->address[i] = s->x + other + middle(s, i);
    }
    np_status st = np_pram_read(s->pram, s->n, s->address, s->active, s->got, "search the other array");
    if (st)
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, s->n))
    for (size_t i = 0; i < s->n; i++) {
        if (!s->active[i])
            continue;
        bool before = i < s->first ? s->got[i] < s->own[i] : s->got[i] <= s->own[i];
        if (before)
            s->low[i] = middle(s, i) + 1;
        else
            s->high[i] = middle(s, i);
    }
    return NP_OK;
}

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    state s = {.p = p, .pram = pram, .n = p->n, .first = first_length(p)};
    np_status st = take(p, &s);
    if (st)
        return st;
    np_program_own(p, s.x, s.n, s.address);
    if ((st = np_pram_read(pram, s.n, s.address, NULL, s.own, "read x[i]")))
        return st;
#pragma omp parallel for num_threads(np_program_team(p, s.n))
    for (size_t i = 0; i < s.n; i++)
        s.high[i] = i < s.first ? s.n - s.first : s.first;
    for (unsigned round = np_program_rounds(s.first + 1); round; round--)
        if ((st = search(&s)))
            return st;
#pragma omp parallel for num_threads(np_program_team(p, s.n))
    for (size_t i = 0; i < s.n; i++)
        s.address[i] = s.y + s.low[i] + (i < s.first ? i : i - s.first);
    if ((st = np_pram_write(pram, s.n, s.address, NULL, s.own, "write to its place")))
        return st;
    return np_pram_get(pram, s.y, s.n, answer);
}

static np_status expect(np_problem *p, np_word *expected)
{
    size_t i = 0, first = first_length(p), j = first;
    for (size_t k = 0; k < p->n; k++)
        expected[k] = j == p->n || (i < first && p->number[i] <= p->number[j]) ? p->number[i++] : p->number[j++];
    return NP_OK;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    out->cells = 2 * p->n;
    out->processors = p->n;
    out->steps = 3 + np_program_rounds(p->n);
    np_program_take(out, 5, p->n, sizeof(np_word));
    np_program_take(out, 1, p->n, 1);
}

const np_program_ops np_program_merge = {
    .info = {.entry = {"merge", "merges two sorted arrays: each number finds its place by binary search in the other",
                       "Shiloach & Vishkin 1981", .rule = "crew"},
             .size = "numbers",
             .rule = NP_RULE_CREW,
             .input = NP_INPUT_NUMBERS,
             .n = 1024,
             .n_max = UINT64_C(1) << 26},
    .bound = 1000000,
    .prepare = prepare,
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
};
