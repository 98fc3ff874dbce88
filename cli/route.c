/* netpram route NETWORK */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "merging.h"
#include "progress.h"
#include "trace.h"

enum {
    KEY_SCHEME = 256,
    KEY_PATHS,
    KEY_TRAFFIC,
    KEY_QUEUE,
    KEY_RUNS,
    KEY_SEED,
    KEY_THREADS,
    KEY_OVERLAP,
    KEY_SAME_TRAFFIC,
    KEY_FORMAT,
    KEY_BOUND,
    KEY_EXPLAIN,
    KEY_PERMUTATIONS,
    KEY_TRACE,
    KEY_PLOT,
    KEY_MEMORY,
    KEY_PROGRESS,
    KEY_QUIET
};

enum { THREADS_MAX = 1024, PERMUTATIONS_MAX = 1 << 20 }; /* the former as np_route */

typedef struct arguments {
    const char *spec, *traffic, *trace, *plot;
    np_route_options route;
    cli_merging merging;
    np_report_options report;
    bool seed_given, bound, explain, progress, quiet;
} arguments;

/* What the callbacks of np_route see. */
typedef struct watch {
    cli_progress progress;
    FILE *trace; /* NULL: none */
    uint32_t runs;
} watch;

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What to route and how:", 1},
    {"scheme", KEY_SCHEME, "NAME", 0, "The scheme (default: the first made for the network)", 1},
    {"paths", KEY_PATHS, "NAME", 0, "The path rule (default: the scheme's own); alone it means --scheme greedy", 1},
    {"traffic", KEY_TRAFFIC, "SPEC", 0, "Who sends to whom, or file:PATH (default: random, a permutation)", 1},
    {"queue", KEY_QUEUE, "NAME", 0, "The queue discipline (default: the scheme's own)", 1},
    {"permutations", KEY_PERMUTATIONS, "X", 0, "Permutations at a time, on omega networks (default: 1)", 1},
    {"overlap", KEY_OVERLAP, NULL, 0, "A packet starts the next phase when it finishes this one", 1},
    {"runs", KEY_RUNS, "N", 0, "Repeat with fresh random choices (default: 1)", 1},
    {"seed", KEY_SEED, "N", 0, "Where all random choices come from (default: 1)", 1},
    {"same-traffic", KEY_SAME_TRAFFIC, NULL, 0, "Draw random traffic once, not for each run", 1},
    {NULL, 0, NULL, 0, "What to report:", 2},
    {"format", KEY_FORMAT, "table|json|csv", 0, "How to print (default: table)", 2},
    {"bound", KEY_BOUND, NULL, 0, "Print the theorem's bound beside the measurement", 2},
    {"explain", KEY_EXPLAIN, NULL, 0, "Say why the slowest run took so long, and check it against the lemmas", 2},
    {"trace", KEY_TRACE, "FILE", 0, "Write a JSON line for every step", 2},
    {"plot", KEY_PLOT, "FILE", 0, "Draw the histogram of delays into FILE, an .svg or .png, with gnuplot", 2},
    {NULL, 0, NULL, 0, "How to run:", 3},
    {"threads", KEY_THREADS, "N", 0, "Threads; changes no result (default: 0, one a processor)", 3},
    {"memory", KEY_MEMORY, "BYTES", 0, "Refuse what needs more, as in 4G (default: what is available)", 3},
    {"progress", KEY_PROGRESS, NULL, 0, "Show progress even if stderr is no terminal", 3},
    {"quiet", KEY_QUIET, NULL, 0, "Show no progress and no notes", 3},
    {0},
};

static error_t parse_number(int key, const char *text, np_route_options *route)
{
    uint64_t value = 0;
    error_t failed = 0;
    if (key == KEY_RUNS && !(failed = cli_number("runs", text, 1, UINT32_MAX, &value)))
        route->runs = (uint32_t)value;
    else if (key == KEY_THREADS && !(failed = cli_number("threads", text, 0, THREADS_MAX, &value)))
        route->threads = (unsigned)value;
    else if (key == KEY_PERMUTATIONS && !(failed = cli_number("permutations", text, 1, PERMUTATIONS_MAX, &value)))
        route->permutations = (uint32_t)value;
    else if (key == KEY_SEED && !(failed = cli_number("seed", text, 0, INT64_MAX, &value)))
        route->seed = value;
    return failed;
}

static error_t parse_plot(arguments *a, const char *text)
{
    a->plot = text;
    if (!np_report_plot_check(text))
        return 0;
    cli_fail_last();
    return EINVAL;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->merging; return 0;
    case KEY_SCHEME: a->route.scheme = text; return 0;
    case KEY_PATHS: a->route.paths = text; return 0;
    case KEY_TRAFFIC: a->traffic = text; return 0;
    case KEY_QUEUE: a->route.queue = text; return 0;
    case KEY_OVERLAP: a->route.overlap = true; return 0;
    case KEY_SAME_TRAFFIC: a->route.same_traffic = true; return 0;
    case KEY_SEED: a->seed_given = true; return parse_number(key, text, &a->route);
    case KEY_RUNS:
    case KEY_PERMUTATIONS:
    case KEY_THREADS: return parse_number(key, text, &a->route);
    case KEY_FORMAT: return cli_format(text, &a->report.format);
    case KEY_BOUND: a->bound = true; return 0;
    case KEY_EXPLAIN: a->explain = true; return 0;
    case KEY_TRACE: a->trace = text; return 0;
    case KEY_PLOT: return parse_plot(a, text);
    case KEY_MEMORY: return cli_bytes("memory", text, &a->route.memory_limit);
    case KEY_PROGRESS: a->progress = true; return 0;
    case KEY_QUIET: a->quiet = true; return 0;
    case ARGP_KEY_ARG: return cli_subject("network", text, &a->spec);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int on_step(void *context, const np_step_report *report)
{
    watch *w = context;
    if (w->trace)
        cli_trace_line(report, w->trace);
    return cli_interrupted() || (w->trace && ferror(w->trace));
}

static int on_run(void *context, uint32_t done)
{
    watch *w = context;
    char what[64];
    snprintf(what, sizeof what, "run %u of %u", done, w->runs);
    if (w->runs > 1)
        cli_progress_share(&w->progress, (double)done / w->runs, what);
    return cli_interrupted();
}

static void on_progress(void *context, const np_route_progress *p)
{
    watch *w = context;
    char what[64];
    if (w->runs > 1)
        return; /* on_run tells */
    snprintf(what, sizeof what, "phase %u of %u", p->phase + 1, p->phases);
    cli_progress_share(&w->progress, (p->phase + p->share) / p->phases, what);
}

/* Steps are watched only where that is wanted: runs that are watched step by step cannot run side by side. */
static void set_callbacks(arguments *a, watch *w)
{
    cli_progress_init(&w->progress, a->progress, a->quiet);
    w->runs = a->route.runs;
    a->route.context = w;
    a->route.on_run = on_run;
    a->route.hash = w->trace != NULL;
    if (w->trace)
        a->route.on_step = on_step;
    if (w->progress.on)
        a->route.on_progress = on_progress;
    if (a->route.on_step || w->runs > 1)
        cli_interrupt_catch();
}

static int plot(const arguments *a, const np_route_result *result)
{
    bool drawn;
    if (np_report_plot_delays(result, a->plot, &drawn))
        return cli_fail_last();
    int stem = (int)strlen(a->plot) - 4; /* .svg, .png */
    if (!drawn)
        cli_say("gnuplot is not installed, so %s is not drawn; its script and data are %.*s.gp and .dat", a->plot,
                stem, a->plot);
    else if (!a->quiet)
        cli_say("wrote %s; to restyle it: %.*s.gp and .dat", a->plot, stem, a->plot);
    return 0;
}

static int explain(const arguments *a, const np_network *network, const np_route_result *result)
{
    bool holds;
    if (np_report_explain(network, a->traffic, &a->route, result, stdout, &holds))
        return cli_fail_last();
    return holds ? 0 : CLI_CHECK_FAILED;
}

/* Before anything is routed. */
static int check_explain(const arguments *a, const np_network *network)
{
    const char *scheme = a->route.scheme ? a->route.scheme : a->route.paths ? "greedy" : np_scheme_default(network);
    if (!a->explain)
        return 0;
    if (a->report.format != NP_REPORT_TABLE)
        return cli_fail("--explain prints a text: --format table");
    for (size_t i = 0; np_scheme(i); i++)
        if (!strcmp(np_scheme(i)->name, scheme) && !np_scheme(i)->explains)
            return cli_fail("--explain: nothing is known to say of scheme '%s': try ranked, or constrained on omega",
                            scheme);
    return 0;
}

static int report(arguments *a, const np_network *network, const np_route_result *result)
{
    np_report_bound *bounds = NULL;
    if (a->bound && np_report_bounds(network, result, &bounds, &a->report.bounds))
        return cli_fail_last();
    a->report.bound = bounds;
    np_status st = np_report_route(result, &a->report, stdout);
    np_report_bounds_free(bounds);
    if (st)
        return cli_fail_last();
    int status = a->explain ? explain(a, network, result) : 0;
    return a->plot && !status ? plot(a, result) : status;
}

/* Routes, with the trace in place before anything is reported. */
static int route(arguments *a, const np_network *network, np_route_result **result)
{
    np_output *trace = NULL;
    watch w = {.trace = NULL};
    if (a->trace && np_output_open(a->trace, &trace))
        return cli_fail_last();
    w.trace = trace ? np_output_stream(trace) : NULL;
    set_callbacks(a, &w);
    np_status st = np_route(network, a->traffic, &a->route, result);
    cli_progress_clear(&w.progress);
    if (st == NP_ERROR_CANCELLED && cli_interrupted()) {
        np_output_discard(trace);
        cli_interrupt_die();
    }
    if (trace && (!st || st == NP_ERROR_CANCELLED))
        st = np_output_commit(trace); /* cancelled: a write failed, and this says why */
    else
        np_output_discard(trace);
    if (st == NP_ERROR_DEADLOCK)
        return cli_fail_last(), CLI_CHECK_FAILED;
    return st ? cli_fail_last() : 0;
}

static int run(arguments *a)
{
    np_network *network;
    np_route_result *result = NULL;
    if (np_network_create(a->spec, &network))
        return cli_fail_last();
    if (!a->route.memory_limit)
        a->route.memory_limit = cli_memory_available();
    int status = cli_merging_check(&a->merging, network);
    if (!status)
        status = check_explain(a, network);
    if (!status)
        status = route(a, network, &result);
    if (!status)
        status = report(a, network, result);
    np_route_result_free(result);
    np_network_free(network);
    return status;
}

int cli_route(int argc, char **argv)
{
    static const struct argp_child children[] = {{&cli_merging_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse, "NETWORK",
                                     "Routes traffic on a network such as hypercube:10 and reports, for each phase, "
                                     "the steps, delays, queues, populations and congestion ('netpram list' names "
                                     "all there is).",
                                     children, NULL, NULL};
    arguments a = {.traffic = "random"};
    np_route_options_init(&a.route);
    a.merging.route = &a.route;
    int status;
    char *command = cli_begin(&argp, argc, argv, &a, &a.seed_given, &status);
    a.report.command = command;
    if (!status)
        status = a.spec ? run(&a) : cli_fail("route needs a network, as in 'netpram route hypercube:10'");
    free(command);
    return status;
}
