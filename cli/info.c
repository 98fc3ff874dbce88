/* netpram info NETWORK */
#include "command.h"

enum { DEFAULT_EFFORT = 100000000 }; /* ours: a second or two */

typedef struct arguments {
    cli_common common;
    const char *spec;
    uint64_t effort;
} arguments;

static const cli_option options[] = {
    {"effort", "N",
     "Measure what takes at most N visits of links; 0: formulas only (default: 100000000, a second or two)",
     CLI_WHOLE64, .at = offsetof(arguments, effort), .high = UINT64_MAX},
    {"format", "table|json", "How to print (default: table)", CLI_FORMAT, .what = "a network: it prints"},
    {0},
};

static int run(void *self)
{
    const arguments *a = self;
    np_network *network;
    np_network_facts facts;
    if (np_network_create(a->spec, &network))
        return cli_fail_last();
    np_status st = np_network_measure(network, a->effort, &facts);
    if (!st)
        st = np_report_network(network, &facts, &a->common.report, stdout);
    np_network_free(network);
    return st ? cli_fail_last() : 0;
}

static void init(void *self)
{
    arguments *a = self;
    a->effort = DEFAULT_EFFORT;
}

const cli_verb cli_info = {
    .name = "info",
    .help = "the facts of a network: degree, diameter, bisection",
    .subject = "NETWORK",
    .does = "Prints the facts of a network such as ccc:7, formula against measurement "
            "('netpram list networks' names all).",
    .subjects = {{"network", offsetof(arguments, spec), "info needs a network, as in 'netpram info ccc:7'"}},
    .parts = {{options, 0}},
    .size = sizeof(arguments),
    .init = init,
    .run = run,
};
