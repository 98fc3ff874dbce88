/*
 * Blocks: subbutterflies, and the deterministic algorithms on them that section 8 of Leighton,
 * Maggs, Ranade & Rao 1994 takes for granted: counting, concentrating, Nassimi & Sahni's
 * sort, distributing splitters, odd-even merging. Each moves one word a row, a level a step;
 * a pass over the block's L levels takes L steps, and is executed level by level.
 *
 * A block has 2^L rows, 0 .. 2^L - 1, and levels 0 .. L: it is the part of the wrapped butterfly
 * between its levels n - L and n whose rows have the same n - L most significant bits. Between level
 * i and i + 1 it crosses bit L - 1 - i of the row, so most significant bits first on the way forward, from
 * the inputs (level 0) to the outputs (level L), and least significant bits first backward.
 *
 * On a hypercube, whose node w is row w on all levels, an edge that goes straight stays in the node, and
 * every node is on every level: walking straight takes no step, and a pass over some of the bits as many
 * steps as it has bits. On the block that is the whole wrapped butterfly level L is level 0: who is at the
 * outputs is at the inputs.
 *
 * Every call begins and ends with its words at the inputs; what it walks between is charged, once a call:
 * to the block's clock and to the log under the name of the stage. S is what it takes to walk straight from the
 * inputs to the outputs or back: L steps, and none on a hypercube or where the block is wrapped. hops count words
 * that crossed a link of the network, straight edges of a butterfly too. What stands at one row and goes one way is
 * one packet of one or two words (a number of a prefix computation and its total; a key and its rank).
 */
#ifndef NP_SORT_BLOCK_H
#define NP_SORT_BLOCK_H

#include "sort/log.h"
#include "sort/sorter.h"

typedef struct np_block {
    uint32_t bits;  /* L, 0 .. 26 */
    bool hypercube; /* straight edges are free */
    bool wrapped;   /* the outputs are the inputs: the block is the whole wrapped butterfly. Always right to leave
                       false, which charges more. No matter on a hypercube */
    uint32_t depth; /* of the recursion, for the log */
    np_sort_log *log;
    np_sort_clock *clock;
    uint32_t *scratch; /* [np_block_scratch(bits)] */
} np_block;

size_t np_block_scratch(uint32_t bits);

/* How many of the rows' words are not NP_NONE, known to all rows: summed up on a pass forward, and back. L + S steps.
 */
uint32_t np_block_count(const np_block *block, const char *stage, const uint32_t *word);

/* before[w] = sum of value[0 .. w-1]; returns the sum of all, known to all rows. A parallel prefix computation, which
   goes backward, for it needs least significant bits first: L + S steps. before may be value. */
uint32_t np_block_prefix(const np_block *block, const char *stage, const uint32_t *value, uint32_t *before);

/* Words move to rows 0, 1, ... in the order of their rows; returns how many there are, known to all rows. A prefix
   computation, then a pass backward, in which no two meet: 2 L + 2 S steps. */
uint32_t np_block_concentrate(const np_block *block, const char *stage, uint32_t *word);

/* The most words that np_block_rank_sort can sort: 2^floor(L/2). */
uint32_t np_block_rank_sort_most(const np_block *block);

/*
 * The words of rows 0 .. count-1 in ascending order there: every one is compared with every one, and counts those below
 * it (Nassimi & Sahni 1982). All distinct, none NP_NONE; the rows from count on are not looked at. comparators counts
 * the comparisons, count (count - 1). With a the least such that 2^a >= count, 2 L + 2 a steps, 4 a on a hypercube;
 * none if a is 0. Of the scratch 3 2^(2a) words are used.
 */
void np_block_rank_sort(const np_block *block, const char *stage, uint32_t count, uint32_t *word);

/*
 * Splitters for splitter-directed routing over levels 0 .. levels-1. Rows 0 .. count-1 have ascending words, of which
 * 2^levels - 1 at even distances are splitters: the k-th, k = 1 .., is number floor(k (count + 1) / 2^levels) - 1.
 * Spreads each to row k 2^(L - levels), then broadcasts it backward to the level where it decides, as
 * section 8.1 wants them: the median at all rows of level 0, the medians of the halves at level 1, ...
 * splitter[(level << bits) + row], level < levels, receives the splitter that is there. levels <= L,
 * 2^levels <= count + 1. 2 L steps; none if levels is 0.
 */
void np_block_distribute(const np_block *block, const char *stage, uint32_t count, const uint32_t *word,
                         uint32_t levels, uint32_t *splitter);

/*
 * All rows' words in ascending order, NP_NONE last: Batcher's odd-even merge sort, as butterflies do it (Leighton 1992,
 * section 3.5). 2^L / 2 comparators on each of L (L+1) / 2 levels.
 */
void np_block_odd_even_merge(const np_block *block, const char *stage, uint32_t *word);

/* Steps that it takes, exactly: L (L+1) / 2 on a hypercube, L (L+1) if wrapped, else L^2 + 3 L - 2, 0 if L is 0. */
uint64_t np_block_odd_even_merge_steps(const np_block *block);

#endif
