/*
 * The loads that paths bring to links on average, against the links that the packets of np_route cross in many runs,
 * and against closed forms.
 */
#include "support.h"

#include <math.h>
#include <unistd.h>

#include "base/memory.h"
#include "model/path/path.h"
#include "verdict/throughput/own_paths.h"

static np_throughput_options with_paths(const char *paths, bool split)
{
    np_throughput_options options;
    np_throughput_options_init(&options);
    options.paths = paths;
    options.split = split;
    options.gap = 0.1;
    return options;
}

/* load[link_numbers]; returns the routes that were drawn for each demand. */
static uint32_t find_loads(const np_network *network, const np_traffic *traffic, const char *paths, bool split,
                           double *load)
{
    const np_throughput_options options = with_paths(paths, split);
    np_problem problem;
    char *rule = NULL;
    uint32_t draws = NP_NONE;
    assert_ok(np_problem_init(&problem, network, traffic));
    assert_ok(np_own_paths_load(&problem, &options, &rule, load, &draws));
    np_memory_free(rule);
    np_problem_clear(&problem);
    return draws;
}

/* ---- Against routing ---- */

static int count_moves(void *context, size_t count, const np_event *event)
{
    double *crossed = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            crossed[event[i].link]++;
    return 0;
}

/* crossed[link_numbers] += the packets over each link, in all runs. */
static void route(const np_network *network, const np_traffic *traffic, const char *scheme, const char *paths,
                  uint32_t runs, double *crossed)
{
    const np_observer observer = {.kinds = 1 << NP_EVENT_MOVED, .events = count_moves, .context = crossed};
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.paths = paths;
    options.runs = runs;
    options.seed = 7;
    options.observer = &observer;
    assert_ok(np_route_traffic(network, traffic, &options, &result));
    np_route_result_free(result);
}

/*
 * The packets over a link in a run are a sum of independent draws, of mean m and at most that variance. So over R runs
 * the mean is within 5 sqrt(m/R) but once in a million cases; loads that are themselves means of D draws are off by
 * 5 sqrt(m/D) more.
 */
static void check_case(const char *spec, const char *demands, const char *scheme, const char *rule, const char *paths,
                       uint32_t exact)
{
    enum { RUNS = 400 };
    np_network *network = support_network(spec);
    np_traffic *traffic = support_traffic(network, demands, 1);
    uint32_t links = np_network_link_numbers(network);
    double *load = calloc(links, sizeof *load), *crossed = calloc(links, sizeof *crossed);
    uint32_t draws = find_loads(network, traffic, paths, false, load);
    assert_int_equal(draws == 0, exact);
    route(network, traffic, scheme, rule, RUNS, crossed);
    for (np_link link = 0; link < links; link++) {
        double off = fabs(crossed[link] / RUNS - load[link]), all = load[link] + 0.05;
        assert_true(off <= 5 * sqrt(all / RUNS) + (draws ? 5 * sqrt(all / draws) : 0));
    }
    free(load);
    free(crossed);
    np_traffic_free(traffic);
    np_network_free(network);
}

static void as_routed(void **state)
{
    (void)state;
    static const struct {
        const char *network, *traffic, *scheme, *rule, *paths;
        bool exact;
    } cases[] = {
        {"torus:6x6", "tornado", "greedy", "dimension-order", "dimension-order", true},
        {"torus:6x6", "tornado", "greedy", "shortest", "shortest", true},
        {"mesh:5x5", "transpose", "greedy", "shortest", "shortest", true}, /* not as spray */
        {"mesh:5x5", "transpose", "greedy", "spray", "spray", true},
        {"mesh:5x5", "transpose", "greedy", "ecmp", "ecmp", true},
        {"mesh:5x5", "transpose", "greedy", "lowest-port", "lowest-port", true},
        {"torus:6x6:fail=0.1", "rotation:7", "greedy", "spray", "spray", true},
        {"hypercube:5", "complement", "greedy", "random-order", "random-order", true},
        {"hypercube:5", "complement", "greedy", "cyclic-order", "cyclic-order", true},
        {"torus:6x6", "rotation:21", "greedy", "dimension-order:drawn", "dimension-order:drawn", true},
        {"torus:4x4@2", "rotation:20", "greedy", "dimension-order:drawn", "dimension-order:drawn", true},
        {"hypercube:3@2", "complement", "greedy", "cyclic-order", "cyclic-order", true},
        {"fat-tree:4", "complement", "greedy", "up-down", "up-down", true},
        {"fat-tree:4", "complement", "greedy", "spray", "spray", true},
        {"mesh:5x5", "transpose", "greedy", "k-shortest:3", "k-shortest:3", true},
        {"torus:4x4@2", "rotation:9", "greedy", "dimension-order", "dimension-order", true},
        {"torus:4x4@2", "rotation:9", "greedy", "shortest", "shortest", true},
        {"dragonfly:a=4,p=2,h=2", "rotation:11", "greedy", "minimal", "minimal", true},
        {"xgft:2:4,4:1,2", "rotation:5", "greedy", "shortest", "shortest", true},
        {"torus:6x6", "tornado", "valiant", NULL, "valiant", true},
        {"torus:4x4@2", "rotation:9", "valiant", "spray", "valiant:spray", true},
        {"hypercube:5", "complement", "cubes", NULL, "valiant", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(cases[i].network, cases[i].traffic, cases[i].scheme, cases[i].rule, cases[i].paths, cases[i].exact);
}

/* ---- Closed forms ---- */

static void closed_forms(void **state)
{
    (void)state;
    static const struct {
        const char *network, *traffic, *paths;
        double factor, hops;
    } cases[] = {
        /* A ring of 8 takes 1 + 2 + 3 + 4 hops upwards from each node, and is crossed from 8 rows. */
        {"torus:8x8", "all-to-all", "dimension-order", 1.0 / 80, 256.0 / 63},
        {"torus:7x7", "all-to-all", "dimension-order", 1.0 / 42, 2 * 12.0 * 7 / 48}, /* 7 (1 + 2 + 3), no ties */
        {"torus:8x8", "all-to-all", "shortest", 1.0 / 64, 256.0 / 63},               /* all links alike */
        {"hypercube:6", "complement", "dimension-order", 1, 6}, /* each crosses dimension 0 from its source */
        {"hypercube:6", "complement", "valiant", 1, 6},         /* half of the dimensions, twice: half of a packet */
        {"hypercube:6", "bit-reversal", "dimension-order", 0.25, 3 * 64.0 / 56}, /* 2^(n/2 - 1) over a link */
        {"complete:8", "rotation:1", "shortest", 1, 1},
        {"complete:8", "rotation:1", "valiant", 4, 14.0 / 8}, /* an eighth of a packet over each link, twice */
        {"tree:2x3", "all-to-all", "shortest", 1.0 / 56, 0},
        /* Ways that can be counted: ties drawn load all links alike, parallel cables are taken in turn. */
        {"torus:8x8", "all-to-all", "dimension-order:drawn", 1.0 / 64, 256.0 / 63},
        {"torus:4x4@2", "all-to-all", "dimension-order:drawn", 1.0 / 32, 2 + 2048.0 / 992},
        {"hypercube:6", "all-to-all", "cyclic-order", 1.0 / 32, 192.0 / 63},
        {"hyperx:3,widths=4", "all-to-all", "dimension-order", 4, 1},
        {"hyperx:3,widths=2@8", "all-to-all", "dimension-order", 1.0 / 32, 2 + 384.0 / 552},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_traffic *traffic = support_traffic(network, cases[i].traffic, 1);
        const np_throughput_options options = with_paths(cases[i].paths, false);
        np_throughput *r;
        assert_ok(np_throughput_find(network, traffic, &options, &r));
        assert_true(fabs(r->paths.factor / cases[i].factor - 1) < 1e-12);
        assert_true(cases[i].hops <= 0 || fabs(r->paths.mean_hops / cases[i].hops - 1) < 1e-12);
        assert_true(r->paths.share.low <= r->paths.share.high && r->paths.share.high <= 1);
        assert_true(fabs(r->paths.link.load * r->paths.factor - 1) < 1e-12);
        np_throughput_free(r);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* Splitting at every hop makes spray of shortest. */
static void split_is_spray(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:5x4");
    np_traffic *traffic = support_traffic(network, "random", 1);
    uint32_t links = np_network_link_numbers(network), differ = 0;
    double *a = calloc(links, sizeof *a), *b = calloc(links, sizeof *b), *c = calloc(links, sizeof *c);
    find_loads(network, traffic, "shortest", true, a);
    find_loads(network, traffic, "spray", false, b);
    find_loads(network, traffic, "shortest", false, c);
    assert_memory_equal(a, b, links * sizeof *a);
    for (uint32_t i = 0; i < links; i++)
        differ += fabs(a[i] - c[i]) > 1e-9;
    assert_true(differ > 5);
    free(a);
    free(b);
    free(c);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* A mesh has more shortest paths from corner to corner than 2^64. */
static void many_paths(void **state)
{
    (void)state;
    static const np_node source[] = {0}, destination[] = {40 * 40 - 1};
    np_network *network = support_network("mesh:40x40");
    np_traffic *traffic;
    uint32_t links = np_network_link_numbers(network);
    double *load = calloc(links, sizeof *load), all = 0;
    assert_ok(np_traffic_from_arrays(network, 1, source, destination, NULL, &traffic));
    find_loads(network, traffic, "shortest", false, load);
    for (uint32_t i = 0; i < links; i++)
        all += load[i];
    assert_true(fabs(all - 78) < 1e-9);
    assert_true(fabs(load[np_network_link_between(network, 0, 1)] - 0.5) < 1e-12);
    free(load);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* ---- Routes that meet ---- */

/* All pairs, one after another: what each walks over. */
static void walk_all(const np_network *network, const np_traffic *traffic, const char *rule, double *load)
{
    enum { MOST = 256 };
    np_link links[MOST];
    np_path *path;
    size_t hops;
    assert_ok(np_path_create(rule, network, &path));
    assert_true((path->inner ? path->inner : path)->rule->memoryless);
    for (size_t i = 0; i < traffic->count; i++) {
        assert_ok(np_path_walk(path, traffic->source[i], traffic->destination[i], 1, 0, 0, 0, MOST, links, &hops));
        for (size_t k = 0; k < hops; k++)
            load[links[k]]++;
    }
    np_path_free(path);
}

/* Whole numbers: trees of routes and single routes load links alike, to the bit. Of a rule that is not memoryless, not.
 */
static void trees_are_routes(void **state)
{
    (void)state;
    static const struct {
        const char *network, *traffic, *paths;
    } cases[] = {
        {"mesh:7x3x2", "all-to-all", "dimension-order"},
        {"torus:6x5x4", "all-to-all", "dimension-order"},
        {"ring:8", "all-to-all", "dimension-order"},
        {"mesh:6x6", "random", "dimension-order"},
        {"torus:4x4@3", "all-to-all", "dimension-order"},
        {"mesh:4x4@2", "random", "dimension-order"},
        {"hypercube:6", "all-to-all", "dimension-order"},
        {"hypercube:3@2", "all-to-all", "dimension-order"},
        {"complete:9", "all-to-all", "direct"},
        {"butterfly-io:4", "h-relation:3", "unique"},
        {"omega:5", "h-relation:3", "unique"},
        {"mesh-of-trees:8", "all-to-all", "row-column"},
        {"tree:3x3", "all-to-all", "up-down"},
        {"star:5", "all-to-all", "cayley"},
        {"pancake:5", "all-to-all", "cayley"},
        {"ccc:4", "all-to-all", "clockwise"},
        {"crossbar:6", "all-to-all", "unique"},
        {"ring:2", "all-to-all", "dimension-order"},
        {"torus:2x2", "all-to-all", "cayley"},
        {"torus:4x2@3", "all-to-all", "cayley"},
        {"butterfly:3", "all-to-all", "cayley"},
        {"star:4@2", "random", "cayley"},
        {"cayley:1032,2301,3210", "all-to-all", "cayley"},
        {"inverse-omega:4", "all-to-all", "unique"},
        {"tree:2x4@2", "random", "up-down"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_traffic *traffic = support_traffic(network, cases[i].traffic, 3);
        size_t links = np_network_link_numbers(network);
        double *by_tree = calloc(links, sizeof *by_tree), *walked = calloc(links, sizeof *walked);
        assert_int_equal(find_loads(network, traffic, cases[i].paths, false, by_tree), 0);
        walk_all(network, traffic, cases[i].paths, walked);
        assert_memory_equal(by_tree, walked, links * sizeof *walked);
        free(by_tree);
        free(walked);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* ---- Parallel links, listed paths ---- */

/* Three links from 0 to 1, one on to 2, one from 0 to 2: 0 -> 2 directly, 0 -> 1 over three. */
static void parallel_links(void **state)
{
    (void)state;
    static const np_node from[] = {0, 0, 0, 1, 0, 2}, to[] = {1, 1, 1, 2, 2, 0}, source[] = {0, 0}, goal[] = {1, 2};
    char path[80];
    np_network *network;
    np_traffic *traffic;
    double load[64] = {0}, all = 0;
    snprintf(path, sizeof path, "file:/tmp/netpram-test-own-paths-%ld", (long)getpid());
    assert_ok(np_network_from_links(3, 6, from, to, &network));
    assert_ok(np_traffic_from_arrays(network, 2, source, goal, NULL, &traffic));
    find_loads(network, traffic, "shortest", false, load);
    np_link first = np_network_link_between(network, 0, 1);
    for (np_link link = 0; link < np_network_link_numbers(network); link++)
        if (np_network_link_tail(network, link) == 0 && np_network_link_head(network, link) == 1)
            assert_true(fabs(load[link] - 1.0 / 3) < 1e-15);
    memset(load, 0, sizeof load);
    find_loads(network, traffic, "lowest-port", false, load);
    assert_true(load[first] == 1);
    FILE *file = fopen(path + 5, "w");
    fputs("0 1\n0 2 @ 1\n0 1 2 @ 3\n", file);
    fclose(file);
    memset(load, 0, sizeof load);
    assert_int_equal(find_loads(network, traffic, path, false, load), 0);
    for (np_link link = 0; link < np_network_link_numbers(network); link++)
        all += load[link];
    assert_true(fabs(load[first] - 1.75 / 3) < 1e-15 && fabs(all - 2.75) < 1e-12);
    unlink(path + 5);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* ---- What is refused ---- */

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *network, *paths;
        bool split;
        np_status status;
        const char *message;
    } cases[] = {
        {"ring:6", "balanced", false, NP_ERROR_APPLY, "depends on the other packets"},
        {"torus:4x4", "dimension-order", true, NP_ERROR_APPLY, "do not choose among the links"},
        {"ring:6", "lowest-port", true, NP_ERROR_APPLY, "do not choose among the links"},
        {"ring:6", "nonsense", false, NP_ERROR_INPUT, "no path rule 'nonsense'"},
        {"ring:6", "valiant:nonsense", false, NP_ERROR_INPUT, "no path rule 'nonsense'"},
        {"ring:6", "valiants", false, NP_ERROR_INPUT, "no path rule 'valiants'"},
        {"ring:6", NULL, true, NP_ERROR_INPUT, "split is for paths"},
        {"ring:6", "up-down", false, NP_ERROR_APPLY, "do not apply to ring:6"},
        {"butterfly-io:3", "valiant", false, NP_ERROR_APPLY, "not by way of any node"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_traffic *traffic = support_traffic(network, "rotation:1", 1);
        const np_throughput_options options = with_paths(cases[i].paths, cases[i].split);
        np_throughput *r;
        assert_refused(np_throughput_find(network, traffic, &options, &r), cases[i].status, cases[i].message);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* A packet for its own node counts nowhere; without others there is nothing to say of the paths. */
static void nothing_moves(void **state)
{
    (void)state;
    np_network *network = support_network("ring:5");
    np_traffic *traffic = support_traffic(network, "identity", 1);
    const np_throughput_options options = with_paths("valiant", false);
    np_throughput *r;
    assert_ok(np_throughput_find(network, traffic, &options, &r));
    assert_null(r->paths.rule);
    np_throughput_free(r);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* Amounts count; a directed network whose way back is long. */
static void amounts(void **state)
{
    (void)state;
    static const np_node from[] = {0, 1, 2}, to[] = {1, 2, 0}, source[] = {0, 0, 0, 1}, goal[] = {1, 1, 1, 0};
    np_network *network;
    np_traffic *traffic;
    const np_throughput_options options = with_paths("shortest", false);
    np_throughput *r;
    assert_ok(np_network_from_links(3, 3, from, to, &network));
    assert_ok(np_traffic_from_arrays(network, 4, source, goal, NULL, &traffic));
    assert_ok(np_throughput_find(network, traffic, &options, &r));
    assert_true(fabs(r->paths.factor - 1.0 / 3) < 1e-15 && fabs(r->paths.mean_hops - 5.0 / 4) < 1e-15);
    assert_true(r->paths.link.from == 0 && r->paths.link.to == 1);
    np_throughput_free(r);
    np_traffic_free(traffic);
    np_network_free(network);
}

static void no_memory(void **state)
{
    (void)state;
    static const char *const paths[] = {"shortest", "valiant", "cyclic-order", "dimension-order", "k-shortest:2"};
    np_network *network = support_network("hypercube:3");
    np_traffic *traffic = support_traffic(network, "complement", 1);
    np_throughput *r;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        np_throughput_options options = with_paths(paths[i], false);
        np_status st = NP_ERROR_MEMORY;
        long n = 1;
        options.threads = 1;
        for (; st == NP_ERROR_MEMORY; n = support_next_failure(n)) {
            np_memory_fail_after(n);
            st = np_throughput_find(network, traffic, &options, &r);
            np_memory_fail_after(0);
            np_throughput_free(r);
        }
        assert_int_equal(st, NP_OK);
        assert_true(n > 20);
    }
    np_traffic_free(traffic);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_routed),      cmocka_unit_test(closed_forms),  cmocka_unit_test(trees_are_routes),
        cmocka_unit_test(split_is_spray), cmocka_unit_test(many_paths),    cmocka_unit_test(parallel_links),
        cmocka_unit_test(refusals),       cmocka_unit_test(nothing_moves), cmocka_unit_test(amounts),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
