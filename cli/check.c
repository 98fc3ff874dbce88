/* netpram check NETWORK */
#include <errno.h>
#include <stdlib.h>

#include "command.h"

enum { KEY_SCHEME = 256, KEY_PATHS, KEY_SEED, KEY_RUNS, KEY_SAMPLES, KEY_EFFORT, KEY_FORMAT };

typedef struct arguments {
    const char *spec, *scheme, *paths;
    np_check_options check;
    np_report_options report;
    bool seed_given;
} arguments;

static const struct argp_option options[] = {
    {"scheme", KEY_SCHEME, "NAME", 0, "The scheme (default: the first made for the network)", 0},
    {"paths", KEY_PATHS, "NAME", 0, "The path rule (default: the scheme's own); alone it means --scheme greedy", 0},
    {"seed", KEY_SEED, "N", 0, "Where all random choices come from (default: 1)", 0},
    {"runs", KEY_RUNS, "N", 0, "Phases run for oblivious and, where it is measured, symmetric (default: 200)", 0},
    {"samples", KEY_SAMPLES, "N", 0, "Routes drawn for nonrepeating where there are too many (default: 65536)", 0},
    {"effort", KEY_EFFORT, "N", 0,
     "Go through all routes where that takes at most N hops, and stop drawing there (default: 100000000, seconds for "
     "each property)",
     0},
    {"format", KEY_FORMAT, "table|json", 0, "How to print (default: table)", 0},
    {0},
};

static error_t parse_number(int key, const char *text, np_check_options *check)
{
    uint64_t value = 0;
    error_t failed = 0;
    if (key == KEY_SEED && !(failed = cli_number("seed", text, 0, INT64_MAX, &value)))
        check->seed = value;
    else if (key == KEY_EFFORT && !(failed = cli_number("effort", text, 1, UINT32_MAX, &value)))
        check->effort = value;
    else if (key == KEY_RUNS && !(failed = cli_number("runs", text, 1, UINT32_MAX, &value)))
        check->runs = (uint32_t)value;
    else if (key == KEY_SAMPLES && !(failed = cli_number("samples", text, 1, UINT32_MAX - 1, &value)))
        check->samples = (uint32_t)value;
    return failed;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_SCHEME: a->scheme = text; return 0;
    case KEY_PATHS: a->paths = text; return 0;
    case KEY_SEED: a->seed_given = true; return parse_number(key, text, &a->check);
    case KEY_RUNS:
    case KEY_SAMPLES:
    case KEY_EFFORT: return parse_number(key, text, &a->check);
    case KEY_FORMAT: return cli_format(text, &a->report.format);
    case ARGP_KEY_ARG: return cli_old_subject("network", text, &a->spec);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int check(const arguments *a)
{
    np_network *network;
    np_check_scheme_result *result = NULL;
    int status = 0;
    if (a->report.format == NP_REPORT_CSV)
        return cli_fail("no format 'csv' for a check: it prints as 'table' or 'json'");
    if (np_network_create(a->spec, &network))
        return cli_fail_last();
    if (np_check_scheme(network, a->scheme, a->paths, &a->check, &result) ||
        np_report_check(result, &a->report, stdout))
        status = cli_fail_last();
    else if (result->fails)
        status = CLI_CHECK_FAILED;
    np_check_scheme_result_free(result);
    np_network_free(network);
    return status;
}

int cli_check(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "NETWORK",
        "Checks whether each phase of a scheme is oblivious, nonrepeating and symmetric, which is what the bounds on "
        "the delay need (Valiant & Brebner 1981, section 2), and prints the expected traffic of a link. Exit status 1 "
        "if a property does not hold.",
        NULL, NULL, NULL};
    arguments a = {.spec = NULL};
    np_check_options_init(&a.check);
    int status;
    char *command = cli_begin(&argp, argc, argv, &a, &a.seed_given, &status);
    a.report.command = command;
    if (!status)
        status = a.spec ? check(&a) : cli_fail("check needs a network, as in 'netpram check hypercube:10'");
    free(command);
    return status;
}
