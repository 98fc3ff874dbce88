/* Values of an experiment file. Every refusal begins with the place: "file: series[2].label: ...". */
#include <string.h>

#include "base/memory.h"
#include "base/parse.h"
#include "report/experiment.h"

enum { SHOWN_MAX = sizeof(np_experiment_word) - 1 };

static const char *dot(const np_experiment_place *at) { return *at->path ? "." : ""; }

/* Text of the file within a message, which is one line. */
static void copy_line(char *to, size_t size, const char *from)
{
    size_t length = strnlen(from, size - 1);
    for (size_t i = 0; i < length; i++)
        to[i] = (unsigned char)from[i] < ' ' || from[i] == 0x7f ? '?' : from[i];
    to[length] = '\0';
}

np_status np_experiment_refuse(const np_experiment_place *at, const char *key, const char *why)
{
    char shown[SHOWN_MAX + 1];
    copy_line(shown, sizeof shown, key);
    return NP_RAISE(NP_ERROR_INPUT, "%s: %s%s%s: %s", at->source, at->path, dot(at), shown, why);
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
        char why[96];
        for (size_t i = 0; i < count; i++)
            known = known || !strcmp(key, keys[i]);
        if (known)
            continue;
        snprintf(why, sizeof why, "no such key: did you mean '%s'?", np_parse_nearest(key, keys, count));
        return np_experiment_refuse(at, key, why);
    }
    return NP_OK;
}

np_status np_experiment_text(const np_experiment_place *at, json_t *object, const char *key, bool needed,
                             const char **out)
{
    json_t *value = json_object_get(object, key);
    if (!value && !needed)
        return NP_OK;
    if (!json_is_string(value))
        return np_experiment_refuse_type(at, key, "a string", value);
    if (!json_string_length(value))
        return np_experiment_refuse(at, key, "must not be empty");
    *out = json_string_value(value);
    return NP_OK;
}

np_status np_experiment_whole(const np_experiment_place *at, json_t *object, const char *key, uint64_t low,
                              uint64_t high, uint64_t *out)
{
    char want[80];
    json_t *value = json_object_get(object, key);
    if (!value)
        return NP_OK;
    snprintf(want, sizeof want, "a whole number in %llu..%llu", (unsigned long long)low, (unsigned long long)high);
    if (!json_is_integer(value))
        return np_experiment_refuse_type(at, key, want, value);
    json_int_t number = json_integer_value(value);
    if (number < 0 || (uint64_t)number < low || (uint64_t)number > high) {
        char why[160];
        snprintf(why, sizeof why, "must be %s, not %lld", want, (long long)number);
        return np_experiment_refuse(at, key, why);
    }
    *out = (uint64_t)number;
    return NP_OK;
}

np_status np_experiment_number(const np_experiment_place *at, json_t *object, const char *key, double *out)
{
    json_t *value = json_object_get(object, key);
    if (value && !json_is_number(value))
        return np_experiment_refuse_type(at, key, "a number", value);
    *out = json_number_value(value);
    return NP_OK;
}

np_status np_experiment_truth(const np_experiment_place *at, json_t *object, const char *key, bool *out)
{
    json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value))
        return np_experiment_refuse_type(at, key, "true or false", value);
    *out = json_is_true(value);
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

np_status np_experiment_texts(const np_experiment_place *at, const json_t *list, const char *key, const char *example,
                              const char **out)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        char entry[48], want[64];
        json_t *value = json_array_get(list, i);
        snprintf(entry, sizeof entry, "%s[%zu]", key, i);
        snprintf(want, sizeof want, "a string such as \"%s\"", example);
        if (!json_is_string(value))
            return np_experiment_refuse_type(at, entry, want, value);
        out[i] = json_string_value(value);
    }
    return NP_OK;
}

np_status np_experiment_word_of(const np_experiment_place *at, const char *key, const json_t *value,
                                np_experiment_word *out)
{
    if (json_is_string(value))
        copy_line(out->text, sizeof out->text, json_string_value(value));
    else if (json_is_integer(value))
        snprintf(out->text, sizeof out->text, "%lld", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
        strcpy(out->text, json_is_true(value) ? "true" : "false");
    else
        return np_experiment_refuse_type(at, key, "a word or a whole number", value);
    return NP_OK;
}
