/*
 * Tails of sums of independent trials: Facts 2-4 of Valiant & Brebner 1981,
 * section 3.
 *
 * Symbols: B(m, N, p), the probability of at least m successes in N trials of
 * probability p; everything in natural logarithms.
 *
 * Method. One term of the binomial distribution by the saddle-point expansion
 * (Loader 2000, "Fast and accurate computation of binomial probabilities"):
 *   C(N,x) p^x q^(N-x) = sqrt(N / (2 pi x (N-x))) exp(s(N) - s(x) - s(N-x) - D(x, Np) - D(N-x, Nq)),
 *   s(n) = ln n! - ln(sqrt(2 pi n) (n/e)^n),  D(x, M) = x ln(x/M) + M - x.
 * Unlike differences of lgamma it does not cancel at N = 2^24. The tail is summed
 * from m away from the mean, relative to its first term, until the terms no longer
 * count.
 *
 * Where the paper cannot be right. Fact 4 prints e^(-beta^2 N p / 2) for the
 * upper tail. For N = 1000, p = 1/20, beta = 1, m = 100 the exact tail is
 * 8.41e-11, but the printed bound is 1.39e-11. Angluin & Valiant 1979 have the
 * divisor 3 for the upper tail and 2 for the lower; np_bound_fact4 uses 3.
 */
#include "verdict/bound/bound.h"

#include <math.h>

#include "base/real.h"

/* D(x, M) = x ln(x/M) + M - x, without cancellation when x is near M. */
static double deviance(double x, double mean)
{
    if (fabs(x - mean) >= 0.1 * (x + mean))
        return x * np_log(x / mean) + mean - x;
    double v = (x - mean) / (x + mean), term = 2 * x * v, sum = (x - mean) * v;
    for (int j = 1; j < 100; j++) {
        term *= v * v;
        double next = sum + term / (2 * j + 1);
        if (next == sum)
            break;
        sum = next;
    }
    return sum;
}

/* ln of the probability of exactly x successes, 0 < p < 1, 0 <= x <= N. */
static double log_term(double x, double trials, double p)
{
    if (x <= 0)
        return trials * np_log1p(-p);
    if (x >= trials)
        return trials * np_log(p);
    double rest = trials - x;
    double errors = np_stirling_error(trials) - np_stirling_error(x) - np_stirling_error(rest);
    return 0.5 * np_log(trials / (2 * NP_PI * x * rest)) + errors - deviance(x, trials * p) -
           deviance(rest, trials * (1 - p));
}

/* The sum of the terms from x up, divided by the term at x. As x > N p, the terms fall. */
static double sum_up(double x, double trials, double p)
{
    double sum = 1, term = 1, odds = p / (1 - p);
    for (; x < trials; x++) {
        double ratio = (trials - x) / (x + 1) * odds;
        term *= ratio;
        sum += term;
        if (term < (1 - ratio) * sum * 1e-17) /* the rest is a geometric series at most */
            break;
    }
    return sum;
}

/* The same from x down; x < N p. */
static double sum_down(double x, double trials, double p)
{
    double sum = 1, term = 1, odds = (1 - p) / p;
    for (; x > 0; x--) {
        double ratio = x / (trials - x + 1) * odds;
        term *= ratio;
        sum += term;
        if (term < (1 - ratio) * sum * 1e-17)
            break;
    }
    return sum;
}

double np_bound_tail(uint64_t m, uint64_t trials, double p)
{
    double x = (double)m, n = (double)trials;
    if (m == 0)
        return 0;
    if (m > trials || !(p > 0))
        return -INFINITY;
    if (p >= 1)
        return 0;
    if (x > n * p)
        return fmin(0, log_term(x, n, p) + np_log(sum_up(x, n, p)));
    return np_log1p(-np_exp(log_term(x - 1, n, p)) * sum_down(x - 1, n, p));
}

double np_bound_fact2(uint64_t m, uint64_t trials, double mean)
{
    if (!trials || !((double)m >= mean + 1))
        return 0;
    return np_bound_tail(m, trials, mean / (double)trials);
}

double np_bound_fact3_chernoff(double m, double trials, double p)
{
    double mean = trials * p;
    if (!(m >= mean))
        return 0;
    if (m > trials)
        return -INFINITY;
    double failures = trials - m;
    double rest = failures > 0 ? failures * np_log((trials - mean) / failures) : 0;
    return fmin(0, (m > 0 ? m * np_log(mean / m) : 0) + rest);
}

double np_bound_fact3(double m, double mean)
{
    if (!(m >= mean) || !(m > 0))
        return 0;
    return fmin(0, m * np_log(mean / m) + m - mean);
}

double np_bound_fact4(double mean, double beta) { return beta >= 0 && beta <= 1 ? -beta * beta * mean / 3 : 0; }

double np_bound_fact4_printed(double mean, double beta) { return beta >= 0 && beta <= 1 ? -beta * beta * mean / 2 : 0; }
