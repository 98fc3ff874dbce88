/*
 * The universal networks as families, and their layouts drawn on a grid: nothing overlaps, every wire joins its nodes.
 */
#include "support.h"

#include "model/network/network.h"
#include "model/network/search.h"
#include "papers/universal/layout.h"

enum { DIRECTIONS = 2 * NP_SHAPE_AXES };

/* The grid: whose box a point is in, and which wire uses the piece of line from it along each axis. */
typedef struct drawing {
    const np_network *network;
    uint64_t side[NP_SHAPE_AXES];
    np_node *box;                  /* [points] */
    uint32_t *wire[NP_SHAPE_AXES]; /* [points] wire + 1 */
    uint32_t *size;                /* [nodes] points of the box */
    uint8_t *seen;                 /* [links] */
    uint8_t *ends;                 /* [links] pieces of its wire that touch a box */
} drawing;

static size_t point(const drawing *d, const uint32_t *at)
{
    for (int k = 0; k < NP_SHAPE_AXES; k++)
        assert_true(at[k] < d->side[k]);
    return ((size_t)at[2] * d->side[1] + at[1]) * d->side[0] + at[0];
}

static void draw_node(void *context, np_node node, np_layout_box box)
{
    drawing *d = context;
    uint32_t at[NP_SHAPE_AXES];
    assert_true(node < np_network_nodes(d->network) && !d->size[node]);
    for (at[2] = box.low[2]; at[2] <= box.high[2]; at[2]++)
        for (at[1] = box.low[1]; at[1] <= box.high[1]; at[1]++)
            for (at[0] = box.low[0]; at[0] <= box.high[0]; at[0]++) {
                assert_int_equal(d->box[point(d, at)], NP_NONE);
                d->box[point(d, at)] = node;
                d->size[node]++;
            }
}

static np_link link_between(const np_network *network, np_node from, np_node to)
{
    for (np_port port = 0; port < np_network_ports(network); port++) {
        np_link link = np_network_link_at(network, from, port);
        if (link != NP_NONE && np_network_link_head(network, link) == to)
            return link;
    }
    return NP_NONE;
}

/* A chain of one node has a link to its node and one back: two wires; a wire is named by the directed link. */
static void draw_wire(void *context, np_node from, np_node to, const uint32_t *begin, const uint32_t *end)
{
    drawing *d = context;
    np_link link = link_between(d->network, from, to);
    int axis = begin[0] != end[0] ? 0 : begin[1] != end[1] ? 1 : 2;
    uint32_t at[NP_SHAPE_AXES], stop = begin[axis] > end[axis] ? begin[axis] : end[axis];
    assert_true(link != NP_NONE);
    for (int k = 0; k < NP_SHAPE_AXES; k++) {
        assert_true(k == axis ? begin[k] != end[k] : begin[k] == end[k]);
        at[k] = begin[k] < end[k] ? begin[k] : end[k];
    }
    d->seen[link] = 1;
    for (; at[axis] < stop; at[axis]++) {
        assert_int_equal(d->wire[axis][point(d, at)], 0);
        d->wire[axis][point(d, at)] = link + 1;
    }
}

/* The pieces of line at a point, by direction: the wire there, 0 if none. */
static void around(const drawing *d, const uint32_t *at, uint32_t *wire)
{
    uint32_t before[] = {at[0], at[1], at[2]};
    for (int k = 0; k < NP_SHAPE_AXES; k++) {
        before[k] -= at[k] > 0;
        wire[2 * k] = at[k] ? d->wire[k][point(d, before)] : 0;
        wire[2 * k + 1] = d->wire[k][point(d, at)];
        before[k] = at[k];
    }
}

/* Follows a wire from a box to the next: away from the point in the direction; returns the node where it ends. */
static np_node follow(const drawing *d, const uint32_t *from, unsigned direction)
{
    uint32_t at[] = {from[0], from[1], from[2]}, wire[DIRECTIONS];
    around(d, at, wire);
    uint32_t self = wire[direction];
    for (;;) {
        at[direction / 2] += direction % 2 ? 1 : UINT32_MAX;
        if (d->box[point(d, at)] != NP_NONE)
            return d->box[point(d, at)];
        unsigned next = DIRECTIONS, count = 0;
        around(d, at, wire);
        for (unsigned i = 0; i < DIRECTIONS; i++)
            if (wire[i] == self && i != (direction ^ 1)) {
                next = i;
                count++;
            }
        assert_int_equal(count, 1);
        direction = next;
    }
}

/* Every wire that touches a box is that of a link of the node, and leads to the other end. */
static void check_box(drawing *d, const uint32_t *at, np_node u, const uint32_t *wire)
{
    for (unsigned i = 0; i < DIRECTIONS; i++) {
        if (!wire[i])
            continue;
        np_node from = np_network_link_tail(d->network, (np_link)(wire[i] - 1));
        np_node to = np_network_link_head(d->network, (np_link)(wire[i] - 1));
        assert_true(u == from || u == to);
        assert_int_equal(follow(d, at, i), u == from ? to : from);
        d->ends[wire[i] - 1]++;
    }
}

/* Where wires cross each goes straight on: so none touches another one on a finer grid. */
static void check_crossing(const uint32_t *wire)
{
    bool straight = true;
    uint32_t first = 0;
    unsigned pieces = 0, own = 0;
    for (unsigned i = 0; i < DIRECTIONS; i++) {
        straight = straight && wire[i] == wire[i ^ 1];
        first = first ? first : wire[i];
        own += wire[i] && wire[i] == first;
        pieces += wire[i] > 0;
    }
    assert_true(straight || (pieces == 2 && own == 2));
}

static void check_points(drawing *d)
{
    uint32_t at[NP_SHAPE_AXES], wire[DIRECTIONS];
    for (at[2] = 0; at[2] < d->side[2]; at[2]++)
        for (at[1] = 0; at[1] < d->side[1]; at[1]++)
            for (at[0] = 0; at[0] < d->side[0]; at[0]++) {
                np_node u = d->box[point(d, at)];
                around(d, at, wire);
                if (u == NP_NONE)
                    check_crossing(wire);
                else
                    check_box(d, at, u, wire);
            }
}

static void draw(uint32_t m, bool volume)
{
    char spec[32];
    drawing d = {NULL};
    snprintf(spec, sizeof spec, "%s:%u", volume ? "universal-3d" : "universal", m);
    d.network = support_network(spec);
    np_layout_sides(m, volume, d.side);
    size_t points = d.side[0] * d.side[1] * d.side[2],
           numbers = (size_t)np_network_nodes(d.network) * np_network_ports(d.network);
    d.box = malloc(points * sizeof *d.box);
    for (int k = 0; k < NP_SHAPE_AXES; k++)
        d.wire[k] = calloc(points, sizeof *d.wire[k]);
    d.size = calloc(np_network_nodes(d.network), sizeof *d.size);
    d.seen = calloc(numbers, 1);
    d.ends = calloc(numbers, 1);
    memset(d.box, 0xff, points * sizeof *d.box);
    np_layout_sink sink = {draw_node, draw_wire, &d};
    if (volume)
        np_layout_volume(m, &sink);
    else
        np_layout_area(m, &sink);
    for (np_node u = 0; u < np_network_nodes(d.network); u++)
        assert_true(d.size[u] > 0);
    for (np_link link = 0; link < numbers; link++) { /* drawn, or its opposite is */
        np_node from = np_network_link_tail(d.network, link), to = np_network_link_head(d.network, link);
        np_link back = to == NP_NONE ? NP_NONE : link_between(d.network, to, from);
        assert_true(to == NP_NONE || d.seen[link] || (back != NP_NONE && d.seen[back]));
    }
    check_points(&d);
    for (np_link link = 0; link < numbers; link++)
        assert_int_equal(d.ends[link], 2 * d.seen[link]);
    free(d.ends);
    free(d.box), free(d.wire[0]), free(d.wire[1]), free(d.wire[2]), free(d.size), free(d.seen);
    np_network_free((np_network *)(uintptr_t)d.network);
}

static void nothing_overlaps_in_the_plane(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 4; m++)
        draw(m, false);
}

static void nothing_overlaps_in_space(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 3; m++)
        draw(m, true);
}

/* The least rectangle around all is that of the formula, and within 35 N. */
static void area_is_that_of_the_formula(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 7; m++) {
        np_shape shape = np_shape_of(m, false);
        np_layout_count count = np_layout_count_of(m, false);
        uint64_t root = UINT64_C(1) << m, side[NP_SHAPE_AXES];
        np_layout_sides(m, false, side);
        assert_memory_equal(count.side, side, sizeof side);
        assert_int_equal(side[0], root * (5 * m - 2 + m % 2));
        assert_int_equal(side[1], root * 7 * m - 3);
        assert_int_equal(side[2], 1);
        assert_int_equal(count.nodes, np_shape_nodes(&shape));
        assert_true(side[0] * side[1] <= 35 * (uint64_t)np_shape_processors(&shape));
    }
}

static uint64_t over(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/* The least box around all, and within 77 N. */
static void volume_is_that_of_the_formula(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= NP_SHAPE_VOLUME_HEIGHT_MAX; m++) {
        np_shape shape = np_shape_of(m, true);
        uint64_t side[NP_SHAPE_AXES], s = shape.side, p = (s + 1) / 2, x = (4 * p + 1) << m, z = s << m;
        np_layout_sides(m, true, side);
        for (uint32_t l = 1; l <= m; l++) { /* as docs/universal.md has it */
            uint64_t up = over(UINT64_C(2) << l, s);
            x += l < m ? up << (m - l) : 0;
            z += (4 * over(UINT64_C(1) << l, s) + 4 * over(UINT64_C(1) << l, p) + (l < m ? up + 2 : 1)) << (m - l);
        }
        assert_int_equal(side[0], x);
        assert_int_equal(side[1], (2 * s + 2) << m);
        assert_int_equal(side[2], z);
        double volume = (double)side[0] * (double)side[1] * (double)side[2] / np_shape_processors(&shape);
        assert_true(volume <= 77);
        if (m > 5)
            continue;
        np_layout_count count = np_layout_count_of(m, true);
        assert_memory_equal(count.side, side, sizeof side);
        assert_int_equal(count.nodes, np_shape_nodes(&shape));
    }
}

/* A mesh of one node at each of 4 leaves, two roots; and 64 processors, 8 + 4 nodes, 8 chains of one. In space 8 meshes
   of 8, 4 roots; and 512 processors, 8 x 4 + 16 nodes, 32 chains of one. */
static void counts_of_small_ones(void **state)
{
    static const struct {
        const char *spec;
        uint32_t processors, nodes, links;
    } small[] = {{"universal:1", 4, 6, 16},
                 {"universal:2", 64, 64 + 8 + 4 + 8, 16 * 8 + 16 * 4 + 8 * 4 + 8 * 2},
                 {"universal-3d:1", 64, 64 + 4, 8 * 24 + 8 * 8},
                 {"universal-3d:2", 512, 512 + 32 + 16 + 32, 64 * 24 + 64 * 8 + 32 * 8 + 32 * 2}};
    (void)state;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        np_network *network = support_network(small[i].spec);
        np_network_facts facts;
        assert_ok(np_network_audit(network));
        assert_ok(np_network_measure(network, 1000000, &facts));
        assert_int_equal(np_network_terminals(network), small[i].processors);
        assert_int_equal(np_network_nodes(network), small[i].nodes);
        assert_int_equal(np_network_links(network), small[i].links);
        assert_true(facts.strongly_connected);
        np_network_free(network);
    }
}

/* The largest ones take no memory for their links. */
static void large_ones_are_arithmetic(void **state)
{
    static const char *const specs[] = {"universal:10", "universal-3d:7"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        np_network *network = support_network(specs[i]);
        np_node last = np_network_nodes(network) - 1;
        assert_true(np_network_links(network) > 400000000);
        assert_int_equal(
            np_network_link_head(network, np_network_link_at(network, last, 0)) >= np_network_terminals(network), 1);
        np_network_free(network);
    }
}

/* From one chain to another it is 6m - 6: for m = 7 in space that is more than from mesh to mesh, and too much to
 * measure. */
static void chains_are_far_from_each_other(void **state)
{
    static const char *const specs[] = {"universal:2", "universal:4", "universal-3d:2", "universal-3d:3"};
    np_network_facts facts;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        np_network *network = support_network(specs[i]);
        np_node nodes = np_network_nodes(network);
        uint32_t m = network->dimensions, farthest = 0, *distance = malloc(nodes * sizeof *distance);
        np_shape shape = np_shape_of(m, i > 1);
        np_search search = {0};
        assert_ok(np_search_init(&search, network));
        np_search_distances(&search, np_shape_first_chain(&shape, 1), false, distance);
        for (np_node u = np_shape_first_chain(&shape, 1); u < nodes; u++)
            farthest = distance[u] > farthest ? distance[u] : farthest;
        assert_int_equal(farthest, 6 * m - 6);
        free(distance);
        np_search_clear(&search);
        np_network_free(network);
    }
    np_network *network = support_network("universal-3d:7");
    assert_ok(np_network_measure(network, 0, &facts));
    assert_int_equal(facts.diameter.formula, 36);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_small_ones),           cmocka_unit_test(large_ones_are_arithmetic),
        cmocka_unit_test(area_is_that_of_the_formula),    cmocka_unit_test(volume_is_that_of_the_formula),
        cmocka_unit_test(nothing_overlaps_in_the_plane),  cmocka_unit_test(nothing_overlaps_in_space),
        cmocka_unit_test(chains_are_far_from_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
