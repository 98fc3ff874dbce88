/*
 * Traffic near-worst: a permutation without fixed points, of which the best routing carries no more than of the longest
 * matching, and on some networks much less; on small networks nothing below what some permutation has.
 */
#include "support.h"

static np_throughput_between factor_of(const np_network *network, const np_traffic *traffic)
{
    np_throughput_options options;
    np_throughput *throughput;
    np_throughput_options_init(&options);
    options.gap = 0.01;
    assert_ok(np_throughput_find(network, traffic, &options, &throughput));
    np_throughput_between factor = throughput->factor;
    np_throughput_free(throughput);
    return factor;
}

static np_throughput_between factor_by(const np_network *network, const char *spec)
{
    np_traffic *traffic;
    support_assert_ok(np_traffic_create(spec, network, 1, 0, &traffic), spec, __FILE__, __LINE__);
    np_throughput_between factor = factor_of(network, traffic);
    np_traffic_free(traffic);
    return factor;
}

static void check_permutation(const np_network *network)
{
    unsigned char *seen = calloc(np_network_nodes(network), 1);
    np_traffic *traffic;
    assert_ok(np_traffic_create("near-worst", network, 1, 0, &traffic));
    assert_int_equal(np_traffic_packets(traffic), np_network_terminals(network));
    for (uint32_t i = 0; i < np_traffic_packets(traffic); i++) {
        np_node to = np_traffic_destinations(traffic)[i];
        assert_int_equal(np_traffic_sources(traffic)[i], np_network_input(network, i));
        assert_int_not_equal(np_traffic_sources(traffic)[i], to);
        assert_false(seen[to]);
        seen[to] = 1;
    }
    assert_non_null(strstr(np_traffic_note(traffic), "near-worst: at most 0."));
    np_traffic_free(traffic);
    free(seen);
}

static void test_no_easier(void **state)
{
    static const struct {
        const char *spec;
        bool harder;
    } cases[] = {
        {"mesh:5x5", false}, {"torus:6x6", false},    {"jellyfish:32,5@3", true},    {"xgft:2:4,4:1,2", false},
        {"omega:3", false},  {"complete:2@4", false}, {"torus:8x8:fail=0.1", false}, {"dragonfly:a=4,p=2,h=2", true},
        {"tree:4", false}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        np_network *network = support_network(cases[k].spec);
        np_throughput_between near = factor_by(network, "near-worst"), longest = factor_by(network, "longest-matching");
        check_permutation(network);
        if (near.low > longest.high * 1.000001)
            fail_msg("%s: %f, where the longest matching has %f", cases[k].spec, near.low, longest.high);
        if (cases[k].harder && near.high >= longest.low)
            fail_msg("%s: %f is no less than %f", cases[k].spec, near.high, longest.low);
        np_network_free(network);
    }
}

/* The least factor of all permutations of 0 .. n-1 that begin as `to` does, up to `placed`. */
static double least(const np_network *network, np_node *to, uint32_t placed, uint32_t n)
{
    double best = 1e9;
    if (placed == n) {
        np_node from[8];
        np_traffic *traffic;
        for (uint32_t i = 0; i < n; i++) {
            if (to[i] == i)
                return best;
            from[i] = i;
        }
        assert_ok(np_traffic_from_arrays(network, n, from, to, NULL, &traffic));
        best = factor_of(network, traffic).low;
        np_traffic_free(traffic);
        return best;
    }
    for (uint32_t k = placed; k < n; k++) {
        np_node kept = to[placed];
        to[placed] = to[k];
        to[k] = kept;
        double factor = least(network, to, placed + 1, n);
        best = factor < best ? factor : best;
        to[k] = to[placed];
        to[placed] = kept;
    }
    return best;
}

static void test_all_permutations(void **state)
{
    static const char *const specs[] = {"mesh:2x3", "ring:5", "tree:1", "complete:4", "array:5"};
    (void)state;
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        np_network *network = support_network(specs[k]);
        uint32_t n = np_network_nodes(network);
        np_node to[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        double worst = least(network, to, 0, n);
        np_throughput_between near = factor_by(network, "near-worst");
        assert_true(near.high >= worst * 0.999999);
        if (near.low > worst * 1.02)
            fail_msg("%s: %f, where some permutation has %f", specs[k], near.low, worst);
        np_network_free(network);
    }
}

static void test_refused(void **state)
{
    np_network *network = support_network("torus:8x8:fail=0.5");
    np_traffic *traffic;
    (void)state;
    assert_refused(np_traffic_create("near-worst", network, 1, 0, &traffic), NP_ERROR_APPLY, "no way leads from 0 to ");
    np_network_free(network);
    assert_ok(support_network_of_text("a b\n", ":hosts=a:undirected", &network));
    assert_ok(np_traffic_create("near-worst", network, 1, 0, &traffic));
    assert_int_equal(np_traffic_packets(traffic), 1);
    assert_null(np_traffic_note(traffic));
    np_traffic_free(traffic);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_easier),
        cmocka_unit_test(test_all_permutations),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
