/*
 * Drawings: every node has a place of its own, in the quadrant that begins at (0, 0); grids, cubes, trees and columns
 * are where their definitions put them; distances are kept where the plane allows it; the bits are the same everywhere.
 */
#include "support.h"

#include <math.h>
#include <string.h>

#include "netpram/drawing.h"

static const struct {
    const char *spec, *drawing;
} cases[] = {
    {"mesh:4x5", "blocks"},
    {"mesh:3x4x2", "blocks"},
    {"torus:4x4", "blocks"},
    {"array:7", "blocks"},
    {"hypercube:6", "blocks"},
    {"product:complete:4,ring:6", "blocks"},
    {"product:ring:3,tree:2x2", "blocks"},
    {"hypercube:5", "levels"},
    {"butterfly:4", "levels"},
    {"butterfly-io:3", "levels"},
    {"ccc:3", "levels"},
    {"omega:4", "levels"},
    {"inverse-omega:3", "levels"},
    {"benes:3", "levels"},
    {"crossbar:5", "levels"},
    {"tree:3x3", "tree"},
    {"binomial-tree:5", "tree"},
    {"fat-tree:3", "tree"},
    {"fat-tree-8:2", "tree"},
    {"fat-tree-2:4", "tree"},
    {"mesh-of-trees:8", "tree"},
    {"shuffle:2x5", "necklaces"},
    {"shuffle:3x3", "necklaces"},
    {"shuffle-exchange:6", "necklaces"},
    {"ring:9", "circle"},
    {"complete:7", "circle"},
    {"star:4", "circle"},
    {"star:5", "distances"},
    {"pancake:4", "distances"},
    {"hypercube:4", "distances"},
    {"universal:2", "distances"},
    {"mesh:20x20", "distances"},
    {"hyperx:3x4", "blocks"},
    {"xgft:2:4,4:1,2", "tiers"},
    {"rail:servers=4,g=2,spines=2", "tiers"},
    {"dragonfly:a=4,p=2,h=2", "groups"},
    {"dragonfly:a=1,p=1,h=2", "groups"},
    {"dragonfly+:leaf=3,spine=2,p=2,h=2", "groups"},
    {"hypercube:4@3", "hosts"},
    {"ring:5@1", "hosts"},
};

static np_network *make(const char *spec)
{
    np_network *network;
    assert_ok(np_network_create(spec, &network));
    return network;
}

static uint64_t fold(uint64_t folded, double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return (folded << 1 | folded >> 63) ^ word;
}

static void every_node_has_a_place_of_its_own(void **state)
{
    (void)state;
    uint64_t folded = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        np_network *network = make(cases[c].spec);
        np_node nodes = np_network_nodes(network);
        np_point *place = test_calloc(nodes, sizeof *place), least = {1e9, 1e9};
        const char *used = NULL;
        assert_ok(np_drawing_place(network, cases[c].drawing, place, &used));
        assert_string_equal(used, cases[c].drawing);
        for (np_node u = 0; u < nodes; u++) {
            assert_true(isfinite(place[u].x) && isfinite(place[u].y));
            least.x = fmin(least.x, place[u].x);
            least.y = fmin(least.y, place[u].y);
            folded = fold(fold(folded, place[u].x), place[u].y);
            for (np_node v = 0; v < u; v++)
                if (hypot(place[u].x - place[v].x, place[u].y - place[v].y) < 0.05)
                    fail_msg("%s, %s: nodes %u and %u stand in one place", cases[c].spec, used, u, v);
        }
        assert_true(least.x == 0 && least.y == 0);
        test_free(place);
        np_network_free(network);
    }
    assert_int_equal(folded, UINT64_C(0x61b1acd255a31740)); /* computed once */
}

static void defaults_are_those_of_the_books(void **state)
{
    (void)state;
    static const char *const want[][2] = {{"mesh:4x4", "blocks"},
                                          {"hypercube:4", "blocks"},
                                          {"ring:5", "circle"},
                                          {"complete:5", "circle"},
                                          {"butterfly:3", "levels"},
                                          {"omega:3", "levels"},
                                          {"tree:2x3", "tree"},
                                          {"fat-tree:2", "tree"},
                                          {"shuffle:2x4", "necklaces"},
                                          {"star:4", "distances"},
                                          {"fat-tree:k=4", "tiers"},
                                          {"planes:2,torus:2x2@1", "tiers"},
                                          {"dragonfly:a=2,p=1,h=1", "groups"},
                                          {"hyperx:3x3", "blocks"},
                                          {"flattened-butterfly:3x2", "hosts"},
                                          {"jellyfish:8,3", "distances"}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        np_network *network = make(want[i][0]);
        np_point *place = test_calloc(np_network_nodes(network), sizeof *place);
        const char *used;
        assert_ok(np_drawing_place(network, NULL, place, &used));
        assert_string_equal(used, want[i][1]);
        test_free(place);
        np_network_free(network);
    }
}

static void assert_at(const np_point *place, np_node u, double x, double y)
{
    if (fabs(place[u].x - x) > 1e-9 || fabs(place[u].y - y) > 1e-9)
        fail_msg("node %u is at %g, %g, not at %g, %g", u, place[u].x, place[u].y, x, y);
}

static void places_are_those_of_the_definitions(void **state)
{
    (void)state;
    np_point place[64];
    np_network *network = make("mesh:3x4");
    assert_ok(np_drawing_place(network, NULL, place, NULL));
    for (np_node u = 0; u < 12; u++)
        assert_at(place, u, u % 4, u / 4);
    np_network_free(network);

    network = make("hypercube:4"); /* squares of 2 x 2, each pair of dimensions farther apart */
    assert_ok(np_drawing_place(network, NULL, place, NULL));
    for (np_node u = 0; u < 16; u++)
        assert_at(place, u, (u & 1) + 2.6 * (u >> 2 & 1), (u >> 1 & 1) + 2.6 * (u >> 3));
    np_network_free(network);

    network = make("butterfly:3"); /* node 3 w + l is row w of column l */
    assert_ok(np_drawing_place(network, NULL, place, NULL));
    for (np_node u = 0; u < 24; u++)
        assert_at(place, u, u % 3 * (0.8 * 8 / 3), u / 3);
    np_network_free(network);

    network = make("tree:2x2"); /* over the middle of the children */
    assert_ok(np_drawing_place(network, NULL, place, NULL));
    for (np_node u = 0; u < 3; u++)
        assert_at(place, u, (place[2 * u + 1].x + place[2 * u + 2].x) / 2, place[2 * u + 1].y - 0.8 * 4 / 3);
    np_network_free(network);

    network = make("fat-tree:k=4"); /* 16 hosts below 8 leaves, 8 switches of pods and 4 spines */
    assert_ok(np_drawing_place(network, NULL, place, NULL));
    for (np_node u = 0; u < 36; u++)
        assert_at(place, u, place[u].x, 0.8 * 4 * (u < 8 ? 2 : u < 16 ? 1 : u < 20 ? 0 : 3));
    np_network_free(network);

    network = make("ring:4"); /* from the top clockwise */
    assert_ok(np_drawing_place(network, NULL, place, NULL));
    double radius = 2 / 3.14159265358979323846;
    assert_at(place, 0, radius, 0);
    assert_at(place, 1, 2 * radius, radius);
    assert_at(place, 2, radius, 2 * radius);
    assert_at(place, 3, 0, radius);
    np_network_free(network);
}

/* A path becomes a line, and a grid a grid: hops and distances differ by little. */
static void distances_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        double off; /* the most that a mean of |distance - hops| / hops may be */
    } graphs[] = {{"array:40", 0.03}, {"ring:40", 0.45}, {"mesh:12x12", 0.25}};
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++) {
        np_network *network = make(graphs[g].spec);
        np_node nodes = np_network_nodes(network);
        np_point *place = test_calloc(nodes, sizeof *place);
        assert_ok(np_drawing_place(network, "distances", place, NULL));
        double sum = 0;
        for (np_link l = 0; l < np_network_link_numbers(network); l++) {
            np_node v = np_network_link_head(network, l), u = np_network_link_tail(network, l);
            if (v != NP_NONE)
                sum += fabs(hypot(place[u].x - place[v].x, place[u].y - place[v].y) - 1);
        }
        if (sum / np_network_links(network) > graphs[g].off)
            fail_msg("%s: links are off by %g", graphs[g].spec, sum / np_network_links(network));
        test_free(place);
        np_network_free(network);
    }
}

/* Two parts and a node alone are drawn beside each other. */
static void networks_in_parts_are_drawn(void **state)
{
    (void)state;
    const np_node from[] = {0, 1, 2, 3, 4, 5}, to[] = {1, 2, 0, 4, 5, 3};
    np_network *network;
    np_point place[7];
    assert_ok(np_network_from_links(7, 6, from, to, &network));
    assert_ok(np_drawing_place(network, NULL, place, NULL));
    for (np_node u = 0; u < 7; u++)
        for (np_node v = 0; v < u; v++)
            assert_true(hypot(place[u].x - place[v].x, place[u].y - place[v].y) > 0.3);
    np_network_free(network);
    assert_ok(np_network_from_links(1, 0, from, to, &network));
    assert_ok(np_drawing_place(network, NULL, place, NULL));
    assert_at(place, 0, 0, 0);
    np_network_free(network);
}

static void what_does_not_suit_is_refused(void **state)
{
    (void)state;
    np_network *network = make("mesh:2x2");
    np_point place[4];
    assert_int_equal(np_drawing_place(network, "tree", place, NULL), NP_ERROR_APPLY);
    assert_string_equal(np_last_error(), "drawing tree is not for mesh:2x2: it is no tree; take blocks");
    assert_int_equal(np_drawing_place(network, "bloks", place, NULL), NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), "blocks"));
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_has_a_place_of_its_own),   cmocka_unit_test(defaults_are_those_of_the_books),
        cmocka_unit_test(places_are_those_of_the_definitions), cmocka_unit_test(distances_are_kept),
        cmocka_unit_test(networks_in_parts_are_drawn),         cmocka_unit_test(what_does_not_suit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
