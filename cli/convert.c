/* netpram convert NETWORK FILE */
#include <string.h>

#include "command.h"
#include "network.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    const char *spec, *output, *to;
} arguments;

static const np_field rows[] = {
    {"to", NP_FIELD_TEXT, offsetof(arguments, to),
     .help = "The format to write: dot, gml, graphml, matrix-market, anynet, csv or node-link (default: by the name of "
             "FILE)",
     .placeholder = "FORMAT"},
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int run(void *self)
{
    const arguments *a = self;
    np_network *network;
    np_network_written written;
    if (cli_files_check_output(&a->common, a->output) ||
        cli_network_create(&a->file, a->spec, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    np_status st = np_network_write(network, a->output, a->to, &written);
    if (!st)
        st = np_report_written(network, a->output, &written, &a->common.report,
                               strcmp(a->output, "-") ? stdout : stderr);
    np_network_free(network);
    return st ? cli_fail_last() : 0;
}

const cli_verb cli_convert = {
    .name = "convert",
    .help = "write a network into a file of another format",
    .subject = "NETWORK FILE",
    .does =
        "Writes a network, built in or from a file, into FILE, whose name ends in .dot, .gml, .graphml, .mtx (Matrix "
        "Market), .anynet (BookSim 2), .csv or .json (node-link). Names, hosts and widths are written where the format "
        "has them, and what is written is read again as the same network.",
    .subjects = {{"network", offsetof(arguments, spec),
                  "convert needs a network, as in 'netpram convert ccc:4 ccc.dot'", "networks"},
                 {"file", offsetof(arguments, output),
                  "convert needs a file to write, as in 'netpram convert ccc:4 ccc.dot'", NULL, true}},
    .fields = &fields,
    .run = run,
};
