/* Kernels of reading: a network from a file of a million links. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkstemp, fdopen */
#endif
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"

enum { NODES = 125000, DEGREE = 8, LINKS = NODES * DEGREE };

typedef struct load_state {
    char path[64], spec[80];
    np_network *network;
} load_state;

/* Link p of node u: spread over the network by two odd multipliers, so that lines are as long as real ones. */
static uint32_t head_of(uint32_t u, uint32_t p)
{
    return (uint32_t)((u * UINT64_C(40503) + p * UINT64_C(15485863)) % NODES);
}

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    (void)kernel, (void)threads;
    load_state *state = calloc(1, sizeof *state);
    if (!state)
        return NP_ERROR_MEMORY;
    *out = state;
    snprintf(state->path, sizeof state->path, "%s/netpram-bench-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    int descriptor = mkstemp(state->path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        return NP_ERROR_IO;
    for (uint32_t u = 0; u < NODES; u++)
        for (uint32_t p = 0; p < DEGREE; p++)
            fprintf(file, "%u %u\n", u, head_of(u, p));
    snprintf(state->spec, sizeof state->spec, "file:%s", state->path);
    return fclose(file) ? NP_ERROR_IO : NP_OK;
}

static np_status run(void *context, bench_work *work)
{
    load_state *state = context;
    np_network_free(state->network);
    state->network = NULL;
    work->units = LINKS;
    return np_network_create(state->spec, &state->network);
}

static const char *check(const void *context)
{
    const load_state *state = context;
    if (np_network_links(state->network) != LINKS || np_network_nodes(state->network) != NODES)
        return "the network has not the nodes and links of the file";
    for (uint32_t u = 0; u < NODES; u += 997)
        for (uint32_t p = 0; p < DEGREE; p++)
            if (np_network_link_head(state->network, np_network_link_at(state->network, u, p)) != head_of(u, p))
                return "a link leads elsewhere than the file says";
    return NULL;
}

static void teardown(void *context)
{
    load_state *state = context;
    np_network_free(state->network);
    unlink(state->path);
    free(state);
}

const bench_kernel bench_load_kernels[] = {
    {.name = "links-file-1e6",
     .help = "read a network from a file of 10^6 links",
     .unit = "links",
     .threads = 1,
     .setup = setup,
     .run = run,
     .check = check,
     .teardown = teardown},
    {.name = NULL},
};
