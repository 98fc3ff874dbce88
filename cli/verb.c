/*
 * Reads a command line by the table of a verb, by the rules of GNU programs: an option may be shortened if it stays
 * unambiguous, "--" ends the options, a value follows '=' or is the next word, options and subjects come in any order.
 * argp could read it, but answers a mistake with several lines and no hint. So argp only prints --help and --usage.
 */
#include "verb.h"

#include <argp.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/account.h"
#include "base/parse.h"
#include "command.h"

enum { KEY_FIRST = 256, HELP_MAX = 320 }; /* argp's key of option 0; lower keys are letters, which --help would show */

static const np_field progress_rows[] = {
    {"progress", NP_FIELD_BOOL, offsetof(cli_common, progress), .help = "Show progress even if stderr is no terminal"},
    {"quiet", NP_FIELD_BOOL, offsetof(cli_common, quiet), .help = "Show no progress and no notes"},
};

const np_fields cli_progress_fields = NP_FIELDS("progress", "progress", cli_common, progress_rows);

static const np_field memory_row = {"memory",
                                    NP_FIELD_BYTES,
                                    offsetof(cli_common, memory),
                                    "bytes",
                                    .help = "Refuse what needs more, as in 4G (default: what is available)",
                                    .placeholder = "BYTES"};

static const np_field help_rows[] = {
    {"help", NP_FIELD_BOOL, .help = "Give this help list"},
    {"usage", NP_FIELD_BOOL, .help = "Give a short usage message"},
};

/* ---- The options ---- */

/* The number of a group, from 1. */
static int group_of(cli_options *options, const char *title)
{
    for (int i = 0; i < options->groups; i++)
        if (!strcmp(options->title[i], title))
            return i + 1;
    options->title[options->groups] = title;
    return ++options->groups;
}

/* Adds the words to the text, "begin|freed", as far as they fit. */
static void join_words(const char *const *words, char *out, size_t size)
{
    for (; *words && strlen(out) + strlen(*words) + 2 <= size; words++) {
        strcat(out, *out ? "|" : "");
        strcat(out, *words);
    }
}

/* suffix: what its name on the command line has after the row's. */
static void add(cli_options *options, const np_field *field, const char *suffix, size_t base, int group)
{
    cli_option *option = &options->option[options->count++];
    const char *const placeholder[] = {field->placeholder, NULL};
    assert(options->count <= CLI_OPTIONS_MAX && strlen(field->name) + strlen(suffix) < sizeof option->name);
    *option = (cli_option){.field = field, .base = base, .group = group};
    for (size_t i = 0; field->name[i]; i++)
        option->name[i] = field->name[i] == '_' ? '-' : field->name[i];
    strcat(option->name, suffix);
    if (field->placeholder || field->words)
        join_words(field->placeholder ? placeholder : field->words, option->value, sizeof option->value);
}

static const cli_option *named(const cli_options *options, const char *name)
{
    for (const cli_option *option = options->option; option < options->option + options->count; option++)
        if (*option->field->name == *name && !strcmp(option->field->name, name))
            return option;
    return NULL;
}

/*
 * Collects the rows of a table, from *group on. Of two rows with the same name the first counts; but a table to write
 * (np_record_options) whose name is taken is there as NAME-table.
 */
static void collect(cli_options *options, const char *hides, const np_fields *fields, size_t base, int *group)
{
    for (const np_field *row = fields->row; row < fields->row + fields->count; row++) {
        if (row->group)
            *group = group_of(options, row->group);
        if (row->kind == NP_FIELD_INSET)
            collect(options, hides, row->fields, base + row->at, group);
        else if (np_field_listed(hides, row->name))
            continue;
        else if (!named(options, row->name))
            add(options, row, "", base, *group);
        else if (fields == &np_record_options_fields)
            add(options, row, "-table", base, *group);
    }
}

/* Adds the options that take a text. */
static void collect_more(cli_options *options, const cli_verb *verb)
{
    const np_field *field;
    for (size_t i = 0; verb->more && (field = verb->more(i)); i++)
        if (!named(options, field->name)) {
            add(options, field, "", 0, -1);
            options->option[options->count - 1].text = true;
        }
}

void cli_options_init(cli_options *options, const cli_verb *verb, const np_fields *own)
{
    int group = 0;
    options->count = 0;
    options->groups = 0;
    collect(options, verb->hides, verb->fields, 0, &group);
    if (own)
        collect(options, NULL, own, 0, &group);
    if (!named(options, memory_row.name))
        add(options, &memory_row, "", 0, group);
    collect_more(options, verb);
    options->own = options->count;
    for (size_t i = 0; i < 2; i++)
        add(options, &help_rows[i], "", 0, -1);
}

/* ---- --help ---- */

/* Adds the default after the help, unless the help tells it in words. */
static void describe(const np_field *field, char *out)
{
    const char *preset = field->preset ? field->preset : field->kind == NP_FIELD_WORD ? field->words[0] : NULL;
    if (preset && !strstr(field->help, "(default: "))
        snprintf(out, HELP_MAX, "%s (default: %s)", field->help, preset);
    else
        snprintf(out, HELP_MAX, "%s", field->help);
}

/* Prints the options in the form of argp, under the titles of their groups. */
static void print_help(const cli_verb *verb, const cli_options *options, bool usage, char *name)
{
    static char help[CLI_OPTIONS_MAX][HELP_MAX];
    struct argp_option all[2 * CLI_OPTIONS_MAX + 1] = {{0}}, *next = all;
    for (int i = 0; i < options->groups; i++)
        *next++ = (struct argp_option){.doc = options->title[i], .group = i + 1};
    for (size_t i = 0; i < options->count; i++) {
        const cli_option *option = &options->option[i];
        if (option->text)
            continue;
        bool letter = option->field == &help_rows[0];
        describe(option->field, help[i]);
        *next++ = (struct argp_option){
            option->name, letter ? '?' : KEY_FIRST + (int)i, *option->value ? option->value : NULL, 0, help[i],
            option->group};
    }
    const struct argp argp = {all, NULL, verb->subject, verb->does, NULL, NULL, NULL};
    argp_help(&argp, stdout, usage ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP, name);
    exit(0);
}

/* ---- Words ---- */

static bool take_subject(cli_common *a, const cli_subject *subject, const char *text)
{
    const char **place = (const char **)((char *)a + subject->at);
    if (*place)
        cli_fail("one %s at a time: '%s' is one too many", subject->name, text);
    else
        *place = text;
    return *place == text;
}

static bool take_word(cli_common *a, const cli_option *option, const char *text)
{
    a->word[a->words++] = (cli_word){option, text ? text : "true"};
    return true;
}

static bool read_option(cli_common *a, const cli_option *option, const char *text)
{
    const np_field *field = option->field;
    a->given[option - a->options.option] = true;
    if (option->text)
        return take_word(a, option, text);
    for (const cli_subject *s = a->verb->subjects; s < a->verb->subjects + CLI_SUBJECTS; s++)
        if (s->name && s->at == option->base + field->at)
            return take_subject(a, s, text);
    if (!np_field_set(field, (char *)a + option->base, text ? text : "true"))
        return true;
    if (field->flags & NP_FIELD_SAYS)
        cli_fail_last();
    else
        cli_fail("--%s %s: %s", option->name, text, np_last_error());
    return false;
}

/* Reads the next subject. If there is one too many, the last subject refuses it. */
static bool read_word(cli_common *a, const char *text)
{
    const cli_subject *subject = a->verb->subjects, *last = subject + CLI_SUBJECTS - 1;
    if (a->verb->more)
        return take_word(a, NULL, text);
    while (subject < last && subject[1].name && *(const char **)((char *)a + subject->at))
        subject++;
    return take_subject(a, subject, text);
}

/* The option that had this name before; NULL: there is none. */
static const cli_option *by_old_name(const cli_options *options, const char *name)
{
    return strcmp(name, "save") != 0 ? NULL : named(options, "output");
}

/* The option that `word` (length bytes) names or begins; NULL: there is none. *other: a second one that it begins, or
 * NULL. */
static const cli_option *search(const cli_options *options, const char *word, size_t length, const cli_option **other)
{
    const cli_option *found = NULL;
    *other = NULL;
    for (const cli_option *option = options->option; option < options->option + options->count; option++) {
        if (!length || strncmp(option->name, word, length) != 0)
            continue;
        if (!option->name[length]) {
            *other = NULL;
            return option;
        }
        if (!found)
            found = option;
        else if (!*other)
            *other = option;
    }
    return found;
}

static int refuse_name(const cli_options *options, const char *name)
{
    np_parse_hint hint;
    np_parse_hint_init(&hint, name);
    for (size_t i = 0; i < options->count; i++)
        np_parse_hint_add(&hint, options->option[i].name);
    if (hint.nearest)
        return cli_fail("no option --%s: did you mean --%s?", name, hint.nearest);
    return cli_fail("no option --%s: --help has the options", name);
}

/* The option that `word` (length bytes, without dashes) names; NULL after a line is printed. */
static const cli_option *find(const cli_options *options, const char *word, size_t length)
{
    const cli_option *other, *found = search(options, word, length, &other), *old;
    char name[64];
    if (found && !other)
        return found;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if ((old = by_old_name(options, name)))
        return old;
    if (other)
        cli_fail("option --%s could be --%s or --%s", name, found->name, other->name);
    else
        refuse_name(options, name);
    return NULL;
}

/* Reads the option argv[*i]. *i moves on to its value if the value is the next word. */
static int read_dashed(cli_common *a, char **argv, int *i)
{
    const char *word = argv[*i], *value = NULL;
    if (!strcmp(word, "-?"))
        word = "--help";
    if (word[1] != '-')
        return cli_fail("no option %s: options are written out, as in --help", word);
    size_t length = strcspn(word + 2, "=");
    const cli_option *option = find(&a->options, word + 2, length);
    if (!option)
        return CLI_BAD_INPUT;
    if (word[2 + length])
        value = word + 3 + length;
    if (value && !*option->value && !option->text)
        return cli_fail("option --%s takes no value: '%s'", option->name, value);
    if (!value && *option->value && !(value = argv[++*i])) /* NULL at the end of argv */
        return cli_fail("option --%s needs a value: --%s %s", option->name, option->name, option->value);
    if (option >= a->options.option + a->options.own)
        print_help(a->verb, &a->options, option->field == &help_rows[1], argv[0]);
    return read_option(a, option, value) ? 0 : CLI_BAD_INPUT;
}

/* ---- The whole ---- */

/* ---- What is heeded ---- */

/* Is it given: an option, or a subject? */
static bool is_there(const cli_common *a, const char *name)
{
    for (const cli_subject *s = a->verb->subjects; s < a->verb->subjects + CLI_SUBJECTS && s->name; s++)
        if (!strcmp(s->name, name))
            return *(const char *const *)((const char *)a + s->at);
    for (size_t i = 0; i < a->options.count; i++)
        if (a->given[i] && !strcmp(a->options.option[i].name, name))
            return true;
    return false;
}

static bool is_subject(const cli_common *a, const char *name)
{
    for (const cli_subject *s = a->verb->subjects; s < a->verb->subjects + CLI_SUBJECTS && s->name; s++)
        if (!strcmp(s->name, name))
            return true;
    return false;
}

/* An option that is accepted and not heeded would be taken for heeded. */
static int check_rule(const cli_common *a, const cli_rule *rule)
{
    const cli_option *o;
    const char *other = rule->beside ? rule->beside : rule->without;
    if (is_there(a, other) != (rule->beside != NULL))
        return 0;
    for (size_t i = 0; (o = cli_given_next(a, &i));)
        if (np_field_listed(rule->options, o->name))
            return cli_fail("--%s is not heeded %s %s%s: %s", o->name, rule->beside ? "beside" : "without",
                            is_subject(a, other) ? "a " : "--", other, rule->why);
    return 0;
}

static int check_rules(const cli_common *a)
{
    int status = 0;
    if (a->quiet && a->progress)
        return cli_fail("--quiet shows no progress, and --progress does: choose one");
    for (const cli_rule *rule = a->verb->rules; rule && rule->options && !status; rule++)
        status = check_rule(a, rule);
    return status;
}

static int read_arguments(const cli_verb *verb, cli_common *a, int argc, char **argv)
{
    bool ended = false;
    for (int i = 1; i < argc; i++) {
        bool dashed = !ended && argv[i][0] == '-' && argv[i][1];
        if (dashed && !strcmp(argv[i], "--"))
            ended = true;
        else if (dashed ? read_dashed(a, argv, &i) : !read_word(a, argv[i]))
            return CLI_BAD_INPUT;
    }
    for (const cli_subject *s = verb->subjects; s < verb->subjects + CLI_SUBJECTS && s->name; s++)
        if (s->missing && !*(const char **)((char *)a + s->at))
            return cli_fail("%s", s->missing);
    int status = check_rules(a);
    return status ? status : cli_files_check(a);
}

/* Does the line that repeats the run need the seed that was not given? */
static bool needs_seed(const cli_common *a)
{
    return named(&a->options, "seed") && !cli_given(a, "seed") && (!a->verb->draws || a->verb->draws(a));
}

/* All that the verb takes, from the network to the report, is within --memory. */
static int run_within_limit(cli_common *a)
{
    const cli_option *memory = named(&a->options, memory_row.name);
    NP_ACCOUNT(*(const uint64_t *)((const char *)a + memory->base + memory->field->at), NULL);
    return a->verb->run(a);
}

static const cli_common *running; /* its verb runs; NULL: none does */

int cli_verb_run(const cli_verb *verb, int argc, char **argv)
{
    char *command = NULL;
    cli_common *a = malloc(verb->fields->size);
    if (!a)
        return cli_fail("no memory for the arguments");
    np_fields_init(verb->fields, a);
    a->verb = verb;
    if (verb->init)
        verb->init(a);
    cli_options_init(&a->options, verb, verb->own ? verb->own(a, argc, argv) : NULL);
    a->word = calloc((size_t)argc, sizeof *a->word);
    int status = a->word ? read_arguments(verb, a, argc, argv) : cli_fail("no memory for the arguments");
    if (!status) {
        a->report.command = command = cli_command_line(argc, argv, needs_seed(a) ? "--seed 1" : "");
        running = a;
        status = run_within_limit(a);
        running = NULL;
    }
    free(a->word);
    free(a);
    free(command);
    return status;
}

bool cli_given(const void *arguments, const char *name)
{
    const cli_common *a = arguments;
    const cli_option *option = named(&a->options, name);
    assert(option);
    return a->given[option - a->options.option];
}

const cli_option *cli_given_next(const void *arguments, size_t *i)
{
    const cli_common *a = arguments;
    while (*i < a->options.count)
        if (a->given[(*i)++])
            return &a->options.option[*i - 1];
    return NULL;
}

const char *cli_verb_option(const char *name, size_t length)
{
    const cli_option *o;
    for (size_t i = 0; running && (o = cli_given_next(running, &i));)
        if (o->field && strlen(o->field->name) == length && !memcmp(o->field->name, name, length))
            return o->name;
    return NULL;
}

const cli_option *cli_unheeded(const void *arguments, const np_fields *table, const char *who,
                               np_status (*heeds)(const char *who, const char *option))
{
    const cli_option *o;
    for (size_t i = 0; (o = cli_given_next(arguments, &i));)
        if (np_fields_find(table, o->name) == o->field && heeds(who, o->name) == NP_ERROR_APPLY)
            return o;
    return NULL;
}
