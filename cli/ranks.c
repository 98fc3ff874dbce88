/* netpram ranks NETWORK */
#include <errno.h>
#include <stdlib.h>

#include "command.h"
#include "progress.h"

enum {
    KEY_TRAFFIC = 256,
    KEY_QUEUE_SIZE,
    KEY_ROOM,
    KEY_RANK_RANGE,
    KEY_SEED,
    KEY_ROUNDS,
    KEY_OUTPUT,
    KEY_INPUT,
    KEY_FORMAT,
    KEY_PROGRESS,
    KEY_QUIET
};

enum { ROUNDS_MAX = 1000 };

typedef struct arguments {
    const char *spec, *traffic, *output, *input;
    np_ranking_options ranking;
    np_report_options report;
    bool seed_given, progress, quiet;
} arguments;

/* What the callback sees. */
typedef struct watch {
    cli_progress progress;
    uint32_t rounds;
} watch;

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What is to be routed:", 1},
    {"traffic", KEY_TRAFFIC, "SPEC", 0, "Who sends to whom, or file:PATH (default: random, a permutation)", 1},
    {"queue-size", KEY_QUEUE_SIZE, "Q", 0, "Packets that a queue holds besides a ghost (default: 2)", 1},
    {"room", KEY_ROOM, "begin|freed", 0,
     "A queue has room by what it held when the step began, or also once a packet leaves (default: begin)", 1},
    {"seed", KEY_SEED, "N", 0, "Where random traffic and paths come from (default: 1)", 1},
    {NULL, 0, NULL, 0, "Its ranks:", 2},
    {"rank-range", KEY_RANK_RANGE, "R", 0,
     "Ranks are in 1..R (default: c + L + log2 N, rounded up, of the phase where that is most; of a file: the largest "
     "in "
     "it)",
     2},
    {"rounds", KEY_ROUNDS, "N", 0, "Try at most N times to do better than promised (default: 4)", 2},
    {"output", KEY_OUTPUT, "FILE", 0, "Write the ranks to FILE, for route --ranks file:FILE", 2},
    {"input", KEY_INPUT, "FILE", 0, "Find none, but check those of FILE: exit status 1 if they break its promise", 2},
    {NULL, 0, NULL, 0, "What to report:", 3},
    {"format", KEY_FORMAT, "table|json", 0, "How to print (default: table)", 3},
    {"progress", KEY_PROGRESS, NULL, 0, "Show progress even if stderr is no terminal", 3},
    {"quiet", KEY_QUIET, NULL, 0, "Show no progress", 3},
    {0},
};

static error_t parse_merging(arguments *a, const char *name, const char *text)
{
    if (!np_merge_options_set(&a->ranking.merge, name, text))
        return 0;
    cli_fail("--%s: %s", name, np_last_error());
    return EINVAL;
}

static error_t parse_number(int key, const char *text, np_ranking_options *ranking)
{
    uint64_t value = 0;
    error_t failed = 0;
    if (key == KEY_SEED && !(failed = cli_number("seed", text, 0, INT64_MAX, &value)))
        ranking->seed = value;
    else if (key == KEY_ROUNDS && !(failed = cli_number("rounds", text, 0, ROUNDS_MAX, &value)))
        ranking->rounds = (uint32_t)value;
    return failed;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_TRAFFIC:
        a->traffic = text;
        return 0;
    case KEY_QUEUE_SIZE:
        return parse_merging(a, "queue-size", text);
    case KEY_ROOM:
        return parse_merging(a, "room", text);
    case KEY_RANK_RANGE:
        return parse_merging(a, "rank-range", text);
    case KEY_SEED:
        a->seed_given = true;
        return parse_number(key, text, &a->ranking);
    case KEY_ROUNDS:
        return parse_number(key, text, &a->ranking);
    case KEY_OUTPUT:
        a->output = text;
        return 0;
    case KEY_INPUT:
        a->input = text;
        return 0;
    case KEY_FORMAT:
        return cli_format(text, &a->report.format);
    case KEY_PROGRESS:
        a->progress = true;
        return 0;
    case KEY_QUIET:
        a->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        return cli_old_subject("network", text, &a->spec);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void on_progress(void *context, uint32_t round, double share)
{
    watch *w = context;
    char what[64];
    snprintf(what, sizeof what, "attempt %u of at most %u", round + 1, w->rounds + 1);
    cli_progress_share(&w->progress, (round + share) / (w->rounds + 1.0), what);
}

static int find(arguments *a, const np_network *network, np_ranking **ranking)
{
    watch w = {.rounds = a->ranking.rounds};
    np_status st;
    cli_progress_init(&w.progress, a->progress, a->quiet);
    a->ranking.context = &w;
    if (w.progress.on)
        a->ranking.on_progress = on_progress;
    if (a->input)
        st = np_ranking_load(network, a->traffic, &a->ranking, a->input, ranking);
    else
        st = np_ranking_find(network, a->traffic, &a->ranking, ranking);
    cli_progress_clear(&w.progress);
    if (!st && a->output)
        st = np_ranking_save(*ranking, a->output);
    return st ? cli_fail_last() : 0;
}

static int run(arguments *a)
{
    np_network *network;
    np_ranking *ranking = NULL;
    if (a->report.format == NP_REPORT_CSV)
        return cli_fail("no format 'csv' for ranks: they print as 'table' or 'json'");
    if (a->input && a->output)
        return cli_fail("--output writes ranks that are found, --input finds none: one of the two");
    if (np_network_create(a->spec, &network))
        return cli_fail_last();
    int status = find(a, network, &ranking);
    if (!status && np_report_ranking(ranking, &a->report, stdout))
        status = cli_fail_last();
    if (!status && !ranking->kept)
        status = CLI_CHECK_FAILED;
    np_ranking_free(ranking);
    np_network_free(network);
    return status;
}

int cli_ranks(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "NETWORK",
        "Finds ranks for a routing by scheme ranked, once and without chance, with a promise of how many steps it will "
        "take (Leighton, Maggs, Ranade & Rao 1994, section 11); for small instances. Ranks are for one network, "
        "traffic and seed: those of run 0.",
        NULL,
        NULL,
        NULL};
    arguments a = {.traffic = "random"};
    np_ranking_options_init(&a.ranking);
    int status;
    char *command = cli_begin(&argp, argc, argv, &a, &a.seed_given, &status);
    a.report.command = command;
    if (!status)
        status = a.spec ? run(&a) : cli_fail("ranks needs a network, as in 'netpram ranks butterfly-io:4'");
    free(command);
    return status;
}
