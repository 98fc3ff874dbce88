/*
 * C = A B for matrices of n by n words, with a processor for each entry of C. In step t processor
 * (i,j) adds A[i,k] B[k,j] with k = (i + j + t) mod n: no two processors ever want the same entry,
 * so EREW is enough. This is Cannon's skew (Cannon 1969). It takes 2 n + 1 steps and 2 n^3 + n^2
 * accesses.
 *
 * A file has the entries of A, then the entries of B, by rows. Sums wrap around 2^64.
 */
#include "pram/program.h"

enum { SIDE_MAX = 2048 };

static size_t answers(const np_problem *p) { return p->n * p->n; }

/* n is the count of numbers read from a file, or else the side; from now on n is the side. */
static np_status prepare(np_problem *p)
{
    size_t numbers = p->n, side = p->n;
    np_status st;
    if (p->options.input) {
        for (side = 1; 2 * side * side < numbers;)
            side++;
        if (2 * side * side != numbers)
            return NP_RAISE(NP_ERROR_INPUT, "%.60s: %zu numbers are no two square matrices: for sides of %zu it is %zu",
                            p->options.input, numbers, side, 2 * side * side);
        p->n = side;
        return NP_OK;
    }
    if ((st = np_workspace_take(&p->work, &p->number, 2 * side * side, sizeof *p->number)))
        return st;
    for (size_t i = 0; i < 2 * side * side; i++)
        p->number[i] = np_random_below(&p->draws, (uint32_t)i, 1, 100);
    return NP_OK;
}

typedef struct state {
    const np_problem *p;
    np_pram *pram;
    size_t n;
    np_address a, b, c;
    np_address *address; /* [n^2], and so are the rest */
    np_word *left, *right, *sum;
} state;

static np_status take(np_problem *p, state *s)
{
    size_t size = s->n * s->n;
    np_status st;
    if ((st = np_program_load(s->pram, size, p->number, "A", &s->a)) ||
        (st = np_program_load(s->pram, size, p->number + size, "B", &s->b)) ||
        (st = np_pram_allocate(s->pram, size, "C", &s->c)) ||
        (st = np_workspace_take(&p->work, &s->address, size, sizeof *s->address)) ||
        (st = np_workspace_take(&p->work, &s->left, size, sizeof *s->left)) ||
        (st = np_workspace_take(&p->work, &s->right, size, sizeof *s->right)))
        return st;
    return np_workspace_take(&p->work, &s->sum, size, sizeof *s->sum);
}

static np_status multiply(const state *s, size_t t)
{
    size_t n = s->n;
    np_status st;
#pragma omp parallel for num_threads(np_program_team(s->p, n *n))
    for (size_t i = 0; i < n; i++) {
        np_address *row = s->address + i * n, a = s->a + i * n;
        for (size_t j = 0; j < n; j++)
            row[j] = a + (i + j + t) % n;
    }
    if ((st = np_pram_read(s->pram, n * n, s->address, NULL, s->left, "read A[i,k]")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, n *n))
    for (size_t i = 0; i < n; i++) {
        np_address *row = s->address + i * n, b = s->b;
        for (size_t j = 0; j < n; j++)
            row[j] = b + (i + j + t) % n * n + j;
    }
    if ((st = np_pram_read(s->pram, n * n, s->address, NULL, s->right, "read B[k,j]")))
        return st;
#pragma omp parallel for num_threads(np_program_team(s->p, n *n))
    for (size_t k = 0; k < n * n; k++)
        s->sum[k] = (np_word)((uint64_t)s->sum[k] + (uint64_t)s->left[k] * (uint64_t)s->right[k]);
    return NP_OK;
}

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    state s = {.p = p, .pram = pram, .n = p->n};
    np_status st = take(p, &s);
    for (size_t t = 0; !st && t < p->n; t++)
        st = multiply(&s, t);
    if (st)
        return st;
    np_program_own(p, s.c, p->n * p->n, s.address);
    if ((st = np_pram_write(pram, p->n * p->n, s.address, NULL, s.sum, "write C[i,j]")))
        return st;
    return np_pram_get(pram, s.c, p->n * p->n, answer);
}

static np_status expect(np_problem *p, np_word *expected)
{
    size_t n = p->n;
    const np_word *a = p->number, *b = p->number + n * n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                expected[i * n + j] =
                    (np_word)((uint64_t)expected[i * n + j] + (uint64_t)a[i * n + k] * (uint64_t)b[k * n + j]);
    return NP_OK;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    size_t size = p->n * p->n;
    out->cells = 3 * size;
    out->processors = size;
    out->steps = 2 * p->n + 1;
    np_program_take(out, 1, 2 * size, sizeof(np_word));
    np_program_take(out, 4, size, sizeof(np_word));
}

const np_program_ops np_program_matrix_product = {
    .info = {.entry = {"matrix-product", "A B for n by n matrices, with n^2 processors that never meet: 2 n + 1 steps",
                       "Cannon 1969", .rule = "erew"},
             .size = "rows",
             .rule = NP_RULE_EREW,
             .input = NP_INPUT_NUMBERS,
             .n = 32,
             .n_max = SIDE_MAX},
    .bound = 1, /* prepare() makes the matrices */
    .numbers_max = 2 * SIDE_MAX * SIDE_MAX,
    .prepare = prepare,
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
};
