/* The measures of Valiant & Brebner 1981, section 7 (steps, population), and the causes behind them. */
#include "report/measure.h"

#include <string.h>

const np_measure np_measures[] = {
    {"steps", offsetof(np_phase_result, steps), true},
    {"delay_max", offsetof(np_phase_result, delay_max), true},
    {"delay_mean", offsetof(np_phase_result, delay_mean), false},
    {"queue_max", offsetof(np_phase_result, queue_max), true},
    {"population_max", offsetof(np_phase_result, population_max), true},
    {"congestion", offsetof(np_phase_result, congestion), true},
    {"hops", offsetof(np_phase_result, hops), true},
    {"traffic_mean", offsetof(np_phase_result, traffic_mean), false},
    {NULL, 0, false},
};

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
