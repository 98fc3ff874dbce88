/* Values of an experiment file. Every refusal begins with the place: "file: series[2].label: ...". */
#include <string.h>

#include "base/decimal.h"
#include "base/parse.h"
#include "lab/experiment/experiment.h"

static const char *dot(const np_experiment_place *at) { return *at->path ? "." : ""; }

np_status np_experiment_refuse(const np_experiment_place *at, const char *key, const char *why)
{
    return NP_RAISE(NP_ERROR_INPUT, "%s: %s%s%.40s: %s", at->source, at->path, dot(at), key, why);
}

np_status np_experiment_prefix(np_status st, const np_experiment_place *at, const char *key)
{
    return np_status_prefix(st, "%s: %s%s%s: ", at->source, at->path, dot(at), key);
}

static const char *type_name(const json_t *value)
{
    static const char *const names[] = {"an object", "a list", "a string", "a whole number",
                                        "a number",  "true",   "false",    "null"};
    return value ? names[json_typeof(value)] : "missing";
}

np_status np_experiment_refuse_type(const np_experiment_place *at, const char *key, const char *want, const json_t *got)
{
    char why[160];
    if (got)
        snprintf(why, sizeof why, "must be %s, not %s", want, type_name(got));
    else
        snprintf(why, sizeof why, "is missing: it must be %s", want);
    return np_experiment_refuse(at, key, why);
}

np_status np_experiment_check_keys(const np_experiment_place *at, json_t *object, const char *const *keys, size_t count)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        bool known = false;
        char why[256];
        for (size_t i = 0; i < count; i++)
            known = known || !strcmp(key, keys[i]);
        if (known)
            continue;
        snprintf(why, sizeof why, "no such key: %s", np_parse_hint_of(key, keys, count).text);
        return np_experiment_refuse(at, key, why);
    }
    return NP_OK;
}

np_status np_experiment_object(const np_experiment_place *at, const json_t *value)
{
    if (json_is_object(value))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "%s: %s%smust be an object, not %s", at->source, at->path, *at->path ? ": " : "",
                    type_name(value));
}

np_status np_experiment_list(const np_experiment_place *at, json_t *object, const char *key, const char *of,
                             json_t **out)
{
    char want[64];
    json_t *value = json_object_get(object, key);
    snprintf(want, sizeof want, "a list of %s", of);
    if (!json_is_array(value))
        return np_experiment_refuse_type(at, key, want, value);
    if (!json_array_size(value))
        return np_experiment_refuse(at, key, "must not be empty");
    *out = value;
    return NP_OK;
}

/* The value as on a command line: its own text, or a number's text, written to `room`. NULL: it has the wrong type.
 * Numbers with a unit are texts: their fields read them. */
static const char *text_of(const np_field *field, const json_t *value, char *room, size_t size)
{
    if (field->kind == NP_FIELD_BOOL && !json_is_boolean(value))
        return NULL;
    if (json_is_string(value))
        return field->kind == NP_FIELD_REAL && !field->set ? NULL : json_string_value(value);
    if (field->kind == NP_FIELD_TEXT)
        return NULL;
    if (json_is_boolean(value))
        return json_is_true(value) ? "true" : "false";
    if (json_is_integer(value))
        snprintf(room, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value) && field->kind == NP_FIELD_REAL)
        snprintf(room, size, "%s", NP_REAL(json_real_value(value), 15));
    else
        return NULL;
    return room;
}

np_status np_experiment_text(const np_experiment_place *at, const char *key, const np_field *field, const json_t *value,
                             size_t size, char *room, const char **text)
{
    *text = text_of(field, value, room, size);
    if (!*text)
        return np_experiment_refuse_type(at, key,
                                         field->kind == NP_FIELD_TEXT   ? "a string"
                                         : field->kind == NP_FIELD_BOOL ? "true or false"
                                         : field->kind == NP_FIELD_REAL
                                             ? field->set ? "a number or a string" : "a number"
                                             : "a word or a whole number",
                                         value);
    if (field->kind == NP_FIELD_TEXT && !**text)
        return np_experiment_refuse(at, key, "must not be empty");
    return NP_OK;
}

np_status np_experiment_set(const np_experiment_place *at, const char *key, const np_field *field, void *to,
                            const char *text)
{
    np_status st = np_field_set(field, to, text);
    if (!st || field->flags & NP_FIELD_SAYS)
        return st ? np_experiment_prefix(st, at, key) : NP_OK;
    return np_status_prefix(st, "%s: %s%s%s %.40s: ", at->source, at->path, dot(at), key, text);
}

np_status np_experiment_set_all(const np_experiment_place *at, json_t *object, const np_fields *fields,
                                const char *needs, void *to)
{
    for (const np_field *row = fields->row; row < fields->row + fields->count; row++) {
        const json_t *value = json_object_get(object, row->name);
        char room[NP_EXPERIMENT_NUMBER];
        const char *text;
        np_status st;
        if (!value && !np_field_listed(needs, row->name))
            continue;
        if ((st = np_experiment_text(at, row->name, row, value, sizeof room, room, &text)) ||
            (st = np_experiment_set(at, row->name, row, to, text)))
            return st;
    }
    return NP_OK;
}
