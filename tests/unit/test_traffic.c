/*
 * Traffic generators against their definitions, said again here with arrays
 * of digits instead of arithmetic on numbers.
 */
#include "support.h"

#include <unistd.h>

#include "model/network/network.h"
#include "model/traffic/traffic.h"

static np_traffic *traffic_of(const char *spec, const np_network *network, uint64_t seed, uint32_t run)
{
    np_traffic *traffic;
    support_assert_ok(np_traffic_create(spec, network, seed, run, &traffic), spec, __FILE__, __LINE__);
    assert_string_equal(np_traffic_spec(traffic), spec);
    return traffic;
}

/* A network of which traffic sees the number of nodes and the family only. */
static np_network nodes_only(const char *family, uint32_t nodes, np_network_family *ops)
{
    const np_network_family *real;
    *ops = (np_network_family){.info = {.name = family}};
    if (!np_registry_find(&np_network_families, family, &real))
        ops->kind = real->kind;
    return (np_network){
        .family = ops, .spec = (char *)"test:1", .nodes = nodes, .terminals = nodes, .input_nodes = nodes};
}

/* A mesh-like network of these sides, first dimension most significant. */
static np_network grid(const char *family, unsigned dimensions, const uint32_t *side, np_network_family *ops)
{
    np_network network = nodes_only(family, 1, ops);
    network.dimensions = dimensions;
    for (unsigned i = dimensions; i-- > 0;) {
        network.side[i] = side[i];
        network.stride[i] = network.nodes;
        network.by_side[i] = np_divider_of(side[i]);
        network.by_stride[i] = np_divider_of(network.nodes);
        network.nodes *= side[i];
        network.terminals = network.input_nodes = network.nodes;
    }
    return network;
}

static void assert_permutation(const np_traffic *traffic, uint32_t nodes)
{
    unsigned char *seen = calloc(nodes, 1);
    assert_int_equal(np_traffic_packets(traffic), nodes);
    for (uint32_t u = 0; u < nodes; u++) {
        assert_int_equal(np_traffic_sources(traffic)[u], u);
        uint32_t v = np_traffic_destinations(traffic)[u];
        assert_true(v < nodes && !seen[v]);
        seen[v] = 1;
    }
    free(seen);
}

/* digit[0] is the most significant. */
static void to_digits(uint32_t u, uint32_t base, int n, uint32_t *digit)
{
    for (int i = n - 1; i >= 0; i--, u /= base)
        digit[i] = u % base;
}

static uint32_t from_digits(uint32_t base, int n, const uint32_t *digit)
{
    uint32_t u = 0;
    for (int i = 0; i < n; i++)
        u = u * base + digit[i];
    return u;
}

/* to[i] = from[where(i)] */
static int place_reversal(int i, int n) { return n - 1 - i; }
static int place_shuffle(int i, int n) { return (i + 1) % n; }
static int place_transpose(int i, int n)
{
    int half = n / 2;
    if (i < half)
        return n - half + i;
    return i >= n - half ? i - (n - half) : i;
}

static void check_digits(const char *spec, const np_network *network, uint32_t base, int n, int (*place)(int, int))
{
    np_traffic *traffic = traffic_of(spec, network, 1, 0);
    uint32_t from[32], to[32];
    assert_permutation(traffic, network->nodes);
    for (uint32_t u = 0; u < network->nodes; u++) {
        to_digits(u, base, n, from);
        for (int i = 0; i < n; i++)
            to[i] = from[place(i, n)];
        assert_int_equal(np_traffic_destinations(traffic)[u], from_digits(base, n, to));
    }
    np_traffic_free(traffic);
}

static void test_digits_are_bits(void **state)
{
    (void)state;
    for (int n = 1; n <= 7; n++) {
        char spec[16];
        snprintf(spec, sizeof spec, "hypercube:%d", n);
        np_network *cube = support_network(spec);
        check_digits("bit-reversal", cube, 2, n, place_reversal);
        check_digits("perfect-shuffle", cube, 2, n, place_shuffle);
        check_digits("transpose", cube, 2, n, place_transpose);
        np_network_free(cube);
    }
}

static void test_digits_of_the_shuffle(void **state)
{
    np_network_family ops;
    np_network network = nodes_only("shuffle", 243, &ops); /* 3x5 */
    (void)state;
    network.side[0] = 3;
    network.dimensions = 5;
    check_digits("bit-reversal", &network, 3, 5, place_reversal);
    check_digits("perfect-shuffle", &network, 3, 5, place_shuffle);
    check_digits("transpose", &network, 3, 5, place_transpose);
    network.nodes = network.terminals = 1024; /* 4x5: a power of two, so bits */
    network.side[0] = 4;
    check_digits("bit-reversal", &network, 2, 10, place_reversal);
}

static void test_digits_refused(void **state)
{
    np_network_family ops;
    np_network network = nodes_only("ccc", 24, &ops);
    np_traffic *traffic;
    (void)state;
    assert_refused(np_traffic_create("bit-reversal", &network, 1, 0, &traffic), NP_ERROR_APPLY,
                   "24 nodes are not a power of two");
    assert_null(traffic);
    assert_refused(np_traffic_create("transpose", &network, 1, 0, &traffic), NP_ERROR_APPLY, "random");
    assert_refused(np_traffic_create("perfect-shuffle", &network, 1, 0, &traffic), NP_ERROR_APPLY, "random");
}

static void test_transpose_of_grids(void **state)
{
    static const uint32_t square[] = {5, 5}, cube[] = {4, 4, 4}, oblong[] = {4, 8};
    np_network_family ops;
    np_traffic *traffic;
    (void)state;
    np_network network = grid("mesh", 2, square, &ops);
    traffic = traffic_of("transpose", &network, 1, 0);
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t j = 0; j < 5; j++)
            assert_int_equal(np_traffic_destinations(traffic)[i * 5 + j], j * 5 + i);
    np_traffic_free(traffic);

    network = grid("torus", 3, cube, &ops);
    traffic = traffic_of("transpose", &network, 1, 0);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4; j++)
            for (uint32_t k = 0; k < 4; k++)
                assert_int_equal(np_traffic_destinations(traffic)[(i * 4 + j) * 4 + k], (k * 4 + j) * 4 + i);
    np_traffic_free(traffic);

    network = grid("mesh", 2, oblong, &ops);
    assert_refused(np_traffic_create("transpose", &network, 1, 0, &traffic), NP_ERROR_APPLY, "sides 4 and 8 differ");
}

static void test_tornado(void **state)
{
    static const uint32_t sides[] = {5, 8};
    np_network_family ops;
    np_network network = grid("torus", 2, sides, &ops);
    np_traffic *traffic = traffic_of("tornado", &network, 1, 0);
    (void)state;
    for (uint32_t i = 0; i < 5; i++) /* ceil(5/2) - 1 = 2, ceil(8/2) - 1 = 3 */
        for (uint32_t j = 0; j < 8; j++)
            assert_int_equal(np_traffic_destinations(traffic)[i * 8 + j], (i + 2) % 5 * 8 + (j + 3) % 8);
    np_traffic_free(traffic);

    network = nodes_only("ring", 7, &ops);
    traffic = traffic_of("tornado", &network, 1, 0); /* ceil(7/2) - 1 = 3 */
    for (uint32_t u = 0; u < 7; u++)
        assert_int_equal(np_traffic_destinations(traffic)[u], (u + 3) % 7);
    np_traffic_free(traffic);
}

static void test_identity_complement_rotation(void **state)
{
    np_network *cube = support_network("hypercube:4");
    np_traffic *identity = traffic_of("identity", cube, 1, 0), *complement = traffic_of("complement", cube, 1, 0),
               *rotation = traffic_of("rotation:15", cube, 1, 0);
    (void)state;
    for (uint32_t u = 0; u < 16; u++) {
        assert_int_equal(np_traffic_sources(identity)[u], u);
        assert_int_equal(np_traffic_destinations(identity)[u], u);
        assert_int_equal(np_traffic_destinations(complement)[u], u ^ 15);
        assert_int_equal(np_traffic_destinations(rotation)[u], u ? u - 1 : 15);
    }
    np_traffic_free(identity);
    np_traffic_free(complement);
    np_traffic_free(rotation);
    np_network_free(cube);
}

static void test_all_to_all(void **state)
{
    np_network *cube = support_network("hypercube:3");
    np_traffic *traffic = traffic_of("all-to-all", cube, 1, 0);
    uint32_t h, seen[8][8] = {{0}};
    (void)state;
    assert_int_equal(np_traffic_packets(traffic), 56);
    for (uint32_t i = 0; i < 56; i++)
        seen[np_traffic_sources(traffic)[i]][np_traffic_destinations(traffic)[i]]++;
    for (uint32_t u = 0; u < 8; u++)
        for (uint32_t v = 0; v < 8; v++)
            assert_int_equal(seen[u][v], u != v);
    assert_ok(np_traffic_relation(traffic, cube, &h));
    assert_int_equal(h, 7);
    np_traffic_free(traffic);
    np_network_free(cube);
}

/* count[v]: how often terminal u sends to v in so many runs. */
static void count_from(const char *spec, const np_network *network, np_node u, uint32_t runs, uint32_t *count)
{
    memset(count, 0, 64 * sizeof *count);
    for (uint32_t run = 0; run < runs; run++) {
        np_traffic *traffic = traffic_of(spec, network, 3, run);
        for (np_packet i = 0; i < np_traffic_packets(traffic); i++)
            if (np_traffic_sources(traffic)[i] == u)
                count[np_traffic_destinations(traffic)[i]]++;
        np_traffic_free(traffic);
    }
}

/*
 * Node 9 of 12 is in the group {8, .., 11} of four. Of 4000 packets each terminal that may be drawn gets its share,
 * within 5 standard deviations of a binomial; the others get none.
 */
static void test_groups(void **state)
{
    uint32_t count[64];
    np_network *ring = support_network("ring:12");
    (void)state;
    count_from("intra-group:4", ring, 9, 4000, count);
    for (np_node v = 0; v < 12; v++)
        assert_in_range(count[v], v < 8 ? 0 : 863, v < 8 ? 0 : 1137);
    count_from("inter-group:4", ring, 9, 4000, count);
    for (np_node v = 0; v < 12; v++)
        assert_in_range(count[v], v < 8 ? 395 : 0, v < 8 ? 605 : 0);
    np_network_free(ring);
}

/* Without a number the groups are those of the network: of 4 hosts of a dragonfly, of 2 of a switch. */
static void test_groups_of_a_network(void **state)
{
    static const struct {
        const char *network;
        np_node group;
    } cases[] = {{"dragonfly:a=2,p=2,h=1", 4}, {"ring:4@2", 2}};
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        np_network *network = support_network(cases[c].network);
        np_traffic *within = traffic_of("intra-group", network, 1, 0),
                   *across = traffic_of("inter-group", network, 1, 0);
        for (np_packet i = 0; i < np_traffic_packets(within); i++) {
            np_node first = np_network_output(network, 0), of = cases[c].group;
            np_node to = np_traffic_destinations(within)[i] - first, far = np_traffic_destinations(across)[i] - first;
            assert_int_equal(to / of, i / of);
            assert_int_not_equal(far / of, i / of);
        }
        np_traffic_free(within);
        np_traffic_free(across);
        np_network_free(network);
    }
}

/* Each of the 11 others sends in 3 of 11 runs, and none twice in one. */
static void test_incast(void **state)
{
    uint32_t count[12] = {0};
    np_network *ring = support_network("ring:12");
    np_traffic *all = traffic_of("incast:4", ring, 1, 0);
    (void)state;
    assert_int_equal(np_traffic_packets(all), 11);
    for (np_node i = 0; i < 11; i++) {
        assert_int_equal(np_traffic_sources(all)[i], i < 4 ? i : i + 1);
        assert_int_equal(np_traffic_destinations(all)[i], 4);
    }
    np_traffic_free(all);
    for (uint32_t run = 0; run < 4400; run++) {
        np_traffic *traffic = traffic_of("incast:4:3", ring, 1, run);
        assert_int_equal(np_traffic_packets(traffic), 3);
        for (np_packet i = 0; i < 3; i++) {
            assert_true(!i || np_traffic_sources(traffic)[i] > np_traffic_sources(traffic)[i - 1]);
            assert_int_equal(np_traffic_destinations(traffic)[i], 4);
            count[np_traffic_sources(traffic)[i]]++;
        }
        np_traffic_free(traffic);
    }
    for (np_node u = 0; u < 12; u++) /* 1200, within 5 standard deviations of 29.5 */
        assert_in_range(count[u], u == 4 ? 0 : 1052, u == 4 ? 0 : 1348);
    np_network_free(ring);
}

/* How far apart places x and y of a line are. */
static unsigned apart(unsigned x, unsigned y, unsigned side, bool closed)
{
    unsigned by = x > y ? x - y : y - x;
    return closed && side - by < by ? side - by : by;
}

/* By the definition, over all pairs: neighbours differ by 1 in one dimension, or by at most 1 in all. */
static void test_stencil(void **state)
{
    static const struct {
        const char *network, *spec;
        unsigned side[3], each;
        bool closed, full;
    } cases[] = {
        {"hypercube:6", "stencil:mesh:8x8", {1, 8, 8}, 1, false, false},
        {"hypercube:6", "stencil:torus:16x4:5", {1, 16, 4}, 1, true, false},
        {"hypercube:6", "stencil:torus:4x2x8", {4, 2, 8}, 1, true, false},
        {"hypercube:6", "stencil:mesh:2x8x4:27", {2, 8, 4}, 1, false, true},
        {"hypercube:6", "stencil:torus:2x8x4:27", {2, 8, 4}, 1, true, true},
        {"hypercube:6", "stencil:torus:64:3", {1, 1, 64}, 1, true, false},
        {"torus:3x5", "stencil", {1, 3, 5}, 1, true, false},
        {"mesh:3x5", "stencil", {1, 3, 5}, 1, false, false},
        {"array:7", "stencil", {1, 1, 7}, 1, false, false},
        {"mesh:3x5@2", "stencil", {1, 3, 5}, 2, false, false},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        np_network *network = support_network(cases[c].network);
        np_traffic *traffic = traffic_of(cases[c].spec, network, 1, 0);
        const unsigned *side = cases[c].side, each = cases[c].each;
        np_node first = np_network_output(network, 0), nodes = np_network_terminals(network);
        uint8_t *sent = calloc((size_t)nodes * nodes, 1);
        for (np_packet i = 0; i < np_traffic_packets(traffic); i++)
            sent[(np_traffic_sources(traffic)[i] - first) * nodes + np_traffic_destinations(traffic)[i] - first]++;
        for (np_node u = 0; u < nodes; u++)
            for (np_node v = 0; v < nodes; v++) {
                unsigned most = 0, sum = 0, x = u / each, y = v / each;
                for (unsigned d = 3; d-- > 0; x /= side[d], y /= side[d]) {
                    unsigned by = apart(x % side[d], y % side[d], side[d], cases[c].closed);
                    most = by > most ? by : most;
                    sum += by;
                }
                bool near = u % each == v % each && (cases[c].full ? most == 1 : sum == 1);
                assert_int_equal(sent[u * nodes + v], near);
            }
        free(sent);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

static bool same(const np_traffic *a, const np_traffic *b)
{
    return a->packets == b->packets && !memcmp(a->source, b->source, a->packets * sizeof *a->source) &&
           !memcmp(a->destination, b->destination, a->packets * sizeof *a->destination);
}

/* The same for the same (seed, run), and different when either differs. */
static void test_random_is_a_function_of_seed_and_run(void **state)
{
    static const char *const specs[] = {"random",        "random-function:2", "h-relation:3",  "partial:0.5",
                                        "hotspot:3:0.5", "intra-group:8",     "inter-group:8", "incast:3:20"};
    np_network *cube = support_network("hypercube:6");
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_traffic *a = traffic_of(specs[i], cube, 7, 2), *b = traffic_of(specs[i], cube, 7, 2),
                   *c = traffic_of(specs[i], cube, 8, 2), *d = traffic_of(specs[i], cube, 7, 3);
        assert_true(same(a, b));
        assert_false(same(a, c));
        assert_false(same(a, d));
        np_traffic_free(a);
        np_traffic_free(b);
        np_traffic_free(c);
        np_traffic_free(d);
    }
    np_network_free(cube);
}

/*
 * All 24 permutations of 4 nodes over 24,000 runs: chi-square with 23 degrees
 * of freedom exceeds 64 with probability 1e-5; the seed is fixed.
 */
static void test_random_permutations_are_uniform(void **state)
{
    np_network *cube = support_network("hypercube:2");
    uint32_t count[256] = {0};
    double chi = 0;
    int kinds = 0;
    (void)state;
    for (uint32_t run = 0; run < 24000; run++) {
        np_traffic *traffic = traffic_of("random", cube, 1, run);
        const np_node *v = np_traffic_destinations(traffic);
        count[((v[0] * 4 + v[1]) * 4 + v[2]) * 4 + v[3]]++;
        np_traffic_free(traffic);
    }
    for (int i = 0; i < 256; i++)
        if (count[i]) {
            kinds++;
            chi += (count[i] - 1000.0) * (count[i] - 1000.0) / 1000.0;
        }
    assert_int_equal(kinds, 24);
    assert_true(chi < 64);
    np_network_free(cube);
}

static void test_h_relation(void **state)
{
    np_network *cube = support_network("hypercube:5");
    np_traffic *traffic = traffic_of("h-relation:3", cube, 1, 0);
    uint32_t received[32] = {0}, h, alike = 0;
    (void)state;
    assert_int_equal(np_traffic_packets(traffic), 96);
    for (uint32_t i = 0; i < 96; i++) {
        assert_int_equal(np_traffic_sources(traffic)[i], i / 3);
        received[np_traffic_destinations(traffic)[i]]++;
        alike += i % 3 && np_traffic_destinations(traffic)[i] == np_traffic_destinations(traffic)[i - 1];
    }
    for (int v = 0; v < 32; v++)
        assert_int_equal(received[v], 3);
    assert_true(alike < 16); /* the permutations are not one and the same: 2 expected */
    assert_ok(np_traffic_relation(traffic, cube, &h));
    assert_int_equal(h, 3);
    np_traffic_free(traffic);
    np_network_free(cube);
}

static void test_random_function(void **state)
{
    np_network *cube = support_network("hypercube:6");
    np_traffic *one = traffic_of("random-function", cube, 1, 0), *four = traffic_of("random-function:4", cube, 1, 0);
    uint32_t received[64] = {0}, missed = 0, h;
    (void)state;
    assert_int_equal(np_traffic_packets(one), 64);
    assert_int_equal(np_traffic_packets(four), 256);
    for (uint32_t i = 0; i < 256; i++)
        assert_int_equal(np_traffic_sources(four)[i], i / 4);
    for (uint32_t i = 0; i < 64; i++)
        received[np_traffic_destinations(one)[i]]++;
    for (uint32_t v = 0; v < 64; v++)
        missed += !received[v];
    assert_in_range(missed, 12, 36); /* 64/e = 23.5 expected, deviation 2.9 */
    assert_ok(np_traffic_relation(one, cube, &h));
    assert_true(h > 1);
    np_traffic_free(one);
    np_traffic_free(four);
    np_network_free(cube);
}

/* A part of the permutation that `random` draws, in ascending order of sources. */
static void test_partial(void **state)
{
    static const struct {
        const char *spec;
        uint32_t packets;
    } cases[] = {{"partial:0", 0},        {"partial:0.5", 16}, {"partial:0.333", 11}, {"partial:0.015624", 0},
                 {"partial:0.015625", 1}, {"partial:1", 32},   {"partial:1.0", 32}};
    np_network *cube = support_network("hypercube:5");
    np_traffic *whole = traffic_of("random", cube, 4, 1);
    uint32_t h;
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        np_traffic *part = traffic_of(cases[c].spec, cube, 4, 1);
        assert_int_equal(np_traffic_packets(part), cases[c].packets);
        for (uint32_t i = 0; i < part->packets; i++) {
            assert_true(!i || part->source[i] > part->source[i - 1]);
            assert_int_equal(part->destination[i], whole->destination[part->source[i]]);
        }
        assert_ok(np_traffic_relation(part, cube, &h));
        assert_int_equal(h, cases[c].packets > 0);
        np_traffic_free(part);
    }
    np_traffic_free(whole);
    np_network_free(cube);
}

static void test_hotspot(void **state)
{
    np_network *cube = support_network("hypercube:10");
    np_traffic *all = traffic_of("hotspot:1023", cube, 1, 0), *some = traffic_of("hotspot:5:0.25", cube, 1, 0);
    uint32_t hot = 0, h;
    (void)state;
    for (uint32_t u = 0; u < 1024; u++) {
        assert_int_equal(np_traffic_sources(some)[u], u);
        assert_int_equal(np_traffic_destinations(all)[u], 1023);
        hot += np_traffic_destinations(some)[u] == 5;
    }
    assert_in_range(hot, 256 - 70, 256 + 70); /* five deviations of sqrt(1024 / 4 * 3 / 4) = 14 */
    assert_ok(np_traffic_relation(all, cube, &h));
    assert_int_equal(h, 1024);
    np_traffic_free(all);
    np_traffic_free(some);
    np_network_free(cube);
}

/* Copies follow one another and are those of the traffic that is named, priorities and all. */
static void test_repeat(void **state)
{
    np_network *cube = support_network("hypercube:6");
    char *path = support_file("0 9\n3 1 2 7\n"), spec[128];
    np_traffic *once = traffic_of("random", cube, 5, 2), *thrice = traffic_of("repeat:3:random", cube, 5, 2);
    (void)state;
    assert_int_equal(np_traffic_packets(thrice), 192);
    for (np_packet p = 0; p < 192; p++) {
        assert_int_equal(np_traffic_sources(thrice)[p], np_traffic_sources(once)[p / 3]);
        assert_int_equal(np_traffic_destinations(thrice)[p], np_traffic_destinations(once)[p / 3]);
    }
    assert_null(np_traffic_priorities(thrice));
    np_traffic_free(once);
    np_traffic_free(thrice);
    snprintf(spec, sizeof spec, "repeat:2:file:%s", path);
    np_traffic *file = traffic_of(spec, cube, 1, 0);
    assert_int_equal(np_traffic_packets(file), 6);
    for (np_packet p = 0; p < 6; p++) {
        assert_int_equal(np_traffic_sources(file)[p], p < 2 ? 0 : 3);
        assert_int_equal(np_traffic_priorities(file)[p], p < 2 ? 0 : 7);
    }
    np_traffic_free(file);
    remove(path);
    free(path);
    np_network_free(cube);
}

static void test_estimate_tells_packets_and_randomness(void **state)
{
    static const struct {
        const char *spec;
        uint64_t packets;
        bool random;
    } cases[] = {{"identity", 64, false},
                 {"random", 64, true},
                 {"h-relation:5", 320, true},
                 {"all-to-all", 4032, false},
                 {"hotspot:0", 64, false},
                 {"hotspot:0:0.5", 64, true},
                 {"partial:0.25", 16, true},
                 {"random-function", 64, true},
                 {"file:no/such/file", 0, false},
                 {"repeat:3:random", 192, true},
                 {"repeat:2:identity", 128, false},
                 {"repeat:5:hotspot:0", 320, false},
                 {"repeat:2:file:no/such/file", 0, false},
                 {"intra-group:8", 64, true},
                 {"inter-group:32", 64, true},
                 {"incast:5", 63, false},
                 {"incast:5:7", 7, true},
                 {"stencil:mesh:8x8", 224, false},
                 {"stencil:mesh:8x8:9", 420, false},
                 {"stencil:torus:8x8", 256, false},
                 {"stencil:torus:4x4x4:27", 1664, false},
                 {"stencil:torus:2x32", 192, false}};
    np_network *cube = support_network("hypercube:6");
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint64_t packets;
        bool random;
        assert_ok(np_traffic_estimate(cases[c].spec, cube, &packets, &random));
        assert_int_equal(packets, cases[c].packets);
        assert_int_equal(random, cases[c].random);
    }
    np_network_free(cube);
}

static void test_bad_specs_are_refused_with_the_nearest(void **state)
{
    static const struct {
        const char *spec;
        np_status status;
        const char *message;
    } cases[] = {
        {"", NP_ERROR_INPUT, "choose from"},
        {"bitreversal", NP_ERROR_INPUT, "did you mean 'bit-reversal'"},
        {"transposed:3", NP_ERROR_INPUT, "did you mean 'transpose'"},
        {"identity:", NP_ERROR_INPUT, "takes no parameters: write identity"},
        {"random:3", NP_ERROR_INPUT, "takes no parameters"},
        {"rotation", NP_ERROR_INPUT, "lacks the distance K: write rotation:0"},
        {"rotation:64", NP_ERROR_INPUT, "try rotation:63"},
        {"rotation:-1", NP_ERROR_INPUT, "whole number"},
        {"rotation:99999999999999999999", NP_ERROR_INPUT, "whole number in 0..63"},
        {"h-relation", NP_ERROR_INPUT, "write h-relation:1"},
        {"h-relation:0", NP_ERROR_INPUT, "try h-relation:1"},
        {"h-relation:40000000", NP_ERROR_INPUT, "try h-relation:33554431"},
        {"random-function:", NP_ERROR_INPUT, "whole number"},
        {"partial", NP_ERROR_INPUT, "partial:0.5"},
        {"partial:1.1", NP_ERROR_INPUT, "try 1"},
        {"partial:2", NP_ERROR_INPUT, "try 1"},
        {"partial:.5", NP_ERROR_INPUT, "0..1"},
        {"partial:0.", NP_ERROR_INPUT, "0..1"},
        {"partial:0.1234567891", NP_ERROR_INPUT, "at most 9 decimals"},
        {"partial:half", NP_ERROR_INPUT, "'half'"},
        {"hotspot", NP_ERROR_INPUT, "hotspot:0"},
        {"hotspot:64", NP_ERROR_INPUT, "try hotspot:63"},
        {"hotspot:1:x", NP_ERROR_INPUT, "share 'x'"},
        {"hotspot:1x", NP_ERROR_INPUT, "hotspot:0:0.5"},
        {"intra-group", NP_ERROR_APPLY, "has no groups of its own: say how many nodes one has, as in intra-group:64"},
        {"intra-group:0", NP_ERROR_INPUT, "must be 1..64"},
        {"intra-group:12", NP_ERROR_INPUT, "no whole number of groups: try intra-group:8"},
        {"inter-group:64", NP_ERROR_INPUT, "must be 1..32"},
        {"incast", NP_ERROR_INPUT, "write incast:0"},
        {"incast:64", NP_ERROR_INPUT, "try incast:63"},
        {"incast:3:64", NP_ERROR_INPUT, "the senders '64' must be a whole number in 1..63"},
        {"incast:3:0.5", NP_ERROR_INPUT, "the senders '0.5'"},
        {"incast:3x", NP_ERROR_INPUT, "a number of senders, as in incast:0:8"},
        {"stencil", NP_ERROR_APPLY, "no grid: write one of its 64 nodes, as in stencil:torus:64"},
        {"stencil:8x8", NP_ERROR_INPUT, "as in stencil:mesh:8x8"},
        {"stencil:mesh:8x9", NP_ERROR_INPUT, "the grid has more than 64 places"},
        {"stencil:mesh:8x7", NP_ERROR_INPUT, "the grid has 56 places, and hypercube:6 has 64 nodes"},
        {"stencil:mesh:64x1", NP_ERROR_INPUT, "as in stencil:mesh:8x8"},
        {"stencil:mesh:8x8:7", NP_ERROR_INPUT, "a stencil of 7 points: in 2 dimensions it has 5 or 9"},
        {"stencil:mesh:8x8:", NP_ERROR_INPUT, "as in stencil:mesh:8x8"},
        {"stencil:torus:8x8:fail=0.1", NP_ERROR_INPUT, "as in stencil:mesh:8x8"},
        {"file", NP_ERROR_INPUT, "file:PATH"},
        {"file:", NP_ERROR_INPUT, "file:PATH"},
        {"repeat", NP_ERROR_INPUT, "repeat:4:transpose"},
        {"repeat:3", NP_ERROR_INPUT, "repeat:4:transpose"},
        {"repeat:3:", NP_ERROR_INPUT, "repeat:4:transpose"},
        {"repeat:x:random", NP_ERROR_INPUT, "repeat:4:transpose"},
        {"repeat:0:random", NP_ERROR_INPUT, "try repeat:1:random"},
        {"repeat:3:randon", NP_ERROR_INPUT, "did you mean 'random'"},
        {"repeat:2:repeat:2:random", NP_ERROR_INPUT, "write their product"},
        {"repeat:40000000:random", NP_ERROR_LIMIT, "try repeat:33554431:random"},
        {"repeat:4294967297:file:no/such/file", NP_ERROR_LIMIT, "try repeat:2147483646:file:"},
    };
    np_network *cube = support_network("hypercube:6");
    np_traffic *traffic;
    uint64_t packets;
    bool random;
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        assert_refused(np_traffic_create(cases[c].spec, cube, 1, 0, &traffic), cases[c].status, cases[c].message);
        assert_null(traffic);
        assert_refused(np_traffic_estimate(cases[c].spec, cube, &packets, &random), cases[c].status, cases[c].message);
    }
    np_network_free(cube);
}

/* What a refusal says to write is taken: node 0 of a network with hosts is a switch. */
static void test_advice_names_a_terminal(void **state)
{
    np_network *mesh = support_network("mesh:2x2@1");
    np_traffic *traffic;
    (void)state;
    assert_refused(np_traffic_create("incast", mesh, 1, 0, &traffic), NP_ERROR_INPUT, "write incast:s0.h0,");
    assert_refused(np_traffic_create("hotspot", mesh, 1, 0, &traffic), NP_ERROR_INPUT, "write hotspot:s0.h0 or");
    assert_ok(np_traffic_create("incast:s0.h0", mesh, 1, 0, &traffic));
    np_traffic_free(traffic);
    np_network_free(mesh);
}

static void test_too_many_packets_are_refused_before_allocation(void **state)
{
    np_network *cube = support_network("hypercube:16");
    np_traffic *traffic;
    (void)state;
    assert_refused(np_traffic_create("all-to-all", cube, 1, 0, &traffic), NP_ERROR_LIMIT, "4294901760 packets");
    np_network_free(cube);
}

static void test_arrays(void **state)
{
    np_network *cube = support_network("hypercube:2");
    np_node source[] = {0, 0, 3}, destination[] = {1, 2, 2}, far[] = {1, 4, 2};
    uint32_t priority[] = {5, 6, 7}, h;
    np_traffic *traffic;
    (void)state;
    assert_ok(np_traffic_from_arrays(cube, 3, source, destination, priority, &traffic));
    source[0] = 9; /* copied */
    assert_int_equal(np_traffic_sources(traffic)[0], 0);
    assert_int_equal(np_traffic_destinations(traffic)[2], 2);
    assert_int_equal(np_traffic_priorities(traffic)[1], 6);
    assert_string_equal(np_traffic_spec(traffic), "arrays");
    assert_ok(np_traffic_relation(traffic, cube, &h));
    assert_int_equal(h, 2);
    np_traffic_free(traffic);
    source[0] = 0;
    assert_refused(np_traffic_from_arrays(cube, 3, source, far, NULL, &traffic), NP_ERROR_INPUT,
                   "packet 1 goes from 0 to 4");
    assert_refused(np_traffic_from_arrays(cube, 1, source, far + 1, NULL, &traffic), NP_ERROR_INPUT,
                   "packet 0 goes from 0 to 4");
    assert_refused(np_traffic_from_arrays(cube, (size_t)1 << 31, source, far, NULL, &traffic), NP_ERROR_LIMIT,
                   "2147483648 packets");
    assert_ok(np_traffic_from_arrays(cube, 0, NULL, NULL, NULL, &traffic));
    assert_null(np_traffic_priorities(traffic));
    assert_ok(np_traffic_relation(traffic, cube, &h));
    assert_int_equal(h, 0);
    np_traffic_free(traffic);
    np_traffic_free(NULL);
    np_network_free(cube);
}

/* Traffic of a larger network is refused wherever a call takes traffic. */
static void test_of_another_network(void **state)
{
    static const char text[] = "packet 4 goes from 4 to 4: hypercube:2 has nodes 0..3";
    np_network *cube = support_network("hypercube:2"), *large = support_network("hypercube:3");
    char *file = support_file("");
    np_traffic *traffic;
    uint32_t h;
    (void)state;
    assert_ok(np_traffic_create("identity", large, 1, 0, &traffic));
    assert_refused(np_traffic_relation(traffic, cube, &h), NP_ERROR_INPUT, text);

    np_route_options route;
    np_route_result *routed;
    np_route_options_init(&route);
    assert_refused(np_route_traffic(cube, traffic, &route, &routed), NP_ERROR_INPUT, text);

    np_ranking_options rank;
    np_ranking *ranking;
    np_ranking_options_init(&rank);
    assert_refused(np_ranking_find_traffic(cube, traffic, &rank, &ranking), NP_ERROR_INPUT, text);

    np_offline_options schedule;
    np_offline *offline;
    np_offline_options_init(&schedule);
    assert_refused(np_offline_find_traffic(cube, traffic, &schedule, &offline), NP_ERROR_INPUT, text);
    schedule.file = file;
    assert_refused(np_offline_find_traffic(cube, traffic, &schedule, &offline), NP_ERROR_INPUT, text);

    np_collective_options collective;
    np_collective_result *done;
    np_collective_options_init(&collective);
    collective.packets = traffic;
    assert_refused(np_collective(cube, "permutation", &collective, &done), NP_ERROR_INPUT, text);

    np_universal_options universal;
    np_universal_result *simulated;
    np_universal_options_init(&universal);
    universal.packets = traffic;
    assert_refused(np_universal_simulate(cube, &universal, &simulated), NP_ERROR_INPUT, text);

    np_embedding *embedding;
    np_embedding_run_options run;
    np_embedding_run_result *full;
    np_embedding_guest_options guest;
    np_embedding_guest_result guested;
    np_embedding_run_options_init(&run);
    assert_ok(np_embedding_create(NULL, cube, cube, 0, &embedding));
    assert_ok(np_embedding_run(embedding, &run, &full));
    np_embedding_guest_options_init(&guest);
    guest.packets = traffic;
    assert_refused(np_embedding_run_guest(embedding, full, &guest, &guested), NP_ERROR_INPUT, text);
    guest.file = file;
    assert_refused(np_embedding_run_guest(embedding, full, &guest, &guested), NP_ERROR_INPUT, text);
    np_embedding_run_result_free(full);
    np_embedding_free(embedding);

    unlink(file);
    free(file);
    np_traffic_free(traffic);
    np_network_free(cube);
    np_network_free(large);
}

/* Traffic of a smaller network, whose nodes all are there, is routed. */
static void test_of_a_smaller_network(void **state)
{
    np_network *cube = support_network("hypercube:3"), *small = support_network("hypercube:2");
    np_traffic *traffic;
    np_route_options options;
    np_route_result *result;
    (void)state;
    assert_ok(np_traffic_create("transpose", small, 1, 0, &traffic));
    np_route_options_init(&options);
    assert_ok(np_route_traffic(cube, traffic, &options, &result));
    assert_int_equal(result->packets, 4);
    np_route_result_free(result);
    np_traffic_free(traffic);
    np_network_free(small);
    np_network_free(cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits_are_bits),
        cmocka_unit_test(test_digits_of_the_shuffle),
        cmocka_unit_test(test_digits_refused),
        cmocka_unit_test(test_transpose_of_grids),
        cmocka_unit_test(test_tornado),
        cmocka_unit_test(test_identity_complement_rotation),
        cmocka_unit_test(test_all_to_all),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_groups_of_a_network),
        cmocka_unit_test(test_incast),
        cmocka_unit_test(test_stencil),
        cmocka_unit_test(test_random_is_a_function_of_seed_and_run),
        cmocka_unit_test(test_random_permutations_are_uniform),
        cmocka_unit_test(test_h_relation),
        cmocka_unit_test(test_random_function),
        cmocka_unit_test(test_partial),
        cmocka_unit_test(test_hotspot),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_estimate_tells_packets_and_randomness),
        cmocka_unit_test(test_bad_specs_are_refused_with_the_nearest),
        cmocka_unit_test(test_too_many_packets_are_refused_before_allocation),
        cmocka_unit_test(test_advice_names_a_terminal),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_of_another_network),
        cmocka_unit_test(test_of_a_smaller_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
