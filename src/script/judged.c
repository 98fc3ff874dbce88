/* Holds the answer of a run to the judge that its text names. */
#include "script/judged.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "script/input.h"

np_status np_script_judge_fits(const np_syntax *syntax)
{
    char kinds[256] = "";
    size_t length = 0;
    if (!syntax->solves)
        return NP_OK;
    for (uint32_t i = 0; i < syntax->inputs && length < sizeof kinds; i++)
        length += (size_t)snprintf(kinds + length, sizeof kinds - length, "%s%s", i ? " " : "",
                                   np_input_kind_word(&syntax->input[i]));
    if (!strcmp(kinds, syntax->solves->entry.takes))
        return NP_OK;
    return np_script_raise(syntax, syntax->solves_place, NP_ERROR_INPUT, "what solves %s has inputs: %s; and not: %s",
                           syntax->solves->entry.name, syntax->solves->entry.takes, *kinds ? kinds : "none");
}

static bool find_option(const void *context, const char *name, np_word *value)
{
    const np_execution *x = context;
    for (uint32_t i = 0; i < x->syntax->options; i++)
        if (!strcmp(x->syntax->option[i].symbol->name, name)) {
            *value = x->program->vector[x->syntax->option[i].symbol->at][0];
            return true;
        }
    return false;
}

/* One output is as it is; several are copied, one after the other. */
static np_status join(const np_script_result *result, np_case *c, np_word **copy)
{
    c->answer = result->outputs ? result->output->word : NULL;
    for (size_t i = 0; i < result->outputs; i++)
        c->answers += result->output[i].count;
    if (result->outputs < 2)
        return NP_OK;
    np_status st = np_memory_array(copy, c->answers + 1, sizeof **copy, "the data of the judge");
    size_t at = 0;
    for (size_t i = 0; i < result->outputs && !st; at += result->output[i++].count)
        memcpy(*copy + at, result->output[i].word, result->output[i].count * sizeof **copy);
    c->answer = *copy;
    return st;
}

np_status np_script_judge(const np_execution *x, np_script_result *result)
{
    np_workspace work = {.team = &x->pram->team};
    np_word *copy = NULL;
    np_case c = {
        .n = (size_t)result->n, .given = x->given, .option = find_option, .context = x, .work = &work, .correct = true};
    if (!x->syntax->solves)
        return NP_OK;
    np_status st = join(result, &c, &copy);
    if (!st)
        st = x->syntax->solves->judge(&c);
    result->judged = true;
    result->correct = c.correct;
    result->count = c.count;
    memcpy(result->wrong, c.wrong, sizeof c.wrong);
    memcpy(result->words, c.words, sizeof c.words);
    np_workspace_clear(&work);
    np_memory_free(copy);
    return st;
}
