/*
 * Memory inside the modules (Ranade 1987b, appendix A). N = n 2^n modules, M
 * places in the hash table area, M/N in each module. Module <c, r> has the number
 * c 2^n + r, as in the paper: the order of tags depends on it (ranade.h). Place a
 * (address a/N of module a mod N) says where in the overflow area the cells x with
 * a(x) = a are, as pairs (x, contents); the overflow area of a place is spread over the n
 * memories of its row. Two layouts:
 *
 *   preliminary  every place has 8 pairs in each memory of its row, used or not
 *   improved     a row's pairs stand one after the other, those of one place together:
 *                the g-th in memory g mod n; the place holds the first g and how many there are
 *
 * 8 is ceil(zeta / n) when zeta is not 8n: no more than zeta cells may share a place in the former, as a
 * polynomial of degree zeta - 1 takes no hash more often. (Places are hashes mod M, so more can; it is counted.)
 * Here M is the least N 2^j that is not below the number of cells allocated.
 *
 * Charges. In phase 4 every memory of the row is searched at the 8 places of the request's cell; the paper
 * charges no step for it, since a node does so in the step in which it handles the message, and so do we: what is
 * counted is memory accesses.
 */
#ifndef NP_PRAM_MODULES_H
#define NP_PRAM_MODULES_H

#include <stdbool.h>

#include "base/divide.h"
#include "pram/address_map.h"

typedef struct np_modules {
    uint32_t n, rows;
    uint32_t search; /* 8: pairs of one place in one memory */
    uint64_t table;  /* M */
    uint64_t cells, room;
    uint32_t *place;     /* [cells] a(x) */
    uint64_t *row_cells; /* [rows] cells in each row's modules */
    np_divider modules;  /* by N */
    uint64_t searched;   /* accesses to memory in phase 4 */
} np_modules;

/* Where a pair is. */
typedef struct np_modules_location {
    uint32_t module;  /* c 2^n + r */
    uint64_t address; /* in it: 0 .. M/N - 1 is the hash table area, then come pairs, one to an address */
} np_modules_location;

np_status np_modules_init(np_modules *modules, uint32_t n, uint32_t zeta) NP_CHECKED;
void np_modules_clear(np_modules *modules);

/*
 * There are now this many cells, no fewer than before. *first: those from here on have new places (0 if the table
 * grew). NP_ERROR_LIMIT above 2^32 - 1 cells, NP_ERROR_MEMORY: unchanged.
 */
np_status np_modules_grow(np_modules *modules, const np_placement *placement, uint64_t cells,
                          uint64_t *first) NP_CHECKED;
/* All cells have new places. */
void np_modules_place(np_modules *modules, const np_placement *placement);

/* The module of cell x: c 2^n + r. */
static inline uint32_t np_modules_of(const np_modules *modules, np_address x)
{
    return np_modulo(modules->place[x], modules->modules);
}

/* What the memory of the rows needs. */
np_status np_modules_account_of(const np_modules *modules, np_pram_memory *out) NP_CHECKED;
/* location[x] of every cell x in the preliminary layout (NP_ERROR_LIMIT if a place is overfull), or the improved one.
 */
np_status np_modules_locate(const np_modules *modules, bool improved, np_modules_location *location) NP_CHECKED;

#endif
