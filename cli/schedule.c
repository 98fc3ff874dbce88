/* netpram schedule NETWORK */
#include <errno.h>
#include <stdlib.h>

#include "command.h"

enum { KEY_TRAFFIC = 256, KEY_QUEUE, KEY_SEED, KEY_OUTPUT, KEY_INPUT, KEY_MEMORY, KEY_FORMAT };

typedef struct arguments {
    const char *spec, *traffic, *output, *input;
    np_offline_options offline;
    np_report_options report;
    bool seed_given;
} arguments;

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What is to be routed:", 1},
    {"traffic", KEY_TRAFFIC, "SPEC", 0, "Who sends to whom, or file:PATH (default: random, a permutation)", 1},
    {"seed", KEY_SEED, "N", 0, "Where random traffic comes from (default: 1)", 1},
    {NULL, 0, NULL, 0, "Its schedule:", 2},
    {"queue", KEY_QUEUE, "exchange|straight", 0,
     "Never more than one packet at a node, or no packet that waits (default: exchange)", 2},
    {"output", KEY_OUTPUT, "FILE", 0, "Write the hops to FILE, lines 'step packet link'", 2},
    {"input", KEY_INPUT, "FILE", 0,
     "Make none, but replay that of FILE: exit status 1 if it breaks the rules or loses a packet", 2},
    {"memory", KEY_MEMORY, "BYTES", 0, "Refuse what needs more, as in 4G (default: what is available)", 2},
    {NULL, 0, NULL, 0, "What to report:", 3},
    {"format", KEY_FORMAT, "table|json", 0, "How to print (default: table)", 3},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_TRAFFIC: a->traffic = text; return 0;
    case KEY_QUEUE: a->offline.rule = text; return 0;
    case KEY_SEED: a->seed_given = true; return cli_number("seed", text, 0, INT64_MAX, &a->offline.seed);
    case KEY_OUTPUT: a->output = text; return 0;
    case KEY_INPUT: a->input = text; return 0;
    case KEY_MEMORY: return cli_bytes("memory", text, &a->offline.memory_limit);
    case KEY_FORMAT: return cli_format(text, &a->report.format);
    case ARGP_KEY_ARG: return cli_old_subject("network", text, &a->spec);
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* A file's schedule that is refused, and not for its format, is a check that failed. */
static int make(arguments *a, const np_network *network, np_offline **offline)
{
    np_status st;
    if (a->input && (st = np_offline_load(network, a->traffic, &a->offline, a->input, offline)))
        return cli_fail_last(), st == NP_ERROR_APPLY ? CLI_CHECK_FAILED : CLI_BAD_INPUT;
    if (!a->input && np_offline_find(network, a->traffic, &a->offline, offline))
        return cli_fail_last();
    return a->output && np_offline_save(*offline, a->output) ? cli_fail_last() : 0;
}

static int run(arguments *a)
{
    np_network *network;
    np_offline *offline = NULL;
    if (a->report.format == NP_REPORT_CSV)
        return cli_fail("no format 'csv' for schedules: they print as 'table' or 'json'");
    if (a->input && (a->output || a->offline.rule))
        return cli_fail("--%s is for a schedule that is made, --input makes none: one of the two",
                        a->output ? "output" : "queue");
    if (np_network_create(a->spec, &network))
        return cli_fail_last();
    if (!a->offline.memory_limit)
        a->offline.memory_limit = cli_memory_available();
    int status = make(a, network, &offline);
    if (!status && np_report_offline(offline, &a->report, stdout))
        status = cli_fail_last();
    np_offline_free(offline);
    np_network_free(network);
    return status;
}

int cli_schedule(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "NETWORK",
        "Makes the schedule by which scheme offline routes a permutation (any traffic on complete networks), lists its "
        "hops, and replays them on an engine that allows one packet a link a step and knows nothing of how they were made "
        "(Sibeyn, lecture notes, off-line routing). Schedules are for one network, traffic and seed.",
        NULL,
        NULL,
        NULL};
    arguments a = {.traffic = "random"};
    np_offline_options_init(&a.offline);
    int status;
    char *command = cli_begin(&argp, argc, argv, &a, &a.seed_given, &status);
    a.report.command = command;
    if (!status)
        status = a.spec ? run(&a) : cli_fail("schedule needs a network, as in 'netpram schedule mesh:8x8'");
    free(command);
    return status;
}
