/* Shortest paths by a table: against all pairs by relaxation, on random networks. */
#include "support.h"

#include "base/random.h"

enum { MOST = 12, FAR = 1000 };

static void relax_all(np_node nodes, size_t links, const np_node *from, const np_node *to, int distance[MOST][MOST])
{
    for (np_node u = 0; u < nodes; u++)
        for (np_node v = 0; v < nodes; v++)
            distance[u][v] = u == v ? 0 : FAR;
    for (np_node round = 0; round < nodes; round++)
        for (size_t i = 0; i < links; i++)
            for (np_node v = 0; v < nodes; v++)
                if (distance[to[i]][v] + 1 < distance[from[i]][v])
                    distance[from[i]][v] = distance[to[i]][v] + 1;
}

/* Every route is a way from u to v of the right length (np_path_walk checks that it is a way). */
static void check_routes(const np_path *path, np_node nodes, int distance[MOST][MOST])
{
    for (np_node u = 0; u < nodes; u++)
        for (np_node v = 0; v < nodes; v++) {
            size_t hops;
            assert_ok(np_path_walk(path, u, v, 1, 0, 0, 0, 0, NULL, &hops));
            assert_int_equal(hops, distance[u][v]);
        }
}

static void test_random_networks(void **state)
{
    const np_draws draws = {2, 0, 0, NP_RANDOM_CHECK};
    int connected = 0;
    (void)state;
    for (uint32_t item = 0; item < 500; item++) {
        int distance[MOST][MOST], farthest = 0;
        np_node from[60], to[60], nodes = 1 + np_random_below(&draws, item, 0, MOST);
        size_t links = nodes + np_random_below(&draws, item, 1, 4 * nodes);
        np_network *network;
        np_path *path;
        for (size_t i = 0; i < links; i++) {
            from[i] = np_random_below(&draws, item, (uint32_t)(2 * i + 2), nodes);
            to[i] = np_random_below(&draws, item, (uint32_t)(2 * i + 3), nodes);
        }
        relax_all(nodes, links, from, to, distance);
        for (np_node u = 0; u < nodes; u++)
            for (np_node v = 0; v < nodes; v++)
                farthest = distance[u][v] > farthest ? distance[u][v] : farthest;
        assert_ok(np_network_from_links(nodes, links, from, to, &network));
        if (farthest >= FAR) {
            assert_refused(np_path_create("all-pairs", network, &path), NP_ERROR_APPLY, "there is no way from node");
            assert_null(path);
        } else {
            assert_ok(np_path_create("greedy", network, &path));
            assert_string_equal(np_path_name(path), "all-pairs");
            check_routes(path, nodes, distance);
            np_path_free(path);
            connected += nodes > 2;
        }
        np_network_free(network);
    }
    assert_true(connected > 50);
}

static void test_cube(void **state)
{
    np_network *cube = support_network("hypercube:6");
    np_path *path;
    (void)state;
    assert_ok(np_path_create("all-pairs", cube, &path));
    for (np_node u = 0; u < 64; u++)
        for (np_node v = 0; v < 64; v++) {
            np_link links[6];
            size_t hops;
            assert_ok(np_path_walk(path, u, v, 1, 0, 0, 0, 6, links, &hops));
            assert_int_equal(hops, __builtin_popcount(u ^ v));
            if (hops) /* the lowest port: the most significant bit */
                assert_int_equal(links[0], u * 6 + (unsigned)__builtin_clz(u ^ v) - 26);
        }
    np_path_free(path);
    np_network_free(cube);
}

/* A star: the middle has 300 ports, which need two bytes. */
static void test_many_ports(void **state)
{
    np_node from[600], to[600];
    np_network *network;
    np_path *path;
    np_link links[2];
    size_t hops;
    (void)state;
    for (np_node i = 0; i < 300; i++) {
        from[2 * i] = to[2 * i + 1] = 0;
        to[2 * i] = from[2 * i + 1] = i + 1;
    }
    assert_ok(np_network_from_links(301, 600, from, to, &network));
    assert_ok(np_path_create("all-pairs", network, &path));
    assert_ok(np_path_walk(path, 7, 300, 1, 0, 0, 0, 2, links, &hops));
    assert_int_equal(hops, 2);
    assert_int_equal(links[1], 299);
    np_path_free(path);
    np_network_free(network);
}

static void test_refusals_name_the_pair_and_the_figure(void **state)
{
    /* 0 <-> 1 -> 2 */
    static const np_node from[] = {0, 1, 1}, to[] = {1, 0, 2};
    np_network *network;
    np_path *path;
    (void)state;
    assert_ok(np_network_from_links(3, 3, from, to, &network));
    assert_refused(np_path_create("all-pairs", network, &path), NP_ERROR_APPLY, "no way from node 2 to node 0");
    np_network_free(network);
    assert_ok(np_network_from_links(3, 3, to, from, &network));
    assert_refused(np_path_create("all-pairs", network, &path), NP_ERROR_APPLY, "no way from node 0 to node 2");
    np_network_free(network);
    network = support_network("hypercube:17");
    assert_refused(np_path_create("all-pairs", network, &path), NP_ERROR_LIMIT, "16.0 GB: at most 4 GB");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_networks),
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_many_ports),
        cmocka_unit_test(test_refusals_name_the_pair_and_the_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
