/*
 * What the machine butterfly:n takes for random reads, n = 6 .. 12, b = 4: at most 12 n steps in the mean at one
 * request a processor; at most 4 for each request of a row at 16 a processor. Half a minute or so.
 */
#include "base/random.h"
#include "support.h"

static double mean_steps(uint32_t n, uint32_t slack, np_request_order order, int steps)
{
    char spec[32];
    np_pram_options options;
    np_pram *pram;
    np_pram_report report;
    np_address base, *address;
    np_word *value;
    size_t count = ((size_t)n << n) * slack, cells = 4 * count;
    np_draws draws = {.seed = n, .purpose = NP_RANDOM_CHECK};
    snprintf(spec, sizeof spec, "butterfly:%u", n);
    np_pram_options_init(&options);
    options.machine = spec;
    options.slack = slack;
    options.order = order;
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, cells, "x", &base));
    address = malloc(count * sizeof *address);
    value = malloc(count * sizeof *value);
    for (int s = 0; s < steps; s++) {
        for (size_t i = 0; i < count; i++)
            address[i] = base + np_random_below(&draws, (uint32_t)i, (uint32_t)s, (uint32_t)cells);
        assert_ok(np_pram_read(pram, count, address, NULL, value, NULL));
    }
    assert_ok(np_pram_report_get(pram, &report));
    assert_int_equal(report.rehashes, 0);
    free(address);
    free(value);
    np_pram_free(pram);
    print_message("n %u, slack %u, order %d: %.2f n, %.2f for each request of a row\n", n, slack, (int)order,
                  report.per_step.mean / n, report.per_step.mean / n / slack);
    return report.per_step.mean;
}

static void one_request(void **unused)
{
    (void)unused;
    for (uint32_t n = 6; n <= 12; n++)
        for (int order = 0; order < 2; order++)
            assert_true(mean_steps(n, 1, (np_request_order)order, 10) <= 12.0 * n);
}

static void sixteen_requests(void **unused)
{
    (void)unused;
    for (uint32_t n = 6; n <= 11; n++)
        for (int order = 0; order < 2; order++)
            assert_true(mean_steps(n, 16, (np_request_order)order, 1) <= 4.0 * 16 * n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_request), cmocka_unit_test(sixteen_requests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
