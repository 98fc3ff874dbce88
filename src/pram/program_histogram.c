/*
 * Counts how many numbers fall in each of 16 bins (by their remainder mod 16), and for each number
 * how many numbers of its bin come before it. One multiprefix step does both: every processor adds
 * 1 to its bin's cell and is told what was there before (Ranade 1987b, section 1). After this step
 * a stable counting sort needs only prefix sums over the bins.
 *
 * Several processors fetch one cell: the weakest rule that allows this is crcw-weak.
 */
#include "pram/program.h"

enum { BINS = 16 }; /* ours */

static size_t answers(const np_problem *p) { return BINS + p->n; }

static size_t bin_of(np_word number) { return (size_t)((number % BINS + BINS) % BINS); }

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    np_address x, bins, ranks, *address;
    np_word *value;
    np_status st;
    if ((st = np_program_load(pram, p->n, p->number, "x", &x)) || (st = np_pram_allocate(pram, BINS, "bin", &bins)) ||
        (st = np_pram_allocate(pram, p->n, "rank", &ranks)) ||
        (st = np_workspace_take(&p->work, &address, p->n, sizeof *address)) ||
        (st = np_workspace_take(&p->work, &value, p->n, sizeof *value)))
        return st;
    np_program_own(p, x, p->n, address);
    if ((st = np_pram_read(pram, p->n, address, NULL, value, "read x[i]")))
        return st;
#pragma omp parallel for num_threads(np_program_team(p, p->n))
    for (size_t i = 0; i < p->n; i++) {
        address[i] = bins + bin_of(value[i]);
        value[i] = 1;
    }
    if ((st = np_pram_fetch(pram, NP_FETCH_ADD, p->n, address, NULL, value, "add 1 to the bin")))
        return st;
    np_program_own(p, ranks, p->n, address);
    if ((st = np_pram_write(pram, p->n, address, NULL, value, "write the rank")) ||
        (st = np_pram_get(pram, bins, BINS, answer)))
        return st;
    return np_pram_get(pram, ranks, p->n, answer + BINS);
}

static np_status expect(np_problem *p, np_word *expected)
{
    for (size_t i = 0; i < p->n; i++)
        expected[BINS + i] = expected[bin_of(p->number[i])]++;
    return NP_OK;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    out->cells = 2 * p->n + BINS;
    out->processors = p->n;
    out->steps = 3;
    np_program_take(out, 2, p->n, sizeof(np_word));
}

const np_program_ops np_program_histogram = {
    .info = {.entry = {"histogram",
                       "numbers in each of 16 bins, and the rank of each in its bin, by one multiprefix step",
                       "Ranade 1987b", .rule = "crcw-weak"},
             .size = "numbers",
             .rule = NP_RULE_ADD,
             .input = NP_INPUT_NUMBERS,
             .n = 1024,
             .n_max = UINT64_C(1) << 26},
    .bound = 1000000,
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
};
