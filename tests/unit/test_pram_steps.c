/* The PRAM by hand: small steps whose outcome can be read off, names, bad options, states, failing allocations. */
#include "support.h"

#include "base/memory.h"
#include "pram/inside.h"

static np_pram *make(np_access_rule rule, uint64_t cells, const np_word *memory)
{
    np_pram_options options;
    np_pram *pram;
    np_address base;
    np_pram_options_init(&options);
    options.rule = rule;
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, cells, "x", &base));
    assert_ok(np_pram_put(pram, base, cells, memory));
    return pram;
}

static np_pram_report report_of(np_pram *pram)
{
    np_pram_report report;
    assert_ok(np_pram_report_get(pram, &report));
    return report;
}

static np_word cell(const np_pram *pram, np_address address)
{
    np_word word;
    assert_ok(np_pram_get(pram, address, 1, &word));
    return word;
}

/* [7 9] -> [9 7]: both read before either writes. */
static void test_swap(void **state)
{
    (void)state;
    static const np_address from[] = {0, 1}, to[] = {1, 0};
    static const np_word memory[] = {7, 9};
    np_pram *pram = make(NP_RULE_EREW, 2, memory);
    assert_ok(np_pram_move(pram, 2, from, to, NULL, "swap"));
    assert_int_equal(cell(pram, 0), 9);
    assert_int_equal(cell(pram, 1), 7);
    np_pram_report report = report_of(pram);
    assert_int_equal(report.steps, 1);
    assert_int_equal(report.work, 4);
    assert_int_equal(report.violations, 0);
    assert_int_equal(report.weakest, NP_RULE_EREW);
    np_pram_free(pram);
}

/* [0 1 2 .. 99] -> [0 0 1 .. 98] */
static void test_shift(void **state)
{
    (void)state;
    enum { N = 100 };
    np_address from[N], to[N];
    np_word memory[N];
    for (int i = 0; i < N; i++) {
        memory[i] = i;
        from[i] = (np_address)i;
        to[i] = (np_address)i + 1;
    }
    np_pram *pram = make(NP_RULE_EREW, N, memory);
    assert_ok(np_pram_move(pram, N - 1, from, to, NULL, "shift"));
    for (int i = 0; i < N; i++)
        assert_int_equal(cell(pram, (np_address)i), i ? i - 1 : 0);
    assert_int_equal(report_of(pram).steps, 1);
    assert_int_equal(report_of(pram).violations, 0);
    np_pram_free(pram);
}

/* Processors 0, 1, 2 write 6, 3, 6 to a cell that holds 100. */
static void test_writers(void **state)
{
    (void)state;
    static const struct {
        np_access_rule rule;
        np_word left;
        uint64_t violations;
        np_access_rule weakest;
    } cases[] = {
        {NP_RULE_EREW, 6, 1, NP_RULE_ERCW},
        {NP_RULE_CREW, 6, 1, NP_RULE_ERCW},
        {NP_RULE_WEAK, 6, 1, NP_RULE_ERCW},
        {NP_RULE_COMMON, 6, 1, NP_RULE_ERCW},
        {NP_RULE_TOLERANT, 100, 0, NP_RULE_TOLERANT},
        {NP_RULE_COLLISION, NP_COLLISION, 0, NP_RULE_COLLISION},
        {NP_RULE_PRIORITY, 6, 0, NP_RULE_PRIORITY},
        {NP_RULE_ADD, 15, 0, NP_RULE_ADD},
        {NP_RULE_MIN, 3, 0, NP_RULE_MIN},
        {NP_RULE_MAX, 6, 0, NP_RULE_MAX},
        {NP_RULE_AND, 2, 0, NP_RULE_AND},
        {NP_RULE_OR, 7, 0, NP_RULE_OR},
        {NP_RULE_XOR, 3, 0, NP_RULE_XOR},
    };
    static const np_address address[] = {0, 0, 0};
    static const np_word value[] = {6, 3, 6}, memory[] = {100};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_pram *pram = make(cases[i].rule, 1, memory);
        assert_ok(np_pram_write(pram, 3, address, NULL, value, "write"));
        assert_int_equal(cell(pram, 0), cases[i].left);
        assert_int_equal(report_of(pram).violations, cases[i].violations);
        assert_int_equal(report_of(pram).weakest, cases[i].weakest);
        np_pram_free(pram);
    }
}

/* Two writers of 10 and 20, again and again: each wins about half of the time, whatever the rule calls it. */
static void test_lots(void **state)
{
    (void)state;
    static const np_access_rule rules[] = {NP_RULE_ARBITRARY, NP_RULE_ERCW};
    static const np_address address[] = {0, 0};
    static const np_word value[] = {10, 20}, memory[] = {0};
    int first[2] = {0, 0};
    for (int r = 0; r < 2; r++) {
        np_pram *pram = make(rules[r], 1, memory);
        for (int i = 0; i < 400; i++) {
            assert_ok(np_pram_write(pram, 2, address, NULL, value, "draw"));
            assert_true(cell(pram, 0) == 10 || cell(pram, 0) == 20);
            first[r] += cell(pram, 0) == 10;
        }
        assert_int_equal(report_of(pram).violations, 0);
        np_pram_free(pram);
    }
    assert_in_range(first[0], 150, 250); /* 5 standard deviations; the seed is fixed */
    assert_int_equal(first[0], first[1]);
}

/* Concurrent accesses, and the weakest rule that lets them be; 100 is in the cell. */
static void test_weakest(void **state)
{
    (void)state;
    static const struct {
        uint8_t kind[2];
        np_word value[2];
        np_access_rule weakest;
        bool erew_violated;
    } cases[] = {
        {{NP_ACCESS_READ, NP_ACCESS_READ}, {0, 0}, NP_RULE_CREW, true},
        {{NP_ACCESS_READ, NP_ACCESS_WRITE}, {0, 5}, NP_RULE_CREW, true},
        {{NP_ACCESS_WRITE, NP_ACCESS_WRITE}, {1, 1}, NP_RULE_WEAK, true},
        {{NP_ACCESS_WRITE, NP_ACCESS_WRITE}, {5, 5}, NP_RULE_COMMON, true},
        {{NP_ACCESS_WRITE, NP_ACCESS_WRITE}, {5, 6}, NP_RULE_ERCW, true},
        {{NP_ACCESS_FETCH, NP_ACCESS_READ}, {1, 0}, NP_RULE_CREW, true},
        {{NP_ACCESS_FETCH, NP_ACCESS_WRITE}, {1, 1}, NP_RULE_TOLERANT, true},
        {{NP_ACCESS_FETCH, NP_ACCESS_FETCH}, {1, 1}, NP_RULE_WEAK, true},
    };
    static const np_address address[] = {0, 0};
    static const np_word memory[] = {100};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_pram *pram = make(NP_RULE_EREW, 1, memory);
        np_word value[] = {cases[i].value[0], cases[i].value[1]};
        const np_pram_step step = {.count = 2, .address = address, .kind = cases[i].kind, .value = value};
        assert_ok(np_pram_access(pram, &step));
        assert_int_equal(report_of(pram).weakest, cases[i].weakest);
        assert_int_equal(report_of(pram).violations, cases[i].erew_violated);
        np_pram_free(pram);
    }
}

/* Each step asks for more. */
static void test_weakest_of_whole_program(void **state)
{
    (void)state;
    static const np_address same[] = {1, 1};
    static const np_word memory[] = {0, 0}, ones[] = {1, 1}, fives[] = {5, 5};
    np_word value[2];
    np_pram *pram = make(NP_RULE_PRIORITY, 2, memory);
    assert_int_equal(report_of(pram).weakest, NP_RULE_EREW);
    assert_ok(np_pram_read(pram, 2, same, NULL, value, "read"));
    assert_int_equal(report_of(pram).weakest, NP_RULE_CREW);
    assert_ok(np_pram_write(pram, 2, same, NULL, ones, "ones"));
    assert_int_equal(report_of(pram).weakest, NP_RULE_WEAK);
    assert_ok(np_pram_write(pram, 2, same, NULL, fives, "fives"));
    assert_int_equal(report_of(pram).weakest, NP_RULE_COMMON);
    np_pram_free(pram);
}

/* A fetch of 1, 2, 3, 4 by add at a cell of 100: multiprefix, but for the one that sleeps. */
static void test_multiprefix(void **state)
{
    (void)state;
    static const np_address address[] = {0, 0, 0, 0};
    static const uint8_t active[] = {1, 0, 1, 1};
    static const np_word memory[] = {100}, want[] = {100, -1, 101, 104};
    np_word value[] = {1, -1, 3, 4};
    np_pram *pram = make(NP_RULE_ARBITRARY, 1, memory);
    assert_ok(np_pram_fetch(pram, NP_FETCH_ADD, 4, address, active, value, "fetch"));
    assert_memory_equal(value, want, sizeof want);
    assert_int_equal(cell(pram, 0), 108);
    assert_int_equal(report_of(pram).violations, 0);
    assert_int_equal(report_of(pram).work, 3);
    np_pram_free(pram);
}

/* Cell 2 of the second array: processors 1 and 3 write 8 and 9 to it in the second step. */
static void test_violation(void **state)
{
    (void)state;
    np_pram_options options;
    np_pram *pram;
    np_address x, y;
    np_pram_options_init(&options);
    options.rule = NP_RULE_COMMON;
    options.violations_max = 1;
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, 3, "x", &x));
    assert_ok(np_pram_allocate(pram, 0, "nothing", &y));
    assert_ok(np_pram_allocate(pram, 3, "y", &y));
    const np_address address[] = {x, y + 2, y + 2, y + 2, x};
    const np_word value[] = {4, 8, 8, 9, 5};
    assert_ok(np_pram_write(pram, 3, address, NULL, value, "agree"));
    assert_ok(np_pram_write(pram, 5, address, NULL, value, "disagree"));
    np_pram_report report = report_of(pram);
    assert_int_equal(report.violations, 2);
    assert_int_equal(report.kept, 1);
    const np_violation *v = report.violation;
    assert_int_equal(v->step, 1);
    assert_string_equal(v->label, "disagree");
    assert_string_equal(v->array, "y");
    assert_int_equal(v->offset, 2);
    assert_int_equal(v->address, 5);
    assert_int_equal(v->first, 1);
    assert_int_equal(v->second, 3);
    assert_int_equal(v->first_kind, NP_ACCESS_WRITE);
    assert_int_equal(v->second_kind, NP_ACCESS_WRITE);
    assert_int_equal(v->first_value, 8);
    assert_int_equal(v->second_value, 9);
    np_pram_free(pram);
}

static void test_names(void **state)
{
    (void)state;
    np_access_rule rule;
    for (unsigned i = 0; i < NP_RULES; i++) {
        assert_ok(np_access_rule_parse(np_access_rule_name((np_access_rule)i), &rule));
        assert_int_equal(rule, i);
    }
    assert_ok(np_access_rule_parse("crcw-arbitrary", &rule));
    assert_int_equal(rule, NP_RULE_ARBITRARY);
    assert_refused(np_access_rule_parse("crcw-arbitary", &rule), NP_ERROR_INPUT, "did you mean 'crcw-arbitrary'");
    assert_refused(np_access_rule_parse("", &rule), NP_ERROR_INPUT, "choose from 'erew'");
}

static void refuse_options(const np_pram_options *options, np_status status, const char *text)
{
    static char not_null;
    np_pram *pram = (np_pram *)(void *)&not_null;
    assert_refused(np_pram_create(options, &pram), status, text);
    assert_null(pram);
}

#define REFUSE(field, bad, status, text)                                                                               \
    do {                                                                                                               \
        np_pram_options o;                                                                                             \
        np_pram_options_init(&o);                                                                                      \
        o.field = (bad);                                                                                               \
        refuse_options(&o, status, text);                                                                              \
    } while (0)

static void test_bad_options(void **state)
{
    (void)state;
    REFUSE(machine, NULL, NP_ERROR_INPUT, "try ideal");
    REFUSE(machine, "idel", NP_ERROR_INPUT, "did you mean 'ideal'");
    REFUSE(machine, "", NP_ERROR_INPUT, "choose from");
    REFUSE(machine, "ideal:8", NP_ERROR_INPUT, "no parameters");
    REFUSE(machine, "a-name-that-is-much-longer-than-any-machine-has-got", NP_ERROR_INPUT, "choose from");
    REFUSE(rule, NP_RULES, NP_ERROR_INPUT, "0..14");
    REFUSE(cells, 0, NP_ERROR_INPUT, "cells 0: must be");
    REFUSE(cells, UINT64_MAX, NP_ERROR_INPUT, "cells 18446744073709551615: must be a whole number in 1..1099511627776");
    REFUSE(slack, 0, NP_ERROR_INPUT, "slack");
    REFUSE(queue_size, 0, NP_ERROR_INPUT, "queue");
    REFUSE(map, (np_address_map)9, NP_ERROR_INPUT, "map 9: must be in 0..2");
    REFUSE(order, (np_request_order)9, NP_ERROR_INPUT, "order 9: must be in 0..1");
    REFUSE(hash_coefficients, UINT32_MAX, NP_ERROR_INPUT, "zeta 4294967295: must be a whole number in 1..65536");
}

static void test_bounds(void **state)
{
    (void)state;
    np_pram_options options;
    np_pram *pram;
    np_address base;
    np_word word = 0;
    np_pram_options_init(&options);
    options.cells = 10;
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, 6, "x", &base));
    assert_refused(np_pram_allocate(pram, 5, "y", &base), NP_ERROR_LIMIT, "5 cells for 'y'");
    assert_refused(np_pram_allocate(pram, UINT64_MAX, "y", &base), NP_ERROR_LIMIT, "'y'");
    assert_refused(np_pram_put(pram, 6, 1, &word), NP_ERROR_INPUT, "0..5");
    assert_refused(np_pram_get(pram, 1, UINT64_MAX, &word), NP_ERROR_INPUT, "0..5");
    assert_ok(np_pram_put(pram, 6, 0, &word));
    assert_ok(np_pram_allocate(pram, 4, "y", &base));
    assert_int_equal(base, 6);
    assert_int_equal(cell(pram, 9), 0);
    np_pram_free(pram);
}

/* An error of a step is the end: only the report is left. A sleeper's address does not matter. */
static void test_failed_step(void **state)
{
    (void)state;
    static const np_address address[] = {0, 1, 2};
    static const uint8_t active[] = {1, 1, 0}, kind[] = {0, 3, 0};
    static const np_word memory[] = {1, 2};
    np_word value[3];
    np_pram *pram = make(NP_RULE_EREW, 2, memory);
    assert_ok(np_pram_read(pram, 3, address, active, value, "look"));
    assert_refused(np_pram_read(pram, 3, address, NULL, value, "look"), NP_ERROR_INPUT,
                   "step 1 (look): processor 2 reads cell 2, but 2 are allocated");
    assert_refused(np_pram_read(pram, 1, address, NULL, value, "look"), NP_ERROR_INPUT, "has failed");
    assert_refused(np_pram_put(pram, 0, 1, memory), NP_ERROR_INPUT, "has failed");
    assert_int_equal(report_of(pram).steps, 1);
    np_pram_free(pram);
    pram = make(NP_RULE_EREW, 2, memory);
    const np_pram_step step = {.count = 2, .address = address, .kind = kind, .value = value};
    assert_refused(np_pram_access(pram, &step), NP_ERROR_INPUT, "a read, a write, or a fetch");
    np_pram_free(pram);
}

static int stop_at_three(void *context, const np_progress *progress)
{
    ++*(int *)context;
    return progress->done == 3;
}

static void test_cancel(void **state)
{
    (void)state;
    np_pram_options options;
    np_pram *pram;
    int calls = 0;
    np_pram_options_init(&options);
    options.watch = (np_watch){stop_at_three, &calls};
    assert_ok(np_pram_create(&options, &pram));
    for (int i = 0; i < 2; i++)
        assert_ok(np_pram_read(pram, 0, NULL, NULL, NULL, NULL));
    assert_refused(np_pram_read(pram, 0, NULL, NULL, NULL, NULL), NP_ERROR_CANCELLED, "3 PRAM steps");
    assert_int_equal(calls, 3);
    np_pram_free(pram);
}

/* The numbers that mark cells run out, at any place in a step: concurrent writes of 5 and 6 are still seen. */
static void test_numbers_run_out(void **state)
{
    (void)state;
    static const np_address address[] = {2, 0, 2};
    static const np_word value[] = {5, 1, 6}, memory[] = {0, 0, 0};
    for (uint32_t left = 0; left < 20; left++) {
        np_pram *pram = make(NP_RULE_COMMON, 3, memory);
        pram->store->fresh = UINT32_MAX - left;
        for (uint32_t x = 0; x < 3; x++)
            pram->store->touched[x] = UINT32_MAX - left - 1 - x;
        for (int i = 0; i < 4; i++) {
            assert_ok(np_pram_write(pram, 3, address, NULL, value, "write"));
            assert_int_equal(cell(pram, 2), 5);
        }
        assert_int_equal(report_of(pram).violations, 4);
        np_pram_free(pram);
    }
}

/* A whole program in which every kind of step needs room; in batches, if processors. */
static np_status run_all(np_processor processors, np_pram **out)
{
    static const np_address address[] = {0, 0, 1}, back[] = {1, 0, 1};
    static const uint8_t kind[] = {NP_ACCESS_WRITE, NP_ACCESS_FETCH, NP_ACCESS_READ};
    np_pram_options options;
    np_word value[] = {1, 2, 3};
    np_address base;
    np_pram_options_init(&options);
    options.rule = NP_RULE_EREW;
    options.processors = processors;
    const np_pram_step step = {.count = 3, .address = address, .kind = kind, .value = value};
    np_status st = np_pram_create(&options, out);
    if (!st && !(st = np_pram_allocate(*out, 1, "x", &base)) && !(st = np_pram_allocate(*out, 5, "y", &base)) &&
        !(st = np_pram_access(*out, &step)))
        st = np_pram_move(*out, 3, address, back, NULL, "move");
    return st;
}

static void test_allocation_failures(void **state)
{
    (void)state;
    for (np_processor processors = 0; processors <= 2; processors += 2) {
        np_status st = NP_ERROR_MEMORY;
        long n = 0;
        while (st && n < 100) {
            np_pram *pram = NULL;
            np_memory_fail_after(++n);
            st = run_all(processors, &pram);
            np_memory_fail_after(0);
            assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
            np_pram_free(pram);
        }
        assert_in_range(n, 8, 99);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_shift),
        cmocka_unit_test(test_writers),
        cmocka_unit_test(test_lots),
        cmocka_unit_test(test_weakest),
        cmocka_unit_test(test_weakest_of_whole_program),
        cmocka_unit_test(test_multiprefix),
        cmocka_unit_test(test_violation),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_failed_step),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_numbers_run_out),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
