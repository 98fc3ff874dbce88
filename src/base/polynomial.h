/*
 * Random polynomials over the integers modulo the prime P = 2^61 - 1: the
 * universal hash functions of Carter & Wegman 1979, k-wise independent for k
 * coefficients. P exceeds every number of destinations here.
 */
#pragma once

#include "base/random.h"

#define NP_POLYNOMIAL_PRIME ((UINT64_C(1) << 61) - 1)

/* coefficient[0..k) uniform in 0..P-1: pure functions of (draws, item). */
void np_polynomial_draw(const np_draws *draws, uint32_t item, uint32_t k, uint64_t *coefficient);

/* k steps of Horner's rule: (y x^k + sum of coefficient[i] x^i) mod P, for x, y < P. */
uint64_t np_polynomial_step(const uint64_t *coefficient, uint32_t k, uint64_t x, uint64_t y);

/* (sum of coefficient[i] x^i) mod P, for x < P. */
uint64_t np_polynomial_at(const uint64_t *coefficient, uint32_t k, uint64_t x);

/* out[i] = the polynomial at x + i for i < count; x + count <= P. Faster than np_polynomial_at for each. */
void np_polynomial_run(const uint64_t *coefficient, uint32_t k, uint64_t x, size_t count, uint64_t *out);
