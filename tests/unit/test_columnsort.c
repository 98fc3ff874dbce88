/* Columnsort as a plan: when it sorts, exactly; and the sorter on networks. */
#include "support.h"

#include "base/memory.h"
#include "base/random.h"
#include "work/sort/columnsort.h"
#include "work/sort/router.h"

/* A machine that sorts columns of zeros and ones by counting and moves for free. */
typedef struct counting {
    uint32_t column, moves, sorts;
} counting;

static np_status count_sort(void *context, uint32_t *item, uint32_t first, uint32_t columns)
{
    counting *c = context;
    assert_int_equal(first, c->sorts == 3); /* step 7 leaves out column 0 */
    c->sorts++;
    for (uint32_t i = 0; i < columns; i++, item += c->column) {
        uint32_t ones = 0;
        for (uint32_t q = 0; q < c->column; q++)
            ones += item[q];
        for (uint32_t q = 0; q < c->column; q++)
            item[q] = q >= c->column - ones;
    }
    return NP_OK;
}

static np_status count_move(void *context, const char *stage, const uint32_t *to)
{
    (void)stage, (void)to;
    ((counting *)context)->moves++;
    return NP_OK;
}

/* Whether it sorts or not. */
static np_columnsort plan_of(uint32_t r, uint32_t s, uint32_t shift)
{
    return (np_columnsort){.column = r, .columns = s, .shift = shift, .positions = r * s};
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
    static const uint32_t of_four[] = {11, 12, 13, 14, 16, 20};
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
        {6, 3, {1, 1, 1}},           {16, 4, {5, 1, 1, 1}},
        {30, 5, {11, 1, 1, 1, 1}},   {96, 8, {41, 1, 1, 1, 1, 1, 1, 1}},
        {5, 3, {0, 1, 2}}, /* no common divisor */
        {11, 4, {0, 1, 2, 3}},       {19, 5, {0, 1, 2, 3, 4}},
        {29, 6, {0, 1, 2, 3, 4, 5}}, {10, 4, {0, 1, 3, 1}}, /* 2 is one */
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

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

typedef struct plain {
    const np_columnsort *plan;
    uint32_t moves;
} plain;

static np_status plain_sort(void *context, uint32_t *item, uint32_t first, uint32_t columns)
{
    uint32_t column = ((plain *)context)->plan->column;
    (void)first;
    for (uint32_t i = 0; i < columns; i++)
        qsort(item + i * column, column, sizeof *item, compare);
    return NP_OK;
}

/* The moves are what they say they are: to positions that differ. */
static np_status check_move(void *context, const char *stage, const uint32_t *to)
{
    uint8_t seen[4096] = {0};
    plain *c = context;
    (void)stage;
    c->moves++;
    for (uint32_t q = 0; q < c->plan->positions; q++) {
        assert_true(to[q] < c->plan->positions);
        assert_false(seen[to[q]]++);
    }
    return NP_OK;
}

static void test_random(void **state)
{
    static const struct {
        uint32_t column, columns, moves;
    } plans[] = {{5, 1, 0}, {7, 1, 0}, {9, 3, 4}, {7, 3, 4}, {50, 6, 4}, {31, 6, 4}, {2, 2, 4}, {200, 9, 4}};
    np_draws draws = {.seed = 7, .purpose = NP_RANDOM_KEY};
    uint32_t item[4096], copy[4096];
    (void)state;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        np_columnsort plan;
        assert_ok(np_columnsort_init(&plan, plans[i].column, plans[i].columns, 1));
        for (uint32_t trial = 0; trial < 50; trial++) {
            plain context = {.plan = &plan};
            np_columnsort_machine machine = {&context, plain_sort, check_move, false};
            for (uint32_t q = 0; q < plan.positions; q++)
                copy[q] = item[q] = np_random_below(&draws, q, trial, trial % 2 ? 2 : 1000);
            assert_ok(np_columnsort_run(&plan, &machine, item));
            qsort(copy, plan.positions, sizeof *copy, compare);
            assert_memory_equal(item, copy, plan.positions * sizeof *item);
            assert_int_equal(context.moves, plans[i].moves);
        }
    }
}

static void test_transpose(void **state)
{
    /* 0 3          0 1
       1 4  becomes 2 3, read by columns 0 2 4 1 3 5
       2 5          4 5 */
    static const uint32_t goes[] = {0, 3, 1, 4, 2, 5};
    const np_columnsort plan = plan_of(3, 2, 1);
    (void)state;
    for (uint32_t q = 0; q < 6; q++) {
        assert_int_equal(np_columnsort_transpose(&plan, q), goes[q]);
        assert_int_equal(np_columnsort_untranspose(&plan, goes[q]), q);
        assert_int_equal(np_columnsort_shift(&plan, q), (q + 1) % 6);
        assert_int_equal(np_columnsort_unshift(&plan, (q + 1) % 6), q);
    }
}

static void test_refusals(void **state)
{
    np_columnsort plan;
    (void)state;
    assert_refused(np_columnsort_init(&plan, 16, 4, 1), NP_ERROR_INPUT,
                   "Columnsort of 16 x 4 items does not sort every input: half a column, 8, must be at least 9");
    assert_refused(np_columnsort_init(&plan, 16, 0, 1), NP_ERROR_LIMIT, "from 1 to 2^31");
    assert_refused(np_columnsort_init(&plan, UINT32_C(1) << 30, 4, 1), NP_ERROR_LIMIT, "from 1 to 2^31");
}

/* ---- on networks ---- */

static np_sort_result *sort(const char *spec, size_t count, const char *order, const np_sort_options *options)
{
    np_network *network = support_network(spec);
    uint64_t *key = malloc(count * sizeof *key);
    np_sort_result *result;
    for (size_t i = 0; i < count; i++) {
        uint64_t x = np_random_mix(i + 1);
        key[i] = !strcmp(order, "random")     ? x
                 : !strcmp(order, "reversed") ? count - i
                 : !strcmp(order, "few")      ? x % 3
                                              : 5;
    }
    assert_ok(np_sort(network, count, key, options, &result));
    assert_true(result->sorted);
    for (size_t i = 1; i < count; i++) {
        uint32_t a = result->order[i - 1], b = result->order[i];
        assert_true(key[a] < key[b] || (key[a] == key[b] && a < b));
    }
    free(key);
    np_network_free(network);
    return result;
}

static const np_sort_stage *stage(const np_sort_result *result, const char *name)
{
    for (size_t i = 0; i < result->stages; i++)
        if (!strcmp(result->stage[i].name, name))
            return &result->stage[i];
    return NULL;
}

/* Places, and steps to sort a column of one key a place: the formulas of docs/columnsort.md. */
static void test_networks(void **state)
{
    static const struct {
        const char *spec;
        uint32_t columns, places, steps;
    } cases[] = {
        {"mesh:4x4", 2, 16, 8},
        {"mesh:4x18", 4, 72, 18}, /* columns are lines of the mesh */
        {"ring:9", 1, 9, 9},
        {"mesh:4x20", 4, 80, 20},
        {"mesh:13x13", 1, 169, 169}, /* nothing that is small enough divides 169 */
        {"mesh:16x16", 4, 256, 64},
        {"mesh:5x7x3", 5, 105, 21},
        {"array:32", 2, 32, 16},
        {"torus:6x7", 3, 42, 14},
        {"hypercube:1", 1, 2, 1},
        {"hypercube:7", 4, 128, 15},
        {"hypercube:6", 2, 64, 15},
        {"butterfly:3", 2, 24, 3 * 3 + (3 + 4)}, /* rows three times, merges of 2 and 4 */
        {"butterfly:5", 4, 160, 5 * 4 + (5 + 6 + 7)},
        {"shuffle-exchange:4", 1, 8, 2 * 2 * 3 + 3 * (2 + 3)},
        {"shuffle-exchange:8", 3, 192, 2 * 4 * 5 + 3 * (4 + 5 + 6 + 7)},
        {"shuffle-exchange:10", 6, 960, 2 * 5 * 6 + 3 * (5 + 6 + 7 + 8 + 9)},
    };
    static const char *const orders[] = {"random", "reversed", "few", "constant"};
    np_sort_options options;
    (void)state;
    np_sort_options_init(&options);
    options.algorithm = "columnsort";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t steps = 0;
        for (uint32_t order = 0; order < 4; order++) {
            uint32_t h = order == 1 ? 3 : 1, places = cases[i].places, s = cases[i].columns;
            options.threads = 1 + order % 2;
            np_sort_result *r = sort(cases[i].spec, (size_t)places * h - (order > 1), orders[order], &options);
            assert_int_equal(r->places, places);
            assert_int_equal(r->per_place, h);
            assert_int_equal(stage(r, "columns")->times, s > 1 ? 4 : 1);
            assert_int_equal(stage(r, "columns")->steps.mean, (s > 1 ? 4 : 1) * cases[i].steps * h);
            assert_int_equal(r->comparators, r->predicted.comparators);
            if (s == 1)
                assert_int_equal(r->steps.mean, r->predicted.steps);
            if (order == 0)
                steps = (uint64_t)r->steps.mean;
            else if (order > 1) /* oblivious: other keys, the same steps */
                assert_int_equal(r->steps.mean, steps);
            np_sort_result_free(r);
        }
    }
}

/* On the mesh: 4 h R and two permutations, the first of which is routed as np_route does. */
static void test_mesh_total(void **state)
{
    enum { A = 4, B = 18, N = A * B };
    np_network *network = support_network("mesh:4x18");
    np_node from[N], to[N];
    np_traffic *traffic;
    np_route_options route;
    np_route_result *routed;
    np_sort_options options;
    (void)state;
    for (uint32_t q = 0; q < N; q++) {  /* the snake goes right in even lines, left in odd ones */
        uint32_t t = q % A * B + q / A; /* q goes to row q / A of column q mod A */
        from[q] = q / B * B + (q / B % 2 ? B - 1 - q % B : q % B);
        to[q] = t / B * B + (t / B % 2 ? B - 1 - t % B : t % B);
    }
    np_route_options_init(&route);
    route.scheme = "ranked";
    assert_ok(np_traffic_from_arrays(network, N, from, to, NULL, &traffic));
    assert_ok(np_route_traffic(network, traffic, &route, &routed));
    np_sort_options_init(&options);
    options.algorithm = "columnsort";
    np_sort_result *r = sort("mesh:4x18", N, "random", &options);
    assert_int_equal(stage(r, "transpose")->steps.mean, routed->total_steps.mean);
    assert_int_equal(r->steps.mean, 4 * B + stage(r, "transpose")->steps.mean + stage(r, "untranspose")->steps.mean);
    assert_null(stage(r, "shift"));
    np_sort_result_free(r);
    np_route_result_free(routed);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* Each permutation of a run is routed by random choices of its own: those of its number. */
static void test_routings(void **state)
{
    enum { N = 64, S = 2 };
    np_network *network = support_network("hypercube:6");
    np_node from[N], to[N];
    np_sort_options options;
    np_sort_router *router;
    np_sort_cost cost;
    (void)state;
    np_sort_options_init(&options);
    options.algorithm = "columnsort";
    np_sorting sorting = {.network = network, .options = &options, .draws = {.seed = 1}, .workers = 1};
    np_sort_result *r = sort("hypercube:6", N, "random", &options);
    assert_ok(np_sort_router_create(&sorting, &router));
    for (uint32_t q = 0; q < N; q++) {
        from[q] = q;
        to[q] = np_columnsort_untranspose(&(np_columnsort){.column = N / S, .columns = S}, q);
    }
    assert_ok(np_sort_router_run(router, "stage", N, from, to, 1, &cost));
    assert_int_equal(stage(r, "untranspose")->hops, cost.hops);
    for (uint32_t q = 0; q < N; q++)
        to[q] = (q + N / S / 2) % N;
    assert_ok(np_sort_router_run(router, "stage", N, from, to, 2, &cost));
    assert_int_equal(stage(r, "shift")->hops, cost.hops);
    np_sort_router_free(router);
    np_sort_result_free(r);
    np_network_free(network);
}

static void test_refused_networks(void **state)
{
    np_network *odd = support_network("shuffle-exchange:5"), *other = support_network("ccc:3");
    (void)state;
    assert_ok(np_sorter_heeds("columnsort", "queue_size"));
    assert_refused(np_sorter_applies("columnsort", odd), NP_ERROR_APPLY, "the number of bits is even");
    assert_refused(np_sorter_applies("columnsort", other), NP_ERROR_APPLY, "nothing is known there that sorts columns");
    np_network_free(odd);
    np_network_free(other);
}

/* Each allocation fails in turn: nothing leaks, and the error says so. */
static void test_no_memory(void **state)
{
    static const char *const specs[] = {"hypercube:3", "mesh:3x4", "shuffle-exchange:6"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        uint64_t key[8] = {5, 4, 6, 2, 1, 8, 7, 3};
        np_sort_options options;
        np_sort_result *result;
        np_status st = NP_ERROR_MEMORY;
        np_sort_options_init(&options);
        options.algorithm = "columnsort";
        options.threads = 1;
        for (long n = 1; st; n++) {
            np_memory_fail_after(n);
            st = np_sort(network, 8, key, &options, &result);
            np_memory_fail_after(0);
            assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
        }
        assert_true(result->sorted);
        np_sort_result_free(result);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exhaustive),       cmocka_unit_test(test_bound),      cmocka_unit_test(test_failures),
        cmocka_unit_test(test_random),           cmocka_unit_test(test_transpose),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_networks),         cmocka_unit_test(test_mesh_total), cmocka_unit_test(test_routings),
        cmocka_unit_test(test_refused_networks), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
