/* Summaries of a measure over runs, and the tests that compare two samples. */
#ifndef NETPRAM_STATISTICS_H
#define NETPRAM_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#include "netpram/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** A sample of one measure over runs. */
typedef struct np_summary {
    size_t count; /**< size of the sample */
    double mean;
    double variance; /**< unbiased (divisor count - 1); 0 for one value */
    double min, max;
    double p50, p99; /**< quantiles: the least value with at least that share of the sample at or below it */
    double ci95;     /**< half-width of the 95% confidence interval of the mean (Student's t); 0 for one value */
} np_summary;

/**
 * Summarises a sample.
 * @param values [count], not modified; count >= 1
 * @return NP_ERROR_MEMORY
 */
np_status np_summary_of(size_t count, const double *values, np_summary *out) NP_CHECKED;

/** The two-sided 95% point of Student's t with that many degrees of freedom (>= 1), to 4 digits. */
double np_statistics_student95(size_t freedom);

/** P[X >= x] for X chi-square with `freedom` >= 1 degrees of freedom. */
double np_statistics_chi_square_tail(double x, double freedom);

/**
 * Chi-square test that two samples of integers come from one distribution:
 * neighbouring values are pooled until every cell expects at least 5 of each
 * sample.
 * @return the p-value in *p; 1 when fewer than two cells remain. NP_ERROR_MEMORY
 */
np_status np_statistics_same_distribution(size_t count_a, const uint32_t *a, size_t count_b, const uint32_t *b,
                                          double *p) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
