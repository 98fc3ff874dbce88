/*
 * The sparsified on-line schedule: few packets anywhere, 3n and a multiple of sqrt(n) steps, against the off-line one.
 */
#include <math.h>

#include "support.h"

static np_route_options options;

static np_route_result *routed(const char *spec, const char *traffic, const char *scheme)
{
    np_network *network = support_network(spec);
    np_route_result *result;
    options.scheme = scheme;
    assert_ok(np_route(network, traffic, &options, &result));
    np_network_free(network);
    return result;
}

static void steps_and_populations(void **state)
{
    static const struct {
        const char *spec;
        uint32_t rows, columns;
    } meshes[] = {{"mesh:64x64", 64, 64}, {"mesh:17x40", 17, 40}, {"mesh:40x17", 40, 17}, {"mesh:31x31", 31, 31}};
    static const char *const traffics[] = {"random", "identity", "complement", "rotation:5"};
    (void)state;
    np_route_options_init(&options);
    options.threads = 1;
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++)
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++) {
            if (t == 2 && i) /* for powers of two */
                continue;
            np_route_result *result = routed(meshes[i].spec, traffics[t], "sparsified");
            np_route_result *offline = routed(meshes[i].spec, traffics[t], "offline");
            double local = sqrt(meshes[i].rows) + sqrt(meshes[i].columns);
            assert_int_equal(result->phases, 7);
            for (size_t p = 0; p < 7; p++) {
                const np_phase_run *run = result->phase[p].run;
                uint32_t side = p == 3 ? meshes[i].rows : meshes[i].columns;
                assert_int_equal(run->packets, result->packets);
                assert_true(run->steps <= (p % 2 ? side + local : 2 * local));
                assert_true(run->population_max <= 8);
                assert_true(p % 2 == 0 || run->delay_max <= local); /* lines are evenly used */
            }
            double longest = fmax(meshes[i].rows, meshes[i].columns), sum = meshes[i].rows + 2.0 * meshes[i].columns;
            assert_true(result->total_steps.max <= fmax(sum, 3 * longest) + 11 * local);
            assert_true(t || result->total_steps.max > offline->total_steps.max);
            np_route_result_free(result);
            np_route_result_free(offline);
        }
}

/* Any traffic on any mesh, however small, and the same for two threads. */
static void others(void **state)
{
    static const char *const specs[] = {"mesh:2x2", "mesh:2x3", "mesh:3x2", "mesh:2x30", "mesh:30x2", "mesh:7x9"};
    static const char *const traffics[] = {"h-relation:3", "hotspot:1", "partial:0", "partial:0.3",
                                           "random-function:2"};
    (void)state;
    np_route_options_init(&options);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++) {
            options.threads = 1;
            np_route_result *one = routed(specs[i], traffics[t], "sparsified");
            options.threads = 2;
            np_route_result *two = routed(specs[i], traffics[t], "sparsified");
            for (size_t p = 0; p < 7; p++) {
                assert_int_equal(one->phase[p].run->steps, two->phase[p].run->steps);
                assert_int_equal(one->phase[p].run->hops, two->phase[p].run->hops);
            }
            np_route_result_free(one);
            np_route_result_free(two);
        }
}

static void refuses(void **state)
{
    np_network *network = support_network("mesh:3x3x3");
    np_route_result *result;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "sparsified";
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_APPLY, "meshes of two dimensions");
    np_network_free(network);
    network = support_network("mesh:3x3");
    options.queue = "fifi";
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_INPUT, "'fifo'");
    options.queue = NULL;
    support_assert_route_without_memory(network, "random", options, 20);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_and_populations), cmocka_unit_test(others),
                                       cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
