/* netpram defeat NETWORK */
#include "command.h"
#include "network.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    const char *spec, *output;
    np_defeat_options defeat;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    CLI_INSET(arguments, defeat, np_defeat_options_fields),
    {"output", NP_FIELD_TEXT, AT(output), .help = "Write the permutation to FILE, for route --traffic file:FILE",
     .placeholder = "FILE"},
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int find(arguments *a, const np_network *network, np_defeat **defeat)
{
    cli_progress progress;
    a->defeat.watch = cli_progress_start(&progress, &a->common);
    int status = cli_progress_end(&progress, np_defeat_find(network, &a->defeat, defeat));
    if (status || !a->output)
        return status;
    if (np_defeat_save(*defeat, a->output))
        return cli_fail_last();
    cli_interrupt_keeps("%s is kept", a->output);
    return 0;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    np_defeat *defeat = NULL;
    if (cli_network_create(&a->file, a->spec, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    int status = find(a, network, &defeat);
    if (!status && np_report_defeat(defeat, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    np_defeat_free(defeat);
    np_network_free(network);
    return status;
}

const cli_verb cli_defeat = {
    .name = "defeat",
    .help = "construct the permutation that defeats a path rule, and route it",
    .subject = "NETWORK",
    .does =
        "Constructs a permutation for which an oblivious deterministic path rule is slow: as many packets as possible "
        "cross one link (Borodin & Hopcroft 1985; Kaklamanis, Krizanc & Tsantilas 1990). Routes it by the rule, and by "
        "two-phase routing over the same paths, which no permutation defeats.",
    .subjects = {{"network", offsetof(arguments, spec), "defeat needs a network, as in 'netpram defeat hypercube:12'",
                  "networks"}},
    .fields = &fields,
    .outputs = "output",
    .run = run,
};
