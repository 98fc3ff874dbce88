/*
 * Ranade 1987a, sections 5 and 8: the delay of the Router after constrained randomization.
 *
 * The paper encodes runs. In a late run C messages meet a path. This path can be named in few bits, and naming these
 * messages tells the random bits of their paths in the Randomizer. The gain in bits is at least the logarithm of the
 * run's improbability. The same counting is a union bound and needs no code:
 *   x = 1  the slowest message M and its intermediate destination: N N choices, of probability
 *          1/N each. C messages leave M's path, C_i of them at an i-switch. Each of these is one of 2^(i-1)
 *          (lemma 2) and is where it is with probability 2^-i; all these
 *          events are of different switches (theorem 1). So
 *            P <= N [z^C] prod_i (1 + z 2^-i)^(2^(i-1))
 *   x > 1  a distinguished path: N N choices; n-1 boundaries among its n+x-1 groups:
 *          C(n+x-2, n-1); C_j messages of group j at an i-switch, each one of
 *          2^(i-1) and there with probability 2^-(i-1). So
 *            P <= N^2 C(n+x-2, n-1) [z^C] e^(z (n+x-1))
 * Here [z^C] f, the coefficient of z^C in f, is at most f(z) / z^C for every z > 0.
 *
 * The paper's arithmetic.
 *   5.2, 8.2  "2 log C_i" bits for a count fail for C_i = 0, and the logarithm of a binomial must
 *             be rounded up. With 2 log(C_i + 1) + 2 instead, section 5.4 still holds for K >= 8.
 *             As printed, the sums are wrong for C < n + x - 1: n = 7, x = 1, C = 1 gains 22 bits.
 *   5.4       C log(K/e) > 2n log K + 2n needs K > 6.2 only.
 *   8.2       it counts n+x groups and sums over n+x; there are n+x-1 (section 8).
 *   8.4       "C/2 >= Kn" is 2n <= n+x-1. So the proof needs x > n, as the paper says when it
 *             drops x log(e(n+x-1)/x), and the claim for fewer sets does not follow: for n = 10,
 *             x = 2, K = 9 the gain is 62 bits, not 90. np_bound_constrained gives N^-K for all x.
 */
#include "netpram/theory.h"

#include <math.h>

#include "base/real.h"

/* ln of the least value over z of z^-C prod_i (1 + z 2^-i)^(2^(i-1)). This ln is convex in ln z. */
static double log_coefficient(uint32_t n, double messages)
{
    double low = -10, high = 100, value = 0;
    for (int round = 0; round < 200; round++) {
        double u = (low + high) / 2, z = np_exp(u), slope = -messages;
        value = -messages * u;
        for (uint32_t i = 1; i <= n; i++) {
            double share = z * ldexp(1, -(int)i), choices = ldexp(1, (int)i - 1);
            value += choices * np_log1p(share);
            slope += choices * share / (1 + share);
        }
        if (slope < 0)
            low = u;
        else
            high = u;
    }
    return value; /* a bound at every z, so it need not be exactly the least */
}

double np_bound_constrained(uint32_t stages, uint32_t sets, double delay)
{
    double n = stages, x = sets, groups = n + x - 1, messages = ceil(delay);
    if (!(messages > 0) || !stages || !sets)
        return 0;
    if (sets == 1)
        /* At most 2^n - 1 messages can meet a message. */
        return messages >= ldexp(1, (int)stages) ? -INFINITY : fmin(0, n * NP_LN2 + log_coefficient(stages, messages));
    if (messages < groups)
        return 0;
    return fmin(0, 2 * n * NP_LN2 + np_log_choose(groups - 1, n - 1) + messages * (1 + np_log(groups / messages)));
}

double np_bound_constrained_gain(uint32_t stages, uint32_t sets, double messages)
{
    const double log2_e = 1.44269504088896340736;
    double n = stages, x = sets, groups = n + x - 1, each = messages / groups;
    if (!(messages > 0) || !stages || !sets)
        return 0;
    double common = messages * (np_log2(each) - log2_e) - 2 * groups * np_log2(each);
    if (sets == 1)
        return messages + common - 2 * n;
    return common - groups - x * (log2_e + np_log2(groups / x)) - 2 * n;
}

double np_bound_constrained_claim(uint32_t stages, uint32_t sets, double K)
{
    return K >= (sets > 1 ? 9 : 8) ? -K * stages * NP_LN2 : 0;
}
