/* The engine against its slow twin on random cases, and on networks of thousands of nodes: a minute or two. */
#include "oracle/judge.h"
#include "support.h"

#include "base/random.h"

static size_t count_schemes(void)
{
    size_t count = 0;
    while (np_list_get(NP_LIST_SCHEMES, count))
        count++;
    return count;
}

static size_t count_queues(void)
{
    size_t count = 0;
    while (np_list_get(NP_LIST_QUEUES, count))
        count++;
    return count;
}

static uint32_t draw(uint32_t trial, uint32_t what, uint32_t bound)
{
    np_draws draws = {17, 0, 0, NP_RANDOM_CHECK};
    return np_random_below(&draws, trial, what, bound);
}

static np_traffic *draw_traffic(const np_network *network, uint32_t trial)
{
    enum { PACKETS_MAX = 400 };
    np_node from[PACKETS_MAX], to[PACKETS_MAX], nodes = np_network_nodes(network);
    uint32_t priority[PACKETS_MAX], packets = draw(trial, 0, PACKETS_MAX + 1), crowd = 1 + draw(trial, 1, nodes);
    np_draws draws = {trial, 0, 0, NP_RANDOM_CHECK};
    np_traffic *traffic;
    for (np_packet p = 0; p < packets; p++) {
        from[p] = np_random_below(&draws, p, 0, crowd);
        to[p] = np_random_below(&draws, p, 1, nodes);
        priority[p] = np_random_below(&draws, p, 2, 1 + trial % 9);
    }
    assert_ok(np_traffic_from_arrays(network, packets, from, to, trial % 3 ? priority : NULL, &traffic));
    return traffic;
}

static void judge_one(const char *spec, const np_traffic *given, uint32_t trial, const unsigned *threads)
{
    np_network *network = support_network(spec);
    np_traffic *traffic = given ? NULL : draw_traffic(network, trial);
    oracle_case c = {.network = network, .traffic = given ? given : traffic, .seed = trial};
    uint32_t scheme = draw(trial, 2, (uint32_t)count_schemes());
    while (!support_queues(np_list_get(NP_LIST_SCHEMES, scheme)->name) ||
           np_scheme_applies(np_list_get(NP_LIST_SCHEMES, scheme)->name, network))
        scheme = (scheme + 1) % (uint32_t)count_schemes();
    c.scheme = np_list_get(NP_LIST_SCHEMES, scheme)->name;
    c.queue = np_list_get(NP_LIST_QUEUES, draw(trial, 3, (uint32_t)count_queues()))->name;
    c.overlap = draw(trial, 4, 2);
    oracle_judge(&c, threads);
    np_traffic_free(traffic);
    np_network_free(network);
}

static void random_cases(void **state)
{
    static const char *const specs[] = {
        "hypercube:3", "hypercube:6", "shuffle:2x5", "shuffle:5x2", "shuffle-exchange:5",
        "ccc:4",       "butterfly:4", "mesh:7x6",    "mesh:4x3x5",  "torus:6x7",
        "torus:2x3x4", "array:33",    "ring:2",      "ring:21",     "complete:17",
    };
    (void)state;
    for (uint32_t trial = 0; trial < 20000; trial++) {
        const unsigned threads[] = {1, trial % 10 ? 0 : 2 + trial / 10 % 8, 0};
        judge_one(specs[trial % (sizeof specs / sizeof *specs)], NULL, trial, threads);
    }
}

static void large_networks(void **state)
{
    static const char *const specs[] = {"hypercube:13", "shuffle:5x5",    "ccc:9",      "butterfly:9",
                                        "mesh:70x90",   "torus:16x16x16", "array:3000", "shuffle-exchange:12"};
    static const char *const patterns[] = {"random", "h-relation:3", "partial:0.2"};
    (void)state;
    for (uint32_t trial = 0; trial < 48; trial++) {
        const char *spec = specs[trial % 8];
        np_network *network = support_network(spec);
        np_traffic *traffic;
        assert_ok(np_traffic_create(patterns[trial / 8 % 3], network, trial, 0, &traffic));
        judge_one(spec, traffic, trial, (const unsigned[]){1, 2, 7, 0});
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_cases), cmocka_unit_test(large_networks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
