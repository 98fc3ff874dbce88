/* T and W of the programs that are texts, as their heads and the books state them. */
#include "support.h"

#include "netpram/script.h"

static np_program_result *run(const char *name, uint64_t n, uint64_t edges)
{
    const np_program_info *info;
    np_pram_options pram;
    np_program_options options;
    np_program_result *result;
    assert_ok(np_program_find(name, &info));
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    pram.rule = info->rule;
    options.n = n;
    options.edges = edges;
    assert_ok(np_program_run(name, &pram, &options, &result));
    assert_true(result->correct);
    assert_int_equal(result->report.violations, 0);
    return result;
}

/* The exact figures of programs whose steps do not depend on their numbers. */
static void exactly(const char *name, uint64_t n, uint64_t steps, uint64_t work)
{
    np_program_result *result = run(name, n, 0);
    if (result->report.steps != steps || result->report.work != work)
        fail_msg("%s of %llu: T = %llu, W = %llu", name, (unsigned long long)n,
                 (unsigned long long)result->report.steps, (unsigned long long)result->report.work);
    np_program_result_free(result);
}

static void test_exact(void **state)
{
    (void)state;
    for (uint64_t log = 2; log <= 10; log++) {
        uint64_t n = UINT64_C(1) << log;
        exactly("prefix-sums", n, 3 * (2 * log - 1), 3 * ((n - 1) + (n - 1 - log))); /* two reads and a write a turn */
        exactly("hillis-steele", n, 3 * log, 3 * (n * log - (n - 1)));
        exactly("histogram", n, 3, 3 * n);
        if (log <= 5)
            exactly("matrix-product", n, 2 * n + 1, 2 * n * n * n + n * n);
        if (log <= 5)
            exactly("matrix-cube", n, 3 * log + 5, (3 + 3) * n * n * n - 3 * n * n + 2 * n * n);
        exactly("life", n, 11 * 4, 11 * 4 * n * n);
    }
}

/* T at most this, whatever the numbers are. */
static void test_at_most(void **state)
{
    (void)state;
    for (uint64_t log = 3; log <= 10; log++) {
        uint64_t n = UINT64_C(1) << log;
        const struct {
            const char *name;
            uint64_t most;
        } cases[] = {{"or", 2},
                     {"maximum", 6},
                     {"list-ranking", 3 + 4 * (log + 1)},
                     {"sort", 2 * log * (log + 1)},
                     {"merge", 2 * (log + 3)},
                     {"merge-sort", log * (log + 1) + 4 * log}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            np_program_result *result = run(cases[i].name, n, 0);
            if (result->report.steps > cases[i].most)
                fail_msg("%s of %llu takes %llu steps", cases[i].name, (unsigned long long)n,
                         (unsigned long long)result->report.steps);
            np_program_result_free(result);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
