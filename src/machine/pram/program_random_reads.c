/*
 * The raw cost of a step: in each of --steps steps every processor reads a random cell. There are
 * four times as many cells as processors. The answer is, for each processor, the exclusive or of
 * the words that it read.
 */
#include "machine/pram/program.h"

enum { CELLS_PER_PROCESSOR = 4 }; /* ours: few reads meet in one cell, so few combine */

static size_t cells_of(const np_problem *p) { return CELLS_PER_PROCESSOR * p->n; }

static np_address target(const np_problem *p, size_t processor, uint32_t step)
{
    return np_random_below(&p->draws, (uint32_t)processor, step, (uint32_t)cells_of(p));
}

/* The content of a cell: any function that tells the cells apart. */
static np_word content(np_address cell) { return (np_word)(np_random_mix(cell + 1) >> 16); }

/* One step of all processors, and what the loops of threads over them read and write. */
typedef struct reads {
    const np_problem *p;
    uint32_t step;
    np_address base, *address;
    np_word *value, *answer;
} reads;

static void fill_cells(void *context, np_part part)
{
    const reads *r = context;
    np_range mine = np_part_of(part, cells_of(r->p));
    for (size_t a = mine.begin; a < mine.end; a++)
        r->value[a] = content(a);
}

static void choose_cells(void *context, np_part part)
{
    const reads *r = context;
    np_range mine = np_part_of(part, r->p->n);
    for (size_t i = mine.begin; i < mine.end; i++)
        r->address[i] = r->base + target(r->p, i, r->step);
}

static void take_words(void *context, np_part part)
{
    const reads *r = context;
    np_range mine = np_part_of(part, r->p->n);
    for (size_t i = mine.begin; i < mine.end; i++)
        r->answer[i] ^= r->value[i];
}

static void expect_words(void *context, np_part part)
{
    const reads *r = context;
    np_range mine = np_part_of(part, r->p->n);
    for (size_t i = mine.begin; i < mine.end; i++)
        for (uint32_t step = 0; step < r->p->options.steps; step++)
            r->answer[i] ^= content(target(r->p, i, step));
}

static np_status load(np_problem *p, np_pram *pram, np_address *base)
{
    np_word *cell;
    np_status st = np_workspace_take(&p->work, &cell, cells_of(p), sizeof *cell);
    if (st)
        return st;
    np_team_each(p->work.team, cells_of(p), fill_cells, &(reads){.p = p, .value = cell});
    st = np_pram_allocate(pram, cells_of(p), "cells", base);
    return st ? st : np_pram_put(pram, *base, cells_of(p), cell);
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
        reads r = {p, step, base, address, value, answer};
        np_team_each(p->work.team, p->n, choose_cells, &r);
        if ((st = np_pram_read(pram, p->n, address, NULL, value, "read a random cell")))
            return st;
        np_team_each(p->work.team, p->n, take_words, &r);
    }
    return NP_OK;
}

static void expect(np_problem *p, np_word *expected)
{
    np_team_each(p->work.team, p->n, expect_words, &(reads){.p = p, .answer = expected});
}

const np_program_ops np_program_random_reads = {
    .info = {.entry = {"random-reads",
                       "every processor reads a random cell in each of --steps steps: the raw cost of a step", "",
                       .rule = "crew"},
             .size = "processors",
             .rule = NP_RULE_CREW,
             .takes_steps = true,
             .n_max = UINT64_C(1) << 26},
    .run = run,
    .expect = expect,
};
