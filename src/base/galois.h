/* Arithmetic in the field of q elements, q a prime power. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The elements are the numbers 0 .. q-1: the digits base p of a number are the coefficients of a polynomial in x, the
 * constant one first. 0 and 1 are zero and one. x generates the other elements; if q is a prime, x is a number.
 */
typedef struct np_galois {
    uint32_t p, q;
    uint32_t *power; /* [q - 1] x^i */
    uint32_t *log;   /* [q] of all but 0 */
} np_galois;

/* Is q = p^n for a prime p and n >= 1? */
bool np_is_prime_power(uint32_t q, uint32_t *p);

/* q: a prime power. NP_ERROR_MEMORY. np_galois_clear it, also after an error. */
np_status np_galois_init(np_galois *field, uint32_t q) NP_CHECKED;
void np_galois_clear(np_galois *field);

uint32_t np_galois_add(const np_galois *field, uint32_t a, uint32_t b);
uint32_t np_galois_subtract(const np_galois *field, uint32_t a, uint32_t b);

static inline uint32_t np_galois_multiply(const np_galois *field, uint32_t a, uint32_t b)
{
    return a && b ? field->power[(field->log[a] + field->log[b]) % (field->q - 1)] : 0;
}

/* b is not 0. */
static inline uint32_t np_galois_divide(const np_galois *field, uint32_t a, uint32_t b)
{
    return a ? field->power[(field->log[a] + field->q - 1 - field->log[b]) % (field->q - 1)] : 0;
}
