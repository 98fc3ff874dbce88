/*
 * The heaviest assignment: its prices prove it, and it is what all permutations, tried one by one, and a textbook
 * Hungarian algorithm find.
 */
#include "support.h"

#include "base/assignment.h"
#include "base/memory.h"
#include "oracle/heaviest.h"

typedef struct problem {
    uint32_t rows, columns;
    uint32_t supply[64], demand[64];
    int64_t wide[64 * 64];
    uint16_t narrow[64 * 64];
} problem;

/* As many items of supply as of demand, each at a row or column by lot. */
static void draw_problem(problem *p, uint64_t *state, uint32_t rows, uint32_t columns, uint32_t items, uint32_t heavy)
{
    memset(p, 0, sizeof *p);
    p->rows = rows;
    p->columns = columns;
    for (uint32_t k = 0; k < items; k++) {
        p->supply[k < rows ? k : support_lot(state, rows)]++;
        p->demand[k < columns ? k : support_lot(state, columns)]++;
    }
    for (uint32_t k = 0; k < rows * columns; k++)
        p->wide[k] = p->narrow[k] = (uint16_t)support_lot(state, heavy + 1);
}

/* Every price covers its weight, what is assigned is the supply and the demand, and the sums are those reported. */
static void audit(const problem *p, const np_assignment *a)
{
    uint64_t sent[64] = {0}, received[64] = {0};
    int64_t value = 0, bound = 0;
    for (uint32_t i = 0; i < p->rows; i++)
        for (uint32_t j = 0; j < p->columns; j++)
            assert_true(a->row_price[i] + a->column_price[j] >= p->wide[i * p->columns + j]);
    for (uint32_t k = 0; k < a->parts; k++) {
        const np_assigned *part = &a->assigned[k];
        assert_true(part->amount > 0);
        sent[part->row] += part->amount;
        received[part->column] += part->amount;
        value += part->amount * p->wide[part->row * p->columns + part->column];
    }
    for (uint32_t i = 0; i < p->rows; i++) {
        assert_int_equal(sent[i], p->supply[i]);
        bound += a->row_price[i] * p->supply[i];
    }
    for (uint32_t j = 0; j < p->columns; j++) {
        assert_int_equal(received[j], p->demand[j]);
        bound += a->column_price[j] * p->demand[j];
    }
    assert_int_equal(a->value, value);
    assert_int_equal(a->bound, bound);
}

/* The value found, with weights of 16 or 64 bits. */
static int64_t solved(const problem *p, bool narrow, double gap)
{
    np_assignment a = {.rows = p->rows,
                       .columns = p->columns,
                       .supply = p->supply,
                       .demand = p->demand,
                       .narrow = narrow ? p->narrow : NULL,
                       .wide = narrow ? NULL : p->wide,
                       .gap = gap};
    assert_ok(np_assignment_solve(&a));
    audit(p, &a);
    if (gap == 0)
        assert_int_equal(a.value, a.bound);
    assert_true((double)(a.bound - a.value) <= gap * (double)a.bound);
    int64_t value = a.value;
    np_assignment_clear(&a);
    return value;
}

/* Rows and columns as many times as they have items: the assignment problem. */
static int64_t by_oracle(const problem *p, int64_t (*find)(uint32_t, const int64_t *))
{
    uint32_t row[256], column[256], n = 0, m = 0;
    for (uint32_t i = 0; i < p->rows; i++)
        for (uint32_t k = 0; k < p->supply[i]; k++)
            row[n++] = i;
    for (uint32_t j = 0; j < p->columns; j++)
        for (uint32_t k = 0; k < p->demand[j]; k++)
            column[m++] = j;
    assert_int_equal(n, m);
    int64_t *weight = malloc((size_t)n * n * sizeof *weight);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            weight[i * n + j] = p->wide[row[i] * p->columns + column[j]];
    int64_t value = find(n, weight);
    free(weight);
    return value;
}

static void test_all_permutations(void **state)
{
    problem *p = malloc(sizeof *p);
    uint64_t lot = 1;
    (void)state;
    for (uint32_t n = 1; n <= 7; n++)
        for (int k = 0; k < 40; k++) {
            draw_problem(p, &lot, 1 + support_lot(&lot, n), 1 + support_lot(&lot, n), n, k % 2 ? 3 : 1000);
            int64_t best = by_oracle(p, oracle_heaviest_by_trial);
            assert_int_equal(solved(p, true, 0), best);
            assert_int_equal(solved(p, false, 0), best);
        }
    free(p);
}

static void test_hungarian(void **state)
{
    problem *p = malloc(sizeof *p);
    uint64_t lot = 2;
    (void)state;
    for (int k = 0; k < 120; k++) {
        uint32_t rows = 1 + support_lot(&lot, 60), columns = 1 + support_lot(&lot, 60);
        uint32_t items = (rows > columns ? rows : columns) + support_lot(&lot, 60);
        draw_problem(p, &lot, rows, columns, items, (uint32_t[]){1, 5, 60000}[k % 3]);
        int64_t best = by_oracle(p, oracle_heaviest);
        assert_int_equal(solved(p, true, 0), best);
        assert_int_equal(solved(p, false, 0), best);
    }
    free(p);
}

/* Nothing else than the given share is lost, and more than nothing at times. */
static void test_gap(void **state)
{
    problem *p = malloc(sizeof *p);
    uint64_t lot = 3;
    int lost = 0;
    (void)state;
    for (int k = 0; k < 40; k++) {
        draw_problem(p, &lot, 50, 50, 50, 1000);
        int64_t best = solved(p, true, 0), near = solved(p, true, 0.1);
        assert_true(near <= best && (double)near >= 0.9 * (double)best);
        lost += near < best;
    }
    assert_true(lost > 0);
    free(p);
}

static void test_no_weight(void **state)
{
    problem *p = calloc(1, sizeof *p);
    (void)state;
    *p = (problem){.rows = 2, .columns = 1, .supply = {3, 4}, .demand = {7}};
    assert_int_equal(solved(p, true, 0), 0);
    free(p);
}

/* 2^44 times small numbers: what a scale of shares makes. */
static void test_heavy(void **state)
{
    problem *p = malloc(sizeof *p);
    uint64_t lot = 4;
    (void)state;
    draw_problem(p, &lot, 40, 40, 40, 60000);
    for (int k = 0; k < 40 * 40; k++)
        p->wide[k] = (p->wide[k] << 28) + support_lot(&lot, 1 << 28);
    assert_int_equal(solved(p, false, 0), by_oracle(p, oracle_heaviest));
    free(p);
}

/* Sums that differ by one either way, and one too large: an error, no search without an end. */
static void test_sums(void **state)
{
    static const uint32_t supply[][2] = {{3, 5}, {3, 3}, {UINT32_MAX, 0}},
                          demand[][2] = {{4, 3}, {4, 3}, {0, UINT32_MAX}};
    static const char *const sums[] = {"supply of 8 and a demand of 7", "supply of 6 and a demand of 7",
                                       "supply of 4294967295 and a demand of 4294967295"};
    const uint16_t weight[] = {1, 2, 3, 4};
    (void)state;
    for (int k = 0; k < 3; k++) {
        np_assignment a = {.rows = 2, .columns = 2, .supply = supply[k], .demand = demand[k], .narrow = weight};
        assert_refused(np_assignment_solve(&a), NP_ERROR_INTERNAL, sums[k]);
        np_assignment_clear(&a);
    }
}

static void test_memory(void **state)
{
    const uint32_t one[] = {1, 1};
    const uint16_t weight[] = {1, 2, 3, 4};
    (void)state;
    for (long n = 1; n <= 2; n++) {
        np_assignment a = {.rows = 2, .columns = 2, .supply = one, .demand = one, .narrow = weight};
        np_memory_fail_after(n);
        assert_refused(np_assignment_solve(&a), NP_ERROR_MEMORY, "assignment");
        np_memory_fail_after(0);
        np_assignment_clear(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_permutations), cmocka_unit_test(test_hungarian), cmocka_unit_test(test_gap),
        cmocka_unit_test(test_no_weight),        cmocka_unit_test(test_heavy),     cmocka_unit_test(test_sums),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
