/* Memory for oracles that abort without it. */
#ifndef NP_ORACLE_MUST_H
#define NP_ORACLE_MUST_H

#include <stdio.h>
#include <stdlib.h>

static inline void *must(void *pointer)
{
    if (!pointer) {
        fprintf(stderr, "the oracle has no memory\n");
        abort();
    }
    return pointer;
}

static inline void *zeroed(size_t count, size_t size) { return must(calloc(count ? count : 1, size)); }

#endif
