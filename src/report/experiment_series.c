/*
 * The keys of a series, whatever its kind: the rows of the kind's table. A list has an entry for each point; lists of
 * one series are equally long and go together.
 */
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "report/experiment.h"

/* The first row from the *i-th on that is a key, and *offset of its structure; NULL past the last. Moves *i past it. */
static const np_field *key_at(const np_series_kind *kind, size_t *i, size_t *offset)
{
    const np_field *field;
    while ((field = np_fields_row(kind->fields, (*i)++, offset)))
        if (!np_field_listed(kind->hides, field->name))
            return field;
    return NULL;
}

size_t np_series_keys(const np_series_kind *kind, const char **keys, size_t count, size_t most)
{
    const np_field *field;
    size_t offset;
    for (size_t i = 0; count < most && (field = key_at(kind, &i, &offset));)
        keys[count++] = field->name;
    return count;
}

/* The keys that all series of the kind have. */
static np_status check_needed(const np_experiment_place *at, const np_series *series)
{
    const np_series_kind *kind = series->kind;
    json_t *name = json_object_get(series->object, kind->key), *list;
    if (!json_is_string(name) && !json_is_array(name))
        return np_experiment_refuse_type(at, kind->key, "a string", name);
    return kind->along ? np_experiment_list(at, series->object, kind->along, "strings", &list) : NP_OK;
}

/* Takes one more list, which must be as long as the lists before it. */
static np_status take_list(const np_experiment_place *at, const char *key, const json_t *list, np_series *series)
{
    char why[120];
    if (!json_array_size(list))
        return np_experiment_refuse(at, key, "must not be empty");
    if (series->list && json_array_size(list) != series->points) {
        snprintf(why, sizeof why, "a list beside that of '%s' must be as long: the points go along both", series->list);
        return np_experiment_refuse(at, key, why);
    }
    series->list = series->list ? series->list : key;
    series->points = json_array_size(list);
    return NP_OK;
}

static np_status count_points(const np_experiment_place *at, np_series *series)
{
    const np_field *field;
    size_t offset;
    np_status st = check_needed(at, series);
    series->points = 1;
    for (size_t i = 0; !st && (field = key_at(series->kind, &i, &offset));) {
        const json_t *value = json_object_get(series->object, field->name);
        if (json_is_array(value))
            st = take_list(at, field->name, value, series);
        else if (!value && np_field_listed(series->kind->needs, field->name))
            st = np_experiment_refuse_type(at, field->name, "a string", NULL);
    }
    return st;
}

static np_status parse_point(const np_experiment_place *at, const np_series *series, size_t point)
{
    char *options = np_series_options(series, point);
    const np_field *field;
    size_t offset;
    np_status st = NP_OK;
    np_fields_init(series->kind->fields, options);
    if (series->kind->init)
        series->kind->init(options);
    for (size_t i = 0; !st && (field = key_at(series->kind, &i, &offset));) {
        json_t *value = json_object_get(series->object, field->name);
        char entry[48];
        snprintf(entry, sizeof entry, json_is_array(value) ? "%s[%zu]" : "%s", field->name, point);
        if (value)
            st = np_experiment_set(at, entry, field, options + offset,
                                   json_is_array(value) ? json_array_get(value, point) : value);
    }
    return st;
}

np_status np_series_parse(const np_experiment_place *at, np_series *series)
{
    np_status st = count_points(at, series);
    if (!st)
        st = np_memory_zeroed(&series->options, series->points, series->kind->fields->size, "an experiment");
    for (size_t i = 0; i < series->points && !st; i++)
        st = parse_point(at, series, i);
    return st;
}

void *np_series_options(const np_series *series, size_t number)
{
    return series->options + number * series->kind->fields->size;
}

const char *np_series_spec(const np_series *series, size_t number)
{
    return *(const char **)((char *)np_series_options(series, number) + series->kind->spec);
}

np_status np_experiment_at_point(const np_experiment_job *job, const np_point *point, np_status st)
{
    const np_series *series = &job->experiment->serie[point->series];
    const char *source = job->experiment->source;
    if (!st)
        return NP_OK;
    if (!series->list)
        return np_status_prefix(st, "%s: series[%zu]: ", source, point->series);
    return np_status_prefix(st, "%s: series[%zu], with %s[%zu]: ", source, point->series, series->list, point->number);
}

np_status np_experiment_at_key(const np_experiment_job *job, const np_point *point, const char *key, np_status st)
{
    return np_status_prefix(st, "%s: series[%zu].%s: ", job->experiment->source, point->series, key);
}

np_status np_experiment_check_measure(const np_fields *measures, const char *of, const char *y)
{
    const np_field *field = np_fields_find(measures, y);
    if (field && !strcmp(field->name, y))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "no measure '%.40s' of %s: did you mean '%s'?", y, of,
                    np_fields_nearest(measures, y));
}
