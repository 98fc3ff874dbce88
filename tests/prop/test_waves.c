/*
 * Waves: the engine against its slow twin on random leveled networks, no
 * standstill whatever the queues, cases done by hand, and the scheme beside `ranked`.
 */
#include "base/memory.h"
#include "papers/waves/waves.h"
#include "oracle/merging_case.h"
#include "oracle/waves.h"
#include "support.h"

enum { CASES = SUPPORT_SAMPLE(4000), SWEEP = SUPPORT_SAMPLE(8000), SLOW = 100, WAVES_MAX = 9 };

/* The wave that each packet of the case belongs to, as the header says they are drawn; *waves = W. */
static uint32_t *waves_of(const merging_case *c, uint32_t asked, bool one, uint32_t *waves)
{
    const np_draws draws = np_draws_for(c->job.draws, NP_RANDOM_RANK);
    uint32_t *wave = calloc(c->path_set.packets + 1, sizeof *wave), count = asked;
    assert_non_null(wave);
    if (!count)
        while ((UINT64_C(1) << count) < c->path_set.packets)
            count++;
    *waves = one || !count ? 1 : count;
    for (uint32_t i = 0; i < c->path_set.packets; i++)
        wave[i] = np_random_below(&draws, c->path_set.packet[i], 0, *waves);
    return wave;
}

static void judge_run(const np_phase_run *run, const np_phase_run *twin, uint32_t trial)
{
    const bool same = run->packets == twin->packets && run->steps == twin->steps && run->delay_max == twin->delay_max &&
                      run->delay_sum == twin->delay_sum && run->hops == twin->hops &&
                      run->queue_max == twin->queue_max && run->population_max == twin->population_max &&
                      run->congestion == twin->congestion && run->levels == twin->levels &&
                      run->congestion_destinations == twin->congestion_destinations && run->tokens == twin->tokens &&
                      run->queue_real_max == twin->queue_real_max && run->node_steps == twin->node_steps;
    if (!same)
        fail_msg("trial %u: %u steps, delays %llu, queue %u, population %u, tokens %llu; "
                 "the twin: %u, %llu, %u, %u, %llu",
                 trial, run->steps, (unsigned long long)run->delay_sum, run->queue_max, run->population_max,
                 (unsigned long long)run->tokens, twin->steps, (unsigned long long)twin->delay_sum, twin->queue_max,
                 twin->population_max, (unsigned long long)twin->tokens);
    assert_int_equal(run->ghosts, 0);
    assert_int_equal(run->combined, 0);
}

static void judge_case(const merging_case *c, np_waves *engine, uint32_t asked, bool one, bool physical, uint32_t trial)
{
    const np_waves_job job = {.leveled = c->leveled, .path_set = &c->path_set, .one_wave = one, .draws = c->job.draws};
    np_phase_run run;
    uint32_t waves, *wave = waves_of(c, asked, one, &waves);
    oracle_waves *twin = oracle_waves_run(&c->plain, wave, waves);
    assert_ok(np_waves_run(engine, &job, &run));
    assert_false(twin->stuck);
    assert_true(twin->held_max <= c->options.queue_size);
    judge_run(&run, &twin->run, trial);
    assert_int_equal(run.physical_steps, physical ? twin->run.physical_steps : 0);
    for (uint32_t i = 0; i < run.packets; i++)
        assert_int_equal(np_waves_delays(engine)[i], twin->delay[i]);
    oracle_waves_free(twin);
    free(wave);
}

/* Every engine does two cases, so that what one leaves behind cannot change the next. */
static void random_cases(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < CASES; trial++) {
        merging_case c, next;
        np_waves *engine;
        const uint32_t asked = trial % (WAVES_MAX + 1);
        const bool physical = trial % 2;
        merging_case_draw(&c, MERGING_ANY, trial);
        merging_case_draw(&next, MERGING_ANY, trial + CASES);
        next.plain.queue_size = next.options.queue_size = c.options.queue_size;
        next.plain.room = c.options.room;
        assert_ok(np_waves_create(&(np_waves_options){c.options.queue_size, c.options.room, asked, physical}, &engine));
        if (c.leveled->nodes <= SLOW) /* the twin is */
            judge_case(&c, engine, asked, trial % 7 == 0, physical, trial);
        if (next.leveled->nodes <= SLOW)
            judge_case(&next, engine, asked, false, physical, trial);
        np_waves_free(engine);
        merging_case_clear(&next);
        merging_case_clear(&c);
    }
}

/* Something moves in every step: the engine would fail else. Here for every case each q and each rule of room. */
static void never_stands_still(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < SWEEP; trial++) {
        merging_case c;
        merging_case_draw(&c, MERGING_ANY, 3 * CASES + trial);
        const np_waves_job job = {.leveled = c.leveled, .path_set = &c.path_set, .draws = c.job.draws};
        for (uint32_t q = 1; q <= 3; q++) {
            np_waves *engine;
            np_phase_run run;
            const np_room room = (trial + q) % 2 ? NP_ROOM_BEGIN : NP_ROOM_FREED;
            assert_ok(np_waves_create(&(np_waves_options){q, room, trial % WAVES_MAX, false}, &engine));
            assert_ok(np_waves_run(engine, &job, &run));
            assert_true(run.queue_real_max <= q);
            assert_true(run.hops == c.path_set.begin[c.path_set.packets]);
            np_waves_free(engine);
        }
        merging_case_clear(&c);
    }
}

/*
 * v0 -> v1, two packets from v0 to v1, one wave; + is consumed, > crosses, T the token crosses:
 *
 *   q = 1, room at the beginning:  step 0 >0   1 +0   2 >1      3 +1 (no room for T)
 *   q = 1, freed:                  step 0 >0   1 +0 >1   2 +1 T
 *   q = 2:                         step 0 >0   1 +0 >1   2 +1 T
 */
static void chain_by_hand(void **state)
{
    static const struct {
        uint32_t q;
        np_room room;
        uint32_t steps, delays, tokens;
    } row[] = {{1, NP_ROOM_BEGIN, 4, 2, 0}, {1, NP_ROOM_FREED, 3, 1, 1}, {2, NP_ROOM_BEGIN, 3, 1, 1}};
    np_leveled *lv;
    np_path_set path_set = {0};
    (void)state;
    np_leveled sizes = np_leveled_sizes(1, 2, 1, 0, 2, 1);
    assert_ok(np_leveled_create(&sizes, &lv));
    np_leveled_add_node(lv, 0, 0);
    np_leveled_add_node(lv, 1, 1);
    np_leveled_add_edge(lv, 0, 1, 0, NULL);
    assert_ok(np_leveled_finish(lv));
    assert_ok(np_path_set_reset(&path_set, 2, 2));
    for (uint32_t i = 0; i < 2; i++) {
        np_path_set_add(&path_set, i, 0, 1);
        np_path_set_hop(&path_set, 0);
    }
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const np_waves_job job = {.leveled = lv, .path_set = &path_set};
        np_waves *engine;
        np_phase_run run;
        assert_ok(np_waves_create(&(np_waves_options){row[i].q, row[i].room, 1, false}, &engine));
        assert_ok(np_waves_run(engine, &job, &run));
        assert_int_equal(run.steps, row[i].steps);
        assert_int_equal(run.delay_sum, row[i].delays);
        assert_int_equal(run.tokens, row[i].tokens);
        assert_int_equal(run.population_max, 2);
        assert_int_equal(run.queue_real_max, 1);
        np_waves_free(engine);
    }
    np_path_set_clear(&path_set);
    np_leveled_free(lv);
}

/* The same paths as `ranked`, in every phase of every kind of leveled routing. */
static void scheme_beside_ranked(void **state)
{
    static const char *const specs[] = {"butterfly:3", "butterfly-io:4", "mesh:4x4",          "torus:4x4",
                                        "hypercube:4", "fat-tree:2",     "shuffle-exchange:5"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_route_options options;
        np_route_result *waves, *ranked;
        np_route_options_init(&options);
        options.runs = 3;
        options.merge.queue_size = 1 + i % 3;
        options.scheme = "ranked";
        assert_ok(np_route(network, "random", &options, &ranked));
        options.scheme = "waves";
        assert_ok(np_route(network, "random", &options, &waves));
        assert_int_equal(waves->phases, ranked->phases);
        for (size_t p = 0; p < waves->phases; p++)
            for (uint32_t r = 0; r < options.runs; r++) {
                const np_phase_run *a = &waves->phase[p].run[r], *b = &ranked->phase[p].run[r];
                assert_int_equal(a->packets, b->packets);
                assert_int_equal(a->hops, b->hops);
                assert_int_equal(a->congestion, b->congestion);
                assert_int_equal(a->levels, b->levels);
                assert_int_equal(a->ghosts, 0);
                assert_true(a->queue_real_max <= options.merge.queue_size);
            }
        np_route_result_free(waves);
        np_route_result_free(ranked);
        np_network_free(network);
    }
}

/* Each allocation fails in turn: the engine says so, and the next run is as if nothing had been. */
static void runs_out_of_memory(void **state)
{
    merging_case c;
    np_waves *engine;
    np_phase_run run, want;
    np_status st = NP_ERROR_MEMORY;
    long n = 0;
    (void)state;
    merging_case_draw(&c, MERGING_PLAIN, 21);
    const np_waves_job job = {.leveled = c.leveled, .path_set = &c.path_set, .draws = c.job.draws};
    assert_ok(np_waves_create(&(np_waves_options){.queue_size = 2}, &engine));
    assert_ok(np_waves_run(engine, &job, &want));
    np_waves_free(engine); /* the next one has no memory yet */
    assert_ok(np_waves_create(&(np_waves_options){.queue_size = 2}, &engine));
    while (st) {
        np_memory_fail_after(++n);
        st = np_waves_run(engine, &job, &run);
        np_memory_fail_after(0);
        assert_true(!st || st == NP_ERROR_MEMORY);
    }
    assert_true(n > 1);
    assert_memory_equal(&run, &want, sizeof run);
    np_waves_free(engine);
    merging_case_clear(&c);
}

static void refusals(void **state)
{
    np_network *network = support_network("butterfly-io:3");
    np_route_options fresh, options;
    np_route_result *result;
    np_waves *engine;
    (void)state;
    assert_refused(np_waves_create(&(np_waves_options){0}, &engine), NP_ERROR_INPUT, "queues of 0 packets");
    assert_refused(np_waves_create(&(np_waves_options){1, NP_ROOM_BEGIN, NP_WAVES_MAX + 1, false}, &engine),
                   NP_ERROR_INPUT, "65537 waves: at most 65536");
    np_route_options_init(&fresh);
    fresh.scheme = "waves";
    options = fresh;
    options.merge.combine = NP_COMBINE_SUM;
    assert_refused(np_route(network, "random-function", &options, &result), NP_ERROR_APPLY,
                   "combine: is for scheme 'ranked', not for 'waves'");
    options = fresh;
    options.merge.ranks = NP_RANKS_HASH;
    assert_refused(np_route(network, "random-function", &options, &result), NP_ERROR_APPLY,
                   "ranks: is for scheme 'ranked', not for 'waves'");
    options = fresh;
    options.merge.message_most = 3;
    assert_refused(np_route(network, "random-function", &options, &result), NP_ERROR_APPLY,
                   "message_length: is for scheme 'ranked'");
    options = fresh;
    options.merge.no_ghosts = true;
    assert_refused(np_route(network, "random-function", &options, &result), NP_ERROR_APPLY,
                   "no_ghosts: is for scheme 'ranked'");
    options = fresh;
    options.queue = "fifo";
    assert_refused(np_route(network, "random-function", &options, &result), NP_ERROR_APPLY, "queue: is for scheme");
    options = fresh;
    options.scheme = "ranked";
    options.merge.waves = 4;
    assert_refused(np_route(network, "random-function", &options, &result), NP_ERROR_APPLY,
                   "waves: is for scheme 'waves', not for 'ranked'");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_cases),         cmocka_unit_test(never_stands_still), cmocka_unit_test(chain_by_hand),
        cmocka_unit_test(scheme_beside_ranked), cmocka_unit_test(runs_out_of_memory), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
