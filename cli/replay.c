/* netpram replay NETWORK FILE */
#include "command.h"
#include "network.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    const char *network, *schedule;
    np_replay_options replay;
} arguments;

static const np_field rows[] = {
    CLI_INSET(arguments, replay, np_replay_options_fields),
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
    np_replay_result *result = NULL;
    cli_progress progress;
    if (cli_network_create(&a->file, a->network, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    a->replay.watch = cli_progress_start(&progress, &a->common);
    int status = cli_progress_end(&progress, np_replay(network, a->schedule, &a->replay, &result));
    if (!status && np_report_replay(result, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    np_replay_result_free(result);
    np_network_free(network);
    return status;
}

const cli_verb cli_replay = {
    .name = "replay",
    .help = "how long a schedule of messages takes, from a GOAL file",
    .subject = "NETWORK FILE",
    .does = "Replays a GOAL file, the sends, receives and calculations of ranks and what waits for what: by LogGOPS, "
            "which knows only what a message costs, or on the network, whose hosts are the ranks.",
    .subjects = {{"network", offsetof(arguments, network),
                  "replay needs a network, as in: netpram replay xgft:2:4,4:1,2 ring.goal", "networks"},
                 {"file", offsetof(arguments, schedule),
                  "replay needs a schedule, as in: netpram replay xgft:2:4,4:1,2 ring.goal"}},
    .fields = &fields,
    .run = run,
};
