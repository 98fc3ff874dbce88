/*
 * Reads a command line by the tables of a verb. argp prints --help and finds the options; but it answers a mistaken one
 * with several lines and no hint. So the names are looked at first, by the same rules: a long option may be cut short
 * where that is unambiguous, "--" ends the options, a value follows '=' or is the next word.
 */
#include "verb.h"

#include <argp.h>
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "command.h"

enum { KEY_FIRST = 256 }; /* what argp calls row 0; below are letters */

const cli_option cli_progress_options[] = {
    {"progress", NULL, "Show progress even if stderr is no terminal", CLI_FLAG, .at = offsetof(cli_common, progress)},
    {"quiet", NULL, "Show no progress", CLI_FLAG, .at = offsetof(cli_common, quiet)},
    {0},
};

const cli_option cli_notes_options[] = {
    {"progress", NULL, "Show progress even if stderr is no terminal", CLI_FLAG, .at = offsetof(cli_common, progress)},
    {"quiet", NULL, "Show no progress and no notes", CLI_FLAG, .at = offsetof(cli_common, quiet)},
    {0},
};

/* The i-th row of all parts, NULL past the last; *base is that of its part. */
static const cli_option *row(const cli_verb *verb, size_t i, size_t *base)
{
    for (const cli_part *part = verb->parts; part < verb->parts + CLI_PARTS && part->options; part++)
        for (const cli_option *option = part->options; option->help; option++)
            if (!i--) {
                *base = part->base;
                return option;
            }
    return NULL;
}

const cli_option *cli_verb_option(const cli_verb *verb, size_t i)
{
    size_t base;
    return row(verb, i, &base);
}

/* ---- Values: each reader puts one in its place, or prints a line and returns false ---- */

static bool read_flag(const cli_option *option, const char *text, void *place)
{
    (void)option, (void)text;
    *(bool *)place = true;
    return true;
}

static bool read_text(const cli_option *option, const char *text, void *place)
{
    (void)option;
    *(const char **)place = text;
    return true;
}

static bool read_between(const cli_option *option, const char *text, uint64_t high, uint64_t *out)
{
    if (np_parse_whole(text, option->low, high, out))
        return true;
    cli_fail("--%s %s: must be a whole number in %llu..%llu", option->name, text, (unsigned long long)option->low,
             (unsigned long long)high);
    return false;
}

static bool read_whole32(const cli_option *option, const char *text, void *place)
{
    uint64_t value;
    if (!read_between(option, text, option->high, &value))
        return false;
    *(uint32_t *)place = (uint32_t)value;
    return true;
}

static bool read_whole64(const cli_option *option, const char *text, void *place)
{
    return read_between(option, text, option->high, place);
}

static bool read_seed(const cli_option *option, const char *text, void *place)
{
    return read_between(option, text, INT64_MAX, place);
}

static bool read_real(const cli_option *option, const char *text, void *place)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= option->least && value <= 1e15)) { /* ours: sums stay exact in halves */
        cli_fail("--%s %s: must be a number in %g..1e15", option->name, text, option->least);
        return false;
    }
    *(double *)place = value;
    return true;
}

static bool read_bytes(const cli_option *option, const char *text, void *place)
{
    static const char suffixes[] = "KMGT";
    const char *p = text;
    uint64_t value;
    if (np_parse_u64(&p, &value)) {
        const char *suffix = *p ? strchr(suffixes, *p) : NULL;
        unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
        bool ends = suffix ? !p[1] : !*p;
        if (ends && value && value <= UINT64_MAX >> shift) {
            *(uint64_t *)place = value << shift;
            return true;
        }
    }
    cli_fail("--%s %s: must be a number of bytes, with K, M, G or T if you like, as in 4G", option->name, text);
    return false;
}

static bool read_choice(const cli_option *option, const char *text, void *place)
{
    char words[128], *rest = words, *word;
    const char *names[16];
    unsigned count = 0;
    snprintf(words, sizeof words, "%s", option->value);
    while ((word = strsep(&rest, "|"))) {
        names[count] = word;
        if (!strcmp(text, word)) {
            *(unsigned *)place = count;
            return true;
        }
        count++;
    }
    cli_fail("--%s %s: did you mean '%s'?", option->name, text, np_parse_nearest(text, names, count));
    return false;
}

/* `name`: what the subject is. */
static bool take_subject(const char *name, const char *text, const char **place)
{
    if (*place)
        cli_fail("one %s at a time: '%s' is one too many", name, text);
    else
        *place = text;
    return *place == text;
}

static bool read_subject(const cli_option *option, const char *text, void *place)
{
    return take_subject(option->name, text, place);
}

static bool read_format(const cli_option *option, const char *text, void *place)
{
    np_report_format *format = place;
    if (np_report_format_of(text, format))
        cli_fail_last();
    else if (option->what && *format == NP_REPORT_CSV)
        cli_fail("no format 'csv' for %s as 'table' or 'json'", option->what);
    else
        return true;
    return false;
}

static bool read_by_set(const cli_option *option, const char *text, void *place)
{
    if (!option->set(place, option->name, text ? text : "true"))
        return true;
    if (option->kind == CLI_SET)
        cli_fail("--%s: %s", option->name, np_last_error());
    else
        cli_fail_last();
    return false;
}

static bool (*const readers[])(const cli_option *option, const char *text, void *place) = {
    [CLI_FLAG] = read_flag,       [CLI_TEXT] = read_text,     [CLI_WHOLE32] = read_whole32,
    [CLI_WHOLE64] = read_whole64, [CLI_SEED] = read_seed,     [CLI_REAL] = read_real,
    [CLI_BYTES] = read_bytes,     [CLI_CHOICE] = read_choice, [CLI_SUBJECT] = read_subject,
    [CLI_FORMAT] = read_format,   [CLI_SET] = read_by_set,    [CLI_SET_BARE] = read_by_set,
};

/* ---- argp ---- */

static bool read_option(cli_common *a, size_t i, const char *text)
{
    size_t base;
    const cli_option *option = row(a->verb, i, &base);
    char *place = (char *)a + base + option->at;
    a->given[i] = true;
    return readers[option->kind](option, text, option->kind == CLI_FORMAT ? (void *)&a->report.format : place);
}

/* The next subject; of one too many the last tells. */
static bool read_word(cli_common *a, const char *text)
{
    const cli_subject *subject = a->verb->subjects, *last = subject + CLI_SUBJECTS - 1;
    while (subject < last && subject[1].name && *(const char **)((char *)a + subject->at))
        subject++;
    return take_subject(subject->name, text, (const char **)((char *)a + subject->at));
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    cli_common *a = state->input;
    if (key == ARGP_KEY_ARG)
        return read_word(a, text) ? 0 : EINVAL;
    if (key < KEY_FIRST || key >= KEY_FIRST + CLI_OPTIONS_MAX)
        return ARGP_ERR_UNKNOWN;
    return read_option(a, (size_t)key - KEY_FIRST, text) ? 0 : EINVAL;
}

/* The verb's rows as argp has them, a group for each title; returns how many there are. */
static size_t translate(const cli_verb *verb, struct argp_option *all)
{
    const cli_option *option;
    size_t i = 0;
    int group = 0;
    for (; (option = cli_verb_option(verb, i)); i++) {
        assert(i < CLI_OPTIONS_MAX && !option->name == (option->kind == CLI_TITLE));
        assert(!option->set == (option->kind != CLI_SET && option->kind != CLI_SET_BARE));
        assert(!option->high == (option->kind != CLI_WHOLE32 && option->kind != CLI_WHOLE64));
        group += !option->name;
        all[i] = (struct argp_option){
            option->name, option->name ? KEY_FIRST + (int)i : 0, option->value, 0, option->help, group};
    }
    all[i] = (struct argp_option){0};
    return i;
}

/* ---- A look at the names ---- */

/* The option that `word` (length bytes, without dashes) names; NULL after a line is printed. */
static const struct argp_option *find(const struct argp_option *all, size_t count, const char *word, size_t length)
{
    const struct argp_option *found = NULL;
    const char *names[CLI_OPTIONS_MAX + 2];
    char name[64];
    size_t named = 0;
    for (size_t i = 0; i < count; i++) {
        if (!all[i].name)
            continue;
        names[named++] = all[i].name;
        if (strncmp(all[i].name, word, length))
            continue;
        if (!all[i].name[length])
            return &all[i];
        if (found && length) {
            cli_fail("option --%.*s could be --%s or --%s", (int)length, word, found->name, all[i].name);
            return NULL;
        }
        found = &all[i];
    }
    if (found && length)
        return found;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    cli_fail("no option --%s: did you mean --%s?", name, np_parse_nearest(name, names, named));
    return NULL;
}

/* One option of argv at *i; *i moves on to its value if that is the next word. */
static int look_at(const struct argp_option *all, size_t count, int argc, char **argv, int *i)
{
    const char *word = argv[*i];
    if (word[1] != '-')
        return !strcmp(word, "-?") ? 0 : cli_fail("no option %s: options are written out, as in --help", word);
    size_t length = strcspn(word + 2, "=");
    const struct argp_option *option = find(all, count, word + 2, length);
    bool given = word[2 + length] == '=';
    if (!option)
        return CLI_BAD_INPUT;
    if (given && !option->arg)
        return cli_fail("option --%s takes no value: '%s'", option->name, word + 3 + length);
    if (option->arg && !given && ++*i >= argc)
        return cli_fail("option --%s needs a value: --%s %s", option->name, option->name, option->arg);
    return 0;
}

/* ---- The whole ---- */

static int read_arguments(const cli_verb *verb, cli_common *a, int argc, char **argv)
{
    struct argp_option all[CLI_OPTIONS_MAX + 3];
    size_t count = translate(verb, all);
    const struct argp argp = {all, parse, verb->subject, verb->does, NULL, NULL, NULL};
    all[count] = (struct argp_option){.name = "help"}; /* argp's own, for the look at the names */
    all[count + 1] = (struct argp_option){.name = "usage"};
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (argv[i][0] == '-' && argv[i][1] && look_at(all, count + 2, argc, argv, &i))
            return CLI_BAD_INPUT;
    all[count] = (struct argp_option){0};
    argp_err_exit_status = CLI_BAD_INPUT;
    if (argp_parse(&argp, argc, argv, 0, NULL, a))
        return CLI_BAD_INPUT;
    for (const cli_subject *s = verb->subjects; s < verb->subjects + CLI_SUBJECTS && s->name; s++)
        if (s->missing && !*(const char **)((char *)a + s->at))
            return cli_fail("%s", s->missing);
    return 0;
}

/* Does the line that repeats the run need the seed that was not given? */
static bool needs_seed(const cli_common *a)
{
    const cli_option *option;
    for (size_t i = 0; (option = cli_verb_option(a->verb, i)); i++)
        if (option->kind == CLI_SEED)
            return !a->given[i] && (!a->verb->draws || a->verb->draws(a));
    return false;
}

int cli_verb_run(const cli_verb *verb, int argc, char **argv)
{
    char *plain = cli_command_line(argc, argv, ""); /* before argp reorders argv */
    char *seeded = cli_command_line(argc, argv, "--seed 1");
    cli_common *a = calloc(1, verb->size);
    if (!a) {
        free(plain);
        free(seeded);
        return cli_fail("no memory for the arguments");
    }
    a->verb = verb;
    if (verb->init)
        verb->init(a);
    int status = read_arguments(verb, a, argc, argv);
    a->report.command = !status && needs_seed(a) ? seeded : plain;
    if (!status)
        status = verb->run(a);
    free(a);
    free(plain);
    free(seeded);
    return status;
}

bool cli_given(const void *arguments, const char *name)
{
    const cli_common *a = arguments;
    const cli_option *option = NULL;
    size_t i = 0;
    while ((option = cli_verb_option(a->verb, i)) && (!option->name || strcmp(option->name, name)))
        i++;
    assert(option);
    return a->given[i];
}

const cli_option *cli_given_after(const void *arguments, const cli_option *after)
{
    const cli_common *a = arguments;
    const cli_option *option;
    for (size_t i = 0; (option = cli_verb_option(a->verb, i)); i++) {
        if (!after && a->given[i])
            return option;
        if (option == after)
            after = NULL;
    }
    return NULL;
}
