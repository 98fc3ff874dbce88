/* The cells of a PRAM and the arrays that they are in: looked up by address, loaded and unloaded. */
#include "machine/pram/division.h"

#include "base/order.h"

const np_array *np_pram_array_at(const np_pram *pram, np_address address)
{
    /* the last array that begins at or below the address: empty ones come before it */
    const size_t above = np_order_keys_below(pram->arrays, pram->array, sizeof *pram->array, address + 1);
    return &pram->array[above ? above - 1 : 0];
}

np_cell_type np_pram_cell_type(const np_pram *pram, np_address address)
{
    return pram->typed ? np_pram_array_at(pram, address)->type : NP_CELL_INT;
}

uint64_t np_pram_cells(const np_pram *pram)
{
    return pram->division ? pram->division->cells : np_store_cells(pram->store);
}

np_status np_pram_usable(const np_pram *pram)
{
    if (!pram->failed)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "step %llu of the PRAM has failed: it can only be reported on and freed",
                    (unsigned long long)pram->steps);
}

static np_status check_range(const np_pram *pram, np_address base, uint64_t count)
{
    uint64_t cells = np_pram_cells(pram);
    np_status st = np_pram_usable(pram);
    if (!st && (base > cells || count > cells - base))
        return NP_RAISE(NP_ERROR_INPUT, "%llu cells from %llu on: only cells 0..%llu are allocated",
                        (unsigned long long)count, (unsigned long long)base, (unsigned long long)cells - 1);
    return st;
}

np_status np_pram_put(np_pram *pram, np_address base, uint64_t count, const np_word *value)
{
    np_status st = check_range(pram, base, count);
    if (!st && pram->division)
        np_division_put(pram->division, pram->store, base, count, value);
    else if (!st && count)
        np_team_copy(&pram->team, np_store_words(pram->store) + base, value, count * sizeof *value);
    if (!st && count && pram->machine->ops->put)
        pram->machine->ops->put(pram->machine, base, count, value);
    return st;
}

np_status np_pram_get(const np_pram *pram, np_address base, uint64_t count, np_word *value)
{
    np_status st = check_range(pram, base, count);
    if (!st && pram->division)
        return np_division_get(pram->division, pram->store, base, count, true, value);
    if (!st && count)
        np_team_copy(pram->store->team, value, np_store_words(pram->store) + base, count * sizeof *value);
    if (!st && count && pram->machine->ops->get)
        pram->machine->ops->get(pram->machine, base, count, value);
    return st;
}

void np_pram_cell(const np_pram *pram, np_address address, const char **array, uint64_t *offset)
{
    const np_array *at = np_pram_array_at(pram, address);
    *array = at->name;
    *offset = address - at->base;
}
