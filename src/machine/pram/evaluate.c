/* See evaluate.h. */
#include "machine/pram/evaluate.h"

#include <string.h>

#include "base/memory.h"
#include "base/polynomial.h"

np_status np_evaluation_init(np_evaluation *evaluation, uint32_t n, uint32_t search, uint32_t most)
{
    *evaluation = (np_evaluation){.n = n, .search = search, .room = most};
    np_status st = np_memory_zeroed(&evaluation->met, (size_t)n << n, sizeof *evaluation->met, "processors");
    return st ? st : np_memory_zeroed(&evaluation->round, most, sizeof *evaluation->round, "rounds of an evaluation");
}

void np_evaluation_clear(np_evaluation *evaluation)
{
    NP_MEMORY_FREE(evaluation->met, evaluation->round);
    *evaluation = (np_evaluation){0};
}

void np_evaluation_begin(np_evaluation *evaluation)
{
    memset(evaluation->met, 0, ((size_t)evaluation->n << evaluation->n) * sizeof *evaluation->met);
    memset(evaluation->round, 0, evaluation->room * sizeof *evaluation->round);
    evaluation->rounds = 0;
}

/* What the node in column c does with its coefficients. */
static uint64_t node_steps(const np_evaluation *evaluation, const np_placement *placement, uint32_t c, np_address x,
                           uint64_t y)
{
    uint32_t begin = c * evaluation->search, end = begin + evaluation->search;
    if (end > placement->coefficients)
        end = placement->coefficients;
    return begin < end ? np_polynomial_step(placement->coefficient + begin, end - begin, x, y) : y;
}

uint64_t np_evaluation_run(np_evaluation *evaluation, const np_placement *placement, np_address x, uint32_t processor)
{
    enum { WAITS, EVALUATES, KNOWS } state = WAITS;
    const uint32_t n = evaluation->n, home = processor % n, round = evaluation->met[processor]++;
    uint32_t column = home, steps = 0;
    uint64_t y = 0;
    if (placement->map == NP_MAP_NONE)
        return x;
    for (;; steps++) {
        if (column == n - 1 && state == WAITS)
            state = EVALUATES;
        if (state == EVALUATES) {
            y = node_steps(evaluation, placement, column, x, y);
            state = column ? EVALUATES : KNOWS;
        }
        if (state == KNOWS && column == home)
            break;
        column = column ? column - 1 : n - 1; /* over a straight link */
    }
    if (steps > evaluation->round[round])
        evaluation->round[round] = steps;
    if (round >= evaluation->rounds)
        evaluation->rounds = round + 1;
    return y;
}

uint64_t np_evaluation_end(np_evaluation *evaluation)
{
    uint64_t steps = 0;
    for (uint32_t i = 0; i < evaluation->rounds; i++)
        steps += evaluation->round[i];
    evaluation->steps += steps;
    return steps;
}
