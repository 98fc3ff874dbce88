/* Measures and axes of a kind that are fields of what a run gives: they are found by their names. */
#include <string.h>

#include "base/parse.h"
#include "lab/experiment/experiment.h"

np_status np_experiment_check_measure(const np_series_kind *kind, const char *y)
{
    np_parse_hint hint;
    if (kind->check_measure)
        return kind->check_measure(y);
    np_parse_hint_init(&hint, y);
    for (const char *const *name = kind->measures; *name; name++) {
        if (!strcmp(*name, y))
            return NP_OK;
        np_parse_hint_add(&hint, *name);
    }
    return NP_RAISE(NP_ERROR_INPUT, "no measure '%.40s' of %s: %s", y, kind->measured->of, hint.text);
}

static size_t count_of(const np_series_kind *kind)
{
    size_t count = 0;
    for (const np_experiment_axis *axis = kind->axes; axis->name; axis++)
        count++;
    for (const char *const *name = kind->measures; *name; name++)
        count++;
    return count;
}

/* Adds the measures that the run has; `unknown`: also those whose value is not known. first NULL: all. */
static void add_measures(const np_series_kind *kind, const void *first, bool unknown, np_samples *samples)
{
    np_value value;
    for (const char *const *name = kind->measures; *name; name++)
        if (!first || (np_fields_get(kind->measured, first, *name, &value) && (unknown || value.kind != NP_VALUE_NULL)))
            np_samples_add(samples, "", *name);
}

/* A run that knows none of its measures, as the throughput of no packets, has them all the same: cells are empty. */
np_status np_experiment_measures_init(const np_series_kind *kind, const void *first, np_samples *samples)
{
    np_status st = np_samples_init(samples, count_of(kind), samples->first, samples->runs);
    if (st)
        return st;
    for (const np_experiment_axis *axis = kind->axes; axis->name; axis++)
        np_samples_add_axis(samples, axis->name, 0);
    size_t axes = samples->count;
    add_measures(kind, first, false, samples);
    if (samples->count == axes)
        add_measures(kind, first, true, samples);
    return NP_OK;
}

void np_experiment_measures_keep(const np_series_kind *kind, const void *object, uint32_t i, np_samples *samples)
{
    np_value value;
    for (size_t k = 0; k < samples->count; k++) {
        np_sample *sample = &samples->sample[k];
        if ((!sample->axis || !i) && np_fields_get(kind->measured, object, sample->measure, &value))
            sample->value[i] = np_value_number(&value);
    }
}
