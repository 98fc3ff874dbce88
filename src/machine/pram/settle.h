/*
 * Cells go to new places in a memory with a layout (pairs.h): when memory grows, and when a new hash function is drawn. The
 * words go with the messages that the machine sends for this through its network (butterfly.c):
 *
 *   moved      a new function: the node that holds the pair sends it, (x, word), to the module of the cell
 *   announced  a new cell, or a new table: a processor tells the module that there is a cell x. A new cell is 0. Of any other
 *              one the row has the pair already
 *   kept       the table is the same, and the cell was there: its row keeps the pair, without a message
 *
 * The settlement observes the engine. A module has a message when it leaves the module's switch, in column 2n + c of the row
 * that it is in. When all messages have come, each row files the pairs that its modules have, within the row. A pair that has
 * come to another row than that of its place is not filed, and a pair of which no message comes is gone: no
 * search will find the cell.
 */
#ifndef NP_PRAM_SETTLE_H
#define NP_PRAM_SETTLE_H

#include "machine/pram/pairs.h"
#include "machine/pram/tags.h"

/* It must stay where it is: its observer points to it. */
typedef struct np_settlement {
    np_observer observer;
    np_pairs *layout;
    const np_tags *tags; /* item i of the batch at hand is the cell that message i tells of */

    /* From begin to end. */
    uint64_t cells, before; /* cells, and those that there were before */
    uint64_t *at;           /* [before] the pair, of those in layout->pair; */
    uint32_t *holder;       /* [before] and the module whose overflow area it is in */
    np_word *word;          /* [cells] what has come */
    uint32_t *module;       /* [cells] where it has come; NP_NONE: it has not */

    /* The batch at hand; NULL: it is not of cells. */
    np_word *carried; /* [messages] the words of moved cells */
    size_t room;
    bool on, moved;
} np_settlement;

/* next: who else observes. */
void np_settlement_init(np_settlement *settlement, np_pairs *layout, const np_tags *tags, const np_observer *next);
void np_settlement_clear(np_settlement *settlement);

/* There will be so many cells, and all get new places. Before the modules have them. NP_ERROR_MEMORY. */
np_status np_settlement_begin(np_settlement *settlement, uint64_t cells) NP_CHECKED;
/* The cells below `first` stay in their rows. */
void np_settlement_keep(np_settlement *settlement, uint64_t first);
/* A batch of messages sets out, one for each item of tags: of cells that are moved, or announced. NP_ERROR_MEMORY. */
np_status np_settlement_send(np_settlement *settlement, size_t count, bool moved) NP_CHECKED;
/* They have come, as far as they have. */
void np_settlement_arrive(np_settlement *settlement);
/* All batches have come: rows file their pairs. The errors of np_pairs_file. */
np_status np_settlement_end(np_settlement *settlement) NP_CHECKED;

#endif
