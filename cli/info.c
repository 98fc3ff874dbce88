/* netpram info NETWORK */
#include <errno.h>
#include <stdlib.h>

#include "command.h"
#include "progress.h"

enum { KEY_FORMAT = 256, KEY_EFFORT };

/* Ours: a second or two. */
static const uint64_t default_effort = 100000000;

typedef struct arguments {
    const char *spec;
    uint64_t effort;
    np_report_options report;
} arguments;

static const struct argp_option options[] = {
    {"effort", KEY_EFFORT, "N", 0,
     "Measure what takes at most N visits of links; 0: formulas only (default: 100000000, a second or two)", 0},
    {"format", KEY_FORMAT, "table|json|csv", 0, "How to print (default: table)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_FORMAT:
        return cli_format(text, &a->report.format);
    case KEY_EFFORT:
        return cli_number("effort", text, 0, UINT64_MAX, &a->effort);
    case ARGP_KEY_ARG: return cli_subject("network", text, &a->spec);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

typedef struct watcher {
    cli_progress progress;
    const char *what;
} watcher;

/* Each figure's share, and the time that is left for it, begin anew. */
static void on_progress(void *context, const char *what, double share)
{
    watcher *w = context;
    if (what != w->what) {
        cli_progress_clear(&w->progress);
        cli_progress_init(&w->progress, false, false);
        w->what = what;
    }
    cli_progress_share(&w->progress, share, what);
}

static int info(const arguments *a)
{
    np_network *network;
    np_network_facts facts;
    watcher w = {.what = NULL};
    if (np_network_create(a->spec, &network))
        return cli_fail_last();
    np_status st = np_network_check_connected(network);
    if (!st)
        st = np_network_measure_watched(network, a->effort, on_progress, &w, &facts);
    cli_progress_clear(&w.progress);
    if (!st)
        st = np_report_network(network, &facts, &a->report, stdout);
    np_network_free(network);
    return st ? cli_fail_last() : 0;
}

int cli_info(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "NETWORK",
                                     "Prints the facts of a network such as ccc:7, formula against measurement "
                                     "('netpram list networks' names all).",
                                     NULL, NULL, NULL};
    arguments a = {.effort = default_effort};
    char *command = cli_command_line(argc, argv, "");
    int status = cli_arguments(&argp, argc, argv, &a);
    a.report.command = command;
    if (!status)
        status = a.spec ? info(&a) : cli_fail("info needs a network, as in 'netpram info ccc:7'");
    free(command);
    return status;
}
