/*
 * Address maps: functions that say which module holds a PRAM cell (Ranade 1987b, section 3.1 and
 * appendix A). Cell x has the hash y(x) and the hash address a(x) = y(x) mod M in a table of M
 * places. Module a(x) mod N holds the cell. M is a multiple of N, so the module does not depend on
 * M.
 *
 *   hash    y = (sum of a_i x^i, i < zeta) mod P: the class H
 *   linear  y = (a x + b) mod P
 *   none    y = x
 *
 * P is the prime 2^61 - 1 for every size of memory.
 */
#pragma once

#include "base/export.h"
#include "base/random.h"
#include "netpram/pram.h"

/* A function of one of the classes. */
typedef struct np_placement {
    np_address_map map;
    uint64_t modules;      /* N */
    uint32_t coefficients; /* zeta; 2; 0 */
    uint64_t *coefficient;
    uint64_t seed;
    uint32_t drawn; /* functions so far, refused ones included */
} np_placement;

/* Draws the first function. Free with np_placement_clear. NP_ERROR_MEMORY. */
NP_FOR_REPORT np_status np_placement_init(np_placement *placement, np_address_map map, uint64_t modules,
                                          uint32_t hash_coefficients, uint64_t seed) NP_CHECKED;
NP_FOR_REPORT void np_placement_clear(np_placement *placement);

/*
 * Draws the next function: it depends only on the seed and on the number of functions drawn before.
 * A linear function that keeps a stride in one module (np_placement_bad_stride) is refused, and the
 * next one is drawn. The map `none` does not change.
 */
void np_placement_draw(np_placement *placement);

/* hash[i] = y(first + i), i < count. */
NP_FOR_REPORT void np_placement_run(const np_placement *placement, uint64_t first, size_t count, uint64_t *hash);

/*
 * Returns a stride that the function keeps together: more than three quarters of the first 64 cells
 * of the stride are in one module. The strides tried are the powers of two and N times the powers
 * of two, up to 2^40. 0: none found.
 */
uint64_t np_placement_bad_stride(const np_placement *placement);

/*
 * The report's figures of `parts` parts of memory, rows or modules, of which part i holds held[i] cells, `cells` in
 * all; and the bad stride of the function.
 */
void np_placement_measure(const np_placement *placement, uint32_t parts, const uint64_t *held, uint64_t cells,
                          np_pram_report *out);
