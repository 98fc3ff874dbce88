/* Kernels of PRAM programs as text, on the ideal machine. The time is that of the whole run, without compiling the
 * text. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#include "netpram/script.h"

typedef struct script_parameters {
    const char *text;
    uint64_t n;
    np_word last; /* the first word of the output, when all is right */
} script_parameters;

typedef struct script_state {
    const script_parameters *parameters;
    unsigned threads;
    np_script *script;
    np_script_result *result; /* of the last run */
} script_state;

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    script_state *state = calloc(1, sizeof *state);
    if (!state)
        return NP_ERROR_MEMORY;
    state->parameters = kernel->parameters;
    state->threads = threads;
    *out = state;
    const char *text = state->parameters->text;
    return np_script_create(kernel->name, text, strlen(text), NULL, &state->script);
}

static np_status run(void *context, bench_work *work)
{
    script_state *state = context;
    np_pram_options pram;
    np_script_options options;
    np_pram_options_init(&pram);
    np_script_options_init(&options);
    pram.rule = np_script_about_get(state->script).rule;
    pram.threads = state->threads;
    options.program.n = state->parameters->n;
    np_script_result_free(state->result);
    state->result = NULL;
    np_status st = np_script_run(state->script, &pram, &options, NULL, &state->result);
    if (!st)
        work->units += (double)state->result->report.work;
    return st;
}

static const char *check(const void *context)
{
    const script_state *state = context;
    const np_script_result *result = state->result;
    if (result->report.violations)
        return "the access rule was violated";
    return result->output[0].word[0] == state->parameters->last ? NULL : "the answer is wrong";
}

static void describe(const void *context, json_t *line)
{
    const script_state *state = context;
    json_object_set_new(line, "pram_steps", json_integer((json_int_t)state->result->report.steps));
    json_object_set_new(line, "checksum", json_real((double)state->result->checksum));
}

static void teardown(void *context)
{
    script_state *state = context;
    np_script_result_free(state->result);
    np_script_free(state->script);
    free(state);
}

/* That of src/machine/programs/prefix-sums.pram, on numbers that it makes itself: x[i] = i; the last sum is n (n-1)
 * / 2. */
static const char prefix[] = "program prefix\n"
                             "rule erew\n"
                             "output sum\n"
                             "shared x[n], sum\n"
                             "for i in 0 .. n - 1 pardo x[i] := i end\n"
                             "var s := 1\n"
                             "while 2 * s <= n do\n"
                             "  for i in 1 .. n div (2 * s) pardo\n"
                             "    var at := 2 * s * i - 1\n"
                             "    x[at] := x[at - s] + x[at]\n"
                             "  end\n"
                             "  s := 2 * s\n"
                             "end\n"
                             "while s >= 1 do\n"
                             "  for i in 1 .. (n - s) div (2 * s) pardo\n"
                             "    var at := 2 * s * i + s - 1\n"
                             "    x[at] := x[at - s] + x[at]\n"
                             "  end\n"
                             "  s := s div 2\n"
                             "end\n"
                             "sum := x[n - 1]\n";

/* Reads of all cells in an order without a pattern that a cache knows, eight times. */
static const char gather[] = "program gather\n"
                             "rule crew\n"
                             "output sum\n"
                             "shared x[n], y[n], sum\n"
                             "for i in 0 .. n - 1 pardo x[i] := i end\n"
                             "for k in 1 .. 8 do\n"
                             "  for i in 0 .. n - 1 pardo\n"
                             "    y[i] := x[((i * 2654435761 + k) * (i + 7 * k)) & (n - 1)]\n"
                             "  end\n"
                             "end\n"
                             "sum := y[0]\n";

#define SCRIPT(n)                                                                                                      \
    .unit = "accesses", .threads = (n), .setup = setup, .run = run, .check = check, .describe = describe,              \
    .teardown = teardown

static const script_parameters sums = {prefix, 1 << 22, ((np_word)1 << 21) * ((1 << 22) - 1)};
static const script_parameters gathers = {gather, 1 << 26, 448};

const bench_kernel bench_script_kernels[] = {
    {.name = "pram-text-prefix-2^22",
     .help = "prefix sums of 2^22 cells, as text, on the ideal machine",
     .parameters = &sums,
     SCRIPT(1)},
    {.name = "pram-text-prefix-2^22-2-threads", .help = "the same on two threads", .parameters = &sums, SCRIPT(2)},
    {.name = "pram-text-gather-2^26",
     .help = "text that reads 2^26 cells at random, 8 times, and writes as many in order; 3 GB",
     .on_request = true,
     .parameters = &gathers,
     SCRIPT(1)},
    {.name = NULL},
};
