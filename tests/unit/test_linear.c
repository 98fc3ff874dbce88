/*
 * Linear programs: assignments, whose optimum is that of rows and columns in opposite order.
 *
 *     least sum of i j x(i, j), where the x of each row i and of each column j sum up to 1
 *
 * By the rearrangement inequality j = N - 1 - i is best.
 */
#include "support.h"

#include <math.h>

#include "base/linear.h"

enum { N = 40 };

static np_linear *assignment(void)
{
    double one[2 * N];
    np_linear *p;
    for (int i = 0; i < 2 * N; i++)
        one[i] = 1;
    assert_ok(np_linear_create(2 * N, one, one, &p));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            np_linear_add(p, (double)i * j, 2, (const int[]){i, N + j}, one);
    return p;
}

static double cost(const double *value)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += (double)i * j * value[i * N + j];
    return sum;
}

static void check_optimum(np_linear *p)
{
    const double *value, *price;
    double least = 0;
    for (int i = 0; i < N; i++)
        least += (double)i * (N - 1 - i);
    assert_true(np_linear_solve(p, INFINITY, &value, &price));
    assert_true(fabs(cost(value) - least) < 1e-6 * least);
}

static void optimum(void **state)
{
    (void)state;
    if (!np_linear_available())
        skip();
    np_linear *p = assignment();
    check_optimum(p);
    np_linear_free(p);
}

/* No time, or less: no optimum; and the limit is that of the call alone. */
static void limit_of_time(void **state)
{
    (void)state;
    static const double seconds[] = {0, -1};
    const double *value, *price;
    if (!np_linear_available())
        skip();
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        np_linear *p = assignment();
        assert_false(np_linear_solve(p, seconds[i], &value, &price));
        check_optimum(p);
        np_linear_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimum),
        cmocka_unit_test(limit_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
