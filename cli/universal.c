/* netpram universal --guest NETWORK */
#include "command.h"
#include "merging.h"

typedef struct arguments {
    cli_common common;
    const char *guest, *buses;
    bool map;
    np_universal_options universal;
} arguments;

static const cli_option options[] = {
    {.help = "What to simulate:"},
    {"guest", "NETWORK", "A network: in a step each of its links carries a packet", CLI_SUBJECT,
     .at = offsetof(arguments, guest)},
    {"buses", "FILE", "Instead: shared buses, lines 'name: node node ...'; packets to one bus combine where they meet",
     CLI_TEXT, .at = offsetof(arguments, buses)},
    {"layout", "FILE",
     "Where its nodes are, lines 'node x y' (default: the coordinates of a mesh, torus, array or ring)", CLI_TEXT,
     .at = offsetof(arguments, universal.layout)},
    {"steps", "FILE",
     "What its steps send, lines 'step from to', a link each, or 'step node bus' (default: one step, with a packet "
     "over "
     "every link)",
     CLI_TEXT, .at = offsetof(arguments, universal.steps)},
    {"schedule", "FILE", "Instead: lines 'step packet link', as netpram schedule --output writes them", CLI_TEXT,
     .at = offsetof(arguments, universal.schedule)},
    {"traffic", "SPEC", "Instead: the steps of a routing on the guest, by queues, first come first served", CLI_TEXT,
     .at = offsetof(arguments, universal.traffic)},
    {"paths", "NAME", "How that routes (default: greedy, by shortest paths)", CLI_TEXT,
     .at = offsetof(arguments, universal.paths), .list = "paths"},
    {"partition", NULL, "Divide it by METIS even if it has coordinates (default: if it has none)", CLI_FLAG,
     .at = offsetof(arguments, universal.partition)},
    {.help = "How:"},
    {"volume", NULL, "On the volume-universal network: meshes of up to three dimensions, layouts 'node x y z'",
     CLI_FLAG, .at = offsetof(arguments, universal.volume)},
    {"offline", NULL, "Paths and ranks found off line, without random bits, once for all steps", CLI_FLAG,
     .at = offsetof(arguments, universal.offline)},
    {"height", "M",
     "U is universal:M, or universal-3d:M (default: of the guest's area, or without coordinates the least with load "
     "factor <= log2 N)",
     CLI_WHOLE32, .at = offsetof(arguments, universal.height), .low = 1, .high = 10},
    {"seed", "N", "Where all random choices come from (default: 1)", CLI_SEED,
     .at = offsetof(arguments, universal.seed)},
    {"runs", "R", "Simulate the step, or steps, so often, with new random paths each (default: 1)", CLI_WHOLE32,
     .at = offsetof(arguments, universal.runs), .low = 1, .high = UINT32_MAX},
    {"queue-size", "Q", "Packets that a queue of the fat-tree holds (default: 2)", CLI_SET,
     .at = offsetof(arguments, universal.merge), .set = cli_merging_set},
    {"room", "begin|freed",
     "A queue has room by what it held when the step began, or also once a packet leaves (default: begin)", CLI_SET,
     .at = offsetof(arguments, universal.merge), .set = cli_merging_set},
    {"memory", "BYTES", "Refuse what needs more, as in 4G (default: what is available)", CLI_BYTES,
     .at = offsetof(arguments, universal.memory_limit)},
    {.help = "What to report:"},
    {"map", NULL, "Also the processor of each node", CLI_FLAG, .at = offsetof(arguments, map)},
    {"format", "table|json|csv", "How to print; csv: a line for each step (default: table)", .kind = CLI_FORMAT},
    {0},
};

static np_status simulate(const arguments *a, np_universal_result **result)
{
    np_network *guest;
    np_status st;
    if (a->buses)
        return np_universal_simulate_buses(a->buses, &a->universal, result);
    if ((st = np_network_create(a->guest, &guest)))
        return st;
    st = np_universal_simulate(guest, &a->universal, result);
    np_network_free(guest);
    return st;
}

static int run(void *self)
{
    const arguments *a = self;
    np_universal_result *result;
    if (!a->guest && !a->buses)
        return cli_fail("universal needs a guest, as in: netpram universal --guest mesh:32x32");
    if (a->guest && a->buses)
        return cli_fail("--buses %s: the guest is %s already", a->buses, a->guest);
    if (a->universal.paths && !a->universal.traffic)
        return cli_fail("--paths %s: for a routing on the guest: give --traffic, too", a->universal.paths);
    if (a->universal.layout && a->universal.partition)
        return cli_fail("--partition: the guest is divided by its layout %s", a->universal.layout);
    if (simulate(a, &result))
        return cli_fail_last();
    int status = np_report_universal(result, a->map, &a->common.report, stdout) ? cli_fail_last() : 0;
    np_universal_result_free(result);
    return status;
}

static void init(void *self)
{
    arguments *a = self;
    np_universal_options_init(&a->universal);
    a->universal.memory_limit = cli_memory_available();
}

const cli_verb cli_universal = {
    .name = "universal",
    .help = "simulate a network on an area-universal one: its load, the slowdown",
    .subject = "--guest NETWORK",
    .does = "Maps a network, the guest, to an area-universal one of equal area and simulates steps of it "
            "(Leighton, Maggs, Ranade & Rao 1994, sections 7 and 11): the load factor, the steps of the simulation to "
            "one of the guest, and these against log2 N.",
    .subjects = {{"guest", offsetof(arguments, guest), NULL}},
    .parts = {{options, 0}},
    .size = sizeof(arguments),
    .init = init,
    .run = run,
};
