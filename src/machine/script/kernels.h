/* Local operations on up to NP_STRIP words. */
#pragma once

#include "machine/script/syntax.h"

#define NP_KERNEL_FINE SIZE_MAX

/*
 * to[i] = a[i] op b[i]; operators of one operand do not look at b. All but NP_OP_RANDOM. on: [count] lanes that are on,
 * or NULL: all. Returns the first lane that is on and for which the result is not defined, else NP_KERNEL_FINE. `to`
 * may be a or b.
 */
size_t np_kernel_operator(np_operator op, bool real, size_t count, const np_word *a, const np_word *b,
                          const uint8_t *on, np_word *to);

/*
 * to[i] = a[i] * extent[i] + (index[i] - low[i]) + base[i]; a, base NULL: 0. Returns the first lane on with an index
 * out of range.
 */
size_t np_kernel_offset(size_t count, const np_word *a, const np_word *index, const np_word *extent, const np_word *low,
                        const np_word *base, const uint8_t *on, np_word *to);

/* The same where a is NULL and all lanes have the same bounds and base. index and to are different arrays. */
size_t np_kernel_place(size_t count, const np_word *index, np_word extent, np_word low, np_word base, const uint8_t *on,
                       np_word *to);

/* to[i] = how many turns a loop from low[i] to high[i] makes, less 1; -1: none. Returns the first lane on whose step is
 * 0. */
size_t np_kernel_turns(size_t count, const np_word *low, const np_word *high, const np_word *step, const uint8_t *on,
                       np_word *to);

/* to[i] = word; to[i] = first + i step. */
void np_kernel_fill(np_word word, size_t count, np_word *to);
void np_kernel_count(np_word first, uint64_t step, size_t count, np_word *to);

/* to[i] = a[i] where on. */
void np_kernel_set(size_t count, const np_word *a, const uint8_t *on, np_word *to);

/* to[i] = a[i] ? b[i] : c[i]. */
void np_kernel_select(size_t count, const np_word *a, const np_word *b, const np_word *c, np_word *to);
