/* netpram sort NETWORK */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "network.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    const char *network, *output;
    np_report_keys keys;
    uint64_t count; /* number of keys to make; 0: one a place */
    np_sort_options sort;
} arguments;

#define AT(member) offsetof(arguments, member)

static np_status set_order(void *object, const np_field *field, const char *text)
{
    (void)field;
    ((arguments *)object)->keys.order = text;
    return np_keys_make(text, 0, 0, 0, NULL);
}

static const np_field rows[] = {
    {"input", NP_FIELD_TEXT, AT(keys.input), .help = "Keys from a file, one a line", .placeholder = "FILE",
     .group = "What to sort:"},
    {"kind", NP_FIELD_WORD, AT(keys.kind),
     .help = "What they are (default: auto: integers if all lines are, else numbers if all are, else text)",
     .words = np_keys_kind_words},
    {"keys", NP_FIELD_U64, AT(count), .help = "Without --input: make N keys (default: one a place)", .low = 1,
     .high = UINT64_C(1) << 31, .placeholder = "N"},
    {"order", NP_FIELD_TEXT, AT(keys.order),
     .help = "In what order, as 'netpram list orders' has them (default: random)", .placeholder = "NAME",
     .list = "orders", .set = set_order, .flags = NP_FIELD_SAYS},
    {"output", NP_FIELD_TEXT, AT(output), .help = "Write the sorted keys, of the last run", .placeholder = "FILE"},
    CLI_INSET(arguments, sort, np_sort_options_fields),
    {NULL, NP_FIELD_INSET, AT(common.report), .fields = &np_report_options_fields, .group = "What to report:"},
    CLI_INSET(arguments, common, cli_progress_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static void draw_keys(void *context, uint32_t run, size_t count, uint64_t *key)
{
    const arguments *a = context;
    (void)!np_keys_make(a->keys.order, count, a->sort.seed, run, key); /* the name was checked when it was read */
}

/* Writes keys that were made: makes them again, and writes them in the order of the last run. */
static np_status write_made(const arguments *a, const np_sort_result *result)
{
    uint64_t *key = malloc(result->keys * sizeof *key);
    if (!key) {
        cli_fail("no memory for %llu keys", (unsigned long long)result->keys);
        return NP_ERROR_MEMORY;
    }
    np_status st = np_keys_make(a->keys.order, result->keys, a->sort.seed, a->sort.runs - 1, key);
    if (!st)
        st = np_keys_write_words(result->keys, key, result->order, a->output);
    if (st)
        cli_fail_last();
    free(key);
    return st;
}

/* Writes the sorted keys. Nothing is written if the keys did not come out sorted: there is no order to write. */
static int write_keys(const arguments *a, const np_keys *keys, const np_sort_result *result)
{
    if (!a->output)
        return 0;
    if (!result->sorted)
        return cli_say("%s is not written: the keys did not come out sorted", a->output), 0;
    if (!keys)
        return write_made(a, result) ? CLI_BAD_INPUT : 0;
    return np_keys_write(keys, result->order, a->output) ? cli_fail_last() : 0;
}

static int finish(const arguments *a, const np_keys *keys, const np_sort_result *result)
{
    int status = write_keys(a, keys, result);
    if (!status && a->output && result->sorted)
        cli_interrupt_keeps("%s is kept", a->output);
    if (!status && np_report_sort(result, &a->keys, &a->common.report, cli_report_stream(a->output)))
        status = cli_fail_last();
    return !status && !result->sorted ? CLI_CHECK_FAILED : status;
}

static int sort(arguments *a, const np_network *network, const np_keys *keys)
{
    cli_progress progress;
    np_sort_result *result;
    if (!keys)
        a->sort.draw_keys = draw_keys;
    a->sort.context = a;
    a->sort.watch = cli_progress_start(&progress, &a->common);
    np_status st = np_sort(network, a->count, keys ? np_keys_words(keys) : NULL, &a->sort, &result);
    int status = cli_progress_end(&progress, st);
    if (status)
        return status;
    status = finish(a, keys, result);
    np_sort_result_free(result);
    return status;
}

static np_status heeds(const arguments *a, const np_network *network)
{
    const np_entry *info;
    np_status st = np_sorter_default(network, &info);
    if (st)
        return st;
    const char *algorithm = a->sort.algorithm ? a->sort.algorithm : info->name;
    return cli_unheeded(a, &np_sort_options_fields, algorithm, np_sorter_heeds) ? NP_ERROR_APPLY : NP_OK;
}

/* Sets the number of keys, and reads the keys of a file. */
static np_status gather(arguments *a, const np_network *network, np_keys **keys)
{
    np_status st;
    uint64_t places;
    if ((st = np_sort_places(network, a->sort.algorithm, &places)) ||
        (st = heeds(a, network))) /* before a long file is read */
        return st;
    if (!a->keys.input) {
        a->keys.order = a->keys.order ? a->keys.order : "random";
        a->count = a->count ? a->count : places;
        return NP_OK;
    }
    if ((st = np_keys_read(a->keys.input, a->keys.kind, keys)))
        return st;
    a->count = np_keys_count(*keys);
    a->keys.kind = np_keys_kind(*keys);
    return NP_OK;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *network;
    np_keys *keys = NULL;
    const char *made = cli_given(a, "keys") ? "keys" : cli_given(a, "order") ? "order" : NULL;
    if (a->keys.input && made)
        return cli_fail("--%s is for keys that are made: with --input they are those of the file", made);
    if (cli_given(a, "kind") && !a->keys.input)
        return cli_fail("--kind is for the keys of a file: name it with --input");
    if (cli_network_create_plain(a->network, a->common.quiet, &network))
        return CLI_BAD_INPUT;
    int status = gather(a, network, &keys) ? cli_fail_last() : sort(a, network, keys);
    np_keys_free(keys);
    np_network_free(network);
    return status;
}

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
    .outputs = "output",
    .run = run,
};
