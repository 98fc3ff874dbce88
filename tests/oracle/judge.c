/*
 * Compares the engine with its slow twin (oracle/simulator.h): every measure of
 * every phase, every delay, and after every step the packets that moved, the
 * packets that finished and a hash of all moves so far. No two different
 * trajectories share this hash. Random choices are pure functions of the seed,
 * so both make the same choices.
 */
#include "oracle/judge.h"
#include "support.h"

/* Compares what the library reports of each step with the twin's step. */
typedef struct follower {
    oracle_result *const *expected; /* [runs] */
    uint64_t steps;                 /* number of steps compared */
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
           a->population_max == b->population_max && a->congestion == b->congestion && a->late == b->late;
}

static void print_run(const char *who, const np_phase_run *run)
{
    print_error("  %s: steps %u delay %u sum %llu hops %llu queue %u population %u congestion %u late %u\n", who,
                run->steps, run->delay_max, (unsigned long long)run->delay_sum, (unsigned long long)run->hops,
                run->queue_max, run->population_max, run->congestion, run->late);
}

/* Is the histogram over the runs the histogram of the twin's delays? */
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

static void fail_case(const oracle_case *c, unsigned threads, const char *what)
{
    fail_msg("%s, scheme %s, traffic %s, queue %s, seed %llu, %s, time %u, %u threads: %s", np_network_spec(c->network),
             c->scheme, np_traffic_spec(c->traffic), c->queue, (unsigned long long)c->seed,
             c->overlap ? "overlap" : "phases wait", c->phase_time, threads, what);
}

/*
 * Watched step by step, the engine brings all packets into their queues after each step. Not watched, it spares most of
 * them the queues, or another method serves.
 */
static void judge_threads(const oracle_case *c, oracle_result *const *expected, unsigned threads, bool watched)
{
    follower f = {.expected = expected};
    np_route_options options;
    np_route_result *got;
    uint64_t instants = 0;
    char time[16];
    np_route_options_init(&options);
    options.scheme = c->scheme;
    options.paths = c->paths;
    options.queue = c->queue;
    options.seed = c->seed;
    options.overlap = c->overlap;
    snprintf(time, sizeof time, "%u", c->phase_time);
    options.phase_time = c->phase_time ? time : NULL;
    options.fallback = c->fallback;
    options.runs = RUNS;
    options.threads = threads;
    options.hash = watched;
    options.on_step = watched ? compare_step : NULL;
    options.context = &f;
    np_status st = np_route_traffic(c->network, c->traffic, &options, &got);
    if (f.differs)
        fail_case(c, threads, np_last_error());
    assert_ok(st);
    for (uint32_t run = 0; run < RUNS; run++)
        for (unsigned phase = 0; phase < expected[run]->phases; phase++)
            instants += expected[run]->phase[phase].skipped ? 0 : expected[run]->phase[phase].run.steps + 1;
    if (!same_result(got, expected) || f.steps != (watched ? instants : 0))
        fail_case(c, threads, watched ? "other results" : "other results when nobody watches");
    np_route_result_free(got);
}

void oracle_judge(const oracle_case *c, const unsigned *threads)
{
    oracle_result *expected[RUNS];
    for (uint32_t run = 0; run < RUNS; run++) {
        oracle_case one = *c;
        one.run = run;
        expected[run] = oracle_simulate(&one);
    }
    for (size_t i = 0; threads[i]; i++) {
        judge_threads(c, expected, threads[i], true);
        judge_threads(c, expected, threads[i], false);
    }
    for (uint32_t run = 0; run < RUNS; run++)
        oracle_result_free(expected[run]);
}
