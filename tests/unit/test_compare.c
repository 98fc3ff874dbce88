/* A comparison of networks: closed forms, what the single calls say, and draws that tear a network apart. */
#include "support.h"

#include <math.h>
#include <unistd.h>

#include "verdict/compare/torn.h"

static np_compare *compared(size_t count, const char *const *spec, np_network **network, uint32_t draws)
{
    np_compare_options options;
    np_compare *compare;
    np_compare_options_init(&options);
    options.draws = draws;
    options.gap = 0.01;
    for (size_t i = 0; i < count; i++)
        network[i] = support_network(spec[i]);
    assert_ok(np_compare_find(count, (const np_network *const *)network, &options, &compare));
    assert_int_equal(compare->networks, count);
    return compare;
}

static void forget(np_compare *compare, size_t count, np_network **network)
{
    np_compare_free(compare);
    for (size_t i = 0; i < count; i++)
        np_network_free(network[i]);
}

static void assert_between(np_throughput_between between, double value)
{
    if (between.low > value * (1 + 1e-9) || between.high < value * (1 - 1e-9) ||
        between.high - between.low > 0.011 * value)
        fail_msg("%f..%f, not %f", between.low, between.high, value);
}

static bool is_torn(const char *spec)
{
    bool torn;
    np_network *network = support_network(spec);
    assert_ok(np_compare_torn(network, &torn));
    np_network_free(network);
    return torn;
}

static void test_torn(void **state)
{
    (void)state;
    static const struct {
        const char *links;
        bool torn;
    } cases[] = {
        {"0 1\n1 0\n1 2\n2 1\n2 0\n0 2\n", false},
        {"0 1\n1 0\n2 3\n3 2\n", true},
        {"0 1\n1 2\n2 0\n", false}, /* one way, all the way round */
        {"0 1\n1 2\n0 2\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = support_file(cases[i].links), spec[256];
        snprintf(spec, sizeof spec, "file:%s:directed", path);
        assert_int_equal(is_torn(spec), cases[i].torn);
        unlink(path);
        free(path);
    }
    assert_false(is_torn("butterfly-io:3")); /* no way leads back */
    assert_false(is_torn("torus:3x3@2"));
}

static void test_closed_forms(void **state)
{
    static const char *const specs[] = {"hypercube:4", "xgft:2:4,4:1,4", "complete:5@2"};
    np_network *network[3];
    np_compare *c = compared(3, specs, network, 0);
    const np_compare_row *cube = &c->network[0], *tree = &c->network[1], *complete = &c->network[2];
    (void)state;
    assert_int_equal(cube->hosts, 16);
    assert_int_equal(cube->switches, 16);
    assert_int_equal(cube->radix, 4);
    assert_int_equal(cube->cables, 32);
    assert_int_equal(cube->diameter, 4);
    assert_true(fabs(cube->mean_hops - 32.0 / 15) < 1e-12);
    assert_between(cube->all_to_all, 15 / 8.0); /* 2/N of N - 1 */
    assert_between(cube->longest_matching, 1);
    assert_between(cube->near_worst, 1);
    assert_true(fabs(cube->valiant - 1) < 1e-9);
    assert_false(cube->fails);
    assert_int_equal(tree->hosts, 16);
    assert_int_equal(tree->switches, 8);
    assert_int_equal(tree->radix, 8);
    assert_int_equal(tree->cables, 16);
    assert_int_equal(tree->diameter, 4);
    assert_between(tree->all_to_all, 1);
    assert_between(tree->near_worst, 1);
    assert_true(fabs(tree->spray - 1) < 1e-9);
    assert_int_equal(complete->hosts, 10);
    assert_int_equal(complete->cables, 10);
    assert_int_equal(complete->radix, 6);
    assert_int_equal(complete->diameter, 3);
    assert_true(fabs(complete->shortest - 0.5) < 1e-9); /* both hosts over one cable */
    forget(c, 3, network);
}

/* The cables of hosts do not fail: with none between switches but a line's, 5% of 20 cables is one, which tears it. */
static void test_failures(void **state)
{
    static const char *const specs[] = {"array:21@2", "complete:10@1", "array:2"};
    np_network *network[3];
    np_compare *c = compared(3, specs, network, 4);
    (void)state;
    const np_compare_failed *line = c->network[0].failed, *complete = c->network[1].failed;
    assert_true(c->network[0].fails);
    assert_true(line[0].share == 0.01 && line[1].share == 0.05);
    assert_int_equal(line[0].torn, 0); /* 1% of 20 is none */
    assert_int_equal(line[1].torn, 4);
    assert_true(line[1].median == 0 && line[1].least == 0 && line[1].draws == 4);
    assert_between((np_throughput_between){line[0].least, c->network[0].all_to_all.high}, 41 / 440.0 / 1.0 * 1.0);
    assert_int_equal(complete[1].torn, 0);
    assert_true(complete[1].least > 0 && complete[1].least <= complete[1].median);
    assert_int_equal(c->network[2].failed[1].torn, 0); /* 5% of one cable is none */
    forget(c, 3, network);
}

/* The switches alone say what the whole network does, to the gaps; hosts of two cables are asked whole. */
static void test_switches(void **state)
{
    static const char *const specs[] = {"torus:3x3@2",    "dragonfly:a=3,p=2,h=1",       "jellyfish:9,4@3",
                                        "xgft:2:3,3:1,2", "rail:servers=4,g=2,spines=2", "xgft:1:4:1"};
    static const char *const traffics[] = {"all-to-all", "longest-matching"};
    enum { COUNT = sizeof specs / sizeof *specs };
    np_network *network[COUNT];
    np_compare *c = compared(COUNT, specs, network, 0);
    (void)state;
    for (size_t i = 0; i < 2 * COUNT; i++) {
        const np_compare_row *row = &c->network[i / 2];
        np_throughput_between got = i % 2 ? row->longest_matching : row->all_to_all;
        np_traffic *traffic;
        np_throughput *whole;
        np_throughput_options options;
        np_throughput_options_init(&options);
        assert_ok(np_traffic_create(traffics[i % 2], row->network, 1, 0, &traffic));
        assert_ok(np_throughput_find(row->network, traffic, &options, &whole));
        if (got.low > whole->per_host.high || got.high < whole->per_host.low || got.low > got.high)
            fail_msg("%s, %s: %f..%f, not %f..%f", specs[i / 2], traffics[i % 2], got.low, got.high,
                     whole->per_host.low, whole->per_host.high);
        assert_true((got.high - got.low) / got.high < 0.0101);
        if (!(i % 2))
            assert_int_equal(row->diameter, whole->distance_most);
        np_throughput_free(whole);
        np_traffic_free(traffic);
    }
    forget(c, COUNT, network);
}

static void test_refused(void **state)
{
    np_network *network = support_network("torus:8x8:fail=0.5");
    np_compare_options options;
    np_compare *compare;
    (void)state;
    np_compare_options_init(&options);
    assert_refused(np_compare_find(1, (const np_network *const *)&network, &options, &compare), NP_ERROR_APPLY,
                   "no way leads from");
    assert_null(compare);
    options.gap = 0;
    assert_refused(np_compare_find(1, (const np_network *const *)&network, &options, &compare), NP_ERROR_INPUT, "gap");
    np_network_free(network);
    assert_ok(support_network_of_text("a b\n", ":hosts=a:undirected", &network));
    assert_ok(np_compare_find(1, (const np_network *const *)&network, NULL, &compare));
    assert_false(compare->network[0].moves);
    np_compare_free(compare);
    np_network_free(network);
}

/* Packets from inputs to outputs: no valiant, no failures, and no mean distance of nodes. */
static void test_inputs(void **state)
{
    static const char *const specs[] = {"omega:3"};
    np_network *network[1];
    np_compare *c = compared(1, specs, network, 2);
    (void)state;
    assert_true(c->network[0].valiant == 0 && c->network[0].spray > 0);
    assert_false(c->network[0].fails);
    assert_true(c->network[0].mean_hops == 0);
    /* Two hosts share each node and its two links: one packet a host of all-to-all, half of one of a permutation. */
    assert_between(c->network[0].all_to_all, 1);
    assert_between(c->network[0].longest_matching, 0.5);
    assert_between(c->network[0].near_worst, 0.5);
    assert_true(fabs(c->network[0].shortest - 0.5) < 1e-9);
    forget(c, 1, network);
}

/* Compared without the hosts, a network has the factors that the search with all hosts proves. */
static void test_without_hosts(void **state)
{
    static const char *const specs[] = {"jellyfish:16,3@3",      "mesh:4x3@3", "xgft:1:4:1", "complete:2@2",
                                        "dragonfly:a=2,p=2,h=1", "tree:2@3"};
    enum { SPECS = sizeof specs / sizeof *specs };
    static const char *const traffics[] = {"all-to-all", "longest-matching", "near-worst"};
    np_network *network[SPECS];
    np_compare *c = compared(SPECS, specs, network, 0);
    (void)state;
    for (size_t i = 0; i < SPECS; i++)
        for (int k = 0; k < 3; k++) {
            const np_compare_row *row = &c->network[i];
            const np_throughput_between *per_host[] = {&row->all_to_all, &row->longest_matching, &row->near_worst};
            np_throughput_options options;
            np_throughput *throughput;
            np_traffic *traffic;
            np_throughput_options_init(&options);
            options.gap = 0.01;
            assert_ok(np_traffic_create(traffics[k], network[i], 1, 0, &traffic));
            assert_ok(np_throughput_find(network[i], traffic, &options, &throughput));
            if (per_host[k]->low > throughput->per_host.high || per_host[k]->high < throughput->per_host.low)
                fail_msg("%s, %s: %f..%f, not %f..%f", specs[i], traffics[k], per_host[k]->low, per_host[k]->high,
                         throughput->per_host.low, throughput->per_host.high);
            assert_true(per_host[k]->high - per_host[k]->low <= 0.010001 * per_host[k]->high);
            np_throughput_free(throughput);
            np_traffic_free(traffic);
        }
    assert_true(c->reached);
    forget(c, SPECS, network);
}

/* What is not known has a reason, and so has what the time limit leaves out. */
static void test_reasons(void **state)
{
    static const char *const specs[] = {"omega:3", "torus:4x4"};
    np_network *network[2];
    np_compare *c = compared(2, specs, network, 0);
    (void)state;
    assert_string_equal(c->network[0].why[NP_COMPARE_MEAN_HOPS], "packets go from inputs to outputs only");
    assert_non_null(strstr(c->network[0].why[NP_COMPARE_VALIANT], "valiant"));
    assert_null(c->network[0].why[NP_COMPARE_SPRAY]);
    assert_string_equal(c->network[1].why[NP_COMPARE_FAILED], "--draws 0");
    assert_true(c->reached);
    np_compare_free(c);
    np_compare_options options;
    np_compare_options_init(&options);
    options.time_limit = 1e-9;
    assert_ok(np_compare_find(2, (const np_network *const *)network, &options, &c));
    assert_false(c->reached);
    assert_true(c->network[1].all_to_all.high == 0 && c->network[1].spray == 0 && !c->network[1].fails);
    for (int i = NP_COMPARE_ALL_TO_ALL; i < NP_COMPARE_FIGURES; i++)
        assert_string_equal(c->network[1].why[i], "--time-limit ended before");
    np_compare_free(c);
    options.time_limit = 0;
    options.iterations = 1;
    options.gap = 0.01;
    options.draws = 4;
    assert_ok(np_compare_find(1, (const np_network *const *)network + 1, &options, &c));
    assert_false(c->reached);
    assert_null(c->network[0].why[NP_COMPARE_ALL_TO_ALL]);
    assert_non_null(strstr(c->network[0].why[NP_COMPARE_FAILED], "in 3 of 8 draws a gap of more than 1.0% is left"));
    assert_int_equal(c->network[0].failed[1].short_of_gap, 3);
    forget(c, 2, network);
}

/*
 * a = b -3- c, a -9- c, hosts on a and c: of two cables a to b one is short and one is long; b to c has no cable back,
 * and the cable of c to d has no length.
 */
static void test_lengths(void **state)
{
    np_network *network;
    np_compare_options options;
    np_compare *c;
    (void)state;
    np_compare_options_init(&options);
    options.draws = 0;
    options.electrical = 5;
    assert_ok(support_network_of_text("from,to,length\na,b,5\na,b,6\nb,a,1\nb,c,3\na,c,9\nc,a,2\nc,d,\nd,c,\n",
                                      ":directed", &network));
    assert_ok(np_compare_find(1, (const np_network *const *)&network, &options, &c));
    assert_true(c->network[0].lengths);
    assert_int_equal(c->network[0].cables, 5);
    assert_int_equal(c->network[0].electrical, 2); /* a b of 5, b c of 3 */
    assert_int_equal(c->network[0].optical, 2);    /* a b of 6, a c of 9 by the way of the smaller number */
    np_compare_free(c);
    np_network_free(network);
    network = support_network("ring:4");
    assert_refused(np_compare_find(1, (const np_network *const *)&network, &options, &c), NP_ERROR_APPLY,
                   "the links of ring:4 have no attribute 'length'");
    np_network_free(network);
}

/* Any number of threads draws the same links, and finds the same factors. */
static void test_threads(void **state)
{
    np_network *network = support_network("jellyfish:16,4@2");
    np_compare *c[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        np_compare_options options;
        np_compare_options_init(&options);
        options.threads = i ? 3 : 1;
        options.draws = 7;
        assert_ok(np_compare_find(1, (const np_network *const *)&network, &options, &c[i]));
    }
    assert_memory_equal(c[0]->network[0].failed, c[1]->network[0].failed, sizeof c[0]->network[0].failed);
    assert_memory_equal(&c[0]->network[0].near_worst, &c[1]->network[0].near_worst, sizeof(np_throughput_between));
    np_compare_free(c[0]);
    np_compare_free(c[1]);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torn),    cmocka_unit_test(test_closed_forms), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_inputs),       cmocka_unit_test(test_without_hosts),
        cmocka_unit_test(test_reasons), cmocka_unit_test(test_threads),      cmocka_unit_test(test_switches),
        cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
