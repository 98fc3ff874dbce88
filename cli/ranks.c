/* netpram ranks NETWORK */

#include "command.h"
#include "network.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    cli_traffic_options demands;
    const char *spec, *traffic, *output;
    np_ranking_options ranking;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"traffic", NP_FIELD_TEXT, AT(traffic), .help = "Who sends to whom, or file:PATH (default: random, a permutation)",
     .preset = "random", .placeholder = "SPEC", .list = "traffic", .group = "What is to be routed:"},
    CLI_INSET(arguments, ranking, np_ranking_options_fields),
    {"output", NP_FIELD_TEXT, AT(output), .help = "Write the ranks to FILE, for route --ranks file:FILE",
     .placeholder = "FILE"},
    {NULL, NP_FIELD_INSET, AT(common.report), .fields = &np_report_options_fields, .group = "What to report:"},
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
    CLI_INSET(arguments, demands, cli_traffic_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int find(arguments *a, const np_network *network, const np_traffic *traffic, np_ranking **ranking)
{
    cli_progress progress;
    np_status st;
    a->ranking.watch = cli_progress_start(&progress, &a->common);
    st = traffic ? np_ranking_find_traffic(network, traffic, &a->ranking, ranking)
                 : np_ranking_find(network, a->traffic, &a->ranking, ranking);
    cli_progress_clear(&progress);
    if (!st && a->output && !(st = np_ranking_save(*ranking, a->output)))
        cli_interrupt_keeps("%s is kept", a->output);
    return st ? cli_fail_last() : 0;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    np_ranking *ranking = NULL;
    if (cli_network_create(&a->file, a->spec, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    cli_traffic traffic;
    int status = cli_traffic_take(&a->demands, network, a->ranking.seed, a->common.quiet, &a->traffic, &traffic);
    if (!status)
        status = find(a, network, traffic.packets, &ranking);
    if (!status && np_report_ranking(ranking, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    if (!status && !ranking->kept)
        status = CLI_CHECK_FAILED;
    np_ranking_free(ranking);
    cli_traffic_clear(&traffic);
    np_network_free(network);
    return status;
}

static const cli_rule rules[] = {
    {"output, rounds", "input", NULL, "the ranks of a file are checked, and none are found"}, {NULL, NULL, NULL, NULL}};

const cli_verb cli_ranks = {
    .name = "ranks",
    .help = "find ranks for a routing that will be repeated, or check those of a file",
    .subject = "NETWORK",
    .does =
        "Finds ranks for a routing by scheme ranked, once and without chance, with a promise of how many steps it "
        "will take (Leighton, Maggs, Ranade & Rao 1994, section 11); for small instances. Ranks are for one network, "
        "traffic and seed: those of run 0.",
    .subjects = {{"network", offsetof(arguments, spec), "ranks needs a network, as in 'netpram ranks butterfly-io:4'",
                  "networks"}},
    .fields = &fields,
    .rules = rules,
    .outputs = "output",
    .hides = "contrast",
    .run = run,
};
