/*
 * Packets on the rows of a wrapped butterfly or of a hypercube, whose node w is row w on all levels: the ways that they
 * go together, leg by leg, as leveled networks in which every link of the network is at most one edge. So a step of the
 * leveled network is a step of the network.
 *
 * Symbols: n levels, N = 2^n rows. Between the physical levels l and l + 1 edges cross bit n - 1 - l of the row.
 */
#pragma once

#include "work/sort/engine.h"

/* A leg goes straight, or over the bits of the row that the levels cross. Levels are physical levels, 0 .. n. On a
   hypercube straight edges stay in the node. */
typedef struct np_rows_leg {
    uint8_t levels;
    bool backward; /* to lower levels */
    bool cross;    /* edges that cross, besides straight ones */
} np_rows_leg;

enum { NP_ROWS_LEGS = 2 };

/* A way over columns of 2^bits rows. */
typedef struct np_rows_way {
    uint8_t bits, begin; /* the physical level that it begins at */
    np_rows_leg leg[NP_ROWS_LEGS];
    uint32_t first; /* row of the network: for observers, the columns of all blocks being alike */
} np_rows_way;

typedef struct np_rows {
    np_sort_engine engine;
    uint32_t n, width; /* width: nodes a row, n on a butterfly and 1 on a hypercube */
    bool hypercube;
    uint32_t kind; /* what the items are (np_sort_teller_copy): 1 while a sample is sorted. For observers */
} np_rows;

/* NP_ERROR_MEMORY. The caller clears it, also after an error. */
np_status np_rows_init(np_rows *rows, const np_sorting *sorting) NP_CHECKED;
void np_rows_clear(np_rows *rows);

/* The node of (row, level). */
np_node np_rows_node(const np_rows *rows, uint32_t row, uint32_t level);

uint32_t np_rows_way_levels(const np_rows_way *way);

/*
 * From the level `begin` of a block of 2^bits rows forward over `levels` levels that cross, and straight back. The way
 * back has no levels on a hypercube, and none where the whole wrapped butterfly has been crossed.
 */
np_rows_way np_rows_there_and_back(const np_rows *rows, uint32_t bits, uint32_t begin, uint32_t levels);

/* Along the rows to level n, which is level 0, and from there backward over the lowest `bits` bits. On a hypercube the
   first leg has no levels. */
np_rows_way np_rows_over(const np_rows *rows, uint32_t bits);

/* The logical level of a way of np_rows_over at which a packet begins that is at this level of its row. */
uint32_t np_rows_begin(const np_rows *rows, uint32_t level);

/* Forgets all packets, and makes room for `packets` packets on the way. */
np_status np_rows_empty(np_rows *rows, const np_rows_way *way, uint32_t packets) NP_CHECKED;

/* Adds packet `number`, which goes the way from row `from` to row `to` of its block, from logical level `first` to
   `last`. item: that it carries, for observers. */
void np_rows_send_part(np_rows *rows, const np_rows_way *way, uint32_t number, uint32_t item, uint32_t from,
                       uint32_t to, uint32_t first, uint32_t last);

/* The same for the whole way. */
void np_rows_send(np_rows *rows, const np_rows_way *way, uint32_t number, uint32_t item, uint32_t from, uint32_t to);

/* Moves the packets. ranked: by path_set.rank; else ranks are drawn for the phase and the numbers of the packets. wait:
   steps of the stage that are over, for observers. */
np_status np_rows_run(np_rows *rows, const np_rows_way *way, bool ranked, uint16_t phase, uint64_t wait,
                      np_sort_cost *out) NP_CHECKED;

/*
 * Routes packet i from node from[i] to node to[i], unless they are the same, in two phases: to a random row, and from
 * there home. On a butterfly a packet goes up straight to level n of its row, and from there down to level 0 of the
 * random row; then up to the destination's row, and down straight to its level. draws: seed and run. observer: NULL,
 * nobody.
 */
np_status np_rows_permute(np_rows *rows, bool home, np_draws draws, uint32_t packets, const np_node *from,
                          const np_node *to, const np_observer *observer, np_sort_cost *out) NP_CHECKED;

/* The leveled network of the way. */
np_status np_rows_leveled(np_rows *rows, const np_rows_way *way, const np_leveled **out) NP_CHECKED;
