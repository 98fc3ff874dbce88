/* Phases with a fixed time: how it is written, what is refused, and what it does to a routing. */
#include "support.h"

#include <math.h>

#include "run/route/phase_time.h"

static void times_are_steps_or_formulas(void **state)
{
    static const struct {
        const char *network, *text;
        np_step steps;
    } good[] = {
        {"hypercube:8", "1", 1},
        {"hypercube:8", "24", 24},
        {"hypercube:8", "1048576", 1048576},
        {"hypercube:8", "logN", 8},
        {"hypercube:8", "3logN", 24},
        {"hypercube:8", "2.5logN", 20},
        {"hypercube:7", "2.5logN", 18}, /* 17.5 */
        {"ring:10", "logN", 4},         /* 3.32 */
        {"omega:5", "logN", 5},         /* of its terminals */
        {"mesh:16x16", "n+n^3/4", 24},
        {"mesh:16x16", "n+0.5n^3/4", 20},
        {"mesh:3x16", "n+2n^3/4", 32}, /* the longest side */
        {"array:81", "n+n^3/4", 108},
        {"mesh:5x5", "n+n^3/4", 9}, /* 8.34 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        np_network *network = support_network(good[i].network);
        np_step steps = 0;
        assert_ok(np_phase_time_parse(good[i].text, network, &steps));
        if (steps != good[i].steps)
            fail_msg("%s on %s: %u steps", good[i].text, good[i].network, steps);
        np_network_free(network);
    }
}

static void others_are_refused(void **state)
{
    static const char *const bad[] = {"",      "0",     "-1",     "1048577", "3.5",    "log",        "3log",
                                      "3logn", "xlogN", "-3logN", "0logN",   "3 logN", "200000logN", "n+",
                                      "n",     "n^3/4", "n+n3/4", "1.logN",  "logN3",  "1e2logN"};
    np_network *cube = support_network("hypercube:8"), *torus = support_network("torus:4x4");
    np_step steps;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(np_phase_time_parse(bad[i], cube, &steps), NP_ERROR_INPUT, "must be steps from 1 to");
    assert_refused(np_phase_time_parse("n+n^3/4", cube, &steps), NP_ERROR_APPLY, "is for meshes and arrays");
    assert_refused(np_phase_time_parse("n+n^3/4", torus, &steps), NP_ERROR_APPLY, "is for meshes and arrays");
    np_network_free(cube);
    np_network_free(torus);
}

static np_route_result *route(const char *spec, const char *scheme, const char *time, bool overlap)
{
    np_network *network = support_network(spec);
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.overlap = overlap;
    options.phase_time = time;
    options.runs = 20;
    assert_ok(np_route(network, "random", &options, &result));
    np_network_free(network);
    return result;
}

/*
 * In time enough for phase A nobody is late, and phase B takes its own time behind that of A. In one step hardly
 * anybody has ended phase A, and what waits for nobody goes on: no run is longer than phase A, and no rest is a delay.
 */
static void time_enough_parts_the_phases(void **state)
{
    (void)state;
    np_route_result *enough = route("hypercube:8", "cubes", "40", true),
                    *more = route("hypercube:8", "cubes", "100", true),
                    *short_of = route("hypercube:8", "cubes", "1", true),
                    *none = route("hypercube:8", "cubes", NULL, true);
    assert_true(enough->phase_time == 40 && none->phase_time == 0);
    for (uint32_t r = 0; r < 20; r++) {
        const np_phase_run *run = &enough->phase[0].run[r], *later = &more->phase[0].run[r];
        assert_true(run->late == 0 && run->steps > 40 && run->steps < 40 + 20);
        assert_true(later->steps == run->steps + 60); /* the same moves, 60 steps later */
        assert_true(later->delay_sum == run->delay_sum && later->queue_max == run->queue_max);
        assert_true(short_of->phase[0].run[r].late > 200);
        assert_true(none->phase[0].run[r].late == 0);
    }
    assert_true(short_of->total_steps.max <= none->total_steps.max + 4);
    np_route_result_free(enough);
    np_route_result_free(more);
    np_route_result_free(short_of);
    np_route_result_free(none);
}

/* Section 8: phases of a fixed time are the phases that end by themselves, until one is late; then only the fallback
 * follows. */
static void late_phases_are_the_last(void **state)
{
    (void)state;
    np_route_result *timed = route("mesh:16x16", "grid", "17", false),
                    *plain = route("mesh:16x16", "grid", NULL, false);
    const np_phase_result *f = &timed->phase[3];
    uint32_t late_runs = 0;
    assert_true(timed->phases == 4 && plain->phases == 3 && timed->phase_time == 17 && plain->phase_time == 0);
    assert_string_equal(f->name, "F");
    assert_string_equal(timed->fallback, "dimension-order");
    assert_null(plain->fallback);
    for (uint32_t r = 0; r < 20; r++) {
        bool late = false;
        for (size_t i = 0; i < 3; i++) {
            const np_phase_run *is = &timed->phase[i].run[r], *was = &plain->phase[i].run[r];
            assert_true(is->steps == (late ? 0 : 17) && is->packets == (late ? 0 : 256));
            if (late)
                continue;
            late = was->steps > 17;
            assert_true(late == (is->late > 0) && (late || (is->hops == was->hops && is->delay_sum == was->delay_sum)));
        }
        assert_true(late == (f->run[r].packets > 0) && late == (f->run[r].late > 0) && late == (f->run[r].steps > 0));
        late_runs += late;
    }
    assert_true(timed->fallback_runs == late_runs && late_runs > 0 && late_runs < 20);
    np_route_result_free(timed);
    np_route_result_free(plain);
}

/* A mean is over the runs that had the phase, and says how many these are. */
static void means_are_over_runs_that_had_the_phase(void **state)
{
    (void)state;
    np_route_result *timed = route("mesh:16x16", "grid", "17", false),
                    *enough = route("mesh:16x16", "grid", "99", false);
    double steps[20];
    bool some = false;
    for (size_t i = 0; i < timed->phases; i++) {
        const np_phase_result *phase = &timed->phase[i];
        double sum = 0, count = 0;
        assert_int_equal(np_route_sample(timed, phase, "steps", steps), NP_OK);
        for (uint32_t r = 0; r < 20; r++) {
            assert_true(phase->run[r].absent == !phase->run[r].packets && phase->run[r].absent == isnan(steps[r]));
            sum += phase->run[r].steps;
            count += phase->run[r].packets > 0;
        }
        assert_true(phase->missed == (count < 20) && phase->steps.count == (size_t)count);
        assert_true(count > 0 && fabs(phase->steps.mean - sum / count) < 1e-9 && phase->steps.min > 0);
        some = some || phase->missed;
    }
    assert_true(some);
    assert_true(enough->phase[3].missed && enough->phase[3].steps.count == 0 && isnan(enough->phase[3].steps.mean));
    assert_true(enough->fallback_runs == 0 && enough->total_steps.mean == 3 * 99);
    np_route_result_free(timed);
    np_route_result_free(enough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_steps_or_formulas),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(time_enough_parts_the_phases),
        cmocka_unit_test(late_phases_are_the_last),
        cmocka_unit_test(means_are_over_runs_that_had_the_phase),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
