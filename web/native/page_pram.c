/*
 * A PRAM program on the page: its text, and every step that it makes, with the cells of its arrays. On a machine that
 * is a network the events of a step's batches are recorded, too (page.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <emscripten.h>

#include "page.h"

enum { STEPS_MAX = 4000, ACCESSES_MAX = 400000, CELLS_MAX = 4096, ARRAYS_MAX = 64 };

static struct {
    size_t steps, accesses, arrays;
    np_address base[ARRAYS_MAX]; /* of the arrays that were told */
    const char *too_much;
} seen;

/* ---- Texts ---- */

/* The text of a program of the library, without what it imports: {"text"}. */
EMSCRIPTEN_KEEPALIVE const char *page_program(const char *name)
{
    np_script *script;
    size_t length = 0;
    const char *line;
    uint32_t local;
    page_begin();
    if (np_script_library(name, &script))
        return page_fail();
    page_say("{\"text\": \"");
    for (uint32_t i = 1; (line = np_script_line_get(script, i, &length)) && !*np_script_file_get(script, i, &local);
         i++) {
        page_say(i > 1 ? "\\n" : "");
        page_say_characters(line, length);
    }
    page_say("\"}");
    np_script_free(script);
    return page_text();
}

/* ---- Steps ---- */

static bool is_told(np_address base)
{
    for (size_t i = 0; i < seen.arrays; i++)
        if (seen.base[i] == base)
            return true;
    return false;
}

static void say_words(const np_script_step *step, const char *type, const np_script_array *array)
{
    np_word *word = malloc((size_t)array->cells * sizeof *word);
    char room[32];
    if (np_pram_get(step->pram, array->base, array->cells, word))
        memset(word, 0, (size_t)array->cells * sizeof *word);
    for (uint64_t i = 0; i < array->cells; i++) {
        np_script_word(type, word[i], room);
        page_say("%s\"%s\"", i ? ", " : "", room);
    }
    free(word);
}

/* Arrays that are seen for the first time, as they are after this step. */
static void say_arrays(const np_script_step *step)
{
    const char *between = "";
    size_t first = 0;
    while (step->on && first < step->count && !step->on[first])
        first++;
    page_say(", \"arrays\": [");
    for (size_t i = 0; i < np_script_names(step); i++) {
        np_script_name name = np_script_name_get(step, i);
        if (!name.shared)
            continue;
        np_script_array array = np_script_array_get(step, i, first);
        if (!array.cells || array.cells > CELLS_MAX || is_told(array.base) || seen.arrays == ARRAYS_MAX)
            continue;
        seen.base[seen.arrays++] = array.base;
        page_say("%s{\"name\": ", between);
        page_say_text(name.name);
        page_say(", \"type\": \"%s\", \"base\": %llu, \"columns\": %llu, \"words\": [", name.type,
                 (unsigned long long)array.base,
                 (unsigned long long)(array.rank > 1 ? (uint64_t)array.extent[array.rank - 1] : array.cells));
        say_words(step, name.type, &array);
        page_say("]}");
        between = ", ";
    }
    page_say("]");
}

/* Processor, cell, and what the cell holds after the step. */
static void say_accesses(const np_script_step *step)
{
    char room[32];
    const char *between = "";
    page_say(", \"accesses\": [");
    for (size_t p = 0; p < step->count; p++) {
        if (step->on && !step->on[p])
            continue;
        np_script_word(step->type, step->after[p], room);
        page_say("%s[%zu, %llu, \"%s\"]", between, p, (unsigned long long)step->address[p], room);
        between = ", ";
    }
    page_say("]");
}

/* The line of the text: of a step in an imported procedure that of the call. */
static uint32_t line_of(const np_script *script, const np_script_step *step)
{
    uint32_t line = step->line, local;
    for (size_t i = 0; *np_script_file_get(script, line, &local) && i < np_script_calls(step); i++)
        line = np_script_call_get(step, i).line;
    return line;
}

static int on_step(void *context, const np_script_step *step)
{
    static const char *const kinds[] = {"read", "write", "fetch"};
    const np_script *script = context;
    page_tell_progress(seen.steps, 0);
    if (!step->count)
        return 0;
    if (seen.steps == STEPS_MAX || (seen.accesses += step->active) > ACCESSES_MAX) {
        seen.too_much = seen.steps == STEPS_MAX ? "steps" : "accesses";
        return 1;
    }
    page_say("%s{\"line\": %u, \"column\": %u, \"text\": ", seen.steps++ ? ", " : "", line_of(script, step),
             step->column);
    page_say_text(step->text);
    page_say(", \"kind\": \"%s\", \"active\": %zu, \"network_steps\": %llu, \"violations\": %llu, \"phases\": %zu",
             kinds[step->kind], step->active, (unsigned long long)step->network_steps,
             (unsigned long long)step->violations, page_phases());
    say_accesses(step);
    say_arrays(step);
    page_say("}");
    return 0;
}

static void on_print(void *context, const char *line)
{
    (void)context;
    (void)line;
}

/* ---- Runs ---- */

static np_status set(np_pram_options *pram, np_script_options *script, const char *name, const char *value)
{
    if (np_fields_find(&np_pram_options_fields, name))
        return np_fields_set(&np_pram_options_fields, pram, name, value);
    return np_fields_set(&np_script_options_fields, script, name, value);
}

np_status page_pram_options(const np_script *script, char *lines, np_pram_options *pram, np_script_options *options)
{
    np_status st = NP_OK;
    np_pram_options_init(pram);
    np_script_options_init(options);
    pram->rule = np_script_about_get(script).rule;
    for (char *name = lines, *value, *next; name && *name && !st; name = next) {
        next = page_option(name, &value);
        st = value ? set(pram, options, name, value) : NP_ERROR_INPUT;
    }
    return st;
}

static np_status run(np_script *script, char *lines, char *inputs, bool watched, np_script_result **out)
{
    const np_script_observer watch = {.step = on_step, .context = script};
    np_pram_options pram;
    np_script_options options;
    bool observed = false;
    np_status st = page_pram_options(script, lines, &pram, &options);
    if (!st)
        st = page_inputs(script, inputs, &options);
    options.observer = watched ? &watch : NULL;
    options.print = on_print;
    if (!st && watched)
        st = np_pram_machine_observed(pram.machine, &observed);
    if (!st && observed)
        pram.observer = &page_observer;
    return st ? st : np_script_run(script, &pram, &options, NULL, out);
}

/* Runs a text. Options are lines "name=value" of np_pram_options and np_script_options; inputs: see page_input.c. */
EMSCRIPTEN_KEEPALIVE const char *page_pram(const char *source, const char *options, const char *inputs)
{
    np_script *script = NULL;
    np_script_result *result = NULL;
    char *lines = strdup(options), *given = strdup(inputs);
    memset(&seen, 0, sizeof seen);
    page_begin();
    page_forget();
    page_say("{\"steps\": [");
    np_status st = np_script_create("text", source, strlen(source), NULL, &script);
    if (!st)
        st = run(script, lines, given, true, &result);
    if (seen.too_much || page_full())
        st = np_status_raise(NP_ERROR_LIMIT, "too many %s to show: take a smaller n",
                             seen.too_much ? seen.too_much : "events");
    if (!st) {
        page_say("], \"report\": ");
        page_say_object(&np_pram_report_fields, &result->report);
        page_say(", \"result\": ");
        page_say_object(&np_script_result_fields, result);
        page_say_record();
        page_say("}");
    }
    np_script_result_free(result);
    np_script_free(script);
    free(given);
    free(lines);
    return st ? page_fail() : page_text();
}

/* What the same run costs, unobserved: {"report"}. */
EMSCRIPTEN_KEEPALIVE const char *page_pram_cost(const char *source, const char *options, const char *inputs)
{
    np_script *script = NULL;
    np_script_result *result = NULL;
    char *lines = strdup(options), *given = strdup(inputs);
    page_begin();
    np_status st = np_script_create("text", source, strlen(source), NULL, &script);
    if (!st)
        st = run(script, lines, given, false, &result);
    if (!st) {
        page_say("{\"report\": ");
        page_say_object(&np_pram_report_fields, &result->report);
        page_say("}");
    }
    np_script_result_free(result);
    np_script_free(script);
    free(given);
    free(lines);
    return st ? page_fail() : page_text();
}
