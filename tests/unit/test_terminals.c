/* Networks that send and receive at terminals: families, traffic and paths, against tests/oracle/terminals.c. */
#include "support.h"

#include <unistd.h>

#include "model/network/network.h"
#include "oracle/terminals.h"

static const char *const specs[] = {
    "butterfly-io:1", "butterfly-io:2",  "butterfly-io:3",  "butterfly-io:6",  "fat-tree:1",      "fat-tree:2",
    "fat-tree:4",     "fat-tree-8:1",    "fat-tree-8:2",    "omega:1",         "omega:2",         "omega:3",
    "omega:6",        "inverse-omega:1", "inverse-omega:2", "inverse-omega:3", "inverse-omega:6", "benes:1",
    "benes:2",        "benes:3",         "benes:4",         "benes:7",
};
enum { SPECS = sizeof specs / sizeof *specs };

static void agrees_with_definition(const char *spec)
{
    np_network *network = support_network(spec);
    oracle_terminals *t = oracle_terminals_of(spec);
    uint64_t links = 0;
    assert_string_equal(np_network_spec(network), spec);
    assert_int_equal(np_network_nodes(network), t->graph.nodes);
    assert_int_equal(np_network_ports(network), t->graph.ports);
    assert_int_equal(np_network_link_numbers(network), t->graph.nodes * t->graph.ports);
    for (uint32_t link = 0; link < t->graph.nodes * t->graph.ports; link++) {
        assert_int_equal(np_network_link_head(network, link), t->graph.head[link]); /* NP_NONE is ORACLE_NONE */
        links += t->graph.head[link] != ORACLE_NONE;
    }
    assert_int_equal(np_network_links(network), links);
    assert_int_equal(np_network_terminals(network), t->count);
    for (uint32_t i = 0; i < t->count; i++) {
        assert_int_equal(np_network_input(network, i), t->input[i]);
        assert_int_equal(np_network_output(network, i), t->output[i]);
        assert_true(np_network_serves(network, t->input[i], t->output[i]));
    }
    assert_ok(np_network_audit(network));
    oracle_terminals_free(t);
    np_network_free(network);
}

static void every_family_is_its_definition(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPECS; i++)
        agrees_with_definition(specs[i]);
}

static void serves_nothing_but_terminals(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPECS; i++) {
        np_network *network = support_network(specs[i]);
        oracle_terminals *t = oracle_terminals_of(specs[i]);
        for (uint32_t u = 0; u < t->graph.nodes; u++) {
            bool in = false, out = false;
            for (uint32_t j = 0; j < t->count; j++) {
                in |= t->input[j] == u;
                out |= t->output[j] == u;
            }
            assert_int_equal(np_network_serves(network, u, t->output[0]), in);
            assert_int_equal(np_network_serves(network, t->input[0], u), out);
        }
        oracle_terminals_free(t);
        np_network_free(network);
    }
}

static void facts_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPECS; i++) {
        np_network *network = support_network(specs[i]);
        np_network_facts formulas, facts;
        bool tree = !strncmp(specs[i], "fat-tree", 8);
        assert_ok(np_network_measure(network, 0, &formulas));
        assert_ok(np_network_measure(network, 100000000, &facts));
        assert_int_equal(facts.strongly_connected, tree);
        assert_int_equal(formulas.strongly_connected, tree); /* the family's promise */
        assert_int_equal(facts.regular, formulas.regular);
        assert_int_equal(facts.diameter.has_formula, tree);
        if (tree)
            assert_int_equal(facts.diameter.measured, facts.diameter.formula);
        else
            assert_non_null(strstr(facts.diameter.note, "infinite"));
        np_network_free(network);
    }
}

/* Every pair: the rule's path exists, ends there (np_path_walk checks both) and is a shortest one. */
static void greedy_is_shortest(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPECS; i++) {
        np_network *network = support_network(specs[i]);
        oracle_terminals *t = oracle_terminals_of(specs[i]);
        uint32_t *distance = malloc(t->graph.nodes * sizeof *distance);
        np_path *path;
        assert_ok(np_path_create("greedy", network, &path));
        assert_true(!strcmp(np_path_name(path), "unique") || !strcmp(np_path_name(path), "up-down") ||
                    (!strcmp(np_path_name(path), "shortest") && !strncmp(specs[i], "benes:", 6)));
        for (uint32_t a = 0; a < t->count; a++) {
            oracle_graph_distances(&t->graph, t->input[a], distance);
            for (uint32_t b = 0; b < t->count; b++) {
                size_t hops;
                assert_ok(np_path_walk(path, t->input[a], t->output[b], 7, 3, 0, a * t->count + b, 0, NULL, &hops));
                assert_int_equal(hops, distance[t->output[b]]);
            }
        }
        np_path_free(path);
        free(distance);
        oracle_terminals_free(t);
        np_network_free(network);
    }
}

/* Lemma 7.1: from leaf to leaf over all the roots, each about as often. */
static void fat_trees_use_every_root(void **state)
{
    static const char *const trees[] = {"fat-tree:4", "fat-tree-8:2"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        np_network *network = support_network(trees[i]);
        np_node nodes = np_network_nodes(network), roots = 16, leaves = np_network_terminals(network);
        uint32_t *count = calloc(roots, sizeof *count), least = UINT32_MAX;
        np_path *path;
        assert_ok(np_path_create("up-down", network, &path));
        for (np_packet p = 0; p < 1600; p++) {
            np_link links[16];
            size_t hops;
            assert_ok(np_path_walk(path, 0, leaves - 1, 1, 0, 0, p, 16, links, &hops));
            np_node top = np_network_link_head(network, links[hops / 2 - 1]);
            assert_true(top >= nodes - roots);
            count[top - (nodes - roots)]++;
        }
        for (np_node r = 0; r < roots; r++)
            least = count[r] < least ? count[r] : least;
        assert_true(least > 50); /* 100 expected; a fixed seed */
        free(count);
        np_path_free(path);
        np_network_free(network);
    }
}

/* Bit i, from 1 at the top, of an n-bit number. */
static uint32_t bit(uint32_t number, uint32_t n, uint32_t i) { return number >> (n - i) & 1; }

/* a_(i+1)..a_n b_1..b_(i-1) last: the line that propositions 1 and 2 name, given which of a and b comes first. */
static uint32_t line(uint32_t first, uint32_t second, uint32_t n, uint32_t i, uint32_t last)
{
    uint32_t p = 0;
    for (uint32_t j = i + 1; j <= n; j++)
        p = 2 * p + bit(first, n, j);
    for (uint32_t j = 1; j < i; j++)
        p = 2 * p + bit(second, n, j);
    return 2 * p + last;
}

/* Propositions 1 and 2: the output of stage i that the path from a to b goes by. */
static void propositions_1_and_2_hold(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 6; n++)
        for (int inverse = 0; inverse <= 1; inverse++) {
            char spec[32];
            snprintf(spec, sizeof spec, "%somega:%u", inverse ? "inverse-" : "", n);
            np_network *network = support_network(spec);
            np_path *path;
            assert_ok(np_path_create("unique", network, &path));
            for (uint32_t a = 0; a < UINT32_C(1) << n; a++)
                for (uint32_t b = 0; b < UINT32_C(1) << n; b++) {
                    np_link links[8];
                    size_t hops;
                    assert_ok(np_path_walk(path, np_network_input(network, a), np_network_output(network, b), 1, 0, 0,
                                           0, 8, links, &hops));
                    assert_int_equal(hops, n);
                    for (uint32_t crossed = 0; crossed < n; crossed++) {
                        uint32_t i = inverse ? n - crossed : crossed + 1;
                        uint32_t out = inverse ? line(b, a, n, i, bit(b, n, i)) : line(a, b, n, i, bit(b, n, i));
                        uint32_t in = inverse ? line(b, a, n, i, bit(a, n, i)) : line(a, b, n, i, bit(a, n, i));
                        assert_int_equal(links[crossed], (crossed << n) + out);
                        assert_int_equal(np_network_link_tail(network, links[crossed]), (crossed << (n - 1)) + in / 2);
                    }
                }
            np_path_free(path);
            np_network_free(network);
        }
}

/* Generators speak of terminals, traffic of nodes. */
static void traffic_goes_between_terminals(void **state)
{
    static const char *const generators[] = {
        "identity",          "random",          "bit-reversal", "complement",     "rotation:1",
        "random-function:3", "h-relation:2",    "all-to-all",   "hotspot:1",      "tornado",
        "transpose",         "perfect-shuffle", "partial:0.5",  "repeat:2:random"};
    (void)state;
    for (size_t i = 0; i < SPECS; i++) {
        np_network *network = support_network(specs[i]);
        for (size_t g = 0; g < sizeof generators / sizeof *generators; g++) {
            np_traffic *traffic;
            uint64_t packets;
            bool random;
            assert_ok(np_traffic_create(generators[g], network, 5, 0, &traffic));
            assert_ok(np_traffic_estimate(generators[g], network, &packets, &random));
            assert_int_equal(packets, np_traffic_packets(traffic));
            assert_true(packets >= np_network_terminals(network) / 2);
            for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
                assert_true(
                    np_network_serves(network, np_traffic_sources(traffic)[p], np_traffic_destinations(traffic)[p]));
            np_traffic_free(traffic);
        }
        np_network_free(network);
    }
}

/* complement on omega:3: terminal i starts at switch p_2 p_3 of stage 1 and ends at sink 12 + 7 - i. */
static void numbers_are_mapped_once(void **state)
{
    static const np_node switches[] = {0, 1, 2, 3, 0, 1, 2, 3};
    np_network *network = support_network("omega:3");
    np_traffic *traffic;
    uint32_t h;
    (void)state;
    assert_ok(np_traffic_create("complement", network, 1, 0, &traffic));
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(np_traffic_sources(traffic)[i], switches[i]);
        assert_int_equal(np_traffic_destinations(traffic)[i], 12 + 7 - i);
    }
    assert_ok(np_traffic_relation(traffic, network, &h));
    assert_int_equal(h, 1); /* a switch has two inputs, which share what it sends */
    np_traffic_free(traffic);
    np_network_free(network);
}

static void files_name_terminals(void **state)
{
    np_network *network = support_network("butterfly-io:2");
    char *good = support_file("3 1\n0 2 2\n"), *bad = support_file("3 4\n"), spec[300];
    np_traffic *traffic;
    (void)state;
    snprintf(spec, sizeof spec, "file:%s", good);
    assert_ok(np_traffic_create(spec, network, 1, 0, &traffic));
    assert_int_equal(np_traffic_packets(traffic), 3);
    assert_int_equal(np_traffic_sources(traffic)[0], 3);
    assert_int_equal(np_traffic_destinations(traffic)[0], 8 + 1);
    assert_int_equal(np_traffic_destinations(traffic)[2], 8 + 2);
    np_traffic_free(traffic);
    snprintf(spec, sizeof spec, "file:%s", bad);
    assert_refused(np_traffic_create(spec, network, 1, 0, &traffic), NP_ERROR_INPUT, "0..3");
    unlink(good);
    unlink(bad);
    free(good);
    free(bad);
    np_network_free(network);
}

/* Arrays are of nodes: not mapped, and refused where no path could be. */
static void arrays_name_nodes(void **state)
{
    np_network *network = support_network("butterfly-io:2");
    const np_node from[] = {0, 3}, to[] = {11, 8}, inner[] = {11, 7};
    np_traffic *traffic;
    (void)state;
    assert_ok(np_traffic_from_arrays(network, 2, from, to, NULL, &traffic));
    assert_int_equal(np_traffic_destinations(traffic)[1], 8);
    np_traffic_free(traffic);
    assert_refused(np_traffic_from_arrays(network, 2, from, inner, NULL, &traffic), NP_ERROR_INPUT,
                   "packet 1 goes from 3 to 7: the inputs of butterfly-io:2 are nodes 0..3, its outputs 8..11");
    np_network_free(network);
}

/* A permutation arrives, in as many steps as there are levels where nothing collides. */
static void greedy_routes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPECS; i++) {
        np_network *network = support_network(specs[i]);
        np_route_options options;
        np_route_result *result;
        np_route_options_init(&options);
        options.scheme = "greedy";
        assert_ok(np_route(network, "random", &options, &result));
        assert_int_equal(result->packets, np_network_terminals(network));
        np_route_result_free(result);
        if (!strncmp(specs[i], "butterfly-io:", 13)) {
            assert_ok(np_route(network, "identity", &options, &result));
            assert_int_equal(result->phase[0].steps.max, network->dimensions);
            np_route_result_free(result);
        }
        np_network_free(network);
    }
}

static void what_needs_all_nodes_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPECS; i++) {
        np_network *network = support_network(specs[i]);
        np_check_scheme_result *check;
        np_check_oblivious_result oblivious;
        np_path *path;
        size_t hops;
        assert_refused(np_scheme_applies("valiant", network), NP_ERROR_APPLY, "from inputs to outputs only");
        assert_refused(np_check_scheme(network, NULL, NULL, NULL, &check), NP_ERROR_APPLY, "try a network without");
        assert_ok(np_path_create("greedy", network, &path));
        assert_refused(np_check_oblivious(path, NULL, &oblivious), NP_ERROR_APPLY, "inputs to outputs");
        assert_refused(np_path_walk(path, np_network_nodes(network) - 1, np_network_output(network, 0), 1, 0, 0, 0, 0,
                                    NULL, &hops),
                       NP_ERROR_INPUT, "go from inputs to outputs");
        np_path_free(path);
        np_network_free(network);
    }
}

static void limits_are_named(void **state)
{
    static const struct {
        const char *spec;
        np_status status;
        const char *text;
    } cases[] = {
        {"butterfly-io:0", NP_ERROR_INPUT, "try butterfly-io:1"},
        {"butterfly-io:27", NP_ERROR_LIMIT, "try butterfly-io:26"},
        {"fat-tree:0", NP_ERROR_INPUT, "try fat-tree:1"},
        {"fat-tree:15", NP_ERROR_LIMIT, "try fat-tree:14"},
        {"fat-tree-8:10", NP_ERROR_LIMIT, "try fat-tree-8:9"},
        {"omega:0", NP_ERROR_INPUT, "try omega:1"},
        {"omega:28", NP_ERROR_LIMIT, "try omega:27"},
        {"inverse-omega:x", NP_ERROR_INPUT, "as in inverse-omega:10"},
    };
    static const char *const largest[] = {"butterfly-io:26", "fat-tree:14", "fat-tree-8:9", "omega:27",
                                          "inverse-omega:27"};
    np_network *network;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(np_network_create(cases[i].spec, &network), cases[i].status, cases[i].text);
    for (size_t i = 0; i < sizeof largest / sizeof *largest; i++) {
        network = support_network(largest[i]);
        np_node last = np_network_output(network, np_network_terminals(network) - 1);
        assert_true(last < np_network_nodes(network));
        assert_true(np_network_link_head(network, 0) < np_network_nodes(network));
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_is_its_definition),
        cmocka_unit_test(serves_nothing_but_terminals),
        cmocka_unit_test(facts_hold),
        cmocka_unit_test(greedy_is_shortest),
        cmocka_unit_test(fat_trees_use_every_root),
        cmocka_unit_test(propositions_1_and_2_hold),
        cmocka_unit_test(traffic_goes_between_terminals),
        cmocka_unit_test(numbers_are_mapped_once),
        cmocka_unit_test(files_name_terminals),
        cmocka_unit_test(arrays_name_nodes),
        cmocka_unit_test(greedy_routes),
        cmocka_unit_test(what_needs_all_nodes_refuses),
        cmocka_unit_test(limits_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
