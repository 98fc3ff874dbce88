/*
 * Every embedding of the list, at many sizes, judged by tests/oracle/embedding.c: the map is injective, paths connect
 * the images, and load, dilation, congestion and expansion are what the test states here, which is what the library
 * states.
 */
#include "support.h"

#include "oracle/embedding.h"

typedef struct figures {
    uint32_t dilation, congestion;
    bool shortest; /* the schedule is to be as short as the larger of them */
} figures;

static np_embedding *embed(const char *name, const char *guest_spec, const char *host_spec, np_network **guest,
                           np_network **host)
{
    np_embedding *embedding;
    *guest = support_network(guest_spec);
    *host = support_network(host_spec);
    assert_ok(np_embedding_create(name, *guest, *host, 0, &embedding));
    return embedding;
}

static void release(np_embedding *embedding, np_network *guest, np_network *host)
{
    np_embedding_free(embedding);
    np_network_free(guest);
    np_network_free(host);
}

static void runs(const np_embedding *embedding, const figures *want, const char *what)
{
    np_embedding_run_options options;
    np_embedding_run_result *run;
    np_embedding_run_options_init(&options);
    options.steps = 2;
    assert_ok(np_embedding_run(embedding, &options, &run));
    assert_true(oracle_embedding_schedule(embedding, run->crossing, run->scheduled));
    assert_ok(np_embedding_schedule_audit(embedding, run->crossing, run->scheduled));
    assert_int_equal(run->least, want->dilation > want->congestion ? want->dilation : want->congestion);
    assert_true(run->scheduled >= run->least && run->queued.min >= run->least);
    assert_int_equal(run->scheduled_total, 2 * run->scheduled);
    if (want->shortest && run->scheduled != run->least)
        fail_msg("%s: a schedule of %u steps, not %u", what, run->scheduled, run->least);
    np_embedding_run_result_free(run);
}

static void check(const char *name, const char *guest_spec, const char *host_spec, figures want)
{
    np_network *guest, *host;
    np_embedding_facts facts;
    char what[256];
    np_embedding *embedding = embed(NULL, guest_spec, host_spec, &guest, &host);
    if (strcmp(np_embedding_entry(embedding)->name, name) != 0) { /* not the default */
        release(embedding, guest, host);
        embedding = embed(name, guest_spec, host_spec, &guest, &host);
    }
    oracle_embedding judged = oracle_embedding_judge(embedding);
    snprintf(what, sizeof what, "%s in %s by %s", guest_spec, host_spec, name);
    assert_ok(np_embedding_audit(embedding));
    assert_ok(np_embedding_measure(embedding, &facts));
    if (!judged.connects || judged.load != 1 || judged.dilation != want.dilation ||
        judged.congestion != want.congestion || !judged.reverses)
        fail_msg("%s: %s, load %u, dilation %u, congestion %u, %s", what, judged.connects ? "connects" : "BROKEN",
                 judged.load, judged.dilation, judged.congestion, judged.reverses ? "reverses" : "does not reverse");
    if (!facts.agrees)
        fail_msg("%s: states %u, %u, %u, %g", what, facts.stated.load, facts.stated.dilation, facts.stated.congestion,
                 facts.stated.expansion);
    assert_int_equal(facts.load, judged.load);
    assert_int_equal(facts.dilation, judged.dilation);
    assert_int_equal(facts.congestion, judged.congestion);
    assert_int_equal(facts.reverses, judged.reverses);
    assert_int_equal(facts.stated.load, 1);
    assert_int_equal(facts.stated.dilation, want.dilation);
    assert_int_equal(facts.stated.congestion, want.congestion);
    assert_true(facts.stated.expansion == (double)np_network_nodes(host) / np_network_nodes(guest));
    assert_true(facts.expansion == facts.stated.expansion);
    runs(embedding, &want, what);
    release(embedding, guest, host);
}

/* All lists of `dimensions` sides in low..high, by turns; begins with all low. False when they are through. */
static bool next_sides(uint32_t dimensions, uint32_t low, uint32_t high, uint32_t *side)
{
    for (uint32_t i = dimensions; i--;) {
        if (side[i]++ < high)
            return true;
        side[i] = low;
    }
    return false;
}

static const char *grid_spec(const char *family, uint32_t dimensions, const uint32_t *side, char text[64])
{
    int length = snprintf(text, 64, "%s:", family);
    for (uint32_t i = 0; i < dimensions; i++)
        length += snprintf(text + length, 64 - (size_t)length, "%s%u", i ? "x" : "", side[i]);
    return text;
}

static const char *spec_of(const char *family, uint32_t n, char text[64]) { return grid_spec(family, 1, &n, text); }

static uint32_t log2_up(uint32_t x) { return x <= 1 ? 0 : 1 + log2_up((x + 1) / 2); }

static void tori_fold_in_meshes(void **state)
{
    char guest[64], host[64];
    (void)state;
    for (uint32_t n = 2; n < 34; n++) {
        figures want = {n > 2 ? 2 : 1, 2, true};
        check("fold", spec_of("ring", n, guest), spec_of("array", n, host), want);
    }
    for (uint32_t dimensions = 2; dimensions <= 4; dimensions++) {
        uint32_t side[4] = {2, 2, 2, 2}, high = dimensions == 2 ? 9 : dimensions == 3 ? 4 : 3;
        do {
            bool longer = false;
            for (uint32_t i = 0; i < dimensions; i++)
                longer = longer || side[i] > 2;
            check("fold", grid_spec("torus", dimensions, side, guest), grid_spec("mesh", dimensions, side, host),
                  (figures){longer ? 2 : 1, 2, true});
        } while (next_sides(dimensions, 2, high, side));
    }
}

/* The notes' theorem at the size of the README. */
static void a_torus_step_takes_two_mesh_steps(void **state)
{
    (void)state;
    check("fold", "torus:16x16", "mesh:16x16", (figures){2, 2, true});
    check("fold", "torus:15x17", "mesh:15x17", (figures){2, 2, true});
}

static void arrays_go_along_the_snake(void **state)
{
    static const char *const hosts[] = {"mesh:4x5",   "mesh:5x4", "mesh:3x3x3", "mesh:2x3x4x2", "torus:5x4",
                                        "torus:2x10", "array:20", "ring:20",    "mesh:20",      "torus:3x3x3"};
    char guest[64];
    (void)state;
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        for (uint32_t n = 2; n <= 20; n++)
            check("snake", spec_of("array", n, guest), hosts[i], (figures){1, 1, true});
}

static void rings_of_any_length_fold_along_the_snake(void **state)
{
    static const char *const hosts[] = {"mesh:4x5",  "mesh:5x5",  "mesh:3x3x3", "array:21",
                                        "mesh:2x11", "torus:3x7", "ring:23"};
    char guest[64];
    (void)state;
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        for (uint32_t n = 2; n <= 20; n++)
            check("folded-snake", spec_of("ring", n, guest), hosts[i], (figures){n > 2 ? 2 : 1, 2, true});
}

/* A cycle through all nodes exactly where one side is even; else dilation 2, once. */
static void rings_go_through_all_nodes_of_meshes(void **state)
{
    char guest[64], host[64];
    (void)state;
    for (uint32_t dimensions = 2; dimensions <= 4; dimensions++) {
        uint32_t side[4] = {2, 2, 2, 2}, high = dimensions == 2 ? 9 : dimensions == 3 ? 5 : 3;
        do {
            uint32_t nodes = 1;
            for (uint32_t i = 0; i < dimensions; i++)
                nodes *= side[i];
            grid_spec("mesh", dimensions, side, host);
            spec_of("ring", nodes, guest);
            if (nodes % 2)
                check("corner-cycle", guest, host, (figures){2, 2, true});
            else
                check("hamiltonian-cycle", guest, host, (figures){1, 1, true});
        } while (next_sides(dimensions, 2, high, side));
    }
}

/* All even lengths that fit, in meshes and in tori, where a cycle through all nodes is the torus' own. */
static void rings_of_even_length_are_cycles_of_meshes(void **state)
{
    char guest[64], host[64];
    (void)state;
    for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
        uint32_t side[3] = {2, 2, 2}, high = dimensions == 2 ? 7 : 3;
        do {
            uint32_t nodes = 1;
            for (uint32_t i = 0; i < dimensions; i++)
                nodes *= side[i];
            grid_spec("mesh", dimensions, side, host);
            for (uint32_t n = 4; n <= nodes; n += 2)
                check("even-cycle", spec_of("ring", n, guest), host, (figures){1, 1, true});
            grid_spec("torus", dimensions, side, host);
            for (uint32_t n = 4; n < nodes; n += 2)
                check("even-cycle", spec_of("ring", n, guest), host, (figures){1, 1, true});
        } while (next_sides(dimensions, 2, high, side));
    }
}

/* The family is judged by the library's own audit: the oracle has no trees. */
static void complete_binary_trees_go_into_hypercubes_in_order(void **state)
{
    (void)state;
    for (uint32_t height = 1; height <= 8; height++) {
        char spec[64];
        np_network *guest, *host;
        np_embedding *embedding;
        np_embedding_facts facts;
        if (np_network_create(spec_of("tree", height, spec), &guest))
            skip(); /* this library has no trees */
        host = support_network(spec_of("hypercube", height + 1, spec));
        assert_ok(np_embedding_create(NULL, guest, host, 0, &embedding));
        assert_ok(np_embedding_audit(embedding));
        assert_ok(np_embedding_measure(embedding, &facts));
        assert_true(facts.agrees && facts.reverses);
        assert_int_equal(facts.load, 1);
        assert_int_equal(facts.dilation, 2);
        assert_int_equal(facts.congestion, 2);
        release(embedding, guest, host);
    }
}

static void hamiltonian_cycles_are_refused_exactly_where_there_are_none(void **state)
{
    static const uint32_t high[] = {0, 0, 5, 3};
    char host_spec[64], guest_spec[64];
    (void)state;
    for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
        uint32_t side[3] = {2, 2, 2};
        do {
            uint32_t nodes = side[0] * side[1] * (dimensions > 2 ? side[2] : 1);
            if (nodes == 27)
                continue; /* too many for the oracle; 13 and 14 nodes of two colours */
            np_network *host = support_network(grid_spec("mesh", dimensions, side, host_spec));
            np_network *guest = support_network(spec_of("ring", nodes, guest_spec));
            np_embedding *embedding = NULL;
            if (oracle_hamiltonian(host_spec))
                assert_ok(np_embedding_create("hamiltonian-cycle", guest, host, 0, &embedding));
            else
                assert_refused(np_embedding_create("hamiltonian-cycle", guest, host, 0, &embedding), NP_ERROR_APPLY,
                               "all its sides are odd");
            release(embedding, guest, host);
        } while (next_sides(dimensions, 2, high[dimensions], side));
    }
}

static void rings_go_through_all_nodes_of_tori(void **state)
{
    char guest[64], host[64];
    (void)state;
    for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
        uint32_t side[3] = {2, 2, 2}, high = dimensions == 1 ? 12 : dimensions == 2 ? 9 : 5;
        do {
            uint32_t nodes = 1;
            for (uint32_t i = 0; i < dimensions; i++)
                nodes *= side[i];
            check("torus-cycle", spec_of("ring", nodes, guest), grid_spec("torus", dimensions, side, host),
                  (figures){1, nodes > 2 ? 1 : 2, true});
        } while (next_sides(dimensions, 2, high, side));
    }
}

/* In the smallest cube that the code needs, and in one twice as large. */
static void grids_go_into_hypercubes_by_gray_codes(void **state)
{
    char guest[64], host[64];
    (void)state;
    for (uint32_t n = 2; n <= 33; n++) {
        figures ring = {n % 2 ? 2 : 1, n == 2 ? 2 : 1, true};
        check("gray", spec_of("array", n, guest), spec_of("hypercube", log2_up(n), host), (figures){1, 1, true});
        check("gray", spec_of("ring", n, guest), spec_of("hypercube", log2_up(n), host), ring);
        check("gray", spec_of("ring", n, guest), spec_of("hypercube", log2_up(n) + 1, host), ring);
    }
    for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
        uint32_t side[3] = {2, 2, 2};
        do {
            bool odd = false, two = false;
            uint32_t bits = 0;
            for (uint32_t i = 0; i < dimensions; i++) {
                odd = odd || side[i] % 2;
                two = two || side[i] == 2;
                bits += log2_up(side[i]);
            }
            spec_of("hypercube", bits, host);
            check("gray", grid_spec("mesh", dimensions, side, guest), host, (figures){1, 1, true});
            check("gray", grid_spec("torus", dimensions, side, guest), host, (figures){odd ? 2 : 1, two ? 2 : 1, true});
        } while (next_sides(dimensions, 2, dimensions == 2 ? 9 : 4, side));
    }
}

static void binomial_trees_are_subgraphs_of_hypercubes(void **state)
{
    char guest[64], host[64];
    (void)state;
    for (uint32_t k = 1; k <= 8; k++)
        for (uint32_t n = k; n <= k + 1; n++)
            check("binomial", spec_of("binomial-tree", k, guest), spec_of("hypercube", n, host), (figures){1, 1, true});
}

static void cycles_and_butterflies_go_into_hypercubes(void **state)
{
    char guest[64], host[64];
    (void)state;
    for (uint32_t n = 3; n <= 8; n++) {
        uint32_t odd = n % 2, bits = n + log2_up(n);
        for (uint32_t extra = 0; extra <= (n < 5); extra++) {
            spec_of("hypercube", bits + extra, host);
            check("ccc-gray", spec_of("ccc", n, guest), host, (figures){1 + odd, 1, true});
            spec_of("butterfly", n, guest);
            check("butterfly-twisted", guest, host, (figures){1 + odd, 1, true});
            check("butterfly-gray", guest, host, (figures){2 + odd, 2, !odd});
        }
    }
}

/* floor(2^(b+1) / 3) over the widest cut of 2^b places. */
static void hypercubes_go_into_grids_in_natural_order(void **state)
{
    static const uint32_t widest[] = {0, 1, 2, 5, 10, 21, 42, 85};
    char guest[64], host[64];
    (void)state;
    for (uint32_t n = 1; n <= 7; n++) {
        spec_of("hypercube", n, guest);
        check("natural", guest, spec_of("array", 1u << n, host), (figures){1u << (n - 1), widest[n], false});
        for (uint32_t a = 1; a < n; a++) {
            uint32_t side[2] = {1u << a, 1u << (n - a)}, b = a > n - a ? a : n - a;
            check("natural", guest, grid_spec("mesh", 2, side, host), (figures){1u << (b - 1), widest[b], false});
        }
    }
    check("natural", "hypercube:6", "mesh:4x2x8", (figures){4, 5, false});
}

static void meshes_go_into_larger_grids(void **state)
{
    (void)state;
    check("subgrid", "mesh:3x4", "mesh:3x4", (figures){1, 1, true});
    check("subgrid", "mesh:3x4", "mesh:5x4", (figures){1, 1, true});
    check("subgrid", "mesh:3x4", "torus:3x4", (figures){1, 1, true});
    check("subgrid", "mesh:2x3x2", "torus:2x5x4", (figures){1, 1, true});
}

/* Each side in one that is as long, whichever. */
static void grids_lie_in_larger_ones_as_they_fit(void **state)
{
    (void)state;
    check("subgrid", "mesh:4x3", "mesh:3x4", (figures){1, 1, true});
    check("subgrid", "mesh:4x3x2", "torus:2x3x5", (figures){1, 1, true});
    check("subgrid", "mesh:5x2", "mesh:3x2x6", (figures){1, 1, true});
    check("fold", "torus:4x3", "mesh:3x5", (figures){2, 2, true});
    check("fold", "torus:3x4", "mesh:4x4", (figures){2, 2, true});
    check("fold", "torus:2x5", "mesh:3x2x6", (figures){2, 2, true});
    check("fold", "ring:5", "array:9", (figures){2, 2, true});
}

static void networks_lie_in_themselves(void **state)
{
    (void)state;
    check("same", "hypercube:3", "hypercube:3", (figures){1, 1, true});
    check("same", "hypercube:3", "hypercube:6", (figures){1, 1, true});
    check("same", "torus:3x4x5", "torus:3x4x5", (figures){1, 1, true});
    check("same", "torus:2x3", "torus:2x3", (figures){1, 2, true});
    check("same", "ccc:4", "ccc:4", (figures){1, 1, true});
    check("same", "butterfly:4", "butterfly:4", (figures){1, 1, true});
    check("same", "tree:3x2", "tree:3x2", (figures){1, 1, true});
    check("same", "binomial-tree:4", "binomial-tree:4", (figures){1, 1, true});
}

/* In its own rectangle, on its side, and in a larger mesh: dilation doubles every second level, no two paths meet. */
static void complete_binary_trees_are_hs_in_meshes(void **state)
{
    char guest[64], host[64];
    (void)state;
    for (uint32_t height = 1; height <= 9; height++) {
        uint32_t rows = (2u << height / 2) - 1, columns = (2u << (height + 1) / 2) - 1;
        uint32_t dilation = 1u << ((height + 1) / 2 - 1),
                 sides[3][2] = {{rows, columns}, {columns, rows}, {columns + 2, rows + 1}};
        spec_of("tree", height, guest);
        for (int i = 0; i < 3; i++) {
            sides[i][0] += sides[i][0] == 1; /* meshes have sides of 2 at least */
            sides[i][1] += sides[i][1] == 1;
            check("h-tree", guest, grid_spec("mesh", 2, sides[i], host), (figures){dilation, 1, true});
        }
    }
}

/* Measured only: the map is injective, the paths lead where they should. */
static void cubes_numbers_lead_into_grids(void **state)
{
    static const char *const guests[] = {"hypercube:4", "tree:3",      "binomial-tree:5",
                                         "ccc:3",       "butterfly:4", "hypercube:6"};
    check("by-cube", "hypercube:4", "torus:4x4", (figures){1, 1, true});
    check("by-cube", "hypercube:5", "torus:4x2x4", (figures){1, 1, true});
    check("by-cube", "hypercube:2", "ring:4", (figures){1, 1, true});
    check("by-cube", "hypercube:3", "torus:4x4x4", (figures){1, 1, true});
    static const char *const hosts[] = {"mesh:8x8", "torus:8x8", "array:64", "ring:64", "torus:4x4x4", "mesh:2x32"};
    (void)state;
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i++)
        for (size_t j = 0; j < sizeof hosts / sizeof *hosts; j++) {
            np_network *guest, *host;
            np_embedding_facts facts;
            np_embedding *embedding = embed("by-cube", guests[i], hosts[j], &guest, &host);
            oracle_embedding judged = oracle_embedding_judge(embedding);
            assert_ok(np_embedding_audit(embedding));
            assert_ok(np_embedding_measure(embedding, &facts));
            assert_true(judged.connects && judged.load == 1 && facts.load == 1 && facts.agrees);
            assert_int_equal(facts.dilation, judged.dilation);
            assert_int_equal(facts.congestion, judged.congestion);
            release(embedding, guest, host);
        }
}

static void refusals_name_the_nearest_choice(void **state)
{
    static const char *const cases[][4] = {
        {NULL, "torus:4x4", "mesh:3x5", "try mesh:4x4"},
        {"fold", "ring:8", "mesh:2x4", "try array:8"},
        {"fodl", "ring:8", "array:8", "did you mean 'fold'?"},
        {"gray", "ring:8", "array:8", "is of array, ring, mesh, torus in hypercube, not of ring:8 in array:8"},
        {NULL, "ring:100", "mesh:3x5", "try ring:15"},
        {NULL, "array:100", "mesh:3x5", "try array:15"},
        {"hamiltonian-cycle", "ring:15", "mesh:3x5", "there are 8 and 7"},
        {"hamiltonian-cycle", "ring:10", "mesh:3x4", "try ring:12"},
        {"hamiltonian-cycle", "ring:10", "mesh:3x5", "there are 8 and 7"},
        {"corner-cycle", "ring:10", "mesh:3x4", "try embedding 'hamiltonian-cycle'"},
        {"corner-cycle", "ring:10", "mesh:3x5", "try ring:15"},
        {"hamiltonian-cycle", "ring:12", "mesh:12", "no cycle in one dimension"},
        {"even-cycle", "ring:7", "mesh:3x4", "no odd cycles: try ring:8"},
        {"even-cycle", "ring:16", "mesh:3x5", "4..14 nodes: try ring:14"},
        {"even-cycle", "ring:2", "mesh:3x5", "try ring:4"},
        {"corner-cycle", "ring:12", "mesh:3x4", "try embedding 'hamiltonian-cycle'"},
        {NULL, "ring:13", "torus:3x4", "try ring:12"},
        {NULL, "torus:5x5", "hypercube:5", "try hypercube:6"},
        {NULL, "ccc:5", "hypercube:7", "try hypercube:8"},
        {NULL, "butterfly:4", "hypercube:5", "try hypercube:6"},
        {NULL, "binomial-tree:4", "hypercube:3", "try hypercube:4"},
        {"natural", "hypercube:4", "mesh:3x5", "side 3 is no power of two: try array:16"},
        {"natural", "hypercube:4", "mesh:4x8", "try array:16"},
        {NULL, "mesh:4x3", "mesh:3x3x2", "try mesh:4x3"},
        {NULL, "ccc:3", "mesh:4x6", "side 6 is no power of two: try 8"},
        {NULL, "ccc:3", "mesh:4x4", "its 16 nodes are too few: try array:32"},
        {NULL, "hypercube:3", "torus:2x2", "its 4 nodes are too few: try array:8"},
        {NULL, "tree:3x2", "mesh:8x8", "its nodes have 3 children"},
        {"h-tree", "tree:4", "mesh:6x8", "takes two sides: try mesh:7x7"},
        {NULL, "torus:4x4", "torus:4x5", "nodes keep their numbers: try torus:4x4"},
        {NULL, "hypercube:4", "hypercube:3", "nodes keep their numbers: try hypercube:4"},
        {NULL, "star:4", "mesh:4x6", "star goes into nothing there; into mesh goes torus, ring"},
        {NULL, "complete:4", "shuffle:2x2", "complete goes into nothing there; into shuffle goes nothing there"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *guest = support_network(cases[i][1]), *host = support_network(cases[i][2]);
        static char not_null;
        np_embedding *embedding = (np_embedding *)&not_null;
        np_status want = cases[i][0] && !strcmp(cases[i][0], "fodl") ? NP_ERROR_INPUT : NP_ERROR_APPLY;
        assert_refused(np_embedding_create(cases[i][0], guest, host, 0, &embedding), want, cases[i][3]);
        assert_null(embedding);
        assert_null(strchr(np_last_error(), '\n'));
        np_network_free(guest);
        np_network_free(host);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tori_fold_in_meshes),
        cmocka_unit_test(a_torus_step_takes_two_mesh_steps),
        cmocka_unit_test(arrays_go_along_the_snake),
        cmocka_unit_test(rings_of_any_length_fold_along_the_snake),
        cmocka_unit_test(rings_go_through_all_nodes_of_meshes),
        cmocka_unit_test(rings_of_even_length_are_cycles_of_meshes),
        cmocka_unit_test(complete_binary_trees_go_into_hypercubes_in_order),
        cmocka_unit_test(hamiltonian_cycles_are_refused_exactly_where_there_are_none),
        cmocka_unit_test(rings_go_through_all_nodes_of_tori),
        cmocka_unit_test(grids_go_into_hypercubes_by_gray_codes),
        cmocka_unit_test(binomial_trees_are_subgraphs_of_hypercubes),
        cmocka_unit_test(cycles_and_butterflies_go_into_hypercubes),
        cmocka_unit_test(hypercubes_go_into_grids_in_natural_order),
        cmocka_unit_test(meshes_go_into_larger_grids),
        cmocka_unit_test(grids_lie_in_larger_ones_as_they_fit),
        cmocka_unit_test(networks_lie_in_themselves),
        cmocka_unit_test(complete_binary_trees_are_hs_in_meshes),
        cmocka_unit_test(cubes_numbers_lead_into_grids),
        cmocka_unit_test(refusals_name_the_nearest_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
