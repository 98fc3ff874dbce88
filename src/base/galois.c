/*
 * Finite fields by tables of powers and logarithms.
 *
 * The field is that of the polynomials over the integers modulo p, modulo a polynomial x^n - c(x) of degree n for which
 * x generates all elements but 0. Such polynomials exist for every prime power; they are tried in ascending order of
 * the number of c until the powers of x return to 1 after q - 1 steps and not before. Then the q - 1 powers differ, and
 * every element but 0 has an inverse among them: so the ring is a field.
 */
#include "base/galois.h"

#include "base/memory.h"

bool np_is_prime_power(uint32_t q, uint32_t *p)
{
    uint32_t least = 2;
    if (q < 2)
        return false;
    while ((uint64_t)least * least <= q && q % least)
        least++;
    *p = (uint64_t)least * least <= q ? least : q;
    while (q % *p == 0)
        q /= *p;
    return q == 1;
}

/* a + times b, digit by digit. */
static uint32_t combine(const np_galois *field, uint32_t a, uint32_t times, uint32_t b)
{
    uint32_t sum = 0;
    for (uint32_t unit = 1; unit < field->q; unit *= field->p, a /= field->p, b /= field->p)
        sum += (uint32_t)((a % field->p + (uint64_t)times * (b % field->p)) % field->p) * unit;
    return sum;
}

uint32_t np_galois_add(const np_galois *field, uint32_t a, uint32_t b) { return combine(field, a, 1, b); }

uint32_t np_galois_subtract(const np_galois *field, uint32_t a, uint32_t b)
{
    return combine(field, a, field->p - 1, b);
}

/* a x, where x^n = c */
static uint32_t times_x(const np_galois *field, uint32_t a, uint32_t c)
{
    uint32_t top = field->q / field->p; /* x^(n-1) */
    return combine(field, a % top * field->p, a / top, c);
}

/* Fills the powers of x. Does x generate all elements but 0? */
static bool generates(np_galois *field, uint32_t c)
{
    uint32_t a = 1;
    for (uint32_t i = 0; i < field->q - 1; i++) {
        if ((i && a == 1) || !a)
            return false;
        field->power[i] = a;
        a = times_x(field, a, c);
    }
    return a == 1;
}

np_status np_galois_init(np_galois *field, uint32_t q)
{
    np_status st;
    *field = (np_galois){.q = q};
    if (!np_is_prime_power(q, &field->p))
        return NP_RAISE(NP_ERROR_INTERNAL, "there is no field of %u elements", q);
    if ((st = np_memory_array(&field->power, q - 1, sizeof *field->power, "a finite field")) ||
        (st = np_memory_zeroed(&field->log, q, sizeof *field->log, "a finite field")))
        return st;
    for (uint32_t c = 1; !generates(field, c); c++)
        continue;
    for (uint32_t i = 0; i < q - 1; i++)
        field->log[field->power[i]] = i;
    return NP_OK;
}

void np_galois_clear(np_galois *field) { NP_MEMORY_FREE(field->power, field->log); }
