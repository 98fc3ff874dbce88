/*
 * Flashsort's parts (Leighton, Maggs, Ranade & Rao 1994, section 8), shared by its files:
 *
 *   flashsort.c           the sorter: where keys are, and which of the two algorithms sorts them
 *   flashsort_block.c     the recursive subroutine on a lightly loaded block (Figure 6)
 *   flashsort_split.c     how a block is split: its steps 2 to 8
 *   flashsort_full.c      the sort of up to any number of keys a node (Theorem 8.10)
 *   flashsort_refine.c    how the full sort's groups are split further
 *   flashsort_finish.c    how the last groups are sorted, and all keys sent to their places
 *   flashsort_columns.c   flashsort on the shuffle-exchange: Columnsort, with columns on embedded butterflies
 *
 * Symbols: n levels, N = 2^n rows; K items; a block has M = 2^L rows.
 */
#pragma once

#include "papers/flashsort/block.h"
#include "papers/flashsort/recursion.h"
#include "work/sort/rows.h"

/* Items on their way: where each is, among the rows of a block or of the whole network. */
typedef struct np_flashsort_items {
    uint32_t count;
    uint32_t *item, *row;
} np_flashsort_items;

typedef struct np_flashsort {
    np_sorting *sorting;
    np_rows rows;

    /* For one block at a time, as large as the network. */
    uint32_t *word;                   /* [N] of a block: the item of each row */
    uint32_t *scratch;                /* [np_block_scratch(n)] */
    uint32_t *picked;                 /* [N] candidates, splitters */
    uint32_t *splitter;               /* [(n - 1) N] at most, by need */
    size_t splitters;                 /* room there */
    uint32_t *count;                  /* [N] items a row */
    uint32_t *before;                 /* [N] in rows before it */
    np_flashsort_items items, sample; /* room for all each */
    void *block;                      /* the arrays above, but splitter */
} np_flashsort;

/* Random choices of stages differ by the numbers of phases: blocks have phases from 0 on, ways back after a failure
   from the first of these on, the full sort from the second. */
enum { NP_FLASHSORT_BACK = 0x4000, NP_FLASHSORT_FULL = 0x8000 };

/* --- flashsort.c --- */

/* A sort on a butterfly or hypercube, with room for sorting->items items. The caller clears it, also after an error. */
np_status np_flashsort_init(np_flashsort *flash, np_sorting *sorting) NP_CHECKED;
void np_flashsort_clear(np_flashsort *flash);

/* Makes room for `count` splitters. NP_ERROR_MEMORY. */
np_status np_flashsort_room_splitters(np_flashsort *flash, size_t count) NP_CHECKED;

/* The block of 2^bits rows from row `first` on in the sense of block.h, on the given clock. */
np_block np_flashsort_block(np_flashsort *flash, uint32_t first, uint32_t bits, uint32_t depth, np_sort_clock *clock);

/* --- flashsort_block.c --- */

/* Sorts the items of flash->word, at most N / 2^lightness: in ascending order to rows 0, 1, ... items: their number;
   NP_NONE: they must be counted. */
np_status np_flashsort_rows(np_flashsort *flash, uint32_t items) NP_CHECKED;

/* --- flashsort_split.c --- */

/* Numbers the items of the block in its groups of 2^bits rows, all at the same time: count[] = items a row; before[] =
   items in the rows before it in its group; total[i], [groups], = items of the i-th group. Returns the most items of a
   group. */
uint32_t np_flashsort_number(np_flashsort *flash, const np_block *block, const np_flashsort_items *items,
                             const char *stage, uint32_t bits, uint32_t *total);

/* The splitters of `levels` levels direct the items of the block, within its groups of 2^bits rows, over as many levels
   from level n - bits on. The splitters of the i-th group are flash->splitter[i * levels << bits] .. */
np_status np_flashsort_intervals(np_flashsort *flash, const np_block *block, np_flashsort_items *items, uint32_t bits,
                                 uint32_t levels, uint16_t phase, np_sort_cost *cost) NP_CHECKED;

/* The whole network, on the clock of the sorting. */
np_block np_flashsort_whole(np_flashsort *flash);

/* A block at work. */
typedef struct np_flashsort_part {
    np_flashsort *flash;
    np_block block;
    uint32_t *word;  /* [M] its items, one a row */
    uint32_t items;  /* how many; NP_NONE: not known */
    uint64_t excess; /* steps that routing took beyond its levels, on the branch that leads here */
    bool gaps;       /* output: its items are in order, but not at rows 0, 1, ... */
} np_flashsort_part;

/*
 * Steps 2 to 8, for a part: np_recursion_ops.split. The items are then at distinct rows of the blocks that they belong
 * to. If the splitters have failed, all is as before.
 */
np_status np_flashsort_split(void *part, uint32_t attempt, uint32_t *blocks, uint32_t *child) NP_CHECKED;

/* log2 of the parts into which M = 2^bits rows can be expected to split, by the constants. 0: too few splitters are
   expected. */
uint32_t np_flashsort_split_levels(const np_flashsort *flash, uint32_t bits);

/* --- flashsort_full.c --- */

/* Sorts any number of items. */
np_status np_flashsort_full(np_flashsort *flash) NP_CHECKED;

/* Adds a copy of an item, which is at the row and level, to the sample. */
void np_flashsort_pick(np_flashsort *flash, uint32_t item, uint32_t row, uint32_t level);

/* A stage: the splitters direct all items within their groups, as np_flashsort_intervals has it. */
np_status np_flashsort_to_groups(np_flashsort *flash, const char *stage, uint32_t bits, uint32_t levels,
                                 uint16_t phase) NP_CHECKED;

/* Charges the clock of the sorting, at depth 0. */
void np_flashsort_charge(np_flashsort *flash, const char *stage, const np_sort_cost *cost);

/* A stage: moves the packets sent, as np_rows_run does, and charges that. */
np_status np_flashsort_stage(np_flashsort *flash, const char *stage, const np_rows_way *way, bool ranked,
                             uint16_t phase) NP_CHECKED;

/* --- flashsort_refine.c --- */

/* Splits groups of 2^bits rows, all at the same time, into groups of 2^group rows. The items are at level n - bits, and
   end at level n - group. */
np_status np_flashsort_refine(np_flashsort *flash, uint32_t bits, uint32_t group) NP_CHECKED;

/* --- flashsort_finish.c --- */

/* Sorts groups of 2^bits rows and sends all items to their places. */
np_status np_flashsort_finish(np_flashsort *flash, uint32_t bits) NP_CHECKED;
