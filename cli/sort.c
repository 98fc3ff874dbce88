/* netpram sort NETWORK */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    const char *network, *output;
    np_report_keys keys;
    uint64_t count; /* of keys to make; 0: one a place */
    np_sort_options sort;
} arguments;

static np_status set_order(void *place, const char *name, const char *text)
{
    (void)name;
    *(const char **)place = text;
    return np_keys_make(text, 0, 0, 0, NULL);
}

/* An option that the library reads, and that not every algorithm heeds. */
static np_status set_heeded(void *place, const char *name, const char *text)
{
    return np_sort_options_set(place, name, text);
}

static const cli_option options[] = {
    {.help = "What to sort:"},
    {"input", "FILE", "Keys from a file, one a line", CLI_TEXT, .at = offsetof(arguments, keys.input)},
    {"kind", "auto|integers|floats|text",
     "What they are (default: auto: integers if all lines are, else numbers if all are, else text)", CLI_CHOICE,
     .at = offsetof(arguments, keys.kind)},
    {"keys", "N", "Without --input: make N keys (default: one a place)", CLI_WHOLE64, .at = offsetof(arguments, count),
     .low = 1, .high = UINT64_C(1) << 31},
    {"order", "NAME", "In what order, as 'netpram list orders' has them (default: random)", CLI_SET_BARE,
     .at = offsetof(arguments, keys.order), .set = set_order, .list = "orders"},
    {"output", "FILE", "Write the sorted keys, of the last run", CLI_TEXT, .at = offsetof(arguments, output)},
    {.help = "How:"},
    {"algorithm", "NAME", "As 'netpram list sorters' has them (default: the one with the fewest steps on the network)",
     CLI_TEXT, .at = offsetof(arguments, sort.algorithm), .list = "sorters"},
    {"seed", "N", "Where all random choices come from, keys that are made too (default: 1)", CLI_SEED,
     .at = offsetof(arguments, sort.seed)},
    {"runs", "R", "Sort so often, with keys made anew each time (default: 1)", CLI_WHOLE32,
     .at = offsetof(arguments, sort.runs), .low = 1, .high = UINT32_MAX},
    {"threads", "N", "Threads; they change no result (default: 0, one a processor)", CLI_WHOLE32,
     .at = offsetof(arguments, sort.threads), .high = 4096},
    {"queue-size", "Q", "Packets that a queue holds where they are routed (default: 2)", CLI_SET,
     .at = offsetof(arguments, sort), .set = set_heeded},
    {"room", "begin|freed",
     "A queue has room by what it held when the step began, or also once a packet leaves (default: begin)", CLI_SET,
     .at = offsetof(arguments, sort), .set = set_heeded},
    {.help = "Constants of the randomized algorithms:"},
    {"candidates", "X", "Candidates for splitters of a block of M inputs, expected, in units of sqrt(M) (default: 2/3)",
     CLI_SET, .at = offsetof(arguments, sort), .set = set_heeded},
    {"oversampling", "N", "Every N-th candidate is a splitter (default: 4)", CLI_SET, .at = offsetof(arguments, sort),
     .set = set_heeded},
    {"lightness", "N", "The recursive part gets 1/2^N key an input at most (default: 2)", CLI_SET,
     .at = offsetof(arguments, sort), .set = set_heeded},
    {"cutoff", "N", "Blocks of N inputs or fewer are not split any further (default: 512)", CLI_SET,
     .at = offsetof(arguments, sort), .set = set_heeded},
    {"redraws", "N", "A block draws so many new sets of splitters before it gives up (default: 3)", CLI_SET,
     .at = offsetof(arguments, sort), .set = set_heeded},
    {"group", "N", "Rows, up to 64, that get one interval of the keys in the full sort (default: 2)", CLI_SET,
     .at = offsetof(arguments, sort), .set = set_heeded},
    {.help = "What to report:"},
    {"format", "table|json|csv", "How to print (default: table)", .kind = CLI_FORMAT},
    {0},
};

/* What a sort calls back with. */
typedef struct sorting {
    const arguments *arguments;
    cli_progress progress;
} sorting;

static void draw_keys(void *context, uint32_t run, size_t count, uint64_t *key)
{
    const arguments *a = ((const sorting *)context)->arguments;
    (void)!np_keys_make(a->keys.order, count, a->sort.seed, run, key); /* the name was checked when it was read */
}

static int on_progress(void *context, uint32_t run, const char *stage, uint64_t steps)
{
    sorting *s = context;
    char what[96];
    snprintf(what, sizeof what, "run %u, %s: %llu steps", run, stage, (unsigned long long)steps);
    cli_progress_share(&s->progress, (double)run / s->arguments->sort.runs, what);
    return cli_interrupted();
}

/* Keys that are made are made again, in the order of the last run. */
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

/* The sorted keys. What did not come out sorted is in no order that can be told: nothing is written. */
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
    if (!status && np_report_sort(result, &a->keys, &a->common.report, stdout))
        status = cli_fail_last();
    return !status && !result->sorted ? CLI_CHECK_FAILED : status;
}

static int sort(arguments *a, const np_network *network, const np_keys *keys)
{
    sorting context = {.arguments = a};
    np_sort_result *result;
    cli_progress_init(&context.progress, a->common.progress, a->common.quiet);
    cli_interrupt_catch();
    if (!keys)
        a->sort.draw_keys = draw_keys;
    a->sort.on_progress = on_progress;
    a->sort.context = &context;
    np_status st = np_sort(network, a->count, keys ? np_keys_words(keys) : NULL, &a->sort, &result);
    int status = cli_progress_end(&context.progress, st);
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
    for (const cli_option *o = NULL; !st && (o = cli_given_after(a, o));)
        if (o->set == set_heeded)
            st = np_sorter_heeds(a->sort.algorithm ? a->sort.algorithm : info->name, o->name);
    return st;
}

/* The keys' number, and those of the file. */
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
    if (np_network_create(a->network, &network))
        return cli_fail_last();
    int status = gather(a, network, &keys) ? cli_fail_last() : sort(a, network, keys);
    np_keys_free(keys);
    np_network_free(network);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    np_sort_options_init(&a->sort);
}

const cli_verb cli_sort = {
    .name = "sort",
    .help = "sort keys of a file, or made, on a network",
    .subject = "NETWORK",
    .does =
        "Sorts keys on a network, step by step, by an algorithm of the literature (Leighton, Maggs, Ranade & Rao 1994, "
        "sections 8 to 10; Batcher 1968), checks the outcome, and reports the steps in all and by stages. "
        "Exit status 1 if the keys do not come out sorted.",
    .subjects = {{"network", offsetof(arguments, network), "sort needs a network, as in: netpram sort butterfly:8"}},
    .parts = {{options, 0}, {cli_progress_options, 0}},
    .size = sizeof(arguments),
    .init = init,
    .run = run,
};
