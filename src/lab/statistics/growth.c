/*
 * Least squares for laws of two coefficients, and the paired t-test. Ours for the reason told in base/statistics.c:
 * the libraries that have them are under the GPL, or in other languages.
 *
 * Straight lines, in N or in log2 N, have a closed form; sums are taken about the means, which keeps the digits. A
 * power begins with the line through the logarithms, and goes on by the method of Gauss and Newton with steps that are
 * halved until the squares fall. Its intervals come from the linearisation at the end, as is usual.
 * tests/unit/test_growth.c has certified values of NIST for both, and published ones of R for the t-test.
 */
#include "lab/statistics/growth.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "base/real.h"
#include "base/statistics.h"

static const char *const names[] = {
    [NP_GROWTH_LOG] = "a + b log2 N", [NP_GROWTH_POWER] = "a N^b", [NP_GROWTH_LINEAR] = "a + b N"};

const char *np_growth_law_name(np_growth_law law) { return names[law]; }

double np_growth_at(const np_growth *growth, double n)
{
    switch (growth->law) {
    case NP_GROWTH_LOG:
        return growth->a + growth->b * np_log2(n);
    case NP_GROWTH_POWER:
        return growth->a * np_power(n, growth->b);
    default:
        return growth->a + growth->b * n;
    }
}

static double squares_of(const np_growth *growth, size_t points, const double *n, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < points; i++) {
        double off = y[i] - np_growth_at(growth, n[i]);
        sum += off * off;
    }
    return sum;
}

static double mean(size_t count, const double *value)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += value[i];
    return sum / (double)count;
}

/* What is left and what is explained, for coefficients that are found. */
static void finish(size_t points, const double *n, const double *y, np_growth *out)
{
    double middle = mean(points, y), total = 0;
    for (size_t i = 0; i < points; i++)
        total += (y[i] - middle) * (y[i] - middle);
    out->squares = squares_of(out, points, n, y);
    out->explained = total > 0 ? 1 - out->squares / total : 1;
}

/* The 95% half-width for a coefficient with this variance, in units of the residuals' variance. */
static double half_width(const np_growth *growth, size_t points, double variance)
{
    double residual = growth->squares / (double)(points - 2);
    return np_statistics_student95(points - 2) * sqrt(residual * variance);
}

/* ---- Lines ---- */

static double abscissa(np_growth_law law, double n) { return law == NP_GROWTH_LOG ? np_log2(n) : n; }

static void fit_line(size_t points, const double *n, const double *y, np_growth *out)
{
    double x_mean = 0, y_mean = mean(points, y), xx = 0, xy = 0;
    for (size_t i = 0; i < points; i++)
        x_mean += abscissa(out->law, n[i]) / (double)points;
    for (size_t i = 0; i < points; i++) {
        double x = abscissa(out->law, n[i]) - x_mean;
        xx += x * x;
        xy += x * (y[i] - y_mean);
    }
    out->b = xy / xx;
    out->a = y_mean - out->b * x_mean;
    finish(points, n, y, out);
    out->a_error = half_width(out, points, 1 / (double)points + x_mean * x_mean / xx);
    out->b_error = half_width(out, points, 1 / xx);
}

/* ---- Powers ---- */

/* The normal equations of the linearisation at (a, b): J'J and J'r, for J = (N^b, a N^b ln N). */
typedef struct normal {
    double aa, ab, bb, ar, br;
} normal;

static normal normal_at(const np_growth *growth, size_t points, const double *n, const double *y)
{
    normal m = {0};
    for (size_t i = 0; i < points; i++) {
        double by_a = np_power(n[i], growth->b), by_b = growth->a * by_a * np_log(n[i]), off = y[i] - growth->a * by_a;
        m.aa += by_a * by_a;
        m.ab += by_a * by_b;
        m.bb += by_b * by_b;
        m.ar += by_a * off;
        m.br += by_b * off;
    }
    return m;
}

static double determinant(const normal *m) { return m->aa * m->bb - m->ab * m->ab; }

/* Steps from `at` so far that the squares fall. False: they fall no more. */
static bool improve(np_growth *at, size_t points, const double *n, const double *y)
{
    normal m = normal_at(at, points, n, y);
    double by_a = (m.bb * m.ar - m.ab * m.br) / determinant(&m), by_b = (m.aa * m.br - m.ab * m.ar) / determinant(&m);
    for (double part = 1; part > DBL_EPSILON; part /= 2) {
        np_growth next = *at;
        next.a += part * by_a;
        next.b += part * by_b;
        next.squares = squares_of(&next, points, n, y);
        if (next.squares < at->squares) {
            *at = next;
            return true;
        }
    }
    return false;
}

/* The line through the logarithms. */
static void begin_power(size_t points, const double *n, const double *y, np_growth *out)
{
    double x_mean = 0, y_mean = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < points; i++) {
        x_mean += np_log(n[i]) / (double)points;
        y_mean += np_log(y[i]) / (double)points;
    }
    for (size_t i = 0; i < points; i++) {
        double x = np_log(n[i]) - x_mean;
        xx += x * x;
        xy += x * (np_log(y[i]) - y_mean);
    }
    out->b = xy / xx;
    out->a = np_exp(y_mean - out->b * x_mean);
    out->squares = squares_of(out, points, n, y);
}

static void fit_power(size_t points, const double *n, const double *y, np_growth *out)
{
    enum { STEPS_MAX = 200 }; /* ours: a few are enough */
    begin_power(points, n, y, out);
    for (int i = 0; i < STEPS_MAX && improve(out, points, n, y); i++)
        ;
    finish(points, n, y, out);
    normal m = normal_at(out, points, n, y);
    out->a_error = half_width(out, points, m.bb / determinant(&m));
    out->b_error = half_width(out, points, m.aa / determinant(&m));
}

/* ---- The choice ---- */

static np_status check(np_growth_law law, size_t points, const double *n, const double *y)
{
    bool differ = false, positive = true;
    for (size_t i = 0; i < points; i++) {
        differ = differ || n[i] != n[0];
        positive = positive && (law == NP_GROWTH_LINEAR || n[i] > 0) && (law != NP_GROWTH_POWER || y[i] > 0);
    }
    if (points < 3 || !differ)
        return NP_RAISE(NP_ERROR_APPLY, "a fit needs three points, of more than one size");
    return positive ? NP_OK : NP_RAISE(NP_ERROR_APPLY, "%s needs sizes and values above 0", names[law]);
}

np_status np_growth_fit_law(np_growth_law law, size_t points, const double *n, const double *y, np_growth *out)
{
    np_status st = check(law, points, n, y);
    *out = (np_growth){.law = law};
    if (!st)
        (law == NP_GROWTH_POWER ? fit_power : fit_line)(points, n, y, out);
    return st;
}

np_status np_growth_fit(size_t points, const double *n, const double *y, np_growth *out)
{
    np_status best = NP_ERROR_APPLY;
    for (int law = 0; law < NP_GROWTH_LAWS; law++) {
        np_growth growth;
        np_status st = np_growth_fit_law(law, points, n, y, &growth);
        if (st || (!best && growth.squares >= out->squares))
            continue;
        *out = growth;
        best = NP_OK;
    }
    return best;
}

/* ---- Pairs ---- */

np_status np_paired_compare(size_t runs, const double *first, const double *second, np_paired *out)
{
    np_summary summary;
    double *less;
    *out = (np_paired){.p = 1};
    if (runs < 2)
        return NP_RAISE(NP_ERROR_APPLY, "a comparison needs two runs");
    np_status st = np_memory_array(&less, runs, sizeof *less, "a comparison");
    if (st)
        return st;
    for (size_t r = 0; r < runs; r++)
        less[r] = first[r] - second[r];
    st = np_summary_compute(runs, less, &summary);
    np_memory_free(less);
    if (st)
        return st;
    if ((runs = summary.count) < 2)
        return NP_RAISE(NP_ERROR_APPLY, "a comparison needs two runs");
    double error = sqrt(summary.variance / (double)runs);
    out->difference = summary.mean;
    out->difference_error = summary.ci95;
    if (error > 0)
        out->p = np_statistics_student_tail(fabs(out->difference) / error, runs - 1);
    else if (out->difference != 0)
        out->p = 0;
    return NP_OK;
}
