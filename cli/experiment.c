/* netpram experiment FILE */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "progress.h"

enum { KEY_OUT = 256, KEY_ONLY, KEY_RUNS, KEY_THREADS, KEY_MEMORY, KEY_PROGRESS, KEY_QUIET };

enum { THREADS_MAX = 1024 }; /* as np_route */

typedef struct arguments {
    const char *file;
    np_experiment_options experiment;
    bool progress, quiet;
} arguments;

static const struct argp_option options[] = {
    {"out", KEY_OUT, "DIR", 0, "Where the CSV and the plots go, made if missing (default: .)", 0},
    {"only", KEY_ONLY, "LABEL", 0, "Run one series only", 0},
    {"runs", KEY_RUNS, "N", 0, "Runs a point (default: as the file says)", 0},
    {"threads", KEY_THREADS, "N", 0, "Threads; changes no result (default: 0, one a processor)", 0},
    {"memory", KEY_MEMORY, "BYTES", 0, "Refuse what needs more, as in 4G (default: what is available)", 0},
    {"progress", KEY_PROGRESS, NULL, 0, "Show progress even if stderr is no terminal", 0},
    {"quiet", KEY_QUIET, NULL, 0, "Show no progress and no notes", 0},
    {0},
};

static error_t parse_number(int key, const char *text, np_experiment_options *experiment)
{
    uint64_t value = 0;
    error_t failed;
    if (key == KEY_RUNS) {
        failed = cli_number("runs", text, 1, UINT32_MAX, &value);
        experiment->runs = (uint32_t)value;
    } else {
        failed = cli_number("threads", text, 0, THREADS_MAX, &value);
        experiment->threads = (unsigned)value;
    }
    return failed;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_OUT: a->experiment.directory = text; return 0;
    case KEY_ONLY: a->experiment.only = text; return 0;
    case KEY_RUNS:
    case KEY_THREADS: return parse_number(key, text, &a->experiment);
    case KEY_MEMORY: return cli_bytes("memory", text, &a->experiment.memory_limit);
    case KEY_PROGRESS: a->progress = true; return 0;
    case KEY_QUIET: a->quiet = true; return 0;
    case ARGP_KEY_ARG: return cli_old_subject("file", text, &a->file);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int on_progress(void *context, const np_experiment_progress *p)
{
    char what[128];
    snprintf(what, sizeof what, "point %zu of %zu (%.32s on %.32s), run %u of %u", p->point + 1, p->points, p->label,
             p->network, p->run, p->runs);
    cli_progress_share(context, p->share, what);
    return cli_interrupted();
}

static void tell(const arguments *a, const np_experiment *experiment, const np_experiment_outcome *outcome)
{
    const char *directory = a->experiment.directory;
    if (outcome->plots && !outcome->drawn)
        cli_say("gnuplot is not installed, so no plot is drawn; the scripts and data are in %s",
                a->experiment.directory);
    if (!a->quiet)
        cli_say("wrote %s%s%s.csv: %zu point%s, and %zu plot%s beside it", directory,
                *directory && directory[strlen(directory) - 1] == '/' ? "" : "/", np_experiment_name(experiment),
                outcome->points, outcome->points == 1 ? "" : "s", outcome->plots, outcome->plots == 1 ? "" : "s");
}

static int run(arguments *a)
{
    np_experiment *experiment;
    np_experiment_outcome outcome;
    cli_progress progress;
    if (np_experiment_read(a->file, &experiment))
        return cli_fail_last();
    if (!a->experiment.memory_limit)
        a->experiment.memory_limit = cli_memory_available();
    cli_progress_init(&progress, a->progress, a->quiet);
    cli_interrupt_catch();
    a->experiment.on_progress = on_progress;
    a->experiment.context = &progress;
    np_status st = np_experiment_run(experiment, &a->experiment, &outcome);
    cli_progress_clear(&progress);
    if (!st)
        tell(a, experiment, &outcome);
    np_experiment_free(experiment);
    if (st == NP_ERROR_CANCELLED)
        cli_interrupt_die();
    return st ? cli_fail_last() : 0;
}

int cli_experiment(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "FILE",
                                     "Runs the experiment that a JSON file describes (docs/experiments.md) and writes "
                                     "a CSV of every measure and the plots that the file asks for.",
                                     NULL, NULL, NULL};
    arguments a = {.file = NULL};
    np_experiment_options_init(&a.experiment);
    int status = cli_arguments(&argp, argc, argv, &a);
    if (status)
        return status;
    return a.file ? run(&a)
                  : cli_fail("experiment needs a file, as in 'netpram experiment "
                             "experiments/valiant-brebner-1981.json'");
}
