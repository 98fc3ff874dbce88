/* See budget.h. */
#include "base/budget.h"

np_status np_budget_allow(const np_budget *budget, uint64_t bytes)
{
    if (!budget)
        return NP_OK;
    return np_memory_allow(budget->limit, budget->held + bytes, budget->advice, "%s", budget->what);
}

np_status np_budget_grow(np_budget *budget, void *array, size_t kept, size_t room, size_t count, size_t size)
{
    uint64_t bytes = np_memory_taken(count * size);
    np_status st = np_budget_allow(budget, bytes);
    if (st || (st = np_memory_grow(array, kept, count, size, budget ? budget->what : "a list that grows")))
        return st;
    if (budget)
        budget->held += bytes - np_memory_taken(room * size);
    return NP_OK;
}
