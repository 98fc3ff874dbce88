/* netpram sweep NETWORK...: every option of route, pram and sort takes a list or a range. */
#include <stdlib.h>

#include "base/memory.h"
#include "command.h"
#include "experiment.h"

typedef struct arguments {
    cli_common common;
    np_sweep_options sweep;
    np_experiment_options experiment;
} arguments;

static const np_field rows[] = {
    CLI_INSET(arguments, sweep, np_sweep_options_fields),
    CLI_INSET(arguments, experiment, np_experiment_options_fields),
    CLI_INSET(arguments, common, cli_progress_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

/* The networks, and the options with their lists, as the command line has them. */
static np_status make(const arguments *a, np_experiment **out)
{
    size_t count = a->common.words;
    np_sweep_value *value = calloc(count + !count, sizeof *value);
    np_status st = NP_ERROR_MEMORY;
    *out = NULL;
    for (size_t i = 0; value && i < count; i++)
        value[i] = (np_sweep_value){a->common.word[i].option ? a->common.word[i].option->field->name : NULL,
                                    a->common.word[i].text};
    if (value)
        st = np_experiment_sweep(&a->sweep, count, value, out);
    free(value);
    return st;
}

static int run(void *self)
{
    arguments *a = self;
    np_experiment *experiment;
    if (!a->common.words)
        return cli_fail("sweep needs networks, as in 'netpram sweep hypercube:{6..10} --scheme greedy,valiant'");
    if (make(a, &experiment))
        return cli_fail_last();
    return cli_experiment_run(&a->common, &a->experiment, experiment);
}

static void init(void *self)
{
    arguments *a = self;
    a->experiment.memory_limit = np_memory_available();
}

const cli_verb cli_sweep = {
    .name = "sweep",
    .help = "run the product of lists and ranges of options, for CSV and plots",
    .subject = "NETWORK...",
    .does = "Runs every combination of the networks and the lists given, and writes a CSV of every measure. "
            "Every option of route, pram and sort that says what to run takes a list, --scheme greedy,valiant, "
            "or a range, --queue-size 1..16x2. Networks take ranges in braces, hypercube:{6..12}.",
    .subjects = {{.list = "networks"}},
    .fields = &fields,
    .hides = "runs, only",
    .more = np_experiment_key_get,
    .init = init,
    .run = run,
};
