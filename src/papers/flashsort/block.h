/*
 * Blocks: subbutterflies, and the deterministic algorithms on them that section 8 of Leighton,
 * Maggs, Ranade & Rao 1994 takes for granted: counting, concentrating, Nassimi & Sahni's
 * sort, distributing splitters, odd-even merging. Each algorithm moves one word a row, one level a step.
 * A pass over the block's L levels takes L steps, and is executed level by level.
 *
 * A block has 2^L rows, 0 .. 2^L - 1, and levels 0 .. L. It is the part of the wrapped butterfly between the levels
 * n - L and n whose rows have the same n - L most significant bits. Between level i and i + 1 the block crosses bit
 * L - 1 - i of the row. So the most significant bits come first on the way forward, from the inputs (level 0) to the
 * outputs (level L), and the least significant bits come first on the way backward.
 *
 * On a hypercube, node w is row w on all levels. A straight edge stays in the node, and every node is on every level.
 * So walking straight takes no step, and a pass over some of the bits takes as many steps as it has bits. If the block
 * is the whole wrapped butterfly, level L is level 0: a word at the outputs is at the inputs.
 *
 * Every call begins and ends with its words at the inputs. It charges all its steps once, to the block's clock and to
 * the log under the name of the stage. S is the number of steps to walk straight from the inputs to the outputs or
 * back: L steps, but none on a hypercube or where the block is wrapped. hops counts the words that crossed a link of
 * the network, also the straight edges of a butterfly. The words that are at one row and go one way are one packet of
 * one or two words (a number of a prefix computation and its total; a key and its rank).
 */
#pragma once

#include "work/sort/sorter.h"

typedef struct np_block {
    uint32_t bits;  /* L, 0 .. 26 */
    bool hypercube; /* straight edges are free */
    bool wrapped;   /* the outputs are the inputs: the block is the whole wrapped butterfly. false is always correct,
                       but charges more. Has no effect on a hypercube */
    uint32_t depth; /* of the recursion, for the log */
    uint32_t first; /* its first row, in the network: for observers */
    uint32_t kind;  /* what its words are (np_sort_teller_copy); 0: items. For observers */
    np_sort_log *log;
    np_sort_clock *clock;
    uint32_t *scratch; /* [np_block_scratch(bits)] */
} np_block;

size_t np_block_scratch(uint32_t bits);

/* How many of the rows' words are not NP_NONE; all rows know it at the end. The numbers are summed up on a pass
   forward, and the words walk straight back. L + S steps. */
uint32_t np_block_count(const np_block *block, const char *stage, const uint32_t *word);

/* before[w] = sum of value[0 .. w-1]. Returns the sum of all, which all rows know at the end. This is a parallel prefix
   computation. It goes backward, because it needs the least significant bits first: L + S steps. before may be value.
   */
uint32_t np_block_prefix(const np_block *block, const char *stage, const uint32_t *value, uint32_t *before);

/* Moves the words to rows 0, 1, ... in the order of their rows. Returns how many there are; all rows know it at the
   end. A prefix computation, then a pass backward, in which no two words meet: 2 L + 2 S steps. */
uint32_t np_block_concentrate(const np_block *block, const char *stage, uint32_t *word);

/* The exact steps of np_block_concentrate: 2 L + 2 S. */
uint64_t np_block_concentrate_steps(const np_block *block);

/* The most words that np_block_rank_sort can sort: 2^floor(L/2). */
uint32_t np_block_rank_sort_most(const np_block *block);

/*
 * Sorts the words of rows 0 .. count-1 into ascending order: every word is compared with every word, and counts the
 * words below it (Nassimi & Sahni 1982). The words must be distinct, and none NP_NONE. The rows from count on are not
 * looked at. comparators counts the comparisons, count (count - 1). Let a be the least number such that 2^a >= count:
 * it takes 2 L + 2 a steps, 4 a on a hypercube, and none if a is 0. 3 2^(2a) words of the scratch are used.
 */
void np_block_rank_sort(const np_block *block, const char *stage, uint32_t count, uint32_t *word);

/* The exact steps of np_block_rank_sort. */
uint64_t np_block_rank_sort_steps(const np_block *block, uint32_t count);

/*
 * Splitters for splitter-directed routing over levels 0 .. levels-1. Rows 0 .. count-1 have ascending words.
 * 2^levels - 1 of the words, at even distances, are splitters: splitter k = 1, 2, .. is word number
 * floor(k (count + 1) / 2^levels) - 1. Spreads splitter k to row k 2^(L - levels), then broadcasts it backward to the
 * level where it decides, as in section 8.1: the median is at all rows of level 0, the medians of the halves at level
 * 1, ... splitter[(level << bits) + row], level < levels, receives the splitter that is there. levels <= L,
 * 2^levels <= count + 1. 2 L steps; none if levels is 0.
 */
void np_block_distribute(const np_block *block, const char *stage, uint32_t count, const uint32_t *word,
                         uint32_t levels, uint32_t *splitter);

/*
 * Sorts all rows' words into ascending order, NP_NONE last, by Batcher's odd-even merge sort in the form for
 * butterflies (Leighton 1992, section 3.5). 2^L / 2 comparators on each of L (L+1) / 2 levels.
 */
void np_block_odd_even_merge(const np_block *block, const char *stage, uint32_t *word);

/* The same with h words a row, word[2^L][h], NP_NONE behind the last: a comparator splits a pair of runs, in h steps.
   Adds to the cost and charges nothing. scratch: [2 h]. */
void np_block_odd_even_merge_runs(const np_block *block, uint32_t h, uint32_t *word, uint32_t *scratch,
                                  np_sort_cost *cost);

/* The exact steps of np_block_odd_even_merge: L (L+1) / 2 on a hypercube, L (L+1) if wrapped, else L^2 + 3 L - 2; 0 if
   L is 0. */
uint64_t np_block_odd_even_merge_steps(const np_block *block);
