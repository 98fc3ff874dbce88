/* netpram experiment FILE */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file_spec.h"
#include "base/plural.h"
#include "command.h"
#include "experiment.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    const char *file;
    np_experiment_options experiment;
} arguments;

static const np_field rows[] = {
    CLI_INSET(arguments, experiment, np_experiment_options_fields),
    CLI_INSET(arguments, common, cli_progress_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

/* An experiment that was interrupted goes on where it ended. `points` says how many points are kept. */
static void keep(const np_experiment_options *options, const np_experiment *experiment, const char *points)
{
    const char *directory = options->directory;
    cli_interrupt_keeps("%s are kept in %s%s%s.sqlite; the same command goes on from there", points, directory,
                        *directory && directory[strlen(directory) - 1] == '/' ? "" : "/",
                        np_experiment_name(experiment));
}

static void tell(const np_experiment_options *options, bool quiet, const np_experiment *experiment,
                 const np_experiment_outcome *outcome)
{
    const char *directory = options->directory;
    char kept[64] = "";
    if (outcome->plots && !outcome->drawn)
        cli_say("gnuplot is not installed, so no plot is drawn; the scripts and data are in %s", options->directory);
    if (outcome->before)
        snprintf(kept, sizeof kept, " (%zu of them kept from before)", outcome->before);
    if (!quiet)
        cli_say("wrote %s%s%s.csv: %zu point%s%s, and %zu plot%s beside it", directory,
                *directory && directory[strlen(directory) - 1] == '/' ? "" : "/", np_experiment_name(experiment),
                outcome->points, np_plural(outcome->points), kept, outcome->plots, np_plural(outcome->plots));
}

static void on_note(void *context, const char *line)
{
    cli_progress_clear(context);
    cli_say("%s", line);
}

static void on_finding(void *context, const char *line)
{
    cli_progress_clear(context);
    puts(line);
}

/* A directory; it may have a point in its name, but a new one is no file. */
static int check_directory(const char *directory)
{
    struct stat about;
    if (!strcmp(directory, "-"))
        return cli_fail("--output -: an experiment writes several files: name a directory");
    if (np_file_ending(directory) && (stat(directory, &about) || !S_ISDIR(about.st_mode)))
        return cli_fail("--output %s: an experiment writes several files, a CSV and others: name a directory",
                        directory);
    return 0;
}

int cli_experiment_run(const cli_common *common, np_experiment_options *options, np_experiment *experiment)
{
    np_experiment_outcome outcome;
    cli_progress progress;
    if (check_directory(options->directory))
        return np_experiment_free(experiment), CLI_BAD_INPUT;
    options->watch = cli_progress_start(&progress, common);
    options->on_note = common->quiet || cli_job_rank() ? NULL : on_note;
    options->on_finding = on_finding;
    options->context = &progress;
    options->plotter = &cli_plotter;
    options->points_only = cli_job_rank() > 0; /* the tables are rank 0's */
    cli_job_works();
    keep(options, experiment, "finished points");
    np_status st = np_experiment_run(experiment, options, &outcome);
    if (st == NP_ERROR_CANCELLED) {
        char points[64];
        snprintf(points, sizeof points, "%zu of %zu points", outcome.points, outcome.points_all);
        keep(options, experiment, points);
    }
    int status = cli_progress_end(&progress, st);
    if (!status && !cli_job_rank())
        tell(options, common->quiet, experiment, &outcome);
    np_experiment_free(experiment);
    return status;
}

static int run(void *self)
{
    arguments *a = self;
    np_experiment *experiment;
    if (np_experiment_read(a->file, &experiment))
        return cli_fail_last();
    return cli_experiment_run(&a->common, &a->experiment, experiment);
}

const cli_verb cli_experiment = {
    .name = "experiment",
    .help = "run the experiment that a JSON file describes, for CSV and plots",
    .subject = "FILE",
    .does = "Runs the experiment that a JSON file describes (docs/experiments.md) and writes "
            "a CSV of every measure and the plots that the file asks for.",
    .subjects = {{"file", offsetof(arguments, file),
                  "experiment needs a file, as in 'netpram experiment experiments/valiant-brebner-1981.json'"}},
    .fields = &fields,
    .job = CLI_JOB_SHARED,
    .run = run,
};
