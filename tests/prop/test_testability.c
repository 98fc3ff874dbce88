/*
 * Testability (Valiant & Brebner 1981, section 1): the schemes have "the same
 * probabilistic behaviour for all permutation requests", so that their time
 * can be found by running them on any one.
 *
 * What is true, and why. Let every node send one packet, to distinct nodes,
 * by way of an independent uniform node each.
 *
 * Phase A never looks at the destinations: with one seed it is the same, hop
 * by hop, for every permutation. This is asserted exactly.
 *
 * Phase B starts with one packet for every destination, at independent
 * uniform nodes. Routes and disciplines look at neither its number nor its
 * origin, the first order of a queue is drawn, and later ones follow from the
 * links: so the law of phase B is the same for every permutation, on every
 * network, symmetric or not. This is tested on samples of independent runs by
 * a chi-square test for each of three measures.
 *
 * The two phases together are another matter: the law of the pair, and so of
 * the sum of their times, does depend on the permutation. On two nodes the
 * identity takes 0 steps or 2, and the exchange 1 or 2; see below. Only the
 * mean of the sum is the same.
 *
 * Error rate: seeds are fixed, so the outcome is too. Had they been drawn, all
 * tests here together would reject a true claim with probability ERROR_RATE
 * (Bonferroni over at most TESTS_MAX tests, which is asserted).
 */
#include "support.h"

#define ERROR_RATE 1e-3
enum { TESTS_MAX = 300, RUNS = 400, MEASURES = 3 };

typedef struct sample {
    uint32_t value[MEASURES][RUNS]; /* steps, sum of the delays, largest population */
} sample;

static const char *const measure_name[MEASURES] = {"steps", "delays", "populations"};

static np_route_result *route(const np_network *network, const char *scheme, const char *queue, const char *traffic,
                              uint64_t seed)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.queue = queue;
    options.seed = seed;
    options.runs = RUNS;
    options.threads = 2;
    options.same_traffic = true;
    if (np_route(network, traffic, &options, &result)) {
        assert_string_equal(traffic, "transpose"); /* the one pattern here that not all of these networks have */
        return NULL;
    }
    return result;
}

static void take_sample(const np_phase_result *phase, sample *s)
{
    for (uint32_t run = 0; run < RUNS; run++) {
        s->value[0][run] = phase->run[run].steps;
        s->value[1][run] = (uint32_t)phase->run[run].delay_sum;
        s->value[2][run] = phase->run[run].population_max;
    }
}

static double p_value(const sample *a, const sample *b, size_t measure)
{
    double p;
    assert_ok(np_statistics_same_distribution(RUNS, a->value[measure], RUNS, b->value[measure], &p));
    return p;
}

static const char *const permutations[] = {"bit-reversal", "transpose", "complement", "rotation:1", "random"};

enum { PERMUTATIONS = sizeof permutations / sizeof *permutations };

/* Networks of 64 nodes. Every scheme that goes by a uniform node, and every discipline without priorities. */
static const struct {
    const char *network, *scheme, *queue;
} testable[] = {
    {"hypercube:6", "cubes", "fifo"},
    {"hypercube:6", "cubes", "random"},
    {"hypercube:6", "basic", "lifo"},
    {"hypercube:6", "cubess", "farthest-first"},
    {"shuffle:2x6", "shuffle", "fifo"},
    {"shuffle:4x3", "mshuffle", "nearest-origin-first"},
    {"shuffle-exchange:6", "shuffle-exchange", "fifo"},
    {"ccc:4", "ccc", "fifo"},
    {"butterfly:4", "valiant", "moved-first"},
    {"torus:8x8", "valiant", "fifo"},
    {"mesh:4x16", "valiant", "farthest-first"},
    {"array:64", "valiant", "fifo"},
};

enum { TESTABLE = sizeof testable / sizeof *testable };

static bool same_run(const np_phase_run *a, const np_phase_run *b)
{
    return a->packets == b->packets && a->steps == b->steps && a->delay_max == b->delay_max &&
           a->delay_sum == b->delay_sum && a->hops == b->hops && a->queue_max == b->queue_max &&
           a->population_max == b->population_max && a->congestion == b->congestion;
}

static void phase_a_is_the_same_run_by_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < TESTABLE; i++) {
        np_network *network = support_network(testable[i].network);
        np_route_result *one = route(network, testable[i].scheme, testable[i].queue, "identity", 1);
        for (size_t k = 0; k < PERMUTATIONS; k++) {
            np_route_result *other = route(network, testable[i].scheme, testable[i].queue, permutations[k], 1);
            for (uint32_t run = 0; other && run < RUNS; run++)
                assert_true(same_run(&one->phase[0].run[run], &other->phase[0].run[run]));
            np_route_result_free(other);
        }
        np_route_result_free(one);
        np_network_free(network);
    }
}

/* Compares the phase for the identity with that for each permutation, drawn with seeds of their own. */
static size_t compare_phase(size_t i, size_t phase)
{
    const char *scheme = testable[i].scheme, *queue = testable[i].queue;
    np_network *network = support_network(testable[i].network);
    np_route_result *one = route(network, scheme, queue, "identity", 100 * i);
    static sample a, b;
    size_t tests = 0;
    take_sample(&one->phase[phase], &a);
    for (size_t k = 0; k < PERMUTATIONS; k++) {
        np_route_result *other = route(network, scheme, queue, permutations[k], 100 * i + k + 1);
        if (!other)
            continue;
        take_sample(&other->phase[phase], &b);
        np_route_result_free(other);
        for (size_t m = 0; m < MEASURES; m++, tests++)
            if (p_value(&a, &b, m) < ERROR_RATE / TESTS_MAX)
                fail_msg("%s %s %s, phase %zu: %s differ between identity and %s, p = %g", testable[i].network, scheme,
                         queue, phase, measure_name[m], permutations[k], p_value(&a, &b, m));
    }
    np_route_result_free(one);
    np_network_free(network);
    return tests;
}

static void phase_b_has_the_same_law(void **state)
{
    size_t tests = 0;
    (void)state;
    for (size_t i = 0; i < TESTABLE; i++)
        tests += compare_phase(i, 1);
    assert_true(tests >= 120 && tests <= TESTS_MAX);
}

/*
 * The same test sees schemes that do depend on the permutation: greedy by
 * random orders of the dimensions; the complement trick, whose random node is
 * near for the identity and anywhere for the complement; and the grid scheme,
 * which the paper calls nontestable.
 */
static void dependence_is_seen(void **state)
{
    static const struct {
        const char *network, *scheme, *one, *other;
        size_t phase;
    } cases[] = {
        {"hypercube:6", "greedy", "identity", "bit-reversal", 0},
        {"hypercube:6", "greedy", "bit-reversal", "complement", 0},
        {"hypercube:6", "complement", "identity", "complement", 0},
        {"hypercube:6", "complement", "identity", "complement", 1},
        {"mesh:8x8", "grid", "identity", "transpose", 1},
    };
    static sample a, b;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_route_result *one = route(network, cases[i].scheme, NULL, cases[i].one, i);
        np_route_result *other = route(network, cases[i].scheme, NULL, cases[i].other, 100 + i);
        assert_true(one && other);
        take_sample(&one->phase[cases[i].phase], &a);
        take_sample(&other->phase[cases[i].phase], &b);
        if (p_value(&a, &b, 0) >= ERROR_RATE / TESTS_MAX)
            fail_msg("%s %s: no difference seen between %s and %s", cases[i].network, cases[i].scheme, cases[i].one,
                     cases[i].other);
        np_route_result_free(one);
        np_route_result_free(other);
        np_network_free(network);
    }
}

/*
 * Two nodes 0 - 1. For the identity phase B undoes phase A: 0 + 0 steps if
 * both packets stay (a quarter of all runs), else 1 + 1. For the exchange
 * exactly one of the phases is idle if the packets' random nodes differ (half
 * of all runs): 1 step in all; else each phase moves one of the packets: 2.
 */
static void total_time_depends_on_the_permutation(void **state)
{
    (void)state;
    np_network *network = support_network("hypercube:1");
    np_route_result *stay = route(network, "cubes", NULL, "identity", 1);
    np_route_result *swap = route(network, "cubes", NULL, "complement", 2);
    for (uint32_t run = 0; run < RUNS; run++) {
        assert_int_equal(stay->phase[0].run[run].steps, stay->phase[1].run[run].steps);
        assert_true(swap->phase[0].run[run].steps + swap->phase[1].run[run].steps >= 1);
    }
    assert_true(stay->total_steps.min == 0 && stay->total_steps.max == 2);
    assert_true(swap->total_steps.min == 1 && swap->total_steps.max == 2);
    /* But the means agree: 3/2; four standard errors are 0.18 and 0.10. */
    assert_true(stay->total_steps.mean > 1.32 && stay->total_steps.mean < 1.68);
    assert_true(swap->total_steps.mean > 1.4 && swap->total_steps.mean < 1.6);
    np_route_result_free(stay);
    np_route_result_free(swap);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phase_a_is_the_same_run_by_run),
        cmocka_unit_test(phase_b_has_the_same_law),
        cmocka_unit_test(dependence_is_seen),
        cmocka_unit_test(total_time_depends_on_the_permutation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
