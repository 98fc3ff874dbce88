/*
 * The engine against its slow twin, on some thousands of small instances and
 * a few that are large enough to fill its batches and chunks.
 */
#include "oracle/judge.h"
#include "support.h"

#include <unistd.h>

#include "base/random.h"
#include "model/path/routes.h"

/* On one thread; every so many cases also on two or more, which takes much longer where steps are short. */
static void check(const oracle_case *c, unsigned every)
{
    static const unsigned more[] = {2, 7, 3};
    static unsigned cases, turn;
    oracle_judge(c, (const unsigned[]){1, cases++ % every ? 0 : more[turn++ % 3], 0});
}

enum { RARELY = 23, OFTEN = 3 }; /* no factor shared with the 14 cases of check_disciplines */

/*
 * All disciplines; phases that wait, overlap, start at a fixed time, and stop at one. The seed differs from case to
 * case. Of small cases, under the sanitizers one has every other discipline, and its neighbours have those between.
 */
static void check_disciplines(oracle_case c, unsigned every)
{
    bool several = strcmp(c.scheme, "greedy") != 0, stops = !np_network_delay(c.network);
    size_t by = every == RARELY ? SUPPORT_FEWER(1, 2) : 1;
    for (size_t q = (c.seed + np_network_nodes(c.network) / 2) % by; np_list_get(NP_LIST_QUEUES, q); q += by)
        for (int timing = 0; timing < (stops ? 4 : 3); timing += several ? 1 : 3) {
            c.queue = np_list_get(NP_LIST_QUEUES, q)->name;
            c.overlap = timing == 1 || timing == 2;
            c.fallback = timing < 3 ? NULL : c.paths ? c.paths : "greedy";
            c.seed = c.seed * 6 + 1;
            c.phase_time = timing > 1 ? 1 + (np_step)(c.seed % 17) : 0; /* some packets are late, some wait */
            check(&c, every);
        }
}

/* All schemes that apply. */
static void check_schemes(const np_network *network, const np_traffic *traffic)
{
    for (size_t s = 0; np_list_get(NP_LIST_SCHEMES, s); s++) {
        oracle_case c = {
            .network = network, .traffic = traffic, .scheme = np_list_get(NP_LIST_SCHEMES, s)->name, .seed = s + 1};
        if (support_queues(c.scheme) && !np_scheme_applies(c.scheme, network))
            check_disciplines(c, RARELY);
    }
}

static const char *const small[] = {
    "hypercube:1", "hypercube:4", "shuffle:2x4", "shuffle:3x2", "shuffle-exchange:4",
    "ccc:3",       "butterfly:3", "mesh:4x5",    "mesh:3x2x3",  "torus:4x3",
    "array:9",     "ring:7",      "complete:6",
};

enum { SMALL = sizeof small / sizeof *small };

static void patterns(void **state)
{
    static const char *const specs[] = {"identity", "random", "h-relation:3", "partial:0.3", "hotspot:0", "all-to-all"};
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        for (size_t t = 0; t < sizeof specs / sizeof *specs; t++) {
            np_traffic *traffic;
            if (!support_takes(i, t, 1))
                continue;
            assert_ok(np_traffic_create(specs[t], network, i + 1, 0, &traffic));
            check_schemes(network, traffic);
            np_traffic_free(traffic);
        }
        np_network_free(network);
    }
}

/* Packets from anywhere to anywhere, some of them at home, with priorities of which many are equal. */
static np_traffic *make_arrays(const np_network *network, np_packet packets, uint64_t seed)
{
    np_draws draws = {seed, 0, 0, NP_RANDOM_CHECK};
    np_node *from = malloc((packets + 1) * sizeof *from), *to = malloc((packets + 1) * sizeof *to);
    uint32_t *priority = malloc((packets + 1) * sizeof *priority);
    np_node nodes = np_network_nodes(network);
    np_traffic *traffic;
    assert_true(from && to && priority);
    for (np_packet p = 0; p < packets; p++) {
        from[p] = np_random_below(&draws, p, 0, nodes);
        to[p] = p % 5 ? np_random_below(&draws, p, 1, nodes) : from[p];
        priority[p] = np_random_below(&draws, p, 2, 4) * UINT32_C(0x55555555);
    }
    assert_ok(np_traffic_from_arrays(network, packets, from, to, priority, &traffic));
    free(from);
    free(to);
    free(priority);
    return traffic;
}

static void arrays(void **state)
{
    static const np_packet sizes[] = {0, 1, 10, 100};
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        for (size_t t = 0; t < sizeof sizes / sizeof *sizes; t++) {
            if (!support_takes(i, t, 1))
                continue;
            np_traffic *traffic = make_arrays(network, sizes[t], i + 1);
            check_schemes(network, traffic);
            np_traffic_free(traffic);
        }
        np_network_free(network);
    }
}

static bool is_known(np_node from, np_node to, size_t count, const np_node *froms, const np_node *tos)
{
    for (size_t i = 0; i < count; i++)
        if (froms[i] == from && tos[i] == to)
            return true;
    return false;
}

/* A random graph with a way round all nodes, and self-loops and, if asked for, parallel links among the rest. */
static np_network *make_graph(np_node nodes, size_t links, uint64_t seed, bool parallel)
{
    np_draws draws = {seed, 0, 0, NP_RANDOM_CHECK};
    np_node *from = malloc(links * sizeof *from), *to = malloc(links * sizeof *to);
    np_network *network;
    assert_true(from && to && links >= nodes);
    size_t count = 0;
    for (np_node i = 0; i < links; i++) {
        np_node u = i < nodes ? i : np_random_below(&draws, i, 0, nodes);
        np_node v = i < nodes ? (i + 1) % nodes : np_random_below(&draws, i, 1, nodes);
        if (!parallel && is_known(u, v, count, from, to))
            continue;
        from[count] = u;
        to[count++] = v;
    }
    assert_ok(np_network_from_links(nodes, count, from, to, &network));
    free(from);
    free(to);
    return network;
}

static void irregular_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        np_network *network = make_graph((np_node)(3 * seed), 5 * seed + 2, seed, false);
        np_traffic *traffic = make_arrays(network, 40, seed);
        check_schemes(network, traffic);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* With rules by which packets do not take them in turn: the simulator finds each route by itself. */
static void parallel_links(void **state)
{
    static const char *const rules[] = {"ecmp", "lowest-port"};
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        np_network *network = make_graph((np_node)(3 * seed), 5 * seed + 2, seed, true);
        np_traffic *traffic = make_arrays(network, 40, seed);
        for (size_t r = 0; r < 2; r++) {
            oracle_case c = {.network = network, .traffic = traffic, .scheme = "valiant", .seed = seed};
            c.paths = rules[r];
            check_disciplines(c, RARELY);
        }
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* A file of links of delays 1 .. 9, some without; all nodes are joined by a ring. */
static np_network *make_delayed(char *path, np_node nodes, uint64_t seed)
{
    char spec[96];
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fprintf(file, "from,to,steps\n");
    for (np_node i = 0; i < 3 * nodes; i++) {
        uint64_t x = np_random_mix(seed * 1000 + i);
        np_node u = i < nodes ? i : (np_node)(x % nodes), v = i < nodes ? (i + 1) % nodes : (np_node)(x / 64 % nodes);
        if (i % 7 == 3)
            fprintf(file, "%u,%u,\n", u, v);
        else
            fprintf(file, "%u,%u,%u\n", u, v, (unsigned)(1 + x / 4096 % 9));
    }
    fclose(file);
    snprintf(spec, sizeof spec, "file:%s:directed:delay=steps", path);
    return support_network(spec);
}

/* Links that take several steps, and take a packet at each. */
static void delays(void **state)
{
    static const char *const schemes[] = {"greedy", "valiant"};
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        char path[] = "/tmp/netpram-test-XXXXXX";
        np_network *network = make_delayed(path, (np_node)(3 + 4 * seed), seed);
        np_traffic *traffic = make_arrays(network, 90, seed);
        for (size_t s = 0; s < 2; s++) {
            oracle_case c = {.network = network, .traffic = traffic, .scheme = schemes[s], .seed = seed};
            c.paths = seed % 2 ? "ecmp" : "lowest-port";
            check_disciplines(c, RARELY);
        }
        np_traffic_free(traffic);
        np_network_free(network);
        unlink(path);
    }
}

/* So many links that they are in several blocks: the order of arrivals from different ones shows in the queues. */
static void delays_of_many_links(void **state)
{
    enum { NODES = 280, PACKETS = 1500 };
    char path[] = "/tmp/netpram-test-XXXXXX", spec[96];
    FILE *file = fdopen(mkstemp(path), "w");
    np_node from[PACKETS], to[PACKETS];
    np_traffic *traffic;
    (void)state;
    fprintf(file, "from,to,steps\n");
    for (np_node u = 0; u < NODES; u++)
        for (np_node v = 0; v < NODES; v++)
            fprintf(file, "%u,%u,%u\n", u, v, 1 + (7 * u + v) % 3);
    fclose(file);
    snprintf(spec, sizeof spec, "file:%s:directed:delay=steps", path);
    np_network *network = support_network(spec);
    for (np_packet p = 0; p < PACKETS; p++) {
        from[p] = p % NODES;
        to[p] = p % 5;
    }
    assert_ok(np_traffic_from_arrays(network, PACKETS, from, to, NULL, &traffic));
    oracle_case c = {.network = network, .traffic = traffic, .scheme = "valiant", .queue = "fifo", .seed = 3};
    c.paths = "lowest-port";
    c.overlap = true;
    check(&c, RARELY);
    np_traffic_free(traffic);
    np_network_free(network);
    unlink(path);
}

/* The schemes that take any paths, with every rule that applies. */
static void path_rules(void **state)
{
    static const char *const schemes[] = {"greedy", "valiant"};
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        np_traffic *traffic = make_arrays(network, 60, i + 7);
        for (size_t r = 0; np_list_get(NP_LIST_PATHS, r); r++) {
            np_path *path;
            if (!support_takes(i, r, 1) || np_path_create(np_list_get(NP_LIST_PATHS, r)->name, network, &path))
                continue;
            bool alone = !path->rule->chooser || !path->rule->chooser->together;
            np_path_free(path);
            if (!alone)
                continue; /* a packet's path depends on the others: the simulator finds each by itself */
            for (size_t s = 0; s < 2; s++) {
                oracle_case c = {.network = network, .traffic = traffic, .scheme = schemes[s], .seed = r};
                c.paths = np_list_get(NP_LIST_PATHS, r)->name;
                check_disciplines(c, RARELY);
            }
        }
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* Thousands of links busy at once: batches of 512 and chunks of 256 fill up. The last has several blocks a worker. */
static void many_links(void **state)
{
    static const struct {
        const char *network, *scheme, *traffic;
    } large[] = {
        {"hypercube:11", "cubes", "identity"},     {"hypercube:10", "basic", "h-relation:2"},
        {"shuffle:4x5", "mshuffle", "random"},     {"mesh:24x40", "grid", "random"},
        {"complete:130", "valiant", "rotation:1"}, {"complete:280", "valiant", "rotation:1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        if (!support_takes(i, 3, 1))
            continue;
        np_network *network = support_network(large[i].network);
        np_traffic *traffic;
        assert_ok(np_traffic_create(large[i].traffic, network, i, 0, &traffic));
        oracle_case c = {.network = network, .traffic = traffic, .scheme = large[i].scheme, .seed = i};
        check_disciplines(c, OFTEN);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* Thousands of packets in one queue: at the start, at one node or two; and on the way. */
static void long_queues(void **state)
{
    enum { PACKETS = SUPPORT_FEWER(2600, 1100) };
    static const char *const specs[] = {"array:4", "hypercube:2", "ring:3"};
    np_node from[PACKETS], to[PACKETS];
    uint32_t priority[PACKETS];
    (void)state;
    for (size_t i = 0; i < SUPPORT_SAMPLE(3U); i++) {
        np_network *network = support_network(specs[i]);
        np_traffic *traffic;
        for (np_packet p = 0; p < PACKETS; p++) {
            from[p] = p % 7 ? 0 : 1;
            to[p] = p % 11 ? np_network_nodes(network) - 1 : 1;
            priority[p] = p * p % 19;
        }
        assert_ok(np_traffic_from_arrays(network, PACKETS, from, to, priority, &traffic));
        oracle_case c = {.network = network, .traffic = traffic, .scheme = i ? "valiant" : "greedy", .seed = i};
        check_disciplines(c, RARELY);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/*
 * Two streams of packets, one after the other, over one link, whose queue is empty whenever a packet comes: more
 * packets than a byte counts, and more than any other link has.
 */
static void streams(void **state)
{
    enum { LINE = 210, STREAM = 200 };
    np_node from[2 * STREAM], to[2 * STREAM], tail[LINE + 1], head[LINE + 1];
    np_network *network;
    np_traffic *traffic;
    (void)state;
    for (np_node u = 0; u < LINE; u++) {
        tail[u] = u;
        head[u] = u + 1;
    }
    tail[LINE] = LINE + 1; /* the source of the first stream, beside the line */
    head[LINE] = LINE - 5;
    for (np_packet p = 0; p < 2 * STREAM; p++) {
        from[p] = p < STREAM ? LINE + 1 : 0;
        to[p] = LINE - 4;
    }
    assert_ok(np_network_from_links(LINE + 2, LINE + 1, tail, head, &network));
    assert_ok(np_traffic_from_arrays(network, 2 * STREAM, from, to, NULL, &traffic));
    check_disciplines((oracle_case){.network = network, .traffic = traffic, .scheme = "greedy"}, OFTEN);
    np_traffic_free(traffic);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),         cmocka_unit_test(arrays),
        cmocka_unit_test(irregular_graphs), cmocka_unit_test(parallel_links),
        cmocka_unit_test(path_rules),       cmocka_unit_test(many_links),
        cmocka_unit_test(long_queues),      cmocka_unit_test(streams),
        cmocka_unit_test(delays),           cmocka_unit_test(delays_of_many_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
