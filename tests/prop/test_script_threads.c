/*
 * Texts whose levels are wide enough for several threads: 1, 2 and 7 threads give the same outputs, costs and
 * violations, and name the same processor where several of them fail.
 */
#include "support.h"

#include "netpram/script.h"

/* At 7 * 2^15 processors each of seven threads has work: src/machine/pram/team.c. */
enum { N = 7 << 15 };

/* Draws, masks, loops that lanes leave at different times, functions that return early, ranges within ranges. */
static const char wide[] = "program wide\n"
                           "rule crew\n"
                           "shared A[n], B[n], C[n]\n"
                           "output A\noutput B\noutput C\n"
                           "function steps(k : int) : int\n"
                           "  var c := 0\n"
                           "  while k > 1 do\n"
                           "    if c > 20 then return 0 - c end\n"
                           "    k := if k mod 2 = 0 then k div 2 else 3 * k + 1\n"
                           "    c := c + 1\n"
                           "  end\n"
                           "  return c\n"
                           "end\n"
                           "for i in 0 .. n - 1 pardo\n"
                           "  var r := random(1000)\n"
                           "  A[i] := r\n"
                           "  B[r] := i\n"
                           "  C[i] := steps(r)\n"
                           "end\n"
                           "for i in 0 .. 9 where i mod 3 = 1 pardo\n"
                           "  for j in 0 .. (n div 10) * (i mod 2) pardo\n"
                           "    C[j] := C[j] + i * random(5)\n"
                           "  end\n"
                           "end\n";

static np_status run(const char *text, unsigned threads, np_script_problem *problem, np_script **script,
                     np_script_result **out)
{
    np_pram_options pram;
    np_script_options options;
    np_pram_options_init(&pram);
    np_script_options_init(&options);
    assert_ok(np_script_create("p.pram", text, strlen(text), NULL, script));
    pram.rule = np_script_about_get(*script).rule;
    pram.threads = threads;
    options.program.n = N;
    return np_script_run(*script, &pram, &options, problem, out);
}

static void test_same(void **state)
{
    static const unsigned threads[] = {2, 7};
    np_script *script, *again;
    np_script_result *one, *other;
    (void)state;
    assert_ok(run(wide, 1, NULL, &script, &one));
    assert_true(one->report.violations);
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        assert_ok(run(wide, threads[k], NULL, &again, &other));
        assert_int_equal(other->checksum, one->checksum);
        assert_int_equal(other->turns, one->turns);
        assert_int_equal(other->report.work, one->report.work);
        assert_int_equal(other->report.steps, one->report.steps);
        assert_int_equal(other->report.violations, one->report.violations);
        assert_int_equal(other->report.weakest, one->report.weakest);
        np_script_result_free(other);
        np_script_free(again);
    }
    np_script_result_free(one);
    np_script_free(script);
}

/* In pieces of 512 lanes the first one that fails is told, and in it the first operation: here of processor 99999 or
 * so. */
static void test_failures(void **state)
{
    static const char *const texts[] = {
        "program p\nshared A[n]\nfor i in 0 .. n - 1 pardo\n  var k := 7 div (if i >= 99999 then 0 else 1)\n"
        "  A[i] := k\nend\n",
        "program p\nshared A[n]\nfor i in 0 .. n - 1 pardo\n  A[if i > 99998 then n + i else i] := i\nend\n",
        "program p\nshared A[n]\nfor i in 0 .. n - 1 pardo\n  A[i] := random(if i < 99999 then 5 else 0)\nend\n"};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (unsigned threads = 1; threads <= 7; threads += 3) {
            np_script_problem problem;
            np_script_result *result;
            np_script *script;
            assert_int_equal(run(texts[k], threads, &problem, &script, &result), NP_ERROR_INPUT);
            if (!strstr(problem.message, "(processor 99999)"))
                fail_msg("%u threads: %s", threads, problem.message);
            np_script_free(script);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
