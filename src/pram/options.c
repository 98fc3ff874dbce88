/* Options of PRAMs and of their programs, and their reading from words: one table for the command line and experiment
 * files. */
#include <string.h>

#include "base/parse.h"
#include "base/status.h"
#include "netpram/program.h"

static const char *const maps[] = {[NP_MAP_HASH] = "hash", [NP_MAP_LINEAR] = "linear", [NP_MAP_NONE] = "none", NULL};
static const char *const orders[] = {[NP_ORDER_MODULE] = "module", [NP_ORDER_HASH] = "hash", NULL};

/* Where numbers go, and the words of the others. */
typedef struct pram_option {
    const char *name;
    size_t number; /* offset in np_pram_options of a uint32_t, if there are no words */
    const char *const *words;
} pram_option;

static const pram_option pram_table[] = {
    {"machine", 0, NULL},
    {"rule", 0, NULL},
    {"processors", offsetof(np_pram_options, processors), NULL},
    {"slack", offsetof(np_pram_options, slack), NULL},
    {"queue_size", offsetof(np_pram_options, queue_size), NULL},
    {"map", 0, maps},
    {"zeta", offsetof(np_pram_options, zeta), NULL},
    {"order", 0, orders},
    {"allotted", offsetof(np_pram_options, allotted), NULL},
};

static const char *const program_names[] = {"n", "edges", "steps", "input"};

enum {
    PRAM_OPTIONS = sizeof pram_table / sizeof *pram_table,
    PROGRAM_OPTIONS = sizeof program_names / sizeof *program_names
};

const char *np_pram_option_name(size_t i) { return i < PRAM_OPTIONS ? pram_table[i].name : NULL; }
const char *np_program_option_name(size_t i) { return i < PROGRAM_OPTIONS ? program_names[i] : NULL; }

/* '-' and '_' are one. */
static bool same(const char *name, const char *given)
{
    for (; *name && *name == (*given == '-' ? '_' : *given); name++)
        given++;
    return *name == *given;
}

/* *out = the index of text among the words, which end with NULL. */
static np_status choose(const char *text, const char *const *words, unsigned *out)
{
    unsigned count = 0;
    for (; words[count]; count++)
        if (!strcmp(words[count], text)) {
            *out = count;
            return NP_OK;
        }
    return NP_RAISE(NP_ERROR_INPUT, "no '%s': did you mean '%s'?", text, np_parse_nearest(text, words, count));
}

static np_status whole(const char *text, uint64_t *out)
{
    if (!np_parse_whole(text, 1, UINT32_MAX, out))
        return NP_RAISE(NP_ERROR_INPUT, "must be a whole number in 1..%u, not '%s'", UINT32_MAX, text);
    return NP_OK;
}

static np_status set_words(np_pram_options *options, const pram_option *option, const char *text)
{
    unsigned choice = 0;
    np_status st = choose(text, option->words, &choice);
    if (!st && option->words == maps)
        options->map = (np_address_map)choice;
    else if (!st)
        options->order = (np_request_order)choice;
    return st;
}

static np_status set_pram(np_pram_options *options, const pram_option *option, const char *text)
{
    uint64_t value;
    if (!strcmp(option->name, "machine")) {
        options->machine = text;
        return NP_OK;
    }
    if (!strcmp(option->name, "rule"))
        return np_access_rule_of(text, &options->rule);
    if (option->words)
        return set_words(options, option, text);
    np_status st = whole(text, &value);
    if (!st)
        *(uint32_t *)(void *)((char *)options + option->number) = (uint32_t)value;
    return st;
}

np_status np_pram_options_set(np_pram_options *options, const char *name, const char *text)
{
    const char *names[PRAM_OPTIONS];
    for (size_t i = 0; i < PRAM_OPTIONS; i++) {
        if (same(pram_table[i].name, name))
            return set_pram(options, &pram_table[i], text);
        names[i] = pram_table[i].name;
    }
    return NP_RAISE(NP_ERROR_INPUT, "no option '%s' of a PRAM: did you mean '%s'?", name,
                    np_parse_nearest(name, names, PRAM_OPTIONS));
}

np_status np_program_options_set(np_program_options *options, const char *name, const char *text)
{
    uint64_t *const numbers[] = {&options->n, &options->edges};
    uint64_t value;
    size_t i = 0;
    while (i < PROGRAM_OPTIONS && !same(program_names[i], name))
        i++;
    if (i == PROGRAM_OPTIONS)
        return NP_RAISE(NP_ERROR_INPUT, "no option '%s' of a program: did you mean '%s'?", name,
                        np_parse_nearest(name, program_names, PROGRAM_OPTIONS));
    if (!strcmp(program_names[i], "input")) {
        options->input = text;
        return NP_OK;
    }
    np_status st = whole(text, &value);
    if (!st && i < 2)
        *numbers[i] = value;
    else if (!st)
        options->steps = (uint32_t)value;
    return st;
}
