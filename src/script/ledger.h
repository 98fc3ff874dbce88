/*
 * What a run holds, under a limit of bytes: the text, the inputs, the registers, the PRAM and its machine, the outputs.
 * Nobody knows before how far a text goes, so it is refused when it would take more.
 */
#ifndef NP_SCRIPT_LEDGER_H
#define NP_SCRIPT_LEDGER_H

#include "script/lanes.h"

/* Counts the PRAM, which has no cells yet. NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_ledger_begin(np_execution *x) NP_CHECKED;

/* Counts `bytes` bytes more, which are taken and stay. NP_ERROR_LIMIT. */
np_status np_ledger_add(np_execution *x, uint64_t bytes) NP_CHECKED;

/* The bytes that the words of an input take, with what is held while it is made. */
uint64_t np_ledger_input(const np_declared_input *input, uint64_t n, uint64_t edges);

/* Before the PRAM gets `cells` cells in all, and before a step of `count` processors. NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_ledger_cells(np_execution *x, uint64_t cells) NP_CHECKED;
np_status np_ledger_step_more(np_execution *x, size_t count, bool watched) NP_CHECKED;

static inline np_status np_ledger_step(np_execution *x, size_t count, np_access_kind kind)
{
    np_ledger *l = &x->ledger;
    if (!l->limit || (count <= l->watched && x->pram->steps < l->steps))
        return NP_OK;
    bool watched = x->syntax->rule != NP_RULE_EREW && np_check_is_due(&x->pram->check, UINT32_C(1) << kind, false);
    if (count <= (watched ? l->watched : l->processors) && x->pram->steps < l->steps)
        return NP_OK;
    return np_ledger_step_more(x, count, watched);
}

#endif
