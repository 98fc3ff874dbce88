/*
 * A sweep from the command line: made to the JSON of an experiment with one series, all keys of which are swept, and
 * read as such. So it is an experiment in all else, too.
 */
#include <string.h>

#include "base/parse.h"
#include "lab/experiment/experiment.h"

#define AT(member) offsetof(np_sweep_options, member)

static const np_field rows[] = {
    {"name", NP_FIELD_TEXT, AT(name), .help = "The files are NAME.csv and NAME.sqlite, in the directory of --output",
     .preset = "sweep", .placeholder = "NAME", .group = "What to make of it:"},
    {"plot", NP_FIELD_TEXT, AT(plot),
     .help = "Draw this measure, as total.steps of routing, steps of sorting, work of a program",
     .placeholder = "MEASURE"},
    {"x", NP_FIELD_TEXT, AT(x), .help = "What it is drawn against (default: nodes, keys, slack)",
     .placeholder = "AXIS"},
    {"fit", NP_FIELD_TEXT, AT(fit),
     .help = "Fit the growth of this measure with the size: a + b log N, a N^b or a + b N", .placeholder = "MEASURE"},
    {"against", NP_FIELD_TEXT, AT(against),
     .help = "Compare each curve with the one of this choice on the same draws, as in scheme=greedy",
     .placeholder = "KEY=VALUE"},
};

const np_fields np_sweep_options_fields = NP_OPTIONS("sweep_options", "a sweep", np_sweep_options, rows, NULL);

const np_field *np_experiment_key_get(size_t i)
{
    size_t before = 0;
    for (const np_series_kind *const *kind = np_series_kinds; *kind; kind++) {
        const char *keys[NP_EXPERIMENT_KEYS];
        size_t count = (*kind)->file ? 0 : np_series_keys(*kind, keys, 0, NP_EXPERIMENT_KEYS);
        if (i < before + count)
            return np_fields_find((*kind)->fields, keys[i - before]);
        before += count;
    }
    return NULL;
}

/* Appends the entries of "a,{b,c},d" to the list. */
static int split(const char *text, json_t *list)
{
    int failed = 0;
    for (const char *at = text;; at++) {
        size_t length = np_parse_entry(at);
        failed |= json_array_append_new(list, json_stringn(at, length));
        at += length;
        if (!*at)
            return failed;
    }
}

/* The list under that key of the sweep, which is made if there is none. */
static json_t *list_of(json_t *swept, const char *key)
{
    if (!json_object_get(swept, key))
        json_object_set_new(swept, key, json_array());
    return json_object_get(swept, key);
}

/* Words are networks, or machines for programs. A network's commas are its own: cayley:1230,1023. */
static int take_values(size_t count, const np_sweep_value *value, json_t *swept)
{
    bool program = false;
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        program = program || (value[i].key && !strcmp(value[i].key, "program"));
    for (size_t i = 0; i < count; i++)
        if (value[i].key)
            failed |= split(value[i].text, list_of(swept, value[i].key));
        else
            failed |=
                json_array_append_new(list_of(swept, program ? "machine" : "networks"), json_string(value[i].text));
    if (!program && !json_object_get(swept, "traffic") && !json_object_get(swept, "algorithm"))
        failed |= json_array_append_new(list_of(swept, "traffic"), json_string("random"));
    return failed;
}

/* "scheme=greedy" */
static np_status take_against(const char *text, json_t *series)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return NP_RAISE(NP_ERROR_INPUT, "against %s: must be a key and a value, as in scheme=greedy", text);
    json_t *against = json_object();
    json_object_setn_new(against, text, (size_t)(equals - text), json_string(equals + 1));
    return json_object_set_new(series, "against", against) ? NP_RAISE(NP_ERROR_MEMORY, "no memory for a sweep") : NP_OK;
}

/* Refuses what is no text: jansson takes UTF-8 only, and gives NULL for other bytes. */
static np_status make_series(const np_sweep_options *options, size_t count, const np_sweep_value *value, json_t *series)
{
    json_t *swept = json_object();
    int failed = json_object_set_new(series, "label", json_string(options->name)) |
                 json_object_set_new(series, "sweep", swept) | take_values(count, value, swept);
    if (options->fit)
        failed |= json_object_set_new(series, "fit", json_string(options->fit));
    if (options->fit && options->x)
        failed |= json_object_set_new(series, "fit_x", json_string(options->x));
    if (options->x && !options->fit && !options->plot)
        return NP_RAISE(NP_ERROR_INPUT, "x: is the axis of a plot or a fit: give --plot or --fit");
    if (failed)
        return NP_RAISE(NP_ERROR_INPUT, "sweep: a value is no text in UTF-8");
    return options->against ? take_against(options->against, series) : NP_OK;
}

static np_status make_root(const np_sweep_options *options, size_t count, const np_sweep_value *value, json_t *root)
{
    json_t *series = json_object();
    int failed = json_object_set_new(root, "name", json_string(options->name)) |
                 json_object_set_new(root, "series", json_pack("[o]", series));
    np_status st = failed ? NP_RAISE(NP_ERROR_INPUT, "sweep: the name is no text in UTF-8")
                          : make_series(options, count, value, series);
    if (!st && options->plot)
        failed = json_object_set_new(
            root, "plots", json_pack("[{s:s, s:s, s:s*}]", "file", options->name, "y", options->plot, "x", options->x));
    return st || !failed ? st : NP_RAISE(NP_ERROR_INPUT, "sweep: the measure is no text in UTF-8");
}

np_status np_experiment_sweep(const np_sweep_options *given, size_t count, const np_sweep_value *value,
                              np_experiment **out)
{
    np_sweep_options options;
    *out = NULL;
    np_status st = np_options_take(&np_sweep_options_fields, given, &options);
    if (st)
        return st;
    json_t *root = json_object();
    if (!root)
        return NP_RAISE(NP_ERROR_MEMORY, "no memory for a sweep");
    st = make_root(&options, count, value, root);
    if (st) {
        json_decref(root);
        return st;
    }
    return np_experiment_take("sweep", root, true, out);
}
