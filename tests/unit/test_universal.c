/* Guests on area-universal networks: the map, the load, the steps, and what is refused. */
#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "base/partition.h"
#include "model/family/universal.h"
#include "papers/universal/map.h"
#include "papers/universal/load.h"
#include "papers/universal/plan.h"

#include "unit/universal.h"

/* Simulates with a file of buses or a layout that the text is; removes it. */
static np_status with_buses(const char *text, np_universal_result **result)
{
    np_universal_options options = defaults();
    char *path = support_file(text);
    np_status st = np_universal_simulate_buses(path, &options, result);
    remove(path);
    free(path);
    return st;
}

static np_status with_layout(const char *spec, const char *text, np_universal_result **result)
{
    np_universal_options options = defaults();
    np_network *guest = support_network(spec);
    char *path = support_file(text);
    options.layout = path;
    np_status st = np_universal_simulate(guest, &options, result);
    np_network_free(guest);
    remove(path);
    free(path);
    return st;
}

static void check_injective(const np_universal_result *r)
{
    uint8_t *taken = calloc(r->processors, 1);
    for (uint64_t u = 0; u < r->guest_nodes; u++) {
        assert_true(r->place[u] < r->processors);
        assert_false(taken[r->place[u]]);
        taken[r->place[u]] = 1;
    }
    free(taken);
}

static const char *const with_coordinates[] = {"mesh:2x2",  "mesh:9x7",   "mesh:24x24", "mesh:3x100",
                                               "torus:5x8", "array:1000", "ring:63",    "mesh:31x33"};
static const char *const without[] = {"hypercube:6", "butterfly:4", "tree:3x4", "mesh:4x4x4",
                                      "star:5",      "complete:20", "ccc:4"};

static void check_result(const np_universal_result *r)
{
    check_injective(r);
    assert_true(r->guest_nodes <= r->processors && r->guest_area <= r->processors);
    assert_int_equal(r->area, r->area_formula);
    assert_int_equal(r->volume_counted, r->volume_formula);
    assert_true(r->volume ? r->volume_counted > r->processors && !r->area
                          : r->area > r->processors && !r->volume_counted);
    assert_int_equal(r->packets, r->guest_links);
    assert_true(r->route.min >= r->load.factor && r->route.min >= r->congestion.min);
    assert_true(r->congestion.min >= r->load.factor);
    assert_true(r->slowdown.mean == r->gather.mean + r->route.mean + r->scatter.mean);
    assert_true(fabs(r->slowdown_per_log_n - r->slowdown.mean / log2((double)r->processors)) < 1e-9);
}

static void maps_are_injective(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof with_coordinates / sizeof *with_coordinates; i++) {
        np_universal_options options = defaults();
        np_universal_result *r = simulated(with_coordinates[i], &options);
        assert_int_equal(r->map, NP_UNIVERSAL_COORDINATES);
        check_result(r);
        if (r->height > 1) { /* U is the smallest for the area */
            np_shape smaller = np_shape_of(r->height - 1, false);
            assert_true(np_shape_processors(&smaller) < r->guest_area);
        }
        np_universal_result_free(r);
    }
}

/* And the load factor is at most log2 N, as the proof of Theorem 7.3 asks. */
static void maps_by_metis_are_injective(void **state)
{
    (void)state;
    if (!np_partition_available())
        skip();
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        np_universal_options options = defaults();
        np_universal_result *r = simulated(without[i], &options);
        assert_int_equal(r->map, NP_UNIVERSAL_METIS);
        check_result(r);
        assert_true(r->load_per_log_n <= 1);
        np_universal_result_free(r);
    }
}

/* A full square mesh: 2^l m x 2^l m of it below a channel at level l, at most 4 2^l m links out, over 2^(l+1). */
static void load_of_a_full_mesh(void **state)
{
    static const char *const specs[] = {"mesh:2x2", "mesh:8x8", "mesh:24x24", "mesh:64x64"};
    (void)state;
    for (uint32_t m = 1; m <= 4; m++) {
        np_universal_options options = defaults();
        np_universal_result *r = simulated(specs[m - 1], &options);
        assert_int_equal(r->height, m);
        assert_int_equal(r->processors, r->guest_nodes);
        assert_int_equal(r->load_leaf, m * m);
        assert_true(r->load.factor == (m < 2 ? 1 : 2 * m)); /* of four leaves none has links on all sides */
        np_universal_result_free(r);
    }
}

/* The load factor by its definition: for each channel, each group. */
static double load_by_definition(const np_guest *guest, const np_spread *spread, const np_shape *s,
                                 const np_node *place)
{
    double most = 0;
    for (uint32_t level = 0; level < s->m; level++)
        for (uint32_t vertex = 0; vertex < UINT32_C(1) << s->fan * (s->m - level); vertex++) {
            uint32_t up = 0, down = 0;
            for (uint32_t g = 0; g < guest->groups; g++) {
                uint32_t home = guest->head ? place[guest->head[g]] / s->mesh : spread->home[g];
                bool ends = home >> s->fan * level == vertex, below = false, outside = false;
                for (uint32_t i = guest->row[g]; i < guest->row[g + 1]; i++) {
                    bool here = place[guest->member[i]] / s->mesh >> s->fan * level == vertex;
                    below |= here;
                    outside |= !here;
                }
                up += below && !ends;
                down += outside && ends;
            }
            double factor = (up > down ? up : down) / (double)(UINT32_C(1) << (s->grow * (level + 1)));
            most = factor > most ? factor : most;
        }
    return most;
}

static void check_load(const np_guest *guest, uint32_t m, bool volume)
{
    np_shape shape = np_shape_of(m, volume);
    np_map map = {0};
    np_spread spread = {0};
    np_universal_load load;
    np_node *place = malloc(guest->nodes * sizeof *place);
    assert_ok(np_map_begin(guest, &map));
    assert_ok(np_map_place(&map, &shape, place));
    assert_ok(np_spread_of(guest, &shape, place, &spread));
    assert_ok(np_spread_load(&spread, &shape, &load));
    assert_true(load.factor > 0);
    assert_true(load.factor == load_by_definition(guest, &spread, &shape, place));
    np_spread_clear(&spread);
    np_map_clear(&map);
    free(place);
}

static void loads_are_those_of_the_definition(void **state)
{
    static const char *const specs[] = {"mesh:8x8", "mesh:5x7", "torus:6x6", "hypercube:5", "butterfly:3", "tree:2x5"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_guest guest = {0};
        assert_ok(np_guest_of_network(network, false, &guest));
        if (guest.point || np_partition_available())
            for (uint32_t m = 2; m <= 4; m++)
                check_load(&guest, m, false);
        np_guest_clear(&guest);
        np_network_free(network);
    }
}

static void loads_of_buses(void **state)
{
    static char buses[4096], layout[4096];
    (void)state;
    np_guest guest = {0};
    write_square(8, buses, layout);
    assert_ok(np_guest_parse_buses("buses", buses, strlen(buses), &guest));
    assert_int_equal(guest.groups, 16);
    assert_int_equal(guest.nodes, 64);
    assert_ok(np_guest_parse_layout(&guest, false, "layout", layout, strlen(layout)));
    assert_int_equal(guest.extent[0], 8);
    assert_int_equal(guest.extent[1], 8);
    for (uint32_t m = 2; m <= 4; m++)
        check_load(&guest, m, false);
    np_guest_clear(&guest);
}

/* One bus of 128 nodes: without combining 127 packets would need 127 / 2 steps into a leaf. */
static void packets_to_a_bus_combine(void **state)
{
    char text[1024], *end = text + sprintf(text, "# all\nall:");
    np_universal_result *r;
    (void)state;
    if (!np_partition_available())
        skip();
    for (unsigned u = 0; u < 128; u++)
        end += sprintf(end, " %u", u);
    assert_ok(with_buses(text, &r));
    check_injective(r);
    assert_true(r->combining);
    assert_int_equal(r->guest_buses, 1);
    assert_int_equal(r->packets, 128);
    assert_int_equal(r->combined, 126); /* the last time at home, where one of the two has not travelled */
    assert_true(r->load.factor == 0.5);
    assert_int_equal(r->congestion.max, 1);
    assert_true(r->slowdown.mean < 60);
    np_universal_result_free(r);
}

/* Every three points of a corner of an 8 x 8 square share a bus; most stay in the mesh of a leaf. Each is heard of in
 * full. */
static void buses_within_leaves(void **state)
{
    static char layout[4096], buses[4096], *end;
    np_universal_options options = defaults();
    np_universal_result *r;
    (void)state;
    write_square(8, buses, layout);
    end = buses + sprintf(buses, "side: 8 9\n"); /* (0, 1) and (1, 1), collected at (0, 1) */
    for (unsigned y = 0; y < 7; y++)
        for (unsigned x = 0; x < 7; x++)
            end += sprintf(end, "b: %u %u %u\n", 8 * y + x + 1, 8 * y + x + 8, 8 * y + x + 9 - (x + y == 0) * 9);
    char *bus_file = support_file(buses), *layout_file = support_file(layout);
    options.layout = layout_file;
    options.height = 2;
    assert_ok(np_universal_simulate_buses(bus_file, &options, &r));
    check_injective(r);
    assert_int_equal(r->guest_buses, 50);
    assert_int_equal(r->packets, 149);
    assert_int_equal(r->local, 50); /* the side, and 16 corners within leaves of 2 x 2 */
    assert_true(r->gather.mean == r->scatter.mean);
    assert_true(r->slowdown.mean == 2 * r->gather.mean + r->route.mean);
    np_universal_result_free(r);
    remove(bus_file), remove(layout_file);
    free(bus_file), free(layout_file);
}

/* Each bus joins the same node of two meshes of 2 x 2: its packets go to the corners, and would stay in a step less. */
static void buses_of_two_meshes_collect_at_corners(void **state)
{
    static char layout[4096], buses[4096], *end = buses;
    np_universal_options options = defaults();
    np_universal_result *r;
    (void)state;
    write_square(8, buses, layout);
    for (unsigned u = 0; u < 64; u++)
        if (u % 4 < 2)
            end += sprintf(end, "b: %u %u\n", u, u + 2);
    char *bus_file = support_file(buses), *layout_file = support_file(layout);
    options.layout = layout_file;
    options.height = 2;
    assert_ok(np_universal_simulate_buses(bus_file, &options, &r));
    assert_int_equal(r->guest_buses, 32);
    assert_true(r->gather.mean == 6);
    np_universal_result_free(r);
    remove(bus_file), remove(layout_file);
    free(bus_file), free(layout_file);
}

/* Lines along all axes of an 8 x 8 x 8 cube: a leaf's mesh of 2 x 2 x 2 has packets of each axis. */
static void buses_in_space(void **state)
{
    static char layout[16384], buses[16384];
    char *end = buses, *point = layout;
    np_universal_options options = defaults();
    np_universal_result *r;
    np_guest guest = {0};
    (void)state;
    for (unsigned i = 0; i < 64; i++)
        for (unsigned axis = 0, low = 1; axis < 3; axis++, low *= 8) { /* lines begin where their own coordinate is 0 */
            unsigned first = i % low + i / low * low * 8;
            end += sprintf(end, "b:");
            for (unsigned j = 0; j < 8; j++)
                end += sprintf(end, " %u", first + j * low);
            end += sprintf(end, "\n");
        }
    for (unsigned i = 0; i < 512; i++)
        point += sprintf(point, "%u %u %u %u\n", i, i % 8, i / 8 % 8, i / 64);
    char *bus_file = support_file(buses), *layout_file = support_file(layout);
    options.volume = true;
    options.layout = layout_file;
    options.height = 2;
    assert_ok(np_universal_simulate_buses(bus_file, &options, &r));
    check_injective(r);
    assert_int_equal(r->packets, 192 * 8);
    assert_int_equal(r->load_leaf, 8);
    assert_true(r->gather.mean == r->scatter.mean);
    assert_true(r->gather.min >= 5);  /* 12 buses at each corner, by 3 links */
    assert_true(r->load.factor == 3); /* each of the 12 goes on, over 4 links */
    assert_true(r->slowdown.mean == 2 * r->gather.mean + r->route.mean);
    np_universal_result_free(r);
    assert_ok(np_guest_parse_buses("buses", buses, strlen(buses), &guest));
    assert_ok(np_guest_parse_layout(&guest, true, "layout", layout, strlen(layout)));
    check_load(&guest, 2, true);
    np_guest_clear(&guest);
    remove(bus_file), remove(layout_file);
    free(bus_file), free(layout_file);
}

static void buses_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "no buses"},
        {"a: 0 1\nb 2 3\n", ":2: 'b' is not the name of a bus"},
        {"a: 0 1\nb: 2\n", ":2: 'b' is a bus of fewer than 2 nodes"},
        {"a: 0 x\n", ":1: 'x' is no node"},
        {"a: 0 1 0\n", ":1: node 0 is twice on the bus"},
        {"a: 0 3\n", "node 1 is on no bus"},
        {"a: 1 0 2 5 3\n", "node 4 is on no bus"},
        {"a: 0 1 268435455\n", "node 2 is on no bus, though there is node 268435455"},
        {"\033[2J 1\n", ":1: '?[2J' is not the name of a bus"},
        {"a: 0 999999999\n", ":1: '999999999' is no node"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        np_universal_result *r;
        assert_refused(with_buses(bad[i].text, &r), NP_ERROR_INPUT, bad[i].message);
        assert_null(r);
    }
}

static void layouts_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"0 0 0\n1 1 0\n2 0 1\n3 1 0\n", ":4: node 3 is at 1 0, where node 1 of line 2 is: nodes overlap"},
        {"0 0 0\n1 1 0\n2 0 1\n", "node 3 of 4 nodes has no place"},
        {"0 0 0\n1 1 0\n2 0 1\n4 1 1\n", ":4: the node"},
        {"0 0 0\n0 1 0\n", ":2: node 0 has a place already"},
        {"0 0\n", ":1: "},
        {"0 0 -1\n", ":1: "},
    };
    np_universal_result *r;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(with_layout("hypercube:2", bad[i].text, &r), NP_ERROR_INPUT, bad[i].message);
    assert_ok(with_layout("hypercube:2", "0 0 0\n1 1 0\n2 0 1\n3 9 9\n", &r));
    assert_int_equal(r->guest_area, 100);
    assert_int_equal(r->map, NP_UNIVERSAL_LAYOUT);
    check_result(r);
    np_universal_result_free(r);
}

/* Random points, crowded and sparse: regions that hold more than a leaf takes are relieved. */
static void odd_layouts_fit(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < 20; trial++) {
        char text[4096], *end = text;
        uint32_t width = 1 + trial % 9, seed = trial, count = 0;
        np_universal_result *r;
        for (uint32_t at = 0; count < 32; at++) { /* some columns of a strip, in clumps */
            seed = seed * 1103515245 + 12345;
            if ((seed >> 16) % 4 && at > 5)
                continue;
            end += sprintf(end, "%u %u %u\n", count++, at % width, at / width);
        }
        assert_ok(with_layout("hypercube:5", text, &r));
        check_result(r);
        np_universal_result_free(r);
    }
}

/* 8^m leaves with s^3 processors each; a full 3-D mesh has 6 s^2 links out of an inner leaf, over 4. */
static void in_space(void **state)
{
    static const char *const specs[] = {"mesh:4x4x4", "mesh:5x7x6", "torus:8x8x8",
                                        "mesh:8x8",   "array:100",  "mesh:24x24x24"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_universal_options options = defaults();
        options.volume = true;
        np_universal_result *r = simulated(specs[i], &options);
        assert_int_equal(r->map, NP_UNIVERSAL_COORDINATES);
        check_result(r);
        if (i == 5) {
            assert_int_equal(r->height, 3);
            assert_int_equal(r->processors, r->guest_nodes);
            assert_true(r->load.factor == 6 * 9 / 4.0);
        }
        np_universal_result_free(r);
    }
    np_network *network = support_network("mesh:6x6x6");
    np_guest guest = {0};
    assert_ok(np_guest_of_network(network, true, &guest));
    for (uint32_t m = 2; m <= 3; m++)
        check_load(&guest, m, true);
    np_guest_clear(&guest);
    np_network_free(network);
}

static void heights(void **state)
{
    np_universal_options options = defaults();
    np_network *guest = support_network("mesh:10x10");
    np_universal_result *r;
    (void)state;
    options.height = 2;
    assert_refused(np_universal_simulate(guest, &options, &r), NP_ERROR_INPUT, "try 3 or more");
    options.height = 5;
    assert_ok(np_universal_simulate(guest, &options, &r));
    assert_int_equal(r->processors, 25600);
    check_result(r);
    np_universal_result_free(r);
    options.runs = 0;
    assert_refused(np_universal_simulate(guest, &options, &r), NP_ERROR_INPUT, "runs 0: must be");
    options.runs = 1;
    np_network_free(guest);
    guest = support_network("fat-tree:2");
    assert_refused(np_universal_simulate(guest, &options, &r), NP_ERROR_APPLY, "neither send nor receive");
    np_network_free(guest);
}

/* 59 links leave each node, by 2 of the leaf: no U has a load factor of log2 N. */
static void loads_that_are_too_large(void **state)
{
    np_universal_options options = defaults();
    np_universal_result *r;
    (void)state;
    if (!np_partition_available())
        return;
    np_network *guest = support_network("complete:60");
    assert_refused(np_universal_simulate(guest, &options, &r), NP_ERROR_LIMIT,
                   "29.5 on U of height 10, the largest: more than log2 N: give a layout, or a height, 2 or more");
    np_network_free(guest);
    options.height = 2;
    r = simulated("complete:60", &options);
    assert_true(r->load.factor > 6);
    check_result(r);
    np_universal_result_free(r);
}

/* Refused with the figure, and with what was to be taken. */
static void memory_is_limited(void **state)
{
    np_universal_options options = defaults();
    np_network *guest = support_network("mesh:8x8");
    np_universal_result *r;
    (void)state;
    options.memory_limit = 1000000;
    assert_ok(np_universal_simulate(guest, &options, &r));
    np_universal_result_free(r);
    options.height = 10;
    assert_refused(np_universal_simulate(guest, &options, &r), NP_ERROR_LIMIT,
                   "no memory for the channels of a fat-tree");
    options.height = 7;
    options.memory_limit = 10000000;
    assert_refused(np_universal_simulate(guest, &options, &r), NP_ERROR_LIMIT, "take a smaller guest or height");
    options.memory_limit = 1000000;
    options.height = 0;
    options.runs = 100000;
    assert_refused(np_universal_simulate(guest, &options, &r), NP_ERROR_LIMIT, "of 1.00 MB are taken");
    np_network_free(guest);
}

/* Labels for a guest: no link of a channel carries more groups than said, by count; and the promise is O(lambda + log
 * M). */
static void check_plan(const char *spec, bool volume, uint32_t m)
{
    np_network *network = support_network(spec);
    np_guest guest = {0};
    np_map map = {0};
    np_spread spread = {0};
    np_universal_load load;
    np_shape s = np_shape_of(m, volume);
    uint32_t promised, congestion, most = 0;
    assert_ok(np_guest_of_network(network, volume, &guest));
    np_node *place = malloc(guest.nodes * sizeof *place);
    uint32_t *label = malloc(guest.groups * sizeof *label);
    assert_ok(np_map_begin(&guest, &map));
    assert_ok(np_map_place(&map, &s, place));
    assert_ok(np_spread_of(&guest, &s, place, &spread));
    assert_ok(np_spread_load(&spread, &s, &load));
    assert_ok(np_plan_paths(&spread, &s, label, &promised, &congestion));
    for (uint32_t l = 0; l < m; l++) { /* 0: up, 1: down, 2: the chain of the vertex above */
        uint32_t vertices = UINT32_C(1) << s.fan * (m - l), cap = UINT32_C(1) << s.grow * (l + 1);
        uint32_t *count = calloc((size_t)3 * vertices * cap, sizeof *count);
        for (uint32_t g = 0; g < guest.groups; g++) {
            uint32_t a = place[guest.member[g]] / s.mesh >> s.fan * l, b = place[guest.head[g]] / s.mesh >> s.fan * l;
            uint32_t link = label[g] % cap;
            if (a == b)
                continue;
            count[(size_t)a * cap + link]++;
            count[((size_t)vertices + b) * cap + link]++;
            if (a >> s.fan == b >> s.fan && l + 1 < m)
                count[((size_t)2 * vertices + (a >> s.fan)) * cap + link]++;
        }
        for (size_t i = 0; i < (size_t)3 * vertices * cap; i++)
            most = count[i] > most ? count[i] : most;
        free(count);
    }
    assert_int_equal(most, congestion);
    assert_true(congestion >= load.factor && congestion <= promised);
    assert_true(promised <= (load.factor * (1 << s.fan) + log(3.0 * np_shape_level(&s, 0) * 8)) / log(2));
    free(place), free(label);
    np_spread_clear(&spread);
    np_map_clear(&map);
    np_guest_clear(&guest);
    np_network_free(network);
}

static void paths_off_line(void **state)
{
    static const char *const specs[] = {"mesh:2x2", "mesh:8x8", "mesh:5x7", "torus:12x6", "array:64", "ring:50"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint32_t m = 2; m <= 4; m++)
            for (int volume = 0; volume < 2; volume++)
                check_plan(specs[i], volume, m);
    if (np_partition_available())
        check_plan("hypercube:6", false, 3);
}

/* No more steps than most random choices take; the engine's congestion is that of the plan. */
static void off_line_steps(void **state)
{
    static const char *const specs[] = {"mesh:2x2", "mesh:3x3", "mesh:24x24"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_universal_options options = defaults();
        options.offline = true;
        np_universal_result *r = simulated(specs[i], &options);
        assert_true(r->offline && r->found.tries > 0);
        assert_true(r->route.min == r->route.max && r->route.min == r->found.steps);
        assert_true(r->congestion.max == r->found.congestion);
        assert_true(r->found.congestion <= r->found.congestion_promised);
        assert_true(i > 1 || r->found.steps_promised > 0);
        assert_true(r->found.steps_expectations <= r->found.steps_promised);
        assert_true(r->found.steps <= r->found.steps_promised || !r->found.steps_promised);
        options.offline = false;
        options.runs = 20;
        np_universal_result *random = simulated(specs[i], &options);
        assert_true(r->route.mean <= random->route.mean && r->congestion.max <= random->congestion.mean);
        np_universal_result_free(random);
        np_universal_result_free(r);
    }
}

static void off_line_buses(void **state)
{
    static char buses[4096], layout[4096];
    np_universal_options options = defaults();
    np_universal_result *r;
    (void)state;
    write_square(8, buses, layout);
    char *bus_file = support_file(buses), *layout_file = support_file(layout);
    options.layout = layout_file;
    options.offline = true;
    options.runs = 2;
    assert_refused(np_universal_simulate_buses(bus_file, &options, &r), NP_ERROR_INPUT, "2 runs would be the same");
    options.runs = 1;
    assert_ok(np_universal_simulate_buses(bus_file, &options, &r));
    assert_true(r->congestion.max == r->found.congestion && r->congestion.min == r->congestion.max);
    assert_true(r->route.max == 2 * r->found.steps && r->route.min == r->route.max);
    np_universal_result_free(r);
    remove(bus_file), remove(layout_file);
    free(bus_file), free(layout_file);
}

/* Runs differ in their paths; the same seed gives the same. */
static void results_repeat(void **state)
{
    np_universal_options options = defaults();
    (void)state;
    options.runs = 5;
    np_universal_result *a = simulated("mesh:16x16", &options), *b = simulated("mesh:16x16", &options);
    assert_true(a->route.mean == b->route.mean && a->congestion.mean == b->congestion.mean);
    assert_true(a->congestion.max > a->congestion.min || a->route.max > a->route.min);
    options.seed = 2;
    np_universal_result *c = simulated("mesh:16x16", &options);
    assert_true(a->route.mean != c->route.mean || a->congestion.mean != c->congestion.mean);
    np_universal_result_free(a);
    np_universal_result_free(b);
    np_universal_result_free(c);
}

static void every_allocation_may_fail(void **state)
{
    static const char *const specs[] = {"mesh:2x2", "mesh:5x5", "hypercube:4"};
    np_universal_options options = defaults();
    np_universal_result *r;
    char *path = support_file("1 0 1\n1 1 0\n2 0 1\n3 0 2\n");
    (void)state;
    for (size_t i = 0; i < (np_partition_available() ? 3 : 2); i++) {
        options.offline = !i; /* and a program */
        options.steps = i ? NULL : path;
        options.traffic = i == 1 ? "random" : NULL;
        np_network *guest = support_network(specs[i]);
        np_status st = NP_ERROR_MEMORY;
        long n = 0;
        while (st) {
            np_memory_fail_after(++n);
            st = np_universal_simulate(guest, &options, &r);
            np_memory_fail_after(0);
            assert_true(st == NP_OK || (st == NP_ERROR_MEMORY && !r));
        }
        assert_true(n > 20);
        np_universal_result_free(r);
        np_network_free(guest);
    }
    remove(path);
    free(path);
}

static void every_allocation_for_buses_may_fail(void **state)
{
    np_universal_options options = defaults();
    char *path = support_file("a: 0 1 2 3 4 5 6 7 8 9\nb: 1 2\nc: 3 0\n");
    char *layout = support_file("0 0 0\n1 1 0\n2 2 0\n3 3 0\n4 4 0\n"
                                "5 5 0\n6 6 0\n7 7 0\n8 8 0\n9 9 0\n");
    np_universal_result *r;
    np_status st = NP_ERROR_MEMORY;
    long n = 0;
    (void)state;
    options.layout = layout;
    while (st) {
        np_memory_fail_after(++n);
        st = np_universal_simulate_buses(path, &options, &r);
        np_memory_fail_after(0);
        assert_true(st == NP_OK || (st == NP_ERROR_MEMORY && !r));
    }
    assert_true(n > 20);
    np_universal_result_free(r);
    remove(path), remove(layout);
    free(path), free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_injective),
        cmocka_unit_test(maps_by_metis_are_injective),
        cmocka_unit_test(load_of_a_full_mesh),
        cmocka_unit_test(loads_are_those_of_the_definition),
        cmocka_unit_test(loads_of_buses),
        cmocka_unit_test(packets_to_a_bus_combine),
        cmocka_unit_test(buses_within_leaves),
        cmocka_unit_test(buses_of_two_meshes_collect_at_corners),
        cmocka_unit_test(buses_in_space),
        cmocka_unit_test(buses_are_refused),
        cmocka_unit_test(layouts_are_refused),
        cmocka_unit_test(odd_layouts_fit),
        cmocka_unit_test(in_space),
        cmocka_unit_test(heights),
        cmocka_unit_test(loads_that_are_too_large),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(paths_off_line),
        cmocka_unit_test(off_line_steps),
        cmocka_unit_test(off_line_buses),
        cmocka_unit_test(results_repeat),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_allocation_for_buses_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
