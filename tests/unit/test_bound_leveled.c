/*
 * The bounds of Leighton, Maggs, Ranade & Rao 1994, against their expressions
 * multiplied out, and against routings: a bound is one.
 */
#include "support.h"

#include <math.h>

#include "model/leveled/leveled_routing.h"

static void near(double got, double want, double tolerance)
{
    if (!(got == want) && !(fabs(got - want) <= tolerance)) {
        print_error("got %.15g, not %.15g\n", got, want);
        fail();
    }
}

/* C(n, k), one factor after the other. */
static long double choose(int n, int k)
{
    long double product = 1;
    for (int i = 1; i <= k; i++)
        product = product * (n - k + i) / i;
    return k > n ? 0 : product;
}

/* B(m, n, p), term by term. */
static long double tail(int m, int n, long double p)
{
    long double sum = 0;
    for (int j = m; j <= n; j++)
        sum += choose(n, j) * powl(p, j) * powl(1 - p, n - j);
    return sum;
}

static double ln_at_most_1(long double p) { return p < 1 ? (double)logl(p) : 0; }

static const np_bound_leveled network = {
    .depth = 7, .degree = 2, .packets = 50, .congestion = 3, .queue_size = 3, .rank_range = 500};

static void theorem29_multiplied_out(void **state)
{
    (void)state;
    for (int w = 1; w <= 800; w += w < 20 ? 1 : 130) {
        int length = 7 + 2 * w / 3;
        long double ways = 8 * 50 * powl(4, length) * choose(length + w, w) * powl(6, w);
        long double ranks = choose(500 + w, w);
        long double direct = logl(ways) + logl(ranks) - w * logl(500);
        near(np_bound_theorem29(&network, w), direct < 0 ? (double)direct : 0, 1e-9 * (1 + fabsl(direct)));
        near(np_bound_theorem29(&network, w + 0.9), np_bound_theorem29(&network, w), 0);
    }
}

/* Far out both say something, and the simple one less. */
static void theorem29_simplified_is_larger(void **state)
{
    (void)state;
    np_bound_leveled large = network;
    large.rank_range = 1 << 30;
    for (double w = 1; w < 1e6; w *= 3) {
        double exact = np_bound_theorem29(&large, w), simple = np_bound_theorem29_simple(&large, w);
        assert_true(exact <= simple);
        if (w < 500)
            assert_true(exact <= np_bound_theorem29_simple(&network, w));
    }
    assert_true(np_bound_theorem29_simple(&large, 1e5) < -1000);
    /* N 2^((lg 2 + 3) L) (2^(2 (lg 2 + 3) / 3 + 2) e 2 3 / w)^w */
    near(np_bound_theorem29_simple(&large, 20000),
         log(50) + 28 * log(2) + 20000 * log(pow(2, 8.0 / 3 + 2) * exp(1) * 6 / 20000), 1e-6);
    near(np_bound_theorem29_simple(&network, 501), 0, 0); /* R < w */
}

static void theorem29_where_nothing_is_proved(void **state)
{
    (void)state;
    np_bound_leveled one = network;
    one.queue_size = 1;
    near(np_bound_theorem29(&one, 1e6), 0, 0);
    near(np_bound_theorem29_simple(&one, 500), 0, 0);
    near(np_bound_theorem29(&network, 0.5), 0, 0);
    np_bound_leveled twice = network;
    twice.node_packets = 12; /* twice Delta c */
    near(np_bound_theorem29(&twice, 700) - np_bound_theorem29(&network, 700), 700 * log(2), 1e-8);
}

/* C(n, k) / range^k, one factor after the other; n above the integers that fit. */
static long double choose_over(long double n, int k, long double range)
{
    long double product = 1;
    for (int i = 1; i <= k; i++)
        product *= (n - k + i) / i / range;
    return product;
}

/* Every part of the sequence that the paper allows: w packets in a parts of s, s <= k. */
static void theorem211_multiplied_out(void **state)
{
    const np_bound_leveled hash = {.depth = 7,
                                   .degree = 2,
                                   .packets = 50,
                                   .congestion = 3,
                                   .queue_size = 8,
                                   .rank_range = 500,
                                   .independence = 30};
    np_bound_leveled independent = hash;
    uint32_t says = 0;
    (void)state;
    for (int w = 31; w <= 60000; w += w < 200 ? 1 : 997) {
        long double best = 1;
        for (int s = 1; s <= 30 && s <= w / 2; s++) {
            int a = w / s, l = 2 * (7 + 2 * w / 8) / a, fall = 2 * 500 / a;
            long double ways = 8 * 50 * powl(4, l) * choose(l + s, s) * powl(6, s);
            long double ranks = choose_over(fall + s - 1, s - 1, 500);
            best = fminl(best, ways * ranks);
        }
        near(np_bound_theorem211(&hash, w), ln_at_most_1(best), 1e-6);
        says += best < 1;
    }
    assert_true(says > 0);
    /* Where all packets of the sequence are independent, it is Theorem 2.9. */
    independent.independence = 2000;
    for (int w = 100; w <= 2000; w += 100)
        assert_true(np_bound_theorem211(&independent, w) <= np_bound_theorem29(&independent, w) + 1e-6);
    near(np_bound_theorem211(&independent, 1), np_bound_theorem29(&independent, 1), 1e-9);
    near(np_bound_theorem211(&hash, 0.5), 0, 0);
}

/* Messages of up to 5 packets: 5 steps a cycle. */
static void theorem212_counts_cycles(void **state)
{
    np_bound_leveled hash = network;
    (void)state;
    for (int w = 300; w <= 500; w += 50) {
        near(np_bound_theorem212(&network, 5, 5 * w), np_bound_theorem29(&network, w), 0);
        near(np_bound_theorem212(&network, 5, 5 * w + 4), np_bound_theorem29(&network, w), 0);
        assert_true(np_bound_theorem29(&network, w) < 0);
    }
    hash.independence = 400;
    near(np_bound_theorem212(&hash, 2, 800), np_bound_theorem211(&hash, 400), 0);
    near(np_bound_theorem212(&network, 0, 800), 0, 0);
}

/* P[more than c of n have one of w labels], pairwise independent. */
static long double crowded(int n, int w, int c)
{
    long double one = (long double)n / w / (c + 1), two = choose(n, 2) / w / w / choose(c + 1, 2);
    return c + 1 > n ? 0 : c < 1 ? fminl(1, one) : fminl(1, fminl(one, two));
}

static int least_of(int a, int b) { return a < b ? a : b; }

/* fat-tree:2: 16 leaves, 4 vertices of 2 nodes, 4 nodes at the root, so two coefficients; and Lemma 7.2 on it. */
static void lemma72_multiplied_out(void **state)
{
    np_network *tree = support_network("fat-tree:2"), *cube = support_network("hypercube:4");
    np_bound_leveled leveled = {.degree = 4, .packets = 16, .queue_size = 8, .rank_range = 1 << 30};
    (void)state;
    for (int load = 1; load <= 6; load++)
        for (int c = 0; c <= 12; c++) {
            long double sum = 32 * (crowded(least_of(2 * load, 15), 2, c) + crowded(1, 2, c));
            sum += 16 * (crowded(least_of(4 * load, 12), 4, c) + crowded(least_of(4 * load, 4), 4, c));
            near(np_bound_fat_tree_congestion(tree, load, c), ln_at_most_1(sum), 1e-9);
        }
    for (int steps = 5; steps <= 5005; steps += 1000) {
        long double best = 1;
        for (int c = 1; c <= 64; c++) {
            np_bound_leveled at = leveled;
            at.depth = 4;
            at.congestion = 2 * c;
            best =
                fminl(best, expl(np_bound_theorem29(&at, steps - 5)) + expl(np_bound_fat_tree_congestion(tree, 2, c)));
        }
        near(np_bound_lemma72(tree, 2, 2, &leveled, steps), ln_at_most_1(best), 1e-9);
    }
    assert_true(np_bound_lemma72(tree, 2, 2, &leveled, 5005) < -3);
    near(np_bound_lemma72(cube, 2, 2, &leveled, 1000), 0, 0);
    near(np_bound_fat_tree_congestion(cube, 2, 100), 0, 0);
    np_network_free(tree);
    np_network_free(cube);
}

/* torus:2x3, h = 2: the first half's dimensions, then the second's. */
static void lemma61_multiplied_out(void **state)
{
    static const uint32_t side[] = {2, 3}, cube[] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    (void)state;
    for (int c = 0; c <= 13; c++) {
        long double sum = 12 * (tail(c + 1, 2 * 2, 1) + tail(c + 1, 2 * 6, 0.5L));
        sum += 12 * (tail(c + 1, 2 * 6, 1 / 3.0L) + tail(c + 1, 2 * 3, 1));
        near(np_bound_array_congestion(2, side, 2, c), ln_at_most_1(sum), 1e-9);
    }
    near(np_bound_array_congestion(2, side, 2, 12), -INFINITY, 0); /* all the packets there are */
    for (double c = 1; c < 300; c++)
        assert_true(np_bound_array_congestion(10, cube, 10, c) <= np_bound_array_congestion_simple(10, cube, 10, c));
    near(np_bound_array_congestion_simple(10, cube, 10, 200), log(40 * 1024.0) + 200 * (1 + log(0.1)), 1e-9);
}

static void butterflies_multiplied_out(void **state)
{
    (void)state;
    for (int c = 0; c <= 30; c++) {
        long double wrapped = 0, io = 0;
        for (int i = 0; i < 3; i++) {
            wrapped += 2 * 16 * tail(c + 1, 2 * 3 << i, powl(0.5L, i + 1));
            io += 16 * tail(c + 1, 2 << i, powl(0.5L, i + 1));
        }
        near(np_bound_butterfly_congestion(3, 2, c), c < 6 ? 0 : ln_at_most_1(wrapped), 1e-9);
        near(np_bound_butterfly_io_congestion(3, 2, c), ln_at_most_1(io), 1e-9);
    }
}

static void lemma53_multiplied_out(void **state)
{
    (void)state;
    for (int c = 1; c <= 40; c++) {
        long double most = 0;
        for (int l = 0; l <= 4; l++) {
            long double p = 5 / powl(2, l), term = choose(4 << l, c) * (p < 1 ? powl(p, c) : 1);
            most = term > most ? term : most;
        }
        near(np_bound_shuffle_exchange_congestion(4, 4, 100, c), c < 4 ? 0 : ln_at_most_1(100 * most), 1e-9);
    }
}

/* The congestion that a selection makes on the network's first phase. */
static uint32_t congestion_of(const np_leveled_routing *routing, const np_selection *selection, np_path_set *path_set)
{
    const np_leveled *leveled = routing->phase[0].leveled;
    assert_ok(routing->ops->select(routing, selection, path_set));
    uint32_t *count = malloc((leveled->edges + path_set->packets) * sizeof *count), congestion;
    assert_ok(np_path_set_follow(path_set, leveled, count, count + leveled->edges, &congestion));
    free(count);
    return congestion;
}

typedef double congestion_bound_fn(double congestion);

static double of_hypercube(double c)
{
    return np_bound_array_congestion(6, (const uint32_t[]){2, 2, 2, 2, 2, 2}, 6, c);
}
static double of_torus(double c) { return np_bound_array_congestion(2, (const uint32_t[]){4, 9}, 2, c); }
static double of_butterfly(double c) { return np_bound_butterfly_congestion(4, 1, c); }
static double of_inputs(double c) { return np_bound_butterfly_io_congestion(6, 2, c); }

/*
 * Over 300 seeds, for every c: the share of those with a higher congestion. It exceeds its
 * probability by 0.15 with one of less than e^(-2 300 0.15^2) = 2e-6 (Hoeffding).
 */
static void congestions_keep_within(const char *spec, const char *pattern, congestion_bound_fn *bound)
{
    enum { SEEDS = 300, MOST = 64 };
    uint32_t times[MOST] = {0}, above = 0, says = 0;
    np_network *physical = support_network(spec);
    np_leveled_routing *routing;
    np_path_set path_set = {0};
    assert_ok(np_leveled_routing_create(physical, &routing));
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        np_traffic *traffic;
        assert_ok(np_traffic_create(pattern, physical, seed, 0, &traffic));
        np_selection selection = {.draws = {.seed = seed}, .traffic = traffic};
        uint32_t congestion = congestion_of(routing, &selection, &path_set);
        assert_true(congestion < MOST);
        times[congestion]++;
        np_traffic_free(traffic);
    }
    for (uint32_t c = MOST; c-- > 0; above += times[c]) {
        assert_true((double)above / SEEDS <= exp(bound(c)) + 0.15);
        says += bound(c) < 0;
    }
    assert_true(says > 0);
    np_path_set_clear(&path_set);
    np_leveled_routing_free(routing);
    np_network_free(physical);
}

/* fat-tree:3 where all 64 leaves send to the other half: the 8 links of a quarter's channel carry 16 packets. */
static double of_fat_tree(double c)
{
    np_network *tree = support_network("fat-tree:3");
    double bound = np_bound_fat_tree_congestion(tree, 2, c);
    np_network_free(tree);
    return bound;
}

static void congestion_bounds_hold(void **state)
{
    (void)state;
    congestions_keep_within("fat-tree:3", "rotation:32", of_fat_tree);
    congestions_keep_within("hypercube:6", "h-relation:6", of_hypercube);
    congestions_keep_within("torus:4x9", "h-relation:2", of_torus);
    congestions_keep_within("butterfly:4", "h-relation:1", of_butterfly);
    congestions_keep_within("butterfly-io:6", "random-function:2", of_inputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theorem29_multiplied_out),
        cmocka_unit_test(theorem29_simplified_is_larger),
        cmocka_unit_test(theorem29_where_nothing_is_proved),
        cmocka_unit_test(theorem211_multiplied_out),
        cmocka_unit_test(theorem212_counts_cycles),
        cmocka_unit_test(lemma72_multiplied_out),
        cmocka_unit_test(lemma61_multiplied_out),
        cmocka_unit_test(butterflies_multiplied_out),
        cmocka_unit_test(lemma53_multiplied_out),
        cmocka_unit_test(congestion_bounds_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
