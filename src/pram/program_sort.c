/*
 * Sorts by Batcher's odd-even merge (Batcher 1968; Knuth, volume 3, section 5.2.2, algorithm M):
 * about (log n)^2 / 2 rounds. In each round a processor for each comparator brings two cells into
 * order. Comparators of a round have no cell in common: EREW.
 *
 * Round (p,q): compares x[i] and x[i+d] for the i with i AND p = r. At first d = p and r = 0; then
 * d = q - p and r = p for q = 2^(t-1), ..., 2p. n need not be a power of 2.
 */
#include <stdlib.h>

#include "pram/program.h"

typedef struct state {
    const np_problem *p;
    np_pram *pram;
    size_t n;
    np_address x;
    np_address *low, *high; /* [n/2]: one processor for each comparator */
    np_word *least, *most;
    uint8_t *active;
} state;

static size_t answers(const np_problem *p) { return p->n; }

static np_status take(np_problem *p, state *s)
{
    size_t most = s->n / 2;
    np_status st;
    if ((st = np_program_load(s->pram, s->n, p->number, "x", &s->x)) ||
        (st = np_workspace_take(&p->work, &s->low, most, sizeof *s->low)) ||
        (st = np_workspace_take(&p->work, &s->high, most, sizeof *s->high)) ||
        (st = np_workspace_take(&p->work, &s->least, most, sizeof *s->least)) ||
        (st = np_workspace_take(&p->work, &s->most, most, sizeof *s->most)))
        return st;
    return np_workspace_take(&p->work, &s->active, most, sizeof *s->active);
}

static size_t comparators(const state *s, size_t p, size_t r, size_t d)
{
    size_t ends = d < s->n ? s->n - d : 0, rest = ends % (2 * p); /* i < ends; p of each 2 p are left */
    size_t count = ends / (2 * p) * p + (r ? (rest > p ? rest - p : 0) : rest < p ? rest : p);
#pragma omp parallel for num_threads(np_program_team(s->p, count))
    for (size_t k = 0; k < count; k++) {
        size_t i = 2 * (k & ~(p - 1)) + (k & (p - 1)) + r; /* the k-th of them */
        s->low[k] = s->x + i;
        s->high[k] = s->x + i + d;
    }
    return count;
}

static np_status compare(const state *s, size_t count)
{
    np_status st;
    if (!count)
        return NP_OK;
    if ((st = np_pram_read(s->pram, count, s->low, NULL, s->least, "read the lower cell")) ||
        (st = np_pram_read(s->pram, count, s->high, NULL, s->most, "read the upper cell")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, count))
    for (size_t k = 0; k < count; k++) {
        np_word low = s->least[k], high = s->most[k];
        s->active[k] = low > high;
        s->least[k] = s->active[k] ? high : low;
        s->most[k] = s->active[k] ? low : high;
    }
    if ((st = np_pram_write(s->pram, count, s->low, s->active, s->least, "write the lower cell")))
        return st;
    return np_pram_write(s->pram, count, s->high, s->active, s->most, "write the upper cell");
}

static np_status run(np_problem *problem, np_pram *pram, np_word *answer)
{
    state s = {.p = problem, .pram = pram, .n = problem->n};
    np_status st = take(problem, &s);
    unsigned t = np_program_rounds(s.n);
    for (size_t p = t ? (size_t)1 << (t - 1) : 0; !st && p; p /= 2) {
        size_t q = (size_t)1 << (t - 1), r = 0, d = p;
        for (;; d = q - p, q /= 2, r = p)
            if ((st = compare(&s, comparators(&s, p, r, d))) || q == p)
                break;
    }
    return st ? st : np_pram_get(pram, s.x, s.n, answer);
}

static int by_value(const void *a, const void *b)
{
    np_word x = *(const np_word *)a, y = *(const np_word *)b;
    return (x > y) - (x < y);
}

static np_status expect(np_problem *p, np_word *expected)
{
    for (size_t i = 0; i < p->n; i++)
        expected[i] = p->number[i];
    qsort(expected, p->n, sizeof *expected, by_value);
    return NP_OK;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    uint64_t rounds = np_program_rounds(p->n);
    out->cells = p->n;
    out->processors = p->n / 2;
    out->steps = 2 * rounds * (rounds + 1);
    np_program_take(out, 4, p->n / 2, sizeof(np_word));
    np_program_take(out, 1, p->n / 2, 1);
}

const np_program_ops np_program_sort = {
    .info = {.entry = {"sort", "sorts by odd-even merging: about 2 (log n)^2 steps of n/2 processors", "Batcher 1968",
                       .rule = "erew"},
             .size = "numbers",
             .rule = NP_RULE_EREW,
             .input = NP_INPUT_NUMBERS,
             .n = 1024,
             .n_max = UINT64_C(1) << 26},
    .bound = 1000000,
    .in_place = true,
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
};
