/* netpram embed GUEST HOST */
#include <errno.h>
#include <stdlib.h>

#include "command.h"

enum {
    KEY_EMBEDDING = 256,
    KEY_MAP,
    KEY_INDEXING,
    KEY_INJECTIVE,
    KEY_STEPS,
    KEY_SEED,
    KEY_TRIES,
    KEY_TRAFFIC,
    KEY_SCHEME,
    KEY_SCHEDULE,
    KEY_SHOW,
    KEY_SAVE,
    KEY_FORMAT
};

typedef struct arguments {
    const char *guest, *host, *embedding, *save;
    bool injective, seed_given;
    np_report_map map;
    np_embedding_run_options run;
    np_embedding_guest_options guest_run;
    bool traffic; /* the guest runs packets of its own */
    np_report_options report;
} arguments;

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "How:", 1},
    {"embedding", KEY_EMBEDDING, "NAME", 0,
     "As 'netpram list embeddings' has them (default: the first there that embeds the guest in the host)", 1},
    {"map", KEY_MAP, "FILE", 0, "By a file of lines 'guest host', and the host's shortest paths", 1},
    {"indexing", KEY_INDEXING, "NAME", 0,
     "Guest node i on the i-th node of a grid, as 'netpram list indexings' has them", 1},
    {"injective", KEY_INJECTIVE, NULL, 0, "With --map: refuse a host node that is taken twice", 1},
    {NULL, 0, NULL, 0, "What to run:", 2},
    {"steps", KEY_STEPS, "T", 0, "Steps of the guest (default: 1)", 2},
    {"seed", KEY_SEED, "N", 0,
     "Where random traffic and the order of packets in their first queues come from (default: 1)", 2},
    {"tries", KEY_TRIES, "N", 0, "Schedules to try while none is known to be the shortest (default: 16)", 2},
    {"traffic", KEY_TRAFFIC, "SPEC", 0,
     "Route this traffic on the guest too, and carry out on the host what moves in each step", 2},
    {"scheme", KEY_SCHEME, "NAME", 0, "How to route it (default: the guest's first in 'netpram list schemes')", 2},
    {"schedule", KEY_SCHEDULE, "FILE", 0, "By the hops of a file, as 'netpram schedule' writes them", 2},
    {NULL, 0, NULL, 0, "What to report:", 3},
    {"show", KEY_SHOW, NULL, 0, "Show where the guest's nodes are", 3},
    {"save", KEY_SAVE, "FILE", 0, "Write the map, as --map reads it", 3},
    {"format", KEY_FORMAT, "table|json|csv", 0, "How to print (default: table)", 3},
    {0},
};

static error_t parse_subject(arguments *a, const char *text)
{
    if (!a->guest)
        a->guest = text;
    else
        return cli_subject("host", text, &a->host);
    return 0;
}

static error_t parse_count(const char *name, const char *text, uint32_t *out)
{
    uint64_t value = 0;
    error_t failed = cli_number(name, text, 1, 1000000, &value); /* ours: more is a slip of the pen */
    if (!failed)
        *out = (uint32_t)value;
    return failed;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_EMBEDDING:
        a->embedding = text;
        return 0;
    case KEY_MAP:
        a->map.file = text;
        return 0;
    case KEY_INDEXING:
        a->map.indexing = text;
        return 0;
    case KEY_INJECTIVE:
        a->injective = true;
        return 0;
    case KEY_STEPS:
        return parse_count("steps", text, &a->run.steps);
    case KEY_SEED:
        a->seed_given = true;
        return cli_number("seed", text, 0, INT64_MAX, &a->run.seed);
    case KEY_TRIES:
        return parse_count("tries", text, &a->run.tries);
    case KEY_TRAFFIC:
        a->traffic = true;
        a->guest_run.traffic = text;
        return 0;
    case KEY_SCHEME:
        a->traffic = true;
        a->guest_run.scheme = text;
        return 0;
    case KEY_SCHEDULE:
        a->traffic = true;
        a->guest_run.file = text;
        return 0;
    case KEY_SHOW:
        a->map.show = true;
        return 0;
    case KEY_SAVE:
        a->save = text;
        return 0;
    case KEY_FORMAT:
        return cli_format(text, &a->report.format);
    case ARGP_KEY_ARG:
        return parse_subject(a, text);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int on_step(void *context, uint32_t done)
{
    (void)context, (void)done;
    return cli_interrupted();
}

static np_status make(const arguments *a, const np_network *guest, const np_network *host, np_embedding **out)
{
    if (a->map.file)
        return np_embedding_read(a->map.file, guest, host, a->injective, out);
    if (a->map.indexing)
        return np_embedding_by_indexing(a->map.indexing, guest, host, out);
    return np_embedding_create(a->embedding, guest, host, out);
}

static np_status run_guest(arguments *a, const np_embedding *embedding, const np_embedding_run_result *run,
                           np_embedding_guest_result *out)
{
    if (!a->traffic)
        return NP_OK;
    a->guest_run.seed = a->run.seed;
    a->guest_run.on_step = on_step;
    a->map.guest_options = &a->guest_run;
    a->map.guest = out;
    return np_embedding_run_guest(embedding, run, &a->guest_run, out);
}

/* The exit status: the figures that are stated must be those that are measured. */
static int report(arguments *a, const np_embedding *embedding)
{
    np_embedding_facts facts;
    np_embedding_run_result *run = NULL;
    np_embedding_guest_result guest;
    np_status st;
    a->run.on_step = on_step;
    cli_interrupt_catch();
    if ((st = np_embedding_measure(embedding, &facts)) || (st = np_embedding_run(embedding, &a->run, &run)) ||
        (st = run_guest(a, embedding, run, &guest))) {
        if (st == NP_ERROR_CANCELLED && cli_interrupted())
            cli_interrupt_die();
        cli_fail_last();
    } else if ((a->save && (st = np_embedding_write(embedding, a->save))) ||
               (st = np_report_embed(embedding, &facts, run, &a->map, &a->report, stdout)))
        cli_fail_last();
    np_embedding_run_result_free(run);
    return st ? CLI_BAD_INPUT : facts.agrees ? 0 : CLI_CHECK_FAILED;
}

static int check_arguments(const arguments *a)
{
    if (!a->guest || !a->host)
        return cli_fail("embed needs a guest and a host, as in: netpram embed torus:16x16 mesh:16x16");
    if (!!a->embedding + !!a->map.file + !!a->map.indexing > 1)
        return cli_fail("--%s beside --%s: one of --embedding, --map and --indexing says where nodes go",
                        a->embedding ? "embedding" : "map", a->map.indexing ? "indexing" : "map");
    if (a->guest_run.scheme && a->guest_run.file)
        return cli_fail("--scheme beside --schedule: the packets go by one of them");
    if (a->injective && !a->map.file)
        return cli_fail("--injective is for maps of files: name one with --map");
    return 0;
}

static int run(arguments *a)
{
    np_network *guest = NULL, *host = NULL;
    np_embedding *embedding = NULL;
    int status = check_arguments(a);
    if (status)
        return status;
    if (np_network_create(a->guest, &guest) || np_network_check_connected(guest) ||
        np_network_create(a->host, &host) || np_network_check_connected(host) || make(a, guest, host, &embedding))
        status = cli_fail_last();
    else
        status = report(a, embedding);
    np_embedding_free(embedding);
    np_network_free(host);
    np_network_free(guest);
    return status;
}

int cli_embed(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "GUEST HOST",
        "Embeds one network, the guest, in another, the host (Sibeyn, lecture notes, embeddings): load, dilation, "
        "congestion and expansion, measured from the paths beside what is stated, and what a step of the guest costs on the host. "
        "Exit status 1 if a figure is not as stated.",
        NULL,
        NULL,
        NULL};
    arguments a = {.guest = NULL};
    np_embedding_run_options_init(&a.run);
    np_embedding_guest_options_init(&a.guest_run);
    int status;
    char *command = cli_begin(&argp, argc, argv, &a, &a.seed_given, &status);
    a.report.command = command;
    if (!status)
        status = run(&a);
    free(command);
    return status;
}
