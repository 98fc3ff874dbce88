/*
 * Types of cells as a program in C meets them: allocation, refusals with their words, steps at cells of several types.
 */
#include "support.h"

static np_pram *pram_under(np_access_rule rule, np_address *ints, np_address *reals, np_address *bools)
{
    np_pram_options options;
    np_pram *pram;
    np_pram_options_init(&options);
    options.rule = rule;
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, 2, "k", ints));
    assert_ok(np_pram_allocate_typed(pram, 2, "r", NP_CELL_REAL, reals));
    assert_ok(np_pram_allocate_typed(pram, 2, "b", NP_CELL_BOOL, bools));
    return pram;
}

static void cells_have_types(void **unused)
{
    (void)unused;
    np_address k, r, b, none;
    np_pram *pram = pram_under(NP_RULE_ADD, &k, &r, &b);
    assert_int_equal(np_pram_cell_type(pram, k + 1), NP_CELL_INT);
    assert_int_equal(np_pram_cell_type(pram, r), NP_CELL_REAL);
    assert_int_equal(np_pram_cell_type(pram, b + 1), NP_CELL_BOOL);
    assert_string_equal(np_cell_type_name(NP_CELL_REAL), "real");
    assert_int_equal(np_pram_allocate_typed(pram, 1, "x", (np_cell_type)3, &none), NP_ERROR_INPUT);
    assert_string_equal(np_last_error(), "'x': cells of type 3: a cell is int, real or bool");
    np_pram_free(pram);
}

/* One step, in which two processors add to an int, and three to a real. */
static void one_step_has_several_types(void **unused)
{
    (void)unused;
    np_address k, r, b;
    np_pram *pram = pram_under(NP_RULE_ADD, &k, &r, &b);
    const np_address to[] = {k, r, r, k, r};
    const np_word value[] = {2, np_word_of_real(1e100), np_word_of_real(0.5), 3, np_word_of_real(-1e100)};
    np_word cell[4];
    assert_ok(np_pram_write(pram, 5, to, NULL, value, "both"));
    assert_ok(np_pram_get(pram, k, 4, cell));
    assert_int_equal(cell[0], 5);
    assert_int_equal(cell[2], np_word_of_real(0.5));
    np_pram_free(pram);
}

static void what_has_no_meaning_is_refused(void **unused)
{
    (void)unused;
    np_address k, r, b;
    np_pram *pram = pram_under(NP_RULE_ADD, &k, &r, &b);
    np_word value[] = {1, 1, 1};
    const np_address alone[] = {b, b + 1, k}, together[] = {b, k, b};
    assert_ok(np_pram_write(pram, 3, alone, NULL, value, "alone"));
    assert_int_equal(np_pram_write(pram, 3, together, NULL, value, "together"), NP_ERROR_INPUT);
    assert_string_equal(np_last_error(),
                        "crcw-add does not combine values of type bool: processors 0 and 2 write to b[0], "
                        "step 1 (together)");
    np_pram_free(pram);
    pram = pram_under(NP_RULE_PRIORITY, &k, &r, &b);
    const np_address one[] = {k, r + 1};
    assert_int_equal(np_pram_fetch(pram, NP_FETCH_XOR, 2, one, NULL, value, "xor"), NP_ERROR_INPUT);
    assert_string_equal(np_last_error(), "a fetch by xor does not combine values of type real: processor 1, cell r[1], "
                                         "step 0 (xor)");
    np_pram_free(pram);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_have_types),
        cmocka_unit_test(one_step_has_several_types),
        cmocka_unit_test(what_has_no_meaning_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
