/* netpram embed GUEST HOST */

#include "command.h"
#include "network.h"
#include "record.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    cli_traffic_options demands;
    const char *guest, *host, *embedding, *output;
    bool injective;
    np_report_map map;
    np_embedding_run_options run;
    np_embedding_guest_options guest_run; /* traffic NULL: not given */
    np_record_options record;
    np_picture_options picture;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"embedding", NP_FIELD_TEXT, AT(embedding),
     .help = "As 'netpram list embeddings' has them (default: the first there that embeds the guest in the host)",
     .placeholder = "NAME", .list = "embeddings", .group = "How:"},
    {"map", NP_FIELD_TEXT, AT(map.file), .help = "By a file of lines 'guest host', and the host's shortest paths",
     .placeholder = "FILE"},
    {"indexing", NP_FIELD_TEXT, AT(map.indexing),
     .help = "Guest node i on the i-th node of a grid, as 'netpram list indexings' has them", .placeholder = "NAME",
     .list = "indexings"},
    {"injective", NP_FIELD_BOOL, AT(injective), .help = "With --map: refuse a host node that is taken twice"},
    CLI_INSET(arguments, run, np_embedding_run_options_fields),
    CLI_INSET(arguments, guest_run, np_embedding_guest_options_fields),
    {"show", NP_FIELD_BOOL, AT(map.show), .help = "Show where the guest's nodes are", .group = "What to report:"},
    {"output", NP_FIELD_TEXT, AT(output), .help = "Write the map, as --map reads it", .placeholder = "FILE"},
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, record, np_record_options_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, file, cli_fail_fields),
    CLI_INSET(arguments, demands, cli_traffic_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static np_status make(const arguments *a, const np_network *guest, const np_network *host, np_embedding **out)
{
    if (a->map.file)
        return np_embedding_read(a->map.file, guest, host, a->injective, a->run.memory_limit, out);
    if (a->map.indexing)
        return np_embedding_by_indexing(a->map.indexing, guest, host, a->run.memory_limit, out);
    return np_embedding_create(a->embedding, guest, host, a->run.memory_limit, out);
}

static np_status run_guest(arguments *a, const np_embedding *embedding, const np_embedding_run_result *run,
                           np_embedding_guest_result *out)
{
    np_embedding_guest_options *of_guest = &a->guest_run;
    if (!of_guest->traffic && !of_guest->scheme && !of_guest->file)
        return NP_OK;
    if (!of_guest->traffic)
        of_guest->traffic = "random";
    of_guest->seed = a->run.seed;
    of_guest->watch = a->run.watch;
    of_guest->observer = a->run.observer;
    of_guest->memory_limit = a->run.memory_limit;
    a->map.guest_options = of_guest;
    a->map.guest = out;
    return np_embedding_run_guest(embedding, run, of_guest, out);
}

/* Reports, and returns the exit status: an error if the stated figures differ from the measured ones. */
static int report(arguments *a, const np_embedding *embedding)
{
    np_embedding_facts facts;
    np_embedding_run_result *run = NULL;
    np_embedding_guest_result guest;
    np_status st;
    cli_record record;
    if (cli_record_begin(&record, &a->common, &a->record, &a->run.watch, &a->run.observer))
        return CLI_BAD_INPUT;
    if (!(st = np_embedding_measure(embedding, &facts)) && !(st = np_embedding_run(embedding, &a->run, &run)))
        st = run_guest(a, embedding, run, &guest);
    int status = cli_record_end(&record, st);
    if (!status && ((a->output && np_embedding_write(embedding, a->output)) ||
                    np_report_embed(embedding, &facts, run, &a->map, &a->common.report, cli_report_stream(a))))
        status = cli_fail_last();
    np_embedding_run_result_free(run);
    return status || facts.agrees ? status : CLI_CHECK_FAILED;
}

static int check_arguments(const arguments *a)
{
    if (!!a->embedding + !!a->map.file + !!a->map.indexing > 1)
        return cli_fail("--%s beside --%s: one of --embedding, --map and --indexing says where nodes go",
                        a->embedding ? "embedding" : "map", a->map.indexing ? "indexing" : "map");
    return 0;
}

static int embed(arguments *a, const np_network *guest, const np_network *host)
{
    np_embedding *embedding = NULL;
    cli_traffic traffic = {NULL, NULL};
    int status = np_network_check_connected(guest) || np_network_check_connected(host) ? cli_fail_last() : 0;
    if (!status)
        status = cli_traffic_take(&a->demands, guest, a->run.seed, a->common.quiet, &a->guest_run.traffic, &traffic);
    a->guest_run.packets = traffic.packets;
    if (!status)
        status = make(a, guest, host, &embedding) ||
                         np_report_picture_embedding(embedding, a->common.report.command, &a->picture)
                     ? cli_fail_last()
                     : report(a, embedding);
    np_embedding_free(embedding);
    cli_traffic_clear(&traffic);
    return status;
}

static int run(void *self)
{
    arguments *a = self;
    const char *const specs[] = {a->guest, a->host};
    np_network *network[2];
    int status = check_arguments(a);
    if (status || (status = cli_networks_create(&a->file, 2, specs, a->common.quiet, network)))
        return status;
    status = embed(a, network[0], network[1]);
    np_network_free(network[0]);
    np_network_free(network[1]);
    return status;
}

/* Without --traffic nothing is routed on the guest. */
static void init(void *self)
{
    arguments *a = self;
    a->guest_run.traffic = NULL;
    cli_picture_init(&a->picture, &a->record, "embedding");
}

static const char missing[] = "embed needs a guest and a host, as in: netpram embed torus:16x16 mesh:16x16";

static const cli_rule rules[] = {{"scheme", "schedule", NULL, "the packets go by one of them"},
                                 {"injective", NULL, "map", "it is for maps of files"},
                                 {NULL, NULL, NULL, NULL}};

const cli_verb cli_embed = {
    .name = "embed",
    .help = "embed one network in another, measure it, and run the guest on the host",
    .subject = "GUEST HOST",
    .does =
        "Embeds one network, the guest, in another, the host (Sibeyn, lecture notes, embeddings): load, dilation, "
        "congestion and expansion, measured from the paths beside what is stated, and what a step of the guest costs "
        "on the host. Exit status 1 if a figure is not as stated.",
    .subjects = {{"guest", offsetof(arguments, guest), missing, "networks"},
                 {"host", offsetof(arguments, host), missing, "networks"}},
    .fields = &fields,
    .rules = rules,
    .outputs = "output, trace, links, nodes, packets, steps-table, picture",
    .init = init,
    .run = run,
};
