/*
 * The experiment file. Reading is strict: a misspelt key is an error. Here is
 * what all series have; the kind of a series reads its other keys. jansson
 * gives the line of a syntax error and of a key given twice.
 */
#include <string.h>

#include "base/file_spec.h"
#include "base/memory.h"
#include "base/text.h"
#include "lab/experiment/experiment.h"
#include "show/table/json.h"

enum { KEYS_MAX = 3 * NP_EXPERIMENT_KEYS };

/* Names become file names in the directory of the results, never outside of it. */
static np_status set_file_name(void *object, const np_field *field, const char *text)
{
    size_t fit = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.");
    if (text[fit] || *text == '.' || fit > 100)
        return NP_RAISE(NP_ERROR_INPUT,
                        "must be at most 100 letters, digits, '-', '_' and '.', not '.' first: it names files");
    if (np_file_ending(text))
        return NP_RAISE(NP_ERROR_INPUT, "'%s' gets an ending for each file that is written: leave '.%s' out", text,
                        np_file_ending(text));
    *(const char **)((char *)object + field->at) = text;
    return NP_OK;
}

static const np_field label_row = {"label", NP_FIELD_TEXT, .at = 0};

#define AT(member) offsetof(np_chart, member)

static const np_field chart_rows[] = {
    {"file", NP_FIELD_TEXT, AT(file), .set = set_file_name, .flags = NP_FIELD_SAYS},
    {"title", NP_FIELD_TEXT, .at = AT(title)},
    {"x", NP_FIELD_TEXT, .at = AT(x)},
    {"y", NP_FIELD_TEXT, .at = AT(y)},
    {"x_label", NP_FIELD_TEXT, .at = AT(x_label)},
    {"y_label", NP_FIELD_TEXT, .at = AT(y_label)},
    {"log_x", NP_FIELD_BOOL, .at = AT(log_x)},
    {"log_y", NP_FIELD_BOOL, .at = AT(log_y)},
    {"y_min", NP_FIELD_REAL, AT(y_min), .least = -1e15},
};

#undef AT
#define AT(member) offsetof(np_experiment, member)

static const np_field top_rows[] = {
    {"name", NP_FIELD_TEXT, AT(name), .set = set_file_name, .flags = NP_FIELD_SAYS},
    {"description", NP_FIELD_TEXT, .at = AT(description)},
    {"seed", NP_FIELD_SEED, AT(seed), .preset = "1"},
    {"runs", NP_FIELD_U32, AT(runs), .low = 1, .preset = "1"},
};

static const np_fields chart_fields = NP_FIELDS("chart", "a plot", np_chart, chart_rows);
static const np_fields top_fields = NP_FIELDS("experiment", "an experiment", np_experiment, top_rows);

/* The object's keys are the rows of the table, or `list`. */
static np_status check_keys(const np_experiment_place *at, json_t *object, const np_fields *fields,
                            const char *const *list, size_t lists)
{
    const char *keys[16];
    size_t count = 0;
    for (; count < fields->count; count++)
        keys[count] = fields->row[count].name;
    for (size_t i = 0; i < lists; i++)
        keys[count++] = list[i];
    return np_experiment_check_keys(at, object, keys, count);
}

static bool has_key(const np_series_kind *kind, const char *key)
{
    return np_fields_find(kind->fields, key) && !np_field_listed(kind->hides, key);
}

/* Finds the kind by its key; the key's value names the scheme, the program, ... */
static np_status parse_kind(const np_experiment_place *at, json_t *object, const np_series_kind **out)
{
    const json_t *swept = json_object_get(object, "sweep");
    *out = NULL;
    for (const np_series_kind *const *kind = np_series_kinds; *kind; kind++) {
        if (!json_object_get(object, (*kind)->key) && !json_object_get(swept, (*kind)->key))
            continue;
        if (*out && has_key(*out, (*kind)->key)) /* as "load" of flows */
            continue;
        if (*out && has_key(*kind, (*out)->key)) /* as "algorithm" of a collective operation */
            *out = NULL;
        if (*out) {
            char why[96];
            snprintf(why, sizeof why, "a series has \"%s\" or \"%s\", not both", (*out)->key, (*kind)->key);
            return np_experiment_refuse(at, (*kind)->key, why);
        }
        *out = *kind;
    }
    return NP_OK;
}

/* Of a command line, may all keys be those of a series that is of no other kind? */
static bool is_plain(const np_series_kind *kind, const json_t *swept)
{
    const char *name, *keys[KEYS_MAX];
    const json_t *value;
    size_t count = np_series_keys(kind, keys, 0, KEYS_MAX), i = 0;
    json_object_foreach((json_t *)swept, name, value)
    {
        for (i = 0; i < count && strcmp(keys[i], name) != 0;)
            i++;
        if (i == count)
            return false;
    }
    return kind->choose;
}

/* Allows the keys of the kind; without a kind, the keys of all kinds: the key of a kind may be misspelt. */
static np_status check_serie_keys(const np_experiment_place *at, json_t *object, const np_series_kind *kind)
{
    const char *keys[KEYS_MAX] = {"label", "sweep", "along", "fit", "fit_x", "against"};
    size_t count = 6;
    if (kind)
        return np_experiment_check_keys(at, object, keys, np_series_keys(kind, keys, count, KEYS_MAX));
    for (const np_series_kind *const *each = np_series_kinds; *each; each++)
        count = np_series_keys(*each, keys, count, KEYS_MAX);
    return np_experiment_check_keys(at, object, keys, count);
}

static np_status refuse_kind(const np_experiment_place *at)
{
    char why[200] = "is missing: it must be a string";
    if (!*at->path)
        return NP_RAISE(NP_ERROR_INPUT, "sweep needs --scheme, --program or --algorithm");
    size_t length = strlen(why);
    for (size_t i = 1; np_series_kinds[i] && length < sizeof why; i++)
        length += (size_t)snprintf(why + length, sizeof why - length,
                                   i == 1 ? ", or there must be a \"%s\"" : ", \"%s\"", np_series_kinds[i]->key);
    return np_experiment_refuse(at, np_series_kinds[0]->key, why);
}

static np_status check_label(const np_experiment_place *at, const json_t *value)
{
    char room[NP_EXPERIMENT_NUMBER];
    const char *label;
    return np_experiment_text(at, "label", &label_row, value, sizeof room, room, &label);
}

static np_status parse_serie(np_experiment *e, const np_experiment_place *at, json_t *object, size_t place)
{
    const np_series_kind *kind;
    np_status st;
    if ((st = np_experiment_object(at, object)) || (st = parse_kind(at, object, &kind)))
        return st;
    if (!kind && e->line && is_plain(np_series_kinds[0], json_object_get(object, "sweep")))
        kind = np_series_kinds[0];
    if ((st = check_serie_keys(at, object, kind)) || (st = check_label(at, json_object_get(object, "label"))))
        return st;
    return kind ? np_series_parse(at, e, object, kind, place) : refuse_kind(at);
}

/* No curve from number `first` on has the label of another. */
static np_status check_labels(const np_experiment *e, const np_experiment_place *at, size_t first)
{
    for (size_t i = first; i < e->series; i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(e->serie[j].label, e->serie[i].label))
                return np_experiment_refuse(at, "label", "another series has the same label");
    return NP_OK;
}

static np_status parse_series(np_experiment *e, const np_experiment_place *top)
{
    json_t *list;
    np_status st = np_experiment_list(top, e->root, "series", "objects", &list);
    for (size_t i = 0; !st && i < json_array_size(list); i++) {
        np_experiment_place at = {.source = e->source};
        size_t first = e->series;
        if (!e->line)
            snprintf(at.path, sizeof at.path, "series[%zu]", i);
        if (!(st = parse_serie(e, &at, json_array_get(list, i), i)))
            st = check_labels(e, &at, first);
    }
    return st;
}

/* Shows the curves with that label, which may be that of a whole sweep; all if it is NULL. False: there are none. */
static bool show(const np_experiment *e, const char *label, np_chart *chart)
{
    size_t before = chart->series;
    for (size_t i = 0; i < e->series; i++)
        if (!label || !strcmp(e->serie[i].label, label) || !strcmp(e->serie[i].base, label))
            chart->shown[chart->series++] = i;
    return chart->series > before;
}

/* The series to draw: the named series, else all. */
static np_status parse_shown(const np_experiment *e, const np_experiment_place *at, json_t *object, np_chart *chart)
{
    json_t *list = NULL;
    np_status st;
    if (json_object_get(object, "series") && (st = np_experiment_list(at, object, "series", "labels", &list)))
        return st;
    size_t names = list ? json_array_size(list) : 1;
    if ((st = np_memory_zeroed(&chart->shown, names * e->series, sizeof *chart->shown, "an experiment")))
        return st;
    if (!list)
        show(e, NULL, chart);
    for (size_t i = 0; list && i < names; i++) {
        const char *label = json_string_value(json_array_get(list, i));
        char key[48];
        snprintf(key, sizeof key, "series[%zu]", i);
        if (!label || !show(e, label, chart))
            return np_experiment_refuse(at, key, "must be the label of a series of this file");
    }
    return NP_OK;
}

/* The kind's axis of that name, or NULL. */
static const np_experiment_axis *axis_of(const np_series_kind *kind, const char *name)
{
    for (const np_experiment_axis *axis = kind->axes; axis->name; axis++)
        if (!strcmp(axis->name, name))
            return axis;
    return NULL;
}

/* "must be "nodes", "log2_nodes" or "bound"". */
static np_status refuse_axis(const np_experiment_place *at, const np_series_kind *kind)
{
    char why[256] = "must be";
    size_t length = strlen(why);
    for (const np_experiment_axis *axis = kind->axes; axis->name && length < sizeof why; axis++) {
        const char *join = axis == kind->axes ? " " : axis[1].name ? ", " : " or ";
        length += (size_t)snprintf(why + length, sizeof why - length, "%s\"%s\"", join, axis->name);
    }
    return np_experiment_refuse(at, "x", why);
}

/* Do x and y exist for series of this kind? *out is the axis x. */
static np_status check_axes(const np_experiment_place *at, const np_chart *chart, const np_series_kind *kind,
                            const np_experiment_axis **out)
{
    *out = chart->x ? axis_of(kind, chart->x) : kind->axes;
    if (!*out)
        return refuse_axis(at, kind);
    np_status st = np_experiment_check_measure(kind, chart->y);
    return st ? np_experiment_prefix(st, at, "y") : NP_OK;
}

/* At least one shown series must have x and y; others are left out. If none has, the error is about the first. */
static np_status check_all_axes(const np_experiment *e, const np_experiment_place *at, np_chart *chart)
{
    const np_experiment_axis *axis = NULL;
    np_status st = NP_ERROR_INPUT;
    for (size_t i = 0; i < chart->series && st; i++)
        st = check_axes(at, chart, e->serie[chart->shown[i]].kind, &axis);
    if (st)
        return check_axes(at, chart, e->serie[chart->shown[0]].kind, &axis);
    chart->x = axis->name;
    chart->x_label = chart->x_label ? chart->x_label : axis->label;
    return NP_OK;
}

static np_status parse_chart(const np_experiment *e, const np_experiment_place *at, json_t *object, np_chart *chart)
{
    static const char *const series[] = {"series"};
    np_status st;
    if ((st = np_experiment_object(at, object)) || (st = check_keys(at, object, &chart_fields, series, 1)) ||
        (st = np_experiment_set_all(at, object, &chart_fields, "file, y", chart)) ||
        (st = parse_shown(e, at, object, chart)) || (st = check_all_axes(e, at, chart)))
        return st;
    chart->title = chart->title ? chart->title : chart->file;
    chart->y_label = chart->y_label ? chart->y_label : chart->y;
    return NP_OK;
}

static np_status parse_charts(np_experiment *e, const np_experiment_place *top)
{
    json_t *list;
    np_status st;
    if (!json_object_get(e->root, "plots"))
        return NP_OK;
    if ((st = np_experiment_list(top, e->root, "plots", "objects", &list)))
        return st;
    e->charts = json_array_size(list);
    if ((st = np_memory_zeroed(&e->chart, e->charts, sizeof *e->chart, "an experiment")))
        return st;
    for (size_t i = 0; i < e->charts; i++) {
        np_experiment_place at = {.source = e->source};
        snprintf(at.path, sizeof at.path, e->line ? "plot" : "plots[%zu]", i);
        if ((st = parse_chart(e, &at, json_array_get(list, i), &e->chart[i])))
            return st;
        for (size_t j = 0; j < i; j++)
            if (!strcmp(e->chart[j].file, e->chart[i].file))
                return np_experiment_refuse(&at, "file", "another plot has the same file");
    }
    return NP_OK;
}

static np_status parse_top(np_experiment *e)
{
    static const char *const lists[] = {"series", "plots"};
    np_experiment_place at = {.source = e->source};
    np_status st;
    if ((st = np_experiment_object(&at, e->root)) || (st = check_keys(&at, e->root, &top_fields, lists, 2)) ||
        (st = np_experiment_set_all(&at, e->root, &top_fields, "name", e)) || (st = parse_series(e, &at)) ||
        (st = np_series_pair(e)))
        return st;
    return parse_charts(e, &at);
}

static np_status load(const char *name, const char *text, size_t length, json_t **out)
{
    json_error_t error;
    *out = np_json_load(text, length, JSON_REJECT_DUPLICATES, &error);
    if (*out)
        return NP_OK;
    if (!*error.text || json_error_code(&error) == json_error_out_of_memory)
        return NP_RAISE(NP_ERROR_MEMORY, "%s: no memory for its JSON", name);
    return NP_RAISE(NP_ERROR_INPUT, "%s:%d: not JSON: %s", name, error.line, error.text);
}

np_status np_experiment_take(const char *name, json_t *root, bool line, np_experiment **out)
{
    np_experiment *e;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&e, 1, sizeof *e, "an experiment"))) {
        json_decref(root);
        return st;
    }
    np_fields_init(&top_fields, e);
    e->root = root;
    e->line = line;
    e->source = np_memory_text(name);
    st = e->source ? parse_top(e) : np_status_last();
    if (st) {
        np_experiment_free(e);
        return st;
    }
    *out = e;
    return NP_OK;
}

np_status np_experiment_parse(const char *name, const char *text, size_t length, np_experiment **out)
{
    json_t *root;
    np_status st = load(name, text, length, &root);
    *out = NULL;
    return st ? st : np_experiment_take(name, root, false, out);
}

np_status np_experiment_read(const char *path, np_experiment **out)
{
    NP_TEXT_FILE(text, path);
    *out = NULL;
    return text.status ? text.status : np_experiment_parse(path, text.data, text.length, out);
}

void np_experiment_free(np_experiment *e)
{
    if (!e)
        return;
    for (size_t i = 0; i < e->series && e->serie; i++)
        np_series_clear(&e->serie[i]);
    for (size_t i = 0; i < e->charts && e->chart; i++)
        np_memory_free(e->chart[i].shown);
    NP_MEMORY_FREE(e->serie, e->chart, e->source);
    json_decref(e->root);
    np_memory_free(e);
}

const char *np_experiment_name(const np_experiment *e) { return e->name; }
