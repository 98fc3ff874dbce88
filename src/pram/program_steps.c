/* What PRAM programs in C share: loading, and addresses. */
#include "pram/program.h"

np_status np_program_load(np_pram *pram, size_t count, const np_word *words, const char *name, np_address *base)
{
    np_status st = np_pram_allocate(pram, count, name, base);
    return st ? st : np_pram_put(pram, *base, count, words);
}

void np_program_own(const np_problem *problem, np_address base, size_t count, np_address *address)
{
#pragma omp parallel for NP_TEAM_OF(np_program_team(problem, count))
    for (size_t i = 0; i < count; i++)
        address[i] = base + i;
}
