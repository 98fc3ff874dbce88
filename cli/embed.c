/* netpram embed GUEST HOST */
#include "command.h"

enum { COUNT_MAX = 1000000 }; /* ours: more is a slip of the pen */

typedef struct arguments {
    cli_common common;
    const char *guest, *host, *embedding, *save;
    bool injective;
    np_report_map map;
    np_embedding_run_options run;
} arguments;

static const cli_option options[] = {
    {.help = "How:"},
    {"embedding", "NAME",
     "As 'netpram list embeddings' has them (default: the first there that embeds the guest in the host)", CLI_TEXT,
     .at = offsetof(arguments, embedding), .list = "embeddings"},
    {"map", "FILE", "By a file of lines 'guest host', and the host's shortest paths", CLI_TEXT,
     .at = offsetof(arguments, map.file)},
    {"indexing", "NAME", "Guest node i on the i-th node of a grid, as 'netpram list indexings' has them", CLI_TEXT,
     .at = offsetof(arguments, map.indexing), .list = "indexings"},
    {"injective", NULL, "With --map: refuse a host node that is taken twice", CLI_FLAG,
     .at = offsetof(arguments, injective)},
    {.help = "What to run:"},
    {"steps", "T", "Steps of the guest (default: 1)", CLI_WHOLE32, .at = offsetof(arguments, run.steps), .low = 1,
     .high = COUNT_MAX},
    {"seed", "N", "Where the order of packets in their first queues comes from (default: 1)", CLI_SEED,
     .at = offsetof(arguments, run.seed)},
    {"tries", "N", "Schedules to try while none is known to be the shortest (default: 16)", CLI_WHOLE32,
     .at = offsetof(arguments, run.tries), .low = 1, .high = COUNT_MAX},
    {.help = "What to report:"},
    {"show", NULL, "Show where the guest's nodes are", CLI_FLAG, .at = offsetof(arguments, map.show)},
    {"save", "FILE", "Write the map, as --map reads it", CLI_TEXT, .at = offsetof(arguments, save)},
    {"format", "table|json", "How to print (default: table)", CLI_FORMAT, .what = "an embedding: it prints"},
    {0},
};

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

/* The exit status: the figures that are stated must be those that are measured. */
static int report(arguments *a, const np_embedding *embedding)
{
    np_embedding_facts facts;
    np_embedding_run_result *run;
    a->run.on_step = on_step;
    cli_interrupt_catch();
    np_status st = np_embedding_measure(embedding, &facts);
    if (st || (st = np_embedding_run(embedding, &a->run, &run))) {
        if (st == NP_ERROR_CANCELLED && cli_interrupted())
            cli_interrupt_die();
        return cli_fail_last();
    }
    if ((a->save && (st = np_embedding_write(embedding, a->save))) ||
        (st = np_report_embed(embedding, &facts, run, &a->map, &a->common.report, stdout)))
        cli_fail_last();
    np_embedding_run_result_free(run);
    return st ? CLI_BAD_INPUT : facts.agrees ? 0 : CLI_CHECK_FAILED;
}

static int check_arguments(const arguments *a)
{
    if (!!a->embedding + !!a->map.file + !!a->map.indexing > 1)
        return cli_fail("--%s beside --%s: one of --embedding, --map and --indexing says where nodes go",
                        a->embedding ? "embedding" : "map", a->map.indexing ? "indexing" : "map");
    if (a->injective && !a->map.file)
        return cli_fail("--injective is for maps of files: name one with --map");
    return 0;
}

static int run(void *self)
{
    arguments *a = self;
    np_network *guest = NULL, *host = NULL;
    np_embedding *embedding = NULL;
    int status = check_arguments(a);
    if (status)
        return status;
    if (np_network_create(a->guest, &guest) || np_network_create(a->host, &host) || make(a, guest, host, &embedding))
        status = cli_fail_last();
    else
        status = report(a, embedding);
    np_embedding_free(embedding);
    np_network_free(host);
    np_network_free(guest);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    np_embedding_run_options_init(&a->run);
}

static const char missing[] = "embed needs a guest and a host, as in: netpram embed torus:16x16 mesh:16x16";

const cli_verb cli_embed = {
    .name = "embed",
    .help = "embed one network in another, measure it, and run the guest on the host",
    .subject = "GUEST HOST",
    .does =
        "Embeds one network, the guest, in another, the host (Sibeyn, lecture notes, embeddings): load, dilation, "
        "congestion and expansion, measured from the paths beside what is stated, and what a step of the guest costs "
        "on the host. Exit status 1 if a figure is not as stated.",
    .subjects = {{"guest", offsetof(arguments, guest), missing}, {"host", offsetof(arguments, host), missing}},
    .parts = {{options, 0}},
    .size = sizeof(arguments),
    .init = init,
    .run = run,
};
