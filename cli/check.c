/* netpram check NETWORK */
#include "command.h"

typedef struct arguments {
    cli_common common;
    const char *spec, *scheme, *paths;
    np_check_options check;
} arguments;

static const cli_option options[] = {
    {"scheme", "NAME", "The scheme (default: the first made for the network)", CLI_TEXT,
     .at = offsetof(arguments, scheme), .list = "schemes"},
    {"paths", "NAME", "The path rule (default: the scheme's own); alone it means --scheme greedy", CLI_TEXT,
     .at = offsetof(arguments, paths), .list = "paths"},
    {"seed", "N", "Where all random choices come from (default: 1)", CLI_SEED, .at = offsetof(arguments, check.seed)},
    {"runs", "N", "Phases run for oblivious and, where it is measured, symmetric (default: 200)", CLI_WHOLE32,
     .at = offsetof(arguments, check.runs), .low = 1, .high = UINT32_MAX},
    {"samples", "N", "Routes drawn for nonrepeating where there are too many (default: 65536)", CLI_WHOLE32,
     .at = offsetof(arguments, check.samples), .low = 1, .high = UINT32_MAX - 1},
    {"effort", "N",
     "Go through all routes where that takes at most N hops, and stop drawing there (default: 100000000, seconds for "
     "each property)",
     CLI_WHOLE64, .at = offsetof(arguments, check.effort), .low = 1, .high = UINT32_MAX},
    {"format", "table|json", "How to print (default: table)", CLI_FORMAT, .what = "a check: it prints"},
    {0},
};

static int run(void *self)
{
    const arguments *a = self;
    np_network *network;
    np_check_scheme_result *result = NULL;
    int status = 0;
    if (np_network_create(a->spec, &network))
        return cli_fail_last();
    if (np_check_scheme(network, a->scheme, a->paths, &a->check, &result) ||
        np_report_check(result, &a->common.report, stdout))
        status = cli_fail_last();
    else if (result->fails)
        status = CLI_CHECK_FAILED;
    np_check_scheme_result_free(result);
    np_network_free(network);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    np_check_options_init(&a->check);
}

const cli_verb cli_check = {
    .name = "check",
    .help = "is each phase of a scheme oblivious, nonrepeating and symmetric?",
    .subject = "NETWORK",
    .does =
        "Checks whether each phase of a scheme is oblivious, nonrepeating and symmetric, which is what the bounds on "
        "the delay need (Valiant & Brebner 1981, section 2), and prints the expected traffic of a link. Exit status "
        "1 if a property does not hold.",
    .subjects = {{"network", offsetof(arguments, spec), "check needs a network, as in 'netpram check hypercube:10'"}},
    .parts = {{options, 0}},
    .size = sizeof(arguments),
    .init = init,
    .run = run,
};
