/*
 * PRAM programs that are divided over ranks: whatever the ranks, all that one process says of a run on the ideal
 * machine is said on each of them, to the byte (oracle/divided_judge.h). tests/fuzz/fuzz_script.c does the same with
 * programs that are drawn.
 */
#include "support.h"

#include "machine/programs/text.h"
#include "oracle/divided_judge.h"

static const uint32_t numbers[] = {1, 2, 3, 4, 7};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* Under every rule. Returns how many runs ended with an error. */
static unsigned judge_rules(const np_script *script, uint64_t n)
{
    unsigned failed = 0;
    for (unsigned rule = 0; rule < NP_RULES; rule++)
        for (unsigned k = 0; k < NUMBERS; k++) {
            const oracle_divided run = oracle_divided_of(script, (np_access_rule)rule, 1 + rule, n);
            failed += oracle_judge_divided(&run, numbers[k]) != NP_OK;
        }
    return failed;
}

static void test_library(void **state)
{
    (void)state;
    for (const np_entry *const *entry = np_programs.built_in; *entry; entry++) {
        const np_program_ops *ops = (const np_program_ops *)*entry;
        np_script *script;
        if (!ops->text)
            continue;
        assert_ok(np_program_text_compile(ops, &script));
        judge_rules(script, 23);
        np_script_free(script);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_library)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
