/* Columnsort as a plan: when it sorts, exactly; and the sorter on networks. */
#include "support.h"

#include "base/random.h"
#include "sort/columnsort.h"
#include "sort/embedding.h"

/* A machine that sorts columns of zeros and ones by counting and moves for free. */
typedef struct counting {
    uint32_t column, moves, sorts;
} counting;

static np_status count_sort(void *context, uint32_t depth, uint32_t *item, uint32_t columns, const bool *idle)
{
    counting *c = context;
    (void)depth;
    c->sorts++;
    for (uint32_t i = 0; i < columns; i++, item += c->column) {
        uint32_t ones = 0;
        if (idle && idle[i])
            continue;
        for (uint32_t q = 0; q < c->column; q++)
            ones += item[q];
        for (uint32_t q = 0; q < c->column; q++)
            item[q] = q >= c->column - ones;
    }
    return NP_OK;
}

static np_status count_move(void *context, uint32_t depth, const char *stage, uint32_t count, const uint32_t *from,
                            const uint32_t *to)
{
    (void)depth, (void)stage, (void)count, (void)from, (void)to;
    ((counting *)context)->moves++;
    return NP_OK;
}

/* One level, whether it sorts or not. */
static np_columnsort plan_of(uint32_t r, uint32_t s, uint32_t shift)
{
    return (np_columnsort){.levels = 1, .rows = {r}, .columns = {s}, .shift = {shift}, .column = r, .count = s,
                           .positions = r * s};
}

static bool sorts_zeros(const np_columnsort *plan, const uint32_t *zeros, bool windows)
{
    counting context = {.column = plan->column};
    np_columnsort_machine machine = {&context, count_sort, count_move, windows};
    uint32_t item[4096];
    for (uint32_t q = 0; q < plan->positions; q++)
        item[q] = q % plan->column >= zeros[q / plan->column];
    assert_ok(np_columnsort_run(plan, &machine, item));
    assert_int_equal(context.sorts, 4);
    assert_int_equal(context.moves, windows ? 2 : 4);
    for (uint32_t q = 1; q < plan->positions; q++)
        if (item[q - 1] > item[q])
            return false;
    return true;
}

/* Every input of zeros and ones: after step 1 only how many zeros each column has matters. */
static bool sorts_all(uint32_t r, uint32_t s, uint32_t shift, bool windows)
{
    np_columnsort plan = plan_of(r, s, shift);
    uint32_t zeros[8] = {0}, i;
    do {
        if (!sorts_zeros(&plan, zeros, windows))
            return false;
        for (i = 0; i < s && ++zeros[i] > r; i++)
            zeros[i] = 0;
    } while (i < s);
    return true;
}

/* It sorts exactly where it is said to, for any shift; shifted in place or moved. */
static void test_exhaustive(void **state)
{
    (void)state;
    for (uint32_t s = 2; s <= 3; s++)
        for (uint32_t r = 1; r <= 10; r++)
            for (uint32_t shift = 0; shift <= r; shift++)
                assert_int_equal(sorts_all(r, s, shift, r % 2), np_columnsort_sorts(r, s, shift));
    static const uint32_t of_four[] = {11, 12, 13, 14, 16, 17, 18, 20};
    for (size_t i = 0; i < sizeof of_four / sizeof *of_four; i++)
        assert_int_equal(sorts_all(of_four[i], 4, of_four[i] / 2, i % 2),
                         np_columnsort_sorts(of_four[i], 4, of_four[i] / 2));
}

static void test_bound(void **state)
{
    (void)state;
    for (uint64_t s = 2; s < 200; s++) {
        uint64_t tight = 2 * (s - 1) * (s - 1), divisible = (tight + s - 1) / s * s;
        assert_true(np_columnsort_sorts(divisible, s, divisible / 2)); /* the paper's condition */
        assert_false(np_columnsort_sorts(divisible - s, s, (divisible - s) / 2));
        assert_int_equal(np_columnsort_disorder(s * s + 1, s), s * (s - 1) / 2);
        assert_true(np_columnsort_sorts(s * (s - 1) + 1, s, (s * (s - 1) + 1) / 2));
    }
    assert_true(np_columnsort_sorts(0, 1, 0));
}

/* Inputs that it fails on below the bound: zeros of each column. Those columns it sorts when they are made longer. */
static void test_failures(void **state)
{
    static const struct {
        uint32_t r, s, zeros[8];
    } fail[] = {
        {6, 3, {1, 1, 1}},
        {16, 4, {5, 1, 1, 1}},
        {30, 5, {11, 1, 1, 1, 1}},
        {96, 8, {41, 1, 1, 1, 1, 1, 1, 1}},
        {5, 3, {0, 1, 2}}, /* no common divisor */
        {11, 4, {0, 1, 2, 3}},
        {19, 5, {0, 1, 2, 3, 4}},
        {29, 6, {0, 1, 2, 3, 4, 5}},
        {10, 4, {0, 1, 3, 1}}, /* 2 is one */
    };
    (void)state;
    for (size_t i = 0; i < sizeof fail / sizeof *fail; i++) {
        np_columnsort plan = plan_of(fail[i].r, fail[i].s, fail[i].r / 2);
        assert_false(np_columnsort_sorts(fail[i].r, fail[i].s, fail[i].r / 2));
        assert_false(sorts_zeros(&plan, fail[i].zeros, false));
        assert_false(sorts_zeros(&plan, fail[i].zeros, true));
        uint32_t more = (2 * (fail[i].s - 1) * (fail[i].s - 1) / fail[i].s + 1) * fail[i].s;
        np_columnsort good = plan_of(more, fail[i].s, more / 2);
        assert_true(sorts_zeros(&good, fail[i].zeros, false));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exhaustive),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
