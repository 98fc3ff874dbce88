/* netpram load NETWORK */
#include <math.h>

#include "base/decimal.h"
#include "command.h"
#include "network.h"
#include "record.h"
#include "show/record/record.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    cli_traffic_options demands;
    const char *spec, *traffic, *plot;
    np_load_options load;
    np_record_options record;
    np_picture_options picture;
} arguments;

enum { MOST_CYCLES = 1000000000 }; /* of a trace: ours */

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"traffic", NP_FIELD_TEXT, AT(traffic),
     .help = "Who sends to whom: uniform, each packet to any terminal; adversarial; or any traffic, of which a source "
             "draws one of its packets each time (default: uniform)",
     .preset = "uniform", .placeholder = "SPEC", .list = "traffic"},
    CLI_INSET(arguments, load, np_load_options_fields),
    {"plot", NP_FIELD_TEXT, AT(plot), .help = "Draw latency over load into FILE.svg or FILE.png",
     .placeholder = "FILE"},
    CLI_INSET(arguments, picture, cli_still_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, record, np_record_trace_fields),
    {"trace_cycles", NP_FIELD_U32, AT(load.trace_cycles), "cycles",
     .help = "Trace so many cycles from the first on (default: 1000, or up to the last of --trace-steps)", .low = 1,
     .high = MOST_CYCLES, .placeholder = "N"},
    {"force", NP_FIELD_BOOL, AT(record.force),
     .help = "Write the trace even if it will take more than a quarter of the free disk"},
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
    CLI_INSET(arguments, demands, cli_traffic_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int draw(const arguments *a, const np_load_result *result)
{
    bool drawn;
    if (!a->plot)
        return 0;
    if (np_report_plot_load(result, a->plot, &cli_plotter, &drawn))
        return cli_fail_last();
    if (!drawn)
        cli_say("no gnuplot found: the script and the data of %s are in place", a->plot);
    return 0;
}

/* A point is done. */
static void tell(void *context, const char *paths, const np_load_point *p)
{
    cli_progress *progress = context;
    if (!progress->on)
        return;
    cli_progress_clear(progress);
    if (p->window)
        cli_say("%s, window %u: %s cycles", paths, p->window, NP_REAL(p->latency.mean, 5));
    else
        cli_say("%s, load %s: %s cycles%s", paths, NP_REAL(p->offered, 6),
                isnan(p->latency.mean) ? "no" : NP_REAL(p->latency.mean, 5),
                p->stuck       ? ", stands still"
                : p->saturated ? ", saturated"
                               : "");
}

/* The cycles up to the last step that the trace is to have: a window in the middle of the run is one of its steps. */
static int choose_cycles(arguments *a)
{
    enum { USUAL = 1000 }; /* as np_load_options has it */
    np_ranges steps;
    uint32_t first = UINT32_MAX, last = USUAL;
    if (!a->record.trace || !a->record.trace_steps)
        return 0;
    if (np_ranges_parse(a->record.trace_steps, &steps))
        return cli_fail_last();
    for (size_t i = 0; i < steps.count; i++) {
        first = steps.low[i] < first ? steps.low[i] : first;
        last = steps.high[i] > last ? steps.high[i] : last;
    }
    if (a->load.trace_cycles && first > a->load.trace_cycles)
        return cli_fail("--trace-steps %s: --trace-cycles %u has none of them: leave it out", a->record.trace_steps,
                        a->load.trace_cycles);
    if (last > MOST_CYCLES)
        return cli_fail("--trace-steps %s: at most %d cycles are traced", a->record.trace_steps, MOST_CYCLES);
    if (!a->load.trace_cycles)
        a->load.trace_cycles = last;
    return 0;
}

static int measure(arguments *a, const np_network *network, np_load_result **result)
{
    cli_traffic traffic = {NULL, NULL};
    cli_record record;
    int status = choose_cycles(a);
    a->load.keep_links = a->picture.picture;
    if (status)
        return status;
    status = cli_traffic_take(&a->demands, network, a->load.seed, a->common.quiet, &a->traffic, &traffic);
    if (!status && cli_record_begin(&record, &a->common, &a->record, &a->load.watch, &a->load.observer))
        status = CLI_BAD_INPUT;
    else if (!status) {
        a->load.on_point = tell;
        a->load.context = &record.progress;
        status = cli_record_end(&record, np_load(network, a->traffic, &a->load, result));
    }
    cli_traffic_clear(&traffic);
    return status;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    np_load_result *result = NULL;
    if ((a->plot && np_report_plot_check(a->plot)) || np_report_picture_load(NULL, NULL, &a->picture))
        return cli_fail_last();
    if (cli_network_create(&a->file, a->spec, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    int status = measure(a, network, &result);
    if (!status && (np_report_picture_load(result, a->common.report.command, &a->picture) ||
                    np_report_load(result, &a->common.report, cli_report_stream(a))))
        status = cli_fail_last();
    if (!status)
        status = draw(a, result);
    np_load_free(result);
    np_network_free(network);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    np_record_options_init(&a->record);
    cli_picture_init(&a->picture, NULL, NULL);
}

static const cli_rule rules[] = {
    {"from, to, resolution", "loads", NULL, "these loads alone are measured"},
    {"trace-cycles", NULL, "trace", "nothing is traced"},
    {NULL},
};

const cli_verb cli_load = {
    .name = "load",
    .help = "latency against offered load, and where it saturates",
    .subject = "NETWORK",
    .does = "Creates packets over time at every terminal, and measures their latency at one load after the other, each "
            "with its confidence interval. Prints the curve, and between which loads the network saturates.",
    .subjects = {{"network", offsetof(arguments, spec), "load needs a network, as in 'netpram load mesh:8x8'",
                  "networks"}},
    .fields = &fields,
    .rules = rules,
    .hides = "picture_of",
    .outputs = "links, plot, trace, picture",
    .init = init,
    .run = run,
};
