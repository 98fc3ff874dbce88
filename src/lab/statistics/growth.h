/*
 * How a measure grows with a size N: the law, of three, that explains most of it. Each has two coefficients, so no law
 * wins by having more of them.
 */
#pragma once

#include "base/status.h"

typedef enum np_growth_law {
    NP_GROWTH_LOG,    /* a + b log2 N */
    NP_GROWTH_POWER,  /* a N^b */
    NP_GROWTH_LINEAR, /* a + b N */
    NP_GROWTH_LAWS
} np_growth_law;

typedef struct np_growth {
    np_growth_law law;
    double a, b;
    double a_error, b_error; /* half-widths of the 95% confidence intervals (Student's t, points - 2 degrees) */
    double squares;          /* sum of the squared residuals */
    double explained;        /* share of the variance, 1 - squares / total; 1 if nothing varies */
} np_growth;

/* "a + b log2 N" */
const char *np_growth_law_name(np_growth_law law);

/*
 * Fits one law by least squares: those of the measure itself, also of a power.
 * @param n  [points] sizes
 * @param y  [points] the measure: means over runs
 * @return NP_ERROR_APPLY: fewer than three points or one size only; for a logarithm or a power a size that is not
 *         positive, for a power also a value that is not
 */
np_status np_growth_fit_law(np_growth_law law, size_t points, const double *n, const double *y,
                            np_growth *out) NP_CHECKED;

/* The law with the least squares; of equal ones the first. NP_ERROR_APPLY if none can be fitted. */
np_status np_growth_fit(size_t points, const double *n, const double *y, np_growth *out) NP_CHECKED;

/* The measure at size n, by the law. */
double np_growth_at(const np_growth *growth, double n);

/* Two samples with the same draws, run by run. */
typedef struct np_paired {
    double difference;       /* mean of first - second */
    double difference_error; /* half-width of its 95% confidence interval; NaN if all runs differ by the same */
    double p;                /* how probable a difference so large is if there is none: two-sided paired t-test */
} np_paired;

/* Compares two samples of `runs` values. NP_ERROR_APPLY: fewer than two. */
np_status np_paired_compare(size_t runs, const double *first, const double *second, np_paired *out) NP_CHECKED;
