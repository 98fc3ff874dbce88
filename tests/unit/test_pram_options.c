/* Options of PRAMs and programs, from words. */
#include "support.h"

static void words_and_numbers(void **state)
{
    (void)state;
    static const char *const good[][2] = {
        {"machine", "butterfly:3"}, {"rule", "crew"}, {"processors", "5"}, {"slack", "6"},
        {"queue-size", "7"},        {"map", "none"},  {"zeta", "8"},       {"order", "hash"},
        {"allotted", "4294967295"}};
    np_pram_options pram;
    np_program_options program;
    np_pram_options_init(&pram);
    np_program_options_init(&program);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_ok(np_fields_set(&np_pram_options_fields, &pram, good[i][0], good[i][1]));
    assert_string_equal(pram.machine, "butterfly:3");
    assert_int_equal(pram.rule, NP_RULE_CREW);
    assert_int_equal(pram.processors, 5);
    assert_int_equal(pram.slack, 6);
    assert_int_equal(pram.queue_size, 7);
    assert_int_equal(pram.map, NP_MAP_NONE);
    assert_int_equal(pram.hash_coefficients, 8);
    assert_int_equal(pram.order, NP_ORDER_HASH);
    assert_int_equal(pram.allotted, UINT32_MAX);
    assert_ok(np_fields_set(&np_pram_options_fields, &pram, "map", "linear"));
    assert_int_equal(pram.map, NP_MAP_LINEAR);
    assert_int_equal(np_program_options_fields.count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_ok(np_fields_set(&np_program_options_fields, &program, np_program_options_fields.row[i].name, "12"));
    assert_int_equal(program.n, 12);
    assert_int_equal(program.edges, 12);
    assert_int_equal(program.steps, 12);
    assert_string_equal(program.input, "12");
    assert_string_equal(program.set, "12");
    assert_int_equal(program.turns_max, 12);
    assert_int_equal(program.memory_limit, 12);
}

/* What is refused changes nothing. */
static void refusals(void **state)
{
    (void)state;
    np_pram_options pram, before;
    np_program_options program;
    np_pram_options_init(&pram);
    np_program_options_init(&program);
    before = pram;
    assert_refused(np_fields_set(&np_pram_options_fields, &pram, "slack", "0"), NP_ERROR_INPUT,
                   "slack 0: must be a whole number in 1..4294967295");
    assert_refused(np_fields_set(&np_pram_options_fields, &pram, "zeta", "4294967296"), NP_ERROR_INPUT,
                   "must be a whole number");
    assert_refused(np_fields_set(&np_pram_options_fields, &pram, "map", "hsh"), NP_ERROR_INPUT,
                   "map hsh: did you mean 'hash'?");
    assert_refused(np_fields_set(&np_pram_options_fields, &pram, "order", ""), NP_ERROR_INPUT, "order : choose from");
    assert_refused(np_fields_set(&np_pram_options_fields, &pram, "rule", "crw"), NP_ERROR_INPUT,
                   "did you mean 'crew'?");
    assert_refused(np_fields_set(&np_pram_options_fields, &pram, "slak", "1"), NP_ERROR_INPUT,
                   "no option 'slak' of a PRAM: did you mean 'slack'?");
    assert_memory_equal(&pram, &before, sizeof pram);
    assert_refused(np_fields_set(&np_program_options_fields, &program, "steps", "x"), NP_ERROR_INPUT,
                   "must be a whole number");
    assert_refused(np_fields_set(&np_program_options_fields, &program, "edge", "1"), NP_ERROR_INPUT,
                   "did you mean 'edges'?");
    assert_int_equal(program.steps, 0);
}

/* The size that a run would have; what it would refuse. */
static void programs_are_checked(void **state)
{
    (void)state;
    np_pram_options pram;
    np_program_options program;
    uint64_t n;
    np_pram_options_init(&pram);
    np_program_options_init(&program);
    pram.machine = "butterfly:3";
    pram.slack = 2;
    assert_ok(np_program_check("random-reads", &pram, &program, &n));
    assert_int_equal(n, 48);
    program.n = 5;
    assert_ok(np_program_check("sort", &pram, &program, &n));
    assert_int_equal(n, 5);
    program.steps = 1;
    assert_refused(np_program_check("sort", &pram, &program, &n), NP_ERROR_INPUT, "steps 1: sort takes");
    program.steps = 0;
    pram.machine = "butterfly:0";
    assert_refused(np_program_check("sort", &pram, &program, &n), NP_ERROR_INPUT, "try butterfly:8");
    assert_refused(np_program_check("srt", &pram, &program, &n), NP_ERROR_INPUT, "did you mean 'sort'?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_numbers),
        cmocka_unit_test(refusals),
        cmocka_unit_test(programs_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
