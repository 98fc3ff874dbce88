/* netpram sort NETWORK */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "command.h"
#include "progress.h"

enum {
    KEY_ALGORITHM = 256,
    KEY_INPUT,
    KEY_KIND,
    KEY_KEYS,
    KEY_ORDER,
    KEY_SEED,
    KEY_RUNS,
    KEY_OUTPUT,
    KEY_THREADS,
    KEY_QUEUE_SIZE,
    KEY_ROOM,
    KEY_CANDIDATES,
    KEY_OVERSAMPLING,
    KEY_LIGHTNESS,
    KEY_CUTOFF,
    KEY_REDRAWS,
    KEY_GROUP,
    KEY_FORMAT,
    KEY_PROGRESS,
    KEY_QUIET
};

typedef struct arguments {
    const char *network, *output;
    const char *made;  /* the last option that was given and is for keys that are made */
    const char *given[KEY_GROUP - KEY_QUEUE_SIZE + 1]; /* those given that not every algorithm heeds, by key; or NULL */
    np_report_keys keys;
    uint64_t count; /* of keys to make; 0: one a place */
    np_sort_options sort;
    np_report_options report;
    bool kind_given, seed_given, progress, quiet;
} arguments;

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What to sort:", 1},
    {"input", KEY_INPUT, "FILE", 0, "Keys from a file, one a line", 1},
    {"kind", KEY_KIND, "auto|integers|floats|text", 0,
     "What they are (default: auto: integers if all lines are, else numbers if all are, else text)", 1},
    {"keys", KEY_KEYS, "N", 0, "Without --input: make N keys (default: one a place)", 1},
    {"order", KEY_ORDER, "NAME", 0, "In what order, as 'netpram list orders' has them (default: random)", 1},
    {"output", KEY_OUTPUT, "FILE", 0, "Write the sorted keys, of the last run", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"algorithm", KEY_ALGORITHM, "NAME", 0,
     "As 'netpram list sorters' has them (default: the one with the fewest steps on the network)", 2},
    {"seed", KEY_SEED, "N", 0, "Where all random choices come from, keys that are made too (default: 1)", 2},
    {"runs", KEY_RUNS, "R", 0, "Sort so often, with keys made anew each time (default: 1)", 2},
    {"threads", KEY_THREADS, "N", 0, "Threads; they change no result (default: 0, one a processor)", 2},
    {"queue-size", KEY_QUEUE_SIZE, "Q", 0, "Packets that a queue holds where they are routed (default: 2)", 2},
    {"room", KEY_ROOM, "begin|freed", 0,
     "A queue has room by what it held when the step began, or also once a packet leaves (default: begin)", 2},
    {NULL, 0, NULL, 0, "Constants of the randomized algorithms:", 3},
    {"candidates", KEY_CANDIDATES, "X", 0,
     "Candidates for splitters of a block of M inputs, expected, in units of sqrt(M) (default: 2/3)", 3},
    {"oversampling", KEY_OVERSAMPLING, "N", 0, "Every N-th candidate is a splitter (default: 4)", 3},
    {"lightness", KEY_LIGHTNESS, "N", 0, "The recursive part gets 1/2^N key an input at most (default: 2)", 3},
    {"cutoff", KEY_CUTOFF, "N", 0, "Blocks of N inputs or fewer are not split any further (default: 512)", 3},
    {"redraws", KEY_REDRAWS, "N", 0, "A block draws so many new sets of splitters before it gives up (default: 3)", 3},
    {"group", KEY_GROUP, "N", 0, "Rows, up to 64, that get one interval of the keys in the full sort (default: 2)", 3},
    {NULL, 0, NULL, 0, "What to report:", 4},
    {"format", KEY_FORMAT, "table|json|csv", 0, "How to print (default: table)", 4},
    {"progress", KEY_PROGRESS, NULL, 0, "Show progress even if stderr is no terminal", 4},
    {"quiet", KEY_QUIET, NULL, 0, "Show no progress", 4},
    {0},
};

static error_t parse_runs(arguments *a, const char *text)
{
    uint64_t value = 0;
    error_t failed = cli_number("runs", text, 1, UINT32_MAX, &value);
    a->sort.runs = (uint32_t)value;
    return failed;
}

static error_t parse_kind(arguments *a, const char *text)
{
    const char *names[NP_KEYS_TEXT + 1];
    a->kind_given = true;
    for (np_key_kind kind = NP_KEYS_AUTO; kind <= NP_KEYS_TEXT; kind++) {
        names[kind] = np_keys_kind_name(kind);
        if (!strcmp(text, names[kind])) {
            a->keys.kind = kind;
            return 0;
        }
    }
    cli_fail("--kind %s: did you mean '%s'?", text, np_parse_nearest(text, names, NP_KEYS_TEXT + 1));
    return EINVAL;
}

static error_t parse_order(arguments *a, const char *text)
{
    a->made = "order";
    a->keys.order = text;
    if (!np_keys_make(text, 0, 0, 0, NULL))
        return 0;
    cli_fail_last();
    return EINVAL;
}

/* An option that the library reads, and that not every algorithm heeds. */
static error_t parse_option(arguments *a, int key, const char *name, const char *text)
{
    a->given[key - KEY_QUEUE_SIZE] = name;
    if (!np_sort_options_set(&a->sort, name, text))
        return 0;
    cli_fail("--%s: %s", name, np_last_error());
    return EINVAL;
}

static error_t parse_threads(arguments *a, const char *text)
{
    uint64_t value = 0;
    error_t failed = cli_number("threads", text, 0, 4096, &value);
    a->sort.threads = (unsigned)value;
    return failed;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_ALGORITHM:
        a->sort.algorithm = text;
        return 0;
    case KEY_INPUT:
        a->keys.input = text;
        return 0;
    case KEY_KIND:
        return parse_kind(a, text);
    case KEY_KEYS:
        a->made = "keys";
        return cli_number("keys", text, 1, UINT64_C(1) << 31, &a->count);
    case KEY_ORDER:
        return parse_order(a, text);
    case KEY_OUTPUT:
        a->output = text;
        return 0;
    case KEY_SEED:
        a->seed_given = true;
        return cli_number("seed", text, 0, INT64_MAX, &a->sort.seed);
    case KEY_THREADS:
        return parse_threads(a, text);
    case KEY_QUEUE_SIZE:
        return parse_option(a, key, "queue-size", text);
    case KEY_ROOM:
        return parse_option(a, key, "room", text);
    case KEY_CANDIDATES:
        return parse_option(a, key, "candidates", text);
    case KEY_OVERSAMPLING:
        return parse_option(a, key, "oversampling", text);
    case KEY_LIGHTNESS:
        return parse_option(a, key, "lightness", text);
    case KEY_CUTOFF:
        return parse_option(a, key, "cutoff", text);
    case KEY_REDRAWS:
        return parse_option(a, key, "redraws", text);
    case KEY_GROUP:
        return parse_option(a, key, "group", text);
    case KEY_RUNS:
        return parse_runs(a, text);
    case KEY_FORMAT:
        return cli_format(text, &a->report.format);
    case KEY_PROGRESS:
        a->progress = true;
        return 0;
    case KEY_QUIET:
        a->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        return cli_old_subject("network", text, &a->network);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

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
    if (!status && np_report_sort(result, &a->keys, &a->report, stdout))
        status = cli_fail_last();
    return !status && !result->sorted ? CLI_CHECK_FAILED : status;
}

static int sort(arguments *a, const np_network *network, const np_keys *keys)
{
    sorting context = {.arguments = a};
    np_sort_result *result;
    cli_progress_init(&context.progress, a->progress, a->quiet);
    cli_interrupt_catch();
    if (!keys)
        a->sort.draw_keys = draw_keys;
    a->sort.on_progress = on_progress;
    a->sort.context = &context;
    np_status st = np_sort(network, a->count, keys ? np_keys_words(keys) : NULL, &a->sort, &result);
    cli_progress_clear(&context.progress);
    if (st == NP_ERROR_CANCELLED && cli_interrupted())
        cli_interrupt_die();
    if (st)
        return cli_fail_last();
    int status = finish(a, keys, result);
    np_sort_result_free(result);
    return status;
}

static np_status heeds(const arguments *a, const np_network *network)
{
    const np_sorter_info *info;
    np_status st = np_sorter_default(network, &info);
    for (size_t i = 0; i < sizeof a->given / sizeof *a->given && !st; i++)
        if (a->given[i])
            st = np_sorter_heeds(a->sort.algorithm ? a->sort.algorithm : info->name, a->given[i]);
    return st;
}

/* The keys' number, and those of the file. */
static np_status gather(arguments *a, const np_network *network, np_keys **keys)
{
    np_status st;
    uint64_t places;
    if ((st = np_sort_places(network, a->sort.algorithm, &places)) || (st = heeds(a, network))) /* before a long file is read */
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

static int run(arguments *a)
{
    np_network *network;
    np_keys *keys = NULL;
    if (!a->network)
        return cli_fail("sort needs a network, as in: netpram sort butterfly:8");
    if (a->keys.input && a->made)
        return cli_fail("--%s is for keys that are made: with --input they are those of the file", a->made);
    if (a->kind_given && !a->keys.input)
        return cli_fail("--kind is for the keys of a file: name it with --input");
    if (np_network_create(a->network, &network))
        return cli_fail_last();
    int status = gather(a, network, &keys) ? cli_fail_last() : sort(a, network, keys);
    np_keys_free(keys);
    np_network_free(network);
    return status;
}

int cli_sort(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "NETWORK",
        "Sorts keys on a network, step by step, by an algorithm of the literature (Leighton, Maggs, Ranade & Rao 1994, "
        "sections 8 to 10; Batcher 1968), checks the outcome, and reports the steps in all and by stages. "
        "Exit status 1 if the keys do not come out sorted.",
        NULL,
        NULL,
        NULL};
    arguments a = {.network = NULL};
    np_sort_options_init(&a.sort);
    int status;
    char *command = cli_begin(&argp, argc, argv, &a, &a.seed_given, &status);
    a.report.command = command;
    if (!status)
        status = run(&a);
    free(command);
    return status;
}
