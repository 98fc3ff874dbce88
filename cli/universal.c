/* netpram universal --guest NETWORK */
#include <errno.h>
#include <stdlib.h>

#include "command.h"

enum {
    KEY_GUEST = 256,
    KEY_BUSES,
    KEY_LAYOUT,
    KEY_PARTITION,
    KEY_STEPS,
    KEY_SCHEDULE,
    KEY_TRAFFIC,
    KEY_PATHS,
    KEY_OFFLINE,
    KEY_VOLUME,
    KEY_HEIGHT,
    KEY_SEED,
    KEY_RUNS,
    KEY_QUEUE_SIZE,
    KEY_ROOM,
    KEY_MAP,
    KEY_FORMAT
};

typedef struct arguments {
    const char *guest, *buses;
    bool map, seed_given;
    np_universal_options universal;
    np_report_options report;
} arguments;

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What to simulate:", 1},
    {"guest", KEY_GUEST, "NETWORK", 0, "A network: in a step each of its links carries a packet", 1},
    {"buses", KEY_BUSES, "FILE", 0,
     "Instead: shared buses, lines 'name: node node ...'; packets to one bus combine where they meet", 1},
    {"layout", KEY_LAYOUT, "FILE", 0,
     "Where its nodes are, lines 'node x y' (default: the coordinates of a mesh, torus, array or ring)", 1},
    {"steps", KEY_STEPS, "FILE", 0,
     "What its steps send, lines 'step from to', a link each, or 'step node bus' (default: one step, with a packet over every link)", 1},
    {"schedule", KEY_SCHEDULE, "FILE", 0, "Instead: lines 'step packet link', as netpram schedule --output writes them", 1},
    {"traffic", KEY_TRAFFIC, "SPEC", 0, "Instead: the steps of a routing on the guest, by queues, first come first served", 1},
    {"paths", KEY_PATHS, "RULE", 0, "How that routes (default: greedy, by shortest paths)", 1},
    {"partition", KEY_PARTITION, NULL, 0, "Divide it by METIS even if it has coordinates (default: if it has none)", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"volume", KEY_VOLUME, NULL, 0, "On the volume-universal network: meshes of up to three dimensions, layouts 'node x y z'", 2},
    {"offline", KEY_OFFLINE, NULL, 0, "Paths and ranks found off line, without random bits, once for all steps", 2},
    {"height", KEY_HEIGHT, "M", 0,
     "U is universal:M, or universal-3d:M (default: of the guest's area, or without coordinates the least with load factor <= log2 N)", 2},
    {"seed", KEY_SEED, "N", 0, "Where all random choices come from (default: 1)", 2},
    {"runs", KEY_RUNS, "R", 0, "Simulate the step, or steps, so often, with new random paths each (default: 1)", 2},
    {"queue-size", KEY_QUEUE_SIZE, "Q", 0, "Packets that a queue of the fat-tree holds (default: 2)", 2},
    {"room", KEY_ROOM, "begin|freed", 0,
     "A queue has room by what it held when the step began, or also once a packet leaves (default: begin)", 2},
    {NULL, 0, NULL, 0, "What to report:", 3},
    {"map", KEY_MAP, NULL, 0, "Also the processor of each node", 3},
    {"format", KEY_FORMAT, "table|json|csv", 0, "How to print; csv: a line for each step (default: table)", 3},
    {0},
};

static error_t parse_merging(arguments *a, const char *name, const char *text)
{
    if (!np_merge_options_set(&a->universal.merge, name, text))
        return 0;
    cli_fail("--%s: %s", name, np_last_error());
    return EINVAL;
}

static error_t parse_whole(const char *name, const char *text, uint64_t high, uint32_t *out)
{
    uint64_t value = 0;
    error_t failed = cli_number(name, text, 1, high, &value);
    *out = (uint32_t)value;
    return failed;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case KEY_GUEST:
        return cli_subject("guest", text, &a->guest);
    case KEY_BUSES:
        a->buses = text;
        return 0;
    case KEY_LAYOUT:
        a->universal.layout = text;
        return 0;
    case KEY_PARTITION:
        a->universal.partition = true;
        return 0;
    case KEY_STEPS:
        a->universal.steps = text;
        return 0;
    case KEY_SCHEDULE:
        a->universal.schedule = text;
        return 0;
    case KEY_TRAFFIC:
        a->universal.traffic = text;
        return 0;
    case KEY_PATHS:
        a->universal.paths = text;
        return 0;
    case KEY_OFFLINE:
        a->universal.offline = true;
        return 0;
    case KEY_VOLUME:
        a->universal.volume = true;
        return 0;
    case KEY_HEIGHT:
        return parse_whole("height", text, 10, &a->universal.height);
    case KEY_SEED:
        a->seed_given = true;
        return cli_number("seed", text, 0, INT64_MAX, &a->universal.seed);
    case KEY_RUNS:
        return parse_whole("runs", text, UINT32_MAX, &a->universal.runs);
    case KEY_QUEUE_SIZE:
        return parse_merging(a, "queue-size", text);
    case KEY_ROOM:
        return parse_merging(a, "room", text);
    case KEY_MAP:
        a->map = true;
        return 0;
    case KEY_FORMAT:
        return cli_format(text, &a->report.format);
    case ARGP_KEY_ARG:
        return cli_subject("guest", text, &a->guest);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static np_status simulate(const arguments *a, const np_universal_options *universal, np_universal_result **result)
{
    np_network *guest;
    np_status st;
    if (a->buses)
        return np_universal_simulate_buses(a->buses, universal, result);
    if ((st = np_network_create(a->guest, &guest)))
        return st;
    st = np_universal_simulate(guest, universal, result);
    np_network_free(guest);
    return st;
}

static int run(const arguments *a)
{
    np_universal_result *result;
    if (!a->guest && !a->buses)
        return cli_fail("universal needs a guest, as in: netpram universal --guest mesh:32x32");
    if (a->guest && a->buses)
        return cli_fail("--buses %s: the guest is %s already", a->buses, a->guest);
    if (a->universal.paths && !a->universal.traffic)
        return cli_fail("--paths %s: for a routing on the guest: give --traffic, too", a->universal.paths);
    if (a->universal.layout && a->universal.partition)
        return cli_fail("--partition: the guest is divided by its layout %s", a->universal.layout);
    np_universal_options universal = a->universal;
    universal.memory_limit = cli_memory_available();
    if (simulate(a, &universal, &result))
        return cli_fail_last();
    int status = np_report_universal(result, a->map, &a->report, stdout) ? cli_fail_last() : 0;
    np_universal_result_free(result);
    return status;
}

int cli_universal(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "--guest NETWORK",
        "Maps a network, the guest, to an area-universal one of equal area and simulates steps of it "
        "(Leighton, Maggs, Ranade & Rao 1994, sections 7 and 11): the load factor, the steps of the simulation to one of the "
        "guest, and these against log2 N.",
        NULL,
        NULL,
        NULL};
    arguments a = {.guest = NULL};
    np_universal_options_init(&a.universal);
    int status;
    char *command = cli_begin(&argp, argc, argv, &a, &a.seed_given, &status);
    a.report.command = command;
    if (!status)
        status = run(&a);
    free(command);
    return status;
}
