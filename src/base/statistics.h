/* Statistics that are not public. */
#pragma once

#include "base/export.h"
#include "netpram/base.h"

/* P[|T| >= t] for Student's T with `freedom` >= 1 degrees of freedom, t >= 0, to about 13 digits. */
NP_FOR_REPORT double np_statistics_student_tail(double t, size_t freedom);

/*
 * What is known of other values when all `count` >= 1 runs gave the same: each share of runs from this one on would
 * have shown another value with 95% probability: 1 - 0.05^(1/count) (Clopper & Pearson 1934).
 */
NP_FOR_REPORT double np_statistics_unseen95(size_t count);
