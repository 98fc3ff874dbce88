/*
 * Theorems 1 and 2 and Examples 1-5 of Valiant & Brebner 1981, sections 5
 * and 6, in natural logarithms.
 *
 * The argument of both theorems: a fixed packet's route R of r hops is met by
 * other packets in independent trials whose probabilities sum to at most
 * `met` = r h eta / d (equation 4) or r h n / (d - 1) (equation 4'), and by
 * Fact 1 a packet is delayed at most once by each packet that meets its
 * route. So P[delay >= Delta] <= (e met / Delta)^Delta, times T packets.
 *
 * Corrections of the paper as printed.
 *   Proof of Theorem 1: line (3) has n for eta, and the line before (5) has
 *   e^-Delta where Fact 3 gives e^(Delta - met) <= e^Delta; (5) itself is right.
 *   Theorem 2: the modified scheme is nonrepeating only up to links that two
 *   routes use in opposite orders (tests/unit/test_check.c has two such routes).
 *   The proof does not treat these; see docs/bounds.md.
 *   Examples 1 and 2: "for all K >= 2.5 this is at most 4^(-Kn) 2^n <= N^-K"
 *   needs e / 2K <= 1/4, that is K >= 2e = 5.44. At K = 2.5 the bound is
 *   N^-1.198. It is at most N^-K exactly when K (log2(2K/e) - 1) >= 1, from
 *   K = 3.3444 on.
 *   Example 3: the factor printed n^(log2 n) is T = h N = n^n log2 n, as the
 *   next line's 2^(2 n log2 n) shows.
 */
#include "verdict/bound/bound.h"

#include <math.h>

#include "base/real.h"

double np_bound_meeting(double met, double log_packets, double delta)
{
    if (!(delta > 0))
        return 0;
    if (!(met > 0))
        return -INFINITY; /* there is no packet to meet */
    return fmin(0, delta * (1 + np_log(met / delta)) + log_packets);
}

double np_bound_theorem1(const np_bound_scheme *scheme, double delta)
{
    double met = scheme->route_mean * scheme->route_max * scheme->relation / scheme->degree;
    return np_bound_meeting(met, np_log(scheme->packets), delta);
}

double np_bound_theorem2(double degree, double digits, double relation, double packets, double delta)
{
    return degree > 1 ? np_bound_meeting(relation * digits * digits / (degree - 1), np_log(packets), delta) : 0;
}

/* Examples 1 (h = 1) and 2: time n + K h n on the n-cube, d = mu = n, eta = n/2. */
static np_bound_example cube(double n, double K, double h)
{
    np_bound_example e = {.delta = K * h * n, .nodes = n * NP_LN2};
    e.bound = np_bound_meeting(n / 2 * n * h / n, np_log(h) + e.nodes, e.delta);
    e.claim = np_log(h) - K * h * e.nodes;
    return e;
}

/* Examples 3-5: n digits, h packets a node. */
static np_bound_example shuffle(double d, double n, double h, double delta, double claim_exponent)
{
    np_bound_example e = {.delta = delta, .nodes = n * np_log(d)};
    e.bound = np_bound_meeting(h * n * n / (d - 1), np_log(h) + e.nodes, delta);
    e.claim = -claim_exponent * e.nodes;
    return e;
}

np_bound_example np_bound_example_get(int example, double n, double K, double relation)
{
    double lg = np_log2(n);
    switch (example) {
    case 1:
        return cube(n, K, 1);
    case 2:
        return cube(n, K, relation);
    case 3:
        return shuffle(n, n, lg, K * n * lg, K);
    case 4:
        return shuffle(n, n, 1, K * n * lg / np_log2(lg), K / 2);
    default:
        return shuffle(n / lg, n, 1, K * n * lg, K);
    }
}

uint32_t np_bound_oblivious(uint32_t nodes, uint32_t degree)
{
    uint64_t before = 0; /* k - 1 */
    if (nodes < 2 || !degree)
        return 0;
    while ((1 + degree * before) * (1 + degree * before) < nodes)
        before++;
    return (uint32_t)before;
}
