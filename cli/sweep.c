/* netpram sweep NETWORK...: every option of route, pram and sort takes a list or a range. */
#define _GNU_SOURCE /* strndup */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "command.h"
#include "experiment.h"
#include "network.h"

typedef struct arguments {
    cli_common common;
    cli_network_options file;
    cli_traffic_options demands;
    np_sweep_options sweep;
    np_experiment_options experiment;
} arguments;

static const np_field rows[] = {
    CLI_INSET(arguments, sweep, np_sweep_options_fields),
    CLI_INSET(arguments, experiment, np_experiment_options_fields),
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, file, cli_network_fields),
    CLI_INSET(arguments, demands, cli_traffic_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

/* What the command line has: networks, and options with a value each. Specs of files have their options. */
typedef struct values {
    np_sweep_value *value; /* [count_values] */
    size_t count;
    bool file, traffic; /* is a network, is traffic a file? */
} values;

/* NULL: no memory, which is said. */
static char *copy(const char *text, size_t length)
{
    char *out = strndup(text, length);
    if (!out)
        cli_fail("no memory for a sweep");
    return out;
}

/* Takes the spec, which is malloced; NULL: it could not be made. */
static bool take(values *v, const char *key, char *spec)
{
    if (spec)
        v->value[v->count++] = (np_sweep_value){key, spec};
    return spec;
}

/* Each entry of the list is a spec of its own. */
static bool take_traffic(const arguments *a, const char *list, values *v)
{
    bool good = true;
    for (const char *at = list; good; at++) {
        size_t length = np_parse_entry(at);
        char *entry = copy(at, length);
        good = entry && take(v, "traffic", cli_file_spec(&cli_traffic_words, &a->demands, entry));
        v->traffic |= good && cli_is_file(entry);
        free(entry);
        at += length;
        if (!*at)
            break;
    }
    return good;
}

/* A range without braces; the names of files may have points. Returns its first digit, or NULL. */
static const char *bare_range(const char *spec)
{
    const char *points = strstr(spec, ".."), *first = points;
    if (cli_is_file(spec) || strchr(spec, '{') || !points || !isdigit((unsigned char)points[2]))
        return NULL;
    while (first > spec && isdigit((unsigned char)first[-1]))
        first--;
    return first < points ? first : NULL;
}

static int refuse_bare(const char *spec, const char *range)
{
    size_t length = strspn(range, "0123456789.");
    return cli_fail("%s: a range has braces here: %.*s{%.*s}%s", spec, (int)(range - spec), spec, (int)length, range,
                    range + length);
}

static bool take_word(const arguments *a, const cli_word *word, values *v)
{
    const char *key = word->option ? word->option->field->name : NULL;
    if (key && !strcmp(key, "traffic"))
        return take_traffic(a, word->text, v);
    v->file |= !key && cli_is_file(word->text);
    return take(v, key,
                key ? copy(word->text, strlen(word->text)) : cli_file_spec(&cli_network_words, &a->file, word->text));
}

/* At most so many. */
static size_t count_values(const cli_common *a)
{
    size_t count = 0;
    for (size_t i = 0; i < a->words; i++) {
        count++;
        for (const char *at = a->word[i].text; (at = strchr(at, ',')); at++)
            count++;
    }
    return count;
}

static int take_words(const arguments *a, values *v)
{
    const char *network = NULL;
    if (!(v->value = calloc(count_values(&a->common), sizeof *v->value)))
        return cli_fail("no memory for a sweep");
    for (size_t i = 0; i < a->common.words; i++) {
        const cli_word *word = &a->common.word[i];
        const char *range = word->option ? NULL : bare_range(word->text);
        if (range)
            return refuse_bare(word->text, range);
        if (!take_word(a, word, v))
            return CLI_BAD_INPUT;
        network = word->option ? network : word->text;
    }
    int status = cli_file_check(&cli_network_words, &a->file, v->file, network);
    return status ? status : cli_file_check(&cli_traffic_words, &a->demands, v->traffic, NULL);
}

static int run(void *self)
{
    arguments *a = self;
    values v = {.value = NULL};
    np_experiment *experiment;
    if (!a->common.words)
        return cli_fail("sweep needs networks, as in 'netpram sweep hypercube:{6..10} --scheme greedy,valiant'");
    int status = take_words(a, &v);
    if (!status && np_experiment_sweep(&a->sweep, v.count, v.value, &experiment))
        status = cli_fail_last();
    for (size_t i = 0; i < v.count; i++)
        free((char *)v.value[i].text);
    free(v.value);
    return status ? status : cli_experiment_run(&a->common, &a->experiment, experiment);
}

const cli_verb cli_sweep = {
    .name = "sweep",
    .help = "run the product of lists and ranges of options, for CSV and plots",
    .subject = "NETWORK...",
    .does = "Runs every combination of the networks and the lists given, and writes a CSV of every measure. "
            "Every option of route, pram and sort that says what to run takes a list, --scheme greedy,valiant, "
            "or a range, --queue-size 1..16x2. Networks take ranges in braces, hypercube:{6..12}.",
    .subjects = {{.list = "networks"}},
    .fields = &fields,
    .hides = "runs, only",
    .more = np_experiment_key_get,
    .job = CLI_JOB_SHARED,
    .run = run,
};
