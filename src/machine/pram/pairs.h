/*
 * The cells of a PRAM in the modules of a butterfly, as appendix A of Ranade 1987b keeps them (modules.h): the place
 * a(x) of the hash table holds a word that says where in the overflow areas of its row the pairs (x, contents) are.
 * Nothing else holds the contents.
 *
 *   word of a place   preliminary: the address i of its pairs, i .. i + search - 1 in each module of the row
 *                     improved: its first pair g and how many it has; pair g of the row is in column g mod n
 *
 * A search looks for x as a message does in phase 4, which goes down the columns of the row: at the pairs of the place
 * in module after module, until one has x.
 */
#pragma once

#include "machine/pram/modules.h"
#include "machine/pram/tags.h"

typedef struct np_pair {
    np_address cell; /* NP_NO_CELL: nothing is there */
    np_word word;
} np_pair;

#define NP_NO_CELL UINT64_MAX

typedef struct np_pairs {
    np_memory_layout kind;
    const np_modules *modules;
    uint64_t cells;                        /* that it holds */
    uint64_t *table;                       /* [modules->table] the hash table area */
    np_pair *pair;                         /* the overflow areas, module after module */
    uint64_t *begin;                       /* [N + 1] module m has pair[begin[m]] .. pair[begin[m + 1] - 1] */
    uint64_t searches, probes, probes_max; /* messages that searched; pairs they looked at; most of one */
    np_address missed;                     /* a cell that was looked for, and no pair has it; NP_NO_CELL: none */
    np_word none;                          /* instead of its word */
} np_pairs;

/* modules: borrowed. */
np_pairs np_pairs_of(np_memory_layout kind, const np_modules *modules);
void np_pairs_clear(np_pairs *layout);

/*
 * Forgets all pairs, and files those of all cells where the modules have them now: cell x holds word[x] and has come to
 * module[x], in whose row its pair is filed. If that is not the row of its place, or NP_NONE, no pair has x.
 * NP_ERROR_LIMIT: the preliminary layout has no room for the cells of some place; NP_ERROR_MEMORY.
 */
np_status np_pairs_file(np_pairs *layout, const np_word *word, const uint32_t *module) NP_CHECKED;

/*
 * Where the contents of cell x are, and in which module. *probes is increased by the pairs looked at. NULL: no pair has
 * x, because its message did not come.
 */
np_word *np_pairs_find(const np_pairs *layout, np_address x, uint32_t *module, uint64_t *probes);
/* The same for a message, which counts. */
np_word *np_pairs_search(np_pairs *layout, np_address x);

/*
 * Cells go to new places in such a memory: when memory grows, and when a new hash function is drawn. The
 * words go with the messages that the machine sends for this through its network (butterfly.c):
 *
 *   moved      a new function: the node that holds the pair sends it, (x, word), to the module of the cell
 *   announced  a new cell, or a new table: a processor tells the module that there is a cell x. A new cell is 0. Of any
 *              other one the row has the pair already
 *   kept       the table is the same, and the cell was there: its row keeps the pair, without a message
 *
 * The settlement observes the engine. A module has a message when it leaves the module's switch, in column 2n + c of
 * the row that it is in. When all messages have come, each row files the pairs that its modules have, within the row. A
 * pair that has come to another row than that of its place is not filed, and a pair of which no message comes is gone:
 * no search will find the cell.
 */

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
