/*
 * Collective operations on many sizes: every algorithm with a formula takes what the formula says, and no fewer rounds
 * and steps than the bound; and the closed forms of the notes come out, worked out here from sides alone.
 */
#include "../support.h"
#include "work/collective/collective.h"

/* Even and odd, square and not, thin, and of one to four dimensions. */
static bool in_flits(const np_entry *info) { return ((const np_collective_ops *)info)->flits; }

static const char *const sides[] = {
    "2",     "3",     "4",     "5",     "6",     "7",     "9",     "12",      "2x2",     "3x3",     "4x4",
    "5x5",   "6x6",   "2x3",   "2x7",   "7x2",   "3x4",   "4x3",   "5x2",     "6x4",     "8x8",     "9x3",
    "2x2x2", "3x3x3", "4x4x4", "2x3x4", "4x3x2", "3x2x5", "6x6x2", "2x2x2x2", "3x2x3x2", "3x3x3x3", "2x2x2x2x2",
};

enum { SIDES = sizeof sides / sizeof *sides };

typedef struct grid {
    uint32_t dimensions, side[8], nodes, n; /* n: the side if all are alike, else 0 */
} grid;

static grid grid_of(const char *text)
{
    grid g = {.nodes = 1};
    for (char *end; *text; text = *end ? end + 1 : end) {
        g.side[g.dimensions] = (uint32_t)strtoul(text, &end, 10);
        g.nodes *= g.side[g.dimensions++];
    }
    g.n = g.side[0];
    for (uint32_t i = 0; i < g.dimensions; i++)
        g.n = g.side[i] == g.n ? g.n : 0;
    return g;
}

static np_network *network_of(const char *family, const char *text)
{
    char spec[64];
    snprintf(spec, sizeof spec, "%s:%s", family, text);
    return support_network(spec);
}

/* NULL if the algorithm is not for the network and root. */
static np_collective_result *collective(const np_network *network, const char *operation, const char *algorithm,
                                        np_node root, uint64_t flits)
{
    np_collective_options options;
    np_collective_result *r;
    np_collective_options_init(&options);
    options.algorithm = algorithm;
    options.root = root;
    options.flits = flits;
    np_status st = np_collective(network, operation, &options, &r);
    if (st == NP_ERROR_APPLY)
        return NULL;
    assert_ok(st);
    assert_true(r->rounds >= r->bound.rounds && r->steps >= r->bound.steps && r->rounds <= r->steps);
    if (r->has_formula) {
        assert_int_equal(r->rounds, r->formula.rounds);
        assert_int_equal(r->steps, r->formula.steps);
    }
    return r;
}

static void try_network(const np_network *network)
{
    const np_entry *info;
    np_node nodes = np_network_nodes(network);
    for (size_t i = 0; (info = np_list_get(NP_LIST_COLLECTIVES, i)); i++)
        for (np_node root = 0; strcmp(info->name, "search") && root < nodes; root += 1 + nodes / 3)
            for (uint64_t flits = 1; flits <= (in_flits(info) ? 5 : 1); flits += 2)
                np_collective_result_free(collective(network, info->operation, info->name, root, flits));
}

static void test_formulas(void **state)
{
    (void)state;
    char text[16];
    for (size_t i = 0; i < SIDES; i++) {
        bool line = !strchr(sides[i], 'x');
        np_network *open = network_of(line ? "array" : "mesh", sides[i]);
        np_network *closed = network_of(line ? "ring" : "torus", sides[i]);
        try_network(open);
        try_network(closed);
        np_network_free(open);
        np_network_free(closed);
    }
    for (unsigned n = 2; n <= 33; n++) {
        snprintf(text, sizeof text, "%u", n);
        np_network *complete = network_of("complete", text), *cube = n < 7 ? network_of("hypercube", text) : NULL;
        try_network(complete);
        if (cube)
            try_network(cube);
        np_network_free(complete);
        np_network_free(cube);
    }
}

static void expect(const np_network *network, const char *operation, const char *algorithm, np_node root,
                   uint64_t rounds, uint64_t steps)
{
    np_collective_result *r = collective(network, operation, algorithm, root, 0);
    assert_non_null(r);
    if (rounds)
        assert_int_equal(r->rounds, rounds);
    if (steps)
        assert_int_equal(r->steps, steps);
    np_collective_result_free(r);
}

static uint64_t power(uint64_t base, uint32_t exponent) { return exponent ? base * power(base, exponent - 1) : 1; }

/* A mesh has the closed form if its sides are equal, and even; else only the sum over its phases. */
static void test_equal_sides(void **state)
{
    static const char *const meshes[][2] = {
        {"mesh:4x4", "d n^3/4"}, {"mesh:4x6", "sum over"}, {"mesh:5x5", "sum over"}};
    (void)state;
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        np_network *mesh = support_network(meshes[i][0]);
        np_collective_result *r = collective(mesh, "all-to-all", "dimension-order", 0, 0);
        assert_true(r->has_formula);
        if (strncmp(r->formula.text, meshes[i][1], strlen(meshes[i][1])) != 0)
            fail_msg("%s: %s", meshes[i][0], r->formula.text);
        np_collective_result_free(r);
        np_network_free(mesh);
    }
}

/* Meshes: n even: d n^(d+1)/4 uni-axial, a d-th of it overlaid if d divides n, and 2 d n^(d+1)/4 in sweeps. */
static void expect_mesh(const np_network *mesh, const grid *g)
{
    uint64_t all = power(g->n, g->dimensions + 1) / 4, rounds = 0, steps = 0, done = 1, least = 0;
    if (g->n && g->n % 2 == 0) {
        expect(mesh, "all-to-all", "dimension-order", 0, 0, g->dimensions * all);
        expect(mesh, "all-to-all", "sweeps", 0, 0, 2 * g->dimensions * all);
        if (g->n > 2) /* the middle link of a line and the one beside it are used in turn */
            expect(mesh, "all-to-all", "calls", 0, 0, g->dimensions * (2 * all - g->nodes / g->n));
        if (g->n % g->dimensions == 0)
            expect(mesh, "all-to-all", "overlay", 0, 0, all);
    }
    if (g->n) { /* a step is lost in a phase at most */
        np_collective_result *r = collective(mesh, "all-to-all", "overlay", 0, 0);
        assert_true(r->steps <= r->bound.steps + g->dimensions);
        np_collective_result_free(r);
    }
    for (uint32_t i = g->dimensions; i--; done *= g->side[i]) { /* gossip: n - 1 or n rounds a side */
        rounds += g->side[i] - 1 + (g->side[i] % 2 && g->side[i] > 1);
        steps += done * (2 * (uint64_t)g->side[i] - 3 + g->side[i] % 2);
        least += g->side[i] - 1;
    }
    expect(mesh, "gossip", "dimension-order", 0, rounds, steps);
    expect(mesh, "broadcast", "dimension-order", 0, least, least);
    expect(mesh, "reduce", "dimension-order", 0, least, least);
    expect(mesh, "gather", "dimension-order", 0, g->nodes - 1, g->nodes - 1);
    for (np_node root = 0; root < g->nodes; root++) { /* from anywhere in no more than from a corner */
        np_collective_result *r = collective(mesh, "broadcast", "dimension-order", root, 0);
        assert_true(r->steps <= least);
        np_collective_result_free(r);
    }
}

/* Tori: n^(d+1)/8, n even; a node's hops along a ring are floor(n^2/4), half each way. */
static void expect_torus(const np_network *torus, const grid *g)
{
    uint32_t lines = g->n ? g->nodes / g->n : 0;
    if (g->dimensions > 1 && g->n && (g->n % 2 || lines % 2 == 0) && g->n > 2)
        expect(torus, "all-to-all", "overlay", 0, 0, (uint64_t)g->n * g->n / 4 * lines / 2);
    expect(torus, "broadcast", "tree", g->nodes / 2, 0, 0);
}

/* On an array `calls` is optimal: the nodes beside the middle never rest. */
static void test_array(void **state)
{
    (void)state;
    for (unsigned n = 4; n <= 20; n += 2) {
        char text[8];
        snprintf(text, sizeof text, "%u", n);
        np_network *array = network_of("array", text);
        np_collective_result *r = collective(array, "all-to-all", "calls", 0, 0);
        assert_int_equal(r->steps, n * n / 2 - 1);
        assert_int_equal(r->bound.steps, r->steps);
        np_collective_result_free(r);
        np_network_free(array);
    }
}

static void test_closed_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIDES; i++) {
        grid g = grid_of(sides[i]);
        np_network *mesh = network_of(g.dimensions > 1 ? "mesh" : "array", sides[i]);
        np_network *torus = network_of(g.dimensions > 1 ? "torus" : "ring", sides[i]);
        expect_mesh(mesh, &g);
        expect_torus(torus, &g);
        np_network_free(mesh);
        np_network_free(torus);
    }
    for (uint32_t k = 1; k <= 7; k++) {
        char text[8];
        snprintf(text, sizeof text, "%u", k);
        np_network *cube = network_of("hypercube", text);
        uint64_t nodes = UINT64_C(1) << k;
        expect(cube, "all-to-all", "overlay", 0, 0, nodes / 2);
        expect(cube, "all-to-all", "dimension-order", 0, 0, k * nodes / 2);
        expect(cube, "broadcast", "hypercube", 1, k, k);
        expect(cube, "reduce", "hypercube", 1, k, k);
        expect(cube, "gossip", "hypercube", 0, k, nodes - 1);
        np_network_free(cube);
    }
}

/* Gossip by telephone on complete networks: the lemma's ceil(log2 P) + odd(P) rounds, met by all P. */
static void test_knodel(void **state)
{
    (void)state;
    for (uint32_t nodes = 2; nodes <= 70; nodes++) {
        char text[8];
        uint32_t log = 0;
        snprintf(text, sizeof text, "%u", nodes);
        while (UINT32_C(1) << log < nodes)
            log++;
        np_network *complete = network_of("complete", text);
        expect(complete, "gossip", "knodel", 0, log + nodes % 2, nodes % 2 ? 0 : nodes - 1);
        expect(complete, "all-to-all", "tournament", 0, nodes - 1 + nodes % 2, nodes - 1 + nodes % 2);
        np_network_free(complete);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas), cmocka_unit_test(test_equal_sides), cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_array),    cmocka_unit_test(test_knodel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
