/*
 * Leighton, Maggs, Ranade & Rao 1994: the probability that merging by random
 * ranks is slow (Theorems 2.9, 2.11 and 2.12), and that random paths are congested (Theorems
 * 4.1 and 4.2, Lemmas 5.3, 6.1 and 7.2), in natural logarithms.
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
 * Theorem 2.11. Lemma 2.10 cuts a sequence of w packets into a parts of at least
 * w/a. Fewer than a/2 parts have a subpath above 2l/a, and fewer than a/2 have
 * ranks that fall by more than 2R/a, so some part has neither. The paper takes
 * w/2a packets of the part, where w/a rounded down would do, and asks for w/a-wise
 * independence. We take s = floor(w/a) packets and ask for s-wise independence.
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
#include "verdict/bound/bound.h"

#include <math.h>

#include "base/polynomial.h"
#include "base/real.h"
#include "model/family/fat_tree.h"

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

/* ln of how much likelier than 1 / values a value of a random polynomial, modulo `values`, may be. */
static double hash_bias(double values) { return np_log1p(values / (double)NP_POLYNOMIAL_PRIME); }

/* The number of delay sequences of s packets in a part of 1/a of the whole, times the probability of each. */
static double part_of_sequence(const np_bound_leveled *network, double w, double s)
{
    double a = floor(w / s), R = floor(network->rank_range);
    if (a < 2)
        return np_bound_theorem29(network, w) + w * hash_bias(R);
    double l = floor(2 * (network->depth + floor(2 * w / network->queue_size)) / a), fall = floor(2 * R / a);
    double starts = np_log(network->depth + 1) + np_log(network->packets);
    double paths = l * np_log(2 * network->degree) + np_log_choose(l + s, s);
    double ranks = fall >= 1 ? rank_sequences(fall, s - 1) + (s - 1) * np_log(fall / R) : (1 - s) * np_log(R);
    return starts + paths + s * np_log(node_packets(network)) + ranks + s * hash_bias(R);
}

double np_bound_theorem211(const np_bound_leveled *network, double delay)
{
    enum { PACKETS_MAX = 4096 }; /* fewer packets than are independent make a bound, too */
    double w = floor(delay), best = 0, most = fmin(fmin(w, floor(network->independence)), PACKETS_MAX);
    if (!is_proved(network, w))
        return 0;
    if (w <= network->independence)
        best = fmin(best, part_of_sequence(network, w, w));
    for (double s = 1; s <= most; s++)
        if (s <= w / 2)
            best = fmin(best, part_of_sequence(network, w, s));
    return best;
}

/* Theorem 2.9 or 2.11, by the kind of ranks. */
static double late(const np_bound_leveled *network, double delay)
{
    return network->independence > 0 ? np_bound_theorem211(network, delay) : np_bound_theorem29(network, delay);
}

double np_bound_theorem212(const np_bound_leveled *network, double message_most, double delay)
{
    return message_most >= 1 ? late(network, floor(delay / floor(message_most))) : 0;
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

/* ---- Lemma 7.2 ---- */

/* ln P[more than c of n destinations have the same one of w labels], for k-wise independent labels. */
static double label_crowded(double n, double w, double k, double c)
{
    double least = floor(c) + 1, best = 0;
    if (least > n)
        return -INFINITY;
    for (double j = 1; j <= k && j <= least; j++) {
        double choose = np_log_choose(n, j) - np_log_choose(least, j);
        best = fmin(best, choose + j * (hash_bias(w) - np_log(w)));
    }
    return best;
}

double np_bound_fat_tree_congestion(const np_network *network, double load_factor, double congestion)
{
    double sum = -INFINITY;
    if (!np_fat_tree_is(network) || !(congestion >= 0))
        return 0;
    uint32_t m = np_fat_tree_height(network), fan = np_fat_tree_fan(network), grow = np_fat_tree_grow(network);
    double leaves = ldexp(1, (int)(fan * m)), k = fmax(2, grow * m);
    for (uint32_t l = 0; l < m; l++) {
        double w = ldexp(1, (int)(grow * (l + 1))), below = ldexp(1, (int)(fan * l)), load = floor(load_factor * w);
        double links = np_log(leaves / below * w);
        sum = np_log_add(sum, links + label_crowded(fmin(load, leaves - below), w, k, congestion));
        sum = np_log_add(sum, links + label_crowded(fmin(load, below), w, k, congestion));
    }
    return fmin(0, sum);
}

double np_bound_lemma72(const np_network *network, double load_factor, double same, const np_bound_leveled *leveled,
                        double steps)
{
    np_bound_leveled at = *leveled;
    double best = 0;
    if (!np_fat_tree_is(network) || !(same >= 1))
        return 0;
    at.depth = 2 * np_fat_tree_height(network);
    at.node_packets = 0; /* packets begin on the first level and end on the last */
    for (double c = 1;; c++) {
        at.congestion = same * c;
        double slow = late(&at, steps - at.depth - 1);
        if (slow >= best)
            return best;
        best = fmin(best, np_log_add(slow, np_bound_fat_tree_congestion(network, load_factor, c)));
    }
}
