/* netpram schedule NETWORK */
#include "command.h"

typedef struct arguments {
    cli_common common;
    const char *spec, *traffic, *output, *input;
    np_offline_options offline;
} arguments;

static const cli_option options[] = {
    {.help = "What is to be routed:"},
    {"traffic", "SPEC", "Who sends to whom, or file:PATH (default: random, a permutation)", CLI_TEXT,
     .at = offsetof(arguments, traffic)},
    {"seed", "N", "Where random traffic comes from (default: 1)", CLI_SEED, .at = offsetof(arguments, offline.seed)},
    {.help = "Its schedule:"},
    {"queue", "exchange|straight", "Never more than one packet at a node, or no packet that waits (default: exchange)",
     CLI_TEXT, .at = offsetof(arguments, offline.rule)},
    {"output", "FILE", "Write the hops to FILE, lines 'step packet link'", CLI_TEXT, .at = offsetof(arguments, output)},
    {"input", "FILE", "Make none, but replay that of FILE: exit status 1 if it breaks the rules or loses a packet",
     CLI_TEXT, .at = offsetof(arguments, input)},
    {"memory", "BYTES", "Refuse what needs more, as in 4G (default: what is available)", CLI_BYTES,
     .at = offsetof(arguments, offline.memory_limit)},
    {.help = "What to report:"},
    {"format", "table|json", "How to print (default: table)", CLI_FORMAT, .what = "schedules: they print"},
    {0},
};

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

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    np_offline *offline = NULL;
    if (a->input && (a->output || a->offline.rule))
        return cli_fail("--%s is for a schedule that is made, --input makes none: one of the two",
                        a->output ? "output" : "queue");
    if (np_network_create(a->spec, &network))
        return cli_fail_last();
    int status = make(a, network, &offline);
    if (!status && np_report_offline(offline, &a->common.report, stdout))
        status = cli_fail_last();
    np_offline_free(offline);
    np_network_free(network);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    np_offline_options_init(&a->offline);
    a->traffic = "random";
    a->offline.memory_limit = cli_memory_available();
}

const cli_verb cli_schedule = {
    .name = "schedule",
    .help = "make the off-line schedule of a permutation, or replay and check that of a file",
    .subject = "NETWORK",
    .does =
        "Makes the schedule by which scheme offline routes a permutation (any traffic on complete networks), lists "
        "its hops, and replays them on an engine that allows one packet a link a step and knows nothing of how they "
        "were made (Sibeyn, lecture notes, off-line routing). Schedules are for one network, traffic and seed.",
    .subjects = {{"network", offsetof(arguments, spec), "schedule needs a network, as in 'netpram schedule mesh:8x8'"}},
    .parts = {{options, 0}},
    .size = sizeof(arguments),
    .init = init,
    .run = run,
};
