/*
 * The PRAM programs, in the order of netpram list, and how one is run. Nearly all are texts: the outputs of the text,
 * one after the other, are the answer. One is in C: its answer is compared, word by word, with what its expect() says.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/npy.h"
#include "machine/pram/division.h"
#include "machine/programs/text.h"
#include "machine/script/script.h"

const np_registry np_programs = {
    .list = "programs",
    .title = "PRAM programs (the first argument of pram), and the rule each needs",
    .what = "program",
    .built_in = np_program_entries,
};

const np_registry np_imports = {
    .list = "imports",
    .title = "Procedures that PRAM programs import by name (import scan)",
    .what = "file of procedures",
    .built_in = np_import_entries,
};

np_status np_program_find(const char *name, const np_program_info **out)
{
    return np_registry_find(&np_programs, name, out); /* the info begins the descriptor */
}

/* ---- Options ---- */

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
    if (o->n > info->n_max)
        return NP_RAISE(NP_ERROR_LIMIT, "%s of %" PRIu64 " %s: at most %" PRIu64, name, o->n, info->size, info->n_max);
    return NP_OK;
}

/* The number of requests that the machine serves at once; 1024 (ours) if the machine has no limit. */
static np_status batch_of(np_pram *pram, const np_pram_options *options, uint64_t *n)
{
    np_pram_report report;
    np_status st = np_pram_report_get(pram, &report);
    *n = !st && report.processors ? (uint64_t)report.processors * (options->slack ? options->slack : 1) : 1024;
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

/* Takes and checks the options, makes the PRAM and fills in the defaults that depend on it. */
static np_status set_up(const np_program_ops *ops, const np_pram_options *given_pram, const np_program_options *given,
                        np_pram_options *pram, np_program_options *options, np_pram **out)
{
    np_status st;
    if ((st = np_options_take(&np_pram_options_fields, given_pram, pram)) ||
        (st = np_options_take(&np_program_options_fields, given, options)) ||
        (st = check_options(&ops->info, ops->text, options)))
        return np_division_refuse(given_pram, st);
    return (st = np_pram_create(pram, out)) ? st : fill_options(&ops->info, *out, pram, options);
}

/* ---- A text ---- */

np_status np_program_text_compile(const np_program_ops *ops, np_script **out)
{
    char file[80];
    snprintf(file, sizeof file, "%s.pram", ops->info.entry.name);
    return np_script_create(file, ops->text, ops->length, NULL, out);
}

static np_status find_text(const char *name, const np_program_ops **out)
{
    np_status st = np_registry_find(&np_programs, name, out);
    return st || (*out)->text ? st : NP_RAISE(NP_ERROR_INPUT, "program '%s' is in C, and has no text", name);
}

np_status np_script_library(const char *name, np_script **out)
{
    const np_program_ops *ops;
    np_status st = find_text(name, &ops);
    *out = NULL;
    return st ? st : np_program_text_compile(ops, out);
}

static void take_result(const np_script_result *from, np_program_result *to)
{
    to->answer = np_script_answer(from, &to->answers);
    to->n = from->n;
    to->seed = from->seed;
    to->correct = from->correct || !from->judged;
    to->checksum = from->checksum;
    to->value = to->answers == 1 ? to->answer[0] : 0;
    to->count = from->count;
    to->report = from->report;
    to->pram = from->pram;
    memcpy(to->wrong, from->wrong, sizeof to->wrong);
    memcpy(to->words, from->words, sizeof to->words);
}

/* The text makes the PRAM and the input; what it does not know is refused here. */
static np_status run_text(const np_program_ops *ops, const np_pram_options *pram, const np_script_options *options,
                          np_program_result *result)
{
    np_script *script;
    np_script_result *ran;
    np_status st = check_options(&ops->info, true, &options->program);
    if (st || (st = np_program_text_compile(ops, &script)))
        return np_division_refuse(pram, st);
    result->text = script;
    if ((st = np_script_run(script, pram, options, NULL, &ran)))
        return st;
    result->script = ran;
    take_result(ran, result);
    return NP_OK;
}

/* ---- A program in C ---- */

static void judge(np_program_result *result, const np_word *answer, const np_word *expected)
{
    size_t i = 0;
    while (i < result->answers && answer[i] == expected[i])
        i++;
    result->correct = i == result->answers;
    if (!result->correct)
        snprintf(result->wrong, sizeof result->wrong, "word %zu of the answer is %" PRId64 ", and not %" PRId64, i,
                 answer[i], expected[i]);
    result->value = result->answers == 1 ? answer[0] : 0;
    result->checksum = result->answers;
    for (i = 0; i < result->answers; i++)
        result->checksum = np_random_mix(result->checksum ^ (uint64_t)answer[i]) + i;
}

static np_status solve(const np_program_ops *ops, np_problem *problem, np_program_result *result)
{
    np_word *answer, *expected;
    np_status st = np_memory_array(&answer, problem->n, sizeof *answer, "the answer");
    if (st)
        return st;
    result->answer = answer;
    result->n = result->answers = problem->n;
    np_team_clear(problem->work.team, answer, problem->n * sizeof *answer);
    st = np_division_begin(result->pram->division, NP_OK);
    if (!st)
        st = ops->run(problem, result->pram, answer);
    if ((st = np_division_finish(result->pram->division, st)) ||
        (st = np_workspace_take(&problem->work, &expected, problem->n, sizeof *expected)))
        return st;
    ops->expect(problem, expected);
    judge(result, answer, expected);
    return np_pram_report_get(result->pram, &result->report);
}

static np_status run_c(const np_program_ops *ops, const np_pram_options *given, const np_program_options *options,
                       np_program_result *result)
{
    np_problem problem = {.draws = {.purpose = NP_RANDOM_INPUT}};
    np_pram_options pram;
    np_status st = set_up(ops, given, options, &pram, &problem.options, &result->pram);
    if (st)
        return st;
    problem.n = problem.options.n;
    result->pram->expected = problem.options.steps;
    result->seed = problem.draws.seed = pram.seed;
    problem.work.team = &result->pram->team;
    st = np_division_end(result->pram->division, solve(ops, &problem, result));
    np_workspace_clear(&problem.work);
    return st;
}

/* ---- Either ---- */

np_status np_program_check(const char *name, const np_pram_options *pram, const np_program_options *options,
                           uint64_t *n)
{
    const np_program_ops *ops;
    np_pram_options taken;
    np_program_options filled;
    np_pram *made = NULL;
    np_status st = np_registry_find(&np_programs, name, &ops);
    if (st)
        return st;
    st = set_up(ops, pram, options, &taken, &filled, &made);
    *n = st ? 0 : filled.n;
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
        return np_division_refuse(pram, st);
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

np_status np_program_run(const char *name, const np_pram_options *pram, const np_program_options *options,
                         np_program_result **out)
{
    const np_program_ops *ops;
    np_status st = np_registry_find(&np_programs, name, &ops);
    *out = NULL;
    return st ? st : np_program_run_ops(ops, pram, options, out);
}

np_status np_program_run_script(const char *name, const np_pram_options *pram, const np_script_options *options,
                                np_program_result **out)
{
    const np_program_ops *ops;
    np_script_options taken;
    *out = NULL;
    np_status st = find_text(name, &ops);
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
    if (result->text) { /* which owns the rest */
        np_script_result_free((np_script_result *)result->script);
        np_script_free((np_script *)result->text);
    } else {
        np_memory_free((np_word *)result->answer);
        np_pram_free(result->pram);
    }
    np_memory_free(result);
}
