/* netpram compare NETWORK... */
#include <stdlib.h>

#include "command.h"
#include "network.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    np_compare_options compare;
    np_picture_options picture;
} arguments;

static const np_field rows[] = {
    CLI_INSET(arguments, compare, np_compare_options_fields),
    CLI_INSET(arguments, picture, cli_still_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int compare(arguments *a, size_t count, np_network **network)
{
    np_compare *result = NULL;
    cli_progress progress;
    a->compare.watch = cli_progress_start(&progress, &a->common);
    int status =
        cli_progress_end(&progress, np_compare_find(count, (const np_network *const *)network, &a->compare, &result));
    if (!status && (np_report_picture_compare(result, a->common.report.command, &a->picture) ||
                    np_report_compare(result, &a->common.report, stdout)))
        status = cli_fail_last();
    if (!status && !result->reached)
        status = CLI_CHECK_FAILED;
    np_compare_free(result);
    return status;
}

static int compare_words(arguments *a, const char **spec, np_network **network)
{
    size_t count = a->common.words;
    for (size_t i = 0; i < count; i++)
        spec[i] = a->common.word[i].text;
    if (cli_networks_create(&a->file, count, spec, a->common.quiet, network))
        return CLI_BAD_INPUT;
    int status = compare(a, count, network);
    for (size_t i = 0; i < count; i++)
        np_network_free(network[i]);
    return status;
}

static int run(void *self)
{
    arguments *a = self;
    if (!a->common.words)
        return cli_fail("compare needs networks, as in 'netpram compare torus:8x8 hypercube:6'");
    const char **spec = calloc(a->common.words, sizeof *spec);
    np_network **network = calloc(a->common.words, sizeof *network);
    int status = spec && network ? compare_words(a, spec, network) : cli_fail("no memory for the networks");
    free(spec);
    free(network);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    np_picture_options_init(&a->picture);
    cli_picture_init(&a->picture, NULL, NULL);
}

/* Words are networks: no option takes a text of its own. */
static const np_field *no_more(size_t i)
{
    (void)i;
    return NULL;
}

const cli_verb cli_compare = {
    .name = "compare",
    .help = "networks beside each other: cost, certified throughput, guarantees, failures",
    .subject = "NETWORK...",
    .does =
        "Compares networks: hosts, switches, radix, cables, diameter and mean hops; how much the best routing carries "
        "of all-to-all, of the longest matching and of a matching near the worst, with proof; what the path rules "
        "shortest, spray and valiant guarantee; and what is left of all-to-all when cables fail. Exit status 1 if a "
        "gap was not reached, or --time-limit left something "
        "out.",
    .subjects = {{.list = "networks"}},
    .fields = &fields,
    .more = no_more,
    .init = init,
    .hides = "picture_of, drawing",
    .outputs = "picture",
    .run = run,
};
