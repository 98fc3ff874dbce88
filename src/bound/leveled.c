/*
 * Leighton, Maggs, Ranade & Rao 1994: the probability that merging by random
 * ranks is slow (Theorem 2.9), and that random paths are congested (Theorems
 * 4.1 and 4.2, Lemmas 5.3 and 6.1), in natural logarithms.
 *
 * Symbols: L depth, Delta degree, N packets, c congestion, q queue size, R
 * range of the ranks, w delay; h relation; M_i sides.
 *
 * Congestion. Independent packets use an edge: at most n of them may, each with
 * probability at most p. So more than c use the edge with probability at most
 * B(c+1, n, p). Multiply by the number of edges.
 *
 * Theorem 2.9. Step t of the paper is our step t + 1: the paper numbers steps
 * from 0, and a packet that never waits leaves level i at step i. The paper's
 * proof counts at most Delta c packets at a node. But Delta c packets may come
 * in, and if they end there, as many others may start there. node_packets says
 * how many packets there are.
 *
 * Lemma 6.1. "The calculation for the second half is identical" if the sides
 * are equal. In the first half, packets from M_1 .. M_i places may use an edge of
 * dimension i, with probability 1 / (M_1 .. M_(i-1)). In the second half, packets
 * for M_i .. M_k places may use it, with probability 1 / (M_(i+1) .. M_k). In each
 * half a dimension has at most two edges for each of the N nodes.
 *
 * Butterflies. Packets of 2^i rows can reach an edge from stage i to i + 1. A
 * packet uses the edge if i + 1 bits of its random row are right.
 */
#include "bound/bound.h"

#include <math.h>

#include "base/real.h"

/* ln n! for a whole number n. */
static double log_factorial(double n) { return np_log_gamma(n + 1); }

/* ln of C(R+w, w) / R^w, without the cancellation of factorials when R is large. */
static double rank_sequences(double ranks, double w)
{
    return (ranks + w + 0.5) * np_log1p(w / ranks) - w + np_stirling_error(ranks + w) - np_stirling_error(ranks) -
           log_factorial(w);
}

static double node_packets(const np_bound_leveled *network)
{
    return network->node_packets > 0 ? network->node_packets : network->degree * network->congestion;
}

static bool is_proved(const np_bound_leveled *network, double w)
{
    return w >= 1 && network->queue_size >= 2 && network->degree >= 1 && network->rank_range >= 1 &&
           network->packets >= 1;
}

double np_bound_theorem29(const np_bound_leveled *network, double delay)
{
    double w = floor(delay), R = floor(network->rank_range);
    if (!is_proved(network, w))
        return 0;
    double length = network->depth + floor(2 * w / network->queue_size);
    double starts = np_log(network->depth + 1) + np_log(network->packets);
    double paths = length * np_log(2 * network->degree) + np_log_choose(length + w, w);
    return fmin(0, starts + paths + w * np_log(node_packets(network)) + rank_sequences(R, w));
}

double np_bound_theorem29_simple(const np_bound_leveled *network, double delay)
{
    double w = floor(delay), grow = np_log(network->degree) + 3 * NP_LN2;
    if (!is_proved(network, w) || !(network->rank_range >= w))
        return 0;
    double each = 2 * grow / network->queue_size + 2 * NP_LN2 + 1 + np_log(node_packets(network) / w);
    return fmin(0, np_log(network->packets) + grow * network->depth + w * each);
}

/* ln of a bound on P[more than c of the trials succeed, at some of the edges]. */
static double edges_congested(double log_edges, double trials, double p, double c)
{
    if (!(c >= 0) || trials >= 0x1p63)
        return 0;
    return c >= trials ? -INFINITY : log_edges + np_bound_tail((uint64_t)c + 1, (uint64_t)trials, p);
}

double np_bound_array_congestion(uint32_t dimensions, const uint32_t *side, uint32_t relation, double congestion)
{
    double nodes = 1, sum = -INFINITY, before = 1;
    for (uint32_t i = 0; i < dimensions; i++)
        nodes *= side[i];
    for (uint32_t i = 0; i < dimensions; i++) {
        double upto = before * side[i], after = nodes / upto; /* sides before i, up to i, after i */
        double edges = np_log(2 * nodes);
        sum = np_log_add(sum, edges_congested(edges, relation * upto, 1 / before, congestion));
        sum = np_log_add(sum, edges_congested(edges, relation * (nodes / before), 1 / after, congestion));
        before = upto;
    }
    return fmin(0, sum);
}

double np_bound_array_congestion_simple(uint32_t dimensions, const uint32_t *side, uint32_t relation, double congestion)
{
    double log_nodes = 0, longest = 0;
    for (uint32_t i = 0; i < dimensions; i++) {
        log_nodes += np_log(side[i]);
        longest = fmax(longest, side[i]);
    }
    return np_bound_meeting(relation * longest, np_log(4.0 * dimensions) + log_nodes, congestion);
}

/* All stages of a butterfly with row_packets packets a row. */
static double stages_congested(uint32_t levels, double row_packets, double congestion)
{
    double sum = -INFINITY;
    for (uint32_t i = 0; i < levels; i++)
        sum = np_log_add(
            sum, edges_congested((levels + 1) * NP_LN2, ldexp(row_packets, (int)i), ldexp(1, -(int)i - 1), congestion));
    return sum;
}

double np_bound_butterfly_congestion(uint32_t levels, uint32_t relation, double congestion)
{
    double row_packets = (double)relation * levels;
    if (!(congestion >= row_packets)) /* all may pass through one link of the linear arrays */
        return 0;
    return fmin(0, NP_LN2 + stages_congested(levels, row_packets, congestion));
}

double np_bound_butterfly_io_congestion(uint32_t levels, uint32_t relation, double congestion)
{
    return fmin(0, stages_congested(levels, relation, congestion));
}

double np_bound_shuffle_exchange_congestion(uint32_t digits, double load, double edges, double congestion)
{
    double most = -INFINITY, c = floor(congestion);
    if (!(c >= load)) /* all packets of a necklace may go straight on, over one edge */
        return 0;
    for (uint32_t l = 0; l <= digits; l++) {
        double term = np_log_choose(floor(ldexp(load, (int)l)), c) + c * fmin(0, np_log(5) - l * NP_LN2);
        most = fmax(most, term);
    }
    return fmin(0, np_log(edges) + most);
}
