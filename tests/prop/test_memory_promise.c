/*
 * The bytes promised before anything is allocated, held to the bytes that are
 * taken at the peak: never fewer, and not many more. Schemes come from the
 * library's own list, so a new one is judged the day it is added. Calls that
 * only take a limit are in test_memory_limits.c.
 */
#include "promise.h"

#include "engine/open/open_loop.h"
#include "model/leveled/leveled_routing.h"
#include "model/network/network.h"
#include "model/relation/relation.h"

/* A network for each family, large enough for the slack to matter little, and other sizes of some. */
static const char *const networks[] = {"hypercube:12",
                                       "hypercube:7",
                                       "shuffle:4x6",
                                       "shuffle-exchange:12",
                                       "ccc:9",
                                       "butterfly:9",
                                       "mesh:64x64",
                                       "mesh:100x3",
                                       "torus:8x16x8",
                                       "array:400",
                                       "ring:400",
                                       "complete:100",

                                       "tree:11",
                                       "mesh-of-trees:8",
                                       "fat-tree:6",
                                       "star:7",
                                       "omega:9",
                                       "omega:4",
                                       "benes:8",
                                       "crossbar:60",
                                       "pancake:6",
                                       "binomial-tree:11",
                                       "mesh:8x8x8",
                                       "butterfly-io:8",
                                       "product:complete:9,ring:40",
                                       "product:tree:3,ccc:4"};

/* How a scheme is asked: other options, other engines. */
typedef struct way {
    const char *name;
    unsigned threads;
    uint32_t runs;
    bool hash, overlap, same_traffic, observed, physical;
    uint32_t queue_size;
    np_combine combine;
    const char *queue, *paths, *phase_time;
} way;

static const way ways[] = {
    {.name = "1 thread", .threads = 1, .runs = 1},
    {.name = "2 threads", .threads = 2, .runs = 1},
    {.name = "7 threads", .threads = 7, .runs = 1},
    {.name = "2 threads, 2 runs", .threads = 2, .runs = 2},
    {.name = "3 threads, 4 runs", .threads = 3, .runs = 4},
    {.name = "3 threads, 4 runs, same traffic", .threads = 3, .runs = 4, .same_traffic = true},
    {.name = "stepping", .threads = 1, .runs = 1, .hash = true},
    {.name = "stepping, 7 threads", .threads = 7, .runs = 2, .hash = true},
    {.name = "overlap, 2 threads", .threads = 2, .runs = 1, .overlap = true},
    {.name = "phases at fixed times, 2 threads", .threads = 2, .runs = 1, .overlap = true, .phase_time = "20"},
    {.name = "phases that stop, 2 threads", .threads = 2, .runs = 1, .phase_time = "20"},
    {.name = "physical, 2 threads, 2 runs", .threads = 2, .runs = 2, .physical = true},
    {.name = "farthest first", .threads = 2, .runs = 1, .queue = "farthest-first"},
    {.name = "random queue", .threads = 2, .runs = 1, .queue = "random"},
    {.name = "long queues", .threads = 1, .runs = 1, .queue_size = 100},
    {.name = "combining", .threads = 2, .runs = 1, .combine = NP_COMBINE_SUM},
    {.name = "observed", .threads = 1, .runs = 1, .observed = true},
};

/*
 * The promise of sweeps is for the worst traffic: what they keep of a line
 * grows with the steps. That of long routes is for the diameter. Runs in parallel need not overlap in time.
 */
static bool exact(const np_network *network, const way *w)
{
    const char *family = np_network_family_name(network);
    bool sweeps = !w->hash && !w->overlap && (!strcmp(family, "mesh") || !strcmp(family, "array"));
    return !sweeps && !w->paths && (w->runs < w->threads || w->threads == 1);
}

static const np_observer nobody = {.kinds = 0};

static np_route_options options_of(const char *scheme, const way *w)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.threads = w->threads;
    options.runs = w->runs;
    options.hash = w->hash;
    options.overlap = w->overlap;
    options.phase_time = w->phase_time;
    options.same_traffic = w->same_traffic;
    options.queue = w->queue;
    options.paths = w->paths;
    if (w->queue_size)
        options.merge.queue_size = w->queue_size;
    options.merge.combine = w->combine;
    options.merge.physical = w->physical;
    options.observer = w->observed ? &nobody : NULL;
    return options;
}

/* The promise of a network unrolled by hops is for paths as long as any, none of which share a link. So is that of hops
   that are told, and of schedules found off line. */
static bool for_longest(const np_network *network, const char *scheme, const way *w)
{
    return (w->observed && (!strcmp(scheme, "delayed") || !strcmp(scheme, "offline"))) ||
           !strncmp(scheme, "resampled", strlen("resampled")) ||
           ((!strcmp(scheme, "ranked") || !strcmp(scheme, "waves")) && np_leveled_routing_refuses(network));
}

static void judge_route(const np_network *network, const char *scheme, const way *w, uint64_t promised, uint64_t peak)
{
    bool array = !strcmp(np_network_family_name(network), "array") && !w->paths && w->threads == 1;
    uint64_t longest = for_longest(network, scheme, w) ? 5 * peak : 0;
    uint64_t near = peak + (longest ? longest : peak / 10) + SLACK;
    uint64_t most = exact(network, w) ? near : array ? 2 * peak + longest + SLACK : UINT64_MAX;
    judge(scheme, w->name, np_network_spec(network), promised, peak, most);
}

/* False if the scheme does not take the traffic or the options. */
static bool route(const np_network *network, const char *scheme, const char *traffic, const way *w)
{
    np_route_options options = options_of(scheme, w);
    np_route_result *result;
    uint64_t promised;
    if (np_route_memory(network, traffic, &options, &promised))
        return false;
    support_memory_count(true);
    np_status st = np_route(network, traffic, &options, &result);
    if (!st)
        judge_route(network, scheme, w, promised, support_memory_peak());
    support_memory_count(false);
    np_route_result_free(result);
    return !st;
}

static size_t try_traffics(const np_network *network, const char *scheme, const way *w)
{
    static const char *const traffics[] = {"random", "repeat:1:random", "identity"};
    for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++)
        if (route(network, scheme, traffics[t], w))
            return 1;
    return 0;
}

static void test_every_scheme(void **state)
{
    (void)state;
    const np_entry *scheme;
    for (size_t s = 0; (scheme = np_list_get(NP_LIST_SCHEMES, s)); s++) {
        size_t routed = 0;
        for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
            np_network *network = support_network(networks[i]);
            for (size_t w = 0; !np_scheme_applies(scheme->name, network) && w < sizeof ways / sizeof *ways;
                 w += WAYS_STEP)
                if (!routed || support_takes(s + i, w, 3))
                    routed += try_traffics(network, scheme->name, &ways[w]);
            np_network_free(network);
        }
        if (!routed)
            fail_msg("scheme %s was not routed on any network", scheme->name);
    }
    assert_int_equal(bad, 0);
}

/* Routes that have no room in tickets: the promise has the most that they can take. */
static void test_long_routes(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const way long_ways[] = {
        {.name = "shortest", .threads = 1, .runs = 1, .paths = "shortest"},
        {.name = "shortest, 2 threads, 2 runs", .threads = 2, .runs = 2, .paths = "shortest"},
        {.name = "balanced, overlap", .threads = 1, .runs = 1, .overlap = true, .paths = "balanced"},
    };
    static const char *const specs[] = {"ring:900", "mesh:48x48", "torus:4x400"};
    static const char *const schemes[] = {"greedy", "valiant", "ranked", "waves"};
    bad = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        for (size_t w = 0; w < sizeof long_ways / sizeof *long_ways; w++)
            for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
                assert_true(route(network, schemes[s], "random", &long_ways[w]) ||
                            (long_ways[w].overlap && np_scheme_heeds(schemes[s], "overlap")));
        np_network_free(network);
    }
    assert_int_equal(bad, 0);
}

/* Long lines, and leveled networks of many levels, on which packets wait for long. */
static void test_many_levels(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const specs[] = {"array:2000", "ring:2000"}, *const schemes[] = {"ranked", "waves", "greedy"};
    static const way one = {.name = "many levels", .threads = 1, .runs = 1};
    bad = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
            assert_true(route(network, schemes[s], "random", &one));
        np_network_free(network);
    }
    assert_int_equal(bad, 0);
}

/*
 * Ranked packets on columns (engine/merging/merge_columns.c): packets that rest where none end, and networks that are
 * unrolled to columns, whose sizes the promise cannot know.
 */
static void test_columns(void **state)
{
    (void)state;
    static const struct {
        const char *network, *traffic;
        way way;
    } cases[] = {
        {"butterfly:9", "identity", {.name = "resting", .threads = 1, .runs = 1}},
        {"butterfly:9", "repeat:4:random", {.name = "combining", .threads = 1, .runs = 1, .combine = NP_COMBINE_MAX}},
        {"ring:64", "rotation:31", {.name = "unrolled", .threads = 1, .runs = 1, .paths = "shortest"}},
        {"ring:512",
         "rotation:255",
         {.name = "unrolled, combining", .threads = 1, .runs = 1, .paths = "shortest", .combine = NP_COMBINE_SUM}},
    };
    bad = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        assert_true(route(network, "ranked", cases[i].traffic, &cases[i].way));
        np_network_free(network);
    }
    assert_int_equal(bad, 0);
}

/*
 * Delays as long as there are packets, or longer where schedules have frames or outlines. The histograms have a counter
 * for each step of delay: of a run, and of the runs before it. All go to node 0, most of them over its last link.
 */
static void test_long_delays(void **state)
{
    (void)state;
    static const way long_ways[] = {{.name = "long delays", .threads = 1, .runs = 1},
                                    {.name = "long delays, 3 runs", .threads = 1, .runs = 3},
                                    {.name = "long delays, 2 threads", .threads = 2, .runs = 4}};
    static const struct {
        const char *network, *scheme;
    } cases[] = {{"hypercube:14", "greedy"}, {"hypercube:16", "greedy"},  {"butterfly:10", "greedy"},
                 {"butterfly:10", "ranked"}, {"butterfly:10", "waves"},   {"butterfly:10", "valiant"},
                 {"butterfly:12", "greedy"}, {"hypercube:13", "valiant"}, {"star:8", "greedy"},
                 {"benes:11", "locked"},     {"hypercube:12", "delayed"}, {"array:4000", "delayed"}};
    skip_under_sanitizers();
    bad = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        for (size_t k = 0; k < sizeof long_ways / sizeof *long_ways; k++)
            if (support_takes(i, k, 3))
                assert_true(route(network, cases[i].scheme, "hotspot:0", &long_ways[k]));
        np_network_free(network);
    }
    assert_int_equal(bad, 0);
}

/* Frames of scheme `delayed` on a long network: the promise is at most twice what usual traffic takes. */
static void test_frames(void **state)
{
    static const way one = {.name = "frames, 3 runs", .threads = 1, .runs = 3};
    np_route_options options = options_of("delayed", &one);
    np_route_result *result;
    uint64_t promised;
    (void)state;
    skip_under_sanitizers();
    np_network *network = support_network("array:6000");
    assert_ok(np_route_memory(network, "random", &options, &promised));
    support_memory_count(true);
    assert_ok(np_route(network, "random", &options, &result));
    assert_in_range(promised, support_memory_peak(), 2 * support_memory_peak());
    support_memory_count(false);
    np_route_result_free(result);
    np_network_free(network);
}

/*
 * Rounds of scheme `locked`: there are N / q, and each has 2 d steps in which no packet moves. A step has a counter of
 * delays, and a counter by which hops are sorted.
 */
static void test_rounds(void **state)
{
    enum { PACKETS = 2048, HOPS = 21, A_STEP = sizeof(uint64_t) + sizeof(uint32_t) };
    static const way rounds[] = {{.name = "q = 1", .threads = 1, .runs = 1, .queue_size = 1},
                                 {.name = "q = 3", .threads = 1, .runs = 1, .queue_size = 3},
                                 {.name = "q = 128", .threads = 1, .runs = 1, .queue_size = 128}};
    enum { WAYS = sizeof rounds / sizeof *rounds };
    uint64_t promised[WAYS];
    np_network *network = support_network("benes:11");
    (void)state;
    bad = 0;
    for (size_t k = 0; k < WAYS; k++) {
        np_route_options options = options_of("locked", &rounds[k]);
        assert_ok(np_route_memory(network, "hotspot:0", &options, &promised[k]));
        assert_true(route(network, "locked", "hotspot:0", &rounds[k]));
    }
    assert_in_range(promised[0] - promised[WAYS - 1], UINT64_C(2) * HOPS * (PACKETS - PACKETS / 128) * A_STEP,
                    UINT64_C(2) * HOPS * PACKETS * A_STEP);
    assert_int_equal(bad, 0);
    np_network_free(network);
}

typedef struct loop {
    const char *network, *paths, *traffic;
    uint32_t window;
    unsigned threads;
    bool via_random; /* in model steps */
} loop;

/* A closed loop, which has no more packets than its windows: of model flits, or of model steps. */
static void play_loop(const loop *c, bool flits)
{
    np_network *network = support_network(c->network);
    const np_arrivals_options drawn = {.traffic = c->traffic, .process = "bernoulli", .seed = 7};
    np_open_options o = {.network = network, .threads = c->threads, .window = c->window, .draws = {.seed = 3}};
    np_relation *relation = NULL;
    np_path *path = NULL;
    np_arrivals *arrivals;
    void *model;
    o.inner = flits ? &np_open_flits : &np_open_steps;
    o.channels = o.buffer_flits = 4;
    o.allocation_delay = o.switch_delay = o.crossbar_delay = o.link_delay = o.credit_delay = 1;
    assert_ok(np_arrivals_create(network, &drawn, &arrivals));
    assert_ok(flits ? np_relation_create(c->paths, network, &relation) : np_path_create(c->paths, network, &path));
    o.arrivals = arrivals;
    o.relation = relation;
    o.path = path;
    o.via_random = c->via_random && !flits;
    uint64_t promised = np_open_closed.bytes(&o);
    support_memory_count(true);
    assert_ok(np_open_closed.create(&o, &model));
    assert_ok(np_open_closed.advance(model, 300));
    judge(flits ? "flits" : "steps", c->paths, c->network, promised, support_memory_peak(),
          support_memory_peak() / 4 * 7 + SLACK);
    np_open_closed.free(model);
    support_memory_count(false);
    np_arrivals_free(arrivals);
    np_relation_free(relation);
    np_path_free(path);
    np_network_free(network);
}

static void test_closed_loops(void **state)
{
    static const loop loops[] = {
        {"torus:32x32", "dimension-order", "uniform", 1, 1, false},
        {"torus:32x32", "dimension-order", "uniform", 32, 1, false},
        {"torus:32x32", "dimension-order", "uniform", 32, 2, true},
        {"torus:12x12", "shortest", "uniform", 32, 1, true},
        {"hypercube:9", "spray", "uniform", 4, 2, false},
        {"jellyfish:600,4", "shortest", "uniform", 64, 1, false},
        {"ring:50", "ecmp", "random", 500, 1, false},
        {"mesh:6x6@8", "dimension-order", "incast:s0.h0", 64, 1, true},
        {"mesh:6x6@8", "dimension-order", "identity", 64, 1, false},
        {"torus:12x12@4", "shortest", "identity", 64, 2, false},
        {"complete:100", "shortest", "uniform", 200, 1, false},
    };
    (void)state;
    bad = 0;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        if (!support_takes(i, 0, 1))
            continue;
        play_loop(&loops[i], false);
        play_loop(&loops[i], true);
    }
    assert_int_equal(bad, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_routes),  cmocka_unit_test(test_many_levels),  cmocka_unit_test(test_columns),
        cmocka_unit_test(test_long_delays),  cmocka_unit_test(test_frames),       cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_closed_loops), cmocka_unit_test(test_every_scheme),
    };
    return run_chosen(tests, argc, argv);
}
