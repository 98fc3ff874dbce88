/*
 * Runs a PRAM program of the library: a text (text.c), or one in C: input, PRAM, run, and the comparison of the answer,
 * word by word, with what the program's expect() says.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/account.h"
#include "base/npy.h"
#include "machine/pram/inside.h"
#include "machine/programs/text.h"

enum { STEPS = 16 };

static np_status check_options(const np_program_info *info, bool text, const np_program_options *o)
{
    const char *name = info->entry.name;
    if (o->steps && !info->takes_steps)
        return NP_RAISE(NP_ERROR_INPUT, "steps %u: %s takes as many steps as it needs, only random-reads is told",
                        o->steps, name);
    if (o->edges && !info->takes_edges)
        return NP_RAISE(NP_ERROR_INPUT, "edges %" PRIu64 ": %s makes no graph of so many, but components and bfs do",
                        o->edges, name);
    if (o->set && !text)
        return NP_RAISE(NP_ERROR_INPUT, "set %.60s: %s is no text, and declares no options", o->set, name);
    if (o->input && info->input == NP_INPUT_NONE)
        return NP_RAISE(NP_ERROR_INPUT, "input %.60s: %s reads no file, its input is drawn from the seed", o->input,
                        name);
    if (!text && o->input && (o->n || o->edges))
        return NP_RAISE(NP_ERROR_INPUT, "input %.60s beside a size: the file has its own", o->input);
    if (o->n > info->n_max)
        return NP_RAISE(NP_ERROR_LIMIT, "%s of %" PRIu64 " %s: at most %" PRIu64, name, o->n, info->size, info->n_max);
    return NP_OK;
}

/* The number of requests that the machine serves at once; 1024 (ours) if the machine has no limit. */
static np_status batch_of(np_pram *pram, const np_pram_options *options, uint64_t *n)
{
    np_pram_report report;
    np_status st = np_pram_report_get(pram, &report);
    *n = !st && report.processors ? (uint64_t)report.processors * options->slack : 1024;
    return st;
}

static np_status fill_options(const np_program_info *info, np_pram *pram, const np_pram_options *pram_options,
                              np_program_options *options)
{
    np_status st = NP_OK;
    if (!options->steps)
        options->steps = STEPS;
    if (options->input)
        return NP_OK;
    if (!options->n)
        options->n = info->n;
    if (!options->n)
        st = batch_of(pram, pram_options, &options->n);
    if (options->n > info->n_max)
        options->n = info->n_max;
    if (!options->edges)
        options->edges = options->n;
    return st;
}

static uint64_t sum_up(size_t answers, const np_word *answer)
{
    uint64_t checksum = answers;
    for (size_t i = 0; i < answers; i++)
        checksum = np_random_mix(checksum ^ (uint64_t)answer[i]) + i;
    return checksum;
}

static void compare(np_program_result *result, const np_word *answer, const np_word *expected)
{
    size_t i = 0;
    while (i < result->answers && answer[i] == expected[i])
        i++;
    result->correct = i == result->answers;
    if (!result->correct)
        snprintf(result->wrong, sizeof result->wrong, "word %zu of the answer is %" PRId64 ", and not %" PRId64, i,
                 answer[i], expected[i]);
}

typedef struct judging {
    const np_program_ops *ops;
    np_problem *problem;
    np_program_result *result;
    const np_word *answer;
    np_word *expected;
    np_status status;
    char message[512];
} judging;

static void judge_half(void *context, unsigned thread, uint32_t half)
{
    judging *j = context;
    (void)thread;
    if (half)
        j->result->checksum = sum_up(j->result->answers, j->answer);
    else if (!(j->status = j->ops->expect(j->problem, j->expected)))
        compare(j->result, j->answer, j->expected);
    else
        snprintf(j->message, sizeof j->message, "%s", np_last_error());
}

/* The checksum has no parts, so another thread computes it while this one works out what is right. */
static np_status judge(const np_program_ops *ops, np_problem *problem, np_program_result *result, const np_word *answer,
                       np_word *expected)
{
    judging j = {ops, problem, result, answer, expected, NP_OK, ""};
    np_threads_each(np_team_for(problem->work.team, result->answers), 2, judge_half, &j);
    if (j.status)
        return NP_RAISE(j.status, "%s", j.message);
    result->value = result->answers == 1 ? answer[0] : 0;
    return NP_OK;
}

/* Refuses what needs more memory than allowed; *out: what the program needs. */
static np_status check_memory(const np_program_ops *ops, const np_problem *problem, const np_pram *pram,
                              np_program_needs *out)
{
    uint64_t machine;
    *out = (np_program_needs){0};
    ops->needs(problem, out);
    out->cells = out->cells < pram->options.cells ? out->cells : pram->options.cells;
    np_status st =
        np_pram_bytes(pram, out->cells, out->processors, ops->info.rule != NP_RULE_EREW, out->steps, &machine);
    if (st)
        return st;
    uint64_t bytes =
        sizeof(np_program_result) + out->bytes + 2 * np_memory_taken(ops->answers(problem) * sizeof(np_word)) + machine;
    return np_account_allow(bytes, "a smaller size", "%zu %s of '%s' on %s", problem->n, ops->info.size,
                            ops->info.entry.name, pram->spec);
}

static np_status reserve(const np_program_ops *ops, np_problem *problem, np_pram *pram)
{
    np_program_needs needs;
    np_status st = check_memory(ops, problem, pram, &needs);
    return st ? st : np_pram_reserve(pram, needs.cells, needs.processors, ops->info.rule != NP_RULE_EREW);
}

static np_status solve(const np_program_ops *ops, np_problem *problem, np_program_result *result)
{
    np_word *answer, *expected;
    np_status st = reserve(ops, problem, result->pram);
    if (st)
        return st;
    result->n = problem->n;
    result->answers = ops->answers(problem);
    if ((st = np_memory_array(&answer, result->answers, sizeof *answer, "the answer")))
        return st;
    result->answer = answer;
    np_team_clear(problem->work.team, answer, result->answers * sizeof *answer);
    if ((st = ops->run(problem, result->pram, answer)) ||
        (st = np_workspace_take(&problem->work, &expected, result->answers, sizeof *expected)) ||
        (st = judge(ops, problem, result, answer, expected)))
        return st;
    return np_pram_report_get(result->pram, &result->report);
}

/* Takes and checks the options, makes the PRAM and fills in the defaults that depend on it. */
static np_status set_up(const np_program_ops *ops, const np_pram_options *given_pram, const np_program_options *given,
                        np_pram_options *pram, np_problem *problem, np_pram **out)
{
    np_program_options *options = &problem->options;
    np_program_needs needs;
    uint64_t bytes;
    np_status st;
    if ((st = np_options_take(&np_pram_options_fields, given_pram, pram)) ||
        (st = np_options_take(&np_program_options_fields, given, options)) ||
        (st = check_options(&ops->info, ops->text, options)) || (st = np_machine_bytes(pram, 0, 0, &bytes)) ||
        (st = np_account_allow(bytes, "a smaller machine", "processors and modules of %s", pram->machine)) ||
        (st = np_pram_create(pram, out)) || (st = fill_options(&ops->info, *out, pram, options)) || options->input ||
        ops->text)
        return st;
    problem->n = options->n;
    return check_memory(ops, problem, *out, &needs);
}

/* The text makes the PRAM and the input; what it does not know is refused here. */
static np_status run_text(const np_program_ops *ops, const np_pram_options *pram, const np_script_options *options,
                          np_program_result *result)
{
    np_status st = check_options(&ops->info, true, &options->program);
    return st ? st : np_program_text_run(ops, pram, options, result);
}

static np_status run_c(const np_program_ops *ops, const np_pram_options *given, const np_program_options *options,
                       np_program_result *result)
{
    np_problem problem = {.draws = {.purpose = NP_RANDOM_INPUT}};
    np_pram_options pram;
    np_status st = set_up(ops, given, options, &pram, &problem, &result->pram);
    if (st)
        return st;
    if (ops->info.takes_steps)
        result->pram->expected = problem.options.steps;
    result->seed = problem.draws.seed = pram.seed;
    problem.work.team = &result->pram->team;
    st = solve(ops, &problem, result);
    np_workspace_clear(&problem.work);
    return st;
}

np_status np_program_check(const char *name, const np_pram_options *pram, const np_program_options *options,
                           uint64_t *n)
{
    const np_program_ops *ops;
    np_pram_options taken;
    np_problem problem = {0};
    np_pram *made = NULL;
    np_status st = np_registry_find(&np_programs, name, &ops);
    if (st)
        return st;
    st = set_up(ops, pram, options, &taken, &problem, &made);
    *n = st ? 0 : problem.options.n;
    np_pram_free(made);
    return st;
}

/* Of a text by the options of scripts, of a program in C by its own. */
static np_status run(const np_program_ops *ops, const np_pram_options *pram, const np_program_options *options,
                     const np_script_options *script, np_program_result **out)
{
    np_program_result *result;
    *out = NULL;
    np_status st = np_memory_zeroed(&result, 1, sizeof *result, "the result of a program");
    if (st)
        return st;
    result->program = &ops->info;
    if ((st = ops->text ? run_text(ops, pram, script, result) : run_c(ops, pram, options, result))) {
        np_program_result_free(result);
        return st;
    }
    *out = result;
    return NP_OK;
}

np_status np_program_run_ops(const np_program_ops *ops, const np_pram_options *pram, const np_program_options *options,
                             np_program_result **out)
{
    np_script_options script;
    *out = NULL;
    np_script_options_init(&script);
    np_status st = np_options_take(&np_program_options_fields, options, &script.program);
    if (st)
        return st;
    NP_ACCOUNT(script.program.memory_limit, "a smaller size");
    return run(ops, pram, options, &script, out);
}

np_status np_program_run_script(const char *name, const np_pram_options *pram, const np_script_options *options,
                                np_program_result **out)
{
    const np_program_ops *ops;
    np_script_options taken;
    *out = NULL;
    np_status st = np_program_text_find(name, &ops);
    if (st || (st = np_options_take(&np_script_options_fields, options, &taken)))
        return st;
    NP_ACCOUNT(taken.program.memory_limit, "a smaller size");
    return run(ops, pram, NULL, &taken, out);
}

np_status np_program_answer_write(const np_program_result *result, const char *path)
{
    np_output *output;
    np_status st = result->script ? np_script_output_write(result->script, path) : np_output_open(path, &output);
    if (st || result->script)
        return st;
    FILE *stream = np_output_stream(output); /* a failure shows when it is committed */
    if (np_npy_is(path))
        np_npy_head("<i8", &(uint64_t){result->answers}, 1, stream);
    for (size_t i = 0; i < result->answers; i++)
        if (np_npy_is(path))
            np_npy_item((uint64_t)result->answer[i], stream);
        else
            fprintf(stream, "%" PRId64 "\n", result->answer[i]);
    return np_output_commit(output);
}

void np_program_result_free(np_program_result *result)
{
    if (!result)
        return;
    if (result->text) {
        np_program_text_free(result);
    } else {
        np_memory_free((np_word *)result->answer);
        np_pram_free(result->pram);
    }
    np_memory_free(result);
}
