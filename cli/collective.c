/* netpram collective NETWORK OPERATION */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "progress.h"

enum {
    KEY_ALGORITHM = 256,
    KEY_PORTS,
    KEY_ROOT,
    KEY_K,
    KEY_TRAFFIC,
    KEY_SEED,
    KEY_ROUNDS,
    KEY_SIZE,
    KEY_FLITS,
    KEY_CV,
    KEY_CA,
    KEY_BEST,
    KEY_PLOT,
    KEY_REGIONS,
    KEY_SHOW,
    KEY_FORMAT,
    KEY_PROGRESS,
    KEY_QUIET
};

typedef struct arguments {
    const char *network, *operation, *plot, *regions;
    np_collective_options collective;
    np_report_options report;
    bool best, show, seed_given, progress, quiet;
} arguments;

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What is sent:", 1},
    {"root", KEY_ROOT, "NODE", 0, "Of broadcast, reduce and gather (default: 0)", 1},
    {"k", KEY_K, "K", 0, "Packets that each node sends and receives in k-k (default: 4)", 1},
    {"traffic", KEY_TRAFFIC, "SPEC", 0, "Of permutation and k-k (default: random, h-relation:K)", 1},
    {"seed", KEY_SEED, "N", 0, "Where all random choices come from (default: 1)", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"algorithm", KEY_ALGORITHM, "NAME", 0,
     "As 'netpram list collectives' has them (default: the first there that does it on the network)", 2},
    {"ports", KEY_PORTS, "full-port|one-port|uni-axial|telephone", 0,
     "What a node may do in a round (default: what the algorithm needs)", 2},
    {"flits", KEY_FLITS, "F", 0, "Broadcast or reduce in F parts of l/F data (default: 1; the best number with --best)",
     2},
    {"rounds", KEY_ROUNDS, "N", 0, "Of algorithm search: the fewest steps in at most N rounds (default: in the fewest)",
     2},
    {NULL, 0, NULL, 0, "What it costs, c_v l steps + c_a rounds:", 3},
    {"size", KEY_SIZE, "L", 0, "Data in a packet, l, or in all that is broadcast or reduced (default: 1)", 3},
    {"cv", KEY_CV, "X", 0, "c_v, for each datum (default: 1)", 3},
    {"ca", KEY_CA, "X", 0, "c_a, for each round (default: 0)", 3},
    {"best", KEY_BEST, NULL, 0, "Compare the algorithms and do it by the cheapest", 3},
    {NULL, 0, NULL, 0, "What to report:", 4},
    {"show", KEY_SHOW, NULL, 0, "Draw the schedule of broadcast, gather or gossip; JSON lists that of any operation",
     4},
    {"plot", KEY_PLOT, "FILE", 0, "With --best: draw the costs over l into FILE.svg or FILE.png", 4},
    {"regions", KEY_REGIONS, "FILE", 0, "With --best: draw who wins for which l and c_a, likewise", 4},
    {"format", KEY_FORMAT, "table|json|csv", 0, "How to print (default: table)", 4},
    {"progress", KEY_PROGRESS, NULL, 0, "Show progress even if stderr is no terminal", 4},
    {"quiet", KEY_QUIET, NULL, 0, "Show no progress", 4},
    {0},
};

static error_t parse_real(const char *name, const char *text, double low, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end != text && !*end && value >= low && value <= 1e15) { /* ours: sums stay exact in halves */
        *out = value;
        return 0;
    }
    cli_fail("--%s %s: must be a number in %g..1e15", name, text, low);
    return EINVAL;
}

static error_t parse_whole(int key, const char *text, arguments *a)
{
    const struct {
        int key;
        const char *name;
        uint64_t low;
        uint32_t *place;
    } numbers[] = {
        {KEY_ROOT, "root", 0, &a->collective.root},
        {KEY_K, "k", 1, &a->collective.k},
        {KEY_ROUNDS, "rounds", 1, &a->collective.rounds},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t value = 0;
        if (numbers[i].key != key)
            continue;
        error_t failed = cli_number(numbers[i].name, text, numbers[i].low, UINT32_MAX - 1, &value);
        *numbers[i].place = (uint32_t)value;
        return failed;
    }
    return ARGP_ERR_UNKNOWN;
}

static error_t parse_subject(arguments *a, char *text)
{
    if (!a->network) {
        a->network = text;
        return 0;
    }
    return cli_subject("operation", text, &a->operation);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_ALGORITHM:
        a->collective.algorithm = text;
        return 0;
    case KEY_PORTS:
        a->collective.ports = text;
        return 0;
    case KEY_TRAFFIC:
        a->collective.traffic = text;
        return 0;
    case KEY_SEED:
        a->seed_given = true;
        return cli_number("seed", text, 0, INT64_MAX, &a->collective.seed);
    case KEY_FLITS:
        return cli_number("flits", text, 1, UINT32_MAX, &a->collective.flits);
    case KEY_SIZE:
        return parse_real("size", text, 1e-9, &a->collective.size);
    case KEY_CV:
        return parse_real("cv", text, 0, &a->collective.cv);
    case KEY_CA:
        return parse_real("ca", text, 0, &a->collective.ca);
    case KEY_BEST:
        a->best = true;
        return 0;
    case KEY_PLOT:
        a->plot = text;
        return 0;
    case KEY_REGIONS:
        a->regions = text;
        return 0;
    case KEY_SHOW:
        a->show = true;
        return 0;
    case KEY_FORMAT:
        return cli_format(text, &a->report.format);
    case KEY_PROGRESS:
        a->progress = true;
        return 0;
    case KEY_QUIET:
        a->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        return parse_subject(a, text);
    default:
        return parse_whole(key, text, a);
    }
}

static int on_progress(void *context, uint64_t rounds)
{
    char what[64];
    snprintf(what, sizeof what, "%llu rounds", (unsigned long long)rounds);
    cli_progress_share(context, 0, what);
    return cli_interrupted();
}

typedef np_status plotter(const np_network *network, const char *operation, const np_report_collective_options *more,
                          const char *image, bool *drawn);

static int plot(const arguments *a, const np_network *network, const np_report_collective_options *more,
                const char *image, plotter *draw)
{
    bool drawn;
    if (!image)
        return 0;
    if (draw(network, a->operation, more, image, &drawn))
        return cli_fail_last();
    if (!drawn)
        cli_say("no gnuplot found: the script and the data of %s are in place", image);
    return 0;
}

static int do_it(arguments *a, const np_network *network, const np_report_collective_options *more)
{
    np_collective_options *o = &a->collective;
    np_collective_result *result;
    cli_progress progress;
    cli_progress_init(&progress, a->progress, a->quiet);
    cli_interrupt_catch();
    o->record = a->show;
    o->on_progress = on_progress;
    o->context = &progress;
    np_status st = np_collective(network, a->operation, o, &result);
    cli_progress_clear(&progress);
    if (st == NP_ERROR_CANCELLED && cli_interrupted())
        cli_interrupt_die();
    if (st)
        return cli_fail_last();
    int status = plot(a, network, more, a->plot, np_report_plot_collective);
    if (!status)
        status = plot(a, network, more, a->regions, np_report_plot_collective_regions);
    if (!status && np_report_collective(network, result, more, &a->report, stdout))
        status = cli_fail_last();
    np_collective_result_free(result);
    return status;
}

/* The cheapest is done, with its best number of flits. */
static int do_best(arguments *a, const np_network *network)
{
    np_collective_model model[NP_COLLECTIVE_MODELS];
    np_collective_candidate candidate[NP_COLLECTIVE_MODELS];
    np_collective_options asked = a->collective;
    np_report_collective_options more = {.show = a->show, .model = model, .collective = &asked};
    if (np_collective_models(network, a->operation, &a->collective, model, &more.models))
        return cli_fail_last();
    np_collective_compare(more.models, model, &a->collective, candidate);
    a->collective.algorithm = candidate[0].algorithm;
    a->collective.flits = candidate[0].flits;
    return do_it(a, network, &more);
}

static int check(const arguments *a)
{
    if (!a->network)
        return cli_fail("collective needs a network, as in: netpram collective mesh:3x3 gossip");
    if (!a->operation)
        return cli_fail("collective needs an operation, as in: netpram collective %s all-to-all", a->network);
    if (a->best && a->collective.algorithm)
        return cli_fail("--best chooses the algorithm: leave out --algorithm %s", a->collective.algorithm);
    if (a->plot && !a->best)
        return cli_fail("--plot %s draws what --best compares: give both", a->plot);
    if (a->regions && !a->best)
        return cli_fail("--regions %s draws what --best compares: give both", a->regions);
    if ((a->plot && np_report_plot_check(a->plot)) || (a->regions && np_report_plot_check(a->regions)))
        return cli_fail_last();
    if (a->show && a->report.format == NP_REPORT_CSV)
        return cli_fail("--show has no place in format 'csv': print as 'table' or 'json'");
    return 0;
}

static int run(arguments *a)
{
    static const np_report_collective_options nothing = {0}, show = {.show = true};
    np_network *network;
    int status = check(a);
    if (status)
        return status;
    if (np_network_create(a->network, &network))
        return cli_fail_last();
    if (a->show && a->report.format == NP_REPORT_TABLE &&
        np_report_collective_drawable(network, a->operation, &a->collective))
        status = cli_fail_last();
    else
        status = a->best ? do_best(a, network) : do_it(a, network, a->show ? &show : &nothing);
    np_network_free(network);
    return status;
}

int cli_collective(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "NETWORK OPERATION",
        "Does permutation, all-to-all, k-k, broadcast, reduce, gather or gossip on a network by an algorithm of the "
        "literature (Sibeyn), round by round; checks every round; and reports rounds, steps and cost beside formula "
        "and bound.",
        NULL,
        NULL,
        NULL};
    arguments a = {.network = NULL};
    np_collective_options_init(&a.collective);
    int status;
    char *command = cli_begin(&argp, argc, argv, &a, &a.seed_given, &status);
    a.report.command = command;
    if (!status)
        status = run(&a);
    free(command);
    return status;
}
