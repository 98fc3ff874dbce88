/*
 * The cells of a PRAM in the modules of a butterfly, as appendix A of Ranade 1987b keeps them (modules.h): the place a(x) of
 * the hash table holds a word that says where in the overflow areas of its row the pairs (x, contents) are. Nothing else
 * holds the contents.
 *
 *   word of a place   preliminary: the address i of its pairs, i .. i + search - 1 in each module of the row
 *                     improved: its first pair g and how many it has; pair g of the row is in column g mod n
 *
 * A search looks for x as a message does in phase 4, which goes down the columns of the row: at the pairs of the place in
 * module after module, until one has x.
 */
#ifndef NP_PRAM_PAIRS_H
#define NP_PRAM_PAIRS_H

#include "machine/pram/modules.h"

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
 * Where the contents of cell x are, and in which module. *probes is increased by the pairs looked at. NULL: no pair has x,
 * because its message did not come.
 */
np_word *np_pairs_find(const np_pairs *layout, np_address x, uint32_t *module, uint64_t *probes);
/* The same for a message, which counts. */
np_word *np_pairs_search(np_pairs *layout, np_address x);

#endif
