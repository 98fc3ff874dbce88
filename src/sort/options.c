/* Options of sorting as text, for command lines and experiment files. */
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/status.h"
#include "sort/sorter.h"

/* Whole numbers: where they are in the constants, and up to what they make sense. */
typedef struct whole_option {
    const char *name;
    size_t offset;
    uint32_t high;
} whole_option;

static const whole_option wholes[] = {
    {"oversampling", offsetof(np_sort_constants, oversampling), 1 << 20},
    {"lightness", offsetof(np_sort_constants, lightness), 31},
    {"cutoff", offsetof(np_sort_constants, cutoff), UINT32_MAX},
    {"redraws", offsetof(np_sort_constants, redraws), 1 << 10},
    {"group", offsetof(np_sort_constants, group), 64},
};

static const char *const names[] = {"queue_size", "room",   "candidates", "oversampling",
                                    "lightness",  "cutoff", "redraws",    "group"};

enum { NAMES = sizeof names / sizeof *names };

const char *np_sort_option_name(size_t i) { return i < NAMES ? names[i] : NULL; }

/* Is `name` that option, where '-' may stand for '_'? */
static bool is_option(const char *name, const char *option)
{
    for (; *option; name++, option++)
        if (*name != *option && !(*name == '-' && *option == '_'))
            return false;
    return !*name;
}

static np_status set_candidates(const char *text, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 1e-3 && value <= 1e3)) /* ours: outside there is nothing to learn */
        return NP_RAISE(NP_ERROR_INPUT, "must be a number in 0.001..1000, not '%.40s'", text);
    *out = value;
    return NP_OK;
}

static np_status set_whole(const whole_option *option, const char *text, np_sort_constants *constants)
{
    uint64_t value;
    if (!np_parse_whole(text, 1, option->high, &value))
        return NP_RAISE(NP_ERROR_INPUT, "must be a whole number in 1..%u, not '%.40s'", option->high, text);
    *(uint32_t *)((char *)constants + option->offset) = (uint32_t)value;
    return NP_OK;
}

np_status np_sort_options_set(np_sort_options *options, const char *name, const char *text)
{
    if (is_option(name, "queue_size") || is_option(name, "room"))
        return np_merge_options_set(&options->merge, name, text);
    if (is_option(name, "candidates"))
        return set_candidates(text, &options->constants.candidates);
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (is_option(name, wholes[i].name))
            return set_whole(&wholes[i], text, &options->constants);
    return NP_RAISE(NP_ERROR_INPUT, "no option '%s' of sorting: did you mean '%s'?", name,
                    np_parse_nearest(name, names, NAMES));
}

np_status np_sorter_heeds(const char *algorithm, const char *option)
{
    const np_sorter_ops *ops;
    np_status st = np_sorter_find(algorithm, &ops);
    if (st)
        return st;
    for (size_t i = 0; i < NAMES; i++)
        if (is_option(option, names[i]) && (i < 2 ? ops->routes : ops->randomized))
            return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' has no use for %s: it %s", algorithm, option,
                    ops->routes ? "chooses no splitters" : "neither merges packets nor chooses splitters");
}
