/*
 * The largest of n numbers in a constant number of steps, with n^2 processors (Shiloach & Vishkin
 * 1981, section 2): processor (i,j) compares x[i] with x[j] and writes 1 to lost[i] if x[i] is
 * less, or if they are equal and i > j. Exactly one number has not lost: the maximum.
 */
#include "pram/program.h"

typedef struct state {
    const np_problem *p;
    np_pram *pram;
    size_t n;
    np_address x, lost, maximum;
    np_address *address; /* [n^2] */
    np_word *one, *other;
    uint8_t *active;
} state;

static size_t answers(const np_problem *p)
{
    (void)p;
    return 1;
}

static np_status take(np_problem *p, state *s)
{
    size_t pairs = s->n * s->n;
    np_status st;
    if ((st = np_program_load(s->pram, s->n, p->number, "x", &s->x)) ||
        (st = np_pram_allocate(s->pram, s->n, "lost", &s->lost)) ||
        (st = np_pram_allocate(s->pram, 1, "maximum", &s->maximum)) ||
        (st = np_workspace_take(&p->work, &s->address, pairs, sizeof *s->address)) ||
        (st = np_workspace_take(&p->work, &s->one, pairs, sizeof *s->one)) ||
        (st = np_workspace_take(&p->work, &s->other, pairs, sizeof *s->other)))
        return st;
    return np_workspace_take(&p->work, &s->active, pairs, sizeof *s->active);
}

/* Processor i n + j compares the pair (i,j). */
static np_status compare(const state *s)
{
    size_t n = s->n, pairs = n * n;
    np_status st;
#pragma omp parallel for num_threads(np_program_team(s->p, pairs))
    for (size_t k = 0; k < pairs; k++)
        s->address[k] = s->x + k / n;
    if ((st = np_pram_read(s->pram, pairs, s->address, NULL, s->one, "read x[i]")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, pairs))
    for (size_t k = 0; k < pairs; k++)
        s->address[k] = s->x + k % n;
    if ((st = np_pram_read(s->pram, pairs, s->address, NULL, s->other, "read x[j]")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, pairs))
    for (size_t k = 0; k < pairs; k++) {
        size_t i = k / n, j = k % n;
        s->active[k] = s->one[k] < s->other[k] || (s->one[k] == s->other[k] && i > j);
        s->address[k] = s->lost + i;
        s->one[k] = 1;
    }
    return np_pram_write(s->pram, pairs, s->address, s->active, s->one, "x[i] has lost");
}

static np_status crown(const state *s)
{
    np_status st;
    np_program_own(s->p, s->lost, s->n, s->address);
    if ((st = np_pram_read(s->pram, s->n, s->address, NULL, s->one, "has x[i] lost?")))
        return st;
    for (size_t i = 0; i < s->n; i++)
        s->active[i] = !s->one[i];
    np_program_own(s->p, s->x, s->n, s->address);
    if ((st = np_pram_read(s->pram, s->n, s->address, s->active, s->one, "read the maximum")))
        return st;
    for (size_t i = 0; i < s->n; i++)
        s->address[i] = s->maximum;
    return np_pram_write(s->pram, s->n, s->address, s->active, s->one, "write the maximum");
}

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    state s = {.p = p, .pram = pram, .n = p->n};
    np_status st;
    if ((st = take(p, &s)) || (st = compare(&s)) || (st = crown(&s)))
        return st;
    return np_pram_get(pram, s.maximum, 1, answer);
}

static np_status expect(np_problem *p, np_word *expected)
{
    *expected = p->number[0];
    for (size_t i = 1; i < p->n; i++)
        *expected = p->number[i] > *expected ? p->number[i] : *expected;
    return NP_OK;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    size_t pairs = p->n * p->n;
    out->cells = 2 * p->n + 1;
    out->processors = pairs;
    out->steps = 6;
    np_program_take(out, 3, pairs, sizeof(np_word));
    np_program_take(out, 1, pairs, 1);
}

const np_program_ops np_program_maximum = {
    .info = {.entry = {"maximum", "the largest of n numbers, in 6 steps of n^2 processors", "Shiloach & Vishkin 1981",
                       .rule = "crcw-weak"},
             .size = "numbers",
             .rule = NP_RULE_COMMON,
             .input = NP_INPUT_NUMBERS,
             .n = 64,
             .n_max = 4096},
    .bound = 1000000,
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
};
