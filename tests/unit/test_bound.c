/* The theorems as functions, against hand-computed values and brute force. */
#include "support.h"

#include <math.h>

#include "base/random.h"
#include "netpram/theory.h"
#include "model/network/network.h"

static void near(double got, double want, double tolerance)
{
    if (!(got == want) && !(fabs(got - want) <= tolerance)) {
        print_error("got %.15g, not %.15g\n", got, want);
        fail();
    }
}

/* got <= want up to rounding; both are logarithms. */
static void at_most(double got, double want)
{
    if (!(got <= want + 1e-9)) {
        print_error("%.15g exceeds %.15g\n", got, want);
        fail();
    }
}

/* P[at least m successes] of trials with probabilities p[i], by adding one trial after another. */
static double tail_by_trials(int m, int trials, const double *p)
{
    double chance[101] = {1}, sum = 0; /* chance[j] = P[j successes so far] */
    for (int i = 0; i < trials; i++)
        for (int j = i + 1; j >= 0; j--)
            chance[j] = chance[j] * (1 - p[i]) + (j ? chance[j - 1] * p[i] : 0);
    for (int j = trials; j >= m; j--)
        sum += chance[j];
    return sum;
}

static void tail_by_hand(void **state)
{
    (void)state;
    near(exp(np_bound_tail(2, 3, 0.5)), 0.5, 1e-15);
    near(exp(np_bound_tail(1, 10, 0.1)), 1 - pow(0.9, 10), 1e-15);
    near(np_bound_tail(7, 7, 0.25), 7 * log(0.25), 1e-13);
    near(np_bound_tail(0, 7, 0.25), 0, 0);
    near(np_bound_tail(8, 7, 0.25), -INFINITY, 0);
    near(np_bound_tail(3, 7, 0), -INFINITY, 0);
    near(np_bound_tail(7, 7, 1), 0, 0);
}

static void tail_by_brute_force(void **state)
{
    static const double probability[] = {1e-6, 0.01, 0.1, 0.37, 0.5, 0.8, 0.999};
    double p[100];
    (void)state;
    for (size_t k = 0; k < sizeof probability / sizeof *probability; k++)
        for (int trials = 1; trials <= 100; trials += 9) {
            for (int i = 0; i < trials; i++)
                p[i] = probability[k];
            for (int m = 0; m <= trials; m++) {
                double exact = tail_by_trials(m, trials, p);
                if (exact > 1e-290)
                    near(np_bound_tail((uint64_t)m, (uint64_t)trials, probability[k]), log(exact), 2e-12);
            }
        }
}

static void tail_of_many_trials(void **state)
{
    uint64_t trials = UINT64_C(1) << 24, half = trials / 2;
    (void)state;
    /* A fair coin: B(m) + B(N - m + 1) = 1. */
    for (uint64_t above = 1; above < 20000; above = above * 3 + 1) {
        double upper = exp(np_bound_tail(half + above, trials, 0.5));
        near(upper + exp(np_bound_tail(half - above + 1, trials, 0.5)), 1, 1e-12);
        double z = ((double)above - 0.5) / sqrt((double)trials / 4);
        near(upper / (erfc(z / sqrt(2)) / 2), 1, 1e-4);
    }
    /* Rare events are Poisson: mean 10, at least 40; relative error of the limit below 40^2 / N. */
    double term = exp(-10), sum = 0;
    for (int i = 1; i < 200; i++) {
        term *= 10.0 / i;
        sum += i >= 40 ? term : 0;
    }
    near(exp(np_bound_tail(40, trials, 10.0 / (double)trials)) / sum, 1, 1e-4);
    /* Far below the smallest double: mean 1, e^-1 / 400! (1 + 1/401 + ...) */
    near(np_bound_tail(400, trials, 1.0 / (double)trials), -1 - lgamma(401) + log1p(1.0 / 400), 0.01);
    assert_true(np_bound_tail(400, trials, 1.0 / (double)trials) < -1900);
}

static void tail_is_monotone(void **state)
{
    (void)state;
    for (uint64_t m = 1; m < 300; m++) {
        assert_true(np_bound_tail(m + 1, 300, 0.3) < np_bound_tail(m, 300, 0.3));
        assert_true(np_bound_tail(m, 300, 0.3) < np_bound_tail(m, 300, 0.31));
        assert_true(np_bound_tail(m, 300, 0.3) < np_bound_tail(m, 310, 0.3));
    }
}

/* Fact 2 on 300 sets of 30 random trials; and it is tight when all are equal. */
static void hoeffding(void **state)
{
    (void)state;
    for (uint32_t set = 0; set < 300; set++) {
        np_draws draws = {7, set, 0, NP_RANDOM_CHECK};
        double p[30], mean = 0;
        for (uint32_t i = 0; i < 30; i++) {
            double u = np_random_below(&draws, i, 0, 1000) / 1000.0;
            p[i] = set % 2 ? u : u * u * u * u;
            mean += p[i];
        }
        for (int m = 1; m <= 30; m++)
            at_most(log(tail_by_trials(m, 30, p)), np_bound_fact2((uint64_t)m, 30, mean));
    }
    near(np_bound_fact2(10, 30, 6), np_bound_tail(10, 30, 0.2), 1e-12);
    near(np_bound_fact2(6, 30, 5.5), 0, 0); /* m < mean + 1: not proved, so nothing is said */
}

static void chernoff(void **state)
{
    (void)state;
    /* (Np/m)^m ((N-Np)/(N-m))^(N-m): N = 10, p = 1/5, m = 4: (1/2)^4 (8/6)^6 */
    near(exp(np_bound_fact3_chernoff(4, 10, 0.2)), pow(0.5, 4) * pow(8.0 / 6, 6), 1e-14);
    /* (Np/m)^m e^(m-Np): (1/2)^4 e^2 */
    near(exp(np_bound_fact3(4, 2)), pow(0.5, 4) * exp(2), 1e-14);
    near(np_bound_fact3_chernoff(10, 10, 0.2), 10 * log(0.2), 1e-12);
    near(np_bound_fact3(1, 2), 0, 0);
    for (uint64_t m = 1; m <= 200; m++)
        for (double p = 0.001; p < 1; p *= 3) {
            double exact = np_bound_tail(m, 200, p), first = np_bound_fact3_chernoff((double)m, 200, p);
            at_most(exact, first);
            at_most(first, np_bound_fact3((double)m, 200 * p));
        }
}

static void fact4(void **state)
{
    (void)state;
    /* The counter-example: N p = 50, beta = 1. */
    double exact = np_bound_tail(100, 1000, 0.05);
    near(exp(exact), 8.41025e-11, 1e-15);
    near(exp(np_bound_fact4_printed(50, 1)), 1.38879e-11, 1e-15);
    assert_true(exact > np_bound_fact4_printed(50, 1));
    at_most(exact, np_bound_fact4(50, 1));
    /* And as section 8 uses it, s = g = 50 on a grid of side 1000: B(s+g, ns, 1/n) > e^(-g^2 / 2s). */
    assert_true(np_bound_tail(100, 50000, 0.001) > -50.0 * 50 / (2 * 50));
    for (double mean = 1; mean < 1e5; mean *= 10)
        for (uint64_t m = (uint64_t)mean; m <= 2 * mean; m += 1 + (uint64_t)mean / 50)
            at_most(np_bound_tail(m, 1000000, mean / 1e6), np_bound_fact4(mean, (double)m / mean - 1));
    /* It does bound the lower tail, here 1 - B(m + 1). */
    for (uint64_t m = 0; m <= 50; m++)
        at_most(log1p(-exp(np_bound_tail(m + 1, 1000, 0.05))), np_bound_fact4_printed(50, 1 - (double)m / 50));
    near(np_bound_fact4(50, 1.5), 0, 0);
}

static void theorems_by_hand(void **state)
{
    /* The 10-cube: e eta mu h / d = 5 e, Delta = 20: (e/4)^20 1024 = 0.4518 */
    np_bound_scheme cube = {10, 10, 5, 1, 1024};
    (void)state;
    near(exp(np_bound_theorem1(&cube, 20)), pow(exp(1) / 4, 20) * 1024, 1e-12);
    near(np_bound_theorem1(&cube, 20), -0.794415, 1e-6);
    near(np_bound_theorem1(&cube, 13), 0, 0); /* above 1: says nothing */
    near(np_bound_theorem1(&cube, 0), 0, 0);
    assert_true(np_bound_theorem1(&cube, 400) < -1300); /* 1e-300 and below is not lost */
    /* shuffle:4x5, Delta = 40: (e 25 / (3 40))^40 1024 */
    near(np_bound_theorem2(4, 5, 1, 1024, 40), 40 * (1 + log(25.0 / 120)) + log(1024), 1e-12);
    near(np_bound_theorem2(1, 5, 1, 1, 1000), 0, 0);
    cube.packets = 0;
    near(np_bound_theorem1(&cube, 1), -INFINITY, 0);
}

/* The claims "at most N^-K": where they hold and where not. */
static void examples(void **state)
{
    (void)state;
    np_bound_example e = np_bound_example_get(1, 10, 2.5, 1);
    near(e.delta, 25, 0);
    near(e.nodes, log(1024), 1e-12);
    near(e.bound, 25 * log(exp(1) / 5) + log(1024), 1e-12);
    near(e.bound / e.nodes, -1.19808, 1e-5); /* N^-1.198, not N^-2.5 as printed */
    assert_true(e.bound > e.claim);
    for (double n = 1; n <= 100; n++) {
        for (double h = 1; h <= 8; h *= 2)
            for (double K = 2.5; K < 2.7; K += 0.05) { /* below e: false for every h */
                e = np_bound_example_get(2, n, K, h);
                assert_true(e.bound > e.claim);
            }
        e = np_bound_example_get(1, n, 3.344, 1);
        assert_true(e.bound > e.claim);
        for (double K = 3.3444; K < 50; K *= 1.3) {
            e = np_bound_example_get(1, n, K, 1);
            at_most(e.bound, e.claim);
            e = np_bound_example_get(2, n, K, 3);
            at_most(e.bound, e.claim);
        }
    }
}

/* "For some K_0 ... for all K >= K_0": the K_0 that we found. */
static void examples_of_shuffles(void **state)
{
    static const double from[] = {0, 0, 0, 11.6, 4.9, 9.1};
    (void)state;
    for (int example = 3; example <= 5; example++)
        for (double n = example == 3 ? 2 : 3; n < 1e6; n += n < 50 ? 1 : n / 10)
            for (double K = from[example]; K < 200; K *= 1.3) {
                np_bound_example e = np_bound_example_get(example, floor(n), K, 1);
                at_most(e.bound, e.claim);
            }
    np_bound_example e = np_bound_example_get(3, 4, 20, 1); /* d = n = 4, h = 2, Delta = 20 4 2 = 160, N = 256 */
    near(e.delta, 160, 0);
    near(e.bound, np_bound_theorem2(4, 4, 2, 512, 160), 1e-9);
    e = np_bound_example_get(4, 16, 20, 1); /* Delta = 20 16 4 / 2 */
    near(e.delta, 640, 1e-9);
    near(e.claim, -10 * 16 * log(16), 1e-9);
    e = np_bound_example_get(5, 16, 20, 1); /* d = 4 */
    near(e.bound, np_bound_theorem2(4, 16, 1, pow(4, 16), 1280), 1e-6);
}

static void grid_phases(void **state)
{
    /* Sides of dimensions 1, 2, 3: 4, 5, 6. */
    const uint32_t side[] = {4, 5, 6};
    static const struct {
        uint32_t side;
        uint64_t spread;
        bool correcting;
    } want[] = {{6, 1, false}, {5, 6, false}, {4, 30, false}, {5, 30, true}, {6, 6, true}};
    (void)state;
    for (uint32_t i = 0; i < 5; i++) {
        np_bound_grid_phase phase = np_bound_grid_phase_at(3, side, 2, 240, i);
        assert_int_equal(phase.side, want[i].side);
        assert_int_equal(phase.spread, want[i].spread);
        assert_int_equal(phase.correcting, want[i].correcting);
        assert_int_equal(phase.relation, 2);
    }
}

static void grid_by_hand(void **state)
{
    /* n = 3, T = 9, g = 2: the largest of 9 B(3, 3, 1/3) = 1/3 and 9 B(4, 6, 1/3) = 9 * 73/729 */
    np_bound_grid_phase z = {3, 1, 3, false, 9}, b = {3, 1, 3, true, 9}, a = {3, 1, 1, false, 9};
    const uint32_t side[] = {3, 3};
    (void)state;
    near(exp(np_bound_grid_steps(&z, 2)), 9 * 73.0 / 729, 1e-12);
    near(exp(np_bound_grid_steps(&b, 2)), 1.0 / 3, 1e-12); /* B(3, 3, 1/3); s = 2 would need 4 of 3 */
    near(np_bound_grid_steps(&a, 0), -INFINITY, 0);        /* phase A flows without delay */
    near(np_bound_grid_delay(&a, 1), -INFINITY, 0);
    near(exp(np_bound_grid_delay(&z, 5)), 9 * 13.0 / 729, 1e-12); /* B(5, 6, 1/3), two nodes' packets */
    near(np_bound_grid_steps(&z, -1), 0, 0);
    /* s = 2: 9 (2/4)^4 e^2 > 1 */
    near(np_bound_grid_steps_simple(&z, 2), 0, 0);
    near(exp(np_bound_grid_steps_simple(&z, 5)), 9 * pow(2.0 / 7, 7) * exp(5), 1e-12);
    /* Both phases that can be late. */
    near(exp(np_bound_theorem4(2, side, 1, 9, 3, true)), 9 * 13.0 / 729, 1e-12); /* B: 4 of 3 is impossible */
    /* With a fixed time for each phase: 3 + 2 (3 + g) steps, and 2 (2 + 8) of the fallback. */
    np_bound_timed timed = np_bound_theorem4_timed(2, side, 1, 9, 3);
    near(timed.steps, 15, 0);
    near(timed.fallback, 20, 0);
    near(exp(timed.failure), 9 * 13.0 / 729, 1e-12);
    near(timed.expected, 15 + 20 * 9 * 13.0 / 729, 1e-9);
    near(np_bound_theorem4_timed(2, side, 2, 18, 3).steps, 18, 0); /* h = 2: the first phase has delays, too */
    timed = np_bound_theorem4_timed(2, side, 1, 9, -1);
    near(timed.g, 4, 0); /* 20 * 9 B(6, 6, 1/3) <= 1 < 20 * 9 B(5, 6, 1/3) */
    near(timed.expected, 17 + 20 * 9 / 729.0, 1e-9);
    /* 64 x 64 holds 6 packets at a node at some instant with probability at most 4096 (2 B(2, 1, 1) + 2 B(2,64,1/64))
     */
    const uint32_t wide[] = {64, 64};
    near(np_bound_grid_population(2, wide, 1, 4096, 6), 0, 0);
    near(np_bound_grid_population(2, wide, 1, 4096, 22), log(8192) + np_bound_tail(10, 64, 1.0 / 64), 1e-12);
}

static void grid_is_ordered(void **state)
{
    const uint32_t side[] = {20, 30, 10};
    (void)state;
    for (uint32_t h = 1; h <= 3; h += 2)
        for (uint32_t i = 0; i < 5; i++) {
            np_bound_grid_phase phase = np_bound_grid_phase_at(3, side, h, 6000 * h, i);
            double before = 0, delay_before = 0;
            for (int g = 0; g < 150; g++) {
                double exact = np_bound_grid_steps(&phase, g), delay = np_bound_grid_delay(&phase, g);
                at_most(exact, np_bound_grid_steps_simple(&phase, g));
                at_most(exact, before);
                at_most(delay, delay_before);
                before = exact;
                delay_before = delay;
            }
        }
    double f_before = 0;
    for (int f = 0; f < 60; f++) {
        double bound = np_bound_grid_population(3, side, 1, 6000, f);
        at_most(bound, f_before);
        f_before = bound;
    }
    assert_true(f_before < log(1e-9));
}

enum { SIDE = 3, NODES = SIDE * SIDE };

/* One row of phase Z, moved-first: steps until all are home. at[i], to[i] columns of `count` packets. */
static int row_steps(int count, int *at, const int *to)
{
    bool moved[NODES] = {false};
    for (int steps = 0;; steps++) {
        int winner[SIDE][2], late = 0; /* the packet that each link (column, right?) sends */
        memset(winner, -1, sizeof winner);
        for (int i = 0; i < count; i++)
            if (at[i] != to[i]) {
                int *w = &winner[at[i]][to[i] > at[i]];
                if (*w < 0 || (moved[i] && !moved[*w]))
                    *w = i;
                late++;
            }
        if (!late)
            return steps;
        for (int c = 0; c < SIDE; c++)
            for (int right = 0; right < 2; right++)
                if (winner[c][right] >= 0) {
                    at[winner[c][right]] += right ? 1 : -1;
                    moved[winner[c][right]] = true;
                }
    }
}

/*
 * The 3 x 3 grid, exactly: all 3^9 outcomes of phase A, then phase Z for a
 * permutation that reverses the rows. Theorem 3's bound is never below the
 * true probability.
 *
 *     packet 3i+j starts at (i,j); destination column of the permutation: to[3i+j]
 */
static void grid_against_enumeration(void **state)
{
    static const int to[NODES] = {2, 1, 0, 2, 1, 0, 2, 1, 0};
    np_bound_grid_phase z = {SIDE, 1, SIDE, false, NODES};
    int late[12] = {0}, outcomes = 19683;
    (void)state;
    for (int outcome = 0; outcome < outcomes; outcome++) {
        int steps = 0;
        for (int row = 0; row < SIDE; row++) {
            int at[NODES], target[NODES], count = 0, digits = outcome;
            for (int p = 0; p < NODES; p++, digits /= SIDE)
                if (digits % SIDE == row) {
                    at[count] = p % SIDE;
                    target[count++] = to[p];
                }
            int row_time = row_steps(count, at, target);
            steps = row_time > steps ? row_time : steps;
        }
        for (int g = 0; SIDE + g < steps; g++)
            late[g]++;
    }
    assert_true(late[0] > 0);
    for (int g = 0; g < 12; g++)
        if (late[g])
            at_most(log((double)late[g] / outcomes), np_bound_grid_steps(&z, g));
}

/* A network of a family that need not exist here: the bound looks at its kind and parameters only. */
static np_network imitation(np_network_family *family, const char *name, uint32_t ports, uint32_t dimensions,
                            uint32_t side0, uint32_t side1)
{
    const np_network_family *real;
    assert_ok(np_registry_find(&np_network_families, name, &real));
    *family = (np_network_family){.info = {.name = name}, .kind = real->kind};
    return (np_network){.family = family, .ports = ports, .dimensions = dimensions, .side = {side0, side1}};
}

static void for_cubes(void **state)
{
    np_network *cube = support_network("hypercube:10");
    np_bound bound;
    (void)state;
    np_bound_for("cubes", cube, 1, 1024, "A", &bound);
    assert_true(bound.applies);
    assert_string_equal(bound.theorem, "Theorem 1");
    assert_string_equal(bound.paths, "dimension-order");
    assert_null(bound.queue);
    near(np_bound_delay(&bound, 20).probability, exp(-0.794415), 1e-6);
    near(np_bound_delay(&bound, 19.5).probability, exp(-0.794415), 1e-6); /* delays are whole */
    near(np_bound_delay(&bound, 400).log10, (400 * (1 + log(5.0 / 400)) + log(1024)) / log(10), 1e-9);
    near(np_bound_steps(&bound, 19).log10, np_bound_delay(&bound, 20).log10, 0);
    near(np_bound_delay(&bound, -3).probability, 1, 0);
    np_bound_for("cubess", cube, 2, 2048, "B", &bound);
    assert_string_equal(bound.paths, "cyclic-order");
    near(bound.met, 10, 0);
    np_bound_for("valiant", cube, 1, 1024, "B", &bound);
    assert_true(bound.applies);
    np_bound_for("cubes", cube, 1, 1024, "C", &bound);
    assert_false(bound.applies);
    np_network_free(cube);
}

static void for_others(void **state)
{
    np_network_family family;
    np_bound bound;
    (void)state;
    np_network shuffle = imitation(&family, "shuffle", 4, 5, 4, 4);
    np_bound_for("mshuffle", &shuffle, 1, 1024, "B", &bound);
    assert_string_equal(bound.theorem, "Theorem 2");
    near(np_bound_delay(&bound, 40).log10, np_bound_theorem2(4, 5, 1, 1024, 40) / log(10), 1e-12);
    np_bound_for("shuffle", &shuffle, 1, 1024, "A", &bound);
    assert_false(bound.applies);
    assert_non_null(strstr(bound.reason, "unmodified"));
    near(np_bound_delay(&bound, 1e6).probability, 1, 0);
    near(np_bound_steps(&bound, 1e6).probability, 1, 0);

    /* mesh:8x16: phase A moves along the first coordinate, the paper's dimension 2. */
    np_network mesh = imitation(&family, "mesh", 4, 2, 8, 16);
    np_bound_for("grid", &mesh, 1, 128, "A", &bound);
    assert_true(bound.applies && bound.base == 8 && bound.phase.spread == 1);
    assert_string_equal(bound.queue, "moved-first");
    assert_int_equal(bound.measure, NP_BOUND_STEPS);
    near(np_bound_delay(&bound, 1).probability, 0, 0);
    np_bound_for("grid", &mesh, 1, 128, "Z", &bound);
    assert_true(bound.base == 16 && bound.phase.spread == 8 && !bound.phase.correcting);
    np_bound_for("grid", &mesh, 1, 128, "B2", &bound);
    assert_true(bound.base == 8 && bound.phase.spread == 8 && bound.phase.correcting);
    np_bound_for("grid", &mesh, 1, 128, "B3", &bound);
    assert_false(bound.applies);
    np_bound_for("grid", &mesh, 1, 128, "Ax", &bound);
    assert_false(bound.applies);

    np_network ccc = imitation(&family, "ccc", 3, 4, 4, 0);
    static const char *const none[] = {"ccc", "shuffle-exchange", "basic", "greedy", "complement", "valiant", "other"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        np_bound_for(none[i], &ccc, 1, 64, "A", &bound);
        assert_false(bound.applies);
        assert_string_equal(bound.theorem, "none");
        assert_true(strlen(bound.reason) > 10);
    }
}

static void ladder(void **state)
{
    np_network *cube = support_network("hypercube:10");
    np_network_family family;
    np_network mesh = imitation(&family, "mesh", 4, 2, 64, 64);
    np_bound bound;
    double x[8];
    (void)state;
    np_bound_for("cubes", cube, 1, 1024, "A", &bound);
    size_t count = np_bound_ladder(&bound, NP_BOUND_DELAY, 8, x);
    assert_int_equal(count, 8);
    near(x[0], 1, 0);
    for (size_t i = 1; i < count; i++)
        assert_true(x[i] > x[i - 1] && x[i] == floor(x[i]));
    assert_true(np_bound_delay(&bound, x[7]).log10 < -9 && np_bound_delay(&bound, x[7] - 1).log10 >= -9);
    np_bound_for("grid", &mesh, 1, 4096, "A", &bound);
    assert_int_equal(np_bound_ladder(&bound, NP_BOUND_DELAY, 8, x), 1); /* no delay at all */
    np_bound_for("grid", &mesh, 1, 4096, "B", &bound);
    count = np_bound_ladder(&bound, NP_BOUND_STEPS, 8, x);
    assert_true(count >= 6 && np_bound_steps(&bound, x[count - 1]).log10 < -9);
    np_bound_for("basic", cube, 1, 1024, "A", &bound);
    assert_int_equal(np_bound_ladder(&bound, NP_BOUND_DELAY, 8, x), 0);
    np_network_free(cube);
}

/* The most cells at one place. */
static unsigned crowd(const unsigned *place, unsigned cells)
{
    unsigned held[16] = {0}, most = 0;
    for (unsigned x = 0; x < cells; x++) {
        held[place[x]]++;
        most = held[place[x]] > most ? held[place[x]] : most;
    }
    return most;
}

/* All functions of 5 cells to 3 places are a class for zeta = 5; all a x + b mod 7 are one for zeta = 2. */
static void crowding_against_enumeration(void **unused)
{
    (void)unused;
    unsigned place[5], free_functions[7] = {0}, lines[7] = {0};
    for (unsigned f = 0; f < 243; f++) {
        for (unsigned x = 0, rest = f; x < 5; x++, rest /= 3)
            place[x] = rest % 3;
        for (unsigned k = 1; k <= crowd(place, 5); k++)
            free_functions[k]++;
    }
    for (unsigned f = 0; f < 49; f++) {
        for (unsigned x = 0; x < 5; x++)
            place[x] = (f / 7 * x + f % 7) % 7;
        for (unsigned k = 1; k <= crowd(place, 5); k++)
            lines[k]++;
    }
    for (unsigned k = 1; k <= 6; k++) {
        at_most(log(free_functions[k] / 243.), np_bound_crowding(5, 3, 5, k));
        at_most(log(lines[k] / 49.), np_bound_crowding(5, 7, 2, k));
    }
    near(np_bound_crowding(5, 3, 5, 5), log(3. / 243), 1e-12); /* exact: one of 3 places has all */
    near(np_bound_crowding(2, 100, 8, 2), -log(100), 1e-12);
    near(np_bound_crowding(5, 7, 2, 5), log(1. / 7), 1e-12); /* exact: of the 49 functions those with a = 0 */
    assert_true(np_bound_crowding(5, 7, 2, 6) == -INFINITY);
    for (uint64_t cells = 1; cells <= 3000; cells = cells * 3 + 1) { /* the least of which the bound holds */
        const uint64_t most = np_bound_crowd(cells, 64, 40, 0.01);
        at_most(np_bound_crowding(cells, 64, 40, most + 1), log(0.01));
        assert_true(most == 1 || np_bound_crowding(cells, 64, 40, most) > log(0.01));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tail_by_hand),
        cmocka_unit_test(tail_by_brute_force),
        cmocka_unit_test(tail_of_many_trials),
        cmocka_unit_test(tail_is_monotone),
        cmocka_unit_test(hoeffding),
        cmocka_unit_test(chernoff),
        cmocka_unit_test(fact4),
        cmocka_unit_test(theorems_by_hand),
        cmocka_unit_test(examples),
        cmocka_unit_test(examples_of_shuffles),
        cmocka_unit_test(grid_phases),
        cmocka_unit_test(grid_by_hand),
        cmocka_unit_test(grid_is_ordered),
        cmocka_unit_test(grid_against_enumeration),
        cmocka_unit_test(for_cubes),
        cmocka_unit_test(for_others),
        cmocka_unit_test(ladder),
        cmocka_unit_test(crowding_against_enumeration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
