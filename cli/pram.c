/* netpram pram [PROGRAM] */
#include <string.h>

#include "command.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    const char *program;
    np_pram_options pram;
    np_program_options input;
    bool explain;
} arguments;

static np_status set_rule(void *place, const char *name, const char *text)
{
    (void)name;
    return np_access_rule_of(text, place);
}

static np_status set_word(void *place, const char *name, const char *text)
{
    return np_pram_options_set(place, name, text);
}

static const cli_option options[] = {
    {.help = "The program's input:"},
    {"n", "N", "Size: numbers, vertices, ... (default: the program's own)", CLI_WHOLE64,
     .at = offsetof(arguments, input.n), .low = 1, .high = UINT32_MAX},
    {"edges", "N", "Edges of a random graph (default: as many as vertices)", CLI_WHOLE64,
     .at = offsetof(arguments, input.edges), .low = 1, .high = UINT32_MAX},
    {"steps", "N", "Steps of random-reads (default: 16)", CLI_WHOLE32, .at = offsetof(arguments, input.steps), .low = 1,
     .high = UINT32_MAX},
    {"input", "FILE", "Read it from a file: a number a line, or a graph as lines 'from to' or Matrix Market", CLI_TEXT,
     .at = offsetof(arguments, input.input)},
    {"seed", "N", "Where all random choices come from, the input too (default: 1)", CLI_SEED,
     .at = offsetof(arguments, pram.seed)},
    {.help = "What to run it on:"},
    {"machine", "SPEC", "The machine (default: ideal)", CLI_TEXT, .at = offsetof(arguments, pram.machine),
     .list = "machines"},
    {"rule", "NAME", "The access rule, as erew, crew or crcw-arbitrary (default: the program's own)", CLI_SET_BARE,
     .at = offsetof(arguments, pram.rule), .set = set_rule},
    {"processors", "P", "Real processors, that virtual ones share (default: as the machine has)", CLI_WHOLE32,
     .at = offsetof(arguments, pram.processors), .low = 1, .high = UINT32_MAX},
    {"slack", "H", "Requests of one processor in one batch, at most (default: 1)", CLI_WHOLE32,
     .at = offsetof(arguments, pram.slack), .low = 1, .high = UINT32_MAX},
    {"queue-size", "B", "Messages that a queue holds (default: 4)", CLI_WHOLE32,
     .at = offsetof(arguments, pram.queue_size), .low = 1, .high = UINT32_MAX},
    {"map", "hash|linear|none", "How addresses become places in modules (default: hash)", CLI_SET,
     .at = offsetof(arguments, pram), .set = set_word},
    {"zeta", "N", "Coefficients of the hash function (default: 8 n)", CLI_WHOLE32, .at = offsetof(arguments, pram.zeta),
     .low = 1, .high = UINT32_MAX},
    {"order", "module|hash", "What streams are sorted by, before the address (default: module)", CLI_SET,
     .at = offsetof(arguments, pram), .set = set_word},
    {"allotted", "N", "A batch of more than N n H network steps draws a new hash function (default: 64)", CLI_WHOLE32,
     .at = offsetof(arguments, pram.allotted), .low = 1, .high = UINT32_MAX},
    {.help = "What to report:"},
    {"format", "table|json|csv", "How to print (default: table)", .kind = CLI_FORMAT},
    {"violations", "N", "Violations of the rule to show; all are counted (default: 16)", CLI_WHOLE32,
     .at = offsetof(arguments, pram.violations_max), .high = UINT32_MAX},
    {"explain", NULL, "Say why the slowest batch on a butterfly took so long, and check it against Theorem 2", CLI_FLAG,
     .at = offsetof(arguments, explain)},
    {0},
};

static int on_step(void *context, uint64_t steps)
{
    char what[64];
    snprintf(what, sizeof what, "%llu PRAM steps", (unsigned long long)steps);
    cli_progress_share(context, 0, what);
    return cli_interrupted();
}

/* Before anything is run. */
static int check_explain(const arguments *a)
{
    bool explains;
    if (!a->explain)
        return 0;
    if (a->common.report.format == NP_REPORT_CSV)
        return cli_fail("--explain does not fit into CSV: --format table or json");
    if (np_pram_machine_explains(a->pram.machine, &explains))
        return cli_fail_last();
    if (!explains)
        return cli_fail("--explain: nothing is known to say of why %s is slow: try butterfly:8", a->pram.machine);
    return 0;
}

static int report(arguments *a, const np_program_result *result)
{
    np_pram_explanation *explanation = NULL;
    int status = 0;
    if (a->explain && np_pram_explain(result->pram, &explanation))
        return cli_fail_last();
    a->common.report.explanation = explanation;
    if (np_report_pram(result, &a->common.report, stdout))
        status = cli_fail_last();
    else if (!result->correct || result->report.violations || (explanation && !explanation->sequence.holds))
        status = CLI_CHECK_FAILED;
    np_pram_explanation_free(explanation);
    return status;
}

static int run_program(arguments *a)
{
    const np_program_info *info;
    np_program_result *result;
    cli_progress progress;
    int status = check_explain(a);
    if (status)
        return status;
    if (np_program_find(a->program, &info))
        return cli_fail_last();
    if (!cli_given(a, "rule"))
        a->pram.rule = info->rule;
    cli_progress_init(&progress, a->common.progress, a->common.quiet);
    cli_interrupt_catch();
    a->pram.on_step = on_step;
    a->pram.context = &progress;
    status = cli_progress_end(&progress, np_program_run(a->program, &a->pram, &a->input, &result));
    if (status)
        return status;
    if (!a->common.quiet && result->report.bad_stride)
        cli_say("this address map keeps every cell of stride %llu in one module: try --map hash",
                (unsigned long long)result->report.bad_stride);
    status = report(a, result);
    np_program_result_free(result);
    return status;
}

/* Without a program: which there are. */
static int run(void *self)
{
    arguments *a = self;
    if (a->program)
        return run_program(a);
    return np_report_list(NP_LIST_PROGRAMS, &a->common.report, stdout) ? cli_fail_last() : 0;
}

static void init(void *self)
{
    arguments *a = self;
    np_pram_options_init(&a->pram);
    np_program_options_init(&a->input);
}

/* A list has nothing random. */
static bool draws(const void *self) { return ((const arguments *)self)->program; }

const cli_verb cli_pram = {
    .name = "pram",
    .help = "run a shared-memory program on a PRAM, ideal or on a network",
    .subject = "[PROGRAM]",
    .does =
        "Runs a program for a shared-memory machine (PRAM) in lock step, on the ideal machine or on a network that "
        "emulates it (Ranade 1987b), checks its answer, and reports what it cost. Without PROGRAM, lists the programs. "
        "Exit status 1 if the answer is wrong or the access rule was violated.",
    .subjects = {{"program", offsetof(arguments, program), .list = "programs"}},
    .parts = {{options, 0}, {cli_notes_options, 0}},
    .size = sizeof(arguments),
    .init = init,
    .draws = draws,
    .run = run,
};
