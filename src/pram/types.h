/* The types of the cells that a step accesses: nearly always one, because most steps are at one array. */
#ifndef NP_PRAM_TYPES_H
#define NP_PRAM_TYPES_H

#include "netpram/pram.h"

typedef struct np_step_types {
    np_cell_type all;   /* the only one */
    const np_pram *mix; /* there are several, which the PRAM knows; NULL: one */
} np_step_types;

static inline np_cell_type np_step_type(const np_step_types *types, np_address address)
{
    return types->mix ? np_pram_cell_type(types->mix, address) : types->all;
}

/* Of the step, whose addresses are cells. */
np_step_types np_step_types_of(const np_pram *pram, const np_pram_step *step);

/*
 * Refuses what has no meaning for the type of a cell: a fetch, or several writes under the rule. alone: no two accesses are
 * to one cell. NP_ERROR_INPUT.
 */
np_status np_step_types_check(const np_pram *pram, const np_pram_step *step, const np_step_types *types,
                              bool alone) NP_CHECKED;

/* At how many cells reals are to be added up: where several fetch, and where several write. */
size_t np_step_types_sums(const np_pram *pram, const np_pram_step *step, const np_step_types *types);

#endif
