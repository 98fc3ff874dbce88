/* Ranade 1987a: message sets, Randomizer and Router against tests/oracle/constrained.c, monotonic runs and paths. */
#include "support.h"

#include "base/memory.h"
#include "oracle/constrained.h"
#include "papers/constrained/constrained.h"
#include "papers/constrained/monotonic.h"

/* A runner on omega:n that has made one phase or all. */
typedef struct trial {
    np_network *network;
    np_traffic *traffic;
    np_route_plan plan;
    np_runner *runner;
    np_draws draws;
    np_router_run record;
    np_phase_run out[2];
    uint32_t *delay[2]; /* copies */
} trial;

static void copy_run(const np_router_run *run, np_router_run *out)
{
    assert_ok(np_router_run_create(run->stages, run->sets, run->messages, out));
    memcpy(out->from, run->from, run->messages * sizeof *run->from);
    memcpy(out->destination, run->destination, run->messages * sizeof *run->destination);
    memcpy(out->set, run->set, run->messages * sizeof *run->set);
    memcpy(out->release, run->release, run->messages * sizeof *run->release);
    memcpy(out->leave, run->leave, (size_t)run->messages * run->stages * sizeof *run->leave);
}

static void trial_init_as(trial *t, const char *scheme, int n, uint32_t x, const char *queue, const char *traffic,
                          uint64_t seed, bool overlap)
{
    char spec[32];
    snprintf(spec, sizeof spec, "omega:%d", n);
    *t = (trial){.draws = {.seed = seed, .run = 3}};
    t->network = support_network(spec);
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.permutations = x;
    options.queue = queue;
    options.seed = seed;
    options.overlap = overlap;
    assert_ok(np_traffic_create(traffic, t->network, seed, 3, &t->traffic));
    assert_ok(np_route_plan_init(&t->plan, t->network, NULL, t->traffic, &options));
    assert_ok(np_runner_create(&t->plan, &t->runner));
    np_constrained_record(t->runner, &t->record);
}

static void trial_init(trial *t, const char *scheme, int n, uint32_t x, const char *queue, const char *traffic,
                       uint64_t seed)
{
    trial_init_as(t, scheme, n, x, queue, traffic, seed, false);
}

static void trial_run(trial *t)
{
    for (unsigned phase = 0; phase < t->plan.phases; phase++) {
        const np_runner_job job = {phase, t->draws, t->traffic, NULL};
        np_delays delays;
        assert_ok(t->plan.runner->run(t->runner, &job, &t->out[phase], &delays));
        assert_int_equal(delays.count, t->out[phase].packets);
        t->delay[phase] = malloc(delays.count * sizeof *delays.delay);
        memcpy(t->delay[phase], delays.delay, delays.count * sizeof *delays.delay);
    }
}

static void trial_clear(trial *t)
{
    np_runner_free(t->runner);
    np_route_plan_clear(&t->plan);
    np_router_run_clear(&t->record);
    np_traffic_free(t->traffic);
    np_network_free(t->network);
    free(t->delay[0]);
    free(t->delay[1]);
}

/* Lines first, then second: the last n bits of `first` without its top i, followed by the top i of `second`. */
static uint32_t joined(uint32_t first, uint32_t second, int n, int i)
{
    return (first << i | second >> (n - i)) & ((UINT32_C(1) << n) - 1);
}

/* The stage at which b leaves the path of m in the Router after they shared a link; 0: never. i counts from the
 * outputs. */
static int leaves_at(const trial *t, int n, np_packet m, np_packet b)
{
    const uint32_t *reached = np_constrained_reached(t->runner), *to = np_constrained_sets(t->runner)->destination;
    for (int i = n - 1; i >= 1; i--) { /* the inputs of stage n are the terminals themselves: nobody shares one */
        bool together = joined(to[m], reached[m], n, i) == joined(to[b], reached[b], n, i);
        if (together && (to[m] >> (n - i) & 1) != (to[b] >> (n - i) & 1))
            return i;
    }
    return 0;
}

/* Do their paths in the Randomizer share the switch of stage k? Its outputs are the lines that proposition 1 names. */
static bool share_switch(const trial *t, int n, np_packet a, np_packet b, int k)
{
    const uint32_t *reached = np_constrained_reached(t->runner), *from = np_constrained_sets(t->runner)->source;
    return joined(from[a], reached[a], n, k) >> 1 == joined(from[b], reached[b], n, k) >> 1;
}

/* Lemmas 1 and 2, and Theorem 1: all pairs and triples of the messages of a permutation. */
static void paths_are_apart(void **state)
{
    uint64_t met = 0, left = 0, both = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        int n = 3 + (int)(seed % 4);
        trial t;
        trial_init(&t, "constrained", n, 1, NULL, seed % 2 ? "random" : "bit-reversal", seed);
        trial_run(&t);
        const uint32_t *from = np_constrained_sets(t.runner)->source, *to = np_constrained_sets(t.runner)->destination;
        const uint32_t *reached = np_constrained_reached(t.runner);
        np_packet all = (np_packet)1 << n;
        for (np_packet a = 0; a < all; a++)
            for (np_packet b = 0; b < all; b++) {
                if (a == b)
                    continue;
                for (int i = 1; i <= n; i++)
                    if (share_switch(&t, n, a, b, i)) { /* Lemma 1 */
                        assert_true(((from[a] ^ from[b]) >> (n - i) & 1) && ((reached[a] ^ reached[b]) >> (n - i) & 1));
                        met++;
                    }
                int i = leaves_at(&t, n, a, b);
                if (i == 0)
                    continue;
                /* Lemma 2: only bit i of the destination differs from there on, and the top i bits of A'' agree */
                assert_int_equal((to[a] ^ to[b]) & ((UINT32_C(1) << (n - i + 1)) - 1), UINT32_C(1) << (n - i));
                assert_int_equal(reached[a] >> (n - i), reached[b] >> (n - i));
                left++;
                for (np_packet c = 0; c < all; c++) /* Theorem 1: b leaves a's path at i, c at j >= i */
                    if (c != a && c != b && leaves_at(&t, n, a, c) >= i) {
                        for (int k = 1; k <= i; k++)
                            assert_false(share_switch(&t, n, b, c, k));
                        both++;
                    }
            }
        trial_clear(&t);
    }
    assert_true(met > 1000 && left > 100 && both > 50); /* else nothing was tried */
}

/* n + x - 1 cycles, one message of each set at each intermediate destination, and where the oracle says. */
static void randomizer_is_exact(void **state)
{
    (void)state;
    for (int n = 1; n <= 7; n++)
        for (uint32_t x = 1; x <= 70; x = x < 4 ? x + 1 : 3 * x) { /* 1, 2, 3, 4, 12, 36: bits beyond one word too */
            uint32_t terminals = 1u << n;
            uint32_t *count = calloc((size_t)terminals * x, sizeof *count);
            trial t;
            trial_init(&t, "constrained", n, x, NULL, "random", 11 + (uint64_t)n);
            trial_run(&t);
            assert_int_equal(t.out[0].steps, (uint32_t)n + x - 1);
            assert_int_equal(t.out[0].hops, (uint64_t)n * x * terminals);
            assert_int_equal(t.out[0].congestion, x);
            const np_message_sets *sets = np_constrained_sets(t.runner);
            const uint32_t *reached = np_constrained_reached(t.runner);
            assert_int_equal(sets->messages, x * terminals);
            for (np_packet m = 0; m < sets->messages; m++) {
                count[sets->set[m] * terminals + reached[m]]++;
                assert_int_equal(reached[m],
                                 oracle_randomizer_reaches(n, t.draws.seed, 3, sets->set[m], sets->source[m]));
                assert_int_equal(t.delay[0][m], x - 1 - sets->set[m]);
            }
            for (uint32_t i = 0; i < terminals * x; i++)
                assert_int_equal(count[i], 1);
            free(count);
            trial_clear(&t);
        }
}

static void more_than_64_sets_have_bits_of_their_own(void **state)
{
    trial t;
    (void)state;
    trial_init(&t, "constrained", 3, 130, NULL, "random", 5);
    trial_run(&t);
    assert_int_equal(t.out[0].steps, 3 + 130 - 1);
    for (np_packet m = 0; m < np_constrained_sets(t.runner)->messages; m++)
        assert_int_equal(np_constrained_reached(t.runner)[m],
                         oracle_randomizer_reaches(3, 5, 3, np_constrained_sets(t.runner)->set[m],
                                                   np_constrained_sets(t.runner)->source[m]));
    trial_clear(&t);
}

static void router_is_the_oracle(void **state)
{
    static const char *const queues[] = {"fifo", "lifo", "random", NULL};
    static const oracle_equals equals[] = {ORACLE_FIFO, ORACLE_LIFO, ORACLE_LOT, ORACLE_FIFO};
    static const char *const schemes[] = {"constrained", "total-randomization", "unrandomized"};
    (void)state;
    for (size_t k = 0; k < 3; k++)
        for (size_t q = 0; q < 4; q++)
            for (int n = 1; n <= 5; n++)
                for (uint32_t x = 1; x <= 9; x += 4) {
                    trial t;
                    trial_init(&t, schemes[k], n, x, queues[q], n % 2 ? "random" : "bit-reversal", 100 * q + x);
                    trial_run(&t);
                    unsigned last = t.plan.phases - 1;
                    const np_message_sets *sets = np_constrained_sets(t.runner);
                    uint32_t *delay = malloc(sets->messages * sizeof *delay);
                    uint32_t steps =
                        oracle_router(n, sets->messages, np_constrained_reached(t.runner), sets->destination, sets->set,
                                      equals[q], t.draws.seed, 3, last, delay);
                    assert_int_equal(t.out[last].steps, steps);
                    assert_memory_equal(t.delay[last], delay, sets->messages * sizeof *delay);
                    free(delay);
                    trial_clear(&t);
                }
}

/* x permutations of random are those of h-relation:x; of a fixed permutation, copies; what is none is refused. */
static void sets_come_from_traffic(void **state)
{
    trial a, b, c;
    (void)state;
    trial_init(&a, "unrandomized", 4, 3, NULL, "random", 9);
    trial_init(&b, "unrandomized", 4, 0, NULL, "h-relation:3", 9);
    trial_init(&c, "unrandomized", 4, 3, NULL, "complement", 9);
    trial_run(&a), trial_run(&b), trial_run(&c);
    const np_message_sets *p = np_constrained_sets(a.runner), *q = np_constrained_sets(b.runner);
    const np_message_sets *r = np_constrained_sets(c.runner);
    for (np_packet m = 0; m < 48; m++) {
        assert_int_equal(p->source[m], m / 3);
        assert_int_equal(p->set[m], m % 3);
        assert_int_equal(p->destination[m], q->destination[m]);
        assert_int_equal(r->destination[m], 15 - m / 3);
        assert_int_equal(r->set[m], m % 3);
    }
    for (np_packet i = 0; i < 16; i++) { /* the first set is the traffic itself */
        assert_int_equal(np_traffic_destinations(a.traffic)[i], np_network_output(a.network, p->destination[3 * i]));
        assert_int_equal(np_network_input(a.network, p->source[3 * i]), np_traffic_sources(a.traffic)[i]);
    }
    trial_clear(&a), trial_clear(&b), trial_clear(&c);
}

static void what_is_no_permutation_is_refused(void **state)
{
    static const struct {
        const char *traffic;
        uint32_t x;
        const char *text;
    } cases[] = {
        {"random-function:2", 0, "try h-relation:2"},
        {"partial:0.5", 0, "8 packets are not as many"},
        {"partial:0.5", 3, "8 packets for 16 terminals"},
        {"hotspot:0", 0, "terminal 0 receives more than one packet: try random"},
        {"random-function", 2, "only random is drawn so often"},
        {"h-relation:2", 3, "3 permutations of traffic 'h-relation:2'"},
    };
    (void)state;
    np_network *network = support_network("omega:4");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_route_options options;
        np_route_result *result;
        np_route_options_init(&options);
        options.permutations = cases[i].x;
        assert_refused(np_route(network, cases[i].traffic, &options, &result), NP_ERROR_APPLY, cases[i].text);
    }
    assert_string_equal(np_scheme_default(network), "constrained");
    np_network_free(network);
    network = support_network("butterfly-io:4");
    assert_refused(np_scheme_applies("constrained", network), NP_ERROR_APPLY, "omega network");
    np_network_free(network);
}

/* Pairs that delay each other, straight from definition 3. */
static uint32_t pairs_by_definition(const np_router_run *run)
{
    uint32_t pairs = 0;
    for (np_packet a = 0; a < run->messages; a++)
        for (np_packet b = a + 1; b < run->messages; b++) {
            bool forth = false, back = false;
            for (uint32_t s = 1; s <= run->stages; s++)
                if (np_router_run_output(run, a, s) == np_router_run_output(run, b, s)) {
                    forth |= np_router_run_delays(run, a, b, s);
                    back |= np_router_run_delays(run, b, a, s);
                }
            pairs += forth && back;
        }
    return pairs;
}

/*
 * With overlap, messages are at the Router when the Randomizer lets them go: set after set, one a cycle. It is a run of
 * the Router with these times, the last message arrives when the phase says, and delays and hops are those of the
 * Router.
 */
static void the_router_need_not_wait(void **state)
{
    static const char *const queues[] = {"fifo", "lifo", "random"};
    uint32_t earlier = 0;
    (void)state;
    for (size_t q = 0; q < 3; q++)
        for (uint64_t seed = 1; seed <= 30; seed++) {
            int n = 2 + (int)(seed % 5);
            uint32_t x = 1 + (uint32_t)(seed % 7) * 3;
            trial t, apart;
            np_step last = 0;
            uint64_t delays = 0;
            trial_init_as(&t, "constrained", n, x, queues[q], "random", seed, true);
            trial_init(&apart, "constrained", n, x, queues[q], "random", seed);
            assert_int_equal(t.plan.phases, 1);
            trial_run(&t);
            trial_run(&apart);
            assert_memory_equal(np_constrained_reached(t.runner), np_constrained_reached(apart.runner),
                                t.record.messages * sizeof(uint32_t));
            assert_ok(np_router_run_audit(&t.record));
            for (np_packet m = 0; m < t.record.messages; m++) {
                np_step arrives = t.record.leave[(size_t)m * t.record.stages + t.record.stages - 1];
                assert_int_equal(t.record.release[m], (uint32_t)n + x - 1 - t.record.set[m]); /* set x-1 is the first */
                assert_int_equal(t.delay[0][m], arrives - t.record.release[m] - (uint32_t)n);
                last = arrives > last ? arrives : last;
                delays += t.delay[0][m];
            }
            assert_int_equal(t.out[0].steps, last);
            assert_int_equal(t.out[0].delay_sum, delays);
            assert_int_equal(t.out[0].hops, (uint64_t)n * t.record.messages);
            assert_int_equal(t.out[0].late, 0);
            earlier += t.out[0].steps + x - 1 <= apart.out[0].steps + apart.out[1].steps;
            trial_clear(&t);
            trial_clear(&apart);
        }
    assert_true(earlier > 20);
}

static void overlap_is_refused_where_it_has_no_sense(void **state)
{
    np_network *network = support_network("omega:3");
    np_route_options options;
    np_route_result *result;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "total-randomization";
    options.overlap = true;
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_APPLY, "not for 'total-randomization'");
    options.scheme = "constrained";
    options.permutations = 253;
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_LIMIT, "at most 252");
    options.permutations = 1;
    np_network_free(network);
}

/* Theorem 2: no pair is left, it is still a run, and every message arrives when it did. */
static void monotonic_runs(void **state)
{
    static const char *const queues[] = {"fifo", "lifo", "random"};
    uint64_t all = 0;
    uint32_t passes, most = 0;
    (void)state;
    for (size_t q = 0; q < 3; q++)
        for (uint64_t seed = 1; seed <= 40; seed++) {
            trial t;
            np_router_run copy;
            uint64_t exchanges, pairs;
            trial_init(&t, seed % 2 ? "constrained" : "total-randomization", 2 + (int)(seed % 4),
                       1 + (uint32_t)(seed % 7) * 3, queues[q], "random", seed);
            trial_run(&t);
            assert_ok(np_router_run_audit(&t.record));
            copy_run(&t.record, &copy);
            assert_ok(np_monotonic_count(&copy, &pairs));
            assert_int_equal(pairs > 0, pairs_by_definition(&copy) > 0);
            assert_ok(np_monotonic_make(&copy, &exchanges, &passes));
            assert_ok(np_router_run_audit(&copy));
            assert_int_equal(pairs_by_definition(&copy), 0);
            assert_ok(np_monotonic_count(&copy, &pairs));
            assert_int_equal(pairs, 0);
            if (q == 0)
                assert_int_equal(exchanges, 0); /* first come stays first */
            all += exchanges;
            most = passes > most ? passes : most;
            for (np_packet m = 0; m < copy.messages; m++) {
                assert_int_equal(np_router_run_total(&copy, m, 1), t.delay[1][m]);
                assert_int_equal(np_router_run_total(&copy, m, 1), np_router_run_total(&t.record, m, 1));
            }
            np_router_run_clear(&copy);
            trial_clear(&t);
        }
    assert_true(all > 300); /* else nothing was tried */
    assert_true(most > 2);  /* the paper's one pass, and another that finds nothing, are not enough */
}

/* Sections 7 and 8: all different, at least as many as the delay, theorem 3 and corollary 1. */
static void distinguished_paths(void **state)
{
    static const char *const queues[] = {"fifo", "lifo", "random"};
    size_t longest = 0;
    uint32_t waited = 0, sooner = 0;
    (void)state;
    for (size_t q = 0; q < 3; q++)
        for (uint64_t seed = 1; seed <= 60; seed++) {
            trial t;
            uint64_t exchanges;
            uint32_t passes;
            np_constrained_explanation e = {0};
            const bool overlap = seed % 4 == 1;
            const int n = 2 + (int)(seed % 6);
            trial_init_as(&t, seed % 2 ? "constrained" : "unrandomized", n, 1 + (uint32_t)(seed % 5) * 4, queues[q],
                          "random", seed, overlap);
            trial_run(&t);
            assert_ok(np_monotonic_make(&t.record, &exchanges, &passes));
            assert_ok(np_distinguished_path(&t.record, &e));
            if (!overlap)
                assert_true(e.delay == t.out[t.plan.phases - 1].delay_max && e.needed == e.delay && !e.released);
            assert_int_equal(t.out[t.plan.phases - 1].steps, (uint32_t)n + e.released + e.needed);
            assert_true(e.theorem3 && e.corollary1 && e.disjoint);
            assert_true(e.described >= e.needed && e.needed >= e.delay);
            waited += overlap && e.delay > 0;
            sooner += overlap && e.needed > e.delay;
            assert_int_equal(e.segment[0].first, 1);
            assert_int_equal(e.segment[0].message, e.message);
            for (size_t i = 1; i < e.segments; i++) {
                assert_true(e.segment[i].priority > e.segment[i - 1].priority);
                assert_int_equal(e.segment[i].first, e.segment[i - 1].last + 1);
                assert_int_equal(np_router_run_output(&t.record, e.segment[i].message, e.segment[i - 1].last),
                                 np_router_run_output(&t.record, e.segment[i - 1].message, e.segment[i - 1].last));
            }
            assert_int_equal(e.segment[e.segments - 1].last <= t.record.stages, 1);
            longest = e.segments > longest ? e.segments : longest;
            np_memory_free(e.segment);
            trial_clear(&t);
        }
    assert_true(longest >= 3);
    assert_true(waited > 10 && sooner > 5); /* else overlap shows too little */
}

static void explanations_print(void **state)
{
    np_network *network = support_network("omega:6");
    np_route_options options;
    np_constrained_explanation *e;
    np_route_result *result;
    char text[4000] = "";
    (void)state;
    np_route_options_init(&options);
    options.queue = "random";
    options.permutations = 8;
    options.seed = 4;
    options.runs = 3;
    assert_ok(np_route(network, "random", &options, &result));
    for (uint32_t run = 0; run < 3; run++) {
        assert_ok(np_constrained_explain(network, "random", &options, run, &e));
        assert_int_equal(e->delay, result->phase[1].run[run].delay_max);
        assert_int_equal(e->steps, result->phase[1].run[run].steps);
        FILE *stream = fmemopen(text, sizeof text, "w");
        assert_ok(np_constrained_explanation_print(e, stream));
        fclose(stream);
        assert_non_null(strstr(text, "all different, enough"));
        np_constrained_explanation_free(e);
    }
    options.overlap = true;
    assert_ok(np_constrained_explain(network, "random", &options, 0, &e));
    assert_true(e->overlap);
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_ok(np_constrained_explanation_print(e, stream));
    fclose(stream);
    assert_non_null(strstr(text, "Randomizer and Router took"));
    np_constrained_explanation_free(e);
    options.overlap = false;
    options.scheme = "greedy";
    assert_refused(np_constrained_explain(network, "random", &options, 0, &e), NP_ERROR_APPLY, "no Router to explain");
    np_route_result_free(result);
    np_network_free(network);
}

/* Whatever the allocation that fails: an error, nothing lost. */
static void no_memory(void **state)
{
    np_network *network = support_network("omega:3");
    np_route_options options;
    np_status st = NP_ERROR_MEMORY;
    (void)state;
    np_route_options_init(&options);
    options.permutations = 3;
    for (long n = 1; st; n++) {
        np_constrained_explanation *e;
        np_memory_fail_after(n);
        st = np_constrained_explain(network, "random", &options, 0, &e);
        np_memory_fail_after(0);
        assert_true(!st || st == NP_ERROR_MEMORY);
        assert_true(n < 1000);
        np_constrained_explanation_free(e);
    }
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_apart),
        cmocka_unit_test(randomizer_is_exact),
        cmocka_unit_test(more_than_64_sets_have_bits_of_their_own),
        cmocka_unit_test(router_is_the_oracle),
        cmocka_unit_test(sets_come_from_traffic),
        cmocka_unit_test(what_is_no_permutation_is_refused),
        cmocka_unit_test(the_router_need_not_wait),
        cmocka_unit_test(overlap_is_refused_where_it_has_no_sense),
        cmocka_unit_test(monotonic_runs),
        cmocka_unit_test(distinguished_paths),
        cmocka_unit_test(explanations_print),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
