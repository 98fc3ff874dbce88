/*
 * Routing along the lines of grids, one dimension a phase, farthest first (Sibeyn, lecture notes, routing and using
 * randomization): the time that any traffic takes at most, and the time that scheme k-k takes with high probability.
 *
 * The lemma of the linear array (array_time.c) gives the time of a phase: the largest r(i,j) + j - i - 1 over all lines
 * and both ways. Here r(i,j) packets of a line go from place i or before to place j or behind.
 *
 * Any traffic. A colour corrects its dimensions in a fixed order. Let q be the product of the sides corrected before
 * its phase p, and q' the product of the sides left after it. At most h q packets are at a node (they came from q
 * nodes), and at most h q' packets go to a node (they go on to q' nodes). Let m = h min(q, q'). Then r(i,j) <= m (i+1)
 * or r(i,j) <= m (n-j), so the phase takes at most m (n-1) steps. For a permutation both phases of n x n take n-1
 * steps. On a ring ways have at most floor(n/2) hops, so r(i,j) <= m (floor(n/2) - (j-i) + 1), and the phase takes at
 * most m floor(n/2) steps.
 *
 * k-k. Phase A of dimension x, colour c, p dimensions done. A packet is of colour c with probability 1/d, is on a given
 * line with 1/q, and goes to place j or behind with (n-j)/n, independently. h q (i+1) packets may start at places 0..i.
 * So r(i,j) is at most the number of successes in h q (i+1) trials of probability (n-j)/(q n d). Phase B is the mirror
 * image: h q' (n-j) packets may go to places j.., each comes from 0..i with probability (i+1)/n, and is on the line
 * with 1/q', where q' is the product of the sides not yet corrected, without this one. P[some line takes more than t
 * steps] is at most the sum of the tails at t - (j-i-1) + 1 over all lines, both ways, and all i < j.
 *
 * Symbols: d dimensions, n side, h relation (the notes' k), p phase, c colour, r as above.
 *
 * k-k-short: the phases of k-k but the last of phase A, and the one after it takes max{n, kn/2d}
 * (papers/grids/lines.c).
 *
 * Beyond the notes: everything but 2n - 2 and max{4n, kn/2} + o(kn).
 * Lines of more than BLOCKS places would take too long. There places are taken together in blocks, and each block
 * counts as the worst of its places.
 */
#include "verdict/bound/bound.h"

#include <math.h>

#include "base/real.h"
#include "model/network/network.h"

enum { BLOCKS = 64 }; /* ours: at most 2080 tails a dimension, which take milliseconds */

/* The product of the sides of dimensions colour + first, .., colour + last - 1 (modulo d). */
static double sides(const np_network *network, uint32_t colour, uint32_t first, uint32_t last)
{
    double product = 1;
    for (; first < last; first++)
        product *= network->side[(colour + first) % network->dimensions];
    return product;
}

double np_bound_lines_worst(const np_network *network, uint32_t relation, uint32_t colours, uint32_t phase)
{
    uint32_t d = network->dimensions;
    double most = 0;
    for (uint32_t colour = 0; colour < colours; colour++) {
        double before = sides(network, colour, 0, phase), after = sides(network, colour, phase + 1, d);
        uint32_t n = network->side[(colour + phase) % d];
        most = fmax(most, relation * fmin(before, after) * (np_network_wraps(network) ? n / 2 : n - 1));
    }
    return most;
}

double np_bound_k_k(const np_network *network, uint32_t relation)
{
    double n = 0, ways = 0;
    for (uint32_t i = 0; i < network->dimensions; i++) {
        n = fmax(n, network->side[i]);
        ways += network->side[i];
    }
    return np_network_wraps(network) ? fmax(ways, relation * n / 4) : fmax(2 * ways, relation * n / 2);
}

double np_bound_k_k_short(const np_network *network, uint32_t relation)
{
    double d = network->dimensions, n = 0, half = np_network_wraps(network) ? 0.5 : 1;
    for (uint32_t i = 0; i < network->dimensions; i++)
        n = fmax(n, network->side[i]);
    return half * ((2 * d - 2) * fmax(n, relation * n / (4 * d)) + fmax(n, relation * n / (2 * d)));
}

/* ln P[at least `count` successes]: exactly where it may matter, else by Fact 3, which is never smaller. */
static double tail(double count, double trials, double p)
{
    double simple = np_bound_fact3(count, trials * p);
    if (count > trials)
        return -INFINITY;
    return simple < -80 || trials > 1e18 ? simple : np_bound_tail((uint64_t)count, (uint64_t)trials, p);
}

/* A line of a phase of k-k: the trials for each place that packets come from (in B: go to), and share = 1 / (q d). */
typedef struct line_kind {
    uint32_t side;
    bool to_destination;
    double trials, share;
} line_kind;

/* ln of the sum over i < j for one line, one way. */
static double slow_line(const line_kind *kind, double steps)
{
    uint32_t n = kind->side, blocks = n < BLOCKS ? n : BLOCKS;
    double sum = -INFINITY;
    for (uint32_t a = 0; a < blocks; a++)
        for (uint32_t b = a; b < blocks; b++) {
            uint32_t first = (uint32_t)((uint64_t)n * a / blocks), i = (uint32_t)((uint64_t)n * (a + 1) / blocks) - 1;
            uint32_t j = (uint32_t)((uint64_t)n * b / blocks), last = (uint32_t)((uint64_t)n * (b + 1) / blocks) - 1;
            if (first == last)
                continue;
            double low = i + 1, high = n - (j > first ? j : first + 1);
            double places = kind->to_destination ? high : low, other = kind->to_destination ? low : high;
            double count = fmax(1, steps - (last - first - 1) + 1);
            sum = np_log_add(sum, tail(count, kind->trials * places, kind->share * other / n));
        }
    return sum;
}

double np_bound_k_k_steps(const np_network *network, uint32_t relation, uint32_t phase, double steps)
{
    uint32_t d = network->dimensions, p = phase % d;
    bool to_destination = phase >= d;
    double sum = -INFINITY;
    for (uint32_t x = 0; x < d && sum < 0; x++) {
        uint32_t colour = (x + d - p) % d;
        double q = to_destination ? sides(network, colour, p + 1, d) : sides(network, colour, 0, p);
        line_kind kind = {network->side[x], to_destination, relation * q, 1 / (q * d)};
        double lines = (double)network->nodes / network->side[x];
        sum = np_log_add(sum, slow_line(&kind, floor(steps)) + np_log(2 * lines));
    }
    return fmin(0, sum);
}

/* "A1" .. "Ad", "B1" .. "Bd": the phase's number, -1 for another name. */
static int k_k_index(uint32_t d, const char *name)
{
    uint32_t number = 0;
    for (const char *digit = name + (*name != '\0'); *digit; digit++) {
        if (*digit < '0' || *digit > '9' || number > d)
            return -1;
        number = 10 * number + (uint32_t)(*digit - '0');
    }
    if ((name[0] != 'A' && name[0] != 'B') || number < 1 || number > d)
        return -1;
    return (int)(number - 1 + (name[0] == 'B' ? d : 0));
}

void np_bound_k_k_for(const np_network *network, uint32_t h, const char *phase, np_bound *out)
{
    int index = k_k_index(network->dimensions, phase);
    if (index < 0 || np_network_wraps(network)) {
        out->reason = index < 0 ? "the scheme has no phase of that name" : "the probabilities are those of meshes";
        return;
    }
    out->applies = true;
    out->theorem = "theorem on k-k routing (one phase, explicitly)";
    out->formula = "P[more than t steps] <= sum over lines and i < j of B(t - (j-i-1) + 1, ...), exact binomial tails";
    out->source = "Sibeyn, lecture notes, using randomization";
    out->paths = "dimension-order";
    out->queue = "farthest-first";
    out->measure = NP_BOUND_STEPS;
    out->lines = network;
    out->line_phase = (uint32_t)index;
    out->relation = h;
    for (uint32_t i = 0; i < network->dimensions; i++)
        out->base = network->side[i] > out->base ? network->side[i] : out->base;
}
