/*
 * The theorems as functions, and checkers for what their proofs need of a
 * scheme.
 */
#ifndef NETPRAM_THEORY_H
#define NETPRAM_THEORY_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/base.h"
#include "netpram/field.h"
#include "netpram/network.h"
#include "netpram/path.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Bounds: the theorems of Valiant & Brebner 1981 as functions, and those of Leighton,
 * Maggs, Ranade & Rao 1994 on leveled networks and of Ranade 1987a.
 *
 * Probabilities here fall below the smallest double (Theorem 1 gives 1e-300
 * on the 27-cube within reach), so every function returns the natural
 * logarithm of its bound: 0 stands for the bound 1, which says nothing;
 * -INFINITY stands for 0. Outside the range for which a bound is proved the
 * function returns 0, so that every value returned is a true bound.
 *
 * All functions are pure: no state, no allocation, any thread.
 */

/* ---- Facts 2-4 (section 3): tails of sums of trials ---- */

/**
 * ln B(m, N, p): the probability that at least m of N independent trials,
 * each with probability p, succeed. Exact, to about 1e-10 of its value.
 *
 * @param m       number of successes
 * @param trials  N
 * @param p       0..1
 * Cost: O(sqrt(N p)) terms, O(N) at worst.
 */
double np_bound_tail(uint64_t m, uint64_t trials, double p);

/**
 * Fact 2 (Hoeffding 1956): N independent trials of any probabilities that sum
 * to `mean` have at least m successes with probability at most B(m, N, mean/N).
 * Proved for m >= mean + 1.
 */
double np_bound_fact2(uint64_t m, uint64_t trials, double mean);

/** Fact 3, first line (Chernoff 1952): (Np/m)^m ((N-Np)/(N-m))^(N-m) for Np <= m <= N. */
double np_bound_fact3_chernoff(double m, double trials, double p);

/**
 * Fact 3, second line: (mean/m)^m e^(m-mean) for m >= mean. With m = s + g and
 * mean = s it is the expression (*) of section 8.
 */
double np_bound_fact3(double m, double mean);

/**
 * Fact 4 as it holds: B(mean (1+beta), N, p) <= e^(-beta^2 mean / 3) for
 * mean = N p and 0 <= beta <= 1 (Angluin & Valiant 1979).
 */
double np_bound_fact4(double mean, double beta);

/**
 * Fact 4 as printed, e^(-beta^2 mean / 2). NOT a bound on the upper tail:
 * B(100, 1000, 0.05) = 8.4e-11, and it gives 1.4e-11. Kept so that reports can
 * show the difference; it does bound the lower tail, of at most mean (1-beta)
 * successes.
 */
double np_bound_fact4_printed(double mean, double beta);

/* ---- Theorems 1 and 2 (sections 5 and 6): some packet is delayed by `delta` ---- */

/** The initialised scheme of Theorem 1; it must be oblivious, nonrepeating and symmetric. */
typedef struct np_bound_scheme {
    double degree;     /**< d */
    double route_max;  /**< mu, the longest route, in hops */
    double route_mean; /**< eta, the expected length of a route, in hops */
    double relation;   /**< h, packets a node */
    double packets;    /**< T: h N in Theorem 1; after deletions (Corollary 1) the number of packets left is
                            enough, since the proof adds up over them */
} np_bound_scheme;

/**
 * Theorem 1 and Corollary 1: the probability that some packet is delayed at
 * least delta steps is below (e eta mu h / (delta d))^delta T.
 *
 * The printed proof asks for delta > r h eta / d + 1 (r hops of the packet),
 * for Hoeffding's theorem. The final form needs no condition: Chernoff's
 * argument gives (5) for unequal trials directly when delta >= r h eta / d,
 * and for smaller delta the expression exceeds 1.
 */
double np_bound_theorem1(const np_bound_scheme *scheme, double delta);

/**
 * Theorem 2: the modified scheme for the d-way shuffle with d^n nodes;
 * (e h n^2 / ((d-1) delta))^delta T, with T = h N for a full h-relation.
 *
 * @param degree  d >= 2
 * @param digits  n
 */
double np_bound_theorem2(double degree, double digits, double relation, double packets, double delta);

/* ---- Theorems 3 and 4 (section 8): grids ---- */

/**
 * One phase of Route(n, k, m), on a mesh whose sides may differ: every packet
 * moves along one dimension, from an independent random node among `spread`.
 *
 * Lines have `side` nodes. The packets at the first s nodes of a line are
 * successes of
 *   h s spread trials of probability 1 / spread, if they were spread over the
 *   dimensions not yet corrected (before Phase A, and before the innermost
 *   phase), or
 *   h spread trials of probability s / spread, if they are still random in this
 *   dimension (before Phase B).
 */
typedef struct np_bound_grid_phase {
    uint32_t side;     /**< n, nodes of a line */
    uint32_t relation; /**< h */
    uint64_t spread;   /**< n^(k-m), before Phase B n^(k-m+1) */
    bool correcting;   /**< Phase B */
    double packets;    /**< T */
} np_bound_grid_phase;

/**
 * The phases of the k-dimensional scheme: 2k - 1 of them, A_k .. A_2, Z, B_2 .. B_k.
 *
 * @param dimensions  k >= 1
 * @param side        [k], side[m-1] is the side along dimension m; Phase A_k comes first
 * @param index       0 .. 2k-2
 */
np_bound_grid_phase np_bound_grid_phase_at(uint32_t dimensions, const uint32_t *side, uint32_t relation, double packets,
                                           uint32_t index);

/**
 * The phase takes more than side + g steps: T times the largest over s of the
 * exact tail B(s + g, ...). The precedence rule of section 8 is required
 * (packets that have moved go first).
 * @param g  may be negative, which gives 0
 */
double np_bound_grid_steps(const np_bound_grid_phase *phase, double g);

/** The same with the expression (*) in place of the exact tail: always at least as large. */
double np_bound_grid_steps_simple(const np_bound_grid_phase *phase, double g);

/**
 * Some packet is delayed at least `delay` steps in the phase. Follows from the
 * same proof but says little before delay reaches the side: the theorem is
 * about the sum of distance and delay.
 */
double np_bound_grid_delay(const np_bound_grid_phase *phase, double delay);

/**
 * Theorems 3 (k = 2) and 4: some packet has not finished in (2k-1)(n + g)
 * steps; for k = 2 and h = 1 the first phase has no delay, and 3n + 2g steps are enough.
 *
 * @param exact  by exact tails; else by (*), as the proof does
 */
double np_bound_theorem4(uint32_t dimensions, const uint32_t *side, uint32_t relation, double packets, double g,
                         bool exact);

/** The scheme of Theorem 4 with a fixed time for each phase. */
typedef struct np_bound_timed {
    double g;        /**< slack: a phase is given np_bound_grid_time, side + g */
    double steps;    /**< of all phases: (2k-1)(n + g); 3n + 2g of Theorem 3 */
    double failure;  /**< ln of the bound on the probability that some phase is not done in its time */
    double fallback; /**< F: most steps of the algorithm that takes over then */
    double expected; /**< steps + F times the probability: bound on the expected steps of all */
} np_bound_timed;

/**
 * The time that a phase is given: side + g; side alone where packets flow without delay, in the first phase if h = 1.
 */
double np_bound_grid_time(const np_bound_grid_phase *phase, double g);

/**
 * Theorems 3 and 4 as section 8 executes them: "the routing algorithm with each phase given n + g time. If a phase does
 * not finish in this time an arbitrary correct routing algorithm can be invoked for the remainder." Here packets then
 * take the dimensions in order, one after the other. In a dimension of side n a packet meets each of the others at most
 * once (Fact 1), so F = sum of (n - 1 + T - 1) is enough, whatever the traffic is.
 *
 * @param g  slack, at least 0 and whole; negative: the least for which the fallback adds at most one step to `expected`
 * @param others  as of np_bound_theorem4
 */
np_bound_timed np_bound_theorem4_timed(uint32_t dimensions, const uint32_t *side, uint32_t relation, double packets,
                                       double g);

/**
 * Section 8, storage: some node holds at least f packets at some instant of
 * the scheme. Between phases a node's packets are successes of h q trials of
 * probability 1/q. Within a phase a node has at most the packets that started
 * there, the packets that finished there, and two packets in transit, one in
 * either direction (the paper counts one).
 */
double np_bound_grid_population(uint32_t dimensions, const uint32_t *side, uint32_t relation, double nodes, double f);

/* ---- Leveled networks: Leighton, Maggs, Ranade & Rao 1994 ---- */

/** The input of Theorems 2.9 to 2.12: packets with given paths on a leveled network, scheduled by random ranks. */
typedef struct np_bound_leveled {
    double depth;        /**< L */
    double degree;       /**< Delta, most edges into or out of a node; at least 1 */
    double packets;      /**< N */
    double congestion;   /**< c, most packets over an edge */
    double node_packets; /**< most packets that begin at, pass or end at one node; 0: Delta c, the paper's count, which
                              is right unless packets begin and others end at the same node (2 Delta c always is) */
    double queue_size;   /**< q; nothing is proved for less than 2 */
    double rank_range;   /**< R */
    double independence; /**< k, if the ranks are k-wise independent, by a hash function of the destination (Theorem
                              2.11); 0: they are independent (Theorem 2.9) */
} np_bound_leveled;

/**
 * Theorem 2.9: some packet has not been consumed after L + 1 + delay steps (the
 * step in which it is consumed counts). The number of delay sequences times the
 * probability of each, before the proof simplifies it; with w = floor(delay):
 * (L+1) N (2 Delta)^l C(l+w, w) (Delta c)^w C(R+w, w) / R^w, l = L + floor(2w/q).
 */
double np_bound_theorem29(const np_bound_leveled *network, double delay);

/** The last line of its proof: N 2^((lg Delta + 3) L) (2^(2 (lg Delta + 3) / q + 2) e Delta c / w)^w, for R >= w. */
double np_bound_theorem29_simple(const np_bound_leveled *network, double delay);

/**
 * Theorem 2.11: the event of Theorem 2.9, for ranks that a k-wise independent hash function of the destination gives,
 * with k = network->independence. Packets are packets for different destinations, or packets that combine. The number
 * of delay sequences of Lemma 2.10 times the probability of each: any w packets in a row contain s = floor(w / a) with
 *   N (L+1) (2 Delta)^l' C(l'+s, s) (Delta c)^s R C(R'+s-1, s-1) / R^s, l' = floor(2l / a), R' = floor(2R / a),
 * l as in Theorem 2.9. The least over all s <= k, with a = floor(w / s); where a is 1, Theorem 2.9 itself. The hash
 * function takes a rank with probability at most 1/R + 2^-60, which counts.
 */
double np_bound_theorem211(const np_bound_leveled *network, double delay);

/**
 * Theorem 2.12: some message has not been delivered after m (L + 1) + delay steps, where the network moves in message
 * cycles of m steps. Packets, congestion and queue_size are those of messages. By Theorem 2.11 if network->independence
 * is not 0, else by Theorem 2.9, for floor(delay / m) cycles.
 *
 * @param message_most  m, packets of the longest message, at least 1
 */
double np_bound_theorem212(const np_bound_leveled *network, double message_most, double delay);

/**
 * Lemma 7.2, its congestion: more than `congestion` different destinations use some link of a fat-tree, if the label
 * at the root is a random polynomial of the destination with k = max(2, log2 M) coefficients (M nodes at the root),
 * which is k-wise independent. The paper says only that c = O(lambda + log M) with high probability. Ours: a link of a
 * channel of capacity w has n = min(lambda w, leaves on its far side) destinations to expect, each with probability
 * 1/w. So more than c use it with probability at most the least over j <= k of C(n, j) w^-j / C(c+1, j). Sum over the
 * links.
 *
 * @param network      a fat-tree (4-ary or 8-ary); on any other network the bound is 0
 * @param load_factor  lambda
 */
double np_bound_fat_tree_congestion(const np_network *network, double load_factor, double congestion);

/**
 * Lemma 7.2: the packets with load factor lambda take more than `steps` steps on a fat-tree. The least over all c of
 * the probability that the congestion exceeds c and the probability that merging with congestion c takes longer.
 *
 * @param same      packets for one destination that do not combine: 1 if they combine, else at most h
 * @param leveled   the scheduling; depth, congestion and node_packets are not read
 */
double np_bound_lemma72(const np_network *network, double load_factor, double same, const np_bound_leveled *leveled,
                        double steps);

/**
 * Lemma 6.1: some edge of the plateaus of a k-dimensional array has more than
 * `congestion` packets, each by an independent random node. By the exact tails of its proof,
 * for sides that may differ.
 *
 * @param side      [dimensions]; all 2 on the hypercube
 * @param relation  h: the traffic is a partial h-relation; the paper has h = k
 */
double np_bound_array_congestion(uint32_t dimensions, const uint32_t *side, uint32_t relation, double congestion);

/** The end of its proof, 4 k N (e h M / c)^c with M the longest side. */
double np_bound_array_congestion_simple(uint32_t dimensions, const uint32_t *side, uint32_t relation,
                                        double congestion);

/**
 * Theorem 4.1: the same on the leveled network of the wrapped butterfly, n
 * levels of 2^n rows. The paper says only that c = O(log N) with high probability; the sum
 * over the edges is ours. Says nothing below h n, the packets of a row.
 */
double np_bound_butterfly_congestion(uint32_t levels, uint32_t relation, double congestion);

/** Theorem 4.2: from the inputs of the n-level butterfly, h packets each, to independent random outputs. */
double np_bound_butterfly_io_congestion(uint32_t levels, uint32_t relation, double congestion);

/**
 * Lemma 5.3: some edge of the network L A A^r A A^r L of the shuffle-exchange graph has more than `congestion`
 * packets, if each good necklace sends and receives at most b log N: edges times the largest over l
 * of C(b 2^l log N, c) (5 / 2^l)^c, as printed. The printed formula assumes N / (5 log N) good necklaces.
 *
 * @param digits  log N
 * @param load    b log N, packets of a necklace; nothing is said for a smaller congestion
 * @param edges   of the logical network
 */
double np_bound_shuffle_exchange_congestion(uint32_t digits, double load, double edges, double congestion);

/* ---- Examples 1-5 ---- */

/** An example at one point. */
typedef struct np_bound_example {
    double delta; /**< the delay or excess time of the example, in steps */
    double nodes; /**< ln N */
    double bound; /**< ln of the theorem's bound at delta, at most 0 */
    double claim; /**< ln of the upper bound that the paper claims for K large enough */
} np_bound_example;

/**
 * Examples 1 and 2 (n-cube, a permutation or a partial h-relation; claim N^-K
 * and h N^-(Kh)), 3 (d = n, h = log2 n; N^-K), 4 (d = n, h = 1; N^(-K/2)) and
 * 5 (d = n / log2 n, h = 1; N^-K).
 *
 * The paper says that the claims of 1 and 2 hold from K = 2.5. They do from
 * K = 3.345 (Example 1), and never below K = e: docs/bounds.md.
 *
 * @param example   1..5
 * @param n         dimensions or digits: at least 1 (1, 2), 2 (3), 3 (4, 5)
 * @param K         above 0
 * @param relation  h of Example 2, else ignored
 */
np_bound_example np_bound_example_get(int example, double n, double K, double relation);

/* ---- Constrained randomization (Ranade 1987a): some message of the Router is delayed at least `delay` steps ---- */

/**
 * A true bound for x random-switch permutations of 2^n messages under any priority-based
 * discipline. Counts what the paper describes, without its code lengths:
 *   x = 1  (section 5)  2^n times the least over z > 0 of z^-delay prod_i (1 + z 2^-i)^(2^(i-1)),
 *                       which is at most 2^n (e n / (2 delay))^delay
 *   x > 1  (section 8)  4^n C(n+x-2, n-1) (e (n+x-1) / delay)^delay
 *
 * @param stages  n >= 1
 * @param sets    x >= 1
 * @param delay   messages that account for the delay; rounded up to a whole number
 */
double np_bound_constrained(uint32_t stages, uint32_t sets, double delay);

/**
 * The gain in bits that the paper claims for C messages, evaluated as printed (the first lines of
 * sections 5.4 for x = 1 and 8.4 for x > 1): the probability is said to be at most 2^-gain. May be
 * negative, which says nothing. For C below n + x - 1 it is wrong, not a bound: src/verdict/bound/constrained.c.
 */
double np_bound_constrained_gain(uint32_t stages, uint32_t sets, double messages);

/**
 * ln of the paper's N^-K, its bound on the probability that the Router has not finished in (K+1) n steps (x = 1,
 * K >= 8) or in K(n+x-1) + n steps (x > 1, K >= 9). 0 for other values.
 */
double np_bound_constrained_claim(uint32_t stages, uint32_t sets, double K);

/* ---- Hash functions (Ranade 1987b, section 3.1, Theorem 4 and appendix A) ---- */

/**
 * ln of a bound on the probability that some place has `k` cells or more, by a hash function of the class H with so
 * many coefficients: places C(cells, j) p^j / C(k, j), with p = (1 + places / P) / places, for the best j <=
 * coefficients. With the rows of a butterfly as places it is a form of Theorem 4; with the places of its hash table it
 * bounds what a search of the improved layout looks at. -INFINITY for k > cells.
 *
 * @param places  1..2^32: P is 2^61 - 1
 * Cost: O(coefficients)
 */
double np_bound_crowding(uint64_t cells, uint64_t places, uint32_t coefficients, uint64_t k);

/**
 * The least number of which it holds: with at least probability 1 - `probability` no place has more cells.
 *
 * @param probability  above 0, below 1
 * Cost: O(coefficients log cells)
 */
uint64_t np_bound_crowd(uint64_t cells, uint64_t places, uint32_t coefficients, double probability);

/* ---- Along the lines of meshes and tori, farthest first (Sibeyn, lecture notes) ---- */

/**
 * The most steps that any traffic takes in a phase of schemes xy, overlay and random-overlay on a mesh or torus:
 * m (n-1) for a line of n nodes, m floor(n/2) for a ring. Here m is h times the smaller of two products: the product of
 * the sides that were corrected before, and the product of the sides that are left. The largest value of all colours
 * counts. For a permutation of n x n both phases together take the notes' 2n - 2.
 *
 * @param relation  h
 * @param colours   how many orders of the dimensions the packets use. 1: all packets correct dimension 0 first, then 1,
 *                  and so on (xy). d: packets of colour c begin with dimension c and go on cyclically (overlay,
 *                  random-overlay)
 * @param phase     0..d-1
 */
double np_bound_lines_worst(const np_network *network, uint32_t relation, uint32_t colours, uint32_t phase);

/** The steps of the notes' theorem on k-k routing, with k = relation: max{4n, kn/2} on n x n, max{2dn, kn/2} in d
 *  dimensions; half as many on tori. */
double np_bound_k_k(const np_network *network, uint32_t relation);

/**
 * The steps of scheme k-k-short, with k = relation, without its o(kn): 2 max{n, kn/8} + max{n, kn/4} on n x n, which is
 * 3n for k <= 4 and kn/2 for k >= 8; in d dimensions (2d-2) max{n, kn/4d} + max{n, kn/2d}, where n is the longest side;
 * half as many on tori. See src/papers/grids/lines.c.
 */
double np_bound_k_k_short(const np_network *network, uint32_t relation);

/**
 * ln P[a phase of scheme k-k on a mesh takes more than `steps`], whatever the traffic: the notes' theorem with the
 * o(kn) made explicit, as the sum of exact binomial tails over all lines.
 *
 * @param relation  k
 * @param phase     0..2d-1
 */
double np_bound_k_k_steps(const np_network *network, uint32_t relation, uint32_t phase, double steps);

/* ---- What applies to a run ---- */

/** The event whose probability a bound limits. */
typedef enum np_bound_measure {
    NP_BOUND_DELAY, /**< some packet of the phase is delayed at least x steps */
    NP_BOUND_STEPS  /**< the phase takes more than base + x steps */
} np_bound_measure;

/** The theorem for one phase of one scheme. Fill in with np_bound_for. */
typedef struct np_bound {
    bool applies;
    const char *theorem;      /**< "Theorem 1", or "none"; never NULL */
    const char *formula;      /**< what it says, in one line; "" if it does not apply */
    const char *source;       /**< paper and section; "" if none */
    const char *reason;       /**< why it does not apply; "" if it does */
    const char *paths;        /**< the path rule it is proved for; NULL if it does not apply */
    const char *queue;        /**< the discipline it is proved for; NULL: any */
    np_bound_measure measure; /**< the event of the theorem itself */
    uint32_t base;            /**< of NP_BOUND_STEPS: the longest route; the side of a grid */
    double met;               /**< Theorems 1 and 2: bound on the expected number of packets that meet a route */
    double packets;           /**< T */
    bool grid;                /**< Theorems 3 and 4: phase is filled in */
    np_bound_grid_phase phase;
    const np_network *lines; /**< k-k routing: the network given to np_bound_for, borrowed; else NULL */
    uint32_t relation;       /**< of lines: h */
    uint32_t line_phase;     /**< of lines: which phase */
} np_bound;

/** A probability that may be too small for a double. */
typedef struct np_bound_value {
    double probability; /**< at most 1; 0 if below 1e-308 */
    double log10;       /**< its decimal logarithm; -INFINITY for 0 */
} np_bound_value;

/**
 * Which theorem bounds a phase of a scheme. It assumes the scheme's own paths,
 * phases that wait for one another, and the discipline named in out->queue.
 *
 * @param scheme   a name from `netpram list`; an unknown name has no theorem
 * @param h        the traffic is a partial h-relation for this h
 * @param packets  in the traffic
 * @param phase    "A" or "B"; of the scheme "grid" on k dimensions A (or A<k>), ..., A2, Z (or "route"),
 *                 B2, ..., B (or B<k>); of k-k A1, ..., A<d>, B1, ..., B<d>
 * @param out      always filled in
 */
void np_bound_for(const char *scheme, const np_network *network, uint32_t h, np_packet packets, const char *phase,
                  np_bound *out);

/** P[some packet of the phase is delayed at least delta steps]. 1 if no theorem applies. */
np_bound_value np_bound_delay(const np_bound *bound, double delta);

/** P[the phase takes more than bound->base + excess steps]. 1 if no theorem applies. */
np_bound_value np_bound_steps(const np_bound *bound, double excess);

/** np_bound_delay or np_bound_steps. */
np_bound_value np_bound_at(const np_bound *bound, np_bound_measure measure, double x);

/**
 * A ladder of whole values of x, increasing from 1. Half of them grow by even
 * ratios up to the x at which the bound begins to say something. The rest are
 * evenly spaced from there to the first x at which the bound is below 1e-9.
 *
 * @param capacity  room in x, at least 3; 8 is a good ladder
 * @param x         [capacity] receives the values
 * @return how many: at least 1 if the bound applies, else 0
 */
size_t np_bound_ladder(const np_bound *bound, np_bound_measure measure, size_t capacity, double *x);

/* ---- Oblivious deterministic rules: a lower bound ---- */

/**
 * A lower bound on the steps of any path rule that is oblivious and deterministic: the path from u to v depends on u
 * and v alone (Borodin & Hopcroft 1985; sharper by Kaklamanis, Krizanc & Tsantilas 1990). On every network of `nodes`
 * nodes, where at most `degree` links lead to a node, some permutation has at least ceil((sqrt(nodes) - 1) / degree)
 * packets that cross one link.
 *
 * Proof. For a destination v, call a link good if the paths of at least k sources to v cross it, and let T be v and the
 * tails of the g good links. The path of a node outside T enters T by a link that is not good: at most k - 1 paths do
 * so by each of the at most degree |T| such links. Hence nodes <= |T| (1 + degree (k - 1)) with |T| <= g + 1. Add up g
 * over all v, and divide by the at most degree nodes links: if (1 + degree (k - 1))^2 < nodes, then one link is good
 * for more than k - 1 destinations. Each of k of them in turn takes one of its k sources that is not taken.
 *
 * @param nodes   at least 1
 * @param degree  at least 1
 */
uint32_t np_bound_oblivious(uint32_t nodes, uint32_t degree);

/* Linear arrays and rings: the exact time of any traffic (Sibeyn, lecture notes, using randomization). */

/** The steps that packets take on a linear array, each way by itself: links up and links down carry packets at once. */
typedef struct np_array_steps {
    np_step up;   /**< of the packets that go to higher numbers; 0: there are none */
    np_step down; /**< of the packets that go to lower numbers; 0: there are none */
} np_array_steps;

/**
 * The exact number of steps that any traffic takes on a linear array, computed without routing. Of the
 * packets that want the same link, the packet with the farthest to go is sent first. Let r(i,j) be the number
 * of packets that must go from node i or below to node j or above. Upwards the traffic takes the largest
 * r(i,j) + j - i - 1 over i < j with r(i,j) > 0; downwards likewise. In all it takes the larger of the two. No
 * schedule takes less: r(i,j) packets cross the link from i one by one, and the last has j - i - 1 further links to go.
 *
 * @param nodes        n, at least 1
 * @param source       [packets] below nodes
 * @param destination  [packets] below nodes
 * @param out          receives the steps
 * @return NP_ERROR_INPUT (no nodes, a source or destination out of range), NP_ERROR_LIMIT (n + packets beyond
 *         2^32 - 2), NP_ERROR_MEMORY
 * Time O((n + packets) log n).
 */
np_status np_array_time(np_node nodes, size_t packets, const np_node *source, const np_node *destination,
                        np_array_steps *out) NP_CHECKED;

/**
 * The same on a ring. Every packet goes the shorter way round, upwards if both ways are equal. r(i,j), for
 * i < j <= i + floor(n/2), is the number of packets that leave node i upwards for node j (modulo n) or beyond.
 *
 * @return as np_array_time; NP_ERROR_LIMIT (more than 2^29 nodes or packets)
 */
np_status np_ring_time(np_node nodes, size_t packets, const np_node *source, const np_node *destination,
                       np_array_steps *out) NP_CHECKED;

/*
 * Checkers for the properties that the proofs of Valiant & Brebner 1981 need
 * of a phase (section 2): oblivious, nonrepeating and symmetric. Each works on
 * a path rule bound to a network, with one packet a node and uniformly random
 * nodes at one end of the routes, as in both phases of the two-phase schemes.
 *
 * A rule whose routes depend on (from, to) alone is checked on all pairs, if
 * this takes no more than `effort`; then the answer is a proof for the
 * network. Otherwise routes are drawn at random, and "holds" means that no
 * counter-example was found.
 *
 * The same path, options and seed give the same result. Any number of threads
 * may check one path at once.
 */

/** The kind of phase. */
typedef enum np_check_phase {
    NP_CHECK_TO_RANDOM,  /**< A: the packet of node u goes to a random node */
    NP_CHECK_FROM_RANDOM /**< B: the packet of destination v comes from a random node */
} np_check_phase;

/** How to check. Initialise with np_check_options_init. */
typedef struct np_check_options {
    size_t size;          /**< of this structure; set by the initialiser */
    np_check_phase phase; /**< default NP_CHECK_TO_RANDOM */
    uint64_t seed;        /**< default 1 */
    uint64_t effort;      /**< default 1e8, about two seconds: hops visited; for nonrepeating the sum of the squares
                               of the route lengths, for oblivious four times the hops
                               compared. At most 2^32 - 1 */
    uint32_t samples;     /**< routes drawn by nonrepeating; default 65536, fewer if effort runs out */
    uint32_t runs;        /**< phases run by oblivious and measured by symmetric; default 200, at least 1, fewer if
                               effort runs out */
    double error_rate;    /**< of the test in symmetric: default 0.001 */
    np_watch watch;       /**< is told now and then which property is checked, and how far; it may cancel the call */
} np_check_options;

extern const np_fields np_check_options_fields;

/** Fills in the defaults. */
static inline void np_check_options_init(np_check_options *options)
{
    np_options_init(&np_check_options_fields, options, sizeof *options);
}

/** A route: np_path_walk(path, from, to, seed, run, phase, packet, ...) walks it again. */
typedef struct np_check_route {
    np_node from, to;
    np_packet packet; /**< with run 0, options->seed and options->phase */
} np_check_route;

/** The outcome of np_check_oblivious. */
typedef struct np_check_oblivious_result {
    bool holds;      /**< no packet's route depended on the others, in all runs: tested, not proved */
    uint32_t runs;   /**< run through the engine, each with all packets and with a part of them */
    uint64_t routes; /**< compared with the route of the packet alone */
    uint64_t hops;   /**< of all these routes */

    /* If it does not hold, the first packet met that leaves its own route. Positions count from 0. */
    np_check_route route; /**< np_path_walk(path, from, to, seed, run, phase, packet, ...) is its route alone */
    uint32_t run;
    np_packet present;       /**< packets in the network; fewer than the nodes: the others had been removed */
    uint32_t hop;            /**< the first at which the routes differ */
    np_link alone, together; /**< the links there; NP_NONE: that route has ended */
} np_check_oblivious_result;

/**
 * Is the rule oblivious: does the route of each packet stay what it is,
 * whatever other packets there are?
 *
 * A correct rule sees only the ticket and the node of one packet at a time;
 * this call tests that. In each run the engine routes one packet a node, and
 * then a random part of these packets, as in Corollary 1 (section 5). Both
 * times every packet must take exactly the links that np_path_walk gives for
 * it alone. Run r uses the r-th queue discipline, in turn: the route must not
 * depend on the order in which packets wait either.
 *
 * Random choices depend on the number of the packet. Numbers are given to the
 * nodes in a random order, and the packets with the highest numbers are
 * removed: a uniformly random set. The other packets keep their numbers.
 *
 * @param options  NULL: the defaults
 * @return NP_ERROR_INPUT: runs 0; NP_ERROR_MEMORY; NP_ERROR_INTERNAL if the
 *         rule breaks its contract for a packet alone. (The rule must name
 *         ports that exist also among other packets: the engine trusts it.)
 */
np_status np_check_oblivious(const np_path *path, const np_check_options *options,
                             np_check_oblivious_result *result) NP_CHECKED;

/** The outcome of np_check_nonrepeating. */
typedef struct np_check_nonrepeating_result {
    bool holds;          /**< to the letter of section 2 */
    bool holds_in_order; /**< for links that the two routes share in the same order (m >= j). Shortest routes on a
                              directed graph have this, as section 6 argues, but one may use e before f and another f
                              before e: docs/bounds.md */
    bool exhaustive;     /**< all routes were checked: holds is proved */
    uint64_t routes;     /**< checked */
    uint64_t hops;       /**< of all these routes */

    /*
     * If it does not hold, a witness (one with m >= j if there is any) in the words of the definition: routes
     * e = one and e' = other with e_i = e'_j = first, e_k = e'_m = second,
     * k > i, where k - i != m - j or the links in between differ. Positions
     * count from 0. one and other may be the same route, which then repeats a
     * link: two packets with that route violate the definition.
     */
    np_check_route one, other;
    np_link first, second;
    uint32_t i, j, k, m;
} np_check_nonrepeating_result;

/**
 * Is the rule nonrepeating: if two routes meet and part, do they never meet
 * again? To the letter of section 2: whenever e_i = e'_j and e_k = e'_m with
 * k > i, then k - i = m - j and e_p = e'_{p+j-i} for all p in i..k.
 *
 * Cost: the sum of the squares of the route lengths (not of the number of
 * pairs of routes), memory 12 bytes a hop and 16 bytes a link.
 *
 * @param options  NULL: the defaults
 * @return NP_ERROR_MEMORY; NP_ERROR_INTERNAL if the rule breaks its contract
 */
np_status np_check_nonrepeating(const np_path *path, const np_check_options *options,
                                np_check_nonrepeating_result *result) NP_CHECKED;

/** The outcome of np_check_symmetric. Traffic is per packet a node: times h for an h-relation. */
typedef struct np_check_symmetric_result {
    bool holds;
    bool exact; /**< by enumeration; else holds means p >= error_rate */
    uint64_t links;
    double min, max, mean;      /**< expected packets over a link in the phase; estimates unless exact */
    np_link min_link, max_link; /**< the first links with the extremes */
    uint64_t min_count, max_count, denominator; /**< min = min_count / denominator, max alike, exactly */
    double statistic, p; /**< of the chi-square test with links - 1 degrees of freedom; 0 and 1 if exact */
    double error_rate;
} np_check_symmetric_result;

/**
 * Is the phase symmetric: is the expected number of packets over a link the
 * same for all links?
 *
 * Exact: Traff(e) = (routes of all N^2 pairs that use e) / N, the same number
 * in both kinds of phase, whatever permutation is realised.
 *
 * Measured: packets over each link in `runs` phases, and a chi-square test
 * that all links expect the same. It rejects a symmetric phase with
 * probability about error_rate: the counts of different links are not quite
 * independent (a packet that uses a link is likely to use one of the next),
 * and each varies a little less than a Poisson count (no packet uses a link
 * of a simple route twice), which errs on the side of "symmetric". Do not use
 * it on rules whose single routes use a link many times.
 *
 * @param options  NULL: the defaults
 * @return NP_ERROR_INPUT: runs 0; NP_ERROR_MEMORY; NP_ERROR_INTERNAL if the
 *         rule breaks its contract
 */
np_status np_check_symmetric(const np_path *path, const np_check_options *options,
                             np_check_symmetric_result *result) NP_CHECKED;

/* ---- All three, for the phases of a scheme ---- */

/** What the check found out about a property. */
typedef enum np_check_verdict {
    NP_CHECK_HOLDS,     /**< on this network: all routes were checked */
    NP_CHECK_UNREFUTED, /**< no counter-example among the routes drawn */
    NP_CHECK_FAILS,     /**< there is a witness, or a test rejects at its error rate */
    NP_CHECK_UNDECIDED  /**< too little was measured to tell */
} np_check_verdict;

/** The verdict in words: "holds", "not refuted", "does not hold", "undecided". */
const char *np_check_verdict_name(np_check_verdict verdict);

/** One phase of a scheme. */
typedef struct np_check_phase_result {
    char name[8];        /**< "A", "B", ... or "route" */
    np_check_phase kind; /**< of the routes drawn for oblivious and nonrepeating: A for the first phase, else B */
    np_check_verdict oblivious, nonrepeating, symmetric;
    np_check_oblivious_result oblivious_result;
    np_check_nonrepeating_result nonrepeating_result;
    np_check_symmetric_result symmetric_result;
} np_check_phase_result;

/** The outcome of np_check_scheme. All pointers are owned by the result. */
typedef struct np_check_scheme_result {
    const np_network *network; /**< the caller's */
    const char *scheme, *paths;
    uint64_t seed;
    bool uniform; /**< two phases with uniformly random nodes between; else symmetric is measured for one permutation */
    bool fails;   /**< some property of some phase */
    size_t phases;
    const np_check_phase_result *phase; /**< [phases] */
} np_check_scheme_result;

/** The fields of a result. */
extern const np_fields np_check_scheme_result_fields;

/**
 * Checks each phase of a scheme.
 *
 * oblivious and nonrepeating are properties of the scheme's path rule. They are
 * checked between all pairs of nodes, or uniformly random pairs. So the check
 * asks more than needed of a phase that sends only along one dimension of a grid.
 *
 * symmetric is measured for the traffic that the phase itself makes. In the
 * two-phase schemes with a uniformly random node it does not depend on the
 * permutation, and is enumerated where possible. In other schemes (grid, complement,
 * greedy) the scheme realises one random permutation, drawn from the seed, in
 * all `runs`. A measurement with fewer than 5 packets a link is undecided.
 *
 * @param scheme   a name from `netpram list`; NULL: the network's default, or "greedy" if paths is given
 * @param paths    a path rule, for a scheme that has none of its own; NULL: the scheme's own, else "greedy"
 * @param options  `phase` is ignored; NULL: the defaults
 * @param out      receives the result; free with np_check_scheme_result_free; NULL on error. The network must
 *                 outlive it
 * @return as np_route for the names; else as the three checkers
 */
np_status np_check_scheme(const np_network *network, const char *scheme, const char *paths,
                          const np_check_options *options, np_check_scheme_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_check_scheme_result_free(np_check_scheme_result *result);

/* ---- The permutation that defeats a rule ---- */

/** How to find it. Initialise with np_defeat_options_init. */
typedef struct np_defeat_options {
    size_t size;           /**< of this structure; set by the initialiser */
    const char *paths;     /**< a path rule; NULL (default): "greedy" */
    uint64_t seed;         /**< of the order in which destinations are tried, and of the runs; default 1 */
    uint32_t runs;         /**< of each routing of the permutation; default 10, at least 1 */
    uint64_t effort;       /**< hops of paths followed in each of the searches; default 2e8, some seconds */
    uint64_t memory_limit; /**< bytes; what needs more is refused before it is taken. 0 (default): what is available */
    np_watch watch;        /**< is told now and then how far the call is, and may cancel it */
} np_defeat_options;

extern const np_fields np_defeat_options_fields;

/** Fills in the defaults. */
static inline void np_defeat_options_init(np_defeat_options *options)
{
    np_options_init(&np_defeat_options_fields, options, sizeof *options);
}

/** The permutation and what became of it. All pointers but `network` are owned by the result. */
typedef struct np_defeat {
    const np_network *network; /**< the caller's */
    const char *paths;         /**< the path rule, also if it is the default */
    uint64_t seed;
    uint32_t degree;      /**< most links that lead to a node */
    uint32_t bound;       /**< np_bound_oblivious of the network */
    np_node destinations; /**< whose paths were followed to choose the link; fewer than the nodes: they were drawn */
    bool exhaustive;      /**< all paths were followed, and all sources of the link were tried */
    np_link link;         /**< the link that is chosen */
    np_packet crossing;   /**< packets of the permutation that cross it because they were matched to do so. At least
                               `bound` if the search is exhaustive and no path crosses a link twice */
    np_packet packets;    /**< of the permutation: one a node */
    const np_node *source, *destination; /**< [packets] those that cross the link come first */
    np_summary steps;                    /**< of the scheme `greedy` with these paths on this permutation */
    np_summary two_phase_steps;          /**< of the scheme `valiant` with these paths on it */
} np_defeat;

/** The fields of a result. */
extern const np_fields np_defeat_fields;

/**
 * Constructs a permutation for which an oblivious deterministic path rule is slow, in the way of the proof of
 * np_bound_oblivious, and routes it by this rule and by two-phase routing over the same paths.
 *
 * First it follows the paths from all sources to as many destinations as `effort` allows, in a random order, and
 * counts for each link to how many destinations at least 1, 2, 4, ... sources cross it. The link for which the lesser
 * of the two numbers is largest is chosen. If the effort does not allow all destinations, it follows the paths from as
 * many sources as well, and compares the most paths to one destination and from one source. Then it finds the sources
 * whose paths to these destinations cross the link, and follows their paths to all destinations; where there are too
 * many, to the destinations that 16 of these sources reach over the link. A maximum matching of sources with
 * destinations gives the packets that cross the link. The i-th of the other sources sends to the i-th of the other
 * destinations.
 *
 * @param options  NULL: the defaults
 * @param out      receives the result; free with np_defeat_free; NULL on error. The network must outlive it
 * @return NP_ERROR_INPUT (no such rule, runs or effort 0); NP_ERROR_APPLY: the rule does not apply, draws, or looks at
 *         other packets, or packets go from some nodes to some only, or there is no link to cross; NP_ERROR_LIMIT (with
 *         the figure), NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_defeat_find(const np_network *network, const np_defeat_options *options, np_defeat **out) NP_CHECKED;

/** Writes the permutation, a line "source destination" for each packet: traffic for file:PATH. NP_ERROR_IO,
 * NP_ERROR_MEMORY. */
np_status np_defeat_save(const np_defeat *defeat, const char *path) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_defeat_free(np_defeat *defeat);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
