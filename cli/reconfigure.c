/* netpram reconfigure PROGRAM */
#include <string.h>

#include "command.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    const char *program, *output;
    np_reconfigure_options options;
} arguments;

static const np_field rows[] = {
    CLI_INSET(arguments, options, np_reconfigure_options_fields),
    {"output", NP_FIELD_TEXT, offsetof(arguments, output), .help = "sort: write the sorted keys there",
     .placeholder = "FILE"},
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int check_uses(const arguments *a)
{
    const cli_option *o = cli_unheeded(a, &np_reconfigure_options_fields, a->program, np_reconfigure_heeds);
    if (o)
        return cli_fail("--%s %s", o->name, np_last_error());
    if (a->output && !np_reconfigure_heeds(a->program, "show") && strcmp(a->program, "sort"))
        return cli_fail("--output is for sort, and not for %s", a->program);
    return 0;
}

/* Writes the sorted keys, prints the report and returns the exit status. */
static int tell(const arguments *a, const np_reconfigure_result *result)
{
    if (a->output && result->correct && np_keys_write(result->keys, result->order, a->output))
        return cli_fail_last();
    if (np_report_reconfigure(result, !a->output, &a->common.report, cli_report_stream(a)))
        return cli_fail_last();
    return result->correct ? 0 : CLI_CHECK_FAILED;
}

static int run(void *self)
{
    arguments *a = self;
    np_reconfigure_result *result;
    cli_progress progress;
    int status = check_uses(a);
    if (status)
        return status;
    a->options.watch = cli_progress_start(&progress, &a->common);
    if (cli_progress_end(&progress, np_reconfigure(a->program, &a->options, &result)))
        return CLI_BAD_INPUT;
    status = tell(a, result);
    np_reconfigure_result_free(result);
    return status;
}

static bool draws(const void *self)
{
    const arguments *a = self;
    return strcmp(a->program, "broadcast") && !a->options.bits && !a->options.keys;
}

const cli_verb cli_reconfigure = {
    .name = "reconfigure",
    .help = "run a program on a grid of switches that cut its wires into subnets",
    .subject = "PROGRAM",
    .does =
        "Runs a program on a reconfigurable array, a grid of switches that cut its wires into subnets: parity, rank, "
        "sort or broadcast. Every round is carried out switch by switch, and the answer checked. Exit status 1 if it "
        "is wrong, or two PUs send on one subnet.",
    .subjects = {{"program", offsetof(arguments, program),
                  "reconfigure needs a program: parity, rank, sort or broadcast, as in: netpram reconfigure parity",
                  "reconfigurable"}},
    .fields = &fields,
    .outputs = "output",
    .draws = draws,
    .run = run,
};
