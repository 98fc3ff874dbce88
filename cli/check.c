/* netpram check NETWORK */
#include "command.h"
#include "network.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    const char *spec, *scheme, *paths;
    np_check_options check;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"scheme", NP_FIELD_TEXT, AT(scheme), .help = "The scheme (default: the first made for the network)",
     .placeholder = "NAME", .list = "schemes"},
    {"paths", NP_FIELD_TEXT, AT(paths),
     .help = "The path rule (default: the scheme's own); alone it means --scheme greedy", .placeholder = "NAME",
     .list = "paths"},
    CLI_INSET(arguments, check, np_check_options_fields),
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    np_check_scheme_result *result = NULL;
    cli_progress progress;
    if (cli_network_create(&a->file, a->spec, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    a->check.watch = cli_progress_start(&progress, &a->common);
    int status = cli_progress_end(&progress, np_check_scheme(network, a->scheme, a->paths, &a->check, &result));
    if (!status && np_report_check(result, &a->common.report, stdout))
        status = cli_fail_last();
    if (!status && result->fails)
        status = CLI_CHECK_FAILED;
    np_check_scheme_result_free(result);
    np_network_free(network);
    return status;
}

const cli_verb cli_check = {
    .name = "check",
    .help = "is each phase of a scheme oblivious, nonrepeating and symmetric?",
    .subject = "NETWORK",
    .does =
        "Checks whether each phase of a scheme is oblivious, nonrepeating and symmetric, which is what the bounds on "
        "the delay need (Valiant & Brebner 1981, section 2), and prints the expected traffic of a link. Exit status "
        "1 if a property does not hold.",
    .subjects = {{"network", offsetof(arguments, spec), "check needs a network, as in 'netpram check hypercube:10'",
                  "networks"}},
    .fields = &fields,
    .hides = "error_rate",
    .run = run,
};
