/* Model steps against its twin: the same deliveries, one by one, for 1, 2 and 7 threads; and theorems beside it. */
#include "support.h"

#include <math.h>

#include "oracle/open_steps.h"

typedef struct steps_case {
    const char *network, *traffic, *process, *paths;
    bool valiant;
    double rate;
} steps_case;

static const steps_case cases[] = {
    {"mesh:5x4", "uniform", "bernoulli", "greedy", false, 0.3},
    {"mesh:5x4", "uniform", "bernoulli", "greedy", true, 0.9},
    {"hypercube:5", "complement", "poisson", "greedy", false, 0.9},
    {"hypercube:5", "uniform", "poisson", "greedy", false, 3},
    {"hypercube:4", "hotspot:3:0.2", "periodic", "random-order", false, 0.4},
    {"torus:4x4", "tornado", "on-off:5,10", "dimension-order:drawn", false, 0.2},
    {"torus:3x3@2", "uniform", "bernoulli", "greedy", false, 0.4},
    {"complete:9", "random-function:3", "poisson", "greedy", true, 1},
    {"hyperx:4x4@2", "adversarial", "bernoulli", "greedy", false, 0.3},
    {"torus:4x4", "uniform", "poisson", "spray", false, 0.6},
    {"dragonfly:a=2,p=2,h=1", "adversarial", "bernoulli", "shortest", true, 0.2},
    {"ring:9", "adversarial", "bernoulli", "greedy", false, 0.3},
};

enum { CYCLES = 300 };

static void play(const np_open_model *model, const steps_case *c, unsigned threads, support_deliveries *l,
                 np_open_counts *counts)
{
    np_network *network = support_network(c->network);
    np_arrivals_options options = {c->traffic, c->process, c->rate, NULL, 5, 2};
    np_arrivals *arrivals;
    np_path *path;
    void *m;
    l->count = 0;
    assert_ok(np_arrivals_create(network, &options, &arrivals));
    assert_ok(np_path_create(c->paths, network, &path));
    np_open_options open = {.network = network,
                            .path = path,
                            .arrivals = arrivals,
                            .draws = {.seed = 5, .run = 2},
                            .threads = threads,
                            .via_random = c->valiant,
                            .deliver = support_keep_deliveries,
                            .context = l};
    assert_ok(model->create(&open, &m));
    for (int64_t t = 7; t < CYCLES; t += 31)
        assert_ok(model->advance(m, t));
    model->stop(m);
    do {
        model->counts(m, counts);
        assert_true(counts->now < 100 * CYCLES);
        assert_ok(model->advance(m, counts->now + 5));
    } while (counts->waiting);
    model->free(m);
    np_path_free(path);
    np_arrivals_free(arrivals);
    np_network_free(network);
}

static void test_twin(void **state)
{
    static const unsigned threads[] = {1, 2, 7};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        support_deliveries want = {NULL, 0, 0}, got = {NULL, 0, 0};
        np_open_counts counts, twin_counts;
        np_network *network = support_network(cases[i].network);
        bool hosts = np_network_has_hosts(network);
        np_network_free(network);
        play(&oracle_open_steps, &cases[i], 1, &want, &twin_counts);
        assert_true(want.count > 100);
        for (size_t k = SUPPORT_FEWER(0, (i + i / 3) % 3); k < 3; k += SUPPORT_FEWER(1, 3)) {
            play(&np_open_steps, &cases[i], threads[k], &got, &counts);
            assert_int_equal(got.count, want.count);
            for (size_t j = 0; j < want.count; j++) {
                np_delivery a = got.d[j], b = want.d[j];
                uint32_t cables = hosts && b.hops ? 2 : 0;
                if (a.source != b.source || a.destination != b.destination || a.number != b.number ||
                    a.created != b.created || a.arrived != b.arrived || a.hops + cables != b.hops || a.flits != 1)
                    fail_msg("case %zu, %u threads, delivery %zu: %u to %u at %lld, %u hops, not %u to %u at %lld, %u",
                             i, threads[k], j, a.source, a.destination, (long long)a.arrived, a.hops, b.source,
                             b.destination, (long long)b.arrived, b.hops);
            }
            assert_int_equal(counts.created, twin_counts.created);
            assert_int_equal(counts.ejected, counts.created);
        }
        free(want.d);
        free(got.d);
    }
}

/* Closed loops: who arrives when, of both models the same, where paths are found as packets are created, and else. */
static const steps_case loops[] = {
    {"mesh:4x4", "uniform", "bernoulli", "greedy", false, 0},
    {"torus:4x4", "uniform", "bernoulli", "spray", false, 0},
    {"torus:4x4", "uniform", "bernoulli", "shortest", true, 0},
    {"tree:3", "random", "bernoulli", "ecmp", false, 0},
    {"torus:3x3@2", "uniform", "bernoulli", "ecmp", false, 0},
    {"complete:9", "uniform", "bernoulli", "greedy", true, 0},
    {"dragonfly:a=2,p=2,h=1", "adversarial", "bernoulli", "greedy", false, 0},
    {"planes:2,ring:5@1", "uniform", "bernoulli", "shortest", false, 0},
};

static void play_loop(const np_open_model *inner, const steps_case *c, uint32_t window, unsigned threads,
                      support_deliveries *l)
{
    np_network *network = support_network(c->network);
    np_arrivals_options options = {c->traffic, c->process, c->rate, NULL, 5, 2};
    np_arrivals *arrivals;
    np_path *path;
    void *m;
    l->count = 0;
    assert_ok(np_arrivals_create_as(network, &options, NP_ARRIVALS_ALIKE, &arrivals));
    assert_ok(np_path_create(c->paths, network, &path));
    np_open_options open = {.network = network,
                            .path = path,
                            .arrivals = arrivals,
                            .draws = {.seed = 5, .run = 2},
                            .threads = threads,
                            .via_random = c->valiant,
                            .inner = inner,
                            .window = window,
                            .deliver = support_keep_deliveries,
                            .context = l};
    assert_ok(np_open_closed.create(&open, &m));
    for (int64_t t = 7; t < CYCLES; t += 31)
        assert_ok(np_open_closed.advance(m, t));
    np_open_closed.free(m);
    np_path_free(path);
    np_arrivals_free(arrivals);
    np_network_free(network);
}

static void test_loops(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3 * sizeof loops / sizeof *loops; i += SUPPORT_FEWER(1, 2)) {
        const steps_case *c = &loops[i / 3];
        support_deliveries want = {NULL, 0, 0}, got = {NULL, 0, 0};
        np_network *network = support_network(c->network);
        uint32_t cables = np_network_has_hosts(network) ? 4 : 0, window = i % 3 == 2 ? 9 : (uint32_t)(i % 3 + 1);
        np_network_free(network);
        play_loop(&oracle_open_steps, c, window, 1, &want);
        assert_true(want.count > 100);
        for (unsigned threads = 1; threads < 4; threads += 2) {
            play_loop(&np_open_steps, c, window, threads, &got);
            assert_int_equal(got.count, want.count);
            for (size_t j = 0; j < want.count; j++) {
                np_delivery a = got.d[j], b = want.d[j];
                if (a.source != b.source || a.destination != b.destination || a.number != b.number ||
                    a.created != b.created || a.arrived != b.arrived || a.hops + (b.hops ? cables : 0) != b.hops)
                    fail_msg("%s by %s, window %u, round trip %zu: %u to %u, %lld to %lld, not %u to %u, %lld to %lld",
                             c->network, c->paths, window, j, a.source, a.destination, (long long)a.created,
                             (long long)a.arrived, b.source, b.destination, (long long)b.created, (long long)b.arrived);
            }
        }
        free(want.d);
        free(got.d);
    }
}

/* The means lie between the theorems', with Poisson arrivals; 5 of their half-widths are allowed. */
static void test_theorems(void **state)
{
    static const struct {
        const char *network, *loads;
        unsigned theorems;
    } of[] = {{"hypercube:5", "0.4,1.2,1.8", 6}, {"mesh:6x6", "0.1,0.4,0.6", 4}, {"complete:12", "0.5,3,9", 4}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        np_network *network = support_network(of[i].network);
        np_load_options options;
        np_load_result *result;
        unsigned applied = 0;
        np_load_options_init(&options);
        options.arrivals = "poisson";
        options.loads = of[i].loads;
        options.bound = true;
        options.threads = 2;
        assert_ok(np_load(network, "uniform", &options, &result));
        const np_load_curve *c = &result->curve[0];
        for (size_t k = 0; k < c->theorems; k++)
            for (size_t p = 0; c->theorem[k].applies && p < c->count; p++) {
                double slack = 5 * c->points[p].latency.ci95, mean = c->points[p].latency.mean;
                double value = c->theorem[k].value[p];
                const char *says = c->theorem[k].says;
                applied += p == 0;
                assert_false(c->points[p].saturated);
                if ((!strcmp(says, "mean at most") && mean > value + slack) ||
                    (!strcmp(says, "mean at least") && mean < value - slack) ||
                    (!strcmp(says, "mean") && fabs(mean - value) > slack) ||
                    (strchr(says, 'a') == says && c->points[p].offered > value))
                    fail_msg("%s, load %g: %s %g, not %g", of[i].network, c->points[p].offered, says, value, mean);
            }
        assert_int_equal(applied, of[i].theorems);
        np_load_free(result);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_twin), cmocka_unit_test(test_loops),
                                       cmocka_unit_test(test_theorems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
