/*
 * What the 95% intervals cover. Long runs of real commands are taken for the whole truth; samples of 5, 10, 30 and 100
 * runs are drawn from them, and of the intervals that are printed (where not all runs are equal) at least 93% must hold
 * the mean of the long run. The seeds are fixed: the test passes always or never.
 *
 * It prints the rows of the table of docs/outputs.md, which are of 10,000 samples each (`make soak`).
 */
#include "support.h"

#include <math.h>

#include "netpram/route.h"

enum { LONG = 3000, SIZES = 4 };

static const size_t sizes[SIZES] = {5, 10, 30, 100};

static const struct {
    const char *network, *scheme, *traffic, *measure;
} commands[] = {
    {"hypercube:6", "cubes", "random", "steps"},
    {"hypercube:6", "cubes", "random", "delay_max"},
    {"hypercube:5", "greedy", "random", "steps"},
    {"hypercube:5", "greedy", "random", "queue_max"},
    {"hypercube:6", "valiant", "bit-reversal", "steps"},
    {"mesh:8x8", "greedy", "random", "steps"},
    {"mesh:6x6", "greedy", "random", "queue_max"},
    {"mesh:8x8", "valiant", "transpose", "steps"},
    {"torus:6x6", "greedy", "random", "steps"},
    {"fat-tree:3", "greedy", "random", "steps"},
    {"shuffle-exchange:5", "greedy", "random", "steps"},
    {"ccc:3", "greedy", "random", "steps"},
    {"star:5", "greedy", "random", "steps"},
    {"mesh:4x4", "ranked", "random", "queue_real_max"},
    {"star:4", "greedy", "random", "queue_max"},
    {"hypercube:5", "cubes", "rotation:3", "congestion"},
};

static void run_long(const char *network, const char *scheme, const char *traffic, const char *measure, double *value)
{
    np_route_options options;
    np_route_result *result;
    np_network *net;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.runs = LONG;
    assert_ok(np_network_create(network, &net));
    assert_ok(np_route(net, traffic, &options, &result));
    assert_ok(np_route_sample(result, &result->phase[0], measure, value));
    np_route_result_free(result);
    np_network_free(net);
}

static unsigned resamplings = 2000;

/* The share of the intervals printed that hold the mean. */
static double cover(const double *all, double mean, size_t size, uint64_t seed)
{
    unsigned printed = 0, held = 0;
    double value[100];
    uint64_t state = seed;
    for (unsigned s = 0; s < resamplings; s++) {
        np_summary summary;
        for (size_t i = 0; i < size; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            value[i] = all[(state >> 33) % LONG];
        }
        assert_ok(np_summary_compute(size, value, &summary));
        if (isnan(summary.ci95))
            continue;
        printed++;
        held += fabs(summary.mean - mean) <= summary.ci95;
    }
    return printed ? (double)held / printed : 1;
}

static void test_intervals_cover(void **state)
{
    static double all[LONG];
    unsigned low = 0;
    (void)state;
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        np_summary summary;
        run_long(commands[c].network, commands[c].scheme, commands[c].traffic, commands[c].measure, all);
        assert_ok(np_summary_compute(LONG, all, &summary));
        assert_true(summary.min < summary.max);
        printf("| `%s` %s, %s: %s |", commands[c].network, commands[c].scheme, commands[c].traffic,
               commands[c].measure);
        for (size_t i = 0; i < SIZES; i++) {
            double share = cover(all, summary.mean, sizes[i], 977 * c + i);
            printf(" %.1f%% |", 100 * share);
            low += share < 0.93;
        }
        printf("\n");
    }
    assert_int_equal(low, 0);
}

int main(int count, char **word)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_intervals_cover)};
    resamplings = count > 1 ? (unsigned)atoi(word[1]) : resamplings;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
