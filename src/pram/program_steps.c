/* What PRAM programs in C share: loading, and addresses. */
#include "pram/program.h"

np_status np_program_load(np_pram *pram, size_t count, const np_word *words, const char *name, np_address *base)
{
    np_status st = np_pram_allocate(pram, count, name, base);
    return st ? st : np_pram_put(pram, *base, count, words);
}

typedef struct owning {
    np_address base;
    size_t count;
    np_address *address;
} owning;

static void own_part(void *context, np_part part)
{
    const owning *o = context;
    np_range mine = np_part_of(part, o->count);
    for (size_t i = mine.begin; i < mine.end; i++)
        o->address[i] = o->base + i;
}

void np_program_own(const np_problem *problem, np_address base, size_t count, np_address *address)
{
    np_team_each(problem->work.team, count, own_part, &(owning){base, count, address});
}
