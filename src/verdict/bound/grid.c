/*
 * Theorems 3 and 4: routing in grids (Valiant & Brebner 1981, section 8), as
 * explicit bounds. The paper states that a constant C < 1 exists. Its proof
 * gives the numbers, and this file computes them.
 *
 * The argument, for a packet at coordinate s (1..n) of its line that moves
 * towards n. By the rule that packets that have moved go first, a moving packet
 * is never delayed. So the packet waits only while others that started at
 * coordinates 1..s pass, each once. It has n - s steps to move. So if it takes
 * more than n + g steps, at least s + g others started at these s nodes. The
 * number of others is a sum of independent trials with mean h s:
 *   before A_m and Z  h s q trials of probability 1/q, q = product of the sides m+1 .. k;
 *   before B_m        h q trials of probability s/q,   q = product of the sides m .. k.
 * Packets that move the other way are the mirror image. A partial h-relation
 * has fewer trials.
 *
 * Symbols: n side, k dimensions, m dimension of the phase, h relation, q spread,
 * T packets, B the binomial tail, (*) its bound (s/(s+g))^(s+g) e^g.
 *
 * Where we depart from the paper.
 *   Sides may differ, and h may be above 1 ("generalizations are easy").
 *   The proof bounds (*) by (e/3)^g for g > 2s, (e/2^1.5)^g for 2s >= g >= s and,
 *   by Fact 4, e^(-g^2/2s) for s >= g. Fact 4 does not hold as printed (tail.c):
 *   read e^(-g^2/3s). With g = K n^(3/4) all three bounds are still below
 *   C^(K sqrt n) for K >= 1, so both theorems hold, with another constant. They
 *   also need n or K large enough to absorb the factor of n^2 packets.
 *   "B(n^(k-m), f, n^(m-k))" in the paragraph on storage has its arguments in
 *   another order than section 3: B(f, n^(k-m), n^(m-k)) is meant. The paragraph
 *   also counts one packet in transit at a node; lines carry packets both ways,
 *   so there are two.
 *   With one packet a node the first phase has no delay at all. The expression
 *   B(s+g, s, 1) = 0 says this for the phase's time, np_bound_grid_delay for its
 *   delay.
 */
#include "netpram/theory.h"

#include <math.h>

#include "base/real.h"

/* Product of sides m .. k (dimensions are numbered from 1). */
static uint64_t spread_from(uint32_t m, uint32_t dimensions, const uint32_t *side)
{
    uint64_t product = 1;
    for (; m <= dimensions; m++)
        product *= side[m - 1];
    return product;
}

np_bound_grid_phase np_bound_grid_phase_at(uint32_t dimensions, const uint32_t *side, uint32_t relation, double packets,
                                           uint32_t index)
{
    bool correcting = index >= dimensions;
    uint32_t m = correcting ? index - dimensions + 2 : dimensions - index;
    np_bound_grid_phase phase = {side[m - 1], relation, spread_from(correcting ? m : m + 1, dimensions, side),
                                 correcting, packets};
    return phase;
}

/* True at the start of the scheme with one packet a node: then packets flow without delay. */
static bool flows(const np_bound_grid_phase *phase)
{
    return !phase->correcting && phase->spread == 1 && phase->relation <= 1;
}

/* ln P[at least `count` packets started at the first s nodes of a line]. */
static double crowd(const np_bound_grid_phase *phase, uint32_t s, double count)
{
    double q = (double)phase->spread, mean = (double)phase->relation * s;
    double trials = (double)phase->relation * (phase->correcting ? 1 : s) * q;
    if (count > trials)
        return -INFINITY;
    if (trials > 1e18) /* beyond 64 bits: take the bound without the number of trials */
        return np_bound_fact3(count, mean);
    return np_bound_tail((uint64_t)count, (uint64_t)trials, phase->correcting ? s / q : 1 / q);
}

/*
 * The largest tail at s + g over all s, times T. Tails grow with s where they
 * matter. So start from the last s that can move. (*) is cheap and never
 * smaller than the tail, so skip every s whose (*) is not above the best tail.
 */
static double slowest(const np_bound_grid_phase *phase, double g, bool exact)
{
    double best = -INFINITY, factor = np_log(phase->packets);
    if (g < 0)
        return 0;
    if (flows(phase))
        return -INFINITY;
    g = ceil(g);
    for (uint32_t s = phase->side - 1; s >= 1 && best + factor < 0; s--) {
        double simple = np_bound_fact3(s + g, (double)phase->relation * s);
        if (simple > best)
            best = fmax(best, exact ? crowd(phase, s, s + g) : simple);
    }
    return fmin(0, best + factor);
}

double np_bound_grid_steps(const np_bound_grid_phase *phase, double g) { return slowest(phase, g, true); }

double np_bound_grid_steps_simple(const np_bound_grid_phase *phase, double g) { return slowest(phase, g, false); }

double np_bound_grid_delay(const np_bound_grid_phase *phase, double delay)
{
    if (!(delay > 0))
        return 0;
    if (flows(phase) || phase->side < 2)
        return -INFINITY;
    /* The tail at a fixed number grows with s: only the last s that can move counts. */
    return fmin(0, crowd(phase, phase->side - 1, ceil(delay)) + np_log(phase->packets));
}

double np_bound_theorem4(uint32_t dimensions, const uint32_t *side, uint32_t relation, double packets, double g,
                         bool exact)
{
    double sum = -INFINITY;
    for (uint32_t i = 0; i < 2 * dimensions - 1; i++) {
        np_bound_grid_phase phase = np_bound_grid_phase_at(dimensions, side, relation, packets, i);
        sum = np_log_add(sum, slowest(&phase, g, exact));
    }
    return fmin(0, sum);
}

double np_bound_grid_time(const np_bound_grid_phase *phase, double g) { return phase->side + (flows(phase) ? 0 : g); }

static double timed_steps(uint32_t dimensions, const uint32_t *side, uint32_t relation, double g)
{
    double sum = 0;
    for (uint32_t i = 0; i < 2 * dimensions - 1; i++) {
        np_bound_grid_phase phase = np_bound_grid_phase_at(dimensions, side, relation, 0, i);
        sum += np_bound_grid_time(&phase, g);
    }
    return sum;
}

/* The least whole g at which the fallback is expected to take at most one step. */
static double slack(uint32_t dimensions, const uint32_t *side, uint32_t relation, double packets, double fallback)
{
    double low = -1, high = 1, enough = -np_log(fmax(fallback, 1));
    while (np_bound_theorem4(dimensions, side, relation, packets, high, true) > enough)
        high *= 2;
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        if (np_bound_theorem4(dimensions, side, relation, packets, middle, true) > enough)
            low = middle;
        else
            high = middle;
    }
    return high;
}

np_bound_timed np_bound_theorem4_timed(uint32_t dimensions, const uint32_t *side, uint32_t relation, double packets,
                                       double g)
{
    np_bound_timed timed = {.g = floor(g)};
    for (uint32_t i = 0; i < dimensions; i++)
        timed.fallback += side[i] - 1.0 + fmax(packets - 1, 0);
    if (g < 0)
        timed.g = slack(dimensions, side, relation, packets, timed.fallback);
    timed.steps = timed_steps(dimensions, side, relation, timed.g);
    timed.failure = np_bound_theorem4(dimensions, side, relation, packets, timed.g, true);
    timed.expected = timed.steps + timed.fallback * np_exp(timed.failure);
    return timed;
}

/*
 * At an instant within a phase a node holds S packets that started there, F
 * packets that finish there, and at most 2 in transit. If these are f or more,
 * then S or F is at least (f-2)/2. Each of the 2k boundaries between phases is
 * counted once.
 */
double np_bound_grid_population(uint32_t dimensions, const uint32_t *side, uint32_t relation, double nodes, double f)
{
    double half = ceil((f - 2) / 2), sum = -INFINITY;
    if (!(half >= 1))
        return 0;
    for (uint32_t i = 0; i < dimensions; i++) {
        np_bound_grid_phase before = np_bound_grid_phase_at(dimensions, side, relation, 0, i);
        double boundary = crowd(&before, 1, half); /* at one node; phase B has the same boundary */
        sum = np_log_add(sum, boundary + NP_LN2);
    }
    return fmin(0, sum + np_log(nodes));
}
