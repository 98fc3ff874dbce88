/* The measures of a phase by name: the one list that tables, JSON, CSV and plots share. */
#ifndef NP_REPORT_MEASURE_H
#define NP_REPORT_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/route.h"

typedef struct np_measure {
    const char *name;
    size_t offset; /* of the summary in np_phase_result */
    bool whole;    /* its values are whole numbers in every run */
    bool leveled;  /* it speaks of leveled phases only */
} np_measure;

/* In the order of the reports; ends with a NULL name. */
extern const np_measure np_measures[];

/* Does the measure speak of the phase? */
bool np_measure_speaks(const np_measure *measure, const np_phase_result *phase);

/* The measure's summary in a phase. */
const np_summary *np_measure_of(const np_measure *measure, const np_phase_result *phase);

/* The measure of that name, or NULL. */
const np_measure *np_measure_named(const char *name);

#endif
