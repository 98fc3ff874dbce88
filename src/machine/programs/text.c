/*
 * Programs that are texts, as programs of the library: the outputs of the text, one after the other, are the answer.
 */
#include "machine/programs/text.h"

#include <stdio.h>
#include <string.h>

np_status np_program_text_compile(const np_program_ops *ops, np_script **out)
{
    char file[80];
    snprintf(file, sizeof file, "%s.pram", ops->info.entry.name);
    return np_script_create(file, ops->text, ops->length, NULL, out);
}

np_status np_program_text_find(const char *name, const np_program_ops **out)
{
    np_status st = np_registry_find(&np_programs, name, out);
    return st || (*out)->text ? st : NP_RAISE(NP_ERROR_INPUT, "program '%s' is in C, and has no text", name);
}

np_status np_script_library(const char *name, np_script **out)
{
    const np_program_ops *ops;
    np_status st = np_program_text_find(name, &ops);
    *out = NULL;
    return st ? st : np_program_text_compile(ops, out);
}

/* One output is borrowed; several are copied. */
static np_status take_answer(const np_script_result *from, np_program_result *to)
{
    np_word *word;
    size_t at = 0;
    for (size_t i = 0; i < from->outputs; i++)
        to->answers += from->output[i].count;
    if (from->outputs == 1) {
        to->answer = from->output->word;
        return NP_OK;
    }
    np_status st = np_memory_array(&word, to->answers + 1, sizeof *word, "the answer");
    to->answer = word;
    for (size_t i = 0; i < from->outputs && !st; at += from->output[i++].count)
        memcpy(word + at, from->output[i].word, from->output[i].count * sizeof *word);
    return st;
}

static np_status take_result(const np_script_result *from, np_program_result *to)
{
    np_status st = take_answer(from, to);
    to->n = from->n;
    to->seed = from->seed;
    to->correct = from->correct || !from->judged;
    to->checksum = from->checksum;
    to->value = to->answers == 1 && !st ? to->answer[0] : 0;
    to->count = from->count;
    to->report = from->report;
    to->pram = from->pram;
    memcpy(to->wrong, from->wrong, sizeof to->wrong);
    memcpy(to->words, from->words, sizeof to->words);
    return st;
}

np_status np_program_text_run(const np_program_ops *ops, const np_pram_options *pram, const np_script_options *options,
                              np_program_result *result)
{
    np_script *script;
    np_script_result *ran;
    np_status st = np_program_text_compile(ops, &script);
    if (st)
        return st;
    result->text = script;
    if ((st = np_script_run(script, pram, options, NULL, &ran)))
        return st;
    result->script = ran;
    return take_result(ran, result);
}

void np_program_text_free(np_program_result *result)
{
    np_script_result *ran = (np_script_result *)result->script;
    if (ran && ran->outputs != 1)
        np_memory_free((np_word *)result->answer);
    np_script_result_free(ran);
    np_script_free((np_script *)result->text);
}
