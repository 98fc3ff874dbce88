/*
 * The theorems of Valiant & Brebner 1981 for a phase of a scheme: whether they apply, and what they say there. A
 * scheme's descriptor names the function of its theorem (np_scheme.bound), and np_bound_for asks it.
 *
 * Theorem 1 needs a scheme that is oblivious, nonrepeating and symmetric.
 *   cubes: section 4 proves all three.
 *   cubess: the paper does not say it, but all three hold. Two packets that
 *     share a link of dimension i go on in the same cyclic order of dimensions.
 *     Let j be the first dimension where their sets of dimensions differ: there
 *     either one packet has ended, or one crosses j and the other passes it.
 *     From then on the packets differ in bit j, which neither crosses again. For
 *     each k the argument of section 4 gives h/2 packets a link, so h/2 is also
 *     the average.
 *   basic: not nonrepeating. Orders 1,2,3,4 and 1,3,2,4 of the same packet pair
 *     share the links of dimensions 1 and 4 but not the links between.
 *   valiant: equal to cubes on the n-cube and to mshuffle on the d-way shuffle,
 *     if its paths are the shortest paths, the default there.
 */
#include "verdict/bound/bound.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "model/network/network.h"

static const char SECTION_4[] = "Valiant & Brebner 1981, sections 4 and 5";
static const char SECTION_6[] = "Valiant & Brebner 1981, section 6";
static const char SECTION_8[] = "Valiant & Brebner 1981, section 8";

static const char no_phase[] = "the scheme has no phase of that name";

static bool is(const char *a, const char *b) { return !strcmp(a, b); }

static void refuse(np_bound *out, const char *reason) { out->reason = reason; }

/* The phases of two-phase routing on a network of the kind. */
static bool is_phase(const np_network *network, np_kind kind, const char *phase, np_bound *out)
{
    if (!is(phase, "A") && !is(phase, "B"))
        refuse(out, no_phase);
    else if (np_network_is(network, kind))
        return true;
    return false;
}

static void by_theorem1(const np_network *network, uint32_t h, const char *phase, const char *paths, np_bound *out)
{
    uint32_t n = network->dimensions;
    if (!is_phase(network, NP_KIND_HYPERCUBE, phase, out))
        return;
    out->applies = true;
    out->theorem = "Theorem 1";
    out->formula = "(e eta mu h / (Delta d))^Delta T with d = mu = n, eta = n/2";
    out->source = SECTION_4;
    out->paths = paths;
    out->base = n;
    out->met = 0.5 * n * h;
}

void np_bound_cubes(const np_network *network, uint32_t h, const char *phase, np_bound *out)
{
    by_theorem1(network, h, phase, "dimension-order", out);
}

void np_bound_cubess(const np_network *network, uint32_t h, const char *phase, np_bound *out)
{
    by_theorem1(network, h, phase, "cyclic-order", out);
}

void np_bound_mshuffle(const np_network *network, uint32_t h, const char *phase, np_bound *out)
{
    double n = network->dimensions, d = np_network_ports(network);
    if (!is_phase(network, NP_KIND_SHUFFLE, phase, out))
        return;
    if (d < 2) {
        refuse(out, "Theorem 2 needs d >= 2");
        return;
    }
    out->applies = true;
    out->theorem = "Theorem 2";
    out->formula = "(e h n^2 / ((d-1) Delta))^Delta T";
    out->source = SECTION_6;
    out->paths = "shortest-shift";
    out->base = network->dimensions;
    out->met = h * n * n / (d - 1);
}

/* The phase's index, where "A", "B" are the phases of the outermost of k dimensions; -1 for another name. */
static int grid_index(uint32_t k, const char *name)
{
    uint32_t m = 0;
    if (is(name, "Z") || (k == 1 && is(name, "route")))
        return (int)k - 1;
    if (name[0] != 'A' && name[0] != 'B')
        return -1;
    for (const char *digit = name + 1; *digit; digit++) {
        if (*digit < '0' || *digit > '9' || m > NP_MAX_DIMENSIONS)
            return -1;
        m = 10 * m + (uint32_t)(*digit - '0');
    }
    if (!name[1])
        m = k;
    if (m < 2 || m > k)
        return -1;
    return name[0] == 'A' ? (int)(k - m) : (int)(k + m - 2);
}

void np_bound_valiant(const np_network *network, uint32_t h, const char *phase, np_bound *out)
{
    refuse(out, "the paper has theorems for its default paths on the n-cube and the d-way shuffle only");
    if (np_network_is(network, NP_KIND_HYPERCUBE))
        np_bound_cubes(network, h, phase, out);
    else
        np_bound_mshuffle(network, h, phase, out);
}

/* The paper's dimension m is coordinate k - m of a mesh: the first coordinate is randomized first. */
void np_bound_grid(const np_network *network, uint32_t h, const char *phase, np_bound *out)
{
    uint32_t k = network->dimensions, side[NP_MAX_DIMENSIONS];
    int index = grid_index(k, phase);
    if (!np_network_is(network, NP_KIND_OPEN_GRIDS))
        return;
    if (index < 0) {
        refuse(out, no_phase);
        return;
    }
    for (uint32_t m = 1; m <= k; m++)
        side[m - 1] = network->side[k - m];
    out->applies = true;
    out->theorem = k <= 2 ? "Theorem 3 (its proof)" : "Theorem 4 (its proof)";
    out->formula = "P[more than n + g steps] <= T max_s B(s+g, ...), B the exact binomial tail of section 8";
    out->source = SECTION_8;
    out->paths = "dimension-order";
    out->queue = "moved-first";
    out->measure = NP_BOUND_STEPS;
    out->grid = true;
    out->phase = np_bound_grid_phase_at(k, side, h, out->packets, (uint32_t)index);
    out->base = out->phase.side;
}

static np_bound_value value_of(double logarithm) { return (np_bound_value){np_exp(logarithm), logarithm / NP_LN10}; }

static double log_delay(const np_bound *bound, double delta)
{
    if (!bound->applies)
        return 0;
    if (bound->grid)
        return np_bound_grid_delay(&bound->phase, delta);
    if (bound->lines)
        return 0;                                                             /* bounds steps only */
    return np_bound_meeting(bound->met, np_log(bound->packets), ceil(delta)); /* delays are whole */
}

static double log_steps(const np_bound *bound, double excess)
{
    if (!bound->applies || !(excess >= 0))
        return 0;
    if (bound->grid)
        return np_bound_grid_steps(&bound->phase, floor(excess));
    if (bound->lines)
        return np_bound_k_k_steps(bound->lines, bound->relation, bound->line_phase, bound->base + floor(excess));
    /* No route is longer than base, so a packet that is later was delayed more than `excess`. */
    return log_delay(bound, floor(excess) + 1);
}

np_bound_value np_bound_delay(const np_bound *bound, double delta) { return value_of(log_delay(bound, delta)); }

np_bound_value np_bound_steps(const np_bound *bound, double excess) { return value_of(log_steps(bound, excess)); }

np_bound_value np_bound_at(const np_bound *bound, np_bound_measure measure, double x)
{
    return measure == NP_BOUND_STEPS ? np_bound_steps(bound, x) : np_bound_delay(bound, x);
}

/* The first whole x >= 1 at which the bound is below 10^exponent. The bound does not grow with x. */
static double first_below(const np_bound *bound, np_bound_measure measure, double exponent)
{
    const double highest = 0x1p40; /* no delay is longer: steps have 32 bits */
    double low = 0, high = 1;
    while (high < highest && np_bound_at(bound, measure, high).log10 >= exponent) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        if (np_bound_at(bound, measure, middle).log10 >= exponent)
            low = middle;
        else
            high = middle;
    }
    return high;
}

size_t np_bound_ladder(const np_bound *bound, np_bound_measure measure, size_t capacity, double *x)
{
    if (!bound->applies || capacity < 3)
        return 0;
    double top = first_below(bound, measure, -9), turn = first_below(bound, measure, 0);
    size_t count = 0, lower = capacity / 2;
    for (size_t i = 0; i < capacity; i++) {
        double rung = i < lower ? np_power(turn, (double)i / (double)lower)
                                : turn + (top - turn) * (double)(i - lower) / (double)(capacity - 1 - lower);
        rung = count ? fmax(round(rung), x[count - 1] + 1) : 1;
        if (rung <= top)
            x[count++] = rung;
    }
    x[count - 1] = top;
    return count;
}
