/* The checkers of the proof's properties, on rules that have them and rules that have not. */
#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "netpram/theory.h"
#include "model/path/path.h"

enum { ROUTE_MAX = 64 };

/*
 * The 2-way shuffle with 2^3 nodes: port p of x leads to p x^1 x^2 (drop the
 * last bit). Two rules go from u to v by inserting bits of v, the last first:
 *   all 3 of them                    010 -> 101 -> 010 -> 101: repeats 010 -> 101
 *   the fewest that are enough       010 -> 101
 */
enum { BITS = 3 };

static void shuffle_heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    (void)network;
    for (size_t i = 0; i < count; i++)
        head[i] = (link[i] & 1) << (BITS - 1) | link[i] >> 2;
}

static const np_network_family shuffle_family = {.info = {.name = "imitation"}, .heads = shuffle_heads};

static np_network shuffle_network(void)
{
    return (np_network){.family = &shuffle_family,
                        .nodes = 1 << BITS,
                        .terminals = 1 << BITS,
                        .input_nodes = 1 << BITS,
                        .ports = 2,
                        .link_numbers = 2 << BITS,
                        .links = 2 << BITS,
                        .by_ports = np_divider_of(2)};
}

static void start_full(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                       const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)path, (void)draws, (void)packet, (void)at;
    for (size_t i = 0; i < count; i++)
        ticket[i] = (np_ticket)BITS << 32 | to[i];
}

static void start_shortest(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                           const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)path, (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++) {
        unsigned k = 0;
        while (at[i] >> k != (to[i] & ((1U << (BITS - k)) - 1)))
            k++;
        ticket[i] = (np_ticket)k << 32 | to[i] >> (BITS - k);
    }
}

static void next_bit(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++) {
        uint64_t left = ticket[i] >> 32, bits = (uint32_t)ticket[i];
        port[i] = left ? bits & 1 : NP_NONE;
        ticket[i] = left ? (left - 1) << 32 | bits >> 1 : 0;
    }
}

static void remaining_bits(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                           uint32_t *hops)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = (uint32_t)(ticket[i] >> 32);
}

static const np_path_rule full = {
    .info = {.name = "full"}, .start = start_full, .next = next_bit, .remaining = remaining_bits};
static const np_path_rule shortest = {
    .info = {.name = "shortest"}, .start = start_shortest, .next = next_bit, .remaining = remaining_bits};

/* The definition of section 2, read aloud, for two routes. */
static bool pair_is_nonrepeating(const np_link *e, size_t r, const np_link *f, size_t s)
{
    for (size_t i = 0; i < r; i++)
        for (size_t k = i + 1; k < r; k++)
            for (size_t j = 0; j < s; j++)
                for (size_t m = 0; m < s; m++) {
                    if (e[i] != f[j] || e[k] != f[m])
                        continue;
                    if ((long)k - (long)i != (long)m - (long)j)
                        return false;
                    for (size_t p = i; p <= k; p++)
                        if (e[p] != f[p + j - i])
                            return false;
                }
    return true;
}

static size_t walk(const np_path *path, const np_check_options *options, np_check_route route, np_link *links)
{
    size_t hops;
    assert_ok(np_path_walk(path, route.from, route.to, options->seed, 0, (uint16_t)options->phase, route.packet,
                           ROUTE_MAX, links, &hops));
    return hops;
}

/* All pairs of all routes, by the definition. */
static bool oracle_nonrepeating(const np_path *path, const np_check_options *options)
{
    np_node nodes = np_network_nodes(path->network);
    for (uint32_t a = 0; a < nodes * nodes; a++)
        for (uint32_t b = 0; b < nodes * nodes; b++) {
            np_link one[ROUTE_MAX], other[ROUTE_MAX];
            size_t r = walk(path, options, (np_check_route){a / nodes, a % nodes, a}, one);
            size_t s = walk(path, options, (np_check_route){b / nodes, b % nodes, b}, other);
            if (!pair_is_nonrepeating(one, r, other, s))
                return false;
        }
    return true;
}

static void assert_witness(const np_path *path, const np_check_options *options,
                           const np_check_nonrepeating_result *result)
{
    np_link one[ROUTE_MAX], other[ROUTE_MAX];
    size_t r = walk(path, options, result->one, one), s = walk(path, options, result->other, other);
    assert_true(result->k < r && result->m < s && result->i < result->k);
    assert_int_equal(one[result->i], result->first);
    assert_int_equal(other[result->j], result->first);
    assert_int_equal(one[result->k], result->second);
    assert_int_equal(other[result->m], result->second);
    assert_false(pair_is_nonrepeating(one, r, other, s));
    /* These very positions show it. */
    bool aligned = result->k - result->i == result->m - result->j, same = true;
    for (uint32_t p = result->i; aligned && p <= result->k; p++)
        same = same && one[p] == other[p + result->j - result->i];
    assert_false(aligned && same);
}

static void cube_in_order(void **state)
{
    static const char *const specs[] = {"hypercube:1", "hypercube:3", "hypercube:6"};
    (void)state;
    for (size_t s = 0; s < 3; s++)
        for (int phase = NP_CHECK_TO_RANDOM; phase <= NP_CHECK_FROM_RANDOM; phase++) {
            np_network *network = support_network(specs[s]);
            np_check_nonrepeating_result repeat;
            np_check_symmetric_result symmetry;
            np_check_options options;
            np_path *path;
            np_check_options_init(&options);
            options.phase = (np_check_phase)phase;
            assert_ok(np_path_create("dimension-order", network, &path));
            assert_ok(np_check_nonrepeating(path, &options, &repeat));
            assert_true(repeat.holds && repeat.holds_in_order && repeat.exhaustive);
            uint64_t nodes = np_network_nodes(network);
            assert_int_equal(repeat.routes, nodes * nodes);
            assert_int_equal(repeat.hops, nodes * nodes * np_network_ports(network) / 2);
            assert_ok(np_check_symmetric(path, &options, &symmetry));
            /* h/2 on every link, exactly */
            assert_true(symmetry.holds && symmetry.exact && symmetry.min == 0.5 && symmetry.max == 0.5 &&
                        symmetry.mean == 0.5);
            assert_int_equal(2 * symmetry.min_count, symmetry.denominator);
            assert_int_equal(symmetry.links, np_network_links(network));
            np_path_free(path);
            np_network_free(network);
        }
}

static void cube_in_random_order(void **state)
{
    np_network *network = support_network("hypercube:4");
    np_check_nonrepeating_result repeat;
    np_check_options options;
    np_path *path;
    (void)state;
    np_check_options_init(&options);
    assert_ok(np_path_create("random-order", network, &path));
    assert_ok(np_check_nonrepeating(path, NULL, &repeat));
    assert_false(repeat.holds);
    assert_false(repeat.exhaustive);
    assert_witness(path, &options, &repeat);
    np_path_free(path);
    np_network_free(network);
    /* With 2 dimensions two routes share at most one link, or are the same. */
    network = support_network("hypercube:2");
    assert_ok(np_path_create("random-order", network, &path));
    assert_ok(np_check_nonrepeating(path, NULL, &repeat));
    assert_true(repeat.holds);
    np_path_free(path);
    np_network_free(network);
}

/* CUBESS is nonrepeating: 65536 random routes show no counter-example. */
static void cube_in_cyclic_order(void **state)
{
    np_network *network = support_network("hypercube:6");
    np_check_nonrepeating_result repeat;
    np_path *path;
    (void)state;
    assert_ok(np_path_create("cyclic-order", network, &path));
    assert_ok(np_check_nonrepeating(path, NULL, &repeat));
    assert_true(repeat.holds && !repeat.exhaustive && repeat.routes == 65536);
    np_path_free(path);
    np_network_free(network);
}

static void shuffles(void **state)
{
    np_network network = shuffle_network();
    np_path by_full = {.rule = &full, .network = &network}, by_shortest = {.rule = &shortest, .network = &network};
    np_check_nonrepeating_result repeat;
    np_check_symmetric_result symmetry;
    np_check_options options;
    (void)state;
    np_check_options_init(&options);

    assert_ok(np_check_nonrepeating(&by_full, &options, &repeat));
    assert_false(repeat.holds);
    assert_witness(&by_full, &options, &repeat);
    assert_false(oracle_nonrepeating(&by_full, &options));

    /*
     * Section 6 calls the modified scheme nonrepeating. Two shortest routes do
     * not part and meet again, but by the letter of section 2 it is not: both
     *   110 -> 011 -> 001 -> 100 and 001 -> 100 -> 110 -> 011
     * use 110 -> 011 and 001 -> 100, in opposite orders.
     */
    assert_ok(np_check_nonrepeating(&by_shortest, &options, &repeat));
    assert_true(repeat.holds_in_order && repeat.exhaustive);
    assert_false(repeat.holds);
    assert_true(repeat.m < repeat.j);
    assert_witness(&by_shortest, &options, &repeat);
    assert_false(oracle_nonrepeating(&by_shortest, &options));

    /*
     * Neither is symmetric (section 6). Shortest: nobody takes the self-loop
     * of 000. Full: a route is a string v1 v2 v3 u1 u2 u3, a link 4 neighbours
     * in it: 3 places, 4 strings each, 12 routes a link; but only 8 of the 64
     * strings contain 0000, since it overlaps itself.
     */
    assert_ok(np_check_symmetric(&by_shortest, &options, &symmetry));
    assert_true(symmetry.exact && !symmetry.holds && symmetry.min == 0);
    assert_int_equal(np_network_link_head(&network, symmetry.min_link), symmetry.min_link / 2);
    assert_ok(np_check_symmetric(&by_full, &options, &symmetry));
    assert_true(symmetry.exact && !symmetry.holds);
    assert_int_equal(symmetry.max_count, 12);
    assert_int_equal(symmetry.min_count, 8);
    assert_int_equal(symmetry.min_link, 0);
    assert_int_equal(symmetry.denominator, 8);
}

/*
 * The rules of the library on small networks of theirs, exhaustively. Traffic is in routes over a link, of all N^2
 * pairs: the expected traffic times N.
 */
static const struct known {
    const char *spec, *rule;
    bool nonrepeating, in_order, symmetric;
    uint64_t min, max;
} known[] = {
    /*
     * Section 4: routes that part differ in the dimension where they part for ever. 1/2 on every link (h/2): of the
     * N^2 pairs those cross link (u, v) of dimension i whose source agrees with u from i on and whose destination
     * agrees with v up to i, 2^(i-1) 2^(n-i) = N/2.
     */
    {"hypercube:1", "dimension-order", true, true, true, 1, 1},
    {"hypercube:5", "dimension-order", true, true, true, 16, 16},
    {"hypercube:7", "dimension-order", true, true, true, 64, 64},
    /*
     * Section 6, all n shifts. A route is a string v1 .. vn u1 .. un, a link n+1 neighbours in it: at n places,
     * d^(n-1) strings each; fewer where the link overlaps itself. Least on the self-loops: a run of n+1 equal digits
     * is in d^(n-1) + (n-1) (d-1) d^(n-2) strings. Packets from 0 to 0 go round the self-loop n times.
     */
    {"shuffle:2x3", "full-shift", false, false, false, 8, 12},
    {"shuffle:2x5", "full-shift", false, false, false, 48, 80},
    {"shuffle:3x3", "full-shift", false, false, false, 21, 27},
    /*
     * Section 6, shortest. Nobody takes a self-loop: not symmetric. At most one path of each length between two
     * nodes: routes that part do not meet again further on. But from 8 nodes on (n >= 3) two may use two links in
     * opposite orders, see shuffles() above. With n = 2 both would have two hops, e f = x -> y -> x and back again: no
     * shortest route.
     */
    {"shuffle:2x2", "shortest-shift", true, true, false, 0, 3},
    {"shuffle:4x2", "shortest-shift", true, true, false, 0, 9},
    {"shuffle:2x3", "shortest-shift", false, true, false, 0, 11},
    {"shuffle:3x3", "shortest-shift", false, true, false, 0, 31},
    /*
     * All nodes look alike, so links do that have the same port; but the clockwise ones (port 0) serve the first part
     * of routes and half of the last, the others (port 1) only half of the last. From s = 4 on one route goes round
     * its cycle 2 -> 3 -> 0 -> 1, another 0 -> 1 -> 2 -> 3: links (2,3) and (0,1) in opposite orders.
     */
    {"ccc:3", "clockwise", true, true, false, 8, 38},
    {"ccc:4", "clockwise", false, true, false, 16, 184},
    {"ccc:5", "clockwise", false, true, false, 96, 586},
    /* n shuffles, n 2^n routes over the shuffle of a node that meets no cycle; exchanges at half of the stages. */
    {"shuffle-exchange:3", "stages", false, false, false, 11, 24},
    {"shuffle-exchange:5", "stages", false, false, false, 68, 160},
    /*
     * Grids: routes that part differ, for ever, in the dimension that one of them has finished; and links of a
     * dimension are used in one direction, so never in opposite orders. Link i -> i+1 of a line of n nodes is on
     * (i+1) (n-1-i) of its pairs, times N/n: all the same iff all sides are 2, or all 3.
     */
    {"array:6", "dimension-order", true, true, false, 5, 9},
    {"mesh:5x4", "dimension-order", true, true, false, 15, 24},
    {"mesh:4x3x3", "dimension-order", true, true, false, 24, 36},
    {"mesh:2x2x2x2", "dimension-order", true, true, true, 8, 8},
    {"mesh:3x3x3", "dimension-order", true, true, true, 18, 18},
    /*
     * The shorter way round a ring of n covers at most n/2 links: if one route has e before f, another f before e,
     * together they would go round. Odd n: (n^2-1)/8 pairs over a link, either way, times N/n. Even n:
     * (n^2-2n)/8 over a link down and n/2 more up, since routes that are tied go up. So symmetric iff all sides are
     * odd and equal.
     */
    {"ring:7", "dimension-order", true, true, true, 6, 6},
    {"ring:6", "dimension-order", true, true, false, 3, 6},
    {"torus:5x5", "dimension-order", true, true, true, 15, 15},
    {"torus:4x4", "dimension-order", true, true, false, 4, 12},
    {"torus:5x3", "dimension-order", true, true, false, 5, 9},
    /* One hop: each link is on the route of its own ends. */
    {"complete:9", "direct", true, true, true, 1, 1},
};
enum { KNOWN = sizeof known / sizeof *known };

static void rules_of_the_library(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN; i++)
        for (int phase = NP_CHECK_TO_RANDOM; phase <= NP_CHECK_FROM_RANDOM; phase++) {
            const struct known *k = &known[i];
            np_network *network = support_network(k->spec);
            np_check_nonrepeating_result repeat;
            np_check_symmetric_result symmetry;
            np_check_options options;
            np_path *path;
            np_check_options_init(&options);
            options.phase = (np_check_phase)phase;
            assert_ok(np_path_create(k->rule, network, &path));
            assert_ok(np_check_nonrepeating(path, &options, &repeat));
            assert_ok(np_check_symmetric(path, &options, &symmetry));
            assert_true(repeat.exhaustive && symmetry.exact);
            if (repeat.holds != k->nonrepeating || repeat.holds_in_order != k->in_order ||
                symmetry.holds != k->symmetric || symmetry.min_count != k->min || symmetry.max_count != k->max)
                fail_msg("%s on %s: nonrepeating %d, in order %d, symmetric %d, %llu..%llu", k->rule, k->spec,
                         repeat.holds, repeat.holds_in_order, symmetry.holds, (unsigned long long)symmetry.min_count,
                         (unsigned long long)symmetry.max_count);
            assert_int_equal(symmetry.denominator, np_network_nodes(network));
            if (!repeat.holds)
                assert_witness(path, &options, &repeat);
            np_path_free(path);
            np_network_free(network);
        }
}

/* Rules that draw: the definitions by the letter on small networks, for one seed. */
static void rules_that_draw(void **state)
{
    static const struct {
        const char *spec, *rule;
        bool nonrepeating;
    } cases[] = {
        /* CUBESS: all cross the dimensions in one cyclic order, from random ones on; see src/verdict/bound/bound.c. */
        {"hypercube:3", "cyclic-order", true},
        {"hypercube:7", "cyclic-order", true},
        /* BASIC: 0 -> 16 -> {2 then 4, 4 then 2} -> 22 -> 30 part and meet. */
        {"hypercube:5", "random-order", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        np_check_nonrepeating_result repeat;
        np_check_symmetric_result symmetry;
        np_check_options options;
        np_path *path;
        np_check_options_init(&options);
        assert_ok(np_path_create(cases[i].rule, network, &path));
        assert_ok(np_check_nonrepeating(path, &options, &repeat));
        assert_true(repeat.holds == cases[i].nonrepeating && !repeat.exhaustive);
        if (!repeat.holds)
            assert_witness(path, &options, &repeat);
        /* Both are symmetric: their distribution of orders does not prefer a dimension, nor a direction in it. */
        assert_ok(np_check_symmetric(path, &options, &symmetry));
        assert_true(symmetry.holds && !symmetry.exact);
        assert_true(fabs(symmetry.mean - 0.5) < 0.05);
        np_path_free(path);
        np_network_free(network);
    }
}

/* Every rule of the library, in both kinds of phase, with every discipline twice. */
static void oblivious_rules(void **state)
{
    static const char *const specs[] = {"hypercube:5",        "hypercube:6",        "hypercube:6", "mesh:5x4x2",
                                        "torus:6x5",          "shuffle:3x4",        "shuffle:2x6", "ccc:4",
                                        "shuffle-exchange:6", "shuffle-exchange:6", "complete:20", "butterfly:3",
                                        "butterfly:3",        "hypercube:10"};
    static const char *const rules[] = {"dimension-order", "cyclic-order",    "random-order",   "dimension-order",
                                        "dimension-order", "full-shift",      "shortest-shift", "clockwise",
                                        "stages",          "shortest-stages", "direct",         "cayley",
                                        "all-pairs",       "random-order"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (int phase = NP_CHECK_TO_RANDOM; phase <= NP_CHECK_FROM_RANDOM; phase++) {
            np_network *network = support_network(specs[i]);
            uint64_t nodes = np_network_nodes(network);
            np_check_oblivious_result result;
            np_check_options options;
            np_path *path;
            np_check_options_init(&options);
            options.phase = (np_check_phase)phase;
            options.runs = 14;
            assert_ok(np_path_create(rules[i], network, &path));
            assert_ok(np_check_oblivious(path, &options, &result));
            assert_true(result.holds);
            assert_int_equal(result.runs, 14);
            /* With all packets, and with 0 .. N-1 of them. */
            assert_in_range(result.routes, 14 * nodes + 14 * nodes / 5, 28 * nodes);
            assert_true(result.hops > 0);
            np_path_free(path);
            np_network_free(network);
        }
}

/*
 * Three rules that look at the others, on the 4-cube. All cross the dimensions
 * that differ, in descending order of port when they see something, else
 * ascending: so they keep the contract of a rule for a packet alone.
 */
static bool seen; /* what a rule has no business to know */
static unsigned last_count;

static void start_mask(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                       const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)path, (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++)
        ticket[i] = at[i] ^ to[i];
    last_count = (unsigned)count;
}

static void cross(size_t count, np_ticket *ticket, np_port *port)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t mask = (uint32_t)ticket[i];
        unsigned bit = !mask ? 0 : seen ? (unsigned)__builtin_ctz(mask) : 31 - (unsigned)__builtin_clz(mask);
        port[i] = mask ? 3 - bit : NP_NONE;
        ticket[i] = mask & ~(1U << bit);
    }
}

/* Is another packet moving? */
static void next_if_alone(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    (void)path, (void)at;
    seen = count > 1;
    cross(count, ticket, port);
}

/* Has somebody been removed? Indistinguishable from an oblivious rule while all 16 or 1 are there. */
static void next_if_complete(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    (void)path, (void)at;
    seen = last_count > 1 && last_count < 16;
    cross(count, ticket, port);
}

/* In company, packets go back and forth over port 0 for ever: the check must end all the same. */
static void next_in_circles(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    (void)path, (void)at;
    seen = false;
    cross(count, ticket, port);
    for (size_t i = 0; last_count > 1 && i < count; i++)
        port[i] = 0;
}

static void remaining_mask(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                           uint32_t *hops)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = (uint32_t)__builtin_popcount((uint32_t)ticket[i]);
}

static np_check_oblivious_result check_peeking(void (*next)(const np_path *, size_t, const np_node *, np_ticket *,
                                                            np_port *))
{
    np_path_rule rule = {.info = {.name = "peeking"}, .start = start_mask, .next = next, .remaining = remaining_mask};
    np_network *network = support_network("hypercube:4");
    np_path path = {.rule = &rule, .network = network};
    np_check_oblivious_result result;
    np_link alone[ROUTE_MAX];
    size_t hops;
    assert_ok(np_check_oblivious(&path, NULL, &result));
    assert_false(result.holds);
    /* The witness: its route alone is as told, and the link it took instead differs. */
    assert_ok(np_path_walk(&path, result.route.from, result.route.to, 1, result.run, 0, result.route.packet, ROUTE_MAX,
                           alone, &hops));
    assert_true(result.hop <= hops && result.route.packet < result.present);
    assert_int_equal(result.alone, result.hop < hops ? alone[result.hop] : NP_NONE);
    assert_true(result.alone != result.together);
    np_network_free(network);
    return result;
}

static void rules_that_peek(void **state)
{
    np_check_oblivious_result result;
    (void)state;
    result = check_peeking(next_if_alone);
    assert_int_equal(result.present, 16);
    assert_int_equal(result.runs, 1);
    result = check_peeking(next_if_complete);
    assert_in_range(result.present, 2, 15);
    result = check_peeking(next_in_circles);
    assert_int_equal(result.present, 16);
    np_check_options options;
    np_network *network = support_network("hypercube:4");
    np_path *path;
    np_check_options_init(&options);
    options.runs = 0;
    assert_ok(np_path_create("dimension-order", network, &path));
    assert_refused(np_check_oblivious(path, &options, &result), NP_ERROR_INPUT, "runs 0");
    np_path_free(path);
    np_network_free(network);
}

/* Measured instead of enumerated: a rule that says it draws. */
static void measured_traffic(void **state)
{
    np_network shuffle = shuffle_network();
    np_path_rule draws = shortest;
    draws.randomized = true;
    np_path by_draws = {.rule = &draws, .network = &shuffle}, by_shortest = {.rule = &shortest, .network = &shuffle};
    np_check_symmetric_result measured, exact;
    np_check_options options;
    (void)state;
    np_check_options_init(&options);
    options.runs = 2000;
    assert_ok(np_check_symmetric(&by_draws, &options, &measured));
    assert_ok(np_check_symmetric(&by_shortest, &options, &exact));
    assert_true(!measured.exact && !measured.holds && measured.p < 1e-9);
    assert_true(measured.p == np_statistics_chi_square_tail(measured.statistic, 15));
    assert_true(measured.min == 0 && measured.links == 16 && measured.denominator == 2000);
    /* The mean of 2000 runs: standard deviation of the mean over links below 0.01. */
    assert_true(fabs(measured.mean - exact.mean) < 0.04);
    assert_true(fabs(measured.max - exact.max) < 0.1);
}

/* A symmetric phase is rejected at no more than about the error rate: 200 fixed seeds at 5%, expected 10 at most. */
static void error_rate_of_measuring(void **state)
{
    static const char *const rules[] = {"cyclic-order", "random-order"};
    np_network *network = support_network("hypercube:4");
    (void)state;
    for (int r = 0; r < 2; r++) {
        np_path *path;
        int rejected = 0;
        assert_ok(np_path_create(rules[r], network, &path));
        for (uint64_t seed = 0; seed < 200; seed++) {
            np_check_symmetric_result symmetry;
            np_check_options options;
            np_check_options_init(&options);
            options.seed = seed;
            options.runs = 20;
            options.error_rate = 0.05;
            options.phase = seed % 2 ? NP_CHECK_TO_RANDOM : NP_CHECK_FROM_RANDOM;
            assert_ok(np_check_symmetric(path, &options, &symmetry));
            assert_false(symmetry.exact);
            assert_true(symmetry.holds == (symmetry.p >= 0.05));
            assert_true(symmetry.p == np_statistics_chi_square_tail(symmetry.statistic, 63));
            rejected += !symmetry.holds;
        }
        assert_in_range(rejected, 0, 20);
        np_path_free(path);
    }
    np_network_free(network);
}

/* With little effort the checkers sample, and say so. */
static void little_effort(void **state)
{
    np_network *network = support_network("hypercube:6");
    np_check_nonrepeating_result repeat;
    np_check_symmetric_result symmetry;
    np_check_options options;
    np_path *path;
    (void)state;
    np_check_options_init(&options);
    options.effort = 5000; /* above 64^2 pairs, below their hops */
    assert_ok(np_path_create("dimension-order", network, &path));
    assert_ok(np_check_nonrepeating(path, &options, &repeat));
    assert_true(repeat.holds && !repeat.exhaustive && repeat.routes > 100 && repeat.routes < 1000);
    assert_ok(np_check_symmetric(path, &options, &symmetry));
    assert_true(symmetry.holds && !symmetry.exact && symmetry.denominator > 10 && symmetry.denominator < 200);
    options.runs = 0;
    assert_refused(np_check_symmetric(path, &options, &symmetry), NP_ERROR_INPUT, "runs 0");
    np_path_free(path);
    np_network_free(network);
}

static void no_memory(void **state)
{
    np_network network = shuffle_network();
    np_path path = {.rule = &full, .network = &network};
    np_check_nonrepeating_result repeat;
    np_check_symmetric_result symmetry;
    np_status st = NP_ERROR_MEMORY;
    long n;
    (void)state;
    for (n = 0; st; n++) {
        np_memory_fail_after(n + 1);
        st = np_check_nonrepeating(&path, NULL, &repeat);
        assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
    }
    assert_true(n > 5);
    st = NP_ERROR_MEMORY;
    for (n = 0; st; n++) {
        np_memory_fail_after(n + 1);
        st = np_check_symmetric(&path, NULL, &symmetry);
        assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
    }
    assert_true(n > 3);
    np_memory_fail_after(0);
    np_network *cube = support_network("hypercube:3");
    np_check_oblivious_result oblivious;
    np_check_options options;
    np_path *ascending;
    np_check_options_init(&options);
    options.runs = 2;
    assert_ok(np_path_create("dimension-order", cube, &ascending));
    st = NP_ERROR_MEMORY;
    for (n = 0; st; n++) {
        np_memory_fail_after(n + 1);
        st = np_check_oblivious(ascending, &options, &oblivious);
        assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
        assert_true(oblivious.holds == !st);
    }
    assert_true(n > 10);
    np_memory_fail_after(0);
    np_path_free(ascending);
    np_network_free(cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_in_order),        cmocka_unit_test(cube_in_random_order),
        cmocka_unit_test(cube_in_cyclic_order), cmocka_unit_test(shuffles),
        cmocka_unit_test(rules_of_the_library), cmocka_unit_test(rules_that_draw),
        cmocka_unit_test(oblivious_rules),      cmocka_unit_test(rules_that_peek),
        cmocka_unit_test(measured_traffic),     cmocka_unit_test(error_rate_of_measuring),
        cmocka_unit_test(little_effort),        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
