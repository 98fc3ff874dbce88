/* The area-universal network as a family, and its layout drawn on a grid: nothing overlaps, every wire joins its nodes. */
#include "support.h"

#include "network/universal.h"
#include "universal/area.h"

enum { DRAWN_MAX = 4 };

/* The grid: whose box a point is in, which wire uses the piece of line to the right of it, and below it. */
typedef struct drawing {
    const np_network *network;
    uint32_t m, width, height;
    np_node *box;               /* [points] */
    uint64_t *right, *down;     /* [points] wire + 1 */
    uint32_t *area;             /* [nodes] points of the box */
    uint8_t *seen;              /* [links] */
    uint64_t pieces;
} drawing;

static size_t point(const drawing *d, uint32_t x, uint32_t y)
{
    assert_true(x < d->width && y < d->height);
    return (size_t)y * d->width + x;
}

static void draw_node(void *context, np_node node, np_area_box box)
{
    drawing *d = context;
    assert_true(node < np_network_nodes(d->network) && !d->area[node]);
    for (uint32_t y = box.y0; y <= box.y1; y++)
        for (uint32_t x = box.x0; x <= box.x1; x++) {
            assert_int_equal(d->box[point(d, x, y)], NP_NONE);
            d->box[point(d, x, y)] = node;
            d->area[node]++;
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

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* A chain of one node has a link to its node and one back: two wires; a wire is named by the directed link. */
static void draw_wire(void *context, np_node from, np_node to, np_area_box piece)
{
    drawing *d = context;
    np_link link = link_between(d->network, from, to);
    assert_true(link != NP_NONE);
    assert_true(piece.x0 == piece.x1 || piece.y0 == piece.y1);
    d->seen[link] = 1;
    d->pieces++;
    for (uint32_t x = least(piece.x0, piece.x1); x < most(piece.x0, piece.x1); x++) {
        assert_int_equal(d->right[point(d, x, piece.y0)], 0);
        d->right[point(d, x, piece.y0)] = (uint64_t)link + 1;
    }
    for (uint32_t y = least(piece.y0, piece.y1); y < most(piece.y0, piece.y1); y++) {
        assert_int_equal(d->down[point(d, piece.x0, y)], 0);
        d->down[point(d, piece.x0, y)] = (uint64_t)link + 1;
    }
}

/* The pieces of line at a point, by direction: the wire there, 0 if none. */
static void around(const drawing *d, uint32_t x, uint32_t y, uint64_t wire[4])
{
    wire[0] = x ? d->right[point(d, x - 1, y)] : 0;
    wire[1] = d->right[point(d, x, y)];
    wire[2] = y ? d->down[point(d, x, y - 1)] : 0;
    wire[3] = d->down[point(d, x, y)];
}

/* Follows a wire from a box to the next: away from the point in the direction; returns the node where it ends. */
static np_node follow(const drawing *d, uint32_t x, uint32_t y, unsigned direction)
{
    static const int dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
    uint64_t wire[4], self;
    around(d, x, y, wire);
    self = wire[direction];
    for (;;) {
        x = (uint32_t)((int)x + dx[direction]);
        y = (uint32_t)((int)y + dy[direction]);
        if (d->box[point(d, x, y)] != NP_NONE)
            return d->box[point(d, x, y)];
        unsigned next = 4, count = 0;
        around(d, x, y, wire);
        for (unsigned i = 0; i < 4; i++)
            if (wire[i] == self && i != (direction ^ 1)) {
                next = i;
                count++;
            }
        assert_int_equal(count, 1);
        direction = next;
    }
}

/* Every wire that touches a box is that of a link of the node, and leads to the other end. */
static void check_ends(const drawing *d)
{
    uint64_t wire[4];
    for (uint32_t y = 0; y < d->height; y++)
        for (uint32_t x = 0; x < d->width; x++) {
            np_node u = d->box[point(d, x, y)];
            around(d, x, y, wire);
            for (unsigned i = 0; u != NP_NONE && i < 4; i++) {
                if (!wire[i])
                    continue;
                np_node from = np_network_link_tail(d->network, (np_link)(wire[i] - 1));
                np_node to = np_network_link_head(d->network, (np_link)(wire[i] - 1));
                assert_true(u == from || u == to);
                assert_int_equal(follow(d, x, y, i), u == from ? to : from);
            }
        }
}

static void nothing_overlaps(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= DRAWN_MAX; m++) {
        char spec[32];
        snprintf(spec, sizeof spec, "universal:%u", m);
        drawing d = {support_network(spec), m, (uint32_t)np_area_width(m), (uint32_t)np_area_height(m), NULL, NULL, NULL,
                     NULL, NULL, 0};
        size_t points = (size_t)d.width * d.height, links = np_network_links(d.network);
        d.box = malloc(points * sizeof *d.box);
        d.right = calloc(points, sizeof *d.right);
        d.down = calloc(points, sizeof *d.down);
        d.area = calloc(np_network_nodes(d.network), sizeof *d.area);
        d.seen = calloc(links, 1);
        memset(d.box, 0xff, points * sizeof *d.box);
        np_area_lay_out(m, &(np_area_sink){draw_node, draw_wire, &d});
        for (np_node u = 0; u < np_network_nodes(d.network); u++)
            assert_true(d.area[u] > 0);
        for (np_link link = 0; link < links; link++) { /* drawn, or its opposite is */
            np_node from = np_network_link_tail(d.network, link), to = np_network_link_head(d.network, link);
            np_link back = link_between(d.network, to, from);
            assert_true(d.seen[link] || (back != NP_NONE && d.seen[back]));
        }
        check_ends(&d);
        free(d.box), free(d.right), free(d.down), free(d.area), free(d.seen);
        np_network_free((np_network *)(uintptr_t)d.network);
    }
}

/* The least rectangle around all is that of the formula, and within 35 N. */
static void area_is_that_of_the_formula(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 7; m++) {
        np_area_count count = np_area_count_of(m);
        uint64_t root = UINT64_C(1) << m, processors = root * root * m * m;
        assert_int_equal(count.width, np_area_width(m));
        assert_int_equal(count.height, np_area_height(m));
        assert_int_equal(count.width, root * (5 * m - 2 + m % 2));
        assert_int_equal(count.height, root * 7 * m - 3);
        assert_int_equal(count.nodes, np_universal_nodes(m));
        assert_true(count.width * count.height <= 35 * processors);
    }
}

/* A mesh of one node at each of 4 leaves, two roots; and 64 processors, 8 + 4 nodes, 8 chains of one. */
static void counts_of_small_ones(void **state)
{
    static const struct {
        const char *spec;
        uint32_t processors, nodes, links;
    } small[] = {{"universal:1", 4, 6, 16}, {"universal:2", 64, 64 + 8 + 4 + 8, 16 * 8 + 16 * 4 + 8 * 4 + 8 * 2}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_small_ones),
        cmocka_unit_test(area_is_that_of_the_formula),
        cmocka_unit_test(nothing_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
