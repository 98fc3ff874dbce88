/*
 * Every scheme of the list, on every kind of network that takes it, can be observed: it writes a trace and tables of links,
 * nodes and packets, and the trace is judged by the model alone (oracle/trace_judge.h). A new scheme is judged the day it
 * is added. A scheme or a family of networks that no case serves is a failure, too.
 */
#include "support.h"

#include <unistd.h>

#include "network/network.h"
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
                                       "universal:2",
                                       "universal-3d:1",
                                       "file:%s"};

static const char *const traffics[] = {"random", "repeat:3:random", "hotspot:0", "identity"};

/* How a scheme is asked. It may refuse a way when nobody observes; then it is not asked. */
typedef struct way {
    const char *name, *queue;
    bool overlap;
    uint32_t queue_size, permutations;
    np_room room;
    uint32_t waves;
    np_combine combine;
} way;

static const way ways[] = {
    {.name = "as it is"},
    {.name = "overlap", .overlap = true},
    {.name = "lifo", .queue = "lifo"},
    {.name = "straight", .queue = "straight"},
    {.name = "queues of one packet", .queue_size = 1},
    {.name = "queues of one packet, room freed", .queue_size = 1, .room = NP_ROOM_FREED},
    {.name = "five waves, queues of three packets", .queue_size = 3, .waves = 5},
    {.name = "combining", .combine = NP_COMBINE_MAX},
    {.name = "three permutations", .permutations = 3},
};

enum { NETWORKS = sizeof networks / sizeof *networks, WAYS = sizeof ways / sizeof *ways };
enum { TRAFFICS = sizeof traffics / sizeof *traffics };

static np_route_options options_of(const char *scheme, const way *w)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.runs = 2;
    options.seed = 3;
    options.threads = 1;
    options.queue = w->queue;
    options.overlap = w->overlap;
    options.merge.combine = w->combine;
    options.merge.room = w->room;
    options.merge.waves = w->waves;
    if (w->queue_size)
        options.merge.queue_size = w->queue_size;
    if (w->permutations)
        options.permutations = w->permutations;
    return options;
}

static char *read_and_remove(char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t length = 0;
    assert_non_null(file);
    assert_true(getdelim(&text, &length, '\0', file) > 0);
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
        moves += computed(&seen->phase[i]) ? 0 : seen->phase[i].hops.mean * seen->runs;
        assert_memory_equal(seen->phase[i].run, unseen->phase[i].run, seen->runs * sizeof *seen->phase[i].run);
    }
    if ((double)verdict.moves != moves || verdict.phases != seen->runs * seen->phases)
        fail_msg("%s: %lu phases and %lu moves are told, not %lu and %.0f", what, verdict.phases, verdict.moves,
                 (unsigned long)(seen->runs * seen->phases), moves);
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
    char *trace = support_file("");
    np_record_options asked;
    np_record_options_init(&asked);
    asked.trace = trace;
    asked.links = asked.nodes = asked.packets = asked.steps = "/dev/null";
    snprintf(what, sizeof what, "%s on %s, %s, %s", scheme, np_network_spec(network), traffic, w->name);
    assert_ok(np_record_open(&asked, "command", &record));
    options.observer = np_record_observer(record);
    if (np_route(network, traffic, &options, &seen))
        fail_msg("%s: %s", what, np_last_error());
    assert_ok(np_record_commit(record));
    char *text = read_and_remove(trace);
    judge(what, text, seen, unseen);
    free(text);
    np_route_result_free(seen);
    np_route_result_free(unseen);
    return true;
}

/* All ways and traffics of a scheme on a network; returns how many it takes. */
static size_t observe_all(const np_network *network, const char *scheme)
{
    size_t taken = 0;
    for (size_t w = 0; w < WAYS; w++)
        for (size_t t = 0; t < TRAFFICS; t++)
            taken += observe(network, traffics[t], scheme, &ways[w]);
    if (!taken)
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
            if (!np_scheme_applies(scheme->name, network))
                taken += observe_all(network, scheme->name);
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
