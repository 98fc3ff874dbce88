/*
 * Memory inside the modules (Ranade 1987b, appendix A). There are N = n 2^n modules. The hash table
 * area has M places, M/N in each module. Module <c, r> has the number c 2^n + r, as in the paper:
 * the order of tags depends on it (ranade.h). Place a is address a/N of module a mod N. It says
 * where in the overflow area the cells x with a(x) = a are; a cell is kept as a pair (x, contents).
 * The overflow area of a place is spread over the n memories of its row. There are two layouts:
 *
 *   preliminary  every place has 8 pairs in each memory of its row, used or not
 *   improved     a row's pairs stand one after the other, the pairs of one place together: the g-th pair of
 *                the row is in memory g mod n; the place holds its first g and how many pairs it has
 *
 * If zeta is not 8n, ceil(zeta / n) takes the place of 8. In the preliminary layout at most zeta
 * cells may share a place, since a polynomial of degree zeta - 1 takes no hash more often. (Places
 * are hashes mod M, so more cells can share one; such places are counted.) Here M is the least
 * N 2^j that is not below the number of cells allocated.
 *
 * Charges. In phase 4 every memory of the row is searched at the 8 pairs of the place of the
 * request's cell. The paper charges no step for the search, since a node searches in the step in
 * which it handles the message. We charge none either, but count the accesses to memory.
 */
#pragma once

#include "base/divide.h"
#include "machine/pram/address_map.h"

typedef struct np_modules {
    uint32_t n, rows;
    uint32_t search; /* 8: pairs of one place in one memory */
    uint64_t table;  /* M */
    uint64_t cells;
    size_t room;
    uint32_t *place;     /* [cells] a(x) */
    uint64_t *row_cells; /* [rows] cells in each row's modules */
    np_divider modules;  /* by N */
    uint64_t searched;   /* accesses to memory in phase 4 */
} np_modules;

/* Where a pair is. */
typedef struct np_modules_location {
    uint32_t module;  /* c 2^n + r */
    uint64_t address; /* in the module: 0 .. M/N - 1 is the hash table area, then one pair an address */
} np_modules_location;

np_status np_modules_init(np_modules *modules, uint32_t n, uint32_t hash_coefficients) NP_CHECKED;
void np_modules_clear(np_modules *modules);

/*
 * Sets the number of cells, no fewer than before. *first: the cells from this one on have new
 * places (0 if the table grew). NP_ERROR_LIMIT: the table would have more than 2^32 - 1 places,
 * NP_ERROR_MEMORY; after both the modules are unchanged.
 */
np_status np_modules_grow(np_modules *modules, const np_placement *placement, uint64_t cells,
                          uint64_t *first) NP_CHECKED;
/* Gives all cells new places. */
void np_modules_place(np_modules *modules, const np_placement *placement);

/* The module of cell x: c 2^n + r. */
static inline uint32_t np_modules_of(const np_modules *modules, np_address x)
{
    return np_modulo(modules->place[x], modules->modules);
}

/* The memory that the rows need. */
np_status np_modules_account_of(const np_modules *modules, np_pram_memory *out) NP_CHECKED;
/*
 * location[x] of every cell x, in the improved layout or in the preliminary one (NP_ERROR_LIMIT: a
 * place is overfull).
 */
np_status np_modules_locate(const np_modules *modules, bool improved, np_modules_location *location) NP_CHECKED;
