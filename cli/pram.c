/* netpram pram [PROGRAM] */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "progress.h"

enum {
    KEY_MACHINE = 256,
    KEY_RULE,
    KEY_N,
    KEY_EDGES,
    KEY_STEPS,
    KEY_INPUT,
    KEY_SEED,
    KEY_PROCESSORS,
    KEY_SLACK,
    KEY_QUEUE_SIZE,
    KEY_MAP,
    KEY_ZETA,
    KEY_ORDER,
    KEY_ALLOTTED,
    KEY_FORMAT,
    KEY_VIOLATIONS,
    KEY_EXPLAIN,
    KEY_PROGRESS,
    KEY_QUIET
};

typedef struct arguments {
    const char *program;
    np_pram_options pram;
    np_program_options input;
    np_report_options report;
    bool rule_given, seed_given, explain, progress, quiet;
} arguments;

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "The program's input:", 1},
    {"n", KEY_N, "N", 0, "Size: numbers, vertices, ... (default: the program's own)", 1},
    {"edges", KEY_EDGES, "N", 0, "Edges of a random graph (default: as many as vertices)", 1},
    {"steps", KEY_STEPS, "N", 0, "Steps of random-reads (default: 16)", 1},
    {"input", KEY_INPUT, "FILE", 0,
     "Read it from a file: a number a line, or a graph as lines 'from to' or Matrix Market", 1},
    {"seed", KEY_SEED, "N", 0, "Where all random choices come from, the input too (default: 1)", 1},
    {NULL, 0, NULL, 0, "What to run it on:", 2},
    {"machine", KEY_MACHINE, "SPEC", 0, "The machine (default: ideal)", 2},
    {"rule", KEY_RULE, "NAME", 0, "The access rule, as erew, crew or crcw-arbitrary (default: the program's own)", 2},
    {"processors", KEY_PROCESSORS, "P", 0, "Real processors, that virtual ones share (default: as the machine has)", 2},
    {"slack", KEY_SLACK, "H", 0, "Requests of one processor in one batch, at most (default: 1)", 2},
    {"queue-size", KEY_QUEUE_SIZE, "B", 0, "Messages that a queue holds (default: 4)", 2},
    {"map", KEY_MAP, "hash|linear|none", 0, "How addresses become places in modules (default: hash)", 2},
    {"zeta", KEY_ZETA, "N", 0, "Coefficients of the hash function (default: 8 n)", 2},
    {"order", KEY_ORDER, "module|hash", 0, "What streams are sorted by, before the address (default: module)", 2},
    {"allotted", KEY_ALLOTTED, "N", 0,
     "A batch of more than N n H network steps draws a new hash function (default: 64)", 2},
    {NULL, 0, NULL, 0, "What to report:", 3},
    {"format", KEY_FORMAT, "table|json|csv", 0, "How to print (default: table)", 3},
    {"violations", KEY_VIOLATIONS, "N", 0, "Violations of the rule to show; all are counted (default: 16)", 3},
    {"explain", KEY_EXPLAIN, NULL, 0,
     "Say why the slowest batch on a butterfly took so long, and check it against Theorem 2", 3},
    {"progress", KEY_PROGRESS, NULL, 0, "Show progress even if stderr is no terminal", 3},
    {"quiet", KEY_QUIET, NULL, 0, "Show no progress and no notes", 3},
    {0},
};

/* Numbers of 32 bits: their keys, names and places. */
static error_t parse_number(int key, const char *text, arguments *a)
{
    const struct {
        int key;
        const char *name;
        uint64_t low;
        uint32_t *place;
    } numbers[] = {
        {KEY_STEPS, "steps", 1, &a->input.steps},
        {KEY_PROCESSORS, "processors", 1, &a->pram.processors},
        {KEY_SLACK, "slack", 1, &a->pram.slack},
        {KEY_QUEUE_SIZE, "queue-size", 1, &a->pram.queue_size},
        {KEY_ZETA, "zeta", 1, &a->pram.zeta},
        {KEY_ALLOTTED, "allotted", 1, &a->pram.allotted},
        {KEY_VIOLATIONS, "violations", 0, &a->pram.violations_max},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t value = 0;
        if (numbers[i].key != key)
            continue;
        error_t failed = cli_number(numbers[i].name, text, numbers[i].low, UINT32_MAX, &value);
        if (!failed)
            *numbers[i].place = (uint32_t)value;
        return failed;
    }
    return ARGP_ERR_UNKNOWN;
}

static error_t parse_word(np_pram_options *pram, const char *option, const char *text)
{
    if (!np_pram_options_set(pram, option, text))
        return 0;
    cli_fail("--%s: %s", option, np_last_error());
    return EINVAL;
}

static error_t parse_rule(arguments *a, const char *text)
{
    a->rule_given = true;
    if (!np_access_rule_of(text, &a->pram.rule))
        return 0;
    cli_fail_last();
    return EINVAL;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_MACHINE:
        a->pram.machine = text;
        return 0;
    case KEY_RULE:
        return parse_rule(a, text);
    case KEY_N:
        return cli_number("n", text, 1, UINT32_MAX, &a->input.n);
    case KEY_EDGES:
        return cli_number("edges", text, 1, UINT32_MAX, &a->input.edges);
    case KEY_INPUT:
        a->input.input = text;
        return 0;
    case KEY_SEED:
        a->seed_given = true;
        return cli_number("seed", text, 0, INT64_MAX, &a->pram.seed);
    case KEY_MAP:
        return parse_word(&a->pram, "map", text);
    case KEY_ORDER:
        return parse_word(&a->pram, "order", text);
    case KEY_FORMAT:
        return cli_format(text, &a->report.format);
    case KEY_EXPLAIN:
        a->explain = true;
        return 0;
    case KEY_PROGRESS:
        a->progress = true;
        return 0;
    case KEY_QUIET:
        a->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        return cli_old_subject("program", text, &a->program);
    case ARGP_KEY_END: /* a list has nothing random */
        a->seed_given = a->seed_given || !a->program;
        return 0;
    default:
        return parse_number(key, text, a);
    }
}

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
    np_machine_info info;
    size_t length = strcspn(a->pram.machine, ":");
    if (!a->explain)
        return 0;
    if (a->report.format == NP_REPORT_CSV)
        return cli_fail("--explain does not fit into CSV: --format table or json");
    for (size_t i = 0; np_pram_machine(i, &info); i++)
        if (!strncmp(info.name, a->pram.machine, length) && !info.name[length] && !info.explains)
            return cli_fail("--explain: nothing is known to say of why %s is slow: try butterfly:8", a->pram.machine);
    return 0;
}

static int report(arguments *a, const np_program_result *result)
{
    np_pram_explanation *explanation = NULL;
    int status = 0;
    if (a->explain && np_pram_explain(result->pram, &explanation))
        return cli_fail_last();
    a->report.explanation = explanation;
    if (np_report_pram(result, &a->report, stdout))
        status = cli_fail_last();
    else if (!result->correct || result->report.violations || (explanation && !explanation->sequence.holds))
        status = CLI_CHECK_FAILED;
    np_pram_explanation_free(explanation);
    return status;
}

static int run(arguments *a)
{
    const np_program_info *info;
    np_program_result *result;
    cli_progress progress;
    int refused = check_explain(a);
    if (refused)
        return refused;
    if (np_program_find(a->program, &info))
        return cli_fail_last();
    if (!a->rule_given)
        a->pram.rule = info->rule;
    cli_progress_init(&progress, a->progress, a->quiet);
    cli_interrupt_catch();
    a->pram.on_step = on_step;
    a->pram.context = &progress;
    np_status st = np_program_run(a->program, &a->pram, &a->input, &result);
    cli_progress_clear(&progress);
    if (st == NP_ERROR_CANCELLED && cli_interrupted())
        cli_interrupt_die();
    if (!st && !a->quiet && result->report.bad_stride)
        cli_say("this address map keeps every cell of stride %llu in one module: try --map hash",
                (unsigned long long)result->report.bad_stride);
    int status = st ? cli_fail_last() : report(a, result);
    np_program_result_free(result);
    return status;
}

/* Without a program: which there are. */
static int list(const arguments *a)
{
    if (np_report_list(NP_REPORT_PROGRAMS, &a->report, stdout))
        return cli_fail_last();
    return 0;
}

int cli_pram(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "[PROGRAM]",
        "Runs a program for a shared-memory machine (PRAM) in lock step, on the ideal machine or on a network that "
        "emulates it (Ranade 1987b), checks its answer, and reports what it cost. Without PROGRAM, lists the programs. "
        "Exit status 1 if the answer is wrong or the access rule was violated.",
        NULL,
        NULL,
        NULL};
    arguments a = {.program = NULL};
    np_pram_options_init(&a.pram);
    np_program_options_init(&a.input);
    int status;
    char *command = cli_begin(&argp, argc, argv, &a, &a.seed_given, &status);
    a.report.command = command;
    if (!status)
        status = a.program ? run(&a) : list(&a);
    free(command);
    return status;
}
