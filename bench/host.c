/*
 * Kernels that measure the host and none of netpram's code: arithmetic in registers, and random accesses to memory that
 * is in no cache. If they are slower than in a baseline, the host is slower, and netpram's kernels are expected to be
 * slower too.
 */
#include <math.h>
#include <stdlib.h>

#include "bench.h"

enum { CHAINS = 4, ROUNDS = 1 << 25, UPDATES = 1 << 24 };

static const uint64_t WORDS = UINT64_C(1) << 27; /* 1 GB */

typedef struct host_state {
    uint64_t *word; /* [WORDS] of the memory kernel */
    uint64_t chain[CHAINS];
    uint64_t ones; /* results of the last call whose least bit is 1 */
    uint64_t calls;
} host_state;

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    host_state *state = calloc(1, sizeof *state);
    (void)kernel, (void)threads;
    if (!state)
        return NP_ERROR_MEMORY;
    for (uint64_t i = 0; i < CHAINS; i++)
        state->chain[i] = i;
    *out = state;
    return NP_OK;
}

static np_status setup_memory(const bench_kernel *kernel, unsigned threads, void **out)
{
    np_status st = setup(kernel, threads, out);
    host_state *state = *out;
    if (!st && !(state->word = calloc(WORDS, sizeof *state->word)))
        st = NP_ERROR_MEMORY;
    return st;
}

static np_status memory(const bench_kernel *kernel, unsigned threads, uint64_t *bytes)
{
    (void)kernel, (void)threads;
    *bytes = WORDS * sizeof(uint64_t);
    return NP_OK;
}

/* The two halves of a product of 128 bits: no compiler makes vectors of it. */
static uint64_t mix(uint64_t x)
{
    unsigned __int128 product = (unsigned __int128)(x ^ UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd1342543de82ef95);
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static np_status run_arithmetic(void *context, bench_work *work)
{
    host_state *state = context;
    state->ones = 0;
    for (uint32_t i = 0; i < ROUNDS; i++)
        for (uint32_t c = 0; c < CHAINS; c++) {
            state->chain[c] = mix(state->chain[c] + i);
            state->ones += state->chain[c] & 1;
        }
    work->units = (double)ROUNDS * CHAINS;
    return NP_OK;
}

/* Addresses do not depend on what was read: as many accesses wait at once as the processor can have under way. */
static np_status run_memory(void *context, bench_work *work)
{
    host_state *state = context;
    uint64_t first = state->calls++ * UPDATES;
    for (uint64_t i = 0; i < UPDATES; i++)
        state->word[mix(first + i) & (WORDS - 1)]++;
    work->units = UPDATES;
    return NP_OK;
}

/* Fair bits: 6 standard deviations are passed once in 5e8. */
static const char *check_arithmetic(const void *context)
{
    const host_state *state = context;
    double bits = (double)ROUNDS * CHAINS;
    return fabs((double)state->ones - bits / 2) > 6 * sqrt(bits / 4) ? "the results are not random" : NULL;
}

static const char *check_memory(const void *context)
{
    const host_state *state = context;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < WORDS; i++)
        sum += state->word[i];
    return sum == state->calls * UPDATES ? NULL : "updates were lost";
}

static void teardown(void *context)
{
    host_state *state = context;
    free(state->word);
    free(state);
}

const bench_kernel bench_host_kernels[] = {
    {.name = "host-arithmetic",
     .help = "products in registers: the speed of the processor, not netpram's",
     .unit = "products",
     .threads = 1,
     .setup = setup,
     .run = run_arithmetic,
     .check = check_arithmetic,
     .teardown = teardown},
    {.name = "host-memory",
     .help = "random updates in 1 GB: the speed of the memory, not netpram's",
     .unit = "updates",
     .threads = 1,
     .memory = memory,
     .setup = setup_memory,
     .run = run_memory,
     .check = check_memory,
     .teardown = teardown},
    {.name = NULL},
};
