/*
 * Ghosts prevent deadlocks for every q >= 1: on many thousands of small random cases there is none,
 * and on as many without ghosts there are, so the cases could have shown one.
 */
#include "oracle/merging_case.h"
#include "support.h"

enum { JUDGED = 30000, CASES = 200000 };

static void against_the_twin(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < JUDGED; trial++) {
        merging_case c;
        merging_case_draw(&c, MERGING_ANY, 1000000 + trial);
        merging_case_judge(&c, 1000000 + trial);
        merging_case_clear(&c);
    }
}

/* Cases of the kind in which the engine sees a deadlock, by queue size. */
static void count_deadlocks(merging_kind kind, uint32_t deadlocks[5])
{
    memset(deadlocks, 0, 5 * sizeof *deadlocks);
    for (uint32_t trial = 0; trial < CASES; trial++) {
        merging_case c;
        np_phase_run run;
        np_merge *merge;
        merging_case_draw(&c, kind, 2000000 + trial);
        assert_ok(np_merge_create(&c.options, &merge));
        np_status status = np_merge_run(merge, &c.job, NULL, &run);
        if (status != NP_ERROR_DEADLOCK)
            assert_ok(status);
        deadlocks[c.options.queue_size] += status == NP_ERROR_DEADLOCK;
        np_merge_free(merge);
        merging_case_clear(&c);
    }
}

static void ghosts_prevent_deadlocks(void **state)
{
    uint32_t deadlocks[5];
    (void)state;
    count_deadlocks(MERGING_GHOSTS, deadlocks);
    for (uint32_t q = 1; q <= 4; q++)
        assert_int_equal(deadlocks[q], 0);
    count_deadlocks(MERGING_NO_GHOSTS, deadlocks);
    for (uint32_t q = 1; q <= 4; q++)
        assert_true(deadlocks[q] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_the_twin), cmocka_unit_test(ghosts_prevent_deadlocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
