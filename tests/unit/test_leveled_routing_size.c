/* What leveled routings say they will need, before they are made. */
#include "model/leveled/leveled_routing.h"
#include "support.h"

static const char *const networks[] = {
    "butterfly:3",  "butterfly:5", "butterfly-io:7", "mesh:9x5",    "mesh:4x3x5",         "mesh:2x3x2x5",
    "array:17",     "array:2",     "torus:5x3x4",    "torus:2x2",   "torus:2x4",          "ring:9",
    "ring:2",       "hypercube:1", "hypercube:2",    "hypercube:6", "fat-tree:1",         "fat-tree:4",
    "fat-tree-8:2", "fat-tree:3",  "mesh:2x2",       "array:3",     "shuffle-exchange:2", "shuffle-exchange:3",
};

/* What is made has the sizes that were told. Of links there may be fewer. */
static void judge_phase(const char *spec, unsigned phase, const np_leveled *told, const np_leveled *made)
{
    bool links = made->links == told->room_links || (!strncmp(spec, "shuffle", 7) && made->links <= told->room_links &&
                                                     10 * told->room_links <= 12 * made->links + 1000);
    bool host = made->host_nodes == told->host_nodes && made->host_links == told->host_links;
    bool columns = made->rows == told->rows || made->rows == 1;
    if (made->depth != told->depth || made->nodes != told->nodes || made->edges != told->edges || !links || !host ||
        !columns)
        fail_msg("%s, phase %u: depth %u nodes %u edges %u links %u rows %u, told %u %u %u %llu %u", spec, phase,
                 made->depth, made->nodes, made->edges, made->links, made->rows, told->depth, told->nodes, told->edges,
                 (unsigned long long)told->room_links, told->rows);
    assert_int_equal(np_leveled_bytes(made), np_leveled_bytes(told));
}

static void judge(const char *spec)
{
    np_network *network = support_network(spec);
    np_leveled_routing_sizes sizes;
    np_leveled_routing *routing;
    np_leveled_routing_sizes_compute(network, &sizes);
    support_memory_count(true);
    assert_ok(np_leveled_routing_create(network, &routing));
    uint64_t held = support_memory_current();
    support_memory_count(false);
    if (held > sizes.bytes ||
        held + held / 10 + 1024 < sizes.bytes) /* what the C library keeps beside arrays is an estimate */
        fail_msg("%s holds %llu bytes, told %llu", spec, (unsigned long long)held, (unsigned long long)sizes.bytes);
    assert_int_equal(sizes.phases, routing->phases);
    for (unsigned phase = 0; phase < routing->phases; phase++)
        judge_phase(spec, phase, &sizes.phase[phase], routing->phase[phase].leveled);
    np_leveled_routing_free(routing);
    np_network_free(network);
}

static void sizes_are_what_is_made(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        judge(networks[i]);
    for (unsigned n = 2; n <= 14; n++) {
        char spec[24];
        snprintf(spec, sizeof spec, "shuffle-exchange:%u", n);
        judge(spec);
    }
}

/* A leveled network that does not fit is refused. */
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
                   "no memory for a leveled network with logical edges: 1.11 GB");
    np_network_free(network);
    network = support_network("complete:8");
    assert_int_equal(np_leveled_routing_bytes(network), 0);
    np_network_free(network);
}

/* Places of links have 32 bits. */
static void too_many_links_are_refused(void **state)
{
    const np_leveled sizes = np_leveled_sizes(1, 2, 1, UINT64_C(1) << 32, 2, 1);
    np_leveled *made;
    (void)state;
    assert_refused(np_leveled_create(&sizes, &made), NP_ERROR_LIMIT,
                   "cross 4294967296 links together: at most 4294967295");
    assert_null(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_are_what_is_made), cmocka_unit_test(too_large_is_refused),
                                       cmocka_unit_test(too_many_links_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
