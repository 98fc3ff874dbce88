/*
 * A machine of one's own for PRAM programs: "banks:N" has N processors, N banks of memory and a crossbar between them.
 * Cell x is in bank x mod N. A bank answers one request a step, and the crossbar takes one step each way:
 *
 *     processors  0 1 2 3      0 and 2 want cells of bank 1: the batch takes 1 + 2 + 1 steps
 *                  \\ /
 *     banks       0 1 2 3
 *
 * What does a vector cost whose cells are s apart? The answers of the program are the same on every machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netpram/netpram.h>

enum { BANKS_MAX = 1 << 16, WAYS = 2 };

typedef struct banks {
    np_machine base; /* first: a pointer to it is a pointer to the whole */
    uint32_t *load;  /* [modules] requests of the batch */
} banks;

static void destroy(np_machine *machine)
{
    free(((banks *)machine)->load);
    free(machine);
}

static np_status create(const char *parameters, const np_pram_options *options, np_machine **out)
{
    char *end;
    unsigned long count = strtoul(parameters, &end, 10);
    (void)options;
    if (*end || count < 1 || count > BANKS_MAX)
        return np_status_raise(NP_ERROR_INPUT, "banks:%s: write a number in 1..%d, as in banks:64", parameters,
                               BANKS_MAX);
    banks *b = calloc(1, sizeof *b);
    uint32_t *load = calloc(count, sizeof *load);
    if (!b || !load) {
        free(b);
        free(load);
        return np_status_raise(NP_ERROR_MEMORY, "no memory for %lu banks", count);
    }
    *b = (banks){.base = {.processors = (np_processor)count, .modules = count}, .load = load};
    *out = &b->base;
    return NP_OK;
}

static np_status serve(np_machine *machine, np_store *store, const np_request *request, size_t count, np_word *reply,
                       np_batch_cost *cost)
{
    banks *b = (banks *)machine;
    uint32_t most = 0;
    memset(b->load, 0, machine->modules * sizeof *b->load);
    for (size_t i = 0; i < count; i++) {
        uint32_t load = ++b->load[request[i].address % machine->modules];
        most = load > most ? load : most;
        reply[i] = np_store_serve(store, &request[i]);
    }
    cost->network_steps += WAYS + most;
    cost->requests += count;
    cost->replies += count;
    if (most > cost->module_load_max)
        cost->module_load_max = most;
    return NP_OK;
}

static const np_machine_ops machine = {
    .info = {.name = "banks", .help = "N processors, N banks, a crossbar", .source = "", .parameters = "N"},
    .create = create,
    .free = destroy,
    .serve = serve,
};

/* Reads a vector whose cells are `stride` apart, with one processor a cell. */
static np_status read_vector(uint64_t stride)
{
    enum { LENGTH = 64 };
    np_address base, address[LENGTH];
    np_word value[LENGTH];
    np_pram_options options;
    np_pram_report report;
    np_pram *pram = NULL;
    np_status st;
    np_pram_options_init(&options);
    options.machine = "banks:64";
    if ((st = np_pram_create(&options, &pram)) || (st = np_pram_allocate(pram, LENGTH * stride, "vector", &base)))
        goto out;
    for (uint64_t i = 0; i < LENGTH; i++)
        address[i] = base + i * stride;
    if ((st = np_pram_read(pram, LENGTH, address, NULL, value, "read the vector")) ||
        (st = np_pram_report_get(pram, &report)))
        goto out;
    printf("stride %2llu: %2llu steps, %2llu requests at one bank\n", (unsigned long long)stride,
           (unsigned long long)report.network_steps, (unsigned long long)report.module_load_max);
out:
    np_pram_free(pram);
    return st;
}

int main(void)
{
    static const uint64_t strides[] = {1, 3, 16, 64};
    np_status st = np_machine_register(&machine);
    for (size_t i = 0; !st && i < sizeof strides / sizeof *strides; i++)
        st = read_vector(strides[i]);
    if (st)
        fprintf(stderr, "own_machine: %s\n", np_last_error());
    return st != NP_OK;
}
