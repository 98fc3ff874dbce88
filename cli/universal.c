/* netpram universal --guest NETWORK */

#include "command.h"
#include "network.h"
#include "record.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    cli_traffic_options demands;
    const char *guest, *buses;
    bool map;
    np_universal_options universal;
    np_record_options record;
    np_picture_options picture;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"guest", NP_FIELD_TEXT, AT(guest), .help = "A network: in a step each of its links carries a packet",
     .placeholder = "NETWORK", .list = "networks", .group = "What to simulate:"},
    {"buses", NP_FIELD_TEXT, AT(buses),
     .help = "Instead: shared buses, lines 'name: node node ...'; packets to one bus combine where they meet",
     .placeholder = "FILE"},
    CLI_INSET(arguments, universal, np_universal_options_fields),
    {"map", NP_FIELD_BOOL, AT(map), .help = "Also the processor of each node", .group = "What to report:"},
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, record, np_record_options_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
    CLI_INSET(arguments, demands, cli_traffic_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int simulate_on(arguments *a, const np_network *guest, np_universal_result **result)
{
    cli_record record;
    if (cli_record_begin(&record, &a->common, &a->record, &a->universal.watch, &a->universal.observer))
        return CLI_BAD_INPUT;
    np_status st = guest ? np_universal_simulate(guest, &a->universal, result)
                         : np_universal_simulate_buses(a->buses, &a->universal, result);
    return cli_record_end(&record, st);
}

static int simulate(arguments *a, np_universal_result **result)
{
    np_network *guest = NULL;
    cli_traffic traffic = {NULL, NULL};
    int status = a->guest ? cli_network_create(&a->file, a->guest, a->common.quiet, &guest)
                          : cli_file_check(&cli_network_words, &a->file, false, NULL);
    if (!status && guest)
        status =
            cli_traffic_take(&a->demands, guest, a->universal.seed, a->common.quiet, &a->universal.traffic, &traffic);
    else if (!status)
        status =
            cli_file_check(&cli_traffic_words, &a->demands, a->universal.traffic, NULL); /* buses refuse all traffic */
    a->universal.packets = traffic.packets;
    if (!status)
        status = simulate_on(a, guest, result);
    cli_traffic_clear(&traffic);
    np_network_free(guest);
    return status;
}

static int run(void *self)
{
    arguments *a = self;
    np_universal_result *result;
    if (!a->guest && !a->buses)
        return cli_fail("universal needs a guest, as in: netpram universal --guest mesh:32x32");
    if (!a->guest && (a->file.fail || a->file.fail_switches))
        return cli_fail("--fail and --fail-switches are for a --guest: buses have no links");
    if (a->guest && a->buses)
        return cli_fail("--buses %s: the guest is %s already", a->buses, a->guest);
    if (a->universal.paths && !a->universal.traffic)
        return cli_fail("--paths %s: for a routing on the guest: give --traffic, too", a->universal.paths);
    if (a->universal.layout && a->universal.partition)
        return cli_fail("--partition: the guest is divided by its layout %s", a->universal.layout);
    int status = simulate(a, &result);
    if (status)
        return status;
    if (np_report_picture_layout(result, a->common.report.command, &a->picture))
        status = cli_fail_last();
    else if (np_report_universal(result, a->map, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    np_universal_result_free(result);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    cli_picture_init(&a->picture, &a->record, "layout");
}

const cli_verb cli_universal = {
    .name = "universal",
    .help = "simulate a network on an area-universal one: its load, the slowdown",
    .subject = "--guest NETWORK",
    .does = "Maps a network, the guest, to an area-universal one of equal area and simulates steps of it "
            "(Leighton, Maggs, Ranade & Rao 1994, sections 7 and 11): the load factor, the steps of the simulation to "
            "one of the guest, and these against log2 N.",
    .subjects = {{"guest", offsetof(arguments, guest), NULL}},
    .fields = &fields,
    .outputs = "trace, links, nodes, packets, steps-table, picture",
    .init = init,
    .run = run,
};
