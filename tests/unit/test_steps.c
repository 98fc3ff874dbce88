/* np_steps: indices instead of addresses, and one status for many steps. */
#include "support.h"

#include "netpram/pram.h"

static np_pram *make(np_access_rule rule)
{
    np_pram_options options;
    np_pram *pram;
    np_pram_options_init(&options);
    options.rule = rule;
    options.cells = 100;
    assert_ok(np_pram_create(&options, &pram));
    return pram;
}

static void check_cells(np_steps *steps, np_pram_array array, const np_word *expected)
{
    np_word words[100];
    np_steps_get(steps, array, words);
    assert_ok(np_steps_status(steps));
    assert_memory_equal(words, expected, array.cells * sizeof *words);
}

static void test_indices(void **state)
{
    (void)state;
    np_pram *pram = make(NP_RULE_PRIORITY);
    np_pram_report report;
    np_steps *steps;
    assert_ok(np_steps_create(pram, &steps));
    np_pram_array other = np_steps_array(steps, 3, "other", NULL);
    np_pram_array x = np_steps_array(steps, 4, "x", (const np_word[]){10, 20, 30, 40});
    np_word value[] = {1, 2, 3, 4, 5, 6};
    np_steps_gather(steps, x, 5, (const np_word[]){3, -1, 0, 3, -7}, value);
    assert_memory_equal(value, ((const np_word[]){40, 2, 10, 40, 5, 6}), sizeof value);
    np_steps_gather(steps, x, 2, NULL, value);
    assert_int_equal(value[0], 10);
    assert_int_equal(value[1], 20);
    np_steps_scatter(steps, x, 3, (const np_word[]){2, -1, 1}, (const np_word[]){-5, -6, -7});
    check_cells(steps, x, (const np_word[]){10, -7, -5, 40});
    np_word add[] = {1, 2, 3, 4};
    np_steps_fetch(steps, NP_FETCH_ADD, x, 4, (const np_word[]){0, 3, 0, -1}, add);
    assert_memory_equal(add, ((const np_word[]){10, 40, 11, 4}), sizeof add);
    check_cells(steps, x, (const np_word[]){14, -7, -5, 42});
    check_cells(steps, other, (const np_word[]){0, 0, 0});
    assert_ok(np_steps_end(steps));
    assert_ok(np_pram_report_get(pram, &report));
    assert_int_equal(report.steps, 4);
    assert_int_equal(report.work, 3 + 2 + 2 + 3);
    np_pram_free(pram);
}

/* The first error is the one that is told, and no step is made after it. */
static void test_first_error_is_kept(void **state)
{
    (void)state;
    np_pram *pram = make(NP_RULE_CREW);
    np_pram_report report;
    np_steps *steps;
    assert_ok(np_steps_create(pram, &steps));
    np_pram_array x = np_steps_array(steps, 4, "x", NULL), y = np_steps_array(steps, 2, "y", NULL);
    np_word value[3] = {7, 7, 7};
    np_steps_gather(steps, x, 3, (const np_word[]){0, 1, 4}, value);
    assert_int_equal(np_steps_status(steps), NP_ERROR_INPUT);
    assert_int_equal(value[0], 7);
    np_steps_scatter(steps, y, 3, (const np_word[]){0, 9, 1}, value);
    np_pram_array none = np_steps_array(steps, 1000, "z", NULL);
    assert_int_equal(none.cells, 0);
    np_steps_get(steps, x, value);
    assert_int_equal(value[0], 7);
    assert_refused(np_steps_end(steps), NP_ERROR_INPUT, "processor 2: x[4]: it has 4 cells");
    assert_ok(np_pram_report_get(pram, &report));
    assert_int_equal(report.steps, 0);

    assert_ok(np_steps_create(pram, &steps));
    none = np_steps_array(steps, 1000, "z", NULL);
    assert_int_equal(none.cells, 0);
    np_steps_gather(steps, none, 1, NULL, value);
    assert_int_equal(np_steps_end(steps), NP_ERROR_LIMIT);
    assert_ok(np_steps_end(NULL));
    np_pram_free(pram);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_first_error_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
