/* The checkers of the proof's properties, on rules that have them and rules that have not. */
#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "netpram/check.h"
#include "path/path.h"

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

static const np_network_family_ops shuffle_family = {.info = {.name = "imitation"}, .heads = shuffle_heads};

static np_network shuffle_network(void)
{
    return (np_network){.family = &shuffle_family,
                        .nodes = 1 << BITS,
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

static const np_path_rule_ops full = {
    .info = {.name = "full"}, .start = start_full, .next = next_bit, .remaining = remaining_bits};
static const np_path_rule_ops shortest = {
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

/* Measured instead of enumerated: a rule that says it draws. */
static void measured_traffic(void **state)
{
    np_network shuffle = shuffle_network();
    np_path_rule_ops draws = shortest;
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_in_order),        cmocka_unit_test(cube_in_random_order),
        cmocka_unit_test(cube_in_cyclic_order), cmocka_unit_test(shuffles),
        cmocka_unit_test(measured_traffic),     cmocka_unit_test(error_rate_of_measuring),
        cmocka_unit_test(little_effort),        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
