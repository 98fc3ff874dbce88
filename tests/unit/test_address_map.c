/* Address maps: hashes mod 2^61 - 1, what each class gives, strides that stay in one module. */
#include "base/polynomial.h"
#include "machine/pram/address_map.h"
#include "support.h"

static uint64_t slow_power_sum(const uint64_t *coefficient, uint32_t k, uint64_t x)
{
    unsigned __int128 sum = 0, power = 1;
    for (uint32_t i = 0; i < k; i++) {
        sum = (sum + (unsigned __int128)coefficient[i] * power % NP_POLYNOMIAL_PRIME) % NP_POLYNOMIAL_PRIME;
        power = power * x % NP_POLYNOMIAL_PRIME;
    }
    return (uint64_t)sum;
}

static void polynomials_by_the_run(void **unused)
{
    (void)unused;
    uint64_t coefficient[24], out[21];
    np_draws draws = {.seed = 3, .purpose = NP_RANDOM_HASH};
    np_polynomial_draw(&draws, 0, 24, coefficient);
    const uint64_t starts[] = {0, 5, UINT64_C(1) << 40, NP_POLYNOMIAL_PRIME - 21};
    for (size_t s = 0; s < 4; s++)
        for (size_t count = 0; count <= 21; count++) {
            memset(out, 0xff, sizeof out);
            np_polynomial_run(coefficient, 24, starts[s], count, out);
            for (size_t i = 0; i < count; i++)
                assert_int_equal(out[i], slow_power_sum(coefficient, 24, starts[s] + i));
            assert_true(count == 21 || out[count] == UINT64_MAX);
        }
}

/* So many points that differences lead from one to the next. */
static void polynomials_by_differences(void **unused)
{
    enum { MOST = 800 };
    (void)unused;
    uint64_t coefficient[260], out[MOST + 1];
    np_draws draws = {.seed = 5, .purpose = NP_RANDOM_HASH};
    np_polynomial_draw(&draws, 0, 260, coefficient);
    coefficient[1] = NP_POLYNOMIAL_PRIME - 1;
    const uint64_t starts[] = {0, 7, UINT64_C(1) << 40, NP_POLYNOMIAL_PRIME - MOST};
    const uint32_t sizes[] = {1, 2, 3, 4, 7, 8, 24, 96, 255, 256, 257};
    for (size_t s = 0; s < 4; s++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            uint32_t k = sizes[j];
            size_t count = j % 2 ? MOST : 3 * (size_t)k < MOST ? 3 * (size_t)k : MOST;
            out[count] = UINT64_MAX;
            np_polynomial_run(coefficient, k, starts[s], count, out);
            for (size_t i = 0; i < count; i++)
                assert_int_equal(out[i], slow_power_sum(coefficient, k, starts[s] + i));
            assert_true(out[count] == UINT64_MAX);
        }
}

static void classes(void **unused)
{
    (void)unused;
    np_placement p;
    uint64_t hash[3];
    assert_ok(np_placement_init(&p, NP_MAP_NONE, 24, 24, 1));
    np_placement_run(&p, 100, 3, hash);
    assert_int_equal(hash[2], 102);
    assert_int_equal(np_placement_bad_stride(&p), 24); /* powers of two are spread over 3 or more */
    np_placement_clear(&p);

    assert_ok(np_placement_init(&p, NP_MAP_LINEAR, 24, 24, 1));
    assert_int_equal(p.coefficients, 2);
    np_placement_run(&p, 100, 3, hash);
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(hash[i], slow_power_sum(p.coefficient, 2, 100 + i));
    assert_int_equal(np_placement_bad_stride(&p), 0);
    np_placement_clear(&p);

    assert_ok(np_placement_init(&p, NP_MAP_HASH, 24, 6, 1)); /* as many coefficients as asked for */
    assert_int_equal(p.coefficients, 6);
    np_placement_run(&p, 100, 3, hash);
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(hash[i], slow_power_sum(p.coefficient, 6, 100 + i));
    np_placement_clear(&p);
}

/* A multiplier that keeps low bits: refused when drawn, found when it is there. */
static void strides(void **unused)
{
    (void)unused;
    np_placement p;
    assert_ok(np_placement_init(&p, NP_MAP_LINEAR, 64, 0, 1));
    p.coefficient[1] = 64 * 5;
    assert_int_equal(np_placement_bad_stride(&p), 1);
    p.coefficient[1] = 5;
    assert_int_equal(np_placement_bad_stride(&p), 64);
    np_placement_clear(&p);
    for (uint64_t seed = 0; seed < 50; seed++)
        for (uint64_t modules = 2; modules <= 2048; modules *= 4) {
            assert_ok(np_placement_init(&p, NP_MAP_LINEAR, modules, 0, seed));
            assert_int_equal(np_placement_bad_stride(&p), 0);
            np_placement_draw(&p);
            assert_int_equal(np_placement_bad_stride(&p), 0);
            np_placement_clear(&p);
        }
}

/* Functions drawn one after the other differ, and follow from the seed. */
static void drawn(void **unused)
{
    (void)unused;
    np_placement a, b;
    uint64_t x[2], y[2];
    assert_ok(np_placement_init(&a, NP_MAP_HASH, 24, 24, 7));
    assert_ok(np_placement_init(&b, NP_MAP_HASH, 24, 24, 7));
    np_placement_run(&a, 0, 2, x);
    np_placement_run(&b, 0, 2, y);
    assert_memory_equal(x, y, sizeof x);
    np_placement_draw(&b);
    np_placement_run(&b, 0, 2, y);
    assert_true(x[0] != y[0] && x[1] != y[1]);
    np_placement_draw(&a);
    np_placement_run(&a, 0, 2, x);
    assert_memory_equal(x, y, sizeof x);
    np_placement_clear(&a);
    np_placement_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_by_the_run),
        cmocka_unit_test(polynomials_by_differences),
        cmocka_unit_test(classes),
        cmocka_unit_test(strides),
        cmocka_unit_test(drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
