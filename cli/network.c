/* Networks and traffic of the command line: the options of those from files, and what is said when they are read. */
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

static bool is_file(const char *spec) { return !strncmp(spec, "file:", 5); }

static void add(FILE *stream, const char *name, const char *value)
{
    if (value)
        fprintf(stream, ":%s=%s", name, value);
}

/* The spec with the options behind its path; malloced. NULL: no memory. */
static char *whole_spec(const cli_network_options *options, const char *spec)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "%s%s%s", spec, options->undirected ? ":undirected" : "", options->directed ? ":directed" : "");
    add(stream, "width", options->width);
    add(stream, "hosts", options->hosts);
    if (!fclose(stream))
        return text;
    free(text);
    return NULL;
}

int cli_network_create(const cli_network_options *options, const char *spec, bool quiet, np_network **out)
{
    bool any = options->undirected || options->directed || options->hosts || options->width, file = is_file(spec);
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

/* ---- Traffic ---- */

static const np_field traffic_rows[] = {
    {"packet", NP_FIELD_TEXT, offsetof(cli_traffic_options, packet),
     .help = "The amount that one packet carries, in the unit of the file", .placeholder = "BYTES",
     .group = "Traffic from a file (file:PATH):"},
    {"scale", NP_FIELD_TEXT, offsetof(cli_traffic_options, scale), .help = "Multiply the amounts first",
     .placeholder = "F"},
    {"times", NP_FIELD_TEXT, offsetof(cli_traffic_options, times),
     .help = "Route a list with times all the same: every packet starts at step 0", .placeholder = "ignore"},
};

const np_fields cli_traffic_fields =
    NP_FIELDS("traffic_options", "traffic from a file", cli_traffic_options, traffic_rows);

int cli_traffic_spec(const cli_traffic_options *options, const char *traffic, char **spec)
{
    size_t size;
    *spec = NULL;
    if ((options->packet || options->scale || options->times) && !is_file(traffic))
        return cli_fail("traffic '%.80s' is no file: --packet, --scale and --times are for file:PATH", traffic);
    FILE *stream = open_memstream(spec, &size);
    if (!stream)
        return cli_fail("no memory for the spec of traffic");
    fputs(traffic, stream);
    add(stream, "packet", options->packet);
    add(stream, "scale", options->scale);
    add(stream, "times", options->times);
    return fclose(stream) ? cli_fail("no memory for the spec of traffic") : 0;
}

int cli_traffic_create(const char *spec, const np_network *network, uint64_t seed, bool quiet, np_traffic **out)
{
    *out = NULL;
    if (!is_file(spec))
        return 0;
    if (np_traffic_create(spec, network, seed, 0, out))
        return cli_fail_last();
    if (!quiet)
        cli_say("%s", np_traffic_note(*out));
    return 0;
}
