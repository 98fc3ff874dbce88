/*
 * The inside of the memory, for the front end and the ideal machine.
 *
 * touched[] tells in one look whether a cell has been seen in the present pass, and by what. A pass
 * takes fresh numbers base, base + 1, ..., larger than all numbers before, and marks cells with
 * them. A cell has been seen if touched[cell] >= base. touched[] is cleared only once in 2^32
 * numbers.
 */
#pragma once

#include "machine/pram/request.h"
#include "machine/pram/team.h"

/*
 * What the present step has done to a cell. A sum of reals is kept exactly from the second operand on: then `fetched`,
 * or the value of `write`, is the number of a sum of the store.
 */
typedef struct np_pending {
    np_address address;
    np_word fetched;  /* the cell's value after the fetches so far; of a sum of reals: the first operand */
    np_request write; /* the writes so far, combined */
    bool has_fetch, has_write;
    bool adds, sums_fetched,
        sums_written; /* fetches add reals; there is a sum of what was fetched, of what was written */
} np_pending;

struct np_store {
    np_access_rule rule;
    np_team *team; /* NULL: one thread */
    uint64_t cells, capacity;
    np_word *words;    /* [capacity] */
    uint32_t *touched; /* [capacity] */
    uint32_t fresh;    /* least number not used in touched */

    np_pending *pending; /* [room] */
    size_t room;
    uint32_t base, used; /* of the present step */
    np_exact_sum *sum;   /* [sums_room] of reals, of the present step */
    size_t sums, sums_room;

    uint32_t *chain; /* [chain_room] for the ideal machine: the next processor at a cell */
    size_t chain_room;

    /* If the machine keeps the words itself, where the contents of a cell are: for a message that searches, or not. */
    np_word *(*find)(void *keeper, np_address address, bool message);
    void *keeper;
};

/* Takes `count` < 2^32 - 1 fresh numbers and returns the first. */
uint32_t np_store_numbers(np_store *store, size_t count);

/* Makes room for chains of so many processors. NP_ERROR_MEMORY. */
np_status np_store_chains(np_store *store, size_t processors) NP_CHECKED;
