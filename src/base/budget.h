/*
 * Arrays that grow within a limit of bytes, where nobody knows before how far: what a limit allows is told before each
 * array grows. An array that grows and its old copy are held together.
 */
#ifndef NP_BASE_BUDGET_H
#define NP_BASE_BUDGET_H

#include "base/memory.h"

typedef struct np_budget {
    uint64_t limit;     /* bytes; 0: none */
    uint64_t held;      /* bytes that are held so far, with what others hold under the same limit */
    const char *what;   /* in the plural, for messages: "the events of a sort" */
    const char *advice; /* as in np_memory_allow */
} np_budget;

/* May `bytes` bytes more be taken for a while? NP_ERROR_LIMIT. */
np_status np_budget_allow(const np_budget *budget, uint64_t bytes) NP_CHECKED;

/*
 * np_memory_grow for an array of `room` items, of which the first `kept` are kept. budget NULL: no limit.
 * NP_ERROR_LIMIT, NP_ERROR_MEMORY; then the array is as before.
 */
np_status np_budget_grow(np_budget *budget, void *array, size_t kept, size_t room, size_t count,
                         size_t size) NP_CHECKED;

#endif
