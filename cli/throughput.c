/* netpram throughput NETWORK */
#include "command.h"
#include "network.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    cli_traffic_options demands;
    const char *spec, *traffic, *worst_out;
    bool worst;
    np_throughput_options throughput;
    np_worst_options permutation;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"traffic", NP_FIELD_TEXT, AT(traffic), .help = "Who sends to whom, or file:PATH (default: all-to-all)",
     .preset = "all-to-all", .placeholder = "SPEC", .list = "traffic"},
    CLI_INSET(arguments, throughput, np_throughput_options_fields),
    {"worst", NP_FIELD_BOOL, AT(worst),
     .help = "Find the permutation for which --paths load some link most, and the factor that they guarantee"},
    {"worst_out", NP_FIELD_TEXT, AT(worst_out), .help = "Write that permutation to FILE, for route --traffic file:FILE",
     .placeholder = "FILE"},
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
    CLI_INSET(arguments, demands, cli_traffic_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

/* The traffic of the command line: read already, if it is a file. */
static int take_traffic(arguments *a, const np_network *network, cli_traffic *traffic)
{
    int status = cli_traffic_take(&a->demands, network, a->throughput.seed, a->common.quiet, &a->traffic, traffic);
    if (status || traffic->packets)
        return status;
    return np_traffic_create(a->traffic, network, a->throughput.seed, 0, &traffic->packets) ? cli_fail_last() : 0;
}

static int find(arguments *a, const np_network *network, np_throughput **throughput)
{
    cli_traffic traffic = {NULL, NULL};
    cli_progress progress;
    int status = take_traffic(a, network, &traffic);
    if (!status) {
        a->throughput.watch = cli_progress_start(&progress, &a->common);
        status = cli_progress_end(&progress, np_throughput_find(network, traffic.packets, &a->throughput, throughput));
    }
    cli_traffic_clear(&traffic);
    return status;
}

/* ---- The worst permutation ---- */

static int find_worst(arguments *a, const np_network *network, np_worst **worst)
{
    cli_progress progress;
    a->permutation.paths = a->throughput.paths;
    a->permutation.memory_limit = a->throughput.memory_limit;
    a->permutation.watch = cli_progress_start(&progress, &a->common);
    int status = cli_progress_end(&progress, np_worst_find(network, &a->permutation, worst));
    if (status || !a->worst_out)
        return status;
    if (np_worst_save(*worst, a->worst_out))
        return cli_fail_last();
    cli_interrupt_keeps("%s is kept", a->worst_out);
    return 0;
}

static int run_worst(arguments *a, const np_network *network)
{
    np_worst *worst = NULL;
    int status = find_worst(a, network, &worst);
    if (!status && np_report_worst(worst, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    np_worst_free(worst);
    return status;
}

/* ---- The optimum ---- */

static int run_optimum(arguments *a, const np_network *network)
{
    np_throughput *throughput = NULL;
    int status = find(a, network, &throughput);
    if (!status && np_report_throughput(throughput, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    bool late = !status && throughput->written.file && !throughput->written.paths;
    if (!status && throughput->moves && (!throughput->reached || late))
        status = CLI_CHECK_FAILED;
    np_throughput_free(throughput);
    return status;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    if (cli_network_create(&a->file, a->spec, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    int status = a->worst ? run_worst(a, network) : run_optimum(a, network);
    np_network_free(network);
    return status;
}

static void init(void *self) { np_worst_options_init(&((arguments *)self)->permutation); }

static bool draws(const void *self) { return !((const arguments *)self)->worst; }

static const cli_rule rules[] = {
    {"worst", NULL, "paths", "the worst permutation is that of a path rule"},
    {"worst-out", NULL, "worst", "no permutation is looked for"},
    {"traffic, gap, time-limit, iterations, seed, certificate, paths-out, packet, scale, times, traffic-format",
     "worst", NULL, "it finds the traffic itself, exactly"},
    {"split", "worst", NULL, "shortest split at every hop is spray: say --paths spray"},
    {"threads", "worst", NULL, "its search has one thread"},
    {NULL},
};

const cli_verb cli_throughput = {
    .name = "throughput",
    .help = "how much of a traffic the best routing of all can carry, with proof",
    .subject = "NETWORK",
    .does =
        "Finds the largest factor by which all demands of a traffic can be routed at once, in fractions: the maximum "
        "concurrent flow. Prints two numbers between which it lies; a flow proves the one, lengths of links the "
        "other. Exit status 1 if the gap between them is larger than asked for.",
    .subjects = {{"network", offsetof(arguments, spec),
                  "throughput needs a network, as in 'netpram throughput torus:8x8'", "networks"}},
    .fields = &fields,
    .rules = rules,
    .init = init,
    .draws = draws,
    .outputs = "certificate, worst-out, paths-out",
    .run = run,
};
