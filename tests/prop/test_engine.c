/*
 * The engine against its slow twin (oracle/simulator.h): every measure of
 * every phase, every delay, and after every step what has moved, what has
 * finished and a hash of all moves so far, which no two different
 * trajectories share. Random choices are pure functions of the seed, so both
 * make the same ones.
 */
#include "oracle/simulator.h"
#include "support.h"

#include "base/random.h"

/* Is what the library tells of each step what the twin has seen? */
typedef struct follower {
    oracle_result *const *expected; /* [runs] */
    uint64_t steps;                 /* compared */
    bool differs;
} follower;

static int compare_step(void *context, const np_step_report *report)
{
    follower *f = context;
    const oracle_phase *phase = &f->expected[report->run]->phase[report->phase];
    if (report->step > phase->run.steps) {
        f->differs = true;
        return 1;
    }
    const oracle_instant *want = &phase->instant[report->step];
    f->differs = report->moved != want->moved || report->finished != want->finished ||
                 report->waiting != want->waiting || report->packets != phase->run.packets ||
                 report->queue_max != want->queue_max || report->population_max != want->population_max ||
                 report->hash != want->hash;
    f->steps++;
    return f->differs;
}

static bool same_run(const np_phase_run *a, const np_phase_run *b)
{
    return a->packets == b->packets && a->steps == b->steps && a->delay_max == b->delay_max &&
           a->delay_sum == b->delay_sum && a->hops == b->hops && a->queue_max == b->queue_max &&
           a->population_max == b->population_max && a->congestion == b->congestion;
}

static void print_run(const char *who, const np_phase_run *run)
{
    print_error("  %s: steps %u delay %u sum %llu hops %llu queue %u population %u congestion %u\n", who, run->steps,
                run->delay_max, (unsigned long long)run->delay_sum, (unsigned long long)run->hops, run->queue_max,
                run->population_max, run->congestion);
}

/* The histogram over the runs is that of the twin's delays. */
static bool same_delays(const np_route_result *got, unsigned phase, oracle_result *const *expected)
{
    size_t delays = got->phase[phase].delays, packets = 0;
    uint64_t *left = calloc(delays + 1, sizeof *left);
    bool same = true;
    assert_non_null(left);
    for (size_t d = 0; d < delays; d++)
        left[d] = got->phase[phase].delay_histogram[d];
    for (uint32_t run = 0; run < got->runs; run++)
        for (np_packet p = 0; p < expected[run]->phase[phase].run.packets; p++, packets++) {
            uint32_t delay = expected[run]->phase[phase].delay[p];
            same = same && delay < delays && left[delay]-- > 0;
        }
    for (size_t d = 0; d < delays; d++)
        same = same && !left[d];
    free(left);
    return same;
}

static bool same_result(const np_route_result *got, oracle_result *const *expected)
{
    bool same = got->phases == expected[0]->phases;
    for (unsigned phase = 0; same && phase < got->phases; phase++) {
        for (uint32_t run = 0; run < got->runs; run++)
            if (!same_run(&got->phase[phase].run[run], &expected[run]->phase[phase].run)) {
                print_error("run %u, phase %s:\n", run, got->phase[phase].name);
                print_run("engine", &got->phase[phase].run[run]);
                print_run("oracle", &expected[run]->phase[phase].run);
                same = false;
            }
        same = same && same_delays(got, phase, expected);
    }
    return same;
}

enum { RUNS = 2 };

typedef struct instance {
    oracle_case c;
    const char *traffic; /* in words */
} instance;

static void fail_instance(const instance *x, unsigned threads, const char *what)
{
    const oracle_case *c = &x->c;
    fail_msg("%s, scheme %s, traffic %s, queue %s, seed %llu, %s, %u threads: %s", np_network_spec(c->network),
             c->scheme, x->traffic, c->queue, (unsigned long long)c->seed, c->overlap ? "overlap" : "phases wait",
             threads, what);
}

static void check_threads(const instance *x, oracle_result *const *expected, unsigned threads)
{
    const oracle_case *c = &x->c;
    follower f = {.expected = expected};
    np_route_options options;
    np_route_result *got;
    uint64_t instants = 0;
    np_route_options_init(&options);
    options.scheme = c->scheme;
    options.paths = c->paths;
    options.queue = c->queue;
    options.seed = c->seed;
    options.overlap = c->overlap;
    options.runs = RUNS;
    options.threads = threads;
    options.hash = true;
    options.on_step = compare_step;
    options.context = &f;
    np_status st = np_route_traffic(c->network, c->traffic, &options, &got);
    if (f.differs)
        fail_instance(x, threads, np_last_error());
    assert_ok(st);
    for (uint32_t run = 0; run < RUNS; run++)
        for (unsigned phase = 0; phase < expected[run]->phases; phase++)
            instants += expected[run]->phase[phase].run.steps + 1;
    if (!same_result(got, expected) || f.steps != instants)
        fail_instance(x, threads, "other results");
    np_route_result_free(got);
}

/* On one thread; every so many instances also on two or more, which takes much longer where steps are short. */
static void check(const instance *x, unsigned every)
{
    static const unsigned threads[] = {2, 7, 3};
    static unsigned instances, turn;
    oracle_result *expected[RUNS];
    for (uint32_t run = 0; run < RUNS; run++) {
        oracle_case c = x->c;
        c.run = run;
        expected[run] = oracle_simulate(&c);
    }
    check_threads(x, expected, 1);
    if (instances++ % every == 0)
        check_threads(x, expected, threads[turn++ % 3]);
    for (uint32_t run = 0; run < RUNS; run++)
        oracle_result_free(expected[run]);
}

enum { RARELY = 23, OFTEN = 3 }; /* no divisors of the 14 instances that check_disciplines makes */

/* All disciplines, phases waiting and overlapping. The seed differs from instance to instance. */
static void check_disciplines(instance x, unsigned every)
{
    bool several = strcmp(x.c.scheme, "greedy") != 0;
    for (size_t q = 0; np_queue(q); q++)
        for (int overlap = 0; overlap <= several; overlap++) {
            x.c.queue = np_queue(q)->name;
            x.c.overlap = overlap;
            x.c.seed = x.c.seed * 6 + 1;
            check(&x, every);
        }
}

/* All schemes that apply. */
static void check_schemes(const np_network *network, const np_traffic *traffic, const char *name)
{
    for (size_t s = 0; np_scheme(s); s++) {
        instance x = {{.network = network, .traffic = traffic, .scheme = np_scheme(s)->name, .seed = s + 1}, name};
        if (!np_scheme_applies(x.c.scheme, network))
            check_disciplines(x, RARELY);
    }
}

static const char *const small[] = {
    "hypercube:1", "hypercube:4",  "shuffle:2x4",  "shuffle:3x2", "shuffle-exchange:4", "ccc:3",  "butterfly:3",
    "mesh:4x5",    "mesh:3x2x3",   "torus:4x3",    "array:9",     "ring:7",             "complete:6",
};

enum { SMALL = sizeof small / sizeof *small };

static void patterns(void **state)
{
    static const char *const specs[] = {"identity", "random", "h-relation:3", "partial:0.3", "hotspot:0", "all-to-all"};
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        for (size_t t = 0; t < sizeof specs / sizeof *specs; t++) {
            np_traffic *traffic;
            assert_ok(np_traffic_create(specs[t], network, i + 1, 0, &traffic));
            check_schemes(network, traffic, specs[t]);
            np_traffic_free(traffic);
        }
        np_network_free(network);
    }
}

/* Packets from anywhere to anywhere, some of them at home, with priorities of which many are equal. */
static np_traffic *make_arrays(const np_network *network, np_packet packets, uint64_t seed)
{
    np_draws draws = {seed, 0, 0, NP_RANDOM_CHECK};
    np_node *from = malloc((packets + 1) * sizeof *from), *to = malloc((packets + 1) * sizeof *to);
    uint32_t *priority = malloc((packets + 1) * sizeof *priority);
    np_node nodes = np_network_nodes(network);
    np_traffic *traffic;
    assert_true(from && to && priority);
    for (np_packet p = 0; p < packets; p++) {
        from[p] = np_random_below(&draws, p, 0, nodes);
        to[p] = p % 5 ? np_random_below(&draws, p, 1, nodes) : from[p];
        priority[p] = np_random_below(&draws, p, 2, 4) * UINT32_C(0x55555555);
    }
    assert_ok(np_traffic_from_arrays(network, packets, from, to, priority, &traffic));
    free(from);
    free(to);
    free(priority);
    return traffic;
}

static void arrays(void **state)
{
    static const np_packet sizes[] = {0, 1, 10, 100};
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        for (size_t t = 0; t < sizeof sizes / sizeof *sizes; t++) {
            np_traffic *traffic = make_arrays(network, sizes[t], i + 1);
            check_schemes(network, traffic, "from arrays");
            np_traffic_free(traffic);
        }
        np_network_free(network);
    }
}

/* A random graph with a way round all nodes, and self-loops and parallel links among the rest. */
static np_network *make_graph(np_node nodes, size_t links, uint64_t seed)
{
    np_draws draws = {seed, 0, 0, NP_RANDOM_CHECK};
    np_node *from = malloc(links * sizeof *from), *to = malloc(links * sizeof *to);
    np_network *network;
    assert_true(from && to && links >= nodes);
    for (np_node i = 0; i < links; i++) {
        from[i] = i < nodes ? i : np_random_below(&draws, i, 0, nodes);
        to[i] = i < nodes ? (i + 1) % nodes : np_random_below(&draws, i, 1, nodes);
    }
    assert_ok(np_network_from_links(nodes, links, from, to, &network));
    free(from);
    free(to);
    return network;
}

static void irregular_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        np_network *network = make_graph((np_node)(3 * seed), 5 * seed + 2, seed);
        np_traffic *traffic = make_arrays(network, 40, seed);
        check_schemes(network, traffic, "from arrays");
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* The schemes that take any paths, with every rule that applies. */
static void path_rules(void **state)
{
    static const char *const schemes[] = {"greedy", "valiant"};
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        np_traffic *traffic = make_arrays(network, 60, i + 7);
        for (size_t r = 0; np_path_rule(r); r++) {
            np_path *path;
            if (np_path_create(np_path_rule(r)->name, network, &path))
                continue;
            np_path_free(path);
            for (size_t s = 0; s < 2; s++) {
                instance x = {{.network = network, .traffic = traffic, .scheme = schemes[s], .seed = r}, "from arrays"};
                x.c.paths = np_path_rule(r)->name;
                check_disciplines(x, RARELY);
            }
        }
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* Thousands of links busy at once: the engine's batches of 512 and chunks of 1,024 fill up. */
static void many_links(void **state)
{
    static const struct {
        const char *network, *scheme, *traffic;
    } large[] = {
        {"hypercube:11", "cubes", "identity"},   {"hypercube:10", "basic", "h-relation:2"},
        {"shuffle:4x5", "mshuffle", "random"},   {"mesh:24x40", "grid", "random"},
        {"complete:130", "valiant", "rotation:1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        np_network *network = support_network(large[i].network);
        np_traffic *traffic;
        assert_ok(np_traffic_create(large[i].traffic, network, i, 0, &traffic));
        instance x = {{.network = network, .traffic = traffic, .scheme = large[i].scheme, .seed = i}, large[i].traffic};
        check_disciplines(x, OFTEN);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* Thousands of packets in one queue: at the start, at one node or two; and on the way. */
static void long_queues(void **state)
{
    enum { PACKETS = 2600 };
    static const char *const specs[] = {"array:4", "hypercube:2", "ring:3"};
    np_node from[PACKETS], to[PACKETS];
    uint32_t priority[PACKETS];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        np_network *network = support_network(specs[i]);
        np_traffic *traffic;
        for (np_packet p = 0; p < PACKETS; p++) {
            from[p] = p % 7 ? 0 : 1;
            to[p] = p % 11 ? np_network_nodes(network) - 1 : 1;
            priority[p] = p * p % 19;
        }
        assert_ok(np_traffic_from_arrays(network, PACKETS, from, to, priority, &traffic));
        instance x = {{.network = network, .traffic = traffic, .scheme = i ? "valiant" : "greedy", .seed = i}, "to one"};
        check_disciplines(x, RARELY);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),   cmocka_unit_test(arrays),     cmocka_unit_test(irregular_graphs),
        cmocka_unit_test(path_rules), cmocka_unit_test(many_links), cmocka_unit_test(long_queues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
