/* netpram list [KIND] */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "command.h"

enum { KEY_FORMAT = 256 };

typedef struct arguments {
    np_report_kind kind;
    np_report_options report;
} arguments;

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, "table|json", 0, "How to print (default: table)", 0},
    {0},
};

static error_t parse_kind(const char *text, np_report_kind *kind)
{
    const char *names[NP_REPORT_KINDS];
    for (np_report_kind i = 0; i < NP_REPORT_KINDS; i++) {
        names[i] = np_report_kind_name(i);
        if (!strcmp(text, names[i])) {
            *kind = i;
            return 0;
        }
    }
    cli_fail("cannot list '%s': did you mean '%s'?", text, np_parse_nearest(text, names, NP_REPORT_KINDS));
    return EINVAL;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    if (key == KEY_FORMAT)
        return cli_format(text, &a->report.format);
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (!state->arg_num)
        return parse_kind(text, &a->kind);
    cli_fail("one kind at a time, or none for all: '%s' is one too many", text);
    return EINVAL;
}

int cli_list(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "[networks|schemes|paths|traffic|queues|programs|machines|sorters|orders|embeddings|indexings|collectives|reconfigurable]",
        "Lists what there is to choose from, with a line and the source for each.", NULL, NULL, NULL};
    arguments a = {.kind = NP_REPORT_KINDS};
    char *command = cli_command_line(argc, argv, "");
    int status = cli_arguments(&argp, argc, argv, &a);
    a.report.command = command;
    if (!status && np_report_list(a.kind, &a.report, stdout))
        status = cli_fail_last();
    free(command);
    return status;
}
