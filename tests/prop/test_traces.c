/*
 * Every scheme of the list, on every kind of network that takes it, can be observed: it writes a trace and tables of
 * links, nodes and packets. The trace is judged by the model alone (oracle/trace_judge.h), and packets go from where
 * the traffic has them to where it sends them. A new scheme is judged the day it is added. A scheme or a family of
 * networks that no case serves is a failure, too.
 *
 * Each of these bugs was planted once, and found:
 *   waves            a queue takes one packet more than its size; another edge is told; a node serves two packets in a
 *                    step
 *   six phases       a message is told to be at home a step later; packets get each other's numbers
 *   Randomizer       the other output of the switch is told; two messages cross a link in one step
 *   circuits         a packet is told to be at home a step before its signal comes out
 *   Router           messages begin at their sources, not where the Randomizer left them
 *   shuffle-exchange a shuffle backwards is told as a link of its start
 *   merging          the landings of some packets are not told
 *   phases at times  a packet that rests is not told to wait; one that ends a phase is told to land
 *   messages         in cycles, a move is told in the first step of its cycle; asynchronous, the first packet moves the
 *                    message; pipelined, a message waits in the queue that its first packets have left; if messages
 *                    combine, one is gone with its first packet
 */
#include "support.h"

#include <unistd.h>

#include "model/network/network.h"
#include "oracle/trace_judge.h"

/* At least one for each family; %s is a file. */
static const char *const networks[] = {"hypercube:4",
                                       "binomial-tree:4",
                                       "shuffle:2x4",
                                       "shuffle-exchange:2",
                                       "shuffle-exchange:5",
                                       "ccc:3",
                                       "butterfly:3",
                                       "butterfly:4",
                                       "mesh:4x4",
                                       "mesh:16x16",
                                       "mesh:3x2x4",
                                       "torus:4x4",
                                       "torus:3x3x3",
                                       "array:7",
                                       "ring:6",
                                       "ring:9",
                                       "complete:9",
                                       "product:complete:3,ring:4",
                                       "crossbar:5",
                                       "tree:2x3",
                                       "mesh-of-trees:4",
                                       "star:4",
                                       "pancake:4",
                                       "cayley:1230,1023",
                                       "butterfly-io:3",
                                       "fat-tree:2",
                                       "fat-tree-8:1",
                                       "fat-tree-2:4",
                                       "omega:1",
                                       "omega:4",
                                       "inverse-omega:3",
                                       "benes:3",
                                       "universal:2",
                                       "universal-3d:1",
                                       "hyperx:3x3",
                                       "flattened-butterfly:2x3",
                                       "dragonfly:a=2,p=1,h=1",
                                       "dragonfly+:leaf=2,spine=2,p=1,h=1",
                                       "slimfly:5",
                                       "polarfly:3",
                                       "jellyfish:8,3",
                                       "xpander:3,2",
                                       "xgft:2:2,2:1,2",
                                       "kary-tree:2x2",
                                       "leaf-spine:leaf=2,spine=2,p=2",
                                       "clos:m=2,n=2,r=2",
                                       "kary-fly:2x2",
                                       "rail:servers=2,g=2,spines=2",
                                       "planes:2,ring:4@1",
                                       "file:%s"};

static const char *const traffics[] = {"random", "repeat:3:random", "hotspot:0", "identity"};

/* How a scheme is asked. It may refuse a way when nobody observes; then it is not asked. */
typedef struct way {
    const char *name, *queue, *phase_time;
    bool overlap;
    uint32_t queue_size, permutations;
    np_room room;
    uint32_t waves;
    np_combine combine;
    uint32_t least, most; /* packets a message; 0: one */
    np_message_mode mode;
} way;

static const way ways[] = {
    {.name = "as it is"},
    {.name = "overlap", .overlap = true},
    {.name = "phases at fixed times", .overlap = true, .phase_time = "4"},
    {.name = "phases at fixed times, for some too early", .overlap = true, .phase_time = "2", .queue = "lifo"},
    {.name = "phases that stop", .phase_time = "3"},
    {.name = "phases that stop late", .phase_time = "40"},
    {.name = "lifo", .queue = "lifo"},
    {.name = "straight", .queue = "straight"},
    {.name = "queues of one packet", .queue_size = 1},
    {.name = "queues of one packet, room freed", .queue_size = 1, .room = NP_ROOM_FREED},
    {.name = "five waves, queues of three packets", .queue_size = 3, .waves = 5},
    {.name = "combining", .combine = NP_COMBINE_MAX},
    {.name = "three permutations", .permutations = 3},
    {.name = "message cycles", .least = 2, .most = 3, .queue_size = 1},
    {.name = "message cycles that combine", .least = 2, .most = 2, .combine = NP_COMBINE_SUM},
    {.name = "asynchronous", .least = 1, .most = 4, .mode = NP_MESSAGES_ASYNCHRONOUS},
    {.name = "asynchronous, queues of one", .least = 3, .most = 3, .mode = NP_MESSAGES_ASYNCHRONOUS, .queue_size = 1},
    {.name = "pipelined", .least = 1, .most = 4, .mode = NP_MESSAGES_PIPELINED},
    {.name = "pipelined, room freed", .least = 2, .most = 5, .mode = NP_MESSAGES_PIPELINED, .room = NP_ROOM_FREED},
    {.name = "pipelined, queues of one", .least = 2, .most = 3, .mode = NP_MESSAGES_PIPELINED, .queue_size = 1},
    {.name = "asynchronous, combining",
     .least = 1,
     .most = 4,
     .mode = NP_MESSAGES_ASYNCHRONOUS,
     .combine = NP_COMBINE_MIN},
    {.name = "pipelined, combining", .least = 1, .most = 5, .mode = NP_MESSAGES_PIPELINED, .combine = NP_COMBINE_SUM},
};

/* On a network a way has half of the traffics; on the next network it has the other half. Sanitized: a quarter. */
enum { STEP = SUPPORT_FEWER(2, 4) };

enum { NETWORKS = sizeof networks / sizeof *networks, WAYS = sizeof ways / sizeof *ways };
enum { TRAFFICS = sizeof traffics / sizeof *traffics, SEED = 3 };

static np_route_options options_of(const char *scheme, const way *w)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.runs = 2;
    options.seed = SEED;
    options.threads = 1;
    options.queue = w->queue;
    options.overlap = w->overlap;
    options.phase_time = w->phase_time;
    options.merge.combine = w->combine;
    options.merge.room = w->room;
    options.merge.waves = w->waves;
    options.merge.message_mode = w->mode;
    if (w->most) {
        options.merge.message_least = w->least;
        options.merge.message_most = w->most;
    }
    if (w->queue_size)
        options.merge.queue_size = w->queue_size;
    if (w->permutations)
        options.permutations = w->permutations;
    return options;
}

static char *read_and_remove(char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t length = (size_t)ftell(file);
    char *text = calloc(length + 1, 1);
    rewind(file);
    assert_int_equal(fread(text, 1, length, file), length);
    fclose(file);
    unlink(path);
    free(path);
    return text;
}

/* Phases of which only numbers are exchanged have hops in the result, but no moves. */
static bool computed(const np_phase_result *phase) { return phase->name[0] == 'G' && phase->name[1]; }

static void judge(const char *what, const char *trace, const np_route_result *seen, const np_route_result *unseen)
{
    oracle_verdict verdict;
    double moves = 0;
    oracle_judge_trace(trace, &verdict);
    if (*verdict.wrong)
        fail_msg("%s: %s", what, verdict.wrong);
    for (size_t i = 0; i < seen->phases; i++) {
        for (uint32_t r = 0; r < seen->runs; r++)
            moves += computed(&seen->phase[i]) ? 0 : (double)seen->phase[i].run[r].hops;
        assert_memory_equal(seen->phase[i].run, unseen->phase[i].run, seen->runs * sizeof *seen->phase[i].run);
    }
    if ((double)verdict.moves != moves || verdict.phases != seen->runs * seen->phases)
        fail_msg("%s: %lu phases and %lu moves are told, not %lu and %.0f", what, verdict.phases, verdict.moves,
                 (unsigned long)(seen->runs * seen->phases), moves);
}

/* ---- The table of packets ---- */

/* Where the packets of a run are. */
typedef struct places {
    np_traffic *traffic;
    np_node *at;
    bool *gone; /* a part of another packet */
} places;

static void begin_run(places *p, const np_network *network, const char *spec, uint32_t run)
{
    assert_ok(np_traffic_create(spec, network, SEED, run, &p->traffic));
    np_packet packets = np_traffic_packets(p->traffic);
    p->at = malloc(packets * sizeof *p->at);
    p->gone = calloc(packets, sizeof *p->gone);
    memcpy(p->at, np_traffic_sources(p->traffic), packets * sizeof *p->at);
}

static void end_run(places *p, const char *what)
{
    for (np_packet i = 0; i < np_traffic_packets(p->traffic); i++)
        if (!p->gone[i] && p->at[i] != np_traffic_destinations(p->traffic)[i])
            fail_msg("%s: packet %u ends at %u", what, i, p->at[i]);
    np_traffic_free(p->traffic);
    free(p->at);
    free(p->gone);
}

/* Column `of` of a line, from 0. */
static const char *column(const char *line, unsigned of)
{
    while (of--)
        line = strchr(line, ',') + 1;
    return line;
}

static uint32_t number_in(const char *line, unsigned of) { return (uint32_t)strtoul(column(line, of), NULL, 10); }

/* By its name where nodes have names. */
static np_node node_in(const np_network *network, const char *line, unsigned of)
{
    char name[64];
    const char *from = column(line, of);
    np_node node;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(from, ",\n"), from);
    node = np_network_find_node(network, name);
    return node == NP_NONE ? number_in(line, of) : node;
}

/* Messages of several packets: steps in which some of its packets move are no delay. */
static void check_delays(const char *what, const np_route_result *result, const char *table)
{
    double told = 0, delays = 0;
    for (const char *line = strchr(table, '\n') + 1; *line; line = strchr(line, '\n') + 1)
        told += number_in(line, 7);
    for (size_t i = 0; i < result->phases; i++)
        for (uint32_t r = 0; r < result->runs; r++)
            delays += (double)result->phase[i].run[r].delay_sum;
    if (told != delays)
        fail_msg("%s: packets wait %.0f steps, not %.0f", what, told, delays);
}

/*
 * A packet begins where the traffic has it, goes on in each phase where the phase before left it, and ends where the
 * traffic sends it. On omega networks messages have numbers of their own; there the judge follows them from phase to
 * phase.
 */
static void check_packets(const char *what, const np_network *network, const char *traffic, const char *table)
{
    places p;
    unsigned run = 0;
    if (!strcmp(np_network_family_name(network), "omega"))
        return;
    begin_run(&p, network, traffic, 0);
    for (const char *line = strchr(table, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        unsigned of = number_in(line, 0), packet = number_in(line, 3);
        np_node from = node_in(network, line, 4), to = node_in(network, line, 5);
        for (; run < of; run++) {
            end_run(&p, what);
            begin_run(&p, network, traffic, run + 1);
        }
        if (packet >= np_traffic_packets(p.traffic) || p.at[packet] != from || p.gone[packet])
            fail_msg("%s: run %u: packet %u begins a phase at %u", what, of, packet, from);
        p.at[packet] = to;
        p.gone[packet] = *column(line, 9) != '\n';
    }
    end_run(&p, what);
}

/* False: the scheme refuses this when nobody observes. */
static bool observe(const np_network *network, const char *traffic, const char *scheme, const way *w)
{
    np_route_options options = options_of(scheme, w);
    np_route_result *unseen, *seen;
    np_record *record;
    char what[256];
    if (np_route(network, traffic, &options, &unseen))
        return false;
    char *trace = support_file(""), *packets = support_file("");
    np_record_options asked;
    np_record_options_init(&asked);
    asked.trace = trace;
    asked.packets = packets;
    asked.links = asked.nodes = asked.steps = "/dev/null";
    snprintf(what, sizeof what, "%s on %s, %s, %s", scheme, np_network_spec(network), traffic, w->name);
    assert_ok(np_record_open(&asked, "command", &record));
    options.observer = np_record_observer(record);
    if (np_route(network, traffic, &options, &seen))
        fail_msg("%s: %s", what, np_last_error());
    assert_ok(np_record_commit(record));
    char *text = read_and_remove(trace), *table = read_and_remove(packets);
    judge(what, text, seen, unseen);
    if (w->most)
        check_delays(what, seen, table);
    check_packets(what, network, traffic, table);
    free(text);
    free(table);
    np_route_result_free(seen);
    np_route_result_free(unseen);
    return true;
}

/* All ways and all traffics of a scheme on a network, not each with each; returns how many it takes. */
static size_t observe_all(const np_network *network, const char *scheme, size_t turn)
{
    size_t taken = 0;
    for (size_t w = 0; w < WAYS; w++)
        for (size_t t = (w + turn) % STEP; t < TRAFFICS; t += STEP)
            taken += observe(network, traffics[t], scheme, &ways[w]);
    if (!taken && !SUPPORT_SANITIZED)
        fail_msg("%s on %s takes no traffic of the list", scheme, np_network_spec(network));
    return taken;
}

static np_network *network_of(const char *spec, const char *file)
{
    char whole[512];
    snprintf(whole, sizeof whole, spec, file);
    return support_network(whole);
}

static void every_scheme_can_be_observed(void **state)
{
    char *file = support_file("0 1\n1 2\n2 0\n2 3\n3 1\n0 3\n");
    const np_entry *scheme;
    (void)state;
    for (size_t s = 0; (scheme = np_list_get(NP_LIST_SCHEMES, s)); s++) {
        size_t taken = 0;
        for (size_t n = 0; n < NETWORKS; n++) {
            np_network *network = network_of(networks[n], file);
            if (!np_scheme_applies(scheme->name, network) && (!taken || support_takes(s, n, 2)))
                taken += observe_all(network, scheme->name, n);
            np_network_free(network);
        }
        if (!taken)
            fail_msg("no network of the list takes scheme %s", scheme->name);
    }
    unlink(file);
    free(file);
}

static void every_family_is_in_the_list(void **state)
{
    char *file = support_file("0 1\n1 0\n");
    const np_entry *family;
    (void)state;
    for (size_t i = 0; (family = np_list_get(NP_LIST_NETWORKS, i)); i++) {
        bool found = false;
        for (size_t n = 0; n < NETWORKS; n++) {
            np_network *network = network_of(networks[n], file);
            found = found || !strcmp(np_network_family_name(network), family->name);
            np_network_free(network);
        }
        if (!found)
            fail_msg("no network of the list is a %s", family->name);
    }
    unlink(file);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_can_be_observed),
        cmocka_unit_test(every_family_is_in_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
