/* Is some number not 0? Every processor whose number is not 0 writes 1 to the same cell: two steps for any n. */
#include "pram/program.h"

static size_t answers(const np_problem *p)
{
    (void)p;
    return 1;
}

static np_status run(np_problem *p, np_pram *pram, np_word *answer)
{
    np_address x, any, *address;
    np_word *value;
    uint8_t *active;
    np_status st;
    if ((st = np_program_load(pram, p->n, p->number, "x", &x)) || (st = np_pram_allocate(pram, 1, "any", &any)) ||
        (st = np_workspace_take(&p->work, &address, p->n, sizeof *address)) ||
        (st = np_workspace_take(&p->work, &value, p->n, sizeof *value)) ||
        (st = np_workspace_take(&p->work, &active, p->n, sizeof *active)))
        return st;
    np_program_own(p, x, p->n, address);
    if ((st = np_pram_read(pram, p->n, address, NULL, value, "read x[i]")))
        return st;
#pragma omp parallel for num_threads(np_program_team(p, p->n))
    for (size_t i = 0; i < p->n; i++) {
        active[i] = value[i] != 0;
        address[i] = any;
        value[i] = 1;
    }
    if ((st = np_pram_write(pram, p->n, address, active, value, "write 1 where x[i] is not 0")))
        return st;
    return np_pram_get(pram, any, 1, answer);
}

static np_status expect(np_problem *p, np_word *expected)
{
    for (size_t i = 0; i < p->n; i++)
        *expected |= p->number[i] != 0;
    return NP_OK;
}

static void needs(const np_problem *p, np_program_needs *out)
{
    out->cells = p->n + 1;
    out->processors = p->n;
    out->steps = 2;
    np_program_take(out, 2, p->n, sizeof(np_word));
    np_program_take(out, 1, p->n, 1);
}

const np_program_ops np_program_or = {
    .info = {.entry = {"or", "is some number not 0? In 2 steps", "", .rule = "crcw-weak"},
             .size = "numbers",
             .rule = NP_RULE_WEAK,
             .input = NP_INPUT_NUMBERS,
             .n = 1024,
             .n_max = UINT64_C(1) << 26},
    .bound = 2,
    .answers = answers,
    .needs = needs,
    .run = run,
    .expect = expect,
};
