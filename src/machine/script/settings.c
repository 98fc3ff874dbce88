/* Options that a text declares: "root=3,steps=10". */
#include "machine/script/input.h"

#include <stdio.h>
#include <string.h>

#include "base/decimal.h"

static bool parse_option(const char *text, size_t length, np_type type, np_word *out)
{
    bool negative = length > 1 && *text == '-';
    char copy[40];
    uint64_t whole;
    double real = 0;
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text + negative, length - negative);
    copy[length - negative] = '\0';
    if (type == NP_TYPE_BOOL) {
        *out = !strcmp(text, "true") || !strncmp(text, "true,", 5);
        return *out || (length == 5 && !memcmp(text, "false", 5));
    }
    if (type == NP_TYPE_REAL) {
        bool is = np_decimal_real((np_text_field){copy, length - negative}, &real);
        *out = np_word_of_real(negative ? -real : real);
        return is;
    }
    if (!np_parse_whole(copy, 0, (uint64_t)INT64_MAX + negative, &whole))
        return false;
    *out = (np_word)(negative ? 0 - whole : whole);
    return true;
}

static const np_declared_option *find_option(const np_syntax *syntax, const char *name, size_t length)
{
    for (uint32_t i = 0; i < syntax->options; i++) {
        const char *other = syntax->option[i].symbol->name;
        if (strlen(other) == length && !memcmp(name, other, length))
            return &syntax->option[i];
    }
    return NULL;
}

static np_status refuse_option(const np_syntax *syntax, const char *name, size_t length)
{
    char copy[NP_SCRIPT_NAME + 1];
    np_parse_hint hint;
    snprintf(copy, sizeof copy, "%.*s", (int)(length > NP_SCRIPT_NAME ? NP_SCRIPT_NAME : length), name);
    np_parse_hint_init(&hint, copy);
    for (uint32_t i = 0; i < syntax->options; i++)
        np_parse_hint_add(&hint, syntax->option[i].symbol->name);
    return NP_RAISE(NP_ERROR_INPUT, "set %s: %.100s declares no such option: %s", copy, syntax->path, hint.text);
}

/* --steps is the option of this name. */
static np_status set_steps(np_execution *x)
{
    uint32_t steps = x->options->program.steps;
    const np_declared_option *option = find_option(x->syntax, "steps", 5);
    if (!steps)
        return NP_OK;
    if (!option || option->symbol->type != NP_TYPE_INT)
        return NP_RAISE(NP_ERROR_INPUT, "steps %u: %.200s takes as many as it needs, and declares no option steps",
                        steps, x->syntax->path);
    x->program->vector[option->symbol->at][0] = steps;
    return NP_OK;
}

/* Is the option that the text begins with given once more, in a later entry? */
static bool is_given_again(const char *text, size_t name)
{
    for (const char *at = text; (at = strchr(at, ','));)
        if (!strncmp(++at, text, name) && strcspn(at, "=,") == name)
            return true;
    return false;
}

np_status np_script_set(np_execution *x)
{
    np_status st = set_steps(x);
    if (st)
        return st;
    for (const char *at = x->options->program.set; at && *at;) {
        size_t entry = strcspn(at, ","), name = strcspn(at, "=,");
        const np_declared_option *option = find_option(x->syntax, at, name);
        np_word word;
        if (!option)
            return refuse_option(x->syntax, at, name);
        if (name == entry || !parse_option(at + name + 1, entry - name - 1, option->symbol->type, &word))
            return NP_RAISE(NP_ERROR_INPUT, "set %.*s: write %s=VALUE, with a value of type %s", (int)entry, at,
                            option->symbol->name, np_type_name(option->symbol->type));
        if (is_given_again(at, name) || (x->options->program.steps && !strcmp(option->symbol->name, "steps")))
            return NP_RAISE(NP_ERROR_INPUT, "set %s: it is given twice", option->symbol->name);
        x->program->vector[option->symbol->at][0] = word;
        at += entry + (at[entry] == ',');
    }
    return NP_OK;
}
