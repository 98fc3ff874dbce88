/*
 * The experiment file: strict, so that a misspelt key is told and not
 * ignored. Every refusal begins with the place: "file: series[2].label: ...".
 * jansson tells the line of a syntax error and of a key given twice.
 */
#include <string.h>

#include "base/memory.h"
#include "base/parse.h"
#include "base/text.h"
#include "report/experiment.h"

enum { PLACE_MAX = 96, KEYS_MAX = 32, SHOWN_MAX = 40, PERMUTATIONS_MAX = 1 << 20 };

/* Where in the file we are, for messages. */
typedef struct place {
    const char *source;
    char path[PLACE_MAX]; /* "series[2]", "" at the top */
} place;

static const char *dot(const place *at) { return *at->path ? "." : ""; }

/* Text of the file within a message, which is one line. */
static void copy_line(char *to, size_t size, const char *from)
{
    size_t length = strnlen(from, size - 1);
    for (size_t i = 0; i < length; i++)
        to[i] = (unsigned char)from[i] < ' ' || from[i] == 0x7f ? '?' : from[i];
    to[length] = '\0';
}

static np_status refuse(const place *at, const char *key, const char *why)
{
    char shown[SHOWN_MAX + 1];
    copy_line(shown, sizeof shown, key);
    return NP_RAISE(NP_ERROR_INPUT, "%s: %s%s%s: %s", at->source, at->path, dot(at), shown, why);
}

static const char *type_name(const json_t *value)
{
    static const char *const names[] = {"an object", "a list", "a string", "a whole number",
                                        "a number",  "true",   "false",    "null"};
    return value ? names[json_typeof(value)] : "missing";
}

static np_status refuse_type(const place *at, const char *key, const char *want, const json_t *got)
{
    char why[160];
    if (got)
        snprintf(why, sizeof why, "must be %s, not %s", want, type_name(got));
    else
        snprintf(why, sizeof why, "is missing: it must be %s", want);
    return refuse(at, key, why);
}

/* Every key of the object is one of `keys`. */
static np_status check_keys(const place *at, json_t *object, const char *const *keys, size_t count)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        bool known = false;
        char why[96];
        for (size_t i = 0; i < count; i++)
            known = known || !strcmp(key, keys[i]);
        if (known)
            continue;
        snprintf(why, sizeof why, "no such key: did you mean '%s'?", np_parse_nearest(key, keys, count));
        return refuse(at, key, why);
    }
    return NP_OK;
}

/* A string that is not empty; *out stays as it is if the key is missing and not needed. */
static np_status get_text(const place *at, json_t *object, const char *key, bool needed, const char **out)
{
    json_t *value = json_object_get(object, key);
    if (!value && !needed)
        return NP_OK;
    if (!json_is_string(value))
        return refuse_type(at, key, "a string", value);
    if (!json_string_length(value))
        return refuse(at, key, "must not be empty");
    *out = json_string_value(value);
    return NP_OK;
}

static np_status get_whole(const place *at, json_t *object, const char *key, uint64_t low, uint64_t high,
                           uint64_t *out)
{
    char want[80];
    json_t *value = json_object_get(object, key);
    if (!value)
        return NP_OK;
    snprintf(want, sizeof want, "a whole number in %llu..%llu", (unsigned long long)low, (unsigned long long)high);
    if (!json_is_integer(value))
        return refuse_type(at, key, want, value);
    json_int_t number = json_integer_value(value);
    if (number < 0 || (uint64_t)number < low || (uint64_t)number > high) {
        char why[160];
        snprintf(why, sizeof why, "must be %s, not %lld", want, (long long)number);
        return refuse(at, key, why);
    }
    *out = (uint64_t)number;
    return NP_OK;
}

static np_status get_number(const place *at, json_t *object, const char *key, double *out)
{
    json_t *value = json_object_get(object, key);
    if (value && !json_is_number(value))
        return refuse_type(at, key, "a number", value);
    *out = json_number_value(value);
    return NP_OK;
}

static np_status get_truth(const place *at, json_t *object, const char *key, bool *out)
{
    json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value))
        return refuse_type(at, key, "true or false", value);
    *out = json_is_true(value);
    return NP_OK;
}

/* A list with at least one entry. */
static np_status get_list(const place *at, json_t *object, const char *key, const char *of, json_t **out)
{
    char want[64];
    json_t *value = json_object_get(object, key);
    snprintf(want, sizeof want, "a list of %s", of);
    if (!json_is_array(value))
        return refuse_type(at, key, want, value);
    if (!json_array_size(value))
        return refuse(at, key, "must not be empty");
    *out = value;
    return NP_OK;
}

/* Names become file names in the directory of the results, and only there. */
static np_status get_file_name(const place *at, json_t *object, const char *key, const char **out)
{
    np_status st = get_text(at, object, key, true, out);
    if (st)
        return st;
    size_t fit = strspn(*out, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.");
    if ((*out)[fit] || **out == '.' || fit > 100)
        return refuse(at, key, "must be at most 100 letters, digits, '-', '_' and '.', not '.' first: it names files");
    return NP_OK;
}

/* The strings of a list; `example` is such a one. */
static np_status get_texts(const place *at, const json_t *list, const char *key, const char *example, const char **out)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        char entry[48], want[64];
        json_t *value = json_array_get(list, i);
        snprintf(entry, sizeof entry, "%s[%zu]", key, i);
        snprintf(want, sizeof want, "a string such as \"%s\"", example);
        if (!json_is_string(value))
            return refuse_type(at, entry, want, value);
        out[i] = json_string_value(value);
    }
    return NP_OK;
}

static np_status parse_networks(const place *at, json_t *object, np_series *series)
{
    json_t *list;
    np_status st = get_list(at, object, "networks", "strings", &list);
    if (st)
        return st;
    series->networks = json_array_size(list);
    if ((st = np_memory_zeroed(&series->network, series->networks, sizeof *series->network, "an experiment")))
        return st;
    return get_texts(at, list, "networks", "hypercube:10", series->network);
}

/* One for all networks, or one for each. */
static np_status parse_traffic(const place *at, json_t *object, np_series *series)
{
    const char *text = NULL;
    json_t *list = json_object_get(object, "traffic");
    np_status st;
    if (!json_is_array(list) && (st = get_text(at, object, "traffic", true, &text)))
        return st;
    if (!text && json_array_size(list) != series->networks)
        return refuse(at, "traffic", "a list must have one for each of the networks");
    if ((st = np_memory_zeroed(&series->traffic, series->networks, sizeof *series->traffic, "an experiment")))
        return st;
    for (size_t i = 0; i < series->networks; i++)
        series->traffic[i] = text;
    return text ? NP_OK : get_texts(at, list, "traffic", "random", series->traffic);
}

/*
 * An option of merging: words as on the command line, numbers and truths as they are in JSON. Text is shortened to what
 * a message can show: no good word or number is as long.
 */
static np_status get_merge(const place *at, json_t *object, const char *key, np_series *series)
{
    char text[SHOWN_MAX + 1];
    json_t *value = json_object_get(object, key);
    if (!value)
        return NP_OK;
    if (json_is_string(value))
        copy_line(text, sizeof text, json_string_value(value));
    else if (json_is_integer(value))
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
        strcpy(text, json_is_true(value) ? "true" : "false");
    else
        return refuse_type(at, key, "a word or a whole number", value);
    series->given = key;
    np_status st = np_merge_options_set(&series->merge, key, text);
    if (!st && series->merge.rank_file && !strcmp(key, "ranks")) /* the whole path, which the JSON owns */
        series->merge.rank_file = strchr(json_string_value(value), ':') + 1;
    return st ? np_status_prefix(st, "%s: %s%s%s: ", at->source, at->path, dot(at), key) : NP_OK;
}

/* What only some schemes heed. */
static np_status parse_options(const place *at, json_t *object, np_series *series)
{
    uint64_t permutations = 0;
    np_status st = get_whole(at, object, "permutations", 1, PERMUTATIONS_MAX, &permutations);
    series->permutations = (uint32_t)permutations;
    series->given = permutations ? "permutations" : NULL;
    np_merge_options_init(&series->merge);
    for (size_t i = 0; np_merge_option_name(i) && !st; i++)
        st = get_merge(at, object, np_merge_option_name(i), series);
    return st;
}

static np_status check_serie_keys(const place *at, json_t *object)
{
    const char *keys[KEYS_MAX] = {"label", "scheme", "paths", "queue", "traffic", "overlap", "networks", "permutations"};
    size_t count = 8;
    for (size_t i = 0; np_merge_option_name(i) && count < KEYS_MAX; i++)
        keys[count++] = np_merge_option_name(i);
    return check_keys(at, object, keys, count);
}

static np_status parse_serie(const place *at, json_t *object, np_series *series)
{
    np_status st;
    if (!json_is_object(object))
        return NP_RAISE(NP_ERROR_INPUT, "%s: %s: must be an object, not %s", at->source, at->path, type_name(object));
    if ((st = check_serie_keys(at, object)) ||
        (st = get_text(at, object, "label", true, &series->label)) ||
        (st = get_text(at, object, "scheme", true, &series->scheme)) ||
        (st = get_text(at, object, "paths", false, &series->paths)) ||
        (st = get_text(at, object, "queue", false, &series->queue)) ||
        (st = get_truth(at, object, "overlap", &series->overlap)) || (st = parse_options(at, object, series)) ||
        (st = parse_networks(at, object, series)))
        return st;
    return parse_traffic(at, object, series);
}

static np_status parse_series(np_experiment *e, const place *top)
{
    json_t *list;
    np_status st = get_list(top, e->root, "series", "objects", &list);
    if (st)
        return st;
    e->series = json_array_size(list);
    if ((st = np_memory_zeroed(&e->serie, e->series, sizeof *e->serie, "an experiment")))
        return st;
    for (size_t i = 0; i < e->series; i++) {
        place at = {.source = e->source};
        snprintf(at.path, sizeof at.path, "series[%zu]", i);
        if ((st = parse_serie(&at, json_array_get(list, i), &e->serie[i])))
            return st;
        for (size_t j = 0; j < i; j++)
            if (!strcmp(e->serie[j].label, e->serie[i].label))
                return refuse(&at, "label", "another series has the same label");
    }
    return NP_OK;
}

/* "A.steps" -> phase and measure. */
static np_status parse_y(const place *at, json_t *object, np_chart *chart)
{
    const char *text = NULL;
    np_status st = get_text(at, object, "y", true, &text);
    if (st)
        return st;
    const char *point = strchr(text, '.');
    chart->phase = text;
    chart->phase_length = point ? (size_t)(point - text) : 0;
    chart->measure = point ? np_measure_named(point + 1) : NULL;
    if (!chart->phase_length || !chart->measure)
        return refuse(at, "y", "must be a phase and a measure of the report, as in \"A.steps\"");
    if (chart->phase_length == strlen("total") && !strncmp(text, "total.", strlen("total.")) &&
        strcmp(chart->measure->name, "steps") != 0)
        return refuse(at, "y", "of all phases together there are the steps only: \"total.steps\"");
    return NP_OK;
}

static np_status parse_x(const place *at, json_t *object, np_chart *chart)
{
    static const struct {
        const char *name, *label;
    } kinds[] = {[NP_CHART_NODES] = {"nodes", "nodes"},
                 [NP_CHART_LOG2_NODES] = {"log2_nodes", "log2 of the nodes"},
                 [NP_CHART_LOG2_TERMINALS] = {"log2_terminals", "log2 of the terminals"},
                 [NP_CHART_BOUND] = {"bound", "c + L + log2 N"}};
    const char *text = kinds[0].name;
    size_t i = 0, count = sizeof kinds / sizeof *kinds;
    np_status st = get_text(at, object, "x", false, &text);
    if (st)
        return st;
    while (i < count && strcmp(kinds[i].name, text) != 0)
        i++;
    if (i == count)
        return refuse(at, "x", "must be \"nodes\", \"log2_nodes\", \"log2_terminals\" or \"bound\"");
    chart->x = (np_chart_x)i;
    chart->x_label = kinds[i].label;
    return NP_OK;
}

/* The series to draw: those named, else all. */
static np_status parse_shown(const np_experiment *e, const place *at, json_t *object, np_chart *chart)
{
    json_t *list = NULL;
    np_status st;
    if (json_object_get(object, "series") && (st = get_list(at, object, "series", "labels", &list)))
        return st;
    size_t count = list ? json_array_size(list) : e->series;
    if ((st = np_memory_zeroed(&chart->shown, count, sizeof *chart->shown, "an experiment")))
        return st;
    chart->series = count;
    for (size_t i = 0; i < count; i++) {
        char key[48];
        const char *label = list ? json_string_value(json_array_get(list, i)) : e->serie[i].label;
        size_t found = 0;
        snprintf(key, sizeof key, "series[%zu]", i);
        while (label && found < e->series && strcmp(e->serie[found].label, label) != 0)
            found++;
        if (!label || found == e->series)
            return refuse(at, key, "must be the label of a series of this file");
        chart->shown[i] = found;
    }
    return NP_OK;
}

static np_status parse_chart(const np_experiment *e, const place *at, json_t *object, np_chart *chart)
{
    static const char *const keys[] = {"file",    "title",   "x",     "y",     "x_label",
                                       "y_label", "log_x",   "log_y", "y_min", "series"};
    np_status st;
    if (!json_is_object(object))
        return NP_RAISE(NP_ERROR_INPUT, "%s: %s: must be an object, not %s", at->source, at->path, type_name(object));
    if ((st = check_keys(at, object, keys, sizeof keys / sizeof *keys)) ||
        (st = get_file_name(at, object, "file", &chart->file)) || (st = parse_x(at, object, chart)) ||
        (st = parse_y(at, object, chart)))
        return st;
    chart->title = chart->file;
    chart->y_label = chart->phase;
    if ((st = get_text(at, object, "title", false, &chart->title)) ||
        (st = get_text(at, object, "x_label", false, &chart->x_label)) ||
        (st = get_text(at, object, "y_label", false, &chart->y_label)) ||
        (st = get_truth(at, object, "log_x", &chart->log_x)) ||
        (st = get_truth(at, object, "log_y", &chart->log_y)) ||
        (st = get_number(at, object, "y_min", &chart->y_min)))
        return st;
    return parse_shown(e, at, object, chart);
}

static np_status parse_charts(np_experiment *e, const place *top)
{
    json_t *list;
    np_status st;
    if (!json_object_get(e->root, "plots"))
        return NP_OK;
    if ((st = get_list(top, e->root, "plots", "objects", &list)))
        return st;
    e->charts = json_array_size(list);
    if ((st = np_memory_zeroed(&e->chart, e->charts, sizeof *e->chart, "an experiment")))
        return st;
    for (size_t i = 0; i < e->charts; i++) {
        place at = {.source = e->source};
        snprintf(at.path, sizeof at.path, "plots[%zu]", i);
        if ((st = parse_chart(e, &at, json_array_get(list, i), &e->chart[i])))
            return st;
        for (size_t j = 0; j < i; j++)
            if (!strcmp(e->chart[j].file, e->chart[i].file))
                return refuse(&at, "file", "another plot has the same file");
    }
    return NP_OK;
}

static np_status parse_top(np_experiment *e)
{
    static const char *const keys[] = {"name", "description", "seed", "runs", "series", "plots"};
    place at = {.source = e->source};
    const char *description = NULL;
    uint64_t runs = 1;
    np_status st;
    if (!json_is_object(e->root))
        return NP_RAISE(NP_ERROR_INPUT, "%s: must be an object, not %s", e->source, type_name(e->root));
    if ((st = check_keys(&at, e->root, keys, sizeof keys / sizeof *keys)) ||
        (st = get_file_name(&at, e->root, "name", &e->name)) ||
        (st = get_text(&at, e->root, "description", false, &description)) ||
        (st = get_whole(&at, e->root, "seed", 0, INT64_MAX, &e->seed)) ||
        (st = get_whole(&at, e->root, "runs", 1, UINT32_MAX, &runs)))
        return st;
    e->runs = (uint32_t)runs;
    if ((st = parse_series(e, &at)))
        return st;
    return parse_charts(e, &at);
}

static np_status load(np_experiment *e, const char *text, size_t length)
{
    json_error_t error;
    e->root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (e->root)
        return NP_OK;
    if (json_error_code(&error) == json_error_out_of_memory)
        return NP_RAISE(NP_ERROR_MEMORY, "%s: no memory for its JSON", e->source);
    char text_line[JSON_ERROR_TEXT_LENGTH];
    copy_line(text_line, sizeof text_line, error.text);
    return NP_RAISE(NP_ERROR_INPUT, "%s:%d: not JSON: %s", e->source, error.line, text_line);
}

np_status np_experiment_parse(const char *name, const char *text, size_t length, np_experiment **out)
{
    np_experiment *e;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&e, 1, sizeof *e, "an experiment")))
        return st;
    e->seed = 1;
    e->source = np_memory_text(name);
    st = e->source ? load(e, text, length) : NP_ERROR_MEMORY;
    if (!st)
        st = parse_top(e);
    if (st) {
        np_experiment_free(e);
        return st;
    }
    *out = e;
    return NP_OK;
}

np_status np_experiment_read(const char *path, np_experiment **out)
{
    char *text;
    size_t length;
    np_status st;
    *out = NULL;
    if ((st = np_text_read(path, &text, &length)))
        return st;
    st = np_experiment_parse(path, text, length, out);
    np_memory_free(text);
    return st;
}

void np_experiment_free(np_experiment *e)
{
    if (!e)
        return;
    for (size_t i = 0; i < e->series && e->serie; i++)
        np_memory_free(e->serie[i].network), np_memory_free(e->serie[i].traffic);
    for (size_t i = 0; i < e->charts && e->chart; i++)
        np_memory_free(e->chart[i].shown);
    np_memory_free(e->serie);
    np_memory_free(e->chart);
    np_memory_free(e->source);
    json_decref(e->root);
    np_memory_free(e);
}

const char *np_experiment_name(const np_experiment *e) { return e->name; }
