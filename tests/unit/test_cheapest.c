/*
 * Cheapest paths against sums by Floyd & Warshall, on networks of random links with costs: by the rule of that name,
 * and by rules of shortest paths where the network says what its links cost.
 */
#include "support.h"

#include <unistd.h>

#include "model/network/network.h"
#include "netpram/path.h"
#include "netpram/throughput.h"

enum { NODES = 14, LINKS = 50, FAR = 1 << 28 };

/* A file of links with costs 0, 0.1, .. 0.4; cost[u][v]: the least of u -> v in tenths, hops in 1/1000 of them. */
static void write_links(char *path, uint32_t seed, uint32_t cost[NODES][NODES])
{
    FILE *file = fdopen(mkstemp(path), "w");
    for (int u = 0; u < NODES; u++)
        for (int v = 0; v < NODES; v++)
            cost[u][v] = u == v ? 0 : FAR;
    fprintf(file, "from,to,toll\n");
    for (uint32_t i = 0, x = seed; i < LINKS + NODES; i++) {
        x = x * 1664525 + 1013904223;
        uint32_t u = x >> 8 & 0xff, v = x >> 16 & 0xff, tenths = (x >> 24) % 5;
        u = i < NODES ? i : u % NODES;
        v = i < NODES ? (i + 1) % NODES : v % NODES; /* a ring first: all is joined */
        fprintf(file, "%u,%u,0.%u\n", u, v, tenths);
        uint32_t length = tenths * 1000 + 1;
        cost[u][v] = length < cost[u][v] ? length : cost[u][v];
    }
    fclose(file);
    for (int w = 0; w < NODES; w++)
        for (int u = 0; u < NODES; u++)
            for (int v = 0; v < NODES; v++)
                if (cost[u][w] + cost[w][v] < cost[u][v])
                    cost[u][v] = cost[u][w] + cost[w][v];
}

/* all: every link of a cheapest path is taken some time */
static void check_rule(const char *rule, const char *words, bool all)
{
    for (uint32_t seed = 1; seed <= 8; seed++) {
        char file[] = "/tmp/netpram-test-XXXXXX", spec[80];
        uint32_t cost[NODES][NODES];
        np_path *path;
        write_links(file, seed, cost);
        snprintf(spec, sizeof spec, "file:%s:directed%s", file, words);
        np_network *network = support_network(spec);
        const np_link_attribute *toll = np_network_find_attribute(network, "toll");
        bool *used = calloc(np_network_link_numbers(network), 1);
        assert_int_equal(np_path_create(rule, network, &path), NP_OK);
        for (np_node u = 0; u < NODES; u++)
            for (np_node v = 0; v < NODES; v++)
                for (np_packet packet = 0; packet < 40; packet++) {
                    np_link link[NODES];
                    size_t hops;
                    uint32_t sum = 0;
                    assert_int_equal(np_path_walk(path, u, v, 1, 0, 0, packet, NODES, link, &hops), NP_OK);
                    for (size_t k = 0; k < hops; k++) {
                        sum += (uint32_t)(toll->value[link[k]] * 10 + 0.5) * 1000 + 1;
                        used[link[k]] = true;
                    }
                    assert_int_equal(sum, cost[u][v]);
                }
        for (np_link link = 0; link < np_network_link_numbers(network); link++) { /* every link that is cheapest */
            np_node u = np_network_link_tail(network, link), v = np_network_link_head(network, link);
            uint32_t length = (uint32_t)(toll->value[link] * 10 + 0.5) * 1000 + 1;
            if (u != v && all)
                assert_int_equal(used[link], length == cost[u][v]);
        }
        free(used);
        np_path_free(path);
        np_network_free(network);
        unlink(file);
    }
}

static void routes_are_cheapest(void **state)
{
    static const char *const rules[] = {"shortest", "spray", "ecmp", "lowest-port", "balanced", "greedy"};
    (void)state;
    check_rule("cheapest:toll", "", true);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        check_rule(rules[i], ":cost=toll", i < 2);
}

/* Loads expected of the links against those of many packets. */
static void loads_are_those_of_routes(void **state)
{
    static const char *const rules[] = {"shortest", "spray", "lowest-port"};
    enum { PACKETS = 4000 };
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char file[] = "/tmp/netpram-test-XXXXXX", spec[80];
        uint32_t cost[NODES][NODES];
        np_throughput_options options;
        np_throughput *found;
        np_traffic *traffic;
        np_path *path;
        write_links(file, 5, cost);
        snprintf(spec, sizeof spec, "file:%s:directed:cost=toll", file);
        np_network *network = support_network(spec);
        uint32_t *crossed = calloc(np_network_link_numbers(network), sizeof *crossed), most = 0;
        np_throughput_options_init(&options);
        options.paths = rules[i];
        assert_int_equal(np_traffic_create("rotation:5", network, 1, 0, &traffic), NP_OK);
        assert_int_equal(np_throughput_find(network, traffic, &options, &found), NP_OK);
        assert_int_equal(np_path_create(rules[i], network, &path), NP_OK);
        for (np_node u = 0; u < NODES; u++)
            for (np_packet packet = 0; packet < PACKETS; packet++) {
                np_link link[NODES];
                size_t hops;
                np_node v = (u + 5) % NODES;
                assert_int_equal(np_path_walk(path, u, v, 1, 0, 0, u * PACKETS + packet, NODES, link, &hops), NP_OK);
                for (size_t k = 0; k < hops; k++)
                    most = ++crossed[link[k]] > most ? crossed[link[k]] : most;
            }
        double measured = (double)PACKETS / most; /* the standard deviation of a load is below 2% of it */
        assert_true(found->paths.factor > 0.93 * measured && found->paths.factor < 1.08 * measured);
        free(crossed);
        np_throughput_free(found);
        np_traffic_free(traffic);
        np_path_free(path);
        np_network_free(network);
        unlink(file);
    }
}

static void refusals(void **state)
{
    char file[] = "/tmp/netpram-test-XXXXXX", spec[100];
    FILE *stream = fdopen(mkstemp(file), "w");
    np_network *ring = support_network("ring:4"), *network;
    np_path *path;
    (void)state;
    fprintf(stream, "from,to,toll,depth\na,b,1,-1\nb,a,2,1\n");
    fclose(stream);
    snprintf(spec, sizeof spec, "file:%s:directed", file);
    network = support_network(spec);
    assert_int_equal(np_path_create("cheapest:toll", ring, &path), NP_ERROR_APPLY);
    assert_int_equal(np_path_create("cheapest", network, &path), NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), "as in cheapest:delay"));
    assert_int_equal(np_path_create("cheapest:tole", network, &path), NP_ERROR_APPLY);
    assert_non_null(strstr(np_last_error(), "did you mean 'toll'?"));
    assert_int_equal(np_path_create("cheapest:depth", network, &path), NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), "from node a to node b"));
    np_network_free(network);
    snprintf(spec, sizeof spec, "file:%s:directed:per-switch=2", file); /* the links of hosts cost nothing */
    network = support_network(spec);
    assert_int_equal(np_path_create("cheapest:toll", network, &path), NP_OK);
    np_path_free(path);
    np_network_free(network);
    np_network_free(ring);
    unlink(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_are_cheapest),
        cmocka_unit_test(loads_are_those_of_routes),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
