/* PRAM programs that ranks of MPI share, against one process: what tests/prop/test_divided.c does with threads. */
#include "mpi/test.h"

#include "machine/programs/text.h"
#include "oracle/divided_judge.h"

static void test_library(void **state)
{
    np_mpi *mpi = make_ranks(64);
    (void)state;
    for (const np_entry *const *entry = np_programs.built_in; *entry; entry++) {
        const np_program_ops *ops = (const np_program_ops *)*entry;
        np_script *script;
        if (!ops->text)
            continue;
        assert_false(np_program_text_compile(ops, &script));
        const oracle_divided run = oracle_divided_of(script, ops->info.rule, 3, 40);
        assert_false(oracle_judge_rank(&run, np_mpi_job(mpi)));
        np_script_free(script);
    }
    np_mpi_free(mpi);
}

/* An error of one rank's processor is one of all, and violations of all are told of. */
static void test_errors(void **state)
{
    static const char *const texts[] = {
        "program p\nshared A[n]\nfor i in 0 .. n - 1 pardo\n  A[i] := 7 div (n - 1 - i)\nend\n",
        "program p\nrule erew\nshared A[n]\noutput A\nfor i in 0 .. n - 1 pardo\n  A[i mod 7] := i\nend\n"};
    np_mpi *mpi = make_ranks(0);
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        np_script *script;
        assert_false(np_script_create("p.pram", texts[i], strlen(texts[i]), NULL, &script));
        const oracle_divided run = oracle_divided_of(script, np_script_about_get(script).rule, 1, 5000);
        assert_int_equal(oracle_judge_rank(&run, np_mpi_job(mpi)), i ? NP_OK : NP_ERROR_INPUT);
        np_script_free(script);
    }
    np_mpi_free(mpi);
}

/* The seeds of the ranks differ: an error, and nobody waits. */
static void test_differing(void **state)
{
    static const char text[] = "program p\nshared A[n]\nfor i in 0 .. n - 1 pardo A[i] := i end\n";
    np_mpi *mpi = make_ranks(0);
    np_script *script;
    np_script_result *result;
    np_pram_options pram;
    (void)state;
    assert_false(np_script_create("p.pram", text, strlen(text), NULL, &script));
    np_pram_options_init(&pram);
    pram.machine = "mpi";
    pram.job = np_mpi_job(mpi);
    pram.seed = me == ranks - 1 && me ? 2 : 1;
    assert_int_equal(np_script_run(script, &pram, NULL, NULL, &result), ranks > 1 ? NP_ERROR_INPUT : NP_OK);
    np_script_result_free(result);
    pram.seed = 1;
    pram.machine = me ? "mpi" : "butterfly:x";
    assert_int_equal(np_script_run(script, &pram, NULL, NULL, &result), NP_ERROR_APPLY);
    pram.machine = me ? "mpi" : "nonsense";
    assert_int_equal(np_script_run(script, &pram, NULL, NULL, &result), NP_ERROR_INPUT);
    np_script_free(script);
    np_mpi_free(mpi);
}

static uint64_t messages_of(np_mpi *mpi, const char *text)
{
    np_script *script;
    np_script_result *result;
    np_pram_options pram;
    assert_false(np_script_create("p.pram", text, strlen(text), NULL, &script));
    np_pram_options_init(&pram);
    pram.machine = "mpi";
    pram.job = np_mpi_job(mpi);
    np_script_options options;
    np_script_options_init(&options);
    options.program.n = 1000;
    assert_int_equal(np_script_run(script, &pram, &options, NULL, &result), NP_OK);
    const uint64_t messages = result->report.shared.messages;
    np_script_result_free(result);
    np_script_free(script);
    return messages;
}

/* Whether a lane is on is heard with its first access: the branch sends nothing of its own. */
static void test_branches(void **state)
{
    np_mpi *mpi = make_ranks(0);
    (void)state;
    const uint64_t all = messages_of(mpi, "program p\nshared A[n]\nfor i in 0 .. n - 1 pardo A[i] := i end\n");
    const uint64_t some = messages_of(
        mpi, "program p\nshared A[n]\nfor i in 0 .. n - 1 pardo\n  if i mod 2 = 0 then A[i] := i end\nend\n");
    assert_true(all > 0 || ranks == 1);
    assert_int_equal(some, all);
    np_mpi_free(mpi);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_library), cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_differing), cmocka_unit_test(test_branches)};
    return on_ranks(&argc, &argv, tests, sizeof tests / sizeof *tests);
}
