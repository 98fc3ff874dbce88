/* netpram check NETWORK */
#include "command.h"
#include "network.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    const char *spec, *scheme, *paths;
    np_check_options check;
    uint32_t channels;
    np_picture_options picture;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"scheme", NP_FIELD_TEXT, AT(scheme), .help = "The scheme (default: the first made for the network)",
     .placeholder = "NAME", .list = "schemes"},
    {"paths", NP_FIELD_TEXT, AT(paths),
     .help = "The path rule (default: the scheme's own); alone it means --scheme greedy", .placeholder = "NAME",
     .list = "paths"},
    {"channels", NP_FIELD_U32, AT(channels),
     .help = "May the routes of --paths deadlock, with V virtual channels a link? Their list is 'relations'", .low = 1,
     .high = 255, .placeholder = "V"},
    CLI_INSET(arguments, check, np_check_options_fields),
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, picture, cli_still_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int run_deadlock(arguments *a, const np_network *network)
{
    np_deadlock_options options;
    np_deadlock *deadlock = NULL;
    cli_progress progress;
    np_deadlock_options_init(&options);
    options.paths = a->paths;
    options.channels = a->channels;
    options.watch = cli_progress_start(&progress, &a->common);
    int status = cli_progress_end(&progress, np_deadlock_find(network, &options, &deadlock));
    if (!status && (np_report_picture_deadlock(deadlock, a->common.report.command, &a->picture) ||
                    np_report_deadlock(deadlock, &a->common.report, cli_report_stream(a))))
        status = cli_fail_last();
    if (!status && deadlock->possible)
        status = CLI_CHECK_FAILED;
    np_deadlock_free(deadlock);
    return status;
}

static int run_properties(arguments *a, const np_network *network)
{
    np_check_scheme_result *result = NULL;
    cli_progress progress;
    a->check.watch = cli_progress_start(&progress, &a->common);
    int status = cli_progress_end(&progress, np_check_scheme(network, a->scheme, a->paths, &a->check, &result));
    if (!status && np_report_check(result, &a->common.report, stdout))
        status = cli_fail_last();
    if (!status && result->fails)
        status = CLI_CHECK_FAILED;
    np_check_scheme_result_free(result);
    return status;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    if (cli_network_create(&a->file, a->spec, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    int status = a->channels ? run_deadlock(a, network) : run_properties(a, network);
    np_network_free(network);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    cli_picture_init(&a->picture, NULL, NULL);
}

static bool draws(const void *self) { return !((const arguments *)self)->channels; }

static const cli_rule rules[] = {
    {"picture, drawing", NULL, "channels", "only a cycle of channels is drawn"},
    {"scheme, seed, runs, samples, effort", "channels", NULL, "all packets are looked at, of all routes of --paths"},
    {NULL},
};

const cli_verb cli_check = {
    .name = "check",
    .help = "is each phase of a scheme oblivious, nonrepeating and symmetric? may routes deadlock?",
    .subject = "NETWORK",
    .does =
        "Checks whether each phase of a scheme is oblivious, nonrepeating and symmetric, which is what the bounds on "
        "the delay need (Valiant & Brebner 1981, section 2), and prints the expected traffic of a link. Exit status "
        "1 if a property does not hold. With --channels: may packets wait for each other for ever, where links have "
        "virtual channels? Exit status 1 if so, with channels that wait in a cycle.",
    .subjects = {{"network", offsetof(arguments, spec), "check needs a network, as in 'netpram check hypercube:10'",
                  "networks"}},
    .fields = &fields,
    .rules = rules,
    .draws = draws,
    .hides = "error_rate, picture_of",
    .outputs = "picture",
    .init = init,
    .run = run,
};
