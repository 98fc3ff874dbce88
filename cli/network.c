/* Networks of the command line: the options of those from files, and what is said when they are read. */
#define _GNU_SOURCE /* open_memstream */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "network.h"

static const np_field rows[] = {
    {"undirected", NP_FIELD_BOOL, offsetof(cli_network_options, undirected),
     .help = "Every line of a file is a link each way", .group = "A network from a file (file:PATH):"},
    {"directed", NP_FIELD_BOOL, offsetof(cli_network_options, directed),
     .help = "Every line of a file is one link (default: what the file says; lists say nothing and are directed)"},
    {"hosts", NP_FIELD_TEXT, offsetof(cli_network_options, hosts),
     .help = "Where packets start and end: degree=1, ATTRIBUTE=VALUE, file:PATH, or names (default: everywhere)",
     .placeholder = "HOSTS"},
    {"width", NP_FIELD_TEXT, offsetof(cli_network_options, width),
     .help = "The attribute of a link that is its number of parallel links (default: width, if there is one)",
     .placeholder = "NAME"},
};

const np_fields cli_network_fields = NP_FIELDS("network_options", "a network from a file", cli_network_options, rows);

/* The spec with the options behind its path; malloced. NULL: no memory. */
static char *whole_spec(const cli_network_options *options, const char *spec)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "%s%s%s", spec, options->undirected ? ":undirected" : "", options->directed ? ":directed" : "");
    if (options->width)
        fprintf(stream, ":width=%s", options->width);
    if (options->hosts)
        fprintf(stream, ":hosts=%s", options->hosts);
    if (!fclose(stream))
        return text;
    free(text);
    return NULL;
}

int cli_network_create(const cli_network_options *options, const char *spec, bool quiet, np_network **out)
{
    bool any = options->undirected || options->directed || options->hosts || options->width,
         file = !strncmp(spec, "file:", 5);
    *out = NULL;
    if (any && !file)
        return cli_fail("network '%.80s' is built in: --undirected, --directed, --hosts and --width are for file:PATH",
                        spec);
    char *whole = whole_spec(options, spec);
    if (!whole)
        return cli_fail("no memory for the spec of a network");
    np_status st = np_network_create(whole, out);
    free(whole);
    if (st)
        return cli_fail_last();
    if (np_network_note(*out) && !quiet)
        cli_say("%s", np_network_note(*out));
    return 0;
}

int cli_network_create_plain(const char *spec, bool quiet, np_network **out)
{
    static const cli_network_options none;
    return cli_network_create(&none, spec, quiet, out);
}
