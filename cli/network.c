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

bool cli_is_file(const char *spec) { return !strncmp(spec, "file:", 5); }

static void add(FILE *stream, const char *name, const char *value)
{
    if (value)
        fprintf(stream, ":%s=%s", name, value);
}

/* Ends the text of a stream. NULL: no memory. */
static char *end_text(FILE *stream, char **text)
{
    bool failed = ferror(stream);
    if (!fclose(stream) && !failed)
        return *text;
    free(*text);
    cli_fail("no memory for a spec");
    return NULL;
}

int cli_network_check(const cli_network_options *options, bool file, const char *spec)
{
    bool any = options->undirected || options->directed || options->hosts || options->width;
    if (!any || file)
        return 0;
    if (!spec)
        return cli_fail("--undirected, --directed, --hosts and --width are for a network file:PATH");
    return cli_fail("network '%.80s' is built in: --undirected, --directed, --hosts and --width are for file:PATH",
                    spec);
}

char *cli_network_spec(const cli_network_options *options, const char *spec)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return cli_fail("no memory for a spec"), NULL;
    fputs(spec, stream);
    if (cli_is_file(spec)) {
        fprintf(stream, "%s%s", options->undirected ? ":undirected" : "", options->directed ? ":directed" : "");
        add(stream, "width", options->width);
        add(stream, "hosts", options->hosts);
    }
    return end_text(stream, &text);
}

static int create(const cli_network_options *options, const char *spec, bool quiet, np_network **out)
{
    char *whole = cli_network_spec(options, spec);
    if (!whole)
        return CLI_BAD_INPUT;
    np_status st = np_network_create(whole, out);
    free(whole);
    if (st)
        return cli_fail_last();
    if (np_network_note(*out) && !quiet)
        cli_say("%s", np_network_note(*out));
    return 0;
}

int cli_networks_create(const cli_network_options *options, size_t count, const char *const *spec, bool quiet,
                        np_network **out)
{
    bool file = false;
    for (size_t i = 0; i < count; i++) {
        out[i] = NULL;
        file |= cli_is_file(spec[i]);
    }
    int status = cli_network_check(options, file, *spec);
    for (size_t i = 0; i < count && !status; i++)
        status = create(options, spec[i], quiet, &out[i]);
    for (size_t i = 0; i < count && status; i++) {
        np_network_free(out[i]);
        out[i] = NULL;
    }
    return status;
}

int cli_network_create(const cli_network_options *options, const char *spec, bool quiet, np_network **out)
{
    return cli_networks_create(options, 1, &spec, quiet, out);
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

int cli_traffic_check(const cli_traffic_options *options, bool file, const char *traffic)
{
    if (file || (!options->packet && !options->scale && !options->times))
        return 0;
    if (!traffic)
        return cli_fail("--packet, --scale and --times are for --traffic file:PATH");
    return cli_fail("traffic '%.80s' is no file: --packet, --scale and --times are for file:PATH", traffic);
}

char *cli_traffic_spec(const cli_traffic_options *options, const char *traffic)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return cli_fail("no memory for a spec"), NULL;
    fputs(traffic, stream);
    if (cli_is_file(traffic)) {
        add(stream, "packet", options->packet);
        add(stream, "scale", options->scale);
        add(stream, "times", options->times);
    }
    return end_text(stream, &text);
}

int cli_traffic_create(const char *spec, const np_network *network, uint64_t seed, bool quiet, np_traffic **out)
{
    *out = NULL;
    if (!cli_is_file(spec))
        return 0;
    if (np_traffic_create(spec, network, seed, 0, out))
        return cli_fail_last();
    if (!quiet)
        cli_say("%s", np_traffic_note(*out));
    return 0;
}

int cli_traffic_take(const cli_traffic_options *options, const np_network *network, uint64_t seed, bool quiet,
                     const char **traffic, char **spec)
{
    np_traffic *made = NULL;
    *spec = NULL;
    int status = cli_traffic_check(options, *traffic && cli_is_file(*traffic), *traffic);
    if (status || !*traffic)
        return status;
    if (!(*spec = cli_traffic_spec(options, *traffic)))
        return CLI_BAD_INPUT;
    *traffic = *spec;
    if (strcmp(*spec, "file:-") != 0 && strncmp(*spec, "file:-:", 7) != 0)
        status = cli_traffic_create(*spec, network, seed, quiet, &made);
    np_traffic_free(made);
    return status;
}
