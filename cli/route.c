/* netpram route NETWORK */
#include <string.h>

#include "base/registry.h"
#include "command.h"
#include "job.h"
#include "network.h"
#include "record.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    cli_traffic_options demands;
    const char *spec, *traffic, *plot;
    np_route_options route;
    np_record_options record;
    np_picture_options picture;
    bool bound, explain;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"traffic", NP_FIELD_TEXT, AT(traffic), .help = "Who sends to whom, or file:PATH (default: random, a permutation)",
     .preset = "random", .placeholder = "SPEC", .list = "traffic", .group = "What to route and how:"},
    {NULL, NP_FIELD_INSET, AT(common.report), .fields = &np_report_options_fields, .group = "What to report:"},
    {"bound", NP_FIELD_BOOL, AT(bound), .help = "Print the theorem's bound beside the measurement"},
    NP_PAPERS({"explain", NP_FIELD_BOOL, AT(explain),
               .help = "Say why the slowest run took so long, and check it against the lemmas"}, ){
        "plot", NP_FIELD_TEXT, AT(plot),
        .help = "Draw the histogram of delays into FILE, an .svg or .png, with gnuplot", .placeholder = "FILE",
        .set = cli_plot_set, .flags = NP_FIELD_SAYS},
    CLI_INSET(arguments, record, np_record_options_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
    {NULL, NP_FIELD_INSET, 0, .fields = &cli_progress_fields, .group = "How to run:"},
    CLI_INSET(arguments, route, np_route_options_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_switches_fields),
    CLI_INSET(arguments, demands, cli_traffic_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int plot(const arguments *a, const np_route_result *result)
{
    bool drawn;
    if (np_report_plot_delays(result, a->plot, &cli_plotter, &drawn))
        return cli_fail_last();
    cli_plotter_tell(a->plot, drawn, a->common.quiet);
    return 0;
}

/* The report, and the explanation if it is wanted. */
static int print(const arguments *a, const np_network *network, const np_route_result *result)
{
    FILE *stream = cli_report_stream(a);
    bool holds = true;
    (void)network;
    np_status st = NP_OK;
    if (!a->explain)
        st = np_report_route(result, &a->common.report, stream);
    NP_PAPERS(else st = np_report_explain(network, a->traffic, &a->route, result, &a->common.report, stream, &holds);)
    if (st)
        return cli_fail_last();
    return holds ? 0 : CLI_CHECK_FAILED;
}

/* Of many processes: what only one can say. */
static np_status refuse_divided(const char *scheme, const char *option)
{
    (void)scheme, (void)option;
    return NP_RAISE(NP_ERROR_APPLY, "no process sees all packets of a divided run: leave it out, or start one process");
}

static int check_divided(const arguments *a)
{
    const cli_option *told = cli_unheeded(a, &np_record_options_fields, "", refuse_divided);
    if (!told)
        told = cli_unheeded(a, &np_picture_options_fields, "", refuse_divided);
    if (told)
        return cli_fail("--%s: %s", told->name, np_last_error());
    return a->explain ? cli_fail("--explain: %s", (refuse_divided("", ""), np_last_error())) : 0;
}

/* Does the scheme heed what is said of merging, and can it explain? np_route reports an unknown scheme. */
static int check(const arguments *a, const np_network *network)
{
    const char *scheme = np_route_scheme(&a->route, network);
    const cli_option *unheeded = cli_unheeded(a, &np_merge_options_fields, scheme, np_scheme_heeds);
    if (unheeded)
        return cli_fail("--%s: %s", unheeded->name, np_last_error());
    if (a->route.job && check_divided(a))
        return CLI_BAD_INPUT;
    if (!a->explain)
        return 0;
    if (a->common.report.format == NP_REPORT_CSV)
        return cli_fail("--explain does not fit into CSV: --format table or json");
    if (np_scheme_heeds(scheme, "explain") == NP_ERROR_APPLY)
        return cli_fail("--explain: %s", np_last_error());
    return 0;
}

static int report(arguments *a, const np_network *network, const np_route_result *result)
{
    np_report_bound *bounds = NULL;
    if (a->bound && np_report_bounds(network, result, &bounds, &a->common.report.bounds))
        return cli_fail_last();
    a->common.report.bound = bounds;
    int status = print(a, network, result);
    np_report_bounds_free(bounds);
    return a->plot && !status ? plot(a, result) : status;
}

/* Routes, with all files in place before anything is reported. */
static int route(arguments *a, const np_network *network, const np_traffic *traffic, np_route_result **result)
{
    cli_record record;
    if (cli_record_begin(&record, &a->common, &a->record, &a->route.watch, &a->route.observer))
        return CLI_BAD_INPUT;
    np_status st = traffic ? np_route_traffic(network, traffic, &a->route, result)
                           : np_route(network, a->traffic, &a->route, result);
    int status = cli_record_end(&record, st);
    return st == NP_ERROR_DEADLOCK ? CLI_CHECK_FAILED : status;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network = NULL;
    np_route_result *result = NULL;
    cli_traffic traffic = {NULL, NULL};
    a->route.job = cli_job_size() > 1 ? cli_job_mpi() : NULL;
    int status = cli_network_create(&a->file, a->spec, a->common.quiet, &network);
    if (!status)
        status = check(a, network);
    if (!status)
        status = cli_traffic_take(&a->demands, network, a->route.seed, a->common.quiet, &a->traffic, &traffic);
    status = cli_job_agree(status);
    if (!status)
        status = route(a, network, traffic.packets, &result);
    if (!status && !cli_job_rank())
        status = report(a, network, result);
    np_route_result_free(result);
    cli_traffic_clear(&traffic);
    np_network_free(network);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    cli_picture_init(&a->picture, &a->record, "loads");
}

static const cli_rule rules[] = {{"messages", NULL, "message-length", "messages of one packet all move alike"},
                                 {NULL, NULL, NULL, NULL}};

const cli_verb cli_route = {
    .name = "route",
    .help = "route traffic on a network and report steps, delays, queues and populations",
    .subject = "NETWORK",
    .does = "Routes traffic on a network such as hypercube:10 and reports, for each phase, "
            "the steps, delays, queues, populations and congestion ('netpram list' names "
            "all there is).",
    .subjects = {{"network", offsetof(arguments, spec), "route needs a network, as in 'netpram route hypercube:10'",
                  "networks"}},
    .fields = &fields,
    .rules = rules,
    .job = CLI_JOB_DIVIDED,
    .outputs = "trace, links, nodes, packets, steps, plot, picture",
    .init = init,
    .run = run,
};
