/* What leveled routings say they will need, before they are made. */
#include "leveled/leveled_routing.h"
#include "support.h"

static const char *const networks[] = {
    "butterfly:5", "butterfly-io:7", "mesh:9x5",   "mesh:4x3x5",   "array:17",           "torus:5x3x4",
    "ring:9",      "hypercube:6",    "fat-tree:4", "fat-tree-8:2", "shuffle-exchange:4", "shuffle-exchange:9"};

static void sizes_are_upper_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        np_network *network = support_network(networks[i]);
        np_leveled_routing *routing;
        uint64_t nodes, edges, made_nodes = 0, made_edges = 0;
        assert_ok(np_leveled_routing_create(network, &routing));
        routing->ops->size(network, &nodes, &edges);
        for (unsigned phase = 0; phase < routing->phases; phase++) {
            made_nodes += routing->phase[phase].leveled->nodes;
            made_edges += routing->phase[phase].leveled->edges;
        }
        assert_true(made_nodes <= nodes && nodes <= 3 * made_nodes);
        assert_true(made_edges <= edges && edges <= 4 * made_edges);
        np_leveled_routing_free(routing);
        np_network_free(network);
    }
}

/* A leveled network that does not fit is refused before it is made. */
static void too_large_is_refused(void **state)
{
    (void)state;
    np_network *network = support_network("butterfly-io:20");
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = "ranked";
    options.memory_limit = 1000000000;
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_LIMIT,
                   "the leveled networks of butterfly-io:20 need 1.86 GB of memory, 1.00 GB are allowed");
    np_network_free(network);
    network = support_network("complete:8");
    assert_int_equal(np_leveled_routing_bytes(network), 0);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_are_upper_bounds),
                                       cmocka_unit_test(too_large_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
