/* netpram schedule NETWORK */

#include "command.h"
#include "network.h"
#include "record.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    cli_traffic_options demands;
    const char *spec, *traffic, *output;
    np_offline_options offline;
    np_record_options record;
    np_picture_options picture;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"traffic", NP_FIELD_TEXT, AT(traffic), .help = "Who sends to whom, or file:PATH (default: random, a permutation)",
     .preset = "random", .placeholder = "SPEC", .list = "traffic", .group = "What is to be routed:"},
    CLI_INSET(arguments, offline, np_offline_options_fields),
    {"output", NP_FIELD_TEXT, AT(output), .help = "Write the hops to FILE, lines 'step packet link'",
     .placeholder = "FILE"},
    {NULL, NP_FIELD_INSET, AT(common.report), .fields = &np_report_options_fields, .group = "What to report:"},
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, record, np_record_options_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
    CLI_INSET(arguments, demands, cli_traffic_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

/* A schedule of a file that is well-formed but refused is a failed check. */
static int make(arguments *a, const np_network *network, const np_traffic *traffic, np_offline **offline)
{
    cli_record record;
    np_status st;
    if (cli_record_begin(&record, &a->common, &a->record, &a->offline.watch, &a->offline.observer))
        return CLI_BAD_INPUT;
    st = traffic ? np_offline_find_traffic(network, traffic, &a->offline, offline)
                 : np_offline_find(network, a->traffic, &a->offline, offline);
    if (cli_record_end(&record, st))
        return a->offline.file && st == NP_ERROR_APPLY ? CLI_CHECK_FAILED : CLI_BAD_INPUT;
    if (a->output && np_offline_save(*offline, a->output))
        return cli_fail_last();
    if (a->output)
        cli_interrupt_keeps("%s is kept", a->output);
    return 0;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    np_offline *offline = NULL;
    if (cli_network_create(&a->file, a->spec, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    cli_traffic traffic;
    int status = cli_traffic_take(&a->demands, network, a->offline.seed, a->common.quiet, &a->traffic, &traffic);
    if (!status)
        status = make(a, network, traffic.packets, &offline);
    if (!status && np_report_offline(offline, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    np_offline_free(offline);
    cli_traffic_clear(&traffic);
    np_network_free(network);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    cli_picture_init(&a->picture, &a->record, "space-time");
}

static const cli_rule rules[] = {
    {"output, queue", "input", NULL, "the schedule of a file is replayed, and none is made"}, {NULL, NULL, NULL, NULL}};

const cli_verb cli_schedule = {
    .name = "schedule",
    .help = "make the off-line schedule of a permutation, or replay and check that of a file",
    .subject = "NETWORK",
    .does =
        "Makes the schedule by which scheme offline routes a permutation (any traffic on complete networks), lists "
        "its hops, and replays them on an engine that allows one packet a link a step and knows nothing of how they "
        "were made (Sibeyn, lecture notes, off-line routing). Schedules are for one network, traffic and seed.",
    .subjects = {{"network", offsetof(arguments, spec), "schedule needs a network, as in 'netpram schedule mesh:8x8'",
                  "networks"}},
    .fields = &fields,
    .rules = rules,
    .outputs = "output, trace, links, nodes, packets, steps, picture",
    .init = init,
    .run = run,
};
