/* Measured degree, diameter and bisection against obvious ones: all pairs by Floyd & Warshall, every subset by sums. */
#include "support.h"

#include <time.h>

#include "base/partition.h"
#include "base/random.h"
#include "model/network/facts.h"
#include "model/network/search_many.h"

enum { MOST = 9, LARGE = 24, FAR = 1000 }; /* nodes: where all subsets are tried, and where not */

typedef struct drawn {
    np_node nodes;
    size_t links;
    np_node from[4 * LARGE], to[4 * LARGE];
} drawn;

static drawn draw(uint32_t item)
{
    const np_draws draws = {1, 0, 0, NP_RANDOM_CHECK};
    drawn d = {.nodes = 1 + np_random_below(&draws, item, 0, MOST)};
    d.links = np_random_below(&draws, item, 1, 5 * d.nodes);
    for (size_t i = 0; i < d.links; i++) {
        d.from[i] = np_random_below(&draws, item, (uint32_t)(2 * i + 2), d.nodes);
        d.to[i] = np_random_below(&draws, item, (uint32_t)(2 * i + 3), d.nodes);
    }
    return d;
}

/* The largest distance; FAR or more if some node cannot be reached. */
static int oracle_diameter(const drawn *d)
{
    int distance[LARGE][LARGE], largest = 0;
    for (np_node u = 0; u < d->nodes; u++)
        for (np_node v = 0; v < d->nodes; v++)
            distance[u][v] = u == v ? 0 : FAR;
    for (size_t i = 0; i < d->links; i++)
        if (d->from[i] != d->to[i])
            distance[d->from[i]][d->to[i]] = 1;
    for (np_node w = 0; w < d->nodes; w++)
        for (np_node u = 0; u < d->nodes; u++)
            for (np_node v = 0; v < d->nodes; v++)
                if (distance[u][w] + distance[w][v] < distance[u][v])
                    distance[u][v] = distance[u][w] + distance[w][v];
    for (np_node u = 0; u < d->nodes; u++)
        for (np_node v = 0; v < d->nodes; v++)
            largest = distance[u][v] > largest ? distance[u][v] : largest;
    return largest;
}

static int oracle_bisection(const drawn *d)
{
    int joined[MOST][MOST] = {{0}}, least = FAR;
    for (size_t i = 0; i < d->links; i++)
        joined[d->from[i]][d->to[i]]++;
    for (unsigned s = 0; s < 1u << d->nodes; s++) {
        int size = __builtin_popcount(s), links = 0;
        if (abs((int)d->nodes - 2 * size) > 1)
            continue;
        for (np_node u = 0; u < d->nodes; u++)
            for (np_node v = 0; v < d->nodes; v++)
                if ((s >> u & 1) && !(s >> v & 1))
                    links += joined[u][v] > joined[v][u] ? joined[u][v] : joined[v][u];
        least = links < least ? links : least;
    }
    return least;
}

static bool oracle_regular(const drawn *d, unsigned *degree)
{
    unsigned in[MOST] = {0}, out[MOST] = {0};
    bool regular = true;
    for (size_t i = 0; i < d->links; i++) {
        out[d->from[i]]++;
        in[d->to[i]]++;
    }
    *degree = 0;
    for (np_node u = 0; u < d->nodes; u++)
        *degree = out[u] > *degree ? out[u] : *degree;
    for (np_node u = 0; u < d->nodes; u++)
        regular &= in[u] == *degree && out[u] == *degree;
    return regular;
}

static void test_random_networks(void **state)
{
    int connected = 0, regular = 0;
    (void)state;
    for (uint32_t item = 0; item < 2000; item++) {
        drawn d = draw(item);
        np_network *network;
        np_network_facts facts;
        unsigned degree;
        int diameter = oracle_diameter(&d);
        assert_ok(np_network_from_links(d.nodes, d.links, d.from, d.to, &network));
        assert_ok(np_network_measure(network, 1000000, &facts));
        assert_int_equal(facts.nodes, d.nodes);
        assert_int_equal(facts.links, d.links);
        assert_int_equal(facts.regular, oracle_regular(&d, &degree));
        assert_true(facts.degree.measured_known && !facts.degree.has_formula);
        assert_int_equal(facts.degree.measured, degree);
        assert_int_equal(facts.strongly_connected, diameter < FAR);
        assert_int_equal(facts.diameter.measured_known, diameter < FAR);
        if (diameter < FAR)
            assert_int_equal(facts.diameter.measured, diameter);
        assert_true(facts.bisection.measured_known);
        assert_int_equal(facts.bisection.measured, oracle_bisection(&d));
        connected += diameter < FAR && d.nodes > 2;
        regular += facts.regular && d.links;
        np_network_free(network);
    }
    assert_true(connected > 200 && regular > 10); /* the cases are not all of one kind */
}

static void test_cubes_have_their_formulas(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 4; n++) {
        char spec[16];
        np_network_facts facts;
        snprintf(spec, sizeof spec, "hypercube:%u", n);
        np_network *network = support_network(spec);
        assert_ok(np_network_measure(network, 1000000, &facts));
        assert_true(facts.degree.has_formula && facts.diameter.has_formula && facts.bisection.has_formula);
        assert_int_equal(facts.degree.formula, facts.degree.measured);
        assert_int_equal(facts.diameter.formula, facts.diameter.measured);
        assert_int_equal(facts.bisection.formula, facts.bisection.measured);
        assert_int_equal(facts.bisection.measured, 1u << (n - 1));
        assert_true(facts.regular && facts.strongly_connected);
        np_network_free(network);
    }
}

/* 24 nodes in a circle, both directions: C(23, 11) = 1352078 pairs of halves. */
static void test_effort(void **state)
{
    np_node from[48], to[48];
    np_network *network;
    np_network_facts facts;
    (void)state;
    for (np_node u = 0; u < 24; u++) {
        from[2 * u] = from[2 * u + 1] = u;
        to[2 * u] = (u + 1) % 24;
        to[2 * u + 1] = (u + 23) % 24;
    }
    assert_ok(np_network_from_links(24, 48, from, to, &network));
    assert_ok(np_network_measure(network, 1352078, &facts));
    assert_true(facts.bisection.measured_known);
    assert_int_equal(facts.bisection.measured, 2);
    assert_int_equal(facts.diameter.measured, 12);
    assert_ok(np_network_measure(network, 1352077, &facts));
    /* One too few: METIS, or nothing. */
    assert_int_equal(facts.bisection.measured_known, np_partition_available());
    assert_int_equal(facts.bisection.upper_bound, np_partition_available());
    assert_non_null(strstr(facts.bisection.note, np_partition_available() ? "METIS" : "effort"));
    assert_true(facts.diameter.measured_known);
    assert_ok(np_network_measure(network, 24 * 48 - 1, &facts));
    assert_true(facts.diameter.measured_known && facts.diameter.lower_bound && facts.diameter.needs == 24 * 48);
    assert_int_equal(facts.diameter.measured, 12);
    assert_true(facts.connection_known && facts.strongly_connected && facts.regular);
    assert_ok(np_network_measure(network, 95, &facts));
    assert_true(facts.diameter.needs == 96 && facts.symmetry.needs == 96);
    assert_false(facts.diameter.measured_known || facts.connection_known || facts.connected || facts.regular);
    assert_ok(np_network_measure(network, 0, &facts));
    assert_false(facts.degree.measured_known || facts.diameter.measured_known || facts.bisection.measured_known);
    np_network_free(network);
}

static void join(drawn *d, np_node from, np_node to)
{
    d->from[d->links] = from;
    d->to[d->links++] = to;
}

/* A random tree both ways, or a circle one way; and chords, one way unless `both`. */
static drawn draw_large(uint32_t item, bool circle, bool both)
{
    const np_draws draws = {2, 0, 0, NP_RANDOM_CHECK};
    drawn d = {.nodes = 2 + np_random_below(&draws, item, 0, LARGE - 1)};
    uint32_t chords = np_random_below(&draws, item, 1, d.nodes);
    for (np_node u = 1; u < d.nodes; u++) {
        np_node parent = circle ? u - 1 : np_random_below(&draws, item, 2 * u, u);
        join(&d, parent, u);
        if (!circle)
            join(&d, u, parent);
    }
    if (circle)
        join(&d, d.nodes - 1, 0);
    for (uint32_t i = 0; i < chords; i++) {
        np_node from = np_random_below(&draws, item, 100 + 2 * i, d.nodes);
        np_node to = np_random_below(&draws, item, 101 + 2 * i, d.nodes);
        join(&d, from, to);
        if (both)
            join(&d, to, from);
    }
    return d;
}

/* With less effort than for a search from every node the diameter is exact or a lower bound, and says which. */
static void check_fringe(const drawn *d, unsigned *exact, unsigned *bounds)
{
    np_network *network;
    np_network_facts facts;
    int diameter = oracle_diameter(d);
    assert_ok(np_network_from_links(d->nodes, d->links, d->from, d->to, &network));
    for (uint64_t searches = 2; searches < d->nodes; searches++) {
        assert_ok(np_network_measure_distances(network, searches * d->links, &facts));
        assert_true(facts.diameter.measured_known && facts.strongly_connected);
        assert_true(facts.diameter.measured <= (uint64_t)diameter);
        if (!facts.diameter.lower_bound)
            assert_int_equal(facts.diameter.measured, diameter);
        *exact += !facts.diameter.lower_bound;
        *bounds += facts.diameter.lower_bound;
    }
    np_network_free(network);
}

static void test_fringe(void **state)
{
    enum { MARGIN = 1000 };
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        unsigned exact = 0, bounds = 0;
        for (uint32_t item = 0; item < 2000; item++) {
            drawn d = draw_large(item, kind == 2, kind == 0);
            check_fringe(&d, &exact, &bounds);
        }
        assert_true(exact > MARGIN && bounds > MARGIN);
    }
}

/* Larger ones, with the effort for a search from every tenth node. */
static void test_fringe_of_families(void **state)
{
    static const struct {
        const char *spec;
        uint64_t diameter; /* 0: the formula */
    } cases[] = {{"mesh:40x41", 0}, {"mesh:11x12x13", 0}, {"tree:10", 0},          {"tree:3x6", 0},
                 {"array:1001", 0}, {"universal:3", 14},  {"binomial-tree:10", 0}, {"fat-tree-2:9", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network_facts facts;
        np_network *network = support_network(cases[i].spec);
        assert_ok(np_network_measure(network, np_network_nodes(network) / 10 * np_network_links(network), &facts));
        if (facts.diameter.lower_bound)
            fail_msg("%s: not clear", cases[i].spec);
        assert_int_equal(facts.diameter.measured, cases[i].diameter ? cases[i].diameter : facts.diameter.formula);
        np_network_free(network);
    }
}

/*
 * Searches that are made together find what searches one by one find: on networks with more nodes than searches, in
 * random graphs with nodes that are not reached, along the links and against them, and twice from one node.
 */
static void test_many_searches(void **state)
{
    enum { NODES = 700, COUNTS = 5 };
    static const uint32_t counts[COUNTS] = {1, 63, 65, 200, NP_SEARCH_LANES};
    static np_node from[2 * NODES], to[2 * NODES];
    static uint32_t distance[NODES];
    const np_draws draws = {3, 0, 0, NP_RANDOM_CHECK};
    (void)state;
    for (uint32_t item = 0; item < 8 * COUNTS; item++) {
        np_node start[NP_SEARCH_LANES];
        uint32_t count = counts[item % COUNTS], found[NP_SEARCH_LANES], links = NODES / 2 * (1 + item % 4);
        np_network *network;
        np_search search;
        np_search_many many;
        for (uint32_t i = 0; i < links; i++) {
            from[i] = np_random_below(&draws, item, 2 * i, NODES);
            to[i] = item / COUNTS % 2 ? np_random_below(&draws, item, 2 * i + 1, NODES) : (from[i] + 1) % NODES;
        }
        for (uint32_t i = 0; i < count; i++)
            start[i] = np_random_below(&draws, item, 4 * NODES + i, NODES);
        assert_ok(np_network_from_links(NODES, links, from, to, &network));
        assert_ok(np_search_init(&search, network));
        assert_ok(np_search_many_init(&many, &search));
        for (int backwards = 0; backwards < 2; backwards++) {
            np_search_farthest(&many, start, count, backwards, found);
            for (uint32_t i = 0; i < count; i++) {
                np_search_distances(&search, start[i], backwards, distance);
                assert_int_equal(found[i], distance[search.order[search.reached - 1]]);
            }
        }
        np_search_many_clear(&many);
        np_search_clear(&search);
        np_network_free(network);
    }
}

/*
 * A hop costs what its front does, also where there are many nodes and hops: a search takes about as long as one alone.
 */
static void test_many_hops(void **state)
{
    enum { NODES = 1 << 19 };
    np_network *network = support_network("array:524288");
    uint32_t *distance = malloc(NODES * sizeof *distance), farthest = 0;
    const np_node first = 0;
    np_search search;
    np_search_many many;
    (void)state;
    assert_non_null(distance);
    assert_ok(np_search_init(&search, network));
    assert_ok(np_search_many_init(&many, &search));
    clock_t begin = clock();
    np_search_distances(&search, first, false, distance);
    clock_t middle = clock();
    np_search_farthest(&many, &first, 1, false, &farthest);
    clock_t alone = middle - begin, together = clock() - middle;
    assert_int_equal(farthest, NODES - 1);
    assert_true(together < 60 * alone + CLOCKS_PER_SEC / 5); /* about 15 times; 500 times if a hop looks at all nodes */
    np_search_many_clear(&many);
    np_search_clear(&search);
    np_network_free(network);
    free(distance);
}

/*
 * A random graph with more nodes than searches are made at a time: the same with effort for all searches and for most.
 */
static void test_fringe_of_many(void **state)
{
    enum { NODES = 1500, LINKS = 2 * NODES };
    static np_node from[LINKS], to[LINKS];
    const np_draws draws = {4, 0, 0, NP_RANDOM_CHECK};
    np_network *network;
    np_network_facts all, most;
    (void)state;
    for (uint32_t i = 0; i < NODES; i++) { /* a circle, and chords */
        from[i] = i;
        to[i] = (i + 1) % NODES;
        from[NODES + i] = np_random_below(&draws, i, 0, NODES);
        to[NODES + i] = np_random_below(&draws, i, 1, NODES);
    }
    assert_ok(np_network_from_links(NODES, LINKS, from, to, &network));
    assert_ok(np_network_measure_distances(network, (uint64_t)NODES * LINKS, &all));
    assert_ok(np_network_measure_distances(network, (uint64_t)(NODES - 1) * LINKS, &most));
    assert_true(strstr(all.diameter.note, "every node") && strstr(most.diameter.note, "middle"));
    assert_int_equal(most.diameter.measured, all.diameter.measured);
    np_network_free(network);
}

/*
 * Circles one way with chords. A search bounds the farthest distances of nodes on one side of its own only. The items
 * listed are those in which a bound of the other side makes the diameter too small: 2 of 4000. The effort allows one
 * search less than from every node.
 */
static void test_fringe_of_circles(void **state)
{
    static const uint32_t items[] = {2513, 3363, 0, 1, 2, 3, 4, 5, 6, 7};
    const np_draws draws = {77, 0, 0, NP_RANDOM_CHECK};
    (void)state;
    for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
        drawn d = {.nodes = 10 + np_random_below(&draws, items[k], 0, 16)};
        uint32_t chords = np_random_below(&draws, items[k], 1, d.nodes);
        np_network *network;
        np_network_facts facts;
        if (d.nodes > LARGE)
            continue;
        for (np_node u = 0; u < d.nodes; u++)
            join(&d, u, (u + 1) % d.nodes);
        for (uint32_t i = 0; i < chords; i++)
            join(&d, np_random_below(&draws, items[k], 10 + 2 * i, d.nodes),
                 np_random_below(&draws, items[k], 11 + 2 * i, d.nodes));
        assert_ok(np_network_from_links(d.nodes, d.links, d.from, d.to, &network));
        assert_ok(np_network_measure_distances(network, (d.nodes - 1) * d.links, &facts));
        if (!facts.diameter.lower_bound)
            assert_int_equal(facts.diameter.measured, oracle_diameter(&d));
        np_network_free(network);
    }
}

enum { RANDOM_NODES = 4000, RANDOM_LINKS = 8 * RANDOM_NODES };

/* A circle with three chords from each node; both ways, or the circle and chords one way. More visits than for a search
 * from every node. */
static np_network *random_graph(bool both)
{
    static np_node from[RANDOM_LINKS], to[RANDOM_LINKS];
    const np_draws draws = {5, 0, both, NP_RANDOM_CHECK};
    size_t links = 0;
    np_network *network;
    for (uint32_t i = 0; i < RANDOM_NODES; i++)
        for (uint32_t j = 0; j < (both ? 4 : 8); j++) {
            np_node other = j ? np_random_below(&draws, i, j, RANDOM_NODES) : (i + 1) % RANDOM_NODES;
            from[links] = i;
            to[links++] = other;
            if (both) {
                from[links] = other;
                to[links++] = i;
            }
        }
    assert_ok(np_network_from_links(RANDOM_NODES, links, from, to, &network));
    return network;
}

static uint32_t diameter_one_by_one(const np_network *network)
{
    static uint32_t distance[RANDOM_NODES];
    uint32_t largest = 0;
    np_search search;
    assert_ok(np_search_init(&search, network));
    for (np_node u = 0; u < RANDOM_NODES; u++) {
        np_search_distances(&search, u, false, distance);
        uint32_t far = distance[search.order[search.reached - 1]];
        largest = far > largest ? far : largest;
    }
    np_search_clear(&search);
    return largest;
}

/* No node is in the middle. The same as by all searches; and with a hundredth of the visits that these would make. */
static void test_random_graphs(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        np_network *network = random_graph(both);
        np_network_facts facts;
        assert_ok(np_network_measure_distances(network, UINT64_C(1) << 40, &facts));
        assert_true(strstr(facts.diameter.note, "middle") && !facts.diameter.lower_bound);
        assert_int_equal(facts.diameter.measured, diameter_one_by_one(network));
        assert_ok(np_network_measure_distances(network, RANDOM_NODES / 20 * np_network_links(network), &facts));
        assert_false(facts.diameter.lower_bound);
        assert_ok(np_network_measure_distances(network, 50 * np_network_links(network), &facts));
        assert_true(facts.diameter.lower_bound);
        assert_ok(np_network_measure_distances(network, facts.diameter.needs, &facts));
        assert_false(facts.diameter.lower_bound);
        np_network_free(network);
    }
}

/* A grid is measured by a few searches, which take no memory for many. */
static void test_few_searches_take_little(void **state)
{
    np_network *network = support_network("mesh:200x200");
    np_network_facts facts;
    (void)state;
    support_memory_count(true);
    assert_ok(np_network_measure_distances(network, 100000000, &facts));
    assert_int_equal(facts.diameter.measured, facts.diameter.formula);
    assert_true(support_memory_peak() < 80 * (uint64_t)np_network_nodes(network));
    support_memory_count(false);
    np_network_free(network);
}

typedef struct heard {
    unsigned diameter, bisection, automorphisms;
    double last;
    const char *what;
    int cancels;
} heard;

static int hear(void *context, const np_progress *progress)
{
    const char *what = progress->stage;
    double share = progress->share;
    heard *h = context;
    assert_true(share >= 0 && share <= 1);
    assert_true(what != h->what || share >= h->last);
    h->what = what;
    h->last = share;
    h->diameter += strstr(what, "diameter") != NULL;
    h->bisection += strstr(what, "bisection") != NULL;
    h->automorphisms += strstr(what, "automorphisms") != NULL;
    return h->cancels;
}

static int cancel_later(void *context, const np_progress *progress)
{
    unsigned *calls = context;
    (void)progress;
    return ++*calls >= 60;
}

static int cancel_first(void *context, const np_progress *progress)
{
    unsigned *calls = context;
    assert_string_equal(progress->stage, "the diameter");
    ++*calls;
    return 1;
}

/* The watch can end many searches that are made together: these would be 256 times 1198 hops. */
static void test_cancel_many(void **state)
{
    unsigned calls = 0;
    bool cancelled = false;
    const np_watch watch = {cancel_first, &calls};
    np_network *network = support_network("mesh:600x600");
    np_node from[NP_SEARCH_LANES];
    uint32_t found[NP_SEARCH_LANES];
    np_search search;
    np_search_many many;
    (void)state;
    for (uint32_t i = 0; i < NP_SEARCH_LANES; i++)
        from[i] = 1400 * i;
    assert_ok(np_search_init(&search, network));
    search.watch = &watch;
    search.cancelled = &cancelled;
    assert_ok(np_search_many_init(&many, &search));
    np_search_farthest(&many, from, NP_SEARCH_LANES, false, found);
    assert_true(calls == 1 && cancelled && found[0] < 600);
    np_search_many_clear(&many);
    np_search_clear(&search);
    np_network_free(network);
}

/* The watch can end the searches. */
static void test_cancel(void **state)
{
    unsigned calls = 0;
    const np_watch watch = {cancel_later, &calls};
    np_network_facts facts;
    np_network *network = random_graph(false);
    (void)state;
    assert_refused(np_network_measure_watched(network, UINT64_C(1) << 40, &watch, &facts), NP_ERROR_CANCELLED,
                   "cancelled");
    assert_int_equal(calls, 60);
    np_network_free(network);
}

/* C(23, 11) pairs of halves: one report. The facts are those of a measurement that nobody watches. */
static void test_progress(void **state)
{
    heard h = {0};
    const np_watch watch = {hear, &h};
    np_network_facts facts, watched;
    np_network *network = support_network("torus:4x6");
    (void)state;
    assert_ok(np_network_measure(network, 2000000, &facts));
    assert_ok(np_network_measure_watched(network, 2000000, &watch, &watched));
    if (h.diameter != 1 || h.bisection != 1 || h.automorphisms < 2)
        fail_msg("%u, %u and %u reports", h.diameter, h.bisection, h.automorphisms);
    assert_int_equal(watched.diameter.measured, facts.diameter.measured);
    assert_int_equal(watched.bisection.measured, facts.bisection.measured);
    assert_int_equal(watched.symmetry.measured, facts.symmetry.measured);
    h = (heard){.cancels = 1};
    assert_refused(np_network_measure_watched(network, 2000000, &watch, &watched), NP_ERROR_CANCELLED, "cancelled");
    assert_int_equal(h.diameter + h.bisection + h.automorphisms, 1);
    np_network_free(network);
}

static void test_parts_are_refused_by_name(void **state)
{
    static const np_node from[] = {0, 1, 3}, to[] = {1, 0, 2};
    np_network *network;
    (void)state;
    assert_ok(np_network_from_links(4, 3, from, to, &network));
    assert_refused(np_network_check_connected(network), NP_ERROR_INPUT,
                   "falls into 2 parts, and no way joins node 0 and node 2");
    np_network_free(network);
    assert_ok(np_network_from_links(3, 2, (const np_node[]){1, 1}, (const np_node[]){0, 2}, &network));
    assert_ok(np_network_check_connected(network)); /* crossed both ways */
    np_network_free(network);
    network = support_network("omega:3");
    assert_ok(np_network_check_connected(network));
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_networks),
        cmocka_unit_test(test_cubes_have_their_formulas),
        cmocka_unit_test(test_effort),
        cmocka_unit_test(test_fringe),
        cmocka_unit_test(test_fringe_of_families),
        cmocka_unit_test(test_many_searches),
        cmocka_unit_test(test_many_hops),
        cmocka_unit_test(test_fringe_of_many),
        cmocka_unit_test(test_fringe_of_circles),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_few_searches_take_little),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_cancel_many),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_parts_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
