/* Waves never stand still, on many thousands of small random cases, for every q from 1 to 4. */
#include "papers/waves/waves.h"
#include "oracle/merging_case.h"
#include "support.h"

enum { CASES = 200000, WAVES_MAX = 40 };

static void never_stands_still(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < CASES; trial++) {
        merging_case c;
        np_waves *engine;
        np_phase_run run;
        merging_case_draw(&c, MERGING_ANY, 4000000 + trial);
        const np_waves_job job = {.leveled = c.leveled, .path_set = &c.path_set, .draws = c.job.draws};
        const np_waves_options options = {c.options.queue_size, c.options.room, trial % WAVES_MAX, false};
        assert_ok(np_waves_create(&options, &engine));
        assert_ok(np_waves_run(engine, &job, &run)); /* NP_ERROR_INTERNAL if nothing moves in a step */
        assert_true(run.queue_real_max <= options.queue_size);
        assert_true(run.hops == c.path_set.begin[c.path_set.packets]);
        np_waves_free(engine);
        merging_case_clear(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(never_stands_still)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
