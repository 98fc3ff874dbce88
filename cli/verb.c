/*
 * Reads a command line by the tables of a verb, by the rules of GNU programs: an option may be cut short where that is
 * unambiguous, "--" ends the options, a value follows '=' or is the next word, options and subjects come in any order.
 * argp would do it, but answers a mistake with several lines and no hint; it prints --help and --usage.
 */
#include "verb.h"

#include <argp.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "command.h"

enum { KEY_FIRST = 256 }; /* what argp calls row 0; below are letters, which --help would show */

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

/* ---- Words ---- */

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

/* The verb's rows as argp has them, a group for each title, then those that every verb has; returns how many rows. */
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
    all[i] = (struct argp_option){"help", '?', NULL, 0, "Give this help list", -1};
    all[i + 1] = (struct argp_option){"usage", KEY_FIRST + (int)i, NULL, 0, "Give a short usage message", -1};
    all[i + 2] = (struct argp_option){0};
    return i;
}

/* The option that `word` (length bytes, without dashes) names; NULL after a line is printed. */
static const struct argp_option *find(const struct argp_option *all, const char *word, size_t length)
{
    const struct argp_option *found = NULL, *other = NULL;
    const char *names[CLI_OPTIONS_MAX + 2];
    char name[64];
    size_t named = 0;
    for (const struct argp_option *option = all; option->doc; option++) {
        if (!option->name)
            continue;
        names[named++] = option->name;
        if (!length || strncmp(option->name, word, length))
            continue;
        if (!option->name[length])
            return option;
        if (!found)
            found = option;
        else if (!other)
            other = option;
    }
    if (found && !other)
        return found;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (other)
        cli_fail("option --%s could be --%s or --%s", name, found->name, other->name);
    else
        cli_fail("no option --%s: did you mean --%s?", name, np_parse_nearest(name, names, named));
    return NULL;
}

static void print_help(const cli_verb *verb, const struct argp_option *all, bool usage, char *name)
{
    const struct argp argp = {all, NULL, verb->subject, verb->does, NULL, NULL, NULL};
    argp_help(&argp, stdout, usage ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP, name);
    exit(0);
}

/* One option of argv at *i; *i moves on to its value if that is the next word. */
static int read_dashed(cli_common *a, const struct argp_option *all, size_t rows, char **argv, int *i)
{
    const char *word = argv[*i], *value = NULL;
    if (!strcmp(word, "-?"))
        word = "--help";
    if (word[1] != '-')
        return cli_fail("no option %s: options are written out, as in --help", word);
    size_t length = strcspn(word + 2, "=");
    const struct argp_option *option = find(all, word + 2, length);
    if (!option)
        return CLI_BAD_INPUT;
    if (word[2 + length])
        value = word + 3 + length;
    if (value && !option->arg)
        return cli_fail("option --%s takes no value: '%s'", option->name, value);
    if (!value && option->arg && !(value = argv[++*i])) /* argv ends with NULL */
        return cli_fail("option --%s needs a value: --%s %s", option->name, option->name, option->arg);
    size_t number = (size_t)(option - all);
    if (number >= rows)
        print_help(a->verb, all, number > rows, argv[0]);
    return read_option(a, number, value) ? 0 : CLI_BAD_INPUT;
}

/* ---- The whole ---- */

static int read_arguments(const cli_verb *verb, cli_common *a, int argc, char **argv)
{
    struct argp_option all[CLI_OPTIONS_MAX + 3];
    size_t rows = translate(verb, all);
    bool ended = false;
    for (int i = 1; i < argc; i++) {
        bool dashed = !ended && argv[i][0] == '-' && argv[i][1];
        if (dashed && !strcmp(argv[i], "--"))
            ended = true;
        else if (dashed ? read_dashed(a, all, rows, argv, &i) : !read_word(a, argv[i]))
            return CLI_BAD_INPUT;
    }
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
    char *plain = cli_command_line(argc, argv, "");
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
