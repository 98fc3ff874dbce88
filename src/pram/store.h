/*
 * The inside of the memory, for the front end and the ideal machine.
 *
 * touched[] tells in one look whether a cell has been seen in the present pass, and by what. A pass
 * takes fresh numbers base, base + 1, ..., larger than all numbers before, and marks cells with
 * them. A cell has been seen if touched[cell] >= base. touched[] is cleared only once in 2^32
 * numbers.
 */
#ifndef NP_PRAM_STORE_H
#define NP_PRAM_STORE_H

#include "pram/request.h"
#include "pram/team.h"

/* What the present step has done to a cell. */
typedef struct np_pending {
    np_address address;
    np_word fetched;  /* the cell's value after the fetches so far */
    np_request write; /* the writes so far, combined */
    bool has_fetch, has_write;
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

    /* If the machine keeps the words itself, where the contents of a cell are: for a message that searches, or not. */
    np_word *(*find)(void *keeper, np_address address, bool message);
    void *keeper;
};

/* Takes `count` < 2^32 - 1 fresh numbers and returns the first. */
uint32_t np_store_numbers(np_store *store, size_t count);

/* Makes room at once for `cells` cells in all, and for steps of so many requests; and the bytes of it. NP_ERROR_MEMORY. */
np_status np_store_reserve(np_store *store, uint64_t cells, size_t requests) NP_CHECKED;
uint64_t np_store_bytes(uint64_t cells, size_t requests);

#endif
