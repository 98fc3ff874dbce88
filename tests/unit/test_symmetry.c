/*
 * Node symmetry against every permutation of small networks, and against
 * graphs that are known: regular ones without any symmetry, which only the
 * search can tell. Connected parts and the upper bounds of METIS.
 */
#include "support.h"

#include "base/partition.h"
#include "base/random.h"

enum { MOST = 7, LINKS_MOST = 40 };

typedef struct drawn {
    np_node nodes;
    size_t links;
    np_node from[LINKS_MOST], to[LINKS_MOST];
} drawn;

static void shuffle(const np_draws *draws, uint32_t item, uint32_t *draw, uint32_t nodes, uint32_t *name)
{
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t j = np_random_below(draws, item, (*draw)++, i + 1);
        name[i] = name[j];
        name[j] = i;
    }
}

/*
 * Regular, so that no count tells nodes apart: a few permutations, each node
 * linked to its image; at random, or (odd items) rotations by some difference
 * with the nodes renamed; (every third) both ways. Every fifth lacks a link.
 */
static drawn draw(uint32_t item)
{
    const np_draws draws = {11, 0, 0, NP_RANDOM_CHECK};
    drawn d = {.nodes = 2 + np_random_below(&draws, item, 0, MOST - 1)};
    uint32_t name[MOST], image[MOST], draw = 1;
    shuffle(&draws, item, &draw, d.nodes, name);
    uint32_t ways = 1 + np_random_below(&draws, item, draw++, 2);
    for (uint32_t w = 0; w < ways; w++) {
        uint32_t difference = np_random_below(&draws, item, draw++, d.nodes);
        shuffle(&draws, item, &draw, d.nodes, image);
        for (uint32_t u = 0; u < d.nodes; u++) {
            uint32_t from = name[u], to = item % 2 ? name[(u + difference) % d.nodes] : name[image[u]];
            d.from[d.links] = from, d.to[d.links++] = to;
            if (item % 3 == 0)
                d.from[d.links] = to, d.to[d.links++] = from;
        }
    }
    d.links -= item % 5 == 0;
    return d;
}

static bool is_automorphism(const drawn *d, const uint32_t *image)
{
    int count[MOST][MOST] = {{0}};
    for (size_t i = 0; i < d->links; i++) {
        count[d->from[i]][d->to[i]]++;
        count[image[d->from[i]]][image[d->to[i]]]--;
    }
    for (int u = 0; u < MOST; u++)
        for (int v = 0; v < MOST; v++)
            if (count[u][v])
                return false;
    return true;
}

/* Marks where the automorphisms take node 0; image[0..placed) is set. */
static void try_all(const drawn *d, uint32_t *image, uint32_t placed, bool *reached)
{
    if (placed == d->nodes) {
        if (is_automorphism(d, image))
            reached[image[0]] = true;
        return;
    }
    for (uint32_t v = 0; v < d->nodes; v++) {
        bool taken = false;
        for (uint32_t i = 0; i < placed; i++)
            taken |= image[i] == v;
        image[placed] = v;
        if (!taken)
            try_all(d, image, placed + 1, reached);
    }
}

static void symmetry_is_that_of_all_permutations(void **state)
{
    int yes = 0, no = 0, searched = 0;
    (void)state;
    for (uint32_t item = 0; item < 800; item++) {
        drawn d = draw(item);
        np_network *network;
        np_network_facts facts;
        uint32_t image[MOST];
        bool reached[MOST] = {false}, all = true;
        try_all(&d, image, 0, reached);
        for (uint32_t v = 0; v < d.nodes; v++)
            all &= reached[v];
        assert_ok(np_network_from_links(d.nodes, d.links, d.from, d.to, &network));
        assert_ok(np_network_measure(network, 1000000, &facts));
        assert_true(facts.symmetry.measured_known && !facts.symmetry.has_formula);
        assert_int_equal(facts.symmetry.measured, all);
        yes += all;
        no += !all;
        searched += !all && strstr(facts.symmetry.note, "exhaustive");
        np_network_free(network);
    }
    assert_true(yes > 200 && no > 200 && searched > 100);
}

/* Undirected edges as a network. */
static np_network *undirected(np_node nodes, size_t edges, const np_node (*edge)[2])
{
    np_node from[256], to[256];
    np_network *network;
    assert_true(2 * edges <= 256);
    for (size_t i = 0; i < edges; i++) {
        from[2 * i] = to[2 * i + 1] = edge[i][0];
        to[2 * i] = from[2 * i + 1] = edge[i][1];
    }
    assert_ok(np_network_from_links(nodes, 2 * edges, from, to, &network));
    return network;
}

static np_network_facts measured(np_network *network)
{
    np_network_facts facts;
    assert_ok(np_network_measure(network, 10000000, &facts));
    np_network_free(network);
    return facts;
}

/* All regular: no count of links tells their nodes apart. */
static void known_graphs(void **state)
{
    static const np_node petersen[15][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {0, 5}, {1, 6}, {2, 7},
                                            {3, 8}, {4, 9}, {5, 7}, {7, 9}, {9, 6}, {6, 8}, {8, 5}};
    /* Frucht 1949: of degree 3, and only the identity keeps it. A ring of 7 around a ring of 5 with chords. */
    static const np_node frucht[18][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4},  {4, 5},  {5, 6},  {6, 0}, {0, 7},  {1, 7},
                                          {2, 8}, {3, 9}, {4, 9}, {5, 10}, {6, 10}, {7, 11}, {8, 9}, {8, 11}, {10, 11}};
    static const np_node rings_3_4[7][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 6}, {6, 3}};
    static const np_node rings_3_3[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}};
    (void)state;
    np_network_facts facts = measured(undirected(10, 15, petersen));
    assert_true(facts.regular && facts.symmetry.measured_known && facts.symmetry.measured == 1);
    facts = measured(undirected(12, 18, frucht));
    assert_true(facts.regular && facts.symmetry.measured_known && facts.symmetry.measured == 0);
    facts = measured(undirected(7, 7, rings_3_4));
    assert_true(facts.regular && facts.symmetry.measured_known && facts.symmetry.measured == 0);
    assert_int_equal(facts.parts, 2);
    facts = measured(undirected(6, 6, rings_3_3));
    assert_true(facts.symmetry.measured_known && facts.symmetry.measured == 1);
    assert_false(facts.connected || facts.strongly_connected);
    assert_int_equal(facts.no_way_from, 0);
    assert_int_equal(facts.no_way_to, 3);
    assert_int_equal(facts.node_count.measured, 6);
    assert_int_equal(facts.bisection.measured, 0);
}

/*
 * A ring of `pairs` pairs, each of whose nodes has links to both nodes of the next pair: all pairs may be swapped, so
 * that the search must go as deep as there are pairs.
 */
static np_network *ring_of_pairs(np_node pairs)
{
    np_node *from = malloc(16 * pairs * sizeof *from), *to = from + 8 * pairs;
    np_network *network;
    size_t links = 0;
    for (np_node i = 0; i < pairs; i++)
        for (unsigned ends = 0; ends < 4; ends++, links += 2) {
            from[links] = to[links + 1] = 2 * i + ends / 2;
            to[links] = from[links + 1] = 2 * ((i + 1) % pairs) + ends % 2;
        }
    assert_ok(np_network_from_links(2 * pairs, links, from, to, &network));
    free(from);
    return network;
}

static void the_search_is_not_deeper_than_allowed(void **state)
{
    (void)state;
    np_network_facts facts = measured(ring_of_pairs(50));
    assert_true(facts.symmetry.measured_known && facts.symmetry.measured == 1);
    np_network *deep = ring_of_pairs(600);
    assert_ok(np_network_measure(deep, 1000000000, &facts));
    assert_false(facts.symmetry.measured_known);
    assert_non_null(strstr(facts.symmetry.note, "effort"));
    np_network_free(deep);
}

/* What the families promise is found; what they do not promise is what it is. */
static void families_keep_their_promise(void **state)
{
    static const struct {
        const char *spec;
        bool promised, symmetric;
    } cases[] = {
        {"hypercube:5", true, true},        {"ccc:4", true, true},
        {"butterfly:4", true, true},        {"torus:3x4x5", true, true},
        {"torus:2x5", true, true},          {"ring:60", true, true},
        {"complete:20", true, true},        {"star:5", true, true},
        {"pancake:5", true, true},          {"cayley:1230,1023", true, true},
        {"cayley:12034,01342", true, true}, {"mesh:4x4", false, false},
        {"mesh:2x2x2", false, true},        {"array:2", false, true},
        {"tree:4", false, false},           {"mesh-of-trees:4", false, false},
        {"mesh-of-trees:2", false, true},   {"crossbar:3", false, false},
        {"fat-tree-2:3", false, false},     {"shuffle:2x3", false, false},
        {"omega:2", false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network_facts facts = measured(support_network(cases[i].spec));
        assert_int_equal(facts.symmetry.has_formula, cases[i].promised);
        assert_true(facts.symmetry.measured_known);
        if (facts.symmetry.measured != cases[i].symmetric)
            print_error("%s: %s\n", cases[i].spec, facts.symmetry.note);
        assert_int_equal(facts.symmetry.measured, cases[i].symmetric);
        assert_int_equal(facts.node_count.measured, facts.node_count.formula);
        assert_int_equal(facts.link_count.measured, facts.link_count.formula);
        assert_int_equal(facts.degree.measured, facts.degree.formula);
    }
}

static void too_little_effort_is_no_answer(void **state)
{
    np_network *network = support_network("star:5");
    np_network_facts facts;
    (void)state;
    for (uint64_t effort = 20; effort <= 2000; effort *= 100) { /* not begun, given up */
        assert_ok(np_network_measure(network, effort, &facts));
        assert_false(facts.symmetry.measured_known);
        assert_non_null(strstr(facts.symmetry.note, "effort"));
    }
    np_network_free(network);
}

/* 0 <- 1 -> 2: connected, not strongly. */
static void one_way_is_not_in_parts(void **state)
{
    static const np_node from[] = {1, 1}, to[] = {0, 2};
    np_network *network;
    (void)state;
    assert_ok(np_network_from_links(3, 2, from, to, &network));
    np_network_facts facts = measured(network);
    assert_true(facts.connected && !facts.strongly_connected);
    assert_int_equal(facts.parts, 1);
    assert_int_equal(facts.no_way_from, 0);
    assert_int_equal(facts.no_way_to, 1);
}

/* METIS never goes below the formula, and meets it here; halves are exact. */
static void upper_bounds_hold(void **state)
{
    static const char *const specs[] = {"hypercube:8", "mesh:16x16", "mesh:9x9",        "torus:8x16", "ccc:5",
                                        "butterfly:5", "tree:7",     "fat-tree-2:6",    "ring:101",   "complete:40",
                                        "torus:7x7x7", "mesh:5x6x7", "mesh-of-trees:8", "crossbar:9", "star:5"};
    (void)state;
    if (!np_partition_available())
        skip();
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network_facts facts = measured(support_network(specs[i]));
        assert_true(facts.bisection.measured_known && facts.bisection.upper_bound);
        if (!facts.bisection.has_formula)
            continue;
        assert_true(facts.bisection.measured >= facts.bisection.formula);
        if (facts.bisection.measured > facts.bisection.formula + facts.bisection.formula / 4)
            print_error("%s: at most %u, is %u\n", specs[i], (unsigned)facts.bisection.measured,
                        (unsigned)facts.bisection.formula);
        assert_true(facts.bisection.measured <= facts.bisection.formula + facts.bisection.formula / 4);
    }
}

/* Shares of any size are exact, and the cut is what is between them. */
static void shares_are_exact(void **state)
{
    enum { N = 50 };
    uint32_t row[N + 1], neighbour[2 * N], weight[2 * N];
    uint8_t side[N];
    (void)state;
    if (!np_partition_available())
        skip();
    for (uint32_t u = 0; u <= N; u++)
        row[u] = 2 * u;
    for (uint32_t u = 0; u < N; u++) { /* a ring whose every fifth edge is light */
        neighbour[2 * u] = (u + 1) % N, weight[2 * u] = u % 5 ? 3 : 1;
        neighbour[2 * u + 1] = (u + N - 1) % N, weight[2 * u + 1] = (u + N - 1) % N % 5 ? 3 : 1;
    }
    const np_partition_graph graph = {N, row, neighbour, weight};
    for (uint32_t first = 1; first < N; first++) {
        uint64_t cut, between = 0;
        uint32_t count = 0;
        assert_ok(np_partition_halves(&graph, first, 4, side, &cut));
        for (uint32_t u = 0; u < N; u++) {
            count += side[u] == 0;
            assert_true(side[u] <= 1);
            between += side[u] != side[(u + 1) % N] ? weight[2 * u] : 0;
        }
        assert_int_equal(count, first);
        assert_int_equal(cut, between);
        if (first == 25)
            assert_int_equal(cut, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetry_is_that_of_all_permutations),
        cmocka_unit_test(known_graphs),
        cmocka_unit_test(the_search_is_not_deeper_than_allowed),
        cmocka_unit_test(families_keep_their_promise),
        cmocka_unit_test(too_little_effort_is_no_answer),
        cmocka_unit_test(one_way_is_not_in_parts),
        cmocka_unit_test(upper_bounds_hold),
        cmocka_unit_test(shares_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
