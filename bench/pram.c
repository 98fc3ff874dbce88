/*
 * Kernels of the PRAM: accesses of the ideal machine, and requests answered by
 * the butterfly, all measures on. The programs check their own answers; the time is that of the
 * whole call, input, machine and checking included.
 */
#include <stdlib.h>

#include "bench.h"

typedef struct pram_parameters {
    const char *program, *machine;
    np_access_rule rule;
    uint64_t n;
    uint32_t steps, slack;
    double steps_per_n_most; /* mean network steps of a PRAM step over n that are allowed; 0: any */
} pram_parameters;

typedef struct pram_state {
    const pram_parameters *parameters;
    unsigned threads;
    np_program_result *result; /* of the last call */
} pram_state;

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    pram_state *state = calloc(1, sizeof *state);
    if (!state)
        return NP_ERROR_MEMORY;
    state->parameters = kernel->parameters;
    state->threads = threads;
    *out = state;
    return NP_OK;
}

static np_status run(void *context, bench_work *work)
{
    pram_state *state = context;
    const pram_parameters *parameters = state->parameters;
    np_pram_options pram;
    np_program_options options;
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    pram.machine = parameters->machine;
    pram.rule = parameters->rule;
    pram.slack = parameters->slack;
    if (!np_pram_machine_heeds(pram.machine, "threads"))
        pram.threads = state->threads;
    options.n = parameters->n;
    options.steps = parameters->steps;
    np_program_result_free(state->result);
    state->result = NULL;
    np_status st = np_program_run(parameters->program, &pram, &options, &state->result);
    if (!st)
        work->units += (double)state->result->report.work;
    return st;
}

static const char *check(const void *context)
{
    const pram_state *state = context;
    const np_pram_report *report = &state->result->report;
    double most = state->parameters->steps_per_n_most;
    if (!state->result->correct)
        return "the answer is wrong";
    if (report->violations)
        return "the access rule was violated";
    if (report->queue_max > 4)
        return "a queue held more than 4 messages";
    if (most && report->per_step.mean > most * report->n)
        return "a PRAM step takes too many network steps";
    return NULL;
}

static void describe(const void *context, json_t *line)
{
    const pram_state *state = context;
    const np_pram_report *report = &state->result->report;
    json_object_set_new(line, "program", json_string(state->parameters->program));
    json_object_set_new(line, "machine", json_string(state->parameters->machine));
    json_object_set_new(line, "slack", json_integer(state->parameters->slack));
    json_object_set_new(line, "pram_steps", json_integer((json_int_t)report->steps));
    json_object_set_new(line, "network_steps_mean", json_real(report->per_step.mean));
}

static void teardown(void *context)
{
    pram_state *state = context;
    np_program_result_free(state->result);
    free(state);
}

#define PRAM_ON(n)                                                                                                     \
    .unit = "accesses", .threads = (n), .setup = setup, .run = run, .check = check, .describe = describe,              \
    .teardown = teardown
#define PRAM PRAM_ON(1)

const bench_kernel bench_pram_kernels[] = {
    {.name = "pram-ideal-prefix-sums-2^22",
     .help = "prefix sums of 2^22 cells on the ideal machine",
     .parameters = &(const pram_parameters){"prefix-sums", "ideal", NP_RULE_EREW, 1 << 22, 0, 1, 0},
     PRAM},
    {.name = "pram-ideal-prefix-sums-2^22-2-threads",
     .help = "the same on two threads",
     .parameters = &(const pram_parameters){"prefix-sums", "ideal", NP_RULE_EREW, 1 << 22, 0, 1, 0},
     PRAM_ON(2)},
    {.name = "pram-ideal-components-2^20",
     .help = "components of a random graph of 2^20 vertices and edges on the ideal machine",
     .parameters = &(const pram_parameters){"components", "ideal", NP_RULE_ARBITRARY, 1 << 20, 0, 1, 0},
     PRAM},
    {.name = "pram-ideal-components-2^20-2-threads",
     .help = "the same on two threads",
     .parameters = &(const pram_parameters){"components", "ideal", NP_RULE_ARBITRARY, 1 << 20, 0, 1, 0},
     PRAM_ON(2)},
    {.name = "pram-butterfly-12",
     .help = "random reads on the butterfly of 2^12 rows, 12 requests a row",
     .parameters = &(const pram_parameters){"random-reads", "butterfly:12", NP_RULE_CREW, 0, 16, 1, 12},
     PRAM},
    {.name = "pram-butterfly-12-slack-16",
     .help = "the same, 16 requests a processor in a batch",
     .parameters = &(const pram_parameters){"random-reads", "butterfly:12", NP_RULE_CREW, 12 * 16 << 12, 4, 16, 64},
     PRAM},
    {.name = NULL},
};
