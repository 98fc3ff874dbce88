/* Programs of guests on area-universal networks: steps and schedules of files, routings, writes to buses; and what is
 * refused. */
#include "support.h"

#include <math.h>

#include "base/partition.h"

#include "unit/universal.h"

/* Lines to a file; simulates the guest with it as its steps or schedule. */
static np_status with_program(const char *spec, bool schedule, const char *text, uint32_t runs,
                              np_universal_result **result)
{
    np_universal_options options = defaults();
    np_network *guest = support_network(spec);
    char *path = support_file(text);
    *(schedule ? &options.schedule : &options.steps) = path;
    options.runs = runs;
    np_status st = np_universal_simulate(guest, &options, result);
    np_network_free(guest);
    remove(path);
    free(path);
    return st;
}

/* Every link of the 8 x 8 mesh in step 2, those out of node 0 in step 4: step 2 is as without a program. */
static void programs(void **state)
{
    static char by_ends[8192], by_links[8192];
    char *a = by_ends, *b = by_links;
    np_network *mesh = support_network("mesh:8x8");
    np_universal_options options = defaults();
    np_universal_result *whole = simulated("mesh:8x8", &options), *r;
    (void)state;
    for (np_node u = 64; u-- > 0;)
        for (np_port port = 0; port < 4; port++) {
            np_link link = np_network_link_at(mesh, u, port);
            if (link == NP_NONE)
                continue;
            a += sprintf(a, "2 %u %u\n", u, np_network_link_head(mesh, link));
            b += sprintf(b, "2 %u %u\n", port, link);
            if (!u) {
                a += sprintf(a, "4 %u %u # and no more\n", u, np_network_link_head(mesh, link));
                b += sprintf(b, "4 %u %u\n", port, link);
            }
        }
    for (int schedule = 0; schedule < 2; schedule++) {
        assert_ok(with_program("mesh:8x8", schedule, schedule ? by_links : by_ends, 3, &r));
        assert_true(r->program);
        assert_int_equal(r->guest_steps, 4);
        assert_int_equal(r->rows, 12);
        assert_int_equal(r->packets, 224 + 2);
        assert_int_equal(r->local, whole->local + 2);
        assert_int_equal(r->slowest % 4, 1);
        for (size_t i = 0; i < 12; i++) {
            const np_universal_step *step = &r->step[i];
            assert_int_equal(step->run, i / 4);
            assert_int_equal(step->step, i % 4 + 1);
            assert_int_equal(step->slowdown, step->gather + step->route + step->scatter);
            assert_int_equal(step->packets, i % 4 == 1 ? 224 : i % 4 == 3 ? 2 : 0);
            assert_true(step->load.factor == (i % 4 == 1 ? whole->load.factor : 0));
            if (i % 4 == 1) {
                assert_true(step->gather == whole->gather.mean && step->scatter == whole->scatter.mean);
            }
            assert_int_equal(step->slowdown == 0, i % 4 == 0 || i % 4 == 2);
        }
        assert_true(fabs(r->total - 4 * r->slowdown.mean) < 1e-9);
        np_universal_result_free(r);
    }
    np_universal_result_free(whole);
    np_network_free(mesh);
}

/* A routing on the guest: its hops are the packets, its steps those of netpram route. */
static void routings(void **state)
{
    static const char *const specs[] = {"mesh:8x8", "torus:5x6", "ring:20", "array:30"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            np_universal_options options = defaults();
            np_route_options route;
            np_route_result *routed;
            np_network *network = support_network(specs[i]);
            options.traffic = "random";
            options.seed = seed;
            np_universal_result *r = simulated(specs[i], &options);
            np_route_options_init(&route);
            route.scheme = "greedy";
            route.seed = seed;
            assert_ok(np_route(network, "random", &route, &routed));
            assert_int_equal(r->guest_steps, routed->total_steps.max);
            assert_int_equal(r->packets, routed->phase[0].hops.max);
            for (size_t t = 0; t < r->rows; t++)
                assert_true(r->step[t].packets > 0);
            np_route_result_free(routed);
            np_universal_result_free(r);
            np_network_free(network);
        }
}

static void routings_are_refused(void **state)
{
    np_universal_options options = defaults();
    np_network *guest = support_network("mesh:4x4");
    np_universal_result *r;
    (void)state;
    options.traffic = "randomm";
    assert_refused(np_universal_simulate(guest, &options, &r), NP_ERROR_INPUT, "did you mean 'random'");
    options.traffic = "random";
    options.paths = "e-cube";
    assert_refused(np_universal_simulate(guest, &options, &r), NP_ERROR_INPUT, "'e-cube'");
    options.paths = NULL;
    options.schedule = "hops.txt";
    assert_refused(np_universal_simulate(guest, &options, &r), NP_ERROR_INPUT,
                   "steps by hops.txt and by random: give one of them");
    np_network_free(guest);
}

/* Of parallel links each carries a packet; what is no step is refused with its line. */
static void programs_are_refused(void **state)
{
    static const struct {
        bool schedule;
        const char *text, *message;
    } bad[] = {
        {false, "", "no steps: write lines 'step from to'"},
        {true, "# none\n", "no steps: write lines 'step packet link'"},
        {false, "1 0 1\n1 0 3\n", ":2: the guest has no link from node 0 to 3: try 1"},
        {false, "1 0 1\n2 0 1\n1 0 1\n", ":3: the link from node 0 to 1 has a packet in step 1 already, of line 1"},
        {true, "1 0 1\n1 1 1\n", ":2: the link from node 0 to 1 has a packet in step 1 already"},
        {true, "1 0 9\n", ":1: link 9 joins no two nodes of the guest: its links are numbered 1..6"},
        {false, "0 0 1\n", ":1: the step 0 is out of range"},
        {false, "1 0\n", ":1: "},
        {false, "1 0 4\n", ":1: to 4 is out of range"},
    };
    np_universal_result *r;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_refused(with_program("array:4", bad[i].schedule, bad[i].text, 1, &r), NP_ERROR_INPUT, bad[i].message);
        assert_null(r);
    }
    if (!np_partition_available())
        return;
    char *path = support_file("0 1\n0 2\n0 1\n1 0\n2 0\n0 1\n"), spec[128];
    snprintf(spec, sizeof spec, "file:%s:directed", path);
    assert_ok(with_program(spec, false, "1 0 1\n1 0 1\n1 0 2\n1 0 1\n", 1, &r));
    assert_int_equal(r->packets, 4);
    assert_int_equal(r->load.load, 4);
    np_universal_result_free(r);
    assert_refused(with_program(spec, true, "1 0 0\n1 1 0\n", 1, &r), NP_ERROR_INPUT, ":2: the link from node 0 to 1");
    assert_refused(with_program(spec, false, "1 0 1\n1 0 1\n1 0 2\n1 0 1\n1 0 1\n", 1, &r), NP_ERROR_INPUT,
                   ":5: the link from node 0 to 1 has a packet in step 1 already, of line 4");
    remove(path);
    free(path);
}

/* Simulates the buses with those steps. */
static np_status with_bus_steps(const char *bus_file, np_universal_options *options, const char *steps,
                                np_universal_result **result)
{
    char *path = support_file(steps);
    options->steps = path;
    np_status st = np_universal_simulate_buses(bus_file, options, result);
    remove(path);
    free(path);
    return st;
}

/* All nodes writing to all buses is a step without a program. One node writing to one bus: a packet to the bus, and all
 * hear it. */
static void bus_programs(void **state)
{
    static char buses[4096], layout[4096], steps[8192];
    char *end = steps;
    np_universal_options options = defaults();
    np_universal_result *whole, *r;
    (void)state;
    write_square(8, buses, layout); /* bus 2i is column i, 2i + 1 row i */
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 8; j++)
            end += sprintf(end, "1 %u %u\n1 %u %u\n", 8 * j + i, 2 * i, 8 * i + j, 2 * i + 1);
    char *bus_file = support_file(buses), *layout_file = support_file(layout);
    options.layout = layout_file;
    for (int offline = 0; offline < 2; offline++) {
        options.offline = offline;
        options.steps = NULL;
        assert_ok(np_universal_simulate_buses(bus_file, &options, &whole));
        assert_ok(with_bus_steps(bus_file, &options, steps, &r));
        assert_int_equal(r->packets, 128);
        assert_true(r->gather.mean == whole->gather.mean && r->route.mean == whole->route.mean);
        assert_true(r->scatter.mean == whole->scatter.mean && r->load.factor == whole->load.factor);
        assert_true(r->congestion.mean == whole->congestion.mean && r->combined == whole->combined);
        np_universal_result_free(r);
        assert_ok(with_bus_steps(bus_file, &options, "2 63 15\n2 7 14\n1 0 1\n", &r));
        assert_int_equal(r->guest_steps, 2);
        assert_int_equal(r->step[0].packets, 1);
        assert_int_equal(r->step[1].packets, 2);
        assert_int_equal(r->step[0].congestion, 1);
        assert_int_equal(r->step[0].combined, 0);
        assert_true(r->step[0].load.factor == 0.5 && r->step[0].scatter >= 1);
        assert_true(r->step[0].slowdown < whole->slowdown.mean);
        np_universal_result_free(r);
        np_universal_result_free(whole);
    }
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"1 9 1\n", ":1: node 9 is not on bus 1: try 0"},
        {"1 0 16\n", ":1: the bus 16 is out of range 0..15"},
        {"1 0 0\n2 0 0\n1 0 0\n", ":3: node 0 writes to the bus in step 1 already, by line 1"},
        {"1 0 0 0\n", "step node bus"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(with_bus_steps(bus_file, &options, bad[i].text, &r), NP_ERROR_INPUT, bad[i].message);
    options.steps = NULL;
    options.schedule = layout_file;
    assert_refused(np_universal_simulate_buses(bus_file, &options, &r), NP_ERROR_APPLY,
                   "give steps of lines 'step node bus'");
    remove(bus_file), remove(layout_file);
    free(bus_file), free(layout_file);
}

/* A bus within a 2 x 2 mesh, in the corner of an 8 x 8 square: whichever node writes, all hear it from the least
 * corner. */
static void bus_programs_within_a_leaf(void **state)
{
    static char unused[4096], layout[4096];
    char text[512], *end = text + sprintf(text, "a: 0 1 8 9\nrest:");
    np_universal_options options = defaults();
    np_universal_result *r;
    (void)state;
    write_square(8, unused, layout);
    for (unsigned u = 0; u < 64; u++)
        end += sprintf(end, " %u", u);
    char *bus_file = support_file(text), *layout_file = support_file(layout);
    options.layout = layout_file;
    options.height = 2;
    for (unsigned writer = 0; writer < 4; writer++) {
        char steps[16];
        snprintf(steps, sizeof steps, "1 %u 0\n", writer % 2 + writer / 2 * 8);
        assert_ok(with_bus_steps(bus_file, &options, steps, &r));
        assert_int_equal(r->packets, 1);
        assert_int_equal(r->local, 1);
        assert_true(r->route.mean == 0 && r->load.factor == 0);
        assert_true(r->gather.mean <= r->scatter.mean && r->scatter.mean >= 2);
        np_universal_result_free(r);
    }
    remove(bus_file), remove(layout_file);
    free(bus_file), free(layout_file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs),
        cmocka_unit_test(routings),
        cmocka_unit_test(routings_are_refused),
        cmocka_unit_test(programs_are_refused),
        cmocka_unit_test(bus_programs),
        cmocka_unit_test(bus_programs_within_a_leaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
