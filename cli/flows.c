/* netpram flows NETWORK */
#include "command.h"
#include "network.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    const char *spec, *traffic, *jobs, *plot;
    np_flows_options flows;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"traffic", NP_FIELD_TEXT, AT(traffic),
     .help = "file:PATH, a list of flows with columns source, destination, size and start; or who sends to whom: each "
             "packet is a flow (default: random, a permutation)",
     .preset = "random", .placeholder = "SPEC", .list = "traffic", .group = "Which flows there are:"},
    {"jobs", NP_FIELD_TEXT, AT(jobs),
     .help = "Jobs that share the network instead, from a JSON file: collective operations, each on its hosts",
     .placeholder = "FILE"},
    CLI_INSET(arguments, flows, np_flows_options_fields),
    {"plot", NP_FIELD_TEXT, AT(plot),
     .help = "Draw what all flows together, or each job, send over time into FILE, an .svg or .png, with gnuplot",
     .placeholder = "FILE", .set = cli_plot_set, .flags = NP_FIELD_SAYS},
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int tell_plot(const arguments *a, np_status st, bool drawn)
{
    if (st)
        return cli_fail_last();
    cli_plotter_tell(a->plot, drawn, a->common.quiet);
    return 0;
}

static int play_flows(arguments *a, const np_network *network)
{
    cli_progress progress;
    np_flows_result *result = NULL;
    bool drawn;
    a->flows.record_rates = a->plot;
    a->flows.watch = cli_progress_start(&progress, &a->common);
    int status = cli_progress_end(&progress, np_flows(network, a->traffic, &a->flows, &result));
    if (!status && np_report_flows(result, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    if (!status && a->plot) {
        np_status st = np_report_plot_flows(result, a->plot, &cli_plotter, &drawn);
        status = tell_plot(a, st, drawn);
    }
    np_flows_free(result);
    return status;
}

static int play_jobs(arguments *a, const np_network *network)
{
    cli_progress progress;
    np_jobs_file *file = NULL;
    np_jobs_result *result = NULL;
    bool drawn;
    a->flows.record_rates = a->plot;
    if (np_jobs_file_read(a->jobs, network, a->flows.link_rate, &file))
        return cli_fail_last();
    a->flows.watch = cli_progress_start(&progress, &a->common);
    int status = cli_progress_end(&progress, np_jobs_play(network, file->count, file->job, &a->flows, &result));
    if (!status && np_report_jobs(result, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    if (!status && a->plot) {
        np_status st = np_report_plot_jobs(result, a->plot, &cli_plotter, &drawn);
        status = tell_plot(a, st, drawn);
    }
    np_jobs_free(result);
    np_jobs_file_free(file);
    return status;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    if (cli_network_create(&a->file, a->spec, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    int status = (a->jobs ? play_jobs : play_flows)(a, network);
    np_network_free(network);
    return status;
}

static const cli_rule rules[] = {
    {"arrivals", NULL, "load", "it says how many flows arrive at random"},
    {"paths", "split", NULL, "flows are divided over all shortest paths"},
    {"traffic, size, sizes, load, split, flows, links", "jobs", NULL, "jobs send what their operations do"},
    {"sizes", "size", NULL, "flows have one size, or sizes by a file"},
    {NULL, NULL, NULL, NULL}};

const cli_verb cli_flows = {
    .name = "flows",
    .help = "how long flows take that share links fairly",
    .subject = "NETWORK",
    .does = "Plays flows from node to node, each with a size, a start and one path. At every moment their rates are "
            "max-min "
            "fair: no rate can grow without that of a flow shrinking which is no faster. Prints when the last flow "
            "ends, and "
            "how long flows take.",
    .subjects = {{"network", offsetof(arguments, spec), "flows needs a network, as in 'netpram flows torus:8x8'",
                  "networks"}},
    .fields = &fields,
    .rules = rules,
    .outputs = "flows, links, plot",
    .run = run,
};
