/* netpram sort NETWORK */
#include <string.h>

#include "command.h"
#include "network.h"
#include "record.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    const char *network, *output;
    np_sort_options sort;
    np_record_options record;
    np_picture_options picture;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"output", NP_FIELD_TEXT, AT(output), .help = "Write the sorted keys, of the last run", .placeholder = "FILE",
     .group = "What to sort:"},
    CLI_INSET(arguments, sort, np_sort_options_fields),
    {NULL, NP_FIELD_INSET, AT(common.report), .fields = &np_report_options_fields, .group = "What to report:"},
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, record, np_record_options_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

/* Writes the sorted keys. Nothing is written if the keys did not come out sorted: there is no order to write. */
static int write_keys(const arguments *a, const np_sort_result *result)
{
    if (!a->output)
        return 0;
    if (!result->sorted)
        return cli_say("%s is not written: the keys did not come out sorted", a->output), 0;
    return np_keys_write(result->source, result->order, a->output) ? cli_fail_last() : 0;
}

static int finish(const arguments *a, const np_sort_result *result)
{
    int status = write_keys(a, result);
    if (!status && a->output && result->sorted)
        cli_interrupt_keeps("%s is kept", a->output);
    if (!status && np_report_sort(result, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    return !status && !result->sorted ? CLI_CHECK_FAILED : status;
}

static int on_stage(void *context, const np_sort_seen *seen)
{
    return cli_interrupted() || np_record_sort_stage(context, seen);
}

/* The usual picture shows stages. If nothing else is asked for, no packets are observed. */
static void watch_stages(arguments *a, const cli_record *record)
{
    const np_record_options *f = &a->record;
    if (!a->picture.picture || cli_picture_plays(&a->picture) ||
        (a->picture.picture_of && strcmp(a->picture.picture_of, a->picture.usual) != 0))
        return;
    a->sort.on_stage = on_stage;
    a->sort.on_stage_context = record->record;
    if (!f->trace && !f->links && !f->nodes && !f->packets && !f->steps)
        a->sort.observer = NULL;
}

static int sort(arguments *a, const np_network *network)
{
    cli_record record;
    np_sort_result *result = NULL;
    if (cli_record_begin(&record, &a->common, &a->record, &a->sort.watch, &a->sort.observer))
        return CLI_BAD_INPUT;
    watch_stages(a, &record);
    int status = cli_record_end(&record, np_sort(network, 0, NULL, &a->sort, &result));
    if (!status)
        status = finish(a, result);
    np_sort_result_free(result);
    return status;
}

static np_status heeds(const arguments *a, const np_network *network)
{
    const np_entry *info;
    uint64_t places;
    np_status st;
    if ((st = np_sort_places(network, a->sort.algorithm, &places)) || (st = np_sorter_default(network, &info)))
        return st;
    const char *algorithm = a->sort.algorithm ? a->sort.algorithm : info->name;
    return cli_unheeded(a, &np_sort_options_fields, algorithm, np_sorter_heeds) ? NP_ERROR_APPLY : NP_OK;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    if (cli_network_create(&a->file, a->network, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    int status = heeds(a, network) ? cli_fail_last() : sort(a, network);
    np_network_free(network);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    cli_picture_init(&a->picture, &a->record, "keys");
}

static const cli_rule rules[] = {{"order, keys", "input", NULL, "the keys are those of the file"},
                                 {"kind", NULL, "input", "keys that are made are integers"},
                                 {NULL, NULL, NULL, NULL}};

const cli_verb cli_sort = {
    .name = "sort",
    .help = "sort keys of a file, or made, on a network",
    .subject = "NETWORK",
    .does =
        "Sorts keys on a network, step by step, by an algorithm of the literature (Leighton, Maggs, Ranade & Rao 1994, "
        "sections 8 to 10; Batcher 1968), checks the outcome, and reports the steps in all and by stages. "
        "Exit status 1 if the keys do not come out sorted.",
    .subjects = {{"network", offsetof(arguments, network), "sort needs a network, as in: netpram sort butterfly:8",
                  "networks"}},
    .fields = &fields,
    .rules = rules,
    .outputs = "output, trace, links, nodes, packets, steps, picture",
    .init = init,
    .run = run,
};
