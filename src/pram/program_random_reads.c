/*
 * The raw cost of a step: in each of --steps steps every processor reads a random cell. There are
 * four times as many cells as processors. The answer is, for each processor, the exclusive or of
 * the words that it read.
 */
#include "pram/program.h"

enum { CELLS_PER_PROCESSOR = 4 }; /* ours: few reads meet in one cell, so few combine */

static size_t cells_of(const np_problem *p) { return CELLS_PER_PROCESSOR * p->n; }

static np_address target(const np_problem *p, size_t processor, uint32_t step)
{
    return np_random_below(&p->draws, (uint32_t)processor, step, (uint32_t)cells_of(p));
}

/* The content of a cell: any function that tells the cells apart. */
static np_word content(np_address cell) { return (np_word)(np_random_mix(cell + 1) >> 16); }

static size_t answers(const np_problem *p) { return p->n; }

static np_status load(np_problem *p, np_pram *pram, np_address *base)
{
    np_word *cell;
    np_status st = np_workspace_take(&p->work, &cell, cells_of(p), sizeof *cell);
    if (st)
        return st;
#pragma omp parallel for NP_TEAM_OF(np_program_team(p, cells_of(p)))
    for (size_t a = 0; a < cells_of(p); a++)
        cell[a] = content(a);
    return np_program_load(pram, cells_of(p), cell, "cells", base);
}

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    np_address base, *address;
    np_word *value;
    np_status st;
    if ((st = load(p, pram, &base)) || (st = np_workspace_take(&p->work, &address, p->n, sizeof *address)) ||
        (st = np_workspace_take(&p->work, &value, p->n, sizeof *value)))
        return st;
    for (uint32_t step = 0; step < p->options.steps; step++) {
#pragma omp parallel for NP_TEAM_OF(np_program_team(p, p->n))
        for (size_t i = 0; i < p->n; i++)
            address[i] = base + target(p, i, step);
        if ((st = np_pram_read(pram, p->n, address, NULL, value, "read a random cell")))
            return st;
#pragma omp parallel for NP_TEAM_OF(np_program_team(p, p->n))
        for (size_t i = 0; i < p->n; i++)
            answer[i] ^= value[i];
    }
    return NP_OK;
}

static np_status expect(np_problem *p, np_word *expected)
{
#pragma omp taskloop num_tasks(NP_TEAM_TASKS)
    for (size_t i = 0; i < p->n; i++)
        for (uint32_t step = 0; step < p->options.steps; step++)
            expected[i] ^= content(target(p, i, step));
    return NP_OK;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    out->cells = cells_of(p);
    out->processors = p->n;
    out->steps = p->options.steps;
    np_program_take(out, 1, cells_of(p), sizeof(np_word));
    np_program_take(out, 2, p->n, sizeof(np_word));
}

const np_program_ops np_program_random_reads = {
    .info = {.entry = {"random-reads",
                       "every processor reads a random cell in each of --steps steps: the raw cost of a step", "",
                       .rule = "crew"},
             .size = "processors",
             .rule = NP_RULE_CREW,
             .takes_steps = true,
             .n_max = UINT64_C(1) << 26},
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
};
