/* The measures of Valiant & Brebner 1981, section 7 (steps, population), the causes behind them, and those of
 * Leighton, Maggs, Ranade & Rao 1994, section 2. */
#include "report/measure.h"

#include <string.h>

const np_measure np_measures[] = {
    {"steps", offsetof(np_phase_result, steps), true, false},
    {"delay_max", offsetof(np_phase_result, delay_max), true, false},
    {"delay_mean", offsetof(np_phase_result, delay_mean), false, false},
    {"queue_max", offsetof(np_phase_result, queue_max), true, false},
    {"population_max", offsetof(np_phase_result, population_max), true, false},
    {"congestion", offsetof(np_phase_result, congestion), true, false},
    {"hops", offsetof(np_phase_result, hops), true, false},
    {"traffic_mean", offsetof(np_phase_result, traffic_mean), false, false},
    {"levels", offsetof(np_phase_result, levels), true, true},
    {"congestion_destinations", offsetof(np_phase_result, congestion_destinations), true, true},
    {"ghosts", offsetof(np_phase_result, ghosts), true, true},
    {"tokens", offsetof(np_phase_result, tokens), true, true},
    {"combined", offsetof(np_phase_result, combined), true, true},
    {"queue_real_max", offsetof(np_phase_result, queue_real_max), true, true},
    {"ratio", offsetof(np_phase_result, ratio), false, true},
    {NULL, 0, false, false},
};

bool np_measure_speaks(const np_measure *measure, const np_phase_result *phase)
{
    return !measure->leveled || phase->leveled;
}

const np_summary *np_measure_of(const np_measure *measure, const np_phase_result *phase)
{
    return (const np_summary *)(const void *)((const char *)phase + measure->offset);
}

const np_measure *np_measure_named(const char *name)
{
    for (const np_measure *measure = np_measures; measure->name; measure++)
        if (!strcmp(measure->name, name))
            return measure;
    return NULL;
}
