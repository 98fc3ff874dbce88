#include "oracle/script_judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine/script/script.h"
#include "support.h"

enum { TURNS = 6000, MEMORY = 2 << 20, CELLS = 1 << 16 };

static void keep_line(void *context, const char *line)
{
    char *printed = context;
    size_t used = strlen(printed), room = sizeof((oracle_script_outcome *)0)->printed;
    snprintf(printed + used, room - used, "%s\n", line);
}

/* The steps that an observer is told of. */
typedef struct watched {
    const oracle_script_outcome *expected;
    size_t next; /* access */
    uint64_t steps;
} watched;

static bool is_one_cell(const oracle_script_access *a, const np_script_step *step, const oracle_script_access *b)
{
    return (a->address == b->address) == (step->address[a->processor] == step->address[b->processor]);
}

/* The same bits, but for NaN, which has many. */
static void judge_word(bool real, np_word word, np_word expected)
{
    if (!real || !isnan(np_real_of_word(word)) || !isnan(np_real_of_word(expected)))
        assert_int_equal(word, expected);
}

static void judge_words(const np_script_step *step, const oracle_script_access *a, size_t i)
{
    const bool real = a->type == NP_TYPE_REAL;
    judge_word(real, step->before[i], a->before);
    judge_word(real, step->after[i], a->after);
    judge_word(real, step->value[i], a->value);
    if (a->kind == NP_ACCESS_FETCH)
        judge_word(real, step->operand[i], a->operand);
}

static int judge_step(void *context, const np_script_step *step)
{
    watched *w = context;
    size_t active = 0;
    const oracle_script_access *first = &w->expected->access[w->next];
    assert_int_equal(step->step, w->steps++);
    for (size_t i = 0; i < step->count && w->next < w->expected->accesses; i++) {
        const oracle_script_access *a = &w->expected->access[w->next];
        if (step->on && !step->on[i])
            continue;
        active++;
        w->next++;
        assert_int_equal(a->step, step->step);
        assert_int_equal(a->place.line, step->line);
        assert_int_equal(a->place.column, step->column);
        assert_int_equal(a->processors, step->count);
        assert_int_equal(a->processor, i);
        assert_int_equal(a->kind, step->kind);
        assert_true(is_one_cell(a, step, first));
        judge_words(step, a, i);
    }
    if (w->expected->accesses < ORACLE_SCRIPT_ACCESSES)
        assert_int_equal(active, step->active);
    return 0;
}

static void judge_result(const np_script_result *result, const char *printed, const oracle_script_outcome *expected)
{
    size_t words = 0;
    assert_int_equal(result->report.steps, expected->steps);
    assert_int_equal(result->report.work, expected->work);
    assert_int_equal(result->report.violations, expected->violations);
    for (size_t i = 0; i < result->outputs; i++)
        for (size_t k = 0; k < result->output[i].count && words < ORACLE_SCRIPT_OUTPUTS; k++, words++)
            judge_word(*result->output[i].type == 'r', result->output[i].word[k], expected->word[words]);
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
    watched w = {.expected = &expected};
    const np_script_observer observer = {.step = judge_step, .context = &w};
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
    options.program.turns_max = TURNS;
    options.print = keep_line;
    options.print_context = printed;
    oracle_script_run(np_script_syntax(script), rule, seed, (np_word)n, &expected);
    if (expected.end != ORACLE_SCRIPT_TOO_LONG)
        options.observer = &observer;
    np_status st = np_script_run(script, &pram, &options, &problem, &result);
    if (expected.end == ORACLE_SCRIPT_DONE) {
        assert_int_equal(st, NP_OK);
        judge_result(result, printed, &expected);
        assert_int_equal(w.steps, expected.steps);
        assert_int_equal(w.next, expected.accesses);
    } else if (expected.end == ORACLE_SCRIPT_FAILED) {
        assert_int_equal(st, NP_ERROR_INPUT);
        assert_int_equal(problem.line, expected.place.line);
        assert_int_equal(problem.column, expected.place.column);
    } else
        assert_true(st == NP_OK || st == NP_ERROR_LIMIT || st == NP_ERROR_INPUT);
    np_script_result_free(result);
    return expected.end;
}
