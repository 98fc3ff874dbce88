/* netpram info NETWORK */
#include "command.h"
#include "network.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    const char *spec;
    np_picture_options picture;
    uint64_t effort;
} arguments;

static const np_field rows[] = {
    {"effort", NP_FIELD_U64, offsetof(arguments, effort), "visits",
     .help = "Measure what takes at most N visits of links; 0: formulas only (default: 100000000, a second or two)",
     .preset = "100000000", .placeholder = "N"},
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, picture, cli_still_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int run(void *self)
{
    const arguments *a = self;
    np_network *network;
    np_network_facts facts;
    cli_progress progress;
    np_watch watch = cli_progress_start(&progress, &a->common);
    if (cli_network_create(&a->file, a->spec, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    np_status st = np_report_picture_network(network, a->common.report.command, &a->picture);
    if (!st)
        st = np_network_measure_watched(network, a->effort, &watch, &facts);
    cli_progress_clear(&progress);
    if (!st)
        st = np_report_network(network, &facts, &a->common.report, cli_report_stream(a));
    np_network_free(network);
    return st ? cli_fail_last() : 0;
}

static void init(void *self)
{
    arguments *a = self;
    cli_picture_init(&a->picture, NULL, NULL);
}

const cli_verb cli_info = {
    .name = "info",
    .help = "the facts of a network: degree, diameter, bisection",
    .subject = "NETWORK",
    .does = "Prints the facts of a network such as ccc:7, formula against measurement "
            "('netpram list networks' names all).",
    .subjects = {{"network", offsetof(arguments, spec), "info needs a network, as in 'netpram info ccc:7'",
                  "networks"}},
    .fields = &fields,
    .hides = "picture_of",
    .outputs = "picture",
    .init = init,
    .run = run,
};
