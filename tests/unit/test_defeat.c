/* The permutation that defeats a path rule: its pairs cross the link, and no matching of this link has more of them. */
#define _GNU_SOURCE /* open_memstream */
#include "support.h"

#include <math.h>
#include <unistd.h>

#include "base/memory.h"
#include "netpram/theory.h"

static np_defeat_options quick(void)
{
    np_defeat_options options;
    np_defeat_options_init(&options);
    options.runs = 2;
    return options;
}

/* ---- The oracle: paths one at a time, and a matching by depth-first search ---- */

enum { NODES_MOST = 256 };

typedef struct oracle {
    np_node nodes;
    bool crosses[NODES_MOST][NODES_MOST]; /* [source][destination] the path crosses the link */
    int source_of[NODES_MOST];            /* -1: none */
    bool seen[NODES_MOST];
} oracle;

static bool crosses(const np_path *path, np_node from, np_node to, np_link link)
{
    np_link links[512];
    size_t hops;
    bool found = false;
    assert_ok(np_path_walk(path, from, to, 1, 0, 0, 0, 512, links, &hops));
    assert_true(hops <= 512);
    for (size_t i = 0; i < hops; i++)
        found = found || links[i] == link;
    return found;
}

/* Dimensions in ascending order on the cube: the link leaves node `tail` by dimension `dimension`. */
static bool cube_crosses(np_node from, np_node to, np_node tail, unsigned dimension)
{
    np_node at = from;
    for (unsigned d = 0; d < 8; d++)
        if ((at ^ to) >> d & 1) {
            if (d == dimension && at == tail)
                return true;
            at ^= 1u << d;
        }
    return false;
}

static bool matches(oracle *o, np_node source)
{
    for (np_node v = 0; v < o->nodes; v++) {
        if (!o->crosses[source][v] || o->seen[v])
            continue;
        o->seen[v] = true;
        if (o->source_of[v] < 0 || matches(o, (np_node)o->source_of[v])) {
            o->source_of[v] = (int)source;
            return true;
        }
    }
    return false;
}

static np_packet matching(oracle *o)
{
    np_packet size = 0;
    memset(o->source_of, -1, sizeof o->source_of);
    for (np_node u = 0; u < o->nodes; u++) {
        memset(o->seen, 0, sizeof o->seen);
        size += matches(o, u);
    }
    return size;
}

/* ---- The tests ---- */

static void judge_permutation(const np_defeat *defeat)
{
    np_node nodes = np_network_nodes(defeat->network);
    bool *from = calloc(nodes, sizeof *from), *to = calloc(nodes, sizeof *to);
    assert_int_equal(defeat->packets, nodes);
    for (np_packet p = 0; p < nodes; p++) {
        assert_false(from[defeat->source[p]] || to[defeat->destination[p]]);
        from[defeat->source[p]] = to[defeat->destination[p]] = true;
    }
    free(from);
    free(to);
}

static void judge_pairs(const np_defeat *defeat)
{
    np_path *path;
    assert_ok(np_path_create(defeat->paths, defeat->network, &path));
    for (np_packet p = 0; p < defeat->crossing; p++)
        assert_true(crosses(path, defeat->source[p], defeat->destination[p], defeat->link));
    np_path_free(path);
}

/* So many packets over one link take as many steps. */
static void judge_steps(const np_defeat *defeat)
{
    assert_true(defeat->steps.count == 2 && defeat->two_phase_steps.count == 2);
    assert_true(defeat->steps.min >= defeat->crossing);
}

static void pairs_cross(void **state)
{
    static const struct {
        const char *spec, *paths;
    } cases[] = {
        {"hypercube:6", NULL},
        {"mesh:6x5", NULL},
        {"torus:5x5", NULL},
        {"ring:9", NULL},
        {"butterfly:3", NULL},
        {"ccc:3", NULL},
        {"shuffle:2x5", "full-shift"},
        {"star:4", NULL},
        {"shuffle-exchange:4", NULL},
        {"complete:9", NULL},
        {"tree:2x4", NULL},
        {"array:2", NULL},
        {"hypercube:5", "lowest-port"},
    };
    (void)state;
    oracle *o = malloc(sizeof *o);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        np_defeat_options options = quick();
        np_defeat *defeat;
        np_path *path;
        options.paths = cases[i].paths;
        assert_ok(np_defeat_find(network, &options, &defeat));
        assert_true(defeat->exhaustive && defeat->crossing >= defeat->bound && defeat->bound >= 1);
        judge_permutation(defeat);
        judge_pairs(defeat);
        judge_steps(defeat);
        assert_ok(np_path_create(defeat->paths, network, &path));
        o->nodes = np_network_nodes(network);
        for (np_node u = 0; u < o->nodes; u++)
            for (np_node v = 0; v < o->nodes; v++)
                o->crosses[u][v] = crosses(path, u, v, defeat->link);
        if (matching(o) != defeat->crossing)
            fail_msg("%s: %u packets cross, and %u could", cases[i].spec, defeat->crossing, matching(o));
        np_path_free(path);
        np_defeat_free(defeat);
        np_network_free(network);
    }
    free(o);
}

/* On the cube no link allows more: all links are tried, with paths that are written out here. */
static void best_link_of_cubes(void **state)
{
    (void)state;
    oracle *o = malloc(sizeof *o);
    for (unsigned n = 1; n <= 6; n++) {
        char spec[32];
        np_packet best = 0;
        snprintf(spec, sizeof spec, "hypercube:%u", n);
        np_network *network = support_network(spec);
        np_defeat_options options = quick();
        np_defeat *defeat;
        assert_ok(np_defeat_find(network, &options, &defeat));
        o->nodes = 1u << n;
        for (np_node tail = 0; tail < o->nodes; tail++)
            for (unsigned d = 0; d < n; d++) {
                for (np_node u = 0; u < o->nodes; u++)
                    for (np_node v = 0; v < o->nodes; v++)
                        o->crosses[u][v] = cube_crosses(u, v, tail, d);
                np_packet size = matching(o);
                best = size > best ? size : best;
            }
        assert_int_equal(defeat->crossing, best);
        assert_int_equal(best, 1u << (n - 1) / 2);
        np_defeat_free(defeat);
        np_network_free(network);
    }
    free(o);
}

/* Too little effort for all paths: the link and the pairs are as good on the cube, and the result says so. */
static void sample(void **state)
{
    np_network *network = support_network("hypercube:10");
    np_defeat_options options = quick();
    np_defeat *defeat, *again;
    (void)state;
    options.effort = 500000; /* the paths to 98 of 1024 destinations */
    assert_ok(np_defeat_find(network, &options, &defeat));
    assert_false(defeat->exhaustive);
    assert_int_equal(defeat->destinations, 98);
    assert_int_equal(defeat->crossing, 16);
    judge_permutation(defeat);
    judge_pairs(defeat);
    assert_ok(np_defeat_find(network, &options, &again));
    assert_memory_equal(defeat->source, again->source, 1024 * sizeof(np_node));
    assert_memory_equal(defeat->destination, again->destination, 1024 * sizeof(np_node));
    np_defeat_free(again);
    np_defeat_free(defeat);
    options.effort = 1;
    assert_ok(np_defeat_find(network, &options, &defeat));
    assert_int_equal(defeat->destinations, 1);
    judge_permutation(defeat);
    judge_pairs(defeat);
    np_defeat_free(defeat);
    np_network_free(network);
}

/*
 * A sample whose best link has fewer packets than the theorem says tries others, and the link is the one that is said.
 */
static void sample_beyond_its_best_link(void **state)
{
    static const uint64_t seeds[] = {2, 4, 6, 7, 8};
    np_network *network = support_network("shuffle:2x10");
    np_defeat_options options = quick();
    np_defeat *defeat;
    (void)state;
    options.effort = 100000;
    for (size_t i = 0; i < SUPPORT_SAMPLE(sizeof seeds / sizeof *seeds); i++) {
        uint32_t over = 0;
        np_path *path;
        options.seed = seeds[i];
        assert_ok(np_defeat_find(network, &options, &defeat));
        assert_false(defeat->exhaustive);
        assert_true(defeat->crossing >= defeat->bound); /* the best link alone has fewer */
        assert_ok(np_path_create("greedy", network, &path));
        for (np_packet p = 0; p < defeat->packets; p++)
            over += crosses(path, defeat->source[p], defeat->destination[p], defeat->link);
        assert_true(over >= defeat->crossing);
        np_path_free(path);
        np_defeat_free(defeat);
    }
    np_network_free(network);
}

/* The largest k with (1 + d (k-1))^2 < N: ceil((sqrt(N) - 1) / d). */
static void theorem(void **state)
{
    (void)state;
    assert_int_equal(np_bound_oblivious(1024, 10), 4);
    assert_int_equal(np_bound_oblivious(65536, 4), 64);
    assert_int_equal(np_bound_oblivious(16, 3), 1);
    assert_int_equal(np_bound_oblivious(17, 3), 2);
    assert_int_equal(np_bound_oblivious(1, 3), 0);
    assert_int_equal(np_bound_oblivious(9, 0), 0);
    for (uint32_t nodes = 2; nodes < 3000; nodes++)
        for (uint32_t degree = 1; degree < 12; degree++)
            assert_int_equal(np_bound_oblivious(nodes, degree),
                             (uint32_t)ceil((sqrt((double)nodes) - 1) / (double)degree));
}

static void refusals(void **state)
{
    np_network *cube = support_network("hypercube:4"), *omega = support_network("omega:3");
    np_defeat_options options = quick();
    np_defeat *defeat;
    (void)state;
    options.paths = "random-order";
    assert_refused(np_defeat_find(cube, &options, &defeat), NP_ERROR_APPLY, "are drawn");
    assert_null(defeat);
    options.paths = "balanced";
    assert_refused(np_defeat_find(cube, &options, &defeat), NP_ERROR_APPLY, "depend on the other packets");
    np_network *mesh = support_network("mesh:4x4");
    options.paths = "spread-turns";
    assert_refused(np_defeat_find(mesh, &options, &defeat), NP_ERROR_APPLY, "depend on the other packets");
    np_network_free(mesh);
    options.paths = "gready";
    assert_refused(np_defeat_find(cube, &options, &defeat), NP_ERROR_INPUT, "'greedy'");
    options.paths = NULL;
    assert_refused(np_defeat_find(omega, &options, &defeat), NP_ERROR_APPLY, "omega:3");
    options.runs = 0;
    assert_refused(np_defeat_find(cube, &options, &defeat), NP_ERROR_INPUT, "runs 0");
    assert_null(defeat);
    np_defeat_free(NULL);
    np_network_free(cube);
    np_network_free(omega);
}

/* What is written is traffic that takes the same steps. */
static void saved(void **state)
{
    np_network *network = support_network("hypercube:8");
    np_defeat_options options = quick();
    np_route_options routing;
    np_route_result *result;
    np_defeat *defeat;
    char spec[256], *path = support_file("");
    (void)state;
    assert_ok(np_defeat_find(network, &options, &defeat));
    assert_ok(np_defeat_save(defeat, path));
    snprintf(spec, sizeof spec, "file:%s", path);
    np_route_options_init(&routing);
    routing.paths = "dimension-order";
    routing.runs = 2;
    assert_ok(np_route(network, spec, &routing, &result));
    assert_true(result->total_steps.max == defeat->steps.max);
    assert_refused(np_defeat_save(defeat, "/none/none"), NP_ERROR_IO, "/none/none");
    np_route_result_free(result);
    np_defeat_free(defeat);
    np_network_free(network);
    unlink(path);
    free(path);
}

static void reports(void **state)
{
    np_network *network = support_network("hypercube:8");
    np_defeat_options options = quick();
    np_report_options report = {.size = sizeof report, .format = NP_REPORT_TABLE, .command = "netpram defeat"};
    np_defeat *defeat;
    char *text;
    size_t size;
    (void)state;
    assert_ok(np_defeat_find(network, &options, &defeat));
    FILE *stream = open_memstream(&text, &size);
    assert_ok(np_report_defeat(defeat, &report, stream));
    fclose(stream);
    assert_non_null(strstr(text, "search   all paths\n"));
    assert_non_null(strstr(text, "link     0->16: 8 packets of the permutation cross it\n"));
    assert_non_null(strstr(text, "bound    2 packets over some link"));
    assert_non_null(strstr(text, "direct     11 steps, 11..11 in 2 runs\n"));
    free(text);
    np_defeat_free(defeat);
    np_network_free(network);
}

/* A limit below the peak is refused, and one of a tenth above it suffices. */
static void memory_limit(void **state)
{
    static const char *const specs[] = {"hypercube:11", "mesh:40x40", "ring:500"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        np_network *network = support_network(specs[i]);
        np_defeat_options options = quick();
        np_defeat *defeat;
        options.effort = SUPPORT_FEWER(1000000, 100000);
        options.runs = 1;
        options.paths = i ? "lowest-port" : NULL;
        support_memory_count(true);
        assert_ok(np_defeat_find(network, &options, &defeat));
        uint64_t peak = support_memory_peak();
        support_memory_count(false);
        np_defeat_free(defeat);
        options.memory_limit = peak / 10 * 11 + (1 << 18);
        assert_ok(np_defeat_find(network, &options, &defeat));
        np_defeat_free(defeat);
        options.memory_limit = peak - peak / 10;
        support_memory_count(true);
        assert_int_equal(np_defeat_find(network, &options, &defeat), NP_ERROR_LIMIT);
        assert_true(support_memory_peak() <= options.memory_limit);
        support_memory_count(false);
        np_network_free(network);
    }
}

static void no_memory(void **state)
{
    np_network *network = support_network("mesh:3x3");
    np_defeat_options options = quick();
    np_defeat *defeat;
    np_status st = NP_ERROR_MEMORY;
    long n;
    (void)state;
    options.runs = 1;
    options.effort = 30; /* of all kinds of searches */
    for (n = 0; st; n++) {
        np_memory_fail_after(n + 1);
        st = np_defeat_find(network, &options, &defeat);
        assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
        np_defeat_free(defeat);
    }
    np_memory_fail_after(0);
    assert_true(n > 30);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_cross),  cmocka_unit_test(best_link_of_cubes),
        cmocka_unit_test(sample),       cmocka_unit_test(sample_beyond_its_best_link),
        cmocka_unit_test(theorem),      cmocka_unit_test(refusals),
        cmocka_unit_test(saved),        cmocka_unit_test(reports),
        cmocka_unit_test(memory_limit), cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
