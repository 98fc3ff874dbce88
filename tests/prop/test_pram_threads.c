/*
 * Steps that are long enough for several threads: 1, 2 and 7 threads (under the sanitizers 1 and 3) give the same
 * values, the same memory, the same violations and the same weakest rule, under every rule.
 */
#include "support.h"

#include "base/random.h"

enum {
    PROCESSORS = SUPPORT_FEWER(7, 3) << 15, /* so that so many threads work: src/machine/pram/team.c */
    SHAPES = 8,
    OFF = 3 /* every third processor rests */
};

/* What is left of a program. */
typedef struct outcome {
    np_word *value; /* [PROCESSORS] of the last step */
    np_word *cell;  /* [PROCESSORS + 1] */
    np_pram_report report;
} outcome;

/* Rising; nearly rising, and exclusive; in few cells; in a quarter of the cells; falling; in one; rising in each part
 * of seven. */
static np_address address_of(unsigned shape, uint32_t i, const np_draws *draws)
{
    switch (shape) {
    case 0:
        return i;
    case 1:
        return i ^ 1;
    case 2:
        return np_random_below(draws, i, 0, 40);
    case 3:
        return np_random_below(draws, i, 1, PROCESSORS / 4);
    case 4:
        return PROCESSORS - i;
    case 5:
        return 7;
    default:
        return i % (PROCESSORS / 7);
    }
}

/* What a processor writes next; reals of many sizes, which a loop would add up in another way. */
static np_word next(np_cell_type type, np_word value, uint32_t drawn)
{
    static const double factor[] = {-0.5, 1e-9, -1e16, 0.1};
    if (type == NP_CELL_REAL)
        return np_word_of_real((double)(1 + value % 64) * factor[drawn]);
    return (value ^ drawn) & (type == NP_CELL_BOOL ? 1 : 1023);
}

/* Three accesses of each shape: a read, a fetch and a write; `mask`: some processors rest. */
static void play(np_pram *pram, np_cell_type type, bool fetches, uint8_t *mask, np_address *address, np_word *value)
{
    np_draws draws = {.seed = 5, .purpose = NP_RANDOM_CHECK};
    for (unsigned shape = 0; shape < SHAPES; shape++) {
        const uint8_t *active = shape % 2 ? mask : NULL;
        for (uint32_t i = 0; i < PROCESSORS; i++)
            address[i] = address_of(shape, i, &draws);
        assert_ok(np_pram_write(pram, PROCESSORS, address, active, value, "write"));
        if (fetches)
            assert_ok(np_pram_fetch(pram, type == NP_CELL_BOOL ? NP_FETCH_XOR : NP_FETCH_ADD, PROCESSORS, address,
                                    active, value, "fetch"));
        assert_ok(np_pram_read(pram, PROCESSORS, address, active, value, "read"));
        for (uint32_t i = 0; i < PROCESSORS; i++)
            value[i] = next(type, value[i], np_random_below(&draws, i, 2 + shape, 4));
    }
}

static np_pram *run(unsigned threads, np_access_rule rule, np_cell_type type, bool fetches, outcome *out)
{
    np_pram_options options;
    np_pram *pram;
    np_address base, *address = calloc(PROCESSORS, sizeof *address);
    uint8_t *mask = calloc(PROCESSORS, 1);
    out->value = calloc(PROCESSORS, sizeof *out->value);
    out->cell = calloc(PROCESSORS + 1, sizeof *out->cell);
    assert_true(address && mask && out->value && out->cell);
    for (uint32_t i = 0; i < PROCESSORS; i++) {
        mask[i] = i % OFF != 1;
        out->value[i] = next(type, i % 5, 0);
    }
    np_pram_options_init(&options);
    options.rule = rule;
    options.threads = threads;
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate_typed(pram, PROCESSORS + 1, "cells", type, &base));
    play(pram, type, fetches, mask, address, out->value);
    assert_ok(np_pram_get(pram, base, PROCESSORS + 1, out->cell));
    assert_ok(np_pram_report_get(pram, &out->report));
    free(address);
    free(mask);
    return pram;
}

static void same(const outcome *a, const outcome *b)
{
    assert_memory_equal(a->value, b->value, PROCESSORS * sizeof *a->value);
    assert_memory_equal(a->cell, b->cell, (PROCESSORS + 1) * sizeof *a->cell);
    assert_int_equal(a->report.work, b->report.work);
    assert_int_equal(a->report.weakest, b->report.weakest);
    assert_int_equal(a->report.violations, b->report.violations);
    assert_int_equal(a->report.kept, b->report.kept);
    for (size_t i = 0; i < a->report.kept; i++) {
        const np_violation *v = &a->report.violation[i], *w = &b->report.violation[i];
        assert_int_equal(v->step, w->step);
        assert_int_equal(v->address, w->address);
        assert_int_equal(v->first, w->first);
        assert_int_equal(v->second, w->second);
        assert_int_equal(v->first_value, w->first_value);
        assert_int_equal(v->second_value, w->second_value);
    }
}

static void leave(np_pram *pram, outcome *o)
{
    np_pram_free(pram);
    free(o->value);
    free(o->cell);
}

static void judge(np_access_rule rule, np_cell_type type, bool fetches, unsigned threads)
{
    outcome one, other;
    np_pram *first = run(1, rule, type, fetches, &one), *second = run(threads, rule, type, fetches, &other);
    same(&one, &other);
    leave(first, &one);
    leave(second, &other);
}

static void test_every_rule(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < NP_RULES; rule++)
        judge((np_access_rule)rule, NP_CELL_INT, rule % 2, rule % 4 ? 2 : 7);
    judge(NP_RULE_COMMON, NP_CELL_INT, false, 2);
    judge(NP_RULE_ARBITRARY, NP_CELL_INT, true, 2);
}

static void test_types(void **state)
{
    (void)state;
    judge(NP_RULE_ADD, NP_CELL_REAL, true, 7);
    judge(NP_RULE_ADD, NP_CELL_REAL, true, 2);
    judge(NP_RULE_MIN, NP_CELL_REAL, false, 2);
    judge(NP_RULE_COMMON, NP_CELL_REAL, false, 7);
    judge(NP_RULE_XOR, NP_CELL_BOOL, true, 7);
    judge(NP_RULE_WEAK, NP_CELL_BOOL, false, 2);
}

/* An address that is no cell is named alike, wherever it is. */
static void test_outside(void **state)
{
    (void)state;
    static const uint32_t at[] = {0, PROCESSORS / 2, PROCESSORS - 1};
    np_address *address = calloc(PROCESSORS, sizeof *address);
    np_word *value = calloc(PROCESSORS, sizeof *value);
    assert_true(address && value);
    for (unsigned threads = 1; threads <= 7; threads += 6)
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            np_pram_options options;
            np_pram *pram;
            np_address base;
            char text[64];
            np_pram_options_init(&options);
            options.threads = threads;
            assert_ok(np_pram_create(&options, &pram));
            assert_ok(np_pram_allocate(pram, 10, "cells", &base));
            for (uint32_t i = at[k]; i < PROCESSORS; i++)
                address[i] = 10 + i;
            snprintf(text, sizeof text, "processor %u reads cell %u", at[k], 10 + at[k]);
            assert_refused(np_pram_read(pram, PROCESSORS, address, NULL, value, "far"), NP_ERROR_INPUT, text);
            for (uint32_t i = at[k]; i < PROCESSORS; i++)
                address[i] = 0;
            np_pram_free(pram);
        }
    free(address);
    free(value);
}

static np_program_result *solve(const char *program, uint64_t n, unsigned threads)
{
    np_pram_options pram;
    np_program_options options;
    np_program_result *result;
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    pram.threads = threads;
    options.n = n;
    assert_ok(np_program_run(program, &pram, &options, &result));
    assert_true(result->correct);
    return result;
}

/* Every program, of a size at which its loops are shared. */
static void test_programs(void **state)
{
    (void)state;
    static const struct {
        const char *program;
        uint64_t n;
    } cases[] = {{"or", 80000},         {"maximum", 300}, {"prefix-sums", 150000}, {"list-ranking", 70000},
                 {"sort", 140000},      {"merge", 80000}, {"matrix-product", 260}, {"histogram", 90000},
                 {"components", 70000}, {"bfs", 70000},   {"euler-tour", 40000},   {"random-reads", 70000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!support_takes(i, 0, 1))
            continue;
        np_program_result *one = solve(cases[i].program, cases[i].n, 1);
        for (unsigned threads = SUPPORT_FEWER(2, 3); threads <= 3; threads++) {
            np_program_result *other = solve(cases[i].program, cases[i].n, threads);
            assert_int_equal(one->checksum, other->checksum);
            assert_int_equal(one->report.work, other->report.work);
            assert_int_equal(one->report.steps, other->report.steps);
            assert_int_equal(one->report.weakest, other->report.weakest);
            assert_string_equal(one->words, other->words);
            np_program_result_free(other);
        }
        np_program_result_free(one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rule),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
