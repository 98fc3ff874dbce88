/* Paths that are placed by load, drawn among the K shortest, or read from a file. */
#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "model/path/listed.h"

enum { MOST = 8, WAYS = 4096 };

static np_network *graph(np_node nodes, size_t links, const np_node *from, const np_node *to)
{
    np_network *network;
    assert_ok(np_network_from_links(nodes, links, from, to, &network));
    return network;
}

static np_route_result *route(const np_network *network, const char *paths, const char *traffic, unsigned threads)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.paths = paths;
    options.threads = threads;
    assert_ok(np_route(network, traffic, &options, &result));
    return result;
}

static uint32_t congestion(const np_network *network, const char *paths, const char *traffic, unsigned threads)
{
    np_route_result *result = route(network, paths, traffic, threads);
    uint32_t most = result->phase[0].run[0].congestion;
    np_route_result_free(result);
    return most;
}

/* ---- Balanced ---- */

/* A fat-tree of 4 K-port switches and K^3 / 4 hosts, as links. */
static np_network *fat_tree(np_node k)
{
    np_node half = k / 2, hosts = half * half * k, edge = hosts, middle = edge + half * k, core = middle + half * k;
    size_t links = 6 * (size_t)hosts;
    np_node *from = malloc(links * sizeof *from), *to = malloc(links * sizeof *to);
    for (np_node i = 0; i < hosts; i++) {
        np_node pod = i / (half * half), a = i / half % half, b = i % half;
        const np_node ends[3][2] = {{i, edge + i / half},
                                    {edge + pod * half + a, middle + pod * half + b},
                                    {middle + pod * half + a, core + a * half + b}};
        for (np_node j = 0; j < 3; j++) {
            from[6 * i + 2 * j] = to[6 * i + 2 * j + 1] = ends[j][0];
            to[6 * i + 2 * j] = from[6 * i + 2 * j + 1] = ends[j][1];
        }
    }
    np_network *network = graph(core + half * half, links, from, to);
    free(from);
    free(to);
    return network;
}

static void balanced_paths_spread_the_load(void **state)
{
    char *text = malloc(20000), *at = text, *file, spec[200];
    np_network *tree = fat_tree(16);
    (void)state;
    for (int i = 0; i < 1024; i++)
        at += sprintf(at, "%d %d\n", i, (i + 512) % 1024);
    file = support_file(text);
    free(text);
    snprintf(spec, sizeof spec, "file:%s", file);
    for (unsigned threads = 1; threads <= 7; threads += 3) {
        np_route_result *result = route(tree, "balanced", spec, threads);
        assert_int_equal(result->phase[0].run[0].hops, 6 * 1024);
        assert_int_equal(result->phase[0].run[0].congestion, 1); /* 2 would do, 1 is possible */
        assert_int_equal(result->phase[0].run[0].steps, 6);
        np_route_result_free(result);
    }
    np_network_free(tree);
    remove(file);
    free(file);
}

/* Two packets from 0 to 3, by way of 1 and of 2; then parallel links; then a ring, whose routes are long. */
static void balanced_takes_the_least_loaded(void **state)
{
    const np_node from[] = {0, 0, 1, 2}, to[] = {1, 2, 3, 3};
    const np_node many_from[] = {0, 0, 0, 1, 1}, many_to[] = {1, 1, 1, 2, 2};
    char spec[200], *file = support_file("0 3 7\n"), *other = support_file("0 2 6\n");
    np_network *network = graph(4, 4, from, to);
    (void)state;
    snprintf(spec, sizeof spec, "file:%s", file);
    assert_int_equal(congestion(network, "balanced", spec, 1), 4);
    np_network_free(network);
    network = graph(3, 5, many_from, many_to);
    snprintf(spec, sizeof spec, "file:%s", other);
    assert_int_equal(congestion(network, "balanced", spec, 1), 3);
    np_network_free(network);
    network = support_network("ring:300");
    np_route_result *one = route(network, "balanced", "rotation:100", 1),
                    *seven = route(network, "balanced", "rotation:100", 7);
    assert_int_equal(one->phase[0].run[0].congestion, 100);
    assert_int_equal(one->phase[0].run[0].hops, 30000);
    assert_memory_equal(one->phase[0].run, seven->phase[0].run, sizeof *one->phase[0].run);
    np_route_result_free(one);
    np_route_result_free(seven);
    np_network_free(network);
    remove(file);
    free(file);
    remove(other);
    free(other);
}

/* ---- K shortest ---- */

/* All ways from a node to another that go through no node twice, by their lengths. */
typedef struct all_ways {
    np_network *network;
    np_node nodes;
    bool linked[MOST][MOST];
    size_t count, by_length[MOST + 1];
} all_ways;

static void walk_all(all_ways *all, np_node at, np_node to, uint32_t been, size_t length)
{
    if (at == to) {
        all->by_length[length]++;
        all->count++;
        return;
    }
    for (np_node v = 0; v < all->nodes; v++)
        if (all->linked[at][v] && !(been >> v & 1))
            walk_all(all, v, to, been | 1u << v, length + 1);
}

static void draw_graph(uint32_t item, all_ways *all)
{
    const np_draws draws = {3, 0, 0, NP_RANDOM_CHECK};
    np_node from[4 * MOST], to[4 * MOST];
    size_t links;
    *all = (all_ways){.nodes = 3 + np_random_below(&draws, item, 0, MOST - 2)};
    links = all->nodes + np_random_below(&draws, item, 1, 3 * all->nodes);
    for (size_t i = 0; i < links; i++) {
        from[i] = np_random_below(&draws, item, (uint32_t)(2 * i + 2), all->nodes);
        to[i] = np_random_below(&draws, item, (uint32_t)(2 * i + 3), all->nodes);
        all->linked[from[i]][to[i]] = from[i] != to[i];
    }
    all->network = graph(all->nodes, links, from, to);
}

/* The draws of many packets are of exactly min(K, all) different paths, as short as they can be. */
static void check_pair(const all_ways *all, uint32_t k, const np_path *path, np_node to)
{
    enum { DRAWS = 400 };
    static np_link seen[DRAWS][MOST];
    size_t length[DRAWS], paths = 0, lengths[MOST] = {0}, want = all->count < k ? all->count : k, hops;
    for (np_packet p = 0; p < DRAWS; p++) {
        np_link link[MOST];
        size_t i = 0;
        uint32_t been = 1;
        assert_ok(np_path_walk(path, 0, to, 1, 0, 0, p, MOST, link, &hops));
        assert_true(hops < MOST);
        for (size_t j = 0; j < hops; j++) {
            np_node v = np_network_link_head(all->network, link[j]);
            assert_false(been >> v & 1);
            been |= 1u << v;
        }
        while (i < paths && (length[i] != hops || memcmp(seen[i], link, hops * sizeof *link)))
            i++;
        if (i < paths)
            continue;
        memcpy(seen[paths], link, hops * sizeof *link);
        length[paths++] = hops;
        lengths[hops]++;
    }
    assert_int_equal(paths, want); /* each of at most 6 is missed with a chance of (5/6)^400 = 2e-32 */
    for (size_t h = 0, left = want; h < MOST; h++) {
        size_t here = all->by_length[h] < left ? all->by_length[h] : left;
        assert_int_equal(lengths[h], here);
        left -= here;
    }
}

static void k_shortest_are_the_shortest(void **state)
{
    size_t several = 0;
    (void)state;
    for (uint32_t item = 0; item < 120; item++) {
        uint32_t k = 1 + item % 6;
        char rule[20];
        all_ways all;
        np_path *path;
        snprintf(rule, sizeof rule, "k-shortest:%u", k);
        draw_graph(item, &all);
        assert_ok(np_path_create(rule, all.network, &path));
        assert_string_equal(np_path_name(path), rule);
        for (np_node to = 1; to < all.nodes; to++) {
            all.count = 0;
            memset(all.by_length, 0, sizeof all.by_length);
            walk_all(&all, 0, to, 1, 0);
            if (all.count)
                check_pair(&all, k, path, to);
            several += all.count > 3 && k > 3;
        }
        np_path_free(path);
        np_network_free(all.network);
    }
    assert_true(several > 40);
}

static void any_threads_find_the_same(void **state)
{
    static const char *const rules[] = {"k-shortest", "k-shortest:9", "balanced"};
    np_network *torus = support_network("torus:5x5");
    (void)state;
    for (size_t r = 0; r < 3; r++) {
        np_route_result *one = route(torus, rules[r], "h-relation:4", 1);
        for (unsigned threads = 2; threads <= 7; threads += 5) {
            np_route_result *other = route(torus, rules[r], "h-relation:4", threads);
            assert_memory_equal(one->phase[0].run, other->phase[0].run, sizeof *one->phase[0].run);
            np_route_result_free(other);
        }
        np_route_result_free(one);
    }
    np_network_free(torus);
}

/* ---- From a file ---- */

static void paths_of_a_file_are_drawn_by_weight(void **state)
{
    const np_node from[] = {0, 0, 1, 2, 0, 3}, to[] = {1, 2, 3, 3, 3, 0};
    char rule[200], traffic[200],
        *file = support_file("# by way of 1, and three times as often of 2\n0 1 3 @ 1\n0 2 3 @ "
                             "3\n3 0\n"),
        *load = support_file("0 3 1000\n3 0 5\n1 1\n"), *missing = support_file("1 3\n");
    np_network *network = graph(4, 6, from, to);
    np_route_options options;
    np_route_result *result;
    (void)state;
    snprintf(rule, sizeof rule, "file:%s", file);
    snprintf(traffic, sizeof traffic, "file:%s", load);
    np_route_options_init(&options);
    options.paths = rule;
    assert_ok(np_route(network, traffic, &options, &result));
    assert_string_equal(result->paths, rule);
    assert_int_equal(result->phase[0].run[0].hops, 2005);
    assert_in_range(result->phase[0].run[0].congestion, 750 - 84, 750 + 84); /* six deviations of 14 */
    np_route_result_free(result);
    snprintf(traffic, sizeof traffic, "file:%s", missing);
    assert_refused(np_route(network, traffic, &options, &result), NP_ERROR_APPLY, "have no path from node 1 to node 3");
    np_network_free(network);
    remove(file), remove(load), remove(missing);
    free(file), free(load), free(missing);
}

/* Three links from 0 to 1: packets take them in turn, unless the file says which. */
static void paths_of_a_file_name_ports(void **state)
{
    static const char *const files[] = {"0 1\n", "0 /1 1\n"};
    const np_node from[] = {0, 0, 0}, to[] = {1, 1, 1};
    np_network *network = graph(2, 3, from, to);
    char *load = support_file("0 1 30\n"), traffic[200];
    np_traffic *packets;
    (void)state;
    snprintf(traffic, sizeof traffic, "file:%s", load);
    assert_ok(np_traffic_create(traffic, network, 1, 0, &packets));
    for (int fixed = 0; fixed < 2; fixed++) {
        char *file = support_file(files[fixed]), rule[200];
        np_route_options options;
        np_throughput_options carried;
        np_route_result *result;
        np_throughput *throughput;
        snprintf(rule, sizeof rule, "file:%s", file);
        np_route_options_init(&options);
        np_throughput_options_init(&carried);
        options.paths = carried.paths = rule;
        assert_ok(np_route(network, traffic, &options, &result));
        assert_int_equal(result->phase[0].run[0].congestion, fixed ? 30 : 10);
        assert_ok(np_throughput_find(network, packets, &carried, &throughput));
        assert_true(fabs(throughput->paths.factor - (fixed ? 1 : 3) / 30.0) < 1e-9);
        np_throughput_free(throughput);
        np_route_result_free(result);
        remove(file);
        free(file);
    }
    np_traffic_free(packets);
    np_network_free(network);
    remove(load);
    free(load);
}

static void bad_files_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no paths"},
        {"0\n", "fuzz:1: a path of one node"},
        {"0 1 @ 3\n0 2\n", "fuzz:2: no link leads from node 0 to node 2"},
        {"0 1 0 1 0 1\n", "fuzz:1: a path of 6 nodes on a network of 3"},
        {"0 1 0\n", "fuzz:1: a path from node 0 to itself"},
        {"0 7\n", "fuzz:1: node 7 is out of range 0..2"},
        {"0 1 @ 0\n", "fuzz:1: a weight 0 is out of range"},
        {"0 1 @\n", "is not a whole number"},
        {"0 @ 1\n", "is not a whole number"},
        {"0 /1 1\n", "fuzz:1: node 0 has no port 1"},
        {"0 /0 1 /1 0\n", "fuzz:1: port 1 of node 1 does not lead to node 0"},
        {"0 /0 /0 1\n", "fuzz:1: two ports of node 0"},
        {"0 1 /0\n", "fuzz:1: a port of the last node: a line is 'node [/port] node ... [@ weight]'"},
        {"/0 0 1\n", "is not a whole number"},
    };
    const np_node from[] = {0, 1, 1}, to[] = {1, 0, 2};
    np_network *network = graph(3, 3, from, to);
    np_graph *lists;
    (void)state;
    assert_ok(np_graph_create(network, &lists));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_listed *listed;
        assert_refused(np_listed_parse("fuzz", cases[i].text, strlen(cases[i].text), lists, &listed), NP_ERROR_INPUT,
                       cases[i].message);
        assert_null(listed);
    }
    np_graph_free(lists);
    np_network_free(network);
}

static void bad_names_are_refused(void **state)
{
    static const char *const cases[][2] = {{"k-shortest:0", "write a number in 1..64, as in k-shortest:8"},
                                           {"k-shortest:65", "write a number in 1..64"},
                                           {"shortest:3", "paths 'shortest' take no parameter"},
                                           {"file", "paths 'file' lack a path: write file:PATH"},
                                           {"file:", "no file is named"},
                                           {"shortes:3", "did you mean 'shortest'?"}};
    np_network *network = support_network("ring:5");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_path *path;
        np_status st = np_path_create(cases[i][0], network, &path);
        assert_int_not_equal(st, NP_OK);
        assert_null(path);
        assert_non_null(strstr(np_last_error(), cases[i][1]));
    }
    np_network_free(network);
}

/* Every allocation fails in turn. */
static void every_allocation_may_fail(void **state)
{
    char file_rule[200], *file = support_file("0 1 2\n1 2\n2 3 0\n3 0\n");
    const char *const rules[] = {"balanced", "k-shortest", file_rule};
    np_network *network = support_network("ring:4");
    char spec[200], *load = support_file("0 2\n2 0\n3 0\n");
    (void)state;
    snprintf(file_rule, sizeof file_rule, "file:%s", file);
    snprintf(spec, sizeof spec, "file:%s", load);
    for (size_t r = 0; r < 3; r++) {
        np_status st = NP_ERROR_MEMORY;
        for (long n = 1; st; n++) {
            np_route_options options;
            np_route_result *result = NULL;
            np_route_options_init(&options);
            options.threads = 1;
            options.paths = rules[r];
            np_memory_fail_after(n);
            st = np_route(network, spec, &options, &result);
            np_memory_fail_after(0);
            if (st)
                assert_refused(st, NP_ERROR_MEMORY, "no memory for");
            np_route_result_free(result);
        }
    }
    np_network_free(network);
    remove(file), remove(load);
    free(file), free(load);
}

/* ---- Links down ---- */

static void links_fail_with_those_that_lead_back(void **state)
{
    np_network *cube = support_network("hypercube:6"), *broken, *again, *other;
    size_t differ = 0, lost = 0;
    (void)state;
    assert_ok(np_network_fail(cube, "0.1", 5, &broken));
    assert_ok(np_network_fail(cube, "0.1", 5, &again));
    assert_ok(np_network_fail(cube, "0.1", 6, &other));
    assert_ok(np_network_audit(broken));
    assert_string_equal(np_network_spec(broken), "hypercube:6:fail=0.1:seed=5"); /* 19 of 192 cables */
    assert_int_equal(np_network_links(broken), 384 - 38);
    for (np_link l = 0; l < 384; l++) {
        np_node u = np_network_link_tail(broken, l), v = np_network_link_head(broken, l);
        assert_int_equal(v, np_network_link_head(again, l));
        differ += v != np_network_link_head(other, l);
        if (v != NP_NONE) {
            assert_int_equal(v, np_network_link_head(cube, l));
            continue;
        }
        v = np_network_link_head(cube, l);
        for (np_port p = 0; p < 6; p++) /* the link back is down, too */
            if (np_network_link_head(cube, v * 6 + p) == u)
                assert_int_equal(np_network_link_head(broken, v * 6 + p), NP_NONE);
        lost++;
    }
    assert_int_equal(lost, 38);
    assert_true(differ > 20);
    np_network_free(cube);
    np_network_free(broken);
    np_network_free(again);
    np_network_free(other);
}

static void links_of_a_file_fail(void **state)
{
    const np_node from[] = {0, 0, 1, 1, 1, 2, 0}, to[] = {1, 1, 0, 0, 2, 1, 2};
    char which[200], *file = support_file("1 0\n0 2\n"), *twice = support_file("0 2\n2 0\n");
    np_network *network = graph(3, 7, from, to), *broken;
    np_route_options options;
    np_route_result *result;
    (void)state;
    snprintf(which, sizeof which, "file:%s", file);
    assert_ok(np_network_fail(network, which, 1, &broken));
    assert_ok(np_network_audit(broken));
    assert_int_equal(np_network_links(broken), 4); /* one of two cables between 0 and 1, and the link from 0 to 2 */
    np_network_free(broken);
    np_route_options_init(&options);
    options.fail = which;
    assert_ok(np_route(network, "rotation:1", &options, &result));
    assert_string_equal(result->network + strlen("links:fail="), which);
    assert_string_equal(result->scheme, "greedy");
    np_route_result_free(result);
    snprintf(which, sizeof which, "file:%s", twice);
    assert_refused(np_network_fail(network, which, 1, &broken), NP_ERROR_INPUT,
                   ":2: no link between node 2 and node 0 is left to fail");
    assert_refused(np_network_fail(network, "1.5", 1, &broken), NP_ERROR_INPUT, "write a share of the links in 0..1");
    options.fail = "1";
    assert_refused(np_route(network, "rotation:1", &options, &result), NP_ERROR_APPLY,
                   "it falls into 3 parts, of 1, 1, 1 nodes");
    np_network_free(network);
    network = support_network("omega:3");
    assert_refused(np_network_fail(network, "0.1", 1, &broken), NP_ERROR_APPLY, "from its inputs to its outputs only");
    np_network_free(network);
    remove(file), remove(twice);
    free(file), free(twice);
}

/* The spec of a network with failed links makes it again, link by link, and is kept byte for byte. */
static void assert_made_again(const char *spec, const char *which, uint64_t seed)
{
    np_network *whole = support_network(spec), *broken, *again;
    char room[2][NP_NAME_ROOM];
    assert_ok(np_network_fail(whole, which, seed, &broken));
    assert_true(np_network_links(broken) < np_network_links(whole));
    np_network_free(whole);
    again = support_network(np_network_spec(broken));
    assert_ok(np_network_audit(again));
    assert_string_equal(np_network_spec(again), np_network_spec(broken));
    assert_int_equal(np_network_links(again), np_network_links(broken));
    assert_int_equal(np_network_link_numbers(again), np_network_link_numbers(broken));
    assert_int_equal(np_network_terminals(again), np_network_terminals(broken));
    for (np_link l = 0; l < np_network_link_numbers(broken); l++)
        assert_int_equal(np_network_link_head(again, l), np_network_link_head(broken, l));
    for (np_node u = 0; u < np_network_nodes(broken); u++)
        assert_string_equal(np_network_node_name(again, u, room[0]), np_network_node_name(broken, u, room[1]));
    assert_true(!np_network_note(again) == !np_network_note(broken));
    if (np_network_note(again))
        assert_string_equal(np_network_note(again), np_network_note(broken));
    np_network_free(again);
    np_network_free(broken);
}

static void the_spec_makes_the_failures_again(void **state)
{
    char spec[200], which[200], *file = support_file("a b\nb c\nc a\na leaf\nc bud\n"), *down = support_file("b a\n");
    np_network *network, *other;
    (void)state;
    assert_made_again("torus:8x8", "0.05", 7);
    assert_made_again("torus:8x8", "0.05", UINT64_MAX);
    assert_made_again("torus:8x8:fail=0.05:seed=7", "0.1", 8); /* twice */
    assert_made_again("product:complete:4,ring:6", "0.2", 1);
    assert_made_again("tree:2x3", "1", 1);
    snprintf(which, sizeof which, "file:%s", down);
    snprintf(spec, sizeof spec, "file:%s:undirected:hosts=degree=1", file);
    assert_made_again(spec, "0.3", 2);
    assert_made_again(spec, which, 1);
    snprintf(spec, sizeof spec, "file:%s", file);
    assert_made_again(spec, "0.3", 2);
    network = support_network("torus:8x8:fail=0.05"), other = support_network("torus:8x8:fail=0.05:seed=1");
    assert_string_equal(np_network_spec(network), "torus:8x8:fail=0.05");
    for (np_link l = 0; l < np_network_link_numbers(network); l++)
        assert_int_equal(np_network_link_head(network, l), np_network_link_head(other, l));
    np_network_free(network);
    np_network_free(other);
    static const char *const bad[][2] = {
        {"torus:8x8:fail=", "write a share of the links in 0..1"},
        {"torus:8x8:fail=2", "write a share of the links in 0..1"},
        {"torus:8x8:fail=0.1:seed=-1", "the seed is a whole number"},
        {"torus:8x8:fail=0.1:seed=", "the seed is a whole number"},
        {":fail=0.1", "no network family ''"},
        {"ring:4:fail=0:fail=0:fail=0:fail=0:fail=0:fail=0:fail=0:fail=0:fail=0:fail=0:fail=0:fail=0:fail=0:fail=0:"
         "fail=0"
         ":fail=0:fail=0",
         "links fail more than 16 times"},
        {"torus:8:8:fail=0.1", "torus"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(np_network_create(bad[i][0], &network), NP_ERROR_INPUT, bad[i][1]);
    assert_refused(np_network_create("omega:3:fail=0.1", &network), NP_ERROR_APPLY, "from its inputs to its outputs");
    network = support_network("ring:4");
    assert_refused(np_network_fail(network, "file:x:fail=y", 1, &other), NP_ERROR_INPUT, "rename the file");
    np_network_free(network);
    remove(file), remove(down);
    free(file), free(down);
}

static void every_allocation_of_such_a_spec_may_fail(void **state)
{
    np_network *network;
    np_status st = NP_ERROR_MEMORY;
    (void)state;
    for (long n = 1; st; n++) {
        np_memory_fail_after(n);
        st = np_network_create("ring:5:fail=0.5", &network);
        np_memory_fail_after(0);
        if (st)
            assert_refused(st, NP_ERROR_MEMORY, "no memory for");
    }
    np_network_free(network);
}

/* A square with a diagonal, by names: paths and failing links of files that a spreadsheet wrote. */
static void files_name_nodes_as_the_network_does(void **state)
{
    char *square = support_file("a b,c\nc,d\nd,e\ne,a b\na b,d\n"), *ways = support_file("a b,c,d,@,2\ne,d,,,\n"),
         *load = support_file("a b,d,9\ne,d,4\n"), *down = support_file("d,a b\n"), *stray = support_file("d,x\n");
    char spec[200], rule[200], traffic[200], which[200];
    np_network *network, *broken;
    np_route_result *result;
    (void)state;
    snprintf(spec, sizeof spec, "file:%s:undirected", square);
    snprintf(rule, sizeof rule, "file:%s", ways);
    snprintf(traffic, sizeof traffic, "file:%s", load);
    network = support_network(spec);
    result = route(network, rule, traffic, 1);
    assert_int_equal(result->phase[0].run[0].hops, 9 * 2 + 4);
    np_route_result_free(result);
    snprintf(which, sizeof which, "file:%s", down);
    assert_ok(np_network_fail(network, which, 1, &broken));
    assert_int_equal(np_network_links(broken), 8);
    assert_int_equal(np_network_find_node(broken, "a b"), np_network_find_node(network, "a b"));
    np_network_free(broken);
    snprintf(which, sizeof which, "file:%s", stray);
    assert_refused(np_network_fail(network, which, 1, &broken), NP_ERROR_INPUT, ":1: node 'x' is no node");
    np_network_free(network);
    remove(square), remove(ways), remove(load), remove(down), remove(stray);
    free(square), free(ways), free(load), free(down), free(stray);
}

static void fail_each_allocation(np_network *network)
{
    np_network *broken;
    np_status st = NP_ERROR_MEMORY;
    long n = 1;
    for (; st; n++) {
        np_memory_fail_after(n);
        st = np_network_fail(network, "0.5", 1, &broken);
        np_memory_fail_after(0);
        if (st)
            assert_refused(st, NP_ERROR_MEMORY, "no memory for");
    }
    assert_true(n > 6);
    np_network_free(broken);
    np_network_free(network);
}

static void every_allocation_of_a_failure_may_fail(void **state)
{
    char spec[200], *file = support_file("a b\nb c\nc a\na leaf\n");
    (void)state;
    snprintf(spec, sizeof spec, "file:%s:undirected:hosts=degree=1", file);
    fail_each_allocation(support_network("ring:5"));
    fail_each_allocation(support_network(spec)); /* hosts and names, too */
    remove(file);
    free(file);
}

static void hosts_and_names_outlast_failures(void **state)
{
    (void)state;
    static const np_node from[] = {0, 0, 1, 2}, to[] = {1, 2, 3, 3}, host[] = {1, 2};
    static const char *const name[] = {"spine", "a", "b", "leaf"};
    const np_network_lists lists = {
        .nodes = 4, .links = 4, .from = from, .to = to, .undirected = true, .name = name, .hosts = 2, .host = host};
    np_network *whole, *broken;
    char room[NP_NAME_ROOM];
    assert_ok(np_network_from_lists(&lists, &whole));
    assert_ok(np_network_fail(whole, "0.25", 1, &broken));
    assert_int_equal(np_network_links(broken), 6);
    assert_int_equal(np_network_terminals(broken), 2);
    for (np_node u = 0; u < 4; u++) {
        assert_int_equal(np_network_is_host(broken, u), u == 1 || u == 2);
        assert_string_equal(np_network_node_name(broken, u, room), name[u]);
        assert_int_equal(np_network_find_node(broken, name[u]), u);
    }
    np_network_free(whole);
    np_network_free(broken);
}

/* ---- By way of which nodes ---- */

enum { AROUND = 11, SENT = 8000 };

/* Counts where phase A ends. */
typedef struct ends {
    unsigned phase;
    size_t at[AROUND];
} ends;

static int note_phase(void *context, const np_event_phase *phase)
{
    ((ends *)context)->phase = phase->phase;
    return 0;
}

static int note_ends(void *context, size_t count, const np_event *event)
{
    ends *e = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_LANDED && e->phase == 0)
            e->at[event[i].from]++;
    return 0;
}

static void count_ends(const np_network *network, np_via via, const char *traffic, unsigned threads, ends *e)
{
    const np_observer observer = {.begin = note_phase, .events = note_ends, .context = e};
    np_route_options options;
    np_route_result *result;
    *e = (ends){0};
    np_route_options_init(&options);
    options.scheme = "valiant";
    options.via = via;
    options.threads = threads;
    options.observer = &observer;
    assert_ok(np_route(network, traffic, &options, &result));
    assert_int_equal(result->via, via);
    np_route_result_free(result);
}

/* Nodes first .. last are equally likely, to within six deviations, and no other node is drawn. */
static void expect_even(const ends *e, np_node first, np_node last)
{
    double share = 1.0 / (last - first + 1), likely = SENT * share, far = 6 * sqrt(likely * (1 - share));
    for (np_node u = 0; u < AROUND; u++)
        if (u < first || u > last)
            assert_int_equal(e->at[u], 0);
        else
            assert_true(fabs((double)e->at[u] - likely) <= far);
}

/* Hosts 0 .. 7 hang on switches 8 and 9, which switch 10 joins. */
static const char two_stars[] = "0 8\n1 8\n2 8\n3 8\n4 9\n5 9\n6 9\n7 9\n8 10\n9 10\n";

static void packets_go_by_way_of_the_nodes_told(void **state)
{
    static const np_node first[] = {0, 0, 0, 8}, last[] = {7, 10, 7, 10};
    char links[200], pairs[200], *network_file = support_file(two_stars), *file = support_file("0 5 8000\n");
    ends e, usual;
    (void)state;
    snprintf(links, sizeof links, "file:%s:undirected:hosts=degree=1", network_file);
    snprintf(pairs, sizeof pairs, "file:%s", file);
    np_network *network = support_network(links);
    count_ends(network, NP_VIA_TERMINALS, pairs, 1, &usual);
    for (np_via via = NP_VIA_TERMINALS; via <= NP_VIA_SWITCHES; via++) {
        count_ends(network, via, pairs, 1, &e);
        expect_even(&e, first[via], last[via]);
        assert_int_equal(memcmp(&e, &usual, sizeof e) == 0, via == NP_VIA_TERMINALS || via == NP_VIA_HOSTS);
    }
    np_network_free(network);
    remove(network_file);
    remove(file);
    free(network_file);
    free(file);
}

static void refuse_via(const char *spec, const char *scheme, np_via via, const char *message)
{
    np_network *network = support_network(spec);
    np_route_options options;
    np_route_result *result;
    uint64_t bytes;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.via = via;
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_APPLY, message);
    assert_refused(np_route_memory(network, "random", &options, &bytes), NP_ERROR_APPLY, message);
    np_network_free(network);
}

static void nodes_that_nobody_told_apart_are_refused(void **state)
{
    char spec[200], *file = support_file("0 1\n1 2\n2 0\n");
    np_route_options options;
    (void)state;
    snprintf(spec, sizeof spec, "file:%s:undirected", file);
    refuse_via(spec, "valiant", NP_VIA_HOSTS, "nobody said which nodes of file:");
    refuse_via("hypercube:3", "valiant", NP_VIA_SWITCHES, "nobody said which nodes of hypercube:3 are hosts");
    refuse_via("hypercube:3", "greedy", NP_VIA_NODES, "via: is for scheme 'valiant', not for 'greedy'");
    snprintf(spec, sizeof spec, "file:%s:undirected:hosts=degree=2", file);
    refuse_via(spec, "valiant", NP_VIA_SWITCHES, "all its nodes are hosts");
    np_route_options_init(&options);
    assert_refused(np_fields_set(&np_route_options_fields, &options, "via", "host"), NP_ERROR_INPUT,
                   "did you mean 'hosts'?");
    remove(file);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balanced_paths_spread_the_load),
        cmocka_unit_test(balanced_takes_the_least_loaded),
        cmocka_unit_test(k_shortest_are_the_shortest),
        cmocka_unit_test(any_threads_find_the_same),
        cmocka_unit_test(paths_of_a_file_are_drawn_by_weight),
        cmocka_unit_test(paths_of_a_file_name_ports),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(links_fail_with_those_that_lead_back),
        cmocka_unit_test(links_of_a_file_fail),
        cmocka_unit_test(the_spec_makes_the_failures_again),
        cmocka_unit_test(every_allocation_of_such_a_spec_may_fail),
        cmocka_unit_test(hosts_and_names_outlast_failures),
        cmocka_unit_test(files_name_nodes_as_the_network_does),
        cmocka_unit_test(every_allocation_of_a_failure_may_fail),
        cmocka_unit_test(packets_go_by_way_of_the_nodes_told),
        cmocka_unit_test(nodes_that_nobody_told_apart_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
