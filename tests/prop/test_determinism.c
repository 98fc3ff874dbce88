/*
 * The result is a function of (network, traffic, scheme, paths, queue, overlap,
 * same_traffic, seed, runs): not of the threads, of what else was routed, nor
 * of the number of runs that follow. And a caller who cancels is obeyed.
 */
#include "support.h"

#include <math.h>

#include "base/threads.h"
#include "engine/queueing/engine.h"

static np_route_options options_of(const char *scheme, const char *queue, uint32_t runs, unsigned threads)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.queue = queue;
    options.seed = 11;
    options.runs = runs;
    options.threads = threads;
    return options;
}

static np_route_result *route(const np_network *network, const char *traffic, const np_route_options *options)
{
    np_route_result *result;
    assert_ok(np_route(network, traffic, options, &result));
    return result;
}

static bool same_run(const np_phase_run *a, const np_phase_run *b)
{
    return a->packets == b->packets && a->steps == b->steps && a->delay_max == b->delay_max &&
           a->delay_sum == b->delay_sum && a->hops == b->hops && a->queue_max == b->queue_max &&
           a->population_max == b->population_max && a->congestion == b->congestion && a->levels == b->levels &&
           a->congestion_destinations == b->congestion_destinations && a->ghosts == b->ghosts &&
           a->combined == b->combined && a->queue_real_max == b->queue_real_max && a->node_steps == b->node_steps &&
           a->cycles == b->cycles && a->packet_steps == b->packet_steps && a->packet_hops == b->packet_hops;
}

static bool same_summary(const np_summary *a, const np_summary *b)
{
    return a->count == b->count && a->mean == b->mean && a->variance == b->variance && a->min == b->min &&
           a->max == b->max && a->p50 == b->p50 && a->p99 == b->p99 &&
           (a->ci95 == b->ci95 || (isnan(a->ci95) && isnan(b->ci95)));
}

static bool same_phase(const np_phase_result *a, const np_phase_result *b, uint32_t runs)
{
    bool same = a->delays == b->delays && same_summary(&a->steps, &b->steps) &&
                same_summary(&a->delay_max, &b->delay_max) && same_summary(&a->delay_mean, &b->delay_mean) &&
                same_summary(&a->queue_max, &b->queue_max) && same_summary(&a->population_max, &b->population_max) &&
                same_summary(&a->congestion, &b->congestion) && same_summary(&a->hops, &b->hops) &&
                same_summary(&a->traffic_mean, &b->traffic_mean);
    for (uint32_t run = 0; run < runs; run++)
        same = same && same_run(&a->run[run], &b->run[run]);
    return same &&
           (!a->delays || !memcmp(a->delay_histogram, b->delay_histogram, a->delays * sizeof *a->delay_histogram));
}

static bool same(const np_route_result *a, const np_route_result *b)
{
    bool equal = a->phases == b->phases && a->runs == b->runs && a->packets == b->packets &&
                 a->relation == b->relation && same_summary(&a->total_steps, &b->total_steps);
    for (size_t i = 0; equal && i < a->phases; i++)
        equal = same_phase(&a->phase[i], &b->phase[i], a->runs);
    return equal;
}

static const struct {
    const char *network, *scheme, *traffic;
} routed[] = {
    {"hypercube:8", "cubes", "random"},       {"hypercube:9", "basic", "identity"},
    {"shuffle:3x5", "mshuffle", "random"},    {"mesh:12x17", "grid", "random-function"},
    {"torus:6x5x7", "valiant", "rotation:9"}, {"ring:50", "greedy", "hotspot:3"},
    {"complete:20", "valiant", "all-to-all"},
};

enum { ROUTED = sizeof routed / sizeof *routed };

/* With one run the threads divide its nodes, with many the runs. */
static void threads_do_not_matter(void **state)
{
    static const unsigned threads[] = {2, 3, 7};
    (void)state;
    for (size_t i = 0; i < ROUTED; i++) {
        np_network *network = support_network(routed[i].network);
        for (size_t q = 0; np_list_get(NP_LIST_QUEUES, q); q++)
            for (uint32_t runs = 1; runs <= 8; runs += 7) {
                np_route_options options = options_of(routed[i].scheme, np_list_get(NP_LIST_QUEUES, q)->name, runs, 1);
                options.overlap = q % 2;
                np_route_result *alone = route(network, routed[i].traffic, &options);
                options.threads = threads[(i + q) % 3];
                np_route_result *together = route(network, routed[i].traffic, &options);
                if (!same(alone, together))
                    fail_msg("%s %s %s %s: %u runs differ on %u threads", routed[i].network, routed[i].scheme,
                             routed[i].traffic, options.queue, runs, options.threads);
                np_route_result_free(alone);
                np_route_result_free(together);
            }
        np_network_free(network);
    }
}

/* The schemes that move packets their own way. */
static void threads_do_not_matter_to_movers(void **state)
{
    static const struct {
        const char *network, *scheme, *traffic;
        np_combine combine;
    } moved[] = {
        {"butterfly-io:11", "ranked", "random-function:2", NP_COMBINE_NONE}, /* rows enough to divide */
        {"butterfly:6", "ranked", "random", NP_COMBINE_NONE},
        {"shuffle-exchange:7", "ranked", "hotspot:3", NP_COMBINE_SUM},
        {"mesh:9x7", "ranked", "random", NP_COMBINE_NONE},
        {"torus:4x5", "ranked", "random-function:3", NP_COMBINE_MAX},
        {"fat-tree:3", "ranked", "random", NP_COMBINE_NONE},
        {"omega:6", "constrained", "h-relation:5", NP_COMBINE_NONE},
        {"omega:6", "total-randomization", "random", NP_COMBINE_NONE},
        {"omega:6", "unrandomized", "random", NP_COMBINE_NONE},
    };
    static const unsigned threads[] = {2, 3, 7};
    (void)state;
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        np_network *network = support_network(moved[i].network);
        for (uint32_t runs = 1; runs <= 8; runs += 7)
            for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
                np_route_options options = options_of(moved[i].scheme, NULL, runs, 1);
                options.merge.combine = moved[i].combine;
                np_route_result *alone = route(network, moved[i].traffic, &options);
                options.threads = threads[t];
                np_route_result *together = route(network, moved[i].traffic, &options);
                if (!same(alone, together))
                    fail_msg("%s %s %s: %u runs differ on %u threads", moved[i].network, moved[i].scheme,
                             moved[i].traffic, runs, options.threads);
                np_route_result_free(alone);
                np_route_result_free(together);
            }
        np_network_free(network);
    }
}

/* The delays of a phase in which equals draw lots as they enter a queue. */
static void delays_by_lot(const np_network *network, const np_path *path, const np_traffic *traffic, unsigned workers,
                          uint32_t *delay)
{
    np_engine_options options = {.network = network,
                                 .discipline = &np_discipline_priority_random,
                                 .packets = np_traffic_packets(traffic),
                                 .workers = workers};
    np_engine_plan plan = support_plan("greedy", network, path);
    np_phase_run run;
    np_engine *engine;
    assert_ok(np_engine_create(&options, &engine));
    np_engine_place(engine, traffic);
    assert_ok(np_engine_run(engine, &plan, 0, (np_draws){.seed = 7}, NULL, &run));
    memcpy(delay, np_engine_delays(engine), options.packets * sizeof *delay);
    np_engine_free(engine);
}

/* Lots depend on the step. A thread may enter packets while another one sets the step: found by tests/models. */
static void threads_do_not_matter_to_lots(void **state)
{
    np_network *network = support_network("torus:24x24");
    np_path *path;
    np_traffic *traffic;
    (void)state;
    assert_ok(np_path_create("dimension-order", network, &path));
    assert_ok(np_traffic_create("h-relation:9", network, 1, 0, &traffic));
    np_packet packets = np_traffic_packets(traffic);
    uint32_t *alone = malloc(packets * sizeof *alone), *together = malloc(packets * sizeof *together);
    assert_true(alone && together);
    delays_by_lot(network, path, traffic, 1, alone);
    for (unsigned workers = 2; workers <= 4; workers++) {
        delays_by_lot(network, path, traffic, workers, together);
        assert_memory_equal(alone, together, packets * sizeof *alone);
    }
    free(alone);
    free(together);
    np_traffic_free(traffic);
    np_path_free(path);
    np_network_free(network);
}

enum { HASHES_MAX = 1 << 12 };

typedef struct trail {
    size_t count;
    np_step_report report[HASHES_MAX];
} trail;

static int record(void *context, const np_step_report *report)
{
    trail *t = context;
    if (t->count == HASHES_MAX)
        return 1;
    t->report[t->count++] = *report;
    return 0;
}

static bool same_report(const np_step_report *a, const np_step_report *b)
{
    return a->run == b->run && a->phase == b->phase && a->step == b->step && a->moved == b->moved &&
           a->finished == b->finished && a->waiting == b->waiting && a->packets == b->packets &&
           a->queue_max == b->queue_max && a->population_max == b->population_max && a->hash == b->hash;
}

static trail *follow(const np_network *network, size_t i, uint64_t seed, unsigned threads)
{
    trail *t = calloc(1, sizeof *t);
    np_route_options options = options_of(routed[i].scheme, NULL, 2, threads);
    assert_non_null(t);
    options.seed = seed;
    options.hash = true;
    options.on_step = record;
    options.context = t;
    np_route_result_free(route(network, routed[i].traffic, &options));
    return t;
}

static bool same_trail(const trail *a, const trail *b)
{
    bool equal = a->count == b->count;
    for (size_t i = 0; equal && i < a->count; i++)
        equal = same_report(&a->report[i], &b->report[i]);
    return equal;
}

/* Step by step, with a hash of all moves; another seed gives other moves wherever anything is drawn. */
static void every_step_is_the_same(void **state)
{
    static const unsigned threads[] = {1, 2, 3, 7};
    (void)state;
    for (size_t i = 0; i < ROUTED; i++) {
        np_network *network = support_network(routed[i].network);
        trail *first = follow(network, i, 5, 1), *other = follow(network, i, 6, 1);
        for (size_t t = 0; t < 4; t++) {
            trail *again = follow(network, i, 5, threads[t]);
            if (!same_trail(first, again))
                fail_msg("%s %s: a step differs on %u threads", routed[i].network, routed[i].scheme, threads[t]);
            free(again);
        }
        bool drawn = strcmp(routed[i].scheme, "greedy") != 0;
        assert_int_equal(!same_trail(first, other), drawn);
        /* and the hash shows it, as soon as anything moved: report 0 is the start, 1 the first step */
        assert_int_equal(first->report[0].hash, 0);
        assert_int_equal(first->report[1].hash != other->report[1].hash, drawn);
        free(first);
        free(other);
        np_network_free(network);
    }
}

/* Run 3 of 10 is run 3 of 5, on however many threads; and no two runs are alike. */
static void runs_do_not_know_of_each_other(void **state)
{
    (void)state;
    np_network *network = support_network("hypercube:7");
    np_route_options options = options_of("cubes", NULL, 10, 3);
    np_route_result *ten = route(network, "random", &options);
    options.runs = 5;
    options.threads = 2;
    np_route_result *five = route(network, "random", &options);
    for (size_t phase = 0; phase < 2; phase++)
        for (uint32_t run = 0; run < 5; run++) {
            assert_true(same_run(&ten->phase[phase].run[run], &five->phase[phase].run[run]));
            for (uint32_t earlier = 0; earlier < run; earlier++)
                assert_false(same_run(&ten->phase[phase].run[run], &ten->phase[phase].run[earlier]));
        }
    np_route_result_free(ten);
    np_route_result_free(five);
    np_network_free(network);
}

static void seeds_matter(void **state)
{
    (void)state;
    np_network *network = support_network("hypercube:7");
    np_route_options options = options_of("cubes", NULL, 4, 2);
    np_route_result *one = route(network, "identity", &options), *again = route(network, "identity", &options);
    options.seed++;
    np_route_result *other = route(network, "identity", &options);
    options.seed--;
    options.seed |= UINT64_C(1) << 63;
    np_route_result *high = route(network, "identity", &options);
    assert_true(same(one, again));
    assert_false(same(one, other));
    assert_false(same(one, high));
    np_route_result_free(one);
    np_route_result_free(again);
    np_route_result_free(other);
    np_route_result_free(high);
    np_network_free(network);
}

/* Drawn once or anew: "random" has 10 runs of one permutation, or of ten. Greedy routing shows which. */
static void same_traffic_is_drawn_once(void **state)
{
    (void)state;
    np_network *network = support_network("hypercube:7");
    np_route_options options = options_of("greedy", NULL, 10, 2);
    np_route_result *anew = route(network, "random", &options);
    options.same_traffic = true;
    np_route_result *once = route(network, "random", &options);
    assert_true(anew->phase[0].hops.variance > 0);
    assert_true(once->phase[0].hops.variance == 0);
    assert_int_equal(once->phase[0].run[9].hops, anew->phase[0].run[0].hops);
    np_route_result_free(anew);
    np_route_result_free(once);
    np_network_free(network);
}

/* ---- cancelling ---- */

typedef struct stopper {
    uint32_t calls, stop_at;
    bool astray; /* a number of runs that is not the number of calls */
} stopper;

static int stop_on_step(void *context, const np_step_report *report)
{
    stopper *s = context;
    (void)report;
    return ++s->calls == s->stop_at;
}

static int stop_on_run(void *context, const np_progress *progress)
{
    stopper *s = context;
    uint32_t done = (uint32_t)progress->done;
    if (strcmp(progress->unit, "runs"))
        return 0;
    s->astray = s->astray || done != ++s->calls; /* no assertion: this may be any thread */
    return done == s->stop_at;
}

/* At the very start, in the first phase, in the second, in a later run: and the callback is not called again. */
static void cancelled_by_step(void **state)
{
    static const unsigned threads[] = {1, 2, 7};
    static const uint32_t stops[] = {1, 2, 9, 12, 40};
    (void)state;
    np_network *network = support_network("hypercube:5");
    for (size_t t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
            stopper s = {.stop_at = stops[i]};
            np_route_options options = options_of("cubes", NULL, 20, threads[t]);
            static np_route_result not_null;
            np_route_result *result = &not_null;
            options.on_step = stop_on_step;
            options.context = &s;
            assert_refused(np_route(network, "random", &options, &result), NP_ERROR_CANCELLED, "cancelled at step");
            assert_null(result);
            assert_int_equal(s.calls, stops[i]);
        }
    np_network_free(network);
}

static void cancelled_by_run(void **state)
{
    static const unsigned threads[] = {1, 2, 7};
    (void)state;
    np_network *network = support_network("hypercube:5");
    for (size_t t = 0; t < 3; t++)
        for (uint32_t stop = 1; stop <= 20; stop += 6) {
            stopper s = {.stop_at = stop};
            np_route_options options = options_of("cubes", NULL, 20, threads[t]);
            np_route_result *result;
            options.watch = (np_watch){stop_on_run, &s};
            assert_refused(np_route(network, "random", &options, &result), NP_ERROR_CANCELLED, "cancelled after");
            assert_null(result);
            assert_int_equal(s.calls, stop);
            /* and when nobody stops it, every run is told */
            assert_false(s.astray);
            s = (stopper){.stop_at = 21};
            np_route_result_free(route(network, "random", &options));
            assert_int_equal(s.calls, 20);
            assert_false(s.astray);
        }
    np_network_free(network);
}

static unsigned threads_used(const char *spec, uint32_t runs, unsigned asked)
{
    np_network *network = support_network(spec);
    np_route_options options = options_of(NULL, NULL, runs, asked);
    np_route_result *result = route(network, "random", &options);
    unsigned used = result->threads;
    np_route_result_free(result);
    np_network_free(network);
    return used;
}

/* A thread that has nothing to do costs more than it gives, unless it is asked for. */
static void few_packets_have_one_thread(void **state)
{
    (void)state;
    const unsigned processors = np_threads_processors();
    assert_int_equal(threads_used("hypercube:4", 100, 0), 1);
    assert_int_equal(threads_used("hypercube:4", 1, 2), 2);
    assert_int_equal(threads_used("hypercube:12", 100, 0), processors < 100 ? processors : 101);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(threads_do_not_matter_to_lots),
        cmocka_unit_test(threads_do_not_matter_to_movers),
        cmocka_unit_test(every_step_is_the_same),
        cmocka_unit_test(runs_do_not_know_of_each_other),
        cmocka_unit_test(seeds_matter),
        cmocka_unit_test(same_traffic_is_drawn_once),
        cmocka_unit_test(cancelled_by_step),
        cmocka_unit_test(cancelled_by_run),
        cmocka_unit_test(few_packets_have_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
