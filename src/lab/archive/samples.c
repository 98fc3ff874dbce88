/* Samples: see archive.h. */
#include <stdio.h>

#include "base/memory.h"
#include "lab/archive/archive.h"

np_status np_samples_init(np_samples *samples, size_t room, uint32_t first, uint32_t runs)
{
    np_status st;
    *samples = (np_samples){.first = first, .runs = runs, .room = room};
    if ((st = np_memory_zeroed(&samples->sample, room, sizeof *samples->sample, "an experiment's results")))
        return st;
    if (runs && room > SIZE_MAX / runs)
        return NP_RAISE(NP_ERROR_LIMIT, "%u runs of %zu measures do not fit into memory", runs, room);
    return np_memory_zeroed(&samples->value, room * runs, sizeof *samples->value, "an experiment's results");
}

double *np_samples_add(np_samples *samples, const char *phase, const char *measure)
{
    np_sample *sample = &samples->sample[samples->count];
    snprintf(sample->phase, sizeof sample->phase, "%s", phase);
    snprintf(sample->measure, sizeof sample->measure, "%s", measure);
    sample->value = samples->value + samples->count++ * samples->runs;
    return sample->value;
}

void np_samples_add_axis(np_samples *samples, const char *axis, double value)
{
    np_sample *sample = &samples->sample[samples->count];
    *np_samples_add(samples, "", axis) = value;
    sample->axis = sample->constant = true;
}

void np_samples_clear(np_samples *samples)
{
    NP_MEMORY_FREE(samples->sample, samples->value);
    *samples = (np_samples){0};
}
