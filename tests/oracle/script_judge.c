#include "oracle/script_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"
#include "support.h"

enum { TURNS = 6000, MEMORY = 2 << 20, CELLS = 1 << 16 };

static void keep_line(void *context, const char *line)
{
    char *printed = context;
    size_t used = strlen(printed), room = sizeof((oracle_script_outcome *)0)->printed;
    snprintf(printed + used, room - used, "%s\n", line);
}

static void judge_result(const np_script_result *result, const char *printed, const oracle_script_outcome *expected)
{
    size_t words = 0;
    assert_int_equal(result->report.steps, expected->steps);
    assert_int_equal(result->report.work, expected->work);
    assert_int_equal(result->report.violations, expected->violations);
    for (size_t i = 0; i < result->outputs; i++)
        for (size_t k = 0; k < result->output[i].count && words < ORACLE_SCRIPT_OUTPUTS; k++, words++)
            assert_true(result->output[i].word[k] == expected->word[words] || *result->output[i].type == 'r');
    assert_int_equal(words, expected->words);
    assert_string_equal(printed, expected->printed);
    uint64_t steps = 0, work = 0, network = 0;
    for (size_t i = 0; i < result->lines; i++) {
        steps += result->line[i].steps;
        work += result->line[i].work;
        network += result->line[i].network_steps;
    }
    assert_int_equal(steps, result->report.steps);
    assert_int_equal(work, result->report.work);
    assert_true(network <= result->report.network_steps); /* which have the hash function's, too */
}

oracle_script_end oracle_judge_script(const np_script *script, const char *machine, np_access_rule rule, uint64_t seed,
                                      uint64_t n)
{
    static oracle_script_outcome expected; /* large */
    char printed[sizeof expected.printed] = "";
    np_pram_options pram;
    np_script_options options;
    np_script_problem problem;
    np_script_result *result;
    np_pram_options_init(&pram);
    np_script_options_init(&options);
    pram.machine = machine;
    pram.rule = rule;
    pram.seed = seed;
    pram.cells = CELLS;
    options.program.n = n;
    options.program.memory_limit = MEMORY;
    options.turns_max = TURNS;
    options.print = keep_line;
    options.print_context = printed;
    oracle_script_run(np_script_syntax(script), rule, seed, (np_word)n, &expected);
    np_status st = np_script_run(script, &pram, &options, &problem, &result);
    if (expected.end == ORACLE_SCRIPT_DONE) {
        assert_int_equal(st, NP_OK);
        judge_result(result, printed, &expected);
    } else if (expected.end == ORACLE_SCRIPT_FAILED) {
        assert_int_equal(st, NP_ERROR_INPUT);
        assert_int_equal(problem.line, expected.place.line);
        assert_int_equal(problem.column, expected.place.column);
    } else
        assert_true(st == NP_OK || st == NP_ERROR_LIMIT || st == NP_ERROR_INPUT);
    np_script_result_free(result);
    return expected.end;
}
