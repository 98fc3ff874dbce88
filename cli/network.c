/* Networks and traffic of the command line: the options of those from files, and what is said when they are read. */
#define _GNU_SOURCE /* open_memstream, asprintf */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "network.h"

static const np_field rows[] = {
    {"undirected", NP_FIELD_BOOL, offsetof(cli_network_options, undirected),
     .help = "Every line of a file is a link each way", .group = "A network from a file (file:PATH):"},
    {"directed", NP_FIELD_BOOL, offsetof(cli_network_options, directed),
     .help = "Every line of a file is one link (default: what the file says; lists are directed)"},
    {"width", NP_FIELD_TEXT, offsetof(cli_network_options, width),
     .help =
         "The attribute of a link that is its number of parallel links, or its capacity in units: NAME, NAME/UNIT or "
         "NAME/least (default: width, if there is one)",
     .placeholder = "NAME"},
    {"delay", NP_FIELD_TEXT, offsetof(cli_network_options, delay),
     .help = "The attribute of a link that is its delay: steps, or of flows with a link rate seconds (default: none)",
     .placeholder = "NAME"},
    {"cost", NP_FIELD_TEXT, offsetof(cli_network_options, cost),
     .help = "The attribute of a link that is its cost: shortest paths are those of the least sum (default: hops)",
     .placeholder = "NAME"},
    {"hosts", NP_FIELD_TEXT, offsetof(cli_network_options, hosts),
     .help = "Where packets start and end: degree=1, ATTRIBUTE=VALUE, file:PATH, or names (default: as the file says, "
             "else everywhere)",
     .placeholder = "HOSTS"},
    {"file-format", NP_FIELD_TEXT, offsetof(cli_network_options, file_format),
     .help = "The format of a file, if its content does not tell (default: by content; see docs/files.md)",
     .placeholder = "NAME"},
};

const np_fields cli_network_fields = NP_FIELDS("network_options", "a network from a file", cli_network_options, rows);

#define FAIL_SWITCHES                                                                                                  \
    {                                                                                                                  \
        "fail-switches", NP_FIELD_TEXT, offsetof(cli_network_options, fail_switches),                                  \
            .help = "Switches that are down with all their links: a share of them, as in 0.05 or 0.05:seed=7, or "     \
                    "file:PATH of names",                                                                              \
            .placeholder = "SWITCHES"                                                                                  \
    }

static const np_field fail_rows[] = {
    FAIL_SWITCHES,
    {"fail", NP_FIELD_TEXT, offsetof(cli_network_options, fail),
     .help = "Links that are down: a share of the cables, as in 0.05 or 0.05:seed=7, or file:PATH of lines 'from to'",
     .placeholder = "LINKS"},
};
static const np_field fail_switches_rows[] = {FAIL_SWITCHES};

const np_fields cli_fail_fields = NP_FIELDS("failures", "failures", cli_network_options, fail_rows);
const np_fields cli_fail_switches_fields =
    NP_FIELDS("failures_of_switches", "failures", cli_network_options, fail_switches_rows);

const cli_file_words cli_network_words = {&cli_network_fields, "network", "is built in", "a network file:PATH"};

/* ---- Words behind a path ---- */

bool cli_is_file(const char *spec) { return !strncmp(spec, "file:", 5); }

/* Is the option given? Text has a value, a flag is set. */
static bool given(const np_field *row, const void *options, np_value *value)
{
    return np_field_get(row, options, value) && value->kind != NP_VALUE_NULL &&
           (value->kind != NP_VALUE_BOOL || value->truth);
}

/* "--packet, --scale and --times" */
static const char *name_options(const np_fields *fields, size_t size, char *text)
{
    size_t length = 0;
    for (size_t i = 0; i < fields->count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s--%s",
                                   !i                      ? ""
                                   : i + 1 < fields->count ? ", "
                                                           : " and ",
                                   fields->row[i].name);
    return text;
}

int cli_file_check(const cli_file_words *words, const void *options, bool file, const char *spec)
{
    const np_fields *fields = words->fields;
    np_value value;
    char names[100];
    bool any = false;
    for (size_t i = 0; i < fields->count; i++)
        any = any || given(&fields->row[i], options, &value);
    if (!any || file)
        return 0;
    name_options(fields, sizeof names, names);
    if (!spec)
        return cli_fail("%s are for %s", names, words->where);
    return cli_fail("%s '%.80s' %s: %s are for file:PATH", words->what, spec, words->other, names);
}

static void write_spec(const np_fields *fields, const void *options, const char *spec, FILE *stream)
{
    np_value value;
    fputs(spec, stream);
    for (size_t i = 0; cli_is_file(spec) && i < fields->count; i++)
        if (given(&fields->row[i], options, &value))
            fprintf(stream, value.kind == NP_VALUE_BOOL ? ":%s" : ":%s=%s", fields->row[i].name, value.text);
}

char *cli_file_spec(const cli_file_words *words, const void *options, const char *spec)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return cli_fail("no memory for a spec"), NULL;
    write_spec(words->fields, options, spec, stream);
    bool failed = ferror(stream);
    if (!fclose(stream) && !failed)
        return text;
    free(text);
    cli_fail("no memory for a spec");
    return NULL;
}

/* ---- Networks ---- */

/* The spec, which is freed, with what is down behind it. malloced; NULL: no memory, which is said. */
static char *append(char *spec, const char *word, const char *value)
{
    char *whole = NULL;
    if (!spec || !value)
        return spec;
    if (asprintf(&whole, "%s:%s=%s", spec, word, value) < 0)
        whole = NULL;
    free(spec);
    if (!whole)
        cli_fail("no memory for a spec");
    return whole;
}

static int create(const cli_network_options *options, const char *spec, bool quiet, np_network **out)
{
    char *whole = cli_file_spec(&cli_network_words, options, spec);
    whole = append(whole, "fail-switches", options->fail_switches);
    whole = append(whole, "fail", options->fail);
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
    int status = cli_file_check(&cli_network_words, options, file, *spec);
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
    {"traffic-format", NP_FIELD_TEXT, offsetof(cli_traffic_options, format),
     .help = "What lines of numbers are, if they may be both (default: by content)", .placeholder = "list|matrix"},
};

const np_fields cli_traffic_fields =
    NP_FIELDS("traffic_options", "traffic from a file", cli_traffic_options, traffic_rows);

const cli_file_words cli_traffic_words = {&cli_traffic_fields, "traffic", "is no file", "--traffic file:PATH"};

int cli_traffic_take(const cli_traffic_options *options, const np_network *network, uint64_t seed, bool quiet,
                     const char **traffic, cli_traffic *out)
{
    *out = (cli_traffic){NULL, NULL};
    int status = cli_file_check(&cli_traffic_words, options, *traffic && cli_is_file(*traffic), *traffic);
    if (status || !*traffic)
        return status;
    if (!(out->spec = cli_file_spec(&cli_traffic_words, options, *traffic)))
        return CLI_BAD_INPUT;
    *traffic = out->spec;
    if (!np_traffic_notes(out->spec))
        return 0;
    if (np_traffic_create(out->spec, network, seed, 0, &out->packets))
        return cli_fail_last();
    if (!quiet && np_traffic_note(out->packets))
        cli_say("%s", np_traffic_note(out->packets));
    return 0;
}

void cli_traffic_clear(cli_traffic *traffic)
{
    np_traffic_free(traffic->packets);
    free(traffic->spec);
}
