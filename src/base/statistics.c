/*
 * Summaries, Student's t, the chi-square tail, and a two-sample test.
 *
 * Ours because Debian has no permissively licensed C library for these four:
 * GSL and R's mathlib are GPL, Boost's is C++, cephes and dcdflib are not
 * packaged.
 *
 * Methods. Samples are sorted first and summed in increasing order, so that a
 * summary depends on the values alone, not on the order in which runs ended.
 * Student's t: a table; above 30 degrees the expansion about the normal point
 * (Abramowitz & Stegun 1964, 26.7.5), with an error below 1e-8 there; the tail
 * by the continued fraction of the incomplete beta function (26.5.8).
 * The interval of a mean: Student's, and wider by two terms. Samples are small, of few different values, and skew, and
 * Student's interval then covers less than it says. The skewness term is that of Johnson 1978, with factor 1
 * in place of (1 + 2 t^2) / 6; the mean moves in steps, of which half a step is the correction for continuity
 * of Yates 1934. tests/prop/test_interval.c measures what is covered, docs/outputs.md has the figures.
 * Chi-square: the incomplete gamma function by its series below the mean and by
 * its continued fraction (Lentz) above (6.5.29, 6.5.31).
 */
#include "base/statistics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/real.h"
#include "netpram/field.h"

/* The least value with at least percent% of the sample at or below it. */
static double quantile(size_t count, const double *sorted, unsigned percent)
{
    size_t rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
    return sorted[rank - 1];
}

/* Half the width of the interval, from the sorted sample, of which not all values are equal. */
static double half_width(size_t count, const double *sorted, double mean, double variance)
{
    double n = (double)count, cubes = 0, step = sorted[count - 1] - sorted[0];
    const double least = 1e-9 * step; /* smaller differences are errors of rounding */
    for (size_t i = 0; i < count; i++)
        cubes += (sorted[i] - mean) * (sorted[i] - mean) * (sorted[i] - mean);
    for (size_t i = 1; i < count; i++)
        if (sorted[i] - sorted[i - 1] > least && sorted[i] - sorted[i - 1] < step)
            step = sorted[i] - sorted[i - 1];
    double skew = variance > 0 ? fabs(cubes / n) / variance / n : 0; /* variance 0: it is too small for a double */
    return np_statistics_student95(count - 1) * sqrt(variance / n) + skew + step / 2 / n;
}

/* Copies the values that are numbers. Returns how many there are. */
static size_t take(size_t count, const double *values, double *numbers)
{
    size_t taken = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            numbers[taken++] = values[i];
    return taken;
}

np_status np_summary_compute(size_t count, const double *values, np_summary *out)
{
    double *sorted, sum = 0, squares = 0;
    np_status st = np_memory_array(&sorted, count, sizeof *sorted, "a sample");
    if (st)
        return st;
    if (!(count = take(count, values, sorted))) {
        const double none = (double)NAN;
        *out = (np_summary){0, none, none, none, none, none, none, none};
        np_memory_free(sorted);
        return NP_OK;
    }
    qsort(sorted, count, sizeof *sorted, np_order_reals);
    for (size_t i = 0; i < count; i++)
        sum += sorted[i];
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (sorted[i] - mean) * (sorted[i] - mean);
    *out = (np_summary){.count = count, .mean = mean, .min = sorted[0], .max = sorted[count - 1], .ci95 = (double)NAN};
    out->p50 = quantile(count, sorted, 50);
    out->p99 = quantile(count, sorted, 99);
    if (count > 1)
        out->variance = squares / (double)(count - 1);
    if (out->min < out->max)
        out->ci95 = half_width(count, sorted, mean, out->variance);
    np_memory_free(sorted);
    return NP_OK;
}

double np_statistics_unseen95(size_t count) { return 1 - np_exp(np_log(0.05) / (double)count); }

/* A&S 26.7.5: t about the normal point x, in powers of 1/freedom. */
static double student_expansion(double freedom)
{
    const double x = 1.959963984540054; /* the two-sided 95% point of the normal distribution */
    double x2 = x * x, f = freedom;
    double g1 = x * (x2 + 1) / 4;
    double g2 = x * ((5 * x2 + 16) * x2 + 3) / 96;
    double g3 = x * (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384;
    double g4 = x * ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160;
    return x + (g1 + (g2 + (g3 + g4 / f) / f) / f) / f;
}

double np_statistics_student95(size_t freedom)
{
    /* for 0 degrees of freedom and so on: the zeros of np_statistics_student_tail(t, freedom) - 0.05 */
    static const double point[] = {INFINITY,           12.706204736174689, 4.3026527297494557, 3.182446305283706,
                                   2.7764451051977934, 2.5705818356363119, 2.4469118511449657, 2.3646242515927836,
                                   2.3060041352041658, 2.2621571627982022, 2.2281388519862726, 2.2009851600916388,
                                   2.1788128296672271, 2.1603686564627931, 2.1447866879178035, 2.1314495455597755,
                                   2.1199052992212533, 2.1098155778333174, 2.100922040241036,  2.0930240544083096,
                                   2.0859634472658657, 2.0796138447276804, 2.0738730679040258, 2.0686576104190486,
                                   2.063898561628025,  2.0595385527532972, 2.0555294386428691, 2.0518305164802855,
                                   2.0484071417952445, 2.0452296421327061, 2.0422724563012378};
    enum { POINTS = sizeof point / sizeof *point };
    return freedom < POINTS ? point[freedom] : student_expansion((double)freedom);
}

/* The continued fraction of the incomplete beta function for (a, b) at x < (a + 1) / (a + b + 2), modified Lentz. */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), change = 0;
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int n = 1; n < 10000 && fabs(change - 1) >= DBL_EPSILON; n++) {
        double k = n, even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
        double odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        value *= d * c;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        change = d * c;
        value *= change;
    }
    return value;
}

/* I_x(a, b), the incomplete beta function divided by the complete one. */
static double beta_share(double a, double b, double x)
{
    double factor = np_log_gamma(a + b) - np_log_gamma(a) - np_log_gamma(b);
    if (x <= 0 || x >= 1)
        return x > 0;
    factor = np_exp(factor + a * np_log(x) + b * np_log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return factor * beta_fraction(a, b, x) / a;
    return 1 - factor * beta_fraction(b, a, 1 - x) / b;
}

double np_statistics_student_tail(double t, size_t freedom)
{
    double f = (double)freedom;
    return beta_share(f / 2, 0.5, f / (f + t * t));
}

/* x^a e^-x / Gamma(a), in logs: the factor that both expansions share. */
static double gamma_factor(double a, double x) { return np_exp(a * np_log(x) - x - np_log_gamma(a)); }

/* Enough steps for both expansions at double precision: near x = a they need a multiple of sqrt(a). */
static long gamma_steps(double a) { return 200 + (long)(20 * sqrt(a)); }

/* P(a, x) by the series: 1/a + x/(a(a+1)) + ... */
static double gamma_series(double a, double x)
{
    double term = 1 / a, sum = term;
    long steps = gamma_steps(a);
    for (long n = 1; n < steps && term > sum * DBL_EPSILON / 4; n++) {
        term *= x / (a + (double)n);
        sum += term;
    }
    return sum * gamma_factor(a, x);
}

/* Q(a, x) by the continued fraction 1/(x+1-a- 1(1-a)/(x+3-a- ...)), modified Lentz. */
static double gamma_fraction(double a, double x)
{
    const double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, value = d;
    long steps = gamma_steps(a);
    for (long n = 1; n < steps; n++) {
        double numerator = -(double)n * ((double)n - a);
        b += 2;
        d = numerator * d + b;
        c = b + numerator / c;
        if (fabs(d) < tiny)
            d = tiny;
        if (fabs(c) < tiny)
            c = tiny;
        d = 1 / d;
        value *= d * c;
        if (fabs(d * c - 1) < DBL_EPSILON)
            break;
    }
    return value * gamma_factor(a, x);
}

double np_statistics_chi_square_tail(double x, double freedom)
{
    double a = freedom / 2, half = x / 2, tail;
    if (!(x > 0))
        return 1;
    if (half > DBL_MAX / 2)
        return 0;
    tail = half < a + 1 ? 1 - gamma_series(a, half) : gamma_fraction(a, half);
    return tail < 0 ? 0 : tail > 1 ? 1 : tail;
}

static np_status sorted_copy(size_t count, const uint32_t *values, uint32_t **out)
{
    np_status st = np_memory_array(out, count, sizeof **out, "a sample");
    if (st)
        return st;
    if (count) {
        memcpy(*out, values, count * sizeof **out);
        qsort(*out, count, sizeof **out, np_order_numbers);
    }
    return NP_OK;
}

/* One cell's share of the statistic: (observed - expected)^2 / expected, over both samples. */
static double cell_statistic(double in_a, double in_b, double share_a)
{
    double expected_a = (in_a + in_b) * share_a, expected_b = (in_a + in_b) * (1 - share_a);
    double difference = in_a - expected_a; /* the difference of b is its negative */
    return difference * difference * (1 / expected_a + 1 / expected_b);
}

/*
 * Walks both sorted samples by increasing value. A cell is closed when both
 * expectations reach 5; where it ends depends on the pooled sample alone, so
 * the split does not bias the test. The values left at the end join the last
 * cell.
 */
static double compare_sorted(size_t count_a, const uint32_t *a, size_t count_b, const uint32_t *b)
{
    double share_a = (double)count_a / (double)(count_a + count_b);
    double needed = 5 / (share_a < 0.5 ? share_a : 1 - share_a);
    double in_a = 0, in_b = 0, last_a = 0, last_b = 0, statistic = 0;
    size_t i = 0, j = 0, cells = 0;
    while (i < count_a || j < count_b) {
        uint32_t value = j >= count_b || (i < count_a && a[i] < b[j]) ? a[i] : b[j];
        for (; i < count_a && a[i] == value; i++)
            in_a++;
        for (; j < count_b && b[j] == value; j++)
            in_b++;
        if (in_a + in_b < needed)
            continue;
        if (cells++)
            statistic += cell_statistic(last_a, last_b, share_a);
        last_a = in_a, last_b = in_b;
        in_a = in_b = 0;
    }
    if (cells < 2)
        return 1;
    statistic += cell_statistic(last_a + in_a, last_b + in_b, share_a);
    return np_statistics_chi_square_tail(statistic, (double)(cells - 1));
}

np_status np_statistics_same_distribution(size_t count_a, const uint32_t *a, size_t count_b, const uint32_t *b,
                                          double *p)
{
    uint32_t *sorted_a = NULL, *sorted_b = NULL;
    np_status st;
    *p = 1;
    if ((st = sorted_copy(count_a, a, &sorted_a)) || (st = sorted_copy(count_b, b, &sorted_b)))
        goto out;
    if (count_a && count_b)
        *p = compare_sorted(count_a, sorted_a, count_b, sorted_b);
out:
    NP_MEMORY_FREE(sorted_a, sorted_b);
    return st;
}

/* ---- Fields ---- */

#define MEAN "the mean"
#define VARIANCE "the variance, unbiased; 0 for one run"
#define LEAST "the least"
#define MOST "the largest"
#define P50 "the least value with at least half of the runs at or below it"
#define P99 "the least value with at least 99% of the runs at or below it"
#define CI95                                                                                                           \
    "half the width of the 95% confidence interval of the mean; null if all runs are equal, or there is one only"

static const np_field rows[] = {
    {"mean", NP_FIELD_REAL, offsetof(np_summary, mean), .help = MEAN},
    {"variance", NP_FIELD_REAL, offsetof(np_summary, variance), .help = VARIANCE},
    {"min", NP_FIELD_REAL, offsetof(np_summary, min), .help = LEAST},
    {"max", NP_FIELD_REAL, offsetof(np_summary, max), .help = MOST},
    {"p50", NP_FIELD_REAL, offsetof(np_summary, p50), .help = P50},
    {"p99", NP_FIELD_REAL, offsetof(np_summary, p99), .help = P99},
    {"ci95", NP_FIELD_REAL, offsetof(np_summary, ci95), .help = CI95},
};

/* For a summary of whole numbers: its values of the sample are whole. */
static const np_field whole_rows[] = {
    {"mean", NP_FIELD_REAL, offsetof(np_summary, mean), .help = MEAN},
    {"variance", NP_FIELD_REAL, offsetof(np_summary, variance), .help = VARIANCE},
    {"min", NP_FIELD_REAL, offsetof(np_summary, min), .help = LEAST, .flags = NP_FIELD_WHOLE},
    {"max", NP_FIELD_REAL, offsetof(np_summary, max), .help = MOST, .flags = NP_FIELD_WHOLE},
    {"p50", NP_FIELD_REAL, offsetof(np_summary, p50), .help = P50, .flags = NP_FIELD_WHOLE},
    {"p99", NP_FIELD_REAL, offsetof(np_summary, p99), .help = P99, .flags = NP_FIELD_WHOLE},
    {"ci95", NP_FIELD_REAL, offsetof(np_summary, ci95), .help = CI95},
};

const np_fields np_summary_fields = NP_FIELDS("summary", "a summary", np_summary, rows);

const np_fields np_summary_whole_fields =
    NP_FIELDS("summary_whole", "a summary of whole numbers", np_summary, whole_rows);
