/*
 * Traffic longest-matching: a permutation without fixed points whose sum of distances is that of closed forms, of all
 * permutations tried one by one, and of a textbook Hungarian algorithm on all pairs of hosts.
 */
#include "support.h"

#include "model/network/search.h"
#include "oracle/heaviest.h"

/* distance[i * n + j] from terminal i to terminal j, by a search from each. */
static int64_t *distances(const np_network *network)
{
    uint32_t n = np_network_terminals(network), *far = malloc(np_network_nodes(network) * sizeof *far);
    int64_t *distance = malloc((size_t)n * n * sizeof *distance);
    np_search search;
    assert_ok(np_search_init(&search, network));
    for (uint32_t i = 0; i < n; i++) {
        np_search_distances(&search, np_network_input(network, i), false, far);
        for (uint32_t j = 0; j < n; j++)
            distance[i * n + j] = far[np_network_output(network, j)];
    }
    np_search_clear(&search);
    free(far);
    return distance;
}

/* The traffic is a permutation of terminals without fixed points. Returns its sum of distances. */
static int64_t sum_of(const np_network *network, const np_traffic *traffic, const int64_t *distance)
{
    uint32_t n = np_network_terminals(network), first = np_network_output(network, 0);
    unsigned char *seen = calloc(n, 1);
    int64_t sum = 0;
    assert_int_equal(np_traffic_packets(traffic), n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = 0, at = np_traffic_destinations(traffic)[i];
        assert_int_equal(np_traffic_sources(traffic)[i], np_network_input(network, i));
        for (j = np_network_has_hosts(network) ? 0 : at - first; np_network_output(network, j) != at; j++)
            ;
        assert_false(seen[j]);
        seen[j] = 1;
        if (n > 1)
            assert_int_not_equal(np_traffic_sources(traffic)[i], at);
        sum += distance[i * n + j];
    }
    free(seen);
    return sum;
}

static int64_t longest_on(np_network *network, bool judged)
{
    uint32_t n = np_network_terminals(network);
    int64_t *distance = distances(network), sum;
    np_traffic *traffic;
    assert_ok(np_traffic_create("longest-matching", network, 1, 0, &traffic));
    assert_null(np_traffic_note(traffic));
    sum = sum_of(network, traffic, distance);
    if (judged && sum != (n <= 8 ? oracle_heaviest_by_trial : oracle_heaviest)(n, distance))
        fail_msg("%s: %lld hops are not the most", np_network_spec(network), (long long)sum);
    np_traffic_free(traffic);
    np_network_free(network);
    free(distance);
    return sum;
}

static int64_t longest(const char *spec, bool judged) { return longest_on(support_network(spec), judged); }

static void test_oracles(void **state)
{
    static const char *const specs[] = {
        /* all permutations */
        "array:2", "array:5", "ring:7", "tree:3", "mesh:2x4", "hypercube:3", "complete:6", "shuffle:2x3", "array:4@2",
        "complete:2@4", "omega:3", "crossbar:4",
        /* Hungarian */
        "mesh:5x7", "torus:5x6", "tree:6", "binomial-tree:5", "shuffle:3x4", "shuffle-exchange:6", "ccc:4",
        "jellyfish:60,3", "jellyfish:20,4@5", "mesh:3x4@3", "slimfly:5@4", "dragonfly:a=4,p=2,h=2", "xgft:2:4,4:1,2",
        "hyperx:4x4@2", "mesh-of-trees:4", "butterfly-io:4", "rail:servers=8,g=4,spines=2", "jellyfish:64,4:fail=0.1",
        "mesh:6x6:fail=0.1"};
    (void)state;
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
        longest(specs[k], true);
}

/* Trees, in which leaves are siblings and their neighbour is a node as they are, with a link more at times. */
static void test_random_trees(void **state)
{
    uint64_t lot = 5;
    (void)state;
    for (int k = 0; k < 300; k++) {
        uint32_t nodes = 3 + support_lot(&lot, 6);
        char text[200];
        int end = 0;
        for (uint32_t v = 1; v < nodes; v++)
            end += snprintf(text + end, sizeof text - (size_t)end, "%u %u\n", support_lot(&lot, v), v);
        if (k % 3 == 0)
            snprintf(text + end, sizeof text - (size_t)end, "%u %u\n", support_lot(&lot, nodes - 1), nodes - 1);
        np_network *network;
        assert_ok(support_network_of_text(text, ":undirected", &network));
        longest_on(network, true);
    }
}

/* On a line of s nodes no permutation crosses the middle more often than the mirror: floor(s s / 2) hops. */
static void test_closed_forms(void **state)
{
    (void)state;
    assert_int_equal(longest("hypercube:9", false), 512 * 9);         /* complement */
    assert_int_equal(longest("torus:12x9", false), 108 * (6 + 4));    /* half-way round */
    assert_int_equal(longest("mesh:12x9", false), 9 * 72 + 12 * 40);  /* complement */
    assert_int_equal(longest("complete:40", false), 40);              /* anything */
    assert_int_equal(longest("array:301", false), 301 * 301 / 2);     /* complement */
    assert_int_equal(longest("xgft:2:8,8:1,8", false), 64 * 4);       /* over the top */
    assert_int_equal(longest("hypercube:5@8", false), 256 * (5 + 2)); /* complement, and the hosts' links */
    assert_int_equal(longest("complete:2@1", false), 2 * 3);
    assert_int_equal(longest("xgft:1:6:1", false), 6 * 2); /* all within one switch */
    /* In a tree each edge is crossed at most twice the nodes on its smaller side. tree:d has 2^d leaves. */
    int64_t sum = 0;
    for (int64_t level = 1, below; level <= 8; level++) {
        below = (INT64_C(1) << (9 - level)) - 1;
        sum += (INT64_C(1) << level) * 2 * below;
    }
    assert_int_equal(longest("tree:8", false), sum);
}

/* One host sends to itself, because there is nobody else. */
static void test_forced(void **state)
{
    np_network *network = NULL;
    np_traffic *traffic;
    (void)state;
    assert_ok(support_network_of_text("a b\n", ":hosts=a", &network));
    assert_ok(np_traffic_create("longest-matching", network, 1, 0, &traffic));
    assert_int_equal(np_traffic_packets(traffic), 1);
    assert_int_equal(np_traffic_sources(traffic)[0], np_traffic_destinations(traffic)[0]);
    np_traffic_free(traffic);
    np_network_free(network);
}

static void test_refused(void **state)
{
    np_network *network = support_network("torus:8x8:fail=0.5");
    np_traffic *traffic;
    (void)state;
    assert_refused(np_traffic_create("longest-matching", network, 1, 0, &traffic), NP_ERROR_APPLY,
                   "no way leads from 0 to ");
    assert_null(traffic);
    assert_refused(np_traffic_create("longest-matching:3", network, 1, 0, &traffic), NP_ERROR_INPUT, "no parameters");
    np_network_free(network);
}

/* Above 4096 sets of hosts the note says how near it is; hosts that hang on fewer switches are exact. */
static void test_many(void **state)
{
    np_network *network = support_network("jellyfish:4100,4");
    np_traffic *traffic;
    long long hops = 0, most = 0;
    (void)state;
    assert_ok(np_traffic_create("longest-matching", network, 1, 0, &traffic));
    assert_int_equal(sscanf(np_traffic_note(traffic),
                            "longest-matching: %lld hops in all; no permutation has more than %lld", &hops, &most),
                     2);
    assert_true(hops <= most && (double)(most - hops) <= 0.01 * (double)most);
    int64_t *distance = distances(network);
    assert_int_equal(sum_of(network, traffic, distance), hops);
    free(distance);
    np_traffic_free(traffic);
    np_network_free(network);
    network = support_network("hypercube:4@1000");
    assert_ok(np_traffic_create("longest-matching", network, 1, 0, &traffic));
    assert_null(np_traffic_note(traffic));
    np_traffic_free(traffic);
    np_network_free(network);
}

/*
 *     l  l  ..  l       LEAVES leaves, more than all others: 99 of them and more send to leaves, two hops away
 *      \\ | .. /
 *         h             the hub, next to all
 *      / | .. \\
 *     r--r- .. -r--     a ring of RIM nodes, each a set of its own
 */
enum { RIM = 4100, LEAVES = RIM + 100 };

static int64_t wheel_hops(np_node u, np_node v)
{
    if (u == 0 || v == 0)
        return u != v;
    np_node apart = u < v ? v - u : u - v;
    return u <= RIM && v <= RIM && (apart == 1 || apart == RIM - 1) ? 1 : 2;
}

/* The note counts the hops of packets within a set, too: 2 a packet, but 1 from and to the hub. */
static void test_siblings_in_note(void **state)
{
    char *text = malloc(32 * (2 * RIM + LEAVES)), *end = text;
    np_network *network;
    np_traffic *traffic;
    long long hops = 0, most = 0, sum = 0;
    (void)state;
    for (int v = 1; v <= RIM + LEAVES; v++)
        end += sprintf(end, "0 %d\n", v);
    for (int v = 1; v <= RIM; v++)
        end += sprintf(end, "%d %d\n", v, v % RIM + 1);
    assert_ok(support_network_of_text(text, ":undirected", &network));
    assert_ok(np_traffic_create("longest-matching", network, 1, 0, &traffic));
    for (np_node u = 0; u < np_traffic_packets(traffic); u++)
        sum += wheel_hops(np_traffic_sources(traffic)[u], np_traffic_destinations(traffic)[u]);
    assert_int_equal(sscanf(np_traffic_note(traffic),
                            "longest-matching: %lld hops in all; no permutation has more than %lld", &hops, &most),
                     2);
    assert_int_equal(hops, sum);
    assert_true(hops <= 2 * (1 + RIM + LEAVES) - 2 && most >= 2 * (1 + RIM + LEAVES) - 2);
    np_traffic_free(traffic);
    np_network_free(network);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracles),          cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_closed_forms),     cmocka_unit_test(test_forced),
        cmocka_unit_test(test_refused),          cmocka_unit_test(test_many),
        cmocka_unit_test(test_siblings_in_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
