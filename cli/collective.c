/* netpram collective NETWORK OPERATION */
#include <inttypes.h>

#include "work/collective/collective.h"
#include "command.h"
#include "network.h"
#include "record.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    cli_traffic_options demands;
    const char *network, *operation, *plot, *regions;
    np_collective_options collective;
    np_report_collective_options more;
    np_record_options record;
    np_picture_options picture;
    bool best;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    CLI_INSET(arguments, collective, np_collective_options_fields),
    {"best", NP_FIELD_BOOL, AT(best), .help = "Compare the algorithms and do it by the cheapest"},
    CLI_INSET(arguments, more, np_report_collective_options_fields),
    {"plot", NP_FIELD_TEXT, AT(plot), .help = "With --best: draw the costs over l into FILE.svg or FILE.png",
     .placeholder = "FILE"},
    {"regions", NP_FIELD_TEXT, AT(regions), .help = "With --best: draw who wins for which l and c_a, likewise",
     .placeholder = "FILE"},
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, record, np_record_options_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
    CLI_INSET(arguments, demands, cli_traffic_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

typedef np_status plotter(const np_network *network, const char *operation, const np_report_collective_options *more,
                          const char *image, const np_report_plotter *plotter, bool *drawn);

static int plot(const arguments *a, const np_network *network, const np_report_collective_options *more,
                const char *image, plotter *draw)
{
    bool drawn;
    if (!image)
        return 0;
    if (draw(network, a->operation, more, image, &cli_plotter, &drawn))
        return cli_fail_last();
    if (!drawn)
        cli_say("no gnuplot found: the script and the data of %s are in place", image);
    return 0;
}

/* Does the operation, with all files in place before anything is reported. */
static int play(arguments *a, const np_network *network, np_collective_result **result)
{
    np_collective_options *o = &a->collective;
    cli_record record;
    if (cli_record_begin(&record, &a->common, &a->record, &o->watch, &o->observer))
        return CLI_BAD_INPUT;
    o->record = a->more.show;
    return cli_record_end(&record, np_collective(network, a->operation, o, result));
}

static int do_it(arguments *a, const np_network *network)
{
    np_collective_options *o = &a->collective;
    np_collective_result *result = NULL;
    if (a->more.show && a->common.report.format == NP_REPORT_TABLE &&
        np_report_collective_drawable(network, a->operation, o)) /* asks before the best number of flits is known */
        return cli_fail_last();
    int status = play(a, network, &result);
    if (!status)
        status = plot(a, network, &a->more, a->plot, np_report_plot_collective);
    if (!status)
        status = plot(a, network, &a->more, a->regions, np_report_plot_collective_regions);
    if (!status && np_report_collective(network, result, &a->more, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    np_collective_result_free(result);
    return status;
}

/* Is a number of flits heeded by one of the algorithms that are compared? When they are timed each has its fewest. */
static int check_flits(const arguments *a, const np_collective_candidate *candidate)
{
    bool heeded = a->collective.flits <= 1; /* one is what all do without flits */
    if (a->more.models && candidate->time > 0 && !heeded)
        return cli_fail("--flits is not heeded beside --best and --model %s: name the --algorithm",
                        a->collective.model);
    for (size_t i = 0; i < a->more.models && !heeded; i++)
        heeded = candidate[i].flits;
    return heeded ? 0
                  : cli_fail("--flits is not heeded: no algorithm for %s sends %" PRIu64 " flits here", a->operation,
                             a->collective.flits);
}

/* Keeps the models of algorithms that send so many flits, 0: any number, and of those that send none. Their count. */
static size_t keep_models(uint64_t flits, size_t count, np_collective_model *model)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!model[i].flits_unit || flits % model[i].flits_unit == 0)
            model[kept++] = model[i];
    return kept;
}

/* Runs the cheapest algorithm, with its best number of flits. */
static int do_best(arguments *a, const np_network *network)
{
    np_collective_model model[NP_COLLECTIVE_MODELS];
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    np_collective_options asked = a->collective;
    a->more.model = model;
    a->more.collective = &asked;
    if (np_collective_models(network, a->operation, &a->collective, model, &a->more.models))
        return cli_fail_last();
    a->more.models = keep_models(a->collective.flits, a->more.models, model);
    np_collective_compare(a->more.models, model, &a->collective, candidate);
    if (check_flits(a, candidate))
        return CLI_BAD_INPUT;
    if (candidate->time > 0 && (a->plot || a->regions))
        return cli_fail("--%s draws costs by formula: leave --model %s out", a->plot ? "plot" : "regions",
                        a->collective.model);
    a->collective.algorithm = candidate[0].algorithm;
    a->collective.flits = candidate[0].time > 0 ? 0 : candidate[0].flits;
    return do_it(a, network);
}

static int check(const arguments *a)
{
    if (!a->operation)
        return cli_fail("collective needs an operation, as in: netpram collective %s all-to-all", a->network);
    const cli_option *o = cli_unheeded(a, &np_collective_options_fields, a->operation, np_collective_heeds);
    if (o)
        return cli_fail("--%s %s", o->name, np_last_error());
    if (a->collective.traffic && cli_given(a, "k"))
        return cli_fail("--k and --traffic: what k-k sends is said by one of them");
    if ((a->plot && np_report_plot_check(a->plot)) || (a->regions && np_report_plot_check(a->regions)))
        return cli_fail_last();
    if (a->more.show && a->common.report.format == NP_REPORT_CSV)
        return cli_fail("--show has no place in format 'csv': print as 'table' or 'json'");
    return 0;
}

static int take_traffic(arguments *a, const np_network *network, cli_traffic *out)
{
    *out = (cli_traffic){NULL, NULL};
    return cli_traffic_take(&a->demands, network, a->collective.seed, a->common.quiet, &a->collective.traffic, out);
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    int status = check(a);
    if (status)
        return status;
    if (cli_network_create(&a->file, a->network, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    cli_traffic traffic;
    status = take_traffic(a, network, &traffic);
    a->collective.packets = traffic.packets;
    if (!status)
        status = a->best ? do_best(a, network) : do_it(a, network);
    cli_traffic_clear(&traffic);
    np_network_free(network);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    cli_picture_init(&a->picture, &a->record, "rounds");
}

static const cli_rule rules[] = {{"plot, regions", NULL, "best", "it draws what --best compares"},
                                 {"algorithm", "best", NULL, "the algorithm is chosen"},
                                 {NULL, NULL, NULL, NULL}};

const cli_verb cli_collective = {
    .name = "collective",
    .help = "do all-to-all, all-reduce, broadcast, gossip and other collective operations on a network, checked round "
            "by round",
    .subject = "NETWORK OPERATION",
    .does = "Does permutation, all-to-all, k-k, broadcast, reduce, gather or gossip (all-gather) on a network by an "
            "algorithm of the literature (Sibeyn), round by round; or, among the hosts of any network, all-reduce, "
            "reduce-scatter, scatter, scan, barrier, and these; checks every round; and reports rounds, steps and cost "
            "beside formula and bound.",
    .subjects = {{"network", offsetof(arguments, network),
                  "collective needs a network, as in: netpram collective mesh:3x3 gossip", "networks"},
                 {"operation", offsetof(arguments, operation), NULL}},
    .fields = &fields,
    .rules = rules,
    .outputs = "goal, trace, links, nodes, packets, steps, plot, regions, picture",
    .init = init,
    .run = run,
};
